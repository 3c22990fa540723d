"""Ranks over balls, from below: what an enclosure that excludes zero proves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Balls
from algatt.fields.ball import midpoints

__all__ = ["RankLowerBound", "enclosed_determinant", "pivots_from_below", "rank_from_below", "written"]

DIGITS = 10
"""Of determinants, where they are written in decimals."""


@dataclass(frozen=True)
class RankLowerBound:
    """A proven lower bound of the rank of every real matrix in a matrix of balls.

    Parameters
    ----------
    rank : int
        The bound; it is the rank if it is the number of rows or of columns.
    rows, columns : tuple of int
        A minor of this order that does not vanish.
    """

    rank: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]


def enclosed_determinant(field: Balls, raw: np.ndarray) -> Any:
    """Return a ball around the determinant of a square raw matrix, as a `flint.arb`; that of an empty matrix is 1."""
    import flint

    size = len(raw)
    matrix = flint.arb_mat(size, size, [flint.arb(entry) for entry in raw.flat])
    return field.compute(matrix.det) if size else flint.arb(1)


def written(field: Balls, ball: Any) -> str | None:
    """Return the number in a ball, rounded to ten digits, as ``-1.234567890e-12``; None if it holds zero, or numbers
    that are rounded otherwise.

    So the text does not depend on how precisely the number is known, and is never that of zero.
    """
    return None if not ball.is_finite() or 0 in ball else field.compute(decimals_of, ball)


def decimals_of(ball: Any) -> str | None:
    """Return a number that is not zero, rounded to ten digits, or None, at the present precision."""
    import flint

    mantissa, exponent = abs(ball).mid().man_exp()
    # of the first digit of the midpoint, or one less
    place = math.floor((int(mantissa).bit_length() - 1 + int(exponent)) * math.log10(2))
    for last in range(place - DIGITS, place - DIGITS + 4):
        scaled = abs(ball) * flint.arb(10) ** -last
        if scaled > 10**DIGITS - flint.arb(0.5):  # which has more digits, rounded
            continue
        digits = (scaled + 0.5).floor().unique_fmpz()
        if digits is None or not 2 * abs(scaled - digits) < 1:
            return None
        text = str(digits)
        return f"{'-' if ball < 0 else ''}{text[0]}.{text[1:]}e{last + DIGITS - 1}"
    return None


def rank_from_below(field: Balls, raw: np.ndarray) -> RankLowerBound:
    """Return the number of pivots of an elimination, every one of which raises the rank."""
    pivots = pivots_from_below(field, raw)
    return RankLowerBound(
        len(pivots), tuple(sorted(row for row, _ in pivots)), tuple(sorted(column for _, column in pivots))
    )


def pivots_from_below(field: Balls, raw: np.ndarray) -> list[tuple[int, int]]:
    """Eliminate with the largest midpoint as pivot, for as long as its ball excludes zero; return row and column of
    each pivot.

    Cost: rows * columns * rank operations with balls, of about 0.2 microseconds each at 128 bits.
    """
    rest = raw.copy()
    rows, columns = (np.arange(size) for size in raw.shape)
    pivots: list[tuple[int, int]] = []
    while rest.size:
        sizes = np.abs(midpoints(rest))
        row, column = np.unravel_index(int(np.argmax(np.nan_to_num(sizes, nan=-1.0))), rest.shape)
        pivot = rest[row : row + 1, column : column + 1]
        told = pivot.flat[0] != 0  # of balls: zero is outside
        if not told:
            break
        pivots.append((int(rows[row]), int(columns[column])))
        above = verbs.multiply(field, rest[row : row + 1], verbs.reciprocal(field, pivot))
        left = rest[:, column : column + 1]
        rest = verbs.add(field, rest, verbs.negate(field, verbs.multiply(field, left, above)))
        rest = np.delete(np.delete(rest, row, axis=0), column, axis=1)
        rows, columns = np.delete(rows, row), np.delete(columns, column)
    return pivots
