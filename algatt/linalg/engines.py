"""Exact elimination, of a matrix at once and of a row space that grows batch by batch; its algorithms are objects
passed as an option ``engine=``.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import instance, whole
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PrimeField
from algatt.linalg import device
from algatt.linalg.arithmetic import Arithmetic, arithmetic
from algatt.linalg.echelon import Echelon
from algatt.linalg.elimination import Begun, Eliminated, Follow, eliminate, eliminate_working
from algatt.memory import available_memory

LARGE = 10_000
"""With so many rows and columns an elimination takes longer than an import of torch."""


class Engine(ABC):
    """An algorithm for the reduced row echelon form."""


@dataclass(frozen=True)
class Auto(Engine):
    """`Flint` for p > 2^31; below, where float64 products are exact, `Gpu` for matrices of at least 10,000 rows and
    columns, if torch is installed and finds a CUDA device with room for two of them; else `Blas`.
    """

    def choose(self, field: PrimeField, shape: tuple[int, int] = (0, 0)) -> Engine:
        """Return the engine for a matrix over a field."""
        if field.p > 2**31:
            return Flint()
        if min(shape) >= LARGE and device.has_room(8 * shape[0] * shape[1]):
            return Gpu()
        return Blas()


@dataclass(frozen=True)
class Blas(Engine):
    """Our own recursive elimination in float64 matrix products; Python integers for p >= 2^31."""


@dataclass(frozen=True)
class Gpu(Engine):
    """The same elimination with its products and reductions on a device that torch reaches, for p < 2^31; from the
    extra ``gpu``.

    Parameters
    ----------
    device : str, optional
        Torch's name of the device: a CUDA device, by default the current one, or ``"cpu"``.

    Raises
    ------
    MissingExtra
        When it is used, if torch is not installed.
    InvalidArgument
        When it is used, if there is no such device, or if its products are not exact.
    NotEnoughMemory
        When it is used, if the matrix does not fit into the device.
    """

    device: str | None = None

    def __post_init__(self) -> None:
        if self.device is not None and not isinstance(self.device, str):
            raise InvalidArgument("device", repr(self.device), "a name such as 'cuda', 'cuda:1' or 'cpu'")


@dataclass(frozen=True)
class Galois(Engine):
    """The galois package: compiled loops, no blocking."""


@dataclass(frozen=True)
class Flint(Engine):
    """FLINT's ``nmod_mat`` through python-flint: fast, after a conversion entry by entry."""


def checked_engine(engine: Engine | None) -> Engine:
    """Return the engine, `Auto` by default."""
    if engine is None:
        return Auto()
    return instance("engine", engine, Engine, "Auto(), Blas(), Gpu(), Tiled(scheduler), Galois() or Flint()")


def engine_of_rows(engine: Engine | None, field: PrimeField, columns: int) -> Engine:
    """Return the engine for as many rows as columns that are computed one block after the other: of what `Auto` would
    choose a device, else `Blas`.

    Raises
    ------
    InvalidArgument
        For an engine that takes a matrix as a whole.
    """
    engine = checked_engine(engine)
    if isinstance(engine, Auto):
        engine = engine.choose(field, (columns, columns))
        return engine if isinstance(engine, Gpu) else Blas()
    return instance(
        "engine", engine, Blas | Gpu, "Auto(), Blas() or Gpu(), to which rows come one block after the other"
    )


def is_elsewhere(engine: Engine) -> bool:
    """Return whether an engine has its matrices in the memory of a device."""
    return isinstance(engine, Gpu) and (engine.device or "cuda").startswith("cuda")


def room_of(engine: Engine) -> int | None:
    """Return how many bytes are free where an engine has its matrices, or None if that is not known."""
    if isinstance(engine, Gpu) and is_elsewhere(engine):
        return device.free_memory(engine.device or "cuda")
    return available_memory()


@verbs.arithmetic_of.method
def arithmetic_of_blas(engine: Blas, field: PrimeField, work: int) -> Arithmetic:
    return arithmetic(field, work)


