"""Programs in which tensors that are read below each other are one: [A X; B X] = [A; B] X."""

from __future__ import annotations

from algatt.programs.trace import Instruction, Program
from algatt.programs.uses import Uses, needed, with_operands

__all__ = ["joined_tensors"]


def joined_tensors(program: Program) -> tuple[Program, dict[str, tuple[str, ...]]]:
    """Return a program with one tensor for tensors whose products with one matrix are joined below each other and used
    for nothing else, as the queries of all heads before a norm of all their rows; and the tensors that each of these is
    made of, from top to bottom.
    """
    uses = program.uses
    made: list[Instruction] = []
    numbers: list[int] = []
    joined: dict[str, tuple[str, ...]] = {}
    for number, one in enumerate(program.instructions):
        names = names_below_each_other(uses, number)
        if names:
            name, right = f"{names[0]}.to.{names[-1]}", uses[one.operands[0]].operands[1]
            joined[name] = names
            made.append(Instruction("tensor", (), name, (one.shape[0], uses[right].shape[0])))
            made.append(Instruction("product", (len(made) - 1, numbers[right]), None, one.shape))
        else:
            made.append(with_operands(one, (numbers[operand] for operand in one.operands)))
        numbers.append(len(made) - 1)
    return needed(made, numbers[-1]), joined


def names_below_each_other(uses: Uses, number: int) -> tuple[str, ...]:
    """Return the tensors that a result could read as one, or nothing."""
    one = uses[number]
    if one.operation != "concatenate" or one.argument != 0 or len(set(one.operands)) < len(one.operands):
        return ()
    products = [uses[part] for part in one.operands]
    if any(each.operation != "product" or each.operands[1] != products[0].operands[1] for each in products):
        return ()
    if not all(uses.is_used_by(part, number) for part in one.operands):
        return ()
    tensors = [(each.operands[0], part) for each, part in zip(products, one.operands, strict=True)]
    if any(uses[tensor].operation != "tensor" or not uses.is_used_by(tensor, part) for tensor, part in tensors):
        return ()
    return tuple(str(uses[tensor].argument) for tensor, _ in tensors)
