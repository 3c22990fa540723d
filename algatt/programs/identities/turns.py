"""Rotations, and other constant matrices for each column, that are written with tables of cosines and sines."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from algatt.programs.identities.tables import (
    ONE,
    Line,
    Row,
    is_sum_of_multiples,
    rows_in,
    with_sign,
)
from algatt.programs.parts import taken

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting


def joined_by_tables(made: Rewriting, *operands: int, argument: int) -> int | None:
    """[A * C - B * S; A * S + B * C] is a constant matrix times Y for each column, A and B being rows of Y; also where
    rows of other results stand above or below it.
    """
    if argument != 0 or not any(is_sum_of_multiples(made, operand) for operand in operands):
        return None
    rows = [rows_in(made, operand) for operand in operands]
    bases = [{base for row in each for base, _ in row} for each in rows]
    start = 0
    for _, run in itertools.groupby(bases):
        stop = start + len(list(run))
        part = operands[start:stop]
        found = by_columns(made, list(itertools.chain(*rows[start:stop])))
        if found is not None and part not in ((found,), made[found].operands):
            return made.joined((*operands[:start], found, *operands[stop:]), 0)
        start = stop
    return None


def by_columns(made: Rewriting, rows: list[Row]) -> int | None:
    """Return a result of which each row is a sum of rows of one other times at most two rows of tables, or None."""
    bases = {base for row in rows for base, _ in row}
    if len(bases) != 1:
        return None
    (base,) = bases
    signed = [{source: with_sign(line) for (_, source), line in row.items()} for row in rows]
    places: dict[frozenset[Line], list[int]] = {}
    for place, row in enumerate(signed):
        places.setdefault(frozenset(line for line, _ in row.values()), []).append(place)
    groups = [Group(lines, {place: signed[place] for place in chosen}) for lines, chosen in places.items()]
    sources = {source for group in groups for source in group.sources}
    if {len(lines) for lines in places} not in ({2}, {1, 2}) or len(sources) < len(rows):
        return None
    if any(len(group.sources) != len(group.rows) for group in groups):
        return None
    parts = [(multiples(made, base, group), tuple(group.rows)) for group in groups if group.is_constant]
    turns: dict[tuple[int, ...], list[Turn]] = {}
    for group in groups:
        if not group.is_constant:
            found = turns_of(group)
            if not found:
                return None
            turns.setdefault(found[0].positions, []).extend(found)
    for positions, turned in turns.items():
        inner = rows_of(made, base, [source for turn in turned for source in turn.sources])
        argument = tuple(turn.angle for turn in turned), positions
        parts.append((made.write("rotate", inner, argument=argument), sum((turn.places for turn in turned), ())))
    numbers, order = zip(*parts, strict=True)
    shape = (len(rows), made[base].shape[1])
    whole = numbers[0] if len(parts) == 1 else made.append("concatenate", numbers, 0, shape)
    together = [place for chosen in order for place in chosen]
    return rows_of(made, whole, [together.index(place) for place in range(len(rows))])


@dataclass(frozen=True)
class Group:
    """Rows of a result that are sums of rows of another times the same rows of tables.

    Parameters
    ----------
    lines : frozenset of Line
        The rows of tables.
    rows : dict of int to dict
        By the numbers of the rows, and by those of the rows of the other, which row of a table multiplies it, and the
        sign.
    """

    lines: frozenset[Line]
    rows: Mapping[int, Mapping[int, tuple[Line, int]]]

    @property
    def sources(self) -> list[int]:
        """The rows of the other result."""
        return sorted({source for row in self.rows.values() for source in row})

    @property
    def is_constant(self) -> bool:
        """Whether the tables are numbers."""
        return all(symbol == ONE for line in self.lines for entry in line for symbol, _ in entry)


def multiples(made: Rewriting, base: int, group: Group) -> int:
    """Write the sum of the rows of a group, each times a permutation with signs and times a row of numbers."""
    matrices: dict[Line, np.ndarray] = {}
    for place, row in enumerate(group.rows.values()):
        for source, (line, sign) in sorted(row.items()):
            shape = (len(group.rows), len(group.sources))
            matrix = matrices.setdefault(line, np.full(shape, Fraction(0), dtype=object))
            matrix[place, group.sources.index(source)] = Fraction(sign)
    terms = []
    for line, matrix in matrices.items():
        term = rows_of(made, base, group.sources)
        if (matrix != np.eye(len(matrix), dtype=int)).any():
            term = made.multiplied(made.constant(matrix), term)
        numbers = [dict(entry).get(ONE, Fraction(0)) for entry in line]
        terms.append(made.combined("multiply", term, made.constant(np.array([numbers], dtype=object))))
    return terms[0] if len(terms) == 1 else made.append("add", tuple(terms), None, made[terms[0]].shape)


@dataclass(frozen=True)
class Turn:
    """A pair of rows that are turned.

    Parameters
    ----------
    angle : float
        The angle.
    positions : tuple of int
        The position of each column.
    sources, places : tuple of int
        The rows, and where they are in the result.
    """

    angle: float
    positions: tuple[int, ...]
    sources: tuple[int, int]
    places: tuple[int, int]


def turns_of(group: Group) -> list[Turn]:
    """Return the turns of pairs that a group is; none if it is something else."""
    if len(group.lines) != 2:
        return []
    one, two = group.lines
    for cosines, sines in ((one, two), (two, one)):
        angle, positions = angle_and_positions(cosines, sines)
        if angle is not None:
            break
    else:
        return []
    found, crossed = [], {}
    for place, row in group.rows.items():
        by_line = {line: (source, sign) for source, (line, sign) in row.items()}
        if len(row) != 2 or by_line[cosines][1] < 0:
            return []
        (source, _), (other, sign) = by_line[cosines], by_line[sines]
        crossed[source, other, sign] = place
    for (source, other, sign), place in crossed.items():
        if sign < 0 and (other, source, 1) in crossed:
            found.append(Turn(angle, positions, (source, other), (place, crossed[other, source, 1])))
    return found if 2 * len(found) == len(group.rows) else []


def angle_and_positions(cosines: Line, sines: Line) -> tuple[float | None, tuple[int, ...]]:
    """Return the angle, and the positions by which it is multiplied, of rows of cosines and sines; None if they are
    not.
    """
    angles, positions = set(), []
    for C, S in zip(cosines, sines, strict=True):
        if {(ONE, 1)} == C and not S:
            positions.append(0)
            continue
        if len(C) != 1 or len(S) != 1:
            return None, ()
        (((kind, angle, position), one),), (((other, *same), two),) = C, S
        if (kind, other) != ("cos", "sin") or same != [angle, position] or one != 1 or two != 1:
            return None, ()
        angles.add(angle)
        positions.append(position)
    return (angles.pop(), tuple(positions)) if len(angles) == 1 else (None, ())


def rows_of(made: Rewriting, number: int, rows: Iterable[int]) -> int:
    """Write some rows of a result."""
    return taken(made, number, tuple(rows), tuple(range(made[number].shape[1])))
