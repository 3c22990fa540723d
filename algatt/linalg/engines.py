"""The algorithms for exact elimination, as objects that are passed as an option ``engine=``."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import instance
from algatt.errors import InvalidArgument
from algatt.fields import PrimeField
from algatt.linalg import device
from algatt.linalg.arithmetic import Arithmetic, arithmetic
from algatt.linalg.echelon import Echelon
from algatt.linalg.elimination import Eliminated, eliminate, eliminate_working
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
