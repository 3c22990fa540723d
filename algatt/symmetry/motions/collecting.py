"""The equations of the shifts of a program, collected."""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from typing import Any

from algatt.fields import Elements
from algatt.fields.motions import Asked, EquationsOfVectors, Letter, Motions, Moving, Word
from algatt.fields.motions.words import EMPTY, Shift, Vector, add_shifts
from algatt.programs import Program
from algatt.programs.interpret import Results

PASSES = 4
"""Maximum number of times that a program is gone through: each time tensors that are used several times may take up
what others have moved before.
"""


def collect_motions(
    program: Program, *, units: tuple[int, int] | None, still: frozenset[str] = frozenset()
) -> tuple[Motions, list[Moving]]:
    """Return the equations of the vectors that are added to the rows and columns of tensors, and how all results move.

    Parameters
    ----------
    program : Program
        The program.
    units : (int, int) or None
        From which row and which column on the columns of its input are unit vectors; None if they never are.
    still : frozenset of str, optional
        Tensors that stay.
    """
    asked: dict[str, Asked] = {}
    for _ in range(PASSES):
        field = Motions(EquationsOfVectors(), shifted=True)
        results = interpret_motions(program, field, asked, units=units, still=still)
        more = {name: asked.get(name, {}) | allowed(program, name, new) for name, new in field.asked.items()}
        if all(more[name] == asked.get(name, {}) for name in more):
            break
        asked |= more
    return field, results


def allowed(program: Program, name: str, asked: Asked) -> Asked:
    """Return what a tensor may take up: rows of weights only if all that reads it are products of which it is the left
    factor.
    """
    numbers = [number for number, one in enumerate(program.instructions) if one.argument == name]
    users = [(number, program.instructions[user]) for number in numbers for user in program.uses.users[number]]
    left = all(one.operation == "product" and one.operands[0] == number != one.operands[1] for number, one in users)
    return {key: size for key, size in asked.items() if left or key[1] is None}


def interpret_motions(
    program: Program,
    field: Motions,
    asked: Mapping[str, Asked],
    *,
    units: tuple[int, int] | None,
    still: frozenset[str],
) -> list[Moving]:
    """Let the operations of a program collect their equations; its value does not move. Return how its results move."""
    users = program.uses.users
    moving: dict[str, Elements] = {}
    inputs: Elements | None = None
    for number, one in enumerate(program.instructions):
        single = len(users[number]) == 1
        if one.operation == "input":
            given = field.fixed(one.shape, units=units == (0, 0))
            inputs = Elements(field, field.named(given, number, single=False))
        elif one.operation == "tensor":
            name = one.argument
            if name in still:
                raw = replace(field.fixed(one.shape), varies=False)
            else:
                raw = field.tensor(name, one.shape, single=single, asked=asked.get(name))
            moving[name] = Elements(field, field.named(raw, number, single=single))
    results = Results(program, field, moving, inputs)
    for number in range(len(program)):
        found = field.named(results[number].raw, number, single=len(users[number]) == 1)
        if has_unit_vectors(program, number, units):
            found = replace(found, totals={None: {EMPTY: 1}})
        results.found[number] = Elements(field, found)
        field.varying[number] |= not program.uses.rational[number]
    field.require_none(results[len(program) - 1].raw)
    return [results[number].raw for number in range(len(program))]


def has_unit_vectors(program: Program, number: int, units: tuple[int, int] | None) -> bool:
    """Return whether a result is a part of the input whose columns are unit vectors."""
    one = program.instructions[number]
    if units is None or one.operation != "take" or program.instructions[one.operands[0]].operation != "input":
        return False
    rows, columns = one.argument
    below = tuple(range(units[0], program.uses.height(one.operands[0])))
    return tuple(rows) == below and all(column >= units[1] for column in columns)


def with_open_products(shift: Shift, vectors: Container[Vector], field: Motions, program: Program) -> Shift:
    """Return a sum of words times vectors with products with something of weights alone as several letters, in front of
    some vectors.
    """
    parts: list[Shift] = [{}]
    for word, form in shift.items():
        if any(vector in vectors for vector in form):
            letters = tuple(one for letter in word.letters for one in factors_of(letter, field, program))
            word = Word(letters, word.numbers)
        parts.append({word: form})
    return add_shifts(parts)


def factors_of(letter: Letter, field: Motions, program: Program) -> tuple[Letter, ...]:
    """Return the factors of a letter that is a product with something of weights alone, and depends on the input."""
    if not isinstance(letter.of, int) or letter.kind not in ("", "transposed") or not field.varying.get(letter.of):
        return (letter,)
    one = program.instructions[letter.of]
    if one.operation != "product" or all(field.varying[operand] for operand in one.operands):
        return (letter,)
    left, right = (Letter(operand) for operand in one.operands)
    factors = (left, right) if not letter.kind else (right.T, left.T)
    return tuple(each for factor in factors for each in factors_of(factor, field, program))


def groups_by_input(shift: Mapping[Word, Any], field: Motions) -> list[dict[Word, Any]]:
    """Return the parts of a sum of words that have to vanish each: those that begin with the same letters up to the
    last one that depends on the input, of which the words of weights behind it are kept.
    """
    groups: dict[Any, dict[Word, Any]] = {}
    for word, forms in shift.items():
        varying = [k for k, letter in enumerate(word.letters) if not field.is_known(Word((letter,)))]
        cut = varying[-1] + 1 if varying else 0
        unknown = frozenset(pair for pair in word.numbers if not field.is_known(pair[0]))
        rest = Word(word.letters[cut:], word.numbers - unknown)
        groups.setdefault((word.letters[:cut], unknown), {})[rest] = forms
    return list(groups.values())
