"""Tables of numbers, cosines and sines, and results as sums of rows of others times rows of tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

Entry = dict[tuple[str, float, int], Fraction]
"""A sum of multiples of cosines and sines of an angle times a position; of 1, as the cosine of 0 times 0."""

Row = dict[tuple[int, int], list[Entry]]
"""A row of a result as a sum of rows of others, each with its result and its number, times rows of tables."""

Line = tuple[frozenset, ...]
"""A row of a table; the first number in it that is not 0 is positive."""

ONE = ("cos", 0.0, 0)


def is_multiple_of_table(made: Rewriting, number: int) -> bool:
    """Return whether a result is an entrywise product with a table, or rows of one."""
    one = made[number]
    if one.operation in ("negate", "take"):
        return is_multiple_of_table(made, one.operands[0])
    return one.operation == "multiply" and any(entries_of_table(made, operand) is not None for operand in one.operands)


def is_sum_of_multiples(made: Rewriting, number: int) -> bool:
    """Return whether a result is a sum of two entrywise products with tables, or rows of one."""
    one = made[number]
    if one.operation in ("take", "negate"):
        return is_sum_of_multiples(made, one.operands[0])
    return one.operation == "add" and all(is_multiple_of_table(made, operand) for operand in one.operands)


def with_sign(line: Sequence[Entry]) -> tuple[Line, int]:
    """Return a row of a table, or minus it, with the sign: so that the first number that is not 0 is positive."""
    first = next(entry for entry in line if entry)
    sign = 1 if first[min(first)] > 0 else -1
    return tuple(frozenset((symbol, sign * by) for symbol, by in entry.items()) for entry in line), sign


def sum_of(rows: Iterable[Row]) -> Row:
    """Return the sum of rows."""
    found: Row = {}
    for row in rows:
        for source, line in row.items():
            if source in found:
                line = [added(*pair) for pair in zip(found[source], line, strict=True)]
            found[source] = line
    return {source: line for source, line in found.items() if any(line)}


def added(one: Entry, other: Entry) -> Entry:
    """Return the sum of two entries."""
    total = {symbol: one.get(symbol, 0) + other.get(symbol, 0) for symbol in {*one, *other}}
    return {symbol: Fraction(by) for symbol, by in total.items() if by}


def multiplied(rows: list[Row], table: list[list[Entry]]) -> list[Row] | None:
    """Return an entrywise product of rows of results with a table, which may be spread; None if it has products of
    cosines and sines.
    """
    found: list[Row] = []
    for place, row in enumerate(rows):
        numbers = table[place % len(table)]
        lines = {}
        for source, line in row.items():
            product = [times(entry, numbers[column % len(numbers)]) for column, entry in enumerate(line)]
            if None in product:
                return None
            lines[source] = [entry or {} for entry in product]
        found.append({source: line for source, line in lines.items() if any(line)})
    return found


def times(one: Entry, other: Entry) -> Entry | None:
    """Return the product of two entries, of which one is a number; None if neither is."""
    for number, entry in ((one, other), (other, one)):
        if set(number) <= {ONE}:
            return {symbol: by * number[ONE] for symbol, by in entry.items()} if number else {}
    return None


def rows_in(made: Rewriting, number: int) -> list[Row]:
    """Return each row of a result as a sum of rows of results times rows of tables."""
    one = made[number]
    every = tuple(range(one.shape[1]))
    match one.operation:
        case "take" if one.argument[1] == tuple(range(made[one.operands[0]].shape[1])):
            rows = rows_in(made, one.operands[0])
            return [rows[row] for row in one.argument[0]]
        case "concatenate" if one.argument == 0:
            return [row for part in one.operands for row in rows_in(made, part)]
        case "negate":
            return multiplied(rows_in(made, one.operands[0]), [[{ONE: Fraction(-1)}]]) or []
        case "add" if is_sum_of_multiples(made, number):
            given = [rows_in(made, operand) for operand in one.operands]
            return [sum_of(rows) for rows in zip(*given, strict=True)]
        case "multiply":
            for operand, other in (one.operands, one.operands[::-1]):
                factor = made.number_in(operand)
                table = entries_of_table(made, operand) if factor is None else [[{ONE: factor} if factor else {}]]
                if table is not None and made[other].shape == one.shape:
                    found = multiplied(rows_in(made, other), table)
                    if found is not None:
                        return found
        case "product":
            entries = made.entries(one.operands[0])
            if entries is not None and all(sum(entry != 0 for entry in row) == 1 for row in entries):
                rows = rows_in(made, one.operands[1])
                chosen = [next(place for place, entry in enumerate(row) if entry) for row in entries]
                factors = [[{ONE: row[place]}] for row, place in zip(entries, chosen, strict=True)]
                return multiplied([rows[place] for place in chosen], factors) or []
    return [{(number, row): [{ONE: Fraction(1)} for _ in every]} for row in range(one.shape[0])]


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
