"""The equations of the motions of a program, collected and solved."""

from __future__ import annotations

import functools
from collections.abc import Container, Hashable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from algatt import verbs
from algatt.fields import Elements, PrimeField
from algatt.fields.motions import Asked, Letter, Motions, Moving, Word
from algatt.fields.motions.words import EMPTY, Shift, Vector, add_shifts
from algatt.programs import Program
from algatt.programs.interpret import Results
from algatt.symmetry.motions.conditions import Group, Key, MovingPart, entries_of, part_of
from algatt.symmetry.motions.solutions import MotionSolutions, Moved
from algatt.symmetry.typed.linear_system import LinearForm

__all__ = ["solve_motions"]

PASSES = 4
"""Maximum number of times that a program is gone through: each time tensors that are used several times may take up
what others have moved before.
"""


def solve_motions(
    program: Program,
    shapes: Mapping[str, tuple[int, ...]],
    *,
    units: tuple[int, int] | None = None,
    steps: bool = False,
) -> MotionSolutions:
    """Return the solutions of the equations of a program with tensors of given shapes.

    Parameters
    ----------
    program : Program
        The program.
    shapes : mapping of str to tuple of int
        The shapes of its tensors, also of those that it does not read.
    units : (int, int), optional
        From which row and which column on the columns of its input are unit vectors; by default they never are.
    steps : bool, optional
        Whether gates and choices ask for nothing, as `algatt.fields.Motions` says.
    """
    field, moving, _ = collect_motions(program, shapes, units=units, steps=steps)
    equations = field.equations
    equations.settle()
    moved = {}
    for name, raw in moving.items():
        taken = tuple(one for one in field.taken if one.tensor == name)
        moved[name] = Moved(equations.resolve(raw.rows), equations.resolve(raw.columns), taken)
    return MotionSolutions(program, moved, tuple(parts_of(field, moved, program, shapes)))


def collect_motions(
    program: Program,
    shapes: Mapping[str, tuple[int, ...]],
    *,
    units: tuple[int, int] | None = None,
    steps: bool = False,
    linear: bool = True,
    still: frozenset[str] = frozenset(),
) -> tuple[Motions, dict[str, Moving], list[Moving]]:
    """Return the equations of a program, and how its tensors and its results move; without linear motions perhaps, and
    with tensors that stay.
    """
    asked: dict[str, Asked] = {}
    for _ in range(PASSES):
        field = Motions(shifted=True, steps=steps, linear=linear)
        moving, results = interpret_motions(program, shapes, field, asked, units=units, still=still)
        more = {name: asked.get(name, {}) | allowed(program, name, new) for name, new in field.asked.items()}
        if all(more[name] == asked.get(name, {}) for name in more):
            break
        asked |= more
    return field, moving, results


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
    shapes: Mapping[str, tuple[int, ...]],
    field: Motions,
    asked: Mapping[str, Asked],
    *,
    units: tuple[int, int] | None,
    still: frozenset[str] = frozenset(),
) -> tuple[dict[str, Moving], list[Moving]]:
    """Let the operations of a program collect their equations; its value does not move. Return the tensors, and all
    results.
    """
    users = program.uses.users
    names = {one.argument: number for number, one in enumerate(program.instructions) if one.operation == "tensor"}
    moving: dict[str, Moving] = {}
    for name, shape in shapes.items():
        number = names.get(name)
        single = number is not None and len(users[number]) == 1
        if name in still:
            raw = replace(field.fixed(shape), varies=False)
        else:
            raw = field.tensor(name, shape, single=single, asked=asked.get(name))
        if number is not None:
            for letter, size in ((Letter(number), shape), (Letter(number).T, shape[::-1])):
                field.tensors[letter] = name, size
        moving[name] = raw if number is None else field.named(raw, number, single=single)
    inputs: Elements | None = None
    for number, one in enumerate(program.instructions):
        if one.operation == "input":
            given = field.fixed(one.shape, units=units == (0, 0))
            inputs = Elements(field, field.named(given, number, single=False))
    results = Results(program, field, {name: Elements(field, raw) for name, raw in moving.items()}, inputs)
    choosing = only_choosing(program) if field.steps else set()
    for number in range(len(program)):
        single = len(users[number]) == 1
        if number in choosing and program.instructions[number].operation != "tensor":
            results.found[number] = Elements(field, field.fixed(program.instructions[number].shape))
        found = field.named(results[number].raw, number, single=single)
        if has_unit_vectors(program, number, units):
            found = replace(found, totals={None: {EMPTY: 1}})
        results.found[number] = Elements(field, found)
        field.varying[number] |= not program.uses.rational[number]
    value: Moving = results[len(program) - 1].raw
    field.require_fixed(value)
    field.require_none(value)
    return moving, [results[number].raw for number in range(len(program))]


