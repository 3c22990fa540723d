"""Exact linear systems for the coefficients of a shape: over a prime field to see whether there is a solution, over Q
to have it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat, nmod_mat

from algatt.sweeps.formulas.shape import FormulaShape

PRIME = 2**61 - 1
"""What has no solution modulo p has none over Q whose denominators p does not divide; small coefficients have none."""

Known = Sequence[tuple[Mapping[str, int], int]]
"""Rows: sizes and a value."""


def is_consistent(shape: FormulaShape, rows: Known) -> bool:
    """Whether some coefficients give all values, modulo a large prime: what is consistent over Q with denominators that
    the prime does not divide is so modulo it.
    """
    if not rows:
        return False
    matrix = nmod_mat([[*shape.row(sizes), value] for sizes, value in rows], PRIME)
    reduced, rank = matrix.rref()
    last = len(shape.monomials)
    return not any(pivot_of(reduced, row, last) == last for row in range(rank))


def pivot_of(reduced: Any, row: int, last: int) -> int:
    """Return the column of the first entry of a row that is not zero."""
    return next(column for column in range(last + 1) if int(reduced[row, column]))


def odd_one_out(shape: FormulaShape, rows: Known) -> int | None:
    """Return the place of the only row without which the others are consistent; None if there is no such row, or are
    several.

    Relations between the values of the monomials at the rows give 0 for consistent values, and for those with one
    wrong a multiple of what they give for that row alone.
    """
    matrix = nmod_mat([shape.row(sizes) for sizes, _ in rows], PRIME)
    kernel, count = matrix.transpose().nullspace()
    relations = kernel.transpose()
    told = relations * nmod_mat([[value] for _, value in rows], PRIME)
    first = next((k for k in range(count) if int(told[k, 0])), None)
    if first is None:
        return None
    odd = []
    for place in range(len(rows)):
        scale = relations[first, place]
        if int(scale) and all(relations[k, place] * told[first, 0] == scale * told[k, 0] for k in range(count)):
            odd.append(place)
    return odd[0] if len(odd) == 1 else None


def rank_of(shape: FormulaShape, points: Sequence[Mapping[str, int]]) -> int:
    """Return the rank of the values of the monomials at some sizes, modulo a large prime."""
    if not points:
        return 0
    rank: int = nmod_mat([shape.row(sizes) for sizes in points], PRIME).rank()
    return rank


def predicted_among(
    shape: FormulaShape, held: Sequence[Mapping[str, int]], others: Sequence[Mapping[str, int]]
) -> list[bool]:
    """Return for each of some sizes whether the values at others leave no choice for the value there."""
    if not others:
        return [False] * len(held)
    kernel, _ = nmod_mat([shape.row(sizes) for sizes in others], PRIME).nullspace()
    left = nmod_mat([shape.row(sizes) for sizes in held], PRIME) * kernel
    return [not any(map(int, row)) for row in left.table()]


def coefficients(shape: FormulaShape, rows: Known) -> tuple[Fraction, ...]:
    """Return coefficients over Q that give all values of consistent rows, zero where the rows leave them free.

    Raises
    ------
    ArithmeticError
        If there are none.
    """
    matrix = fmpq_mat([[fmpq(entry) for entry in (*shape.row(sizes), value)] for sizes, value in rows])
    reduced, rank = matrix.rref()
    last = len(shape.monomials)
    found = [Fraction(0)] * last
    for row in range(rank):
        column = pivot_fraction(reduced, row, last)
        if column == last:
            raise ArithmeticError("the rows are not consistent")
        entry = reduced[row, last]
        found[column] = Fraction(int(entry.p), int(entry.q))
    return tuple(found)


def pivot_fraction(reduced: Any, row: int, last: int) -> int:
    """Return the column of the first entry of a row that is not zero."""
    return next(column for column in range(last + 1) if reduced[row, column] != 0)


def agreeing(shape: FormulaShape, rows: Known, tries: int, seed: int, enough: int) -> tuple[int, ...]:
    """Return the places of the rows with which the best of some tries agrees.

    Each try takes rows in a random order until their rank is that of all, and the coefficients that these have. If few
    rows are wrong, most tries have none of them.
    """
    generator = random.Random(seed)  # noqa: S311  the same numbers on every platform, as Python documents
    matrix = nmod_mat([shape.row(sizes) for sizes, _ in rows], PRIME)
    rank = matrix.rank()
    values = [value for _, value in rows]
    best: tuple[int, ...] = ()
    for _ in range(tries):
        some = independent(matrix, generator.sample(range(len(rows)), len(rows)), rank)
        found = matrix * solution(matrix, values, some)
        hits = tuple(place for place, value in enumerate(values) if int(found[place, 0]) == value % PRIME)
        best = max(best, hits, key=len)
        if len(best) >= enough:
            break
    return best


def solution(matrix: nmod_mat, values: Sequence[int], some: Sequence[int]) -> nmod_mat:
    """Return coefficients modulo the prime, as a column, with which some independent rows have their values."""
    last = matrix.ncols()
    rows = [[*(int(matrix[place, column]) for column in range(last)), values[place]] for place in some]
    reduced, rank = nmod_mat(rows, PRIME).rref()
    column = nmod_mat(last, 1, PRIME)
    for row in range(rank):
        column[pivot_of(reduced, row, last), 0] = reduced[row, last]
    return column


def independent(matrix: nmod_mat, order: Sequence[int], rank: int) -> list[int]:
    """Return the first rows of an order that are independent."""
    # the pivots of the transpose are the first independent rows
    rows = [[int(matrix[place, column]) for column in range(matrix.ncols())] for place in order]
    reduced, _ = nmod_mat(rows, PRIME).transpose().rref()
    return [order[pivot_of(reduced, row, len(order) - 1)] for row in range(rank)]