@verbs.arithmetic_of.method
def arithmetic_of_gpu(engine: Gpu, field: PrimeField, work: int) -> Arithmetic:
    return device.device_arithmetic(field, work, engine.device)


@verbs.exact_rank.method
def exact_rank_auto(engine: Auto, field: PrimeField, raw: np.ndarray) -> int:
    return verbs.exact_rank(engine.choose(field, raw.shape), field, raw)


@verbs.exact_rank.method
def exact_rank_blas(engine: Blas, field: PrimeField, raw: np.ndarray) -> int:
    return eliminate(field, raw).rank


@verbs.exact_rank.method
def exact_rank_gpu(engine: Gpu, field: PrimeField, raw: np.ndarray) -> int:
    return eliminate_on_device(engine, field, raw).rank


def eliminate_on_device(engine: Gpu, field: PrimeField, raw: np.ndarray) -> Eliminated:
    """Bring a matrix into row echelon form on a device."""
    calculus = verbs.arithmetic_of(engine, field, raw.size * min(raw.shape))
    return eliminate_working(calculus, calculus.enter(raw))


@verbs.exact_rank.method
def exact_rank_galois(engine: Galois, field: PrimeField, raw: np.ndarray) -> int:
    return int(np.linalg.matrix_rank(verbs.decode(field, raw))) if raw.size else 0


@verbs.exact_rank.method
def exact_rank_flint(engine: Flint, field: PrimeField, raw: np.ndarray) -> int:
    return int(flint_matrix(field, raw).rank()) if raw.size else 0


def flint_matrix(field: PrimeField, raw: np.ndarray) -> Any:
    """Hand a matrix of residues to FLINT, entry by entry."""
    import flint

    height, width = raw.shape
    return flint.nmod_mat(height, width, [int(x) for x in raw.ravel().tolist()], field.p)


@verbs.row_reduce.method
def row_reduce_auto(engine: Auto, field: PrimeField, raw: np.ndarray) -> Echelon:
    return verbs.row_reduce(engine.choose(field, raw.shape), field, raw)


@verbs.row_reduce.method
def row_reduce_blas(engine: Blas, field: PrimeField, raw: np.ndarray) -> Echelon:
    return echelon_of_form(field, eliminate(field, raw))


@verbs.row_reduce.method
def row_reduce_gpu(engine: Gpu, field: PrimeField, raw: np.ndarray) -> Echelon:
    return echelon_of_form(field, eliminate_on_device(engine, field, raw))


def echelon_of_form(field: PrimeField, form: Eliminated) -> Echelon:
    """Return the reduced echelon form, with its columns in the order of the matrix."""
    increasing = np.argsort(form.pivot_columns)
    pivots = form.pivot_columns[increasing]
    matrix: np.ndarray = np.zeros((form.rank, len(form.order)), dtype=field.dtype)
    matrix[:, form.order[form.rank :]] = form.calculus.leave(form.tail())[increasing]
    matrix[np.arange(form.rank), pivots] = 1
    return Echelon(matrix, tuple(int(column) for column in pivots))


@verbs.row_reduce.method
def row_reduce_galois(engine: Galois, field: PrimeField, raw: np.ndarray) -> Echelon:
    if not raw.size:
        return Echelon(raw[:0], ())
    reduced = verbs.encode(field, verbs.decode(field, raw).row_reduce())
    return echelon_of_rows(reduced)


@verbs.row_reduce.method
def row_reduce_flint(engine: Flint, field: PrimeField, raw: np.ndarray) -> Echelon:
    if not raw.size:
        return Echelon(raw[:0], ())
    width = raw.shape[1]
    reduced, rank = flint_matrix(field, raw).rref()
    rows: np.ndarray = np.array([int(x) for x in reduced.entries()[: rank * width]], dtype=field.dtype)
    return echelon_of_rows(rows.reshape(rank, width))


def echelon_of_rows(reduced: np.ndarray) -> Echelon:
    """Read the pivots off the rows of a reduced form."""
    rows = reduced[(reduced != 0).any(axis=1)]
    return Echelon(rows, tuple(int(np.flatnonzero(row)[0]) for row in rows))


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
