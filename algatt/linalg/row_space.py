"""A row space over GF(p) that grows batch by batch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PrimeField
from algatt.linalg.arithmetic import Arithmetic
from algatt.linalg.elimination import Begun, Eliminated, Follow, eliminate_working
from algatt.linalg.engines import Blas, Engine, engine_of_rows

BLAS = Blas()

SOME_ROWS = 64
"""So many rows are looked at a time for columns that are not zero."""


def occupied_columns(calculus: Arithmetic, work: np.ndarray) -> np.ndarray:
    """Return for each column of a working matrix whether it has an entry that is not zero."""
    occupied = np.zeros(work.shape[1], dtype=bool)
    for start in range(0, len(work), SOME_ROWS):
        if occupied.all():
            break
        occupied[calculus.occupied(work[start : start + SOME_ROWS])] = True
    return occupied


class RowSpace:
    """The span of rows over GF(p), kept in echelon form while rows are added in batches.

    Parameters
    ----------
    field : PrimeField
        The field.
    columns : int
        Length of the rows.
    target : int, optional
        A rank at which to stop: rows beyond it are not looked at.
    engine : Engine, optional
        `algatt.linalg.Blas`, the default, or `algatt.linalg.Gpu`, on whose device the rows are then; what
        `algatt.linalg.Auto` chooses for as many rows as columns.

    Raises
    ------
    InvalidArgument
        If `field` is not a prime field, a number is not an integer >= 0, or for other engines.

    Notes
    -----
    Each batch is reduced by the earlier ones and then brought into echelon form in the columns that have no pivot yet,
    so at most rank x columns numbers are held. Adding m rows costs O(m * rank * columns) in matrix products.

    Examples
    --------
    >>> import algatt
    >>> space = algatt.linalg.RowSpace(algatt.PrimeField(7), columns=3)
    >>> space.add([[1, 2, 3], [2, 4, 6]])
    1
    >>> space.add([[0, 1, 1]])
    1
    >>> space.rank, space.pivot_rows, space.pivot_columns
    (2, (0, 2), (0, 1))
    """

    def __init__(
        self, field: PrimeField, columns: int, target: int | None = None, engine: Engine | None = BLAS
    ) -> None:
        if not isinstance(field, PrimeField):
            raise InvalidArgument("field", str(field), "a PrimeField: no float can tell when a rank stops growing")
        for name, value in (("columns", columns), ("target", columns if target is None else target)):
            whole(name, value, 0)
        self.target = columns if target is None else min(target, columns)
        self.engine = engine_of_rows(engine, field, columns)
        self.field = field
        self.columns = columns
        self.rows = 0
        self._batches: list[tuple[np.ndarray, Eliminated]] = []  # the columns of each, in the order of its form
        self._open = np.arange(columns)
        self._pivot_rows: list[int] = []
        self._pivot_columns: list[int] = []
        self._determinant = 1 % field.p

    @property
    def rank(self) -> int:
        """Dimension of the span."""
        return len(self._pivot_columns)

    @property
    def pivot_rows(self) -> tuple[int, ...]:
        """Numbers of rows, in the order in which they were added, that are a basis of the span."""
        return tuple(self._pivot_rows)

    @property
    def pivot_columns(self) -> tuple[int, ...]:
        """Columns in which those rows have a minor that is not zero."""
        return tuple(self._pivot_columns)

    @property
    def determinant(self) -> int:
        """That minor, with rows and columns in the orders of `pivot_rows` and `pivot_columns`; 1 if the rank is 0."""
        return self._determinant

    def add(self, rows: Any) -> int:
        """Add a batch of rows and return by how much the rank grew.

        Parameters
        ----------
        rows : galois.FieldArray, array of integers, or Elements
            Shape (m, columns), over the field.

        Raises
        ------
        InvalidArgument
            If the shape or the field does not fit.
        """
        raw = rows.raw if isinstance(rows, Elements) else verbs.encode(self.field, rows, argument="rows")
        if isinstance(rows, Elements) and rows.field != self.field:
            raise InvalidArgument("rows", f"over {rows.field}", f"over {self.field}")
        if raw.ndim != 2 or raw.shape[1] != self.columns:
            raise InvalidArgument("rows", f"of shape {raw.shape}", f"of shape (m, {self.columns})")
        gained = 0
        if self.rank < self.target:
            calculus = verbs.arithmetic_of(self.engine, self.field, raw.size * min(raw.shape))
            gained = self.grow(calculus, calculus.enter(raw))
        self.rows += raw.shape[0]
        return gained

    def add_blocks(
        self,
        blocks: Iterable[np.ndarray],
        most: int,
        columns: np.ndarray,
        follow: Follow | None = None,
    ) -> int:
        """Add a batch of rows that is computed in blocks and return by how much the rank grew.

        Each block is written into the working matrix when it comes, so that all rows are there once and no more often.

        Parameters
        ----------
        blocks : iterable of ndarray
            Raw matrices of residues, of any numbers of rows, with columns that are left out too.
        most : int
            How many rows there are at most.
        columns : ndarray of int
            The columns of the blocks that are those of the space.
        follow : callable, optional
            Called after each panel with how far the elimination is, and the working matrix.
        """
        calculus = verbs.arithmetic_of(self.engine, self.field, most * self.columns * min(most, self.columns))
        work = calculus.empty(most, self.columns)
        count = 0
        for raw in blocks:
            calculus.write(raw, columns, work[count : count + len(raw)])
            count += len(raw)
            del raw  # before the next one is computed
        gained = self.grow(calculus, work[:count], follow) if self.rank < self.target else 0
        self.rows += count
        return gained

    def resume(self, work: np.ndarray, begun: Begun, follow: Follow | None = None) -> int:
        """Go on with the elimination of the first batch of rows, whose working matrix is there with what was done."""
        calculus = verbs.arithmetic_of(self.engine, self.field, work.size * min(work.shape))
        gained = self.take(self._open, eliminate_working(calculus, calculus.send(work), self.target, follow, begun))
        self.rows += len(work)
        return gained

    def grow(self, calculus: Arithmetic, work: np.ndarray, follow: Follow | None = None) -> int:
        """Take a working matrix in, which is used up, and return by how much the rank grew."""
        target = self.target - self.rank
        for columns, batch in self._batches:
            if (work[:, columns[: batch.rank]] != 0).any():
                work[:, columns[batch.rank :]] = batch.reduce(work[:, columns])
        active = self._open[occupied_columns(calculus, work)[self._open]]
        if len(active) < self.columns:
            work, follow = work[:, active], None  # what goes on from a file has all columns
        return self.take(active, eliminate_working(calculus, work, target, follow))

    def take(self, active: np.ndarray, form: Eliminated) -> int:
        """Take an echelon form of new rows in these columns in, and return its rank."""
        if form.rank:
            columns = active[form.order]
            self._batches.append((columns, form))
            self._pivot_rows += [self.rows + int(row) for row in form.pivot_rows]
            self._pivot_columns += columns[: form.rank].tolist()
            self._open = np.setdiff1d(self._open, columns[: form.rank])
            self._determinant = self._determinant * form.determinant % self.field.p
        return form.rank

    def __repr__(self) -> str:
        return f"RowSpace({self.field}, columns={self.columns}, rank={self.rank})"
