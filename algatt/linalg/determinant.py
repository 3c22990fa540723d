"""The determinant of a square matrix over an exact field, and whether it vanishes."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Elements, PublicArray, Rationals
from algatt.linalg.elimination import eliminate
from algatt.linalg.matrix import checked_square, elements_of_matrix, exact_matrix
from algatt.linalg.rational import flint_matrix


def determinant(matrix: PublicArray) -> Any:
    """Return the determinant of a square matrix: an int in 0..p-1 of a galois matrix, a `flint.fmpq` of one of
    fractions. Exact. Cost: an elimination.

    Raises
    ------
    InvalidArgument
        If `matrix` is not square, or neither a galois matrix nor one of fractions.
    """
    field, raw = exact_matrix(matrix)
    checked_square(Elements(field, raw))
    if isinstance(field, Rationals):
        return flint_matrix(field, raw).det()
    form = eliminate(field, raw)
    if form.rank < raw.shape[0]:
        return 0
    # the form's minor is the matrix with its rows and columns in the orders of the pivots
    return form.determinant * sign(form.pivot_rows) * sign(form.pivot_columns) % field.p


def is_invertible(matrix: PublicArray, *, gap: float | None = None) -> bool:
    """Return whether a square matrix is invertible: exact over GF(p) and the rationals; for floats under the same
    condition on the gap as `rank`.

    Raises
    ------
    InvalidArgument
        If `matrix` is not square.
    RankUndecided
        If a float spectrum has no gap, or more than one.
    """
    elements = checked_square(elements_of_matrix(matrix))
    return int(verbs.rank(elements, gap=gap)) == elements.shape[0]


def sign(permutation: np.ndarray) -> int:
    """Return the sign of a permutation: -1 for each cycle of even length."""
    seen = np.zeros(len(permutation), dtype=bool)
    result = 1
    for start in range(len(permutation)):
        length, place = 0, start
        while not seen[place]:
            seen[place] = True
            place = int(permutation[place])
            length += 1
        if length and length % 2 == 0:
            result = -result
    return result
