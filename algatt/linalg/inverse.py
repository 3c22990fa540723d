"""The inverse of a square matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import SingularMatrix
from algatt.fields import Elements, PrimeField, PublicArray, Reals
from algatt.linalg.engines import Auto
from algatt.linalg.matrix import checked_square, elements_of_matrix


@verbs.inverse.method
def inverse_of_array(matrix: PublicArray) -> Any:
    return verbs.inverse(elements_of_matrix(matrix)).public()


@verbs.inverse.method
def inverse_of_elements(matrix: Elements) -> Elements:
    size = checked_square(matrix).shape[0]
    try:
        return Elements(matrix.field, verbs.inverse_over(matrix.field, matrix.raw))
    except np.linalg.LinAlgError as error:
        raise SingularMatrix(f"a {size} x {size} matrix over {matrix.field} is singular") from error


@verbs.inverse_over.method
def inverse_over_prime_field(field: PrimeField, raw: np.ndarray) -> np.ndarray:
    size = len(raw)
    form = verbs.row_reduce(Auto(), field, np.hstack([raw, np.eye(size, dtype=field.dtype)]))
    if form.pivots != tuple(range(size)):
        raise np.linalg.LinAlgError("singular")
    return form.matrix[:, size:]


@verbs.inverse_over.method
def inverse_over_reals(field: Reals, raw: np.ndarray) -> np.ndarray:
    return np.linalg.inv(raw)
