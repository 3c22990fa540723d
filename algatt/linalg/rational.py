"""Linear algebra over the rational numbers."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.errors import SingularMatrix
from algatt.fields import Elements, Rationals
from algatt.linalg.echelon import Echelon
from algatt.linalg.engines import Auto

__all__ = ["rational_inverse", "rational_kernel"]


@verbs.row_reduce.method
def row_reduce_rationals(engine: Auto, field: Rationals, raw: np.ndarray) -> Echelon:
    import flint

    if not raw.size:
        return Echelon(raw[:0], ())
    height, width = raw.shape
    reduced, rank = flint.fmpq_mat(height, width, [field.scalar(entry) for entry in raw.ravel()]).rref()
    rows = verbs.encode(field, np.array(reduced.tolist(), dtype=object)[:rank])
    return Echelon(rows, tuple(int(np.flatnonzero(row != 0)[0]) for row in rows))


def rational_kernel(matrix: Elements) -> Elements:
    """Return the basis of the right null space, as columns, whose entries without pivots are the identity."""
    form = verbs.row_reduce(Auto(), matrix.field, matrix.raw)
    free = np.setdiff1d(np.arange(matrix.shape[1]), form.pivots)
    basis = np.zeros((matrix.shape[1], len(free)), dtype=np.int64).astype(object)
    if form.pivots:
        basis[list(form.pivots)] = -form.matrix[:, free]
    basis[free, np.arange(len(free))] = 1
    return Elements(matrix.field, verbs.encode(matrix.field, basis))


def rational_inverse(matrix: Elements) -> Elements:
    """Return the inverse of a square matrix."""
    size = matrix.shape[0]
    augmented = np.hstack([matrix.raw, verbs.encode(matrix.field, np.eye(size, dtype=np.int64))])
    form = verbs.row_reduce(Auto(), matrix.field, augmented)
    if form.pivots != tuple(range(size)):
        raise SingularMatrix(f"a {size} x {size} matrix over {matrix.field} is singular")
    return Elements(matrix.field, form.matrix[:, size:])
