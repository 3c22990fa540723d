"""The right null space of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import PrimeField
from algatt.linalg.echelon import Echelon
from algatt.linalg.engines import Engine, checked_engine
from algatt.linalg.matrix import elements_of_matrix
from algatt.linalg.rank import float_rank


@verbs.kernel.method
def kernel_of_array(matrix: np.ndarray, *, engine: Engine | None = None, gap: float = 1e3) -> Any:
    elements = elements_of_matrix(matrix)
    field = elements.field
    if isinstance(field, PrimeField):
        return verbs.decode(field, null_space(verbs.row_reduce(checked_engine(engine), field, elements.raw), field.p))
    if not elements.raw.size:
        return np.eye(elements.shape[1])
    _, singular_values, right = np.linalg.svd(elements.raw)
    return right[float_rank(singular_values, elements.shape, gap).rank :].T


def null_space(form: Echelon, p: int) -> np.ndarray:
    """Return the basis, as columns, whose entries in the non-pivot columns are the identity."""
    columns = form.matrix.shape[1]
    free = np.setdiff1d(np.arange(columns), form.pivots)
    basis = np.zeros((columns, len(free)), dtype=form.matrix.dtype)
    tail = form.matrix[:, free]
    basis[list(form.pivots)] = np.multiply(tail != 0, p) - tail
    basis[free, np.arange(len(free))] = 1
    return basis
