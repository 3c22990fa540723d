"""Programs written by the rules again and again, until these change nothing."""

from __future__ import annotations

from algatt.programs.live import live
from algatt.programs.parts import taken
from algatt.programs.rewriting import Rewriting
from algatt.programs.trace import Program
from algatt.programs.uses import joined_parts, needed, parted_results

__all__ = ["rewritten"]


def rewritten(program: Program) -> Program:
    """Return a program written by the rules, without what is not needed or not read, as often as they change it.

    First no parts are taken inside, so that it is seen which of them are joined again.
    """
    program = live(rewritten_once(program, inside=False))
    while (found := live(rewritten_once(program))) != program:
        program = found
    return program


def rewritten_once(program: Program, *, inside: bool = True) -> Program:
    """Return a program written by the rules, parts of results being taken inside or not."""
    rewriting = Rewriting()
    numbers: list[int] = []
    together = joined_parts(program.uses) if inside else {}
    parted = parted_results(program.uses, together) if inside else set()
    for number, one in enumerate(program.instructions):
        operands = tuple(numbers[operand] for operand in one.operands)
        argument = one.argument
        if number in together:
            rows, columns = argument
            operands = (taken(rewriting, operands[0], together[number], columns),)
            argument = tuple(map(together[number].index, rows)), tuple(range(len(columns)))
        numbers.append(rewriting.write(one.operation, *operands, argument=argument, shape=one.shape))
        if number in parted:
            rewriting.part(numbers[-1])
    return needed(rewriting.instructions, numbers[-1])
