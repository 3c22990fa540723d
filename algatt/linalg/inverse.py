"""The inverse of a square matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import SingularMatrix
from algatt.fields import Elements, PrimeField, PublicArray, Rationals
from algatt.linalg.engines import Auto
from algatt.linalg.matrix import checked_square, elements_of_matrix
from algatt.linalg.rational import rational_inverse


@verbs.inverse.method
def inverse_of_array(matrix: PublicArray) -> Any:
    return verbs.inverse(elements_of_matrix(matrix)).public()


@verbs.inverse.method
def inverse_of_elements(matrix: Elements) -> Elements:
    if isinstance(matrix.field, Rationals):
        return rational_inverse(matrix)
    size = checked_square(matrix).shape[0]
    field = matrix.field
    if isinstance(field, PrimeField):
        augmented = np.hstack([matrix.raw, np.eye(size, dtype=field.dtype)])
        form = verbs.row_reduce(Auto(), field, augmented)
        if form.pivots != tuple(range(size)):
            raise SingularMatrix(f"a {size} x {size} matrix over {field} is singular")
        return Elements(field, form.matrix[:, size:])
    try:
        return Elements(field, np.linalg.inv(matrix.raw))
    except np.linalg.LinAlgError as error:
        raise SingularMatrix(f"a {size} x {size} matrix over {field} is singular") from error
