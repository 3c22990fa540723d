"""The inverse of a square matrix."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument, SingularMatrix
from algatt.fields import Elements, PrimeField
from algatt.linalg.engines import Auto
from algatt.linalg.rank import checked_matrix


@verbs.inverse.method
def inverse_of_elements(matrix: Elements) -> Elements:
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InvalidArgument("matrix", f"of shape {matrix.shape}", "square")
    checked_matrix(matrix)
    size = matrix.shape[0]
    field = matrix.field
    if isinstance(field, PrimeField):
        augmented = np.hstack([matrix.raw, np.eye(size, dtype=field.dtype)])
        echelon = verbs.row_reduce(Auto(), field, augmented)
        if echelon.pivots != tuple(range(size)):
            raise SingularMatrix(f"a {size} x {size} matrix over {field} is singular")
        return Elements(field, echelon.matrix[:, size:])
    try:
        return Elements(field, np.linalg.inv(matrix.raw))
    except np.linalg.LinAlgError as error:
        raise SingularMatrix(f"a {size} x {size} matrix over {field} is singular") from error
