"""Linear algebra over the rational numbers."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.fields import Rationals
from algatt.linalg.echelon import Echelon
from algatt.linalg.engines import Auto, Engine


@verbs.row_reduce.method
def row_reduce_rationals(engine: Auto, field: Rationals, raw: np.ndarray) -> Echelon:
    import flint

    if not raw.size:
        return Echelon(raw[:0], ())
    height, width = raw.shape
    reduced, rank = flint.fmpq_mat(height, width, [field.scalar(entry) for entry in raw.ravel()]).rref()
    rows = verbs.encode(field, np.array(reduced.tolist(), dtype=object)[:rank])
    return Echelon(rows, tuple(int(np.flatnonzero(row != 0)[0]) for row in rows))


@verbs.kernel_over.method
def kernel_over_rationals(
    field: Rationals, raw: np.ndarray, *, engine: Engine | None = None, gap: float | None = None
) -> np.ndarray:
    """The basis whose entries without pivots are the identity."""
    form = verbs.row_reduce(Auto(), field, raw)
    free = np.setdiff1d(np.arange(raw.shape[1]), form.pivots)
    basis = np.zeros((raw.shape[1], len(free)), dtype=np.int64).astype(object)
    if form.pivots:
        basis[list(form.pivots)] = -form.matrix[:, free]
    basis[free, np.arange(len(free))] = 1
    kernel: np.ndarray = verbs.encode(field, basis)
    return kernel


@verbs.inverse_over.method
def inverse_over_rationals(field: Rationals, raw: np.ndarray) -> np.ndarray:
    size = len(raw)
    form = verbs.row_reduce(Auto(), field, np.hstack([raw, verbs.encode(field, np.eye(size, dtype=np.int64))]))
    if form.pivots != tuple(range(size)):
        raise np.linalg.LinAlgError("singular")
    inverse: np.ndarray = form.matrix[:, size:]
    return inverse
