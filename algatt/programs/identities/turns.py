"""Rotations of pairs of rows that are written with tables of cosines and sines."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

__all__ = ["permutation_outside", "turned_by_tables"]

Entry = dict[tuple[str, float, int], Fraction]
"""A sum of multiples of cosines and sines of an angle times a position; of 1, as the cosine of 0 times 0."""

ONE = ("cos", 0.0, 0)

Row = tuple[int, int, Fraction]
"""A multiple of a row of a result: the result, the row and the factor."""


def turned_by_tables(made: Rewriting, left: int, right: int) -> int | None:
    """Y * C + Y' * S turns pairs of rows of Y: if C has the cosines and S the sines of multiples of an angle for both
    rows a and b of a pair, and Y' has -Y_b as row a and Y_a as row b.

    The tables are those of `algatt.fields.circle_points`; numbers that are rounded are not on the circle.
    """
    for cosines in table_and_factor(made, left):
        for sines in table_and_factor(made, right):
            for one, other in ((cosines, sines), (sines, cosines)):
                found = turned(made, *one, *other)
                if found is not None:
                    return found
    return None


def table_and_factor(made: Rewriting, number: int) -> list[tuple[list[list[Entry]], int]]:
    """Return the table by which a product of entries multiplies a result, with the result."""
    one = made[number]
    found = []
    for operand, other in (one.operands, one.operands[::-1]) if one.operation == "multiply" else ():
        if made[operand].shape == made[other].shape == one.shape:
            table = entries_of_table(made, operand)
            if table is not None:
                found.append((table, other))
    return found


def turned(
    made: Rewriting, cosines: list[list[Entry]], straight: int, sines: list[list[Entry]], crossed: int
) -> int | None:
    """Return the rotation that two tables and the results that they multiply are, or None."""
    rows, others = signed_rows(made, straight), signed_rows(made, crossed)
    if any(factor != 1 for *_, factor in rows) or len({base for base, *_ in (*rows, *others)}) > 1:
        return None
    sources = [row for _, row, _ in rows]
    if len(set(sources)) < len(sources):
        return None
    places = {source: place for place, source in enumerate(sources)}
    readings = [read_row(C, S, factor) for C, S, (*_, factor) in zip(cosines, sines, others, strict=True)]
    angles: list[float] = []
    order: list[int] = []
    positions: tuple[int, ...] | None = None
    for first, reading in enumerate(readings):
        if reading is None or others[first][1] not in places:
            return None
        second = places[others[first][1]]
        partner = readings[second]
        if partner is None or others[second][1] != sources[first] or reading.opposite != partner:
            return None
        if reading.sign < 0:
            order += [first, second]
            angles.append(reading.angle)
            positions = reading.positions if positions is None else positions
            if positions != reading.positions:
                return None
    if positions is None or sorted(order) != list(range(len(rows))):
        return None
    columns = tuple(range(made[straight].shape[1]))
    pairs = made.taken(rows[0][0], tuple(sources[place] for place in order), columns)
    found = made.write("rotate", pairs, argument=(tuple(angles), positions))
    return made.taken(found, tuple(order.index(place) for place in range(len(order))), columns)


@dataclass(frozen=True)
class Reading:
    """What one row of both tables says.

    Parameters
    ----------
    angle : float
        The angle.
    positions : tuple of int
        The position of each column.
    sign : int
        The sign of the sines.
    """

    angle: float
    positions: tuple[int, ...]
    sign: int

    @property
    def opposite(self) -> Reading:
        """The same with the other sign."""
        return Reading(self.angle, self.positions, -self.sign)


def read_row(cosines: list[Entry], sines: list[Entry], factor: Fraction) -> Reading | None:
    """Read a row of both tables, of which that of the sines is multiplied by a factor."""
    angles, signs, positions = set(), set(), []
    for C, S in zip(cosines, sines, strict=True):
        if C == {ONE: 1} and not S:
            positions.append(0)
            continue
        if len(C) != 1 or len(S) != 1:
            return None
        (((kind, angle, position), one),) = C.items()
        (((other, *same), two),) = S.items()
        if (kind, other) != ("cos", "sin") or same != [angle, position] or one != 1 or abs(two * factor) != 1:
            return None
        angles.add(angle)
        signs.add(int(two * factor))
        positions.append(position)
    return Reading(angles.pop(), tuple(positions), signs.pop()) if len(angles) == len(signs) == 1 else None


def signed_rows(made: Rewriting, number: int) -> list[Row]:
    """Return each row of a result as a multiple of a row of what it is made of by taking, joining and numbers."""
    one = made[number]
    if one.operation == "take":
        inner, columns = one.argument
        if columns == tuple(range(made[one.operands[0]].shape[1])):
            found = signed_rows(made, one.operands[0])
            return [found[row] for row in inner]
    if one.operation == "concatenate" and one.argument == 0:
        return [row for part in one.operands for row in signed_rows(made, part)]
    if one.operation == "negate":
        return [(base, row, -by) for base, row, by in signed_rows(made, one.operands[0])]
    if one.operation == "multiply":
        for operand, other in (one.operands, one.operands[::-1]):
            entries = made.entries(operand)
            if entries is not None and made[other].shape == one.shape and (not entries.ndim or entries.shape[1] == 1):
                numbers = entries.ravel().tolist()
                numbers = numbers * one.shape[0] if len(numbers) == 1 else numbers
                rows = signed_rows(made, other)
                return [(base, row, each * by) for (base, row, each), by in zip(rows, numbers, strict=True)]
    if one.operation == "product":
        entries = made.entries(one.operands[0])
        if entries is not None and all(sum(entry != 0 for entry in row) == 1 for row in entries):
            rows = signed_rows(made, one.operands[1])
            chosen = [next(place for place, entry in enumerate(row) if entry) for row in entries]
            return [
                (rows[place][0], rows[place][1], rows[place][2] * row[place])
                for place, row in zip(chosen, entries, strict=True)
            ]
    return [(number, row, Fraction(1)) for row in range(one.shape[0])]


def entries_of_table(made: Rewriting, number: int) -> list[list[Entry]] | None:
    """Return the entries of a matrix that is made of numbers and turns of numbers, or None."""
    one = made[number]
    entries = made.entries(number)
    if entries is not None:
        return [[{ONE: entry} if entry else {} for entry in row] for row in entries] if entries.ndim == 2 else None
    match one.operation:
        case "rotate":
            inner = entries_of_table(made, one.operands[0])
            return None if inner is None else turned_entries(inner, *one.argument)
        case "take":
            inner = entries_of_table(made, one.operands[0])
            rows, columns = one.argument
            return None if inner is None else [[inner[row][column] for column in columns] for row in rows]
        case "transpose":
            inner = entries_of_table(made, one.operands[0])
            return None if inner is None else [list(column) for column in zip(*inner, strict=True)]
        case "concatenate":
            parts = [entries_of_table(made, part) for part in one.operands]
            given = [part for part in parts if part is not None]
            if len(given) < len(parts):
                return None
            if one.argument == 0:
                return [row for part in given for row in part]
            return [[entry for row in rows for entry in row] for rows in zip(*given, strict=True)]
        case "multiply" | "negate":
            whole, factor = made.without_factor(number)
            inner = None if whole == number else entries_of_table(made, whole)
            if inner is None:
                return None
            return [[{symbol: factor * by for symbol, by in entry.items()} for entry in row] for row in inner]
    return None


def turned_entries(
    rows: list[list[Entry]], angles: tuple[float, ...], positions: tuple[int, ...]
) -> list[list[Entry]] | None:
    """Return the entries of a matrix of numbers whose pairs of rows are turned."""
    if any(set(entry) - {ONE} for row in rows for entry in row) or len(rows[0]) not in (1, len(positions)):
        return None
    found: list[list[Entry]] = []
    for pair, angle in enumerate(angles):
        turned: tuple[list[Entry], list[Entry]] = ([], [])
        for column, position in enumerate(positions):
            first, second = (rows[2 * pair + half][column % len(rows[0])].get(ONE, Fraction(0)) for half in (0, 1))
            still = not angle or not position
            cosine, sine = (ONE, None) if still else (("cos", angle, position), ("sin", angle, position))
            for half, (by, across) in enumerate(((first, -second), (second, first))):
                entry = {cosine: by} if by else {}
                turned[half].append(entry | ({sine: across} if sine is not None and across else {}))
        found += turned
    return found


def permutation_outside(made: Rewriting, *operands: int, argument: int) -> int | None:
    """[P A; Q B] is a permutation of [A; B], if P and Q are permutations of rows."""
    if argument != 0:
        return None
    order: list[int] = []
    inside: list[int] = []
    for operand in operands:
        one, start = made[operand], len(order)
        if one.operation == "take" and made[one.operands[0]].shape == one.shape:
            rows, columns = one.argument
            if columns == tuple(range(one.shape[1])):
                order += [start + row for row in rows]
                inside.append(one.operands[0])
                continue
        order += range(start, start + one.shape[0])
        inside.append(operand)
    if inside == list(operands):
        return None
    whole = made.joined(tuple(inside), 0)
    return made.append("take", (whole,), (tuple(order), tuple(range(made[whole].shape[1]))), made[whole].shape)
