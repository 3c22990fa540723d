"""Residues before roots, drawn one after the other until all roots exist, and condition (S) with it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from algatt.errors import ConditionFailed
from algatt.fields import Elements, PrimeField
from algatt.fields.elementary import squares
from algatt.linalg import RowSpace
from algatt.maps.elementary.tokens.numbering import Draw
from algatt.maps.elementary.tokens.places import Dependent, Sequences, TokenPlace

__all__ = ["take_roots"]

MOST_BEHIND = 10
"""At most so many roots may be behind one draw; one time in 2^10 all of them exist."""

SPARE = 24
"""So many more candidates than roots are looked at: random characters miss their rank with a probability of 2^-24."""

PATIENCE = 40
"""So many times as many candidates are drawn as are expected to be needed, before there is said to be none."""

BLOCK = 2**21
"""About so many numbers are held at a time."""


def take_roots(place: TokenPlace, *, check: bool) -> None:
    """Draw residues anew until all roots exist; with `check` also until no product of some of what they are taken of
    can be a square, as far as the characters of a group at different residues of its draw say.

    Raises
    ------
    Dependent
        If that is not found.
    """
    sequences = place.sequences
    dependent: set[int] = set()
    place.compute()
    needed = reading_before(place, {sequences.where[argument][0] for argument in sequences.roots})
    for number, (draw, arguments) in enumerate(sequences.groups):
        if len(arguments) > MOST_BEHIND:
            raise ConditionFailed(f"{len(arguments)} roots are behind one draw")
        levels = levels_of(sequences, arguments)
        spaces = [RowSpace(PrimeField(2), len(level)) for level in levels]
        first: list[np.ndarray | None] = [None] * len(levels)
        value = None
        most = PATIENCE * 2 ** len(arguments) + 2 ** len(arguments) * SPARE
        for values, characters in candidates(place, number, draw, arguments, most, SPARE if check else 0):
            if value is None:
                there = np.flatnonzero((characters == 1).all(axis=1))
                value = int(values[there[0]]) if len(there) else None
            for k, level in enumerate(levels if check else []):
                before = [position for one in levels[:k] for position in one]
                known = characters[(characters[:, before] == 1).all(axis=1)][:, level]
                known = known[(known >= 0).all(axis=1)]
                if len(known):
                    reference = first[k] = known[0] if first[k] is None else first[k]
                    spaces[k].add(Elements(PrimeField(2), (known ^ reference).astype(np.float64)))
            if value is not None and (not check or all(space.rank == space.columns for space in spaces)):
                break
        else:
            wrong = {
                arguments[level[column]]
                for level, space in zip(levels, spaces, strict=True)
                for column in set(range(len(level))) - set(space.pivot_columns)
            }
            dependent |= wrong or set(arguments)
        if value is None:
            break
        place.put(draw, value)
        place.compute(place.changed_by(draw) & needed)  # the others are computed when all roots are there
    if dependent:
        raise Dependent(
            dependent,
            f"products of arguments of {len(dependent)} of {len(sequences.roots)} roots may be squares times constants",
        )


def levels_of(sequences: Sequences, arguments: list[int]) -> list[list[int]]:
    """Return the positions of arguments of roots by the instructions that take these, in order."""
    numbers = [sequences.roots[argument] for argument in arguments]
    return [[k for k, one in enumerate(numbers) if one == number] for number in sorted(set(numbers))]


def candidates(
    place: TokenPlace, group: int, draw: Draw, arguments: list[int], most: int, spare: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Iterate over residues for a draw, some at a time, with the characters of arguments of roots: 1 for squares, 0 for
    others, -1 for zero, and where a denominator vanishes.
    """
    sequences, reading = place.sequences, place.reading
    where = [sequences.where[argument] for argument in arguments]
    rows, position = np.unique([sequence for _, sequence, _ in where], return_inverse=True)
    wanted = {number for number, _, _ in where}
    numbers = frozenset(reading_before(place, wanted) & place.changed_by(draw))
    size = sum(int(np.prod(reading.program.instructions[number].shape)) for number in numbers) * len(rows)
    step = max(1, min(2 ** (len(arguments) + 1) + spare, BLOCK // max(size, 1)))
    drawn = 0
    while drawn < most:
        values = place.fresh(f"tokens/root/{group}/{drawn}", step, nonzero=draw[0] == "exp")
        tensors, y = place.with_candidates(draw, values, len(rows))
        found, dead = {}, np.zeros(step * len(rows), dtype=bool)
        for number, raw, without in place.evaluate(np.tile(rows, step), tensors, y, numbers):
            dead |= without
            if number in wanted:
                found[number] = raw
        columns = []
        for (number, _, entry), row in zip(where, position.ravel(), strict=True):
            shape = reading.program.instructions[number].shape
            raw = np.broadcast_to(found[number], (step * len(rows), *shape)).reshape(step, len(rows), -1)[:, row, entry]
            columns.append(squares(place.field, raw).astype(np.int8) - (raw == 0))
        characters = np.stack(columns, axis=1).astype(np.int8)
        characters[dead.reshape(step, len(rows)).any(axis=1)] = -1
        yield values, characters
        drawn += step


def reading_before(place: TokenPlace, numbers: set[int]) -> set[int]:
    """Return all instructions whose results some others need, functions needing what stands in their place."""
    found: set[int] = set()
    asked = list(numbers)
    drawn = place.sequences.positions
    while asked:
        number = asked.pop()
        if number not in found:
            found.add(number)
            if number not in drawn and number not in place.reading.gates:
                asked += place.reading.program.instructions[number].operands
    return found
