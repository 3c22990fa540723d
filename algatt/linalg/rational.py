"""Linear algebra over the rational numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Rationals
from algatt.linalg.echelon import Echelon
from algatt.linalg.engines import Auto, Engine, checked_engine


class RationalRows:
    """The span of rows over the rationals, in echelon form, while rows are added.

    Parameters
    ----------
    field : Rationals
        The field.
    columns : int
        Length of the rows.
    """

    def __init__(self, field: Rationals, columns: int) -> None:
        self.form = Echelon(np.zeros((0, columns), dtype=object), ())
        self.field = field

    def add(self, rows: Elements) -> int:
        """Add rows; return by how much the rank grows."""
        before = self.form.rank
        self.form = verbs.row_reduce(Auto(), self.field, np.vstack([self.form.matrix, rows.raw]))
        return self.form.rank - before


def flint_matrix(field: Rationals, raw: np.ndarray) -> Any:
    """Return a matrix of FLINT."""
    import flint

    height, width = raw.shape
    return flint.fmpq_mat(height, width, [field.scalar(entry) for entry in raw.ravel()])


def other_engine(engine: Engine | None, field: Rationals) -> InvalidArgument:
    """Return the error of an engine for prime fields."""
    return InvalidArgument("engine", f"{engine} with {field}", "Auto(), or not given: FLINT eliminates fractions")


@verbs.row_reduce.method
def row_reduce_rationals_otherwise(engine: Engine, field: Rationals, raw: np.ndarray) -> Echelon:
    raise other_engine(engine, field)


@verbs.row_reduce.method
def row_reduce_rationals(engine: Auto, field: Rationals, raw: np.ndarray) -> Echelon:
    if not raw.size:
        return Echelon(raw[:0], ())
    reduced, rank = flint_matrix(field, raw).rref()
    rows = verbs.encode(field, np.array(reduced.tolist(), dtype=object)[:rank])
    return Echelon(rows, tuple(int(np.flatnonzero(row != 0)[0]) for row in rows))


@verbs.rank_over.method
def rank_over_rationals(
    field: Rationals, raw: np.ndarray, *, engine: Engine | None = None, gap: float | None = None
) -> int:
    """That of the numerators over a common denominator."""
    if not isinstance(checked_engine(engine), Auto):
        raise other_engine(engine, field)
    return int(flint_matrix(field, raw).numer_denom()[0].rank()) if raw.size else 0


@verbs.kernel_over.method
def kernel_over_rationals(
    field: Rationals, raw: np.ndarray, *, engine: Engine | None = None, gap: float | None = None
) -> np.ndarray:
    """The basis whose entries without pivots are the identity."""
    form = verbs.row_reduce(checked_engine(engine), field, raw)
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
