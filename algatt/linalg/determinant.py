"""The determinant of a square matrix over an exact field, and whether it vanishes."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Elements, PublicArray, Rationals
from algatt.linalg.elimination import eliminate
from algatt.linalg.matrix import checked_square, elements_of_matrix, exact_matrix
from algatt.linalg.rational import flint_matrix


@verbs.determinant.method
def determinant_of_array(matrix: PublicArray) -> Any:
    field, raw = exact_matrix(matrix)
    checked_square(Elements(field, raw))
    if isinstance(field, Rationals):
        return flint_matrix(field, raw).det()
    form = eliminate(field, raw)
    if form.rank < raw.shape[0]:
        return 0
    # the form's minor is the matrix with its rows and columns in the orders of the pivots
    return form.determinant * sign(form.pivot_rows) * sign(form.pivot_columns) % field.p


@verbs.is_invertible.method
def is_invertible_array(matrix: PublicArray, *, gap: float | None = None) -> bool:
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