def has_unit_vectors(program: Program, number: int, units: tuple[int, int] | None) -> bool:
    """Return whether a result is a part of the input whose columns are unit vectors."""
    one = program.instructions[number]
    if units is None or one.operation != "take" or program.instructions[one.operands[0]].operation != "input":
        return False
    rows, columns = one.argument
    below = tuple(range(units[0], program.uses.height(one.operands[0])))
    return tuple(rows) == below and all(column >= units[1] for column in columns)


def only_choosing(program: Program) -> set[int]:
    """Return the results of which nothing is read but by gates and choices, also through each other."""
    found: set[int] = set()
    for number in range(len(program) - 2, -1, -1):
        users = program.uses.users[number]
        if all(user in found or program.instructions[user].operation in ("positive", "largest") for user in users):
            found.add(number)
    return found


def parts_of(
    field: Motions, moved: Mapping[str, Moved], program: Program, shapes: Mapping[str, tuple[int, ...]]
) -> Iterator[MovingPart]:
    """Iterate over the solutions, one part for each set of equations that share unknowns."""
    equations = field.equations
    rows = [form for one in equations.constraints for form in verbs.linear_forms(one, equations) if form]
    rows += [{(vector, 0): value for vector, value in one.items()} for one in equations.forms if one]
    sums: list[Group] = []
    for shift in equations.shifts.values():
        for group in groups_by_input(entries_of(shift), field):
            if len(group) > 1 or next(iter(group)).letters:
                sums.append(group)
            else:
                rows += [form for forms in group.values() for form in forms if form]
    rows = list({frozenset(form.items()): form for form in rows}.values())

    @functools.cache
    def point() -> Results:
        prime = PrimeField()
        raw = {
            name: verbs.draw_array(prime, shape=one, seed=0, label=f"motions/{name}") for name, one in shapes.items()
        }
        return Results(program, prime, {name: Elements(prime, one) for name, one in raw.items()})

    for unknowns, forms, conditional in joined(rows, sums, list(dict.fromkeys(keys_of(moved)))):
        part = part_of(unknowns, forms, conditional, point)
        if part.assignments:
            yield part


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


def joined(
    rows: list[LinearForm], sums: list[Group], keys: list[Key]
) -> Iterator[tuple[list[Key], list[LinearForm], list[Group]]]:
    """Iterate over the unknowns that equations join, with these: forms, and sums of words times vectors."""
    parent: dict[Key, Key] = {}

    def root(key: Key) -> Key:
        while parent.setdefault(key, key) != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    together = [
        *(list(form) for form in rows),
        *([key for f in g.values() for form in f for key in form] for g in sums),
    ]
    for first, *others in (one for one in together if one):
        for other in others:
            parent[root(other)] = root(first)
    groups: dict[Key, tuple[dict[Key, None], list[Any], list[Any]]] = {}
    for key in keys:
        groups.setdefault(root(key), ({}, [], []))[0][key] = None
    for number, (equation, one) in enumerate(zip((*rows, *sums), together, strict=True)):
        group = groups.get(root(one[0])) if one else None
        if group is not None:
            group[0].update(dict.fromkeys(one))
            (group[1] if number < len(rows) else group[2]).append(equation)
    for unknowns, forms, more in groups.values():
        yield list(unknowns), forms, more


def keys_of(moved: Mapping[str, Moved]) -> Iterator[Hashable]:
    """Iterate over the unknowns that move tensors."""
    for one in moved.values():
        for action in (one.rows, one.columns):
            yield from action.scalars
            for space, _ in action.terms:
                yield from ((space, i, j) for i in range(space.size) for j in range(space.size))
        for taken in one.taken:
            for form in taken.shift.values():
                yield from ((vector, i) for vector in form for i in range(vector.size))
