"""The two inner steps of the elimination modulo p, for every size of prime and of matrix.

`Integers` works on Python integers, for any p. `Floats` works on balanced residues in float64, for p < 2^31, with numpy
alone; `CompiledFloats` does the same with compiled loops, which pays for large matrices.
"""

from __future__ import annotations

import math
import sys
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from algatt.fields import PrimeField
from algatt.fields.prime import canonical, python_integers, reduce_floats
from algatt.linalg.product import (
    EXACT,
    EXACT_32,
    LIMB,
    SINGLE_LIMB,
    centre,
    exact_length,
    product_balanced,
)

Window = tuple[np.ndarray, np.ndarray, np.ndarray, int]

Reduce = Callable[[np.ndarray], np.ndarray]
"""What reduces an array modulo p in place, and returns it."""

LARGE = 2_000_000_000
"""From this many multiplications on, compiled loops are worth the import of numba, and a compilation the first time."""

LARGE_ONCE_LOADED = 10_000_000
"""The same if numba is there already, as it is after an import of galois."""

SPARSE = 2**17
"""From this many entries on, zero rows and columns of factors are looked for."""

PROBE = 4
"""Of most rows and columns that are not zero the first so many entries are not."""

CHUNK, LARGEST_CHUNK = 2**19, 2**22
"""A sixteenth of a matrix is updated at a time, of few rows as products are slow, and within these numbers of entries:
what is written before it is subtracted then takes an eighth of the matrix.
"""

IN_CACHE = 2**18
"""About so many entries of a product that is written back at once."""

INTEGER_PRODUCTS = 2**22
"""At most about so many products of Python integers are one call of numpy, which sees no interrupt before its end: some
tenths of a second.
"""

FLOAT32_PRIME = 503
"""Up to here float32 adds 256 products of balanced residues exactly: half a panel, at twice the rate."""

READ = (np.float64, np.int64)
"""What compiled loops read as it is."""

ROUND, ROUND_32 = 1.5 * 2.0**52, 1.5 * 2.0**23
"""Adding and subtracting this rounds a float64, or float32, to the nearest integer."""


@dataclass(frozen=True)
class Arithmetic(ABC):
    """Matrices modulo p in a working representation.

    Parameters
    ----------
    p : int
        The prime.
    """

    p: int

    @abstractmethod
    def empty(self, rows: int, columns: int) -> np.ndarray:
        """Return a working matrix that is not filled in."""

    @abstractmethod
    def write(self, raw: np.ndarray, columns: np.ndarray, work: np.ndarray) -> None:
        """Write some columns of residues 0..p-1 into a part of a working matrix."""

    @abstractmethod
    def enter(self, raw: np.ndarray) -> np.ndarray:
        """Return residues 0..p-1, integers or floats of any type, as a fresh working matrix.

        All that is eliminated or multiplied here enters by this or by `write`, and is converted there and nowhere else.
        """

    def factor(self, work: np.ndarray) -> np.ndarray:
        """Return a copy of a part of a working matrix in the type in which products are computed."""
        return work.copy()

    def copy(self, work: np.ndarray) -> np.ndarray:
        """Return a copy of a part of a working matrix."""
        return work.copy()

    @property
    def small(self) -> int:
        """So few rows are eliminated column by column; more are split into halves."""
        return 32

    @property
    def near(self) -> Arithmetic:
        """The arithmetic of small matrices in the memory of this machine."""
        return self

    def fetch(self, work: np.ndarray) -> np.ndarray:
        """Return a part of a working matrix as one of `near`."""
        return work

    def send(self, work: np.ndarray) -> np.ndarray:
        """Return a working matrix of `near` as one of this arithmetic."""
        return work

    def occupied(self, work: np.ndarray, axis: int = 0) -> np.ndarray:
        """Return the columns, or the rows for the axis 1, that are not zero."""
        return np.flatnonzero((work != 0).any(axis=axis))

    @abstractmethod
    def leave(self, work: np.ndarray) -> np.ndarray:
        """Return a working matrix as residues 0..p-1; it is used up."""

    @abstractmethod
    def subtract_rows(self, target: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
        """Do what `subtract_product` does, for few rows."""

    @abstractmethod
    def eliminate_window(self, window: np.ndarray, free: np.ndarray) -> Window:
        """Eliminate a matrix of few rows column by column, with pivots in the free rows.

        Returns the square matrix that does it, the rows and columns of the pivots, and the product of the pivots.
        """

    def subtract_product(self, target: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
        """Subtract a product of working matrices from another one, in place, some rows at a time.

        Rows of the left and columns of the right factor that are zero change nothing. Where they are many, as in the
        tangents of symmetries, the others are taken out.
        """
        if math.prod(target.shape) >= SPARSE:
            rows, columns = self.occupied(left[:, :PROBE], axis=1), self.occupied(right[:PROBE])
            if 2 * len(rows) * len(columns) <= math.prod(target.shape):  # else they are too many already
                rows, columns = self.occupied(left, axis=1), self.occupied(right)
            if 2 * len(rows) * len(columns) <= math.prod(target.shape):
                if len(rows) and len(columns):
                    some = target[rows[:, None], columns]
                    self.subtract_rows_in_turn(some, left[rows], right[:, columns])
                    target[rows[:, None], columns] = some
                return
        self.subtract_rows_in_turn(target, left, right)

    def subtract_rows_in_turn(self, target: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
        """Subtract a product, some rows at a time."""
        step = self.rows_at_a_time(target, right)
        for start in range(0, target.shape[0], step):
            rows = slice(start, start + step)
            self.subtract_rows(target[rows], left[rows], right)

    def rows_at_a_time(self, target: np.ndarray, right: np.ndarray) -> int:
        """Return how many rows of a matrix are updated by a product in one call."""
        some = min(max(math.prod(target.shape) // 16, CHUNK), LARGEST_CHUNK)
        return max(1, some // max(1, target.shape[1]))

    def columns_at_a_time(self, transform: np.ndarray) -> int:
        """Return how many columns are multiplied by a square matrix in one call."""
        return max(1, IN_CACHE // len(transform))

    def apply(self, transform: np.ndarray, work: np.ndarray) -> None:
        """Multiply a working matrix by a square matrix from the left, in place, some columns at a time."""
        step = self.columns_at_a_time(transform)
        for start in range(0, work.shape[1], step):
            work[:, start : start + step] = self.product(transform, work[:, start : start + step])

    def product(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the product of two working matrices, in the type of the left one."""
        result = np.zeros((left.shape[0], right.shape[1]), dtype=left.dtype)
        self.subtract_product(result, -left, right)
        return result


def eliminate_columns(window: np.ndarray, free: np.ndarray, p: int, reduce: Reduce, most: int) -> Window:
    """Eliminate a matrix of residues column by column; see `Arithmetic.eliminate_window`.

    Entries are reduced, in place, after `most` products are subtracted from them: so many are exact.
    """
    height, width = window.shape
    both = np.hstack([window, np.eye(height, dtype=window.dtype)])
    free = free.copy()
    rows: list[int] = []
    columns: list[int] = []
    determinant = 1
    for column in range(width):
        factors = reduce(both[:, column].copy())
        candidates = free & (factors != 0)
        row = int(candidates.argmax())
        if not candidates[row]:
            continue
        pivot = int(factors[row])
        determinant = determinant * pivot % p
        inverse = pow(pivot, -1, p)
        line = reduce(reduce(both[row].copy()) * (inverse if 2 * inverse < p else inverse - p))
        if 2 * np.count_nonzero(factors) < height:
            touched = np.flatnonzero(factors)
            both[touched] -= factors[touched, None] * line
        else:
            both -= factors[:, None] * line
        both[row] = line
        free[row] = False
        rows.append(row)
        columns.append(column)
        if len(rows) % most == 0:
            reduce(both)
        if not free.any():
            break
    return reduce(both[:, width:]), np.array(rows, dtype=np.intp), np.array(columns, dtype=np.intp), determinant


class Integers(Arithmetic):
    """Python integers 0..p-1, whatever type of integers enters: products of those of numpy wrap."""

    def empty(self, rows: int, columns: int) -> np.ndarray:
        return np.zeros((rows, columns), dtype=object)

    def write(self, raw: np.ndarray, columns: np.ndarray, work: np.ndarray) -> None:
        work[...] = python_integers(raw[:, columns])

    def enter(self, raw: np.ndarray) -> np.ndarray:
        return python_integers(raw)

    def leave(self, work: np.ndarray) -> np.ndarray:
        return work

    def rows_at_a_time(self, target: np.ndarray, right: np.ndarray) -> int:
        return max(1, INTEGER_PRODUCTS // max(1, right.size))

    def subtract_rows(self, target: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
        target[...] = (target - left @ right) % self.p

    def eliminate_window(self, window: np.ndarray, free: np.ndarray) -> Window:
        return eliminate_columns(window, free, self.p, lambda x: np.remainder(x, self.p, out=x), 1)


class Floats(Arithmetic):
    """Balanced residues in float64."""

    def empty(self, rows: int, columns: int) -> np.ndarray:
        return np.empty((rows, columns))

    def factor(self, work: np.ndarray) -> np.ndarray:
        return work.astype(np.float64)

    def write(self, raw: np.ndarray, columns: np.ndarray, work: np.ndarray) -> None:
        work[...] = reduce_floats(raw[:, columns].astype(np.float64, copy=False), self.p)

    def enter(self, raw: np.ndarray) -> np.ndarray:
        return reduce_floats(raw.astype(np.float64), self.p)

    def leave(self, work: np.ndarray) -> np.ndarray:
        return canonical(work, self.p)

    def subtract_rows(self, target: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
        amount = product_balanced(np.ascontiguousarray(left, np.float64), right.astype(np.float64, copy=False), self.p)
        target[...] = reduce_floats(np.subtract(target, amount, out=amount), self.p)

    def eliminate_window(self, window: np.ndarray, free: np.ndarray) -> Window:
        if self.p < SINGLE_LIMB:
            most = exact_length(self.p, self.p // 2 + 2)
            return eliminate_columns(window, free, self.p, lambda x: reduce_floats(x, self.p), most)
        integers = window.astype(np.int64)
        transform, rows, columns, determinant = eliminate_columns(
            integers, free, self.p, lambda x: np.remainder(x, self.p, out=x), 1
        )
        return centre(transform.astype(np.float64), self.p), rows, columns, determinant


class CompiledFloats(Floats):
    """Balanced residues in floats, with compiled loops.

    Matrices are held in float32 where it holds every residue. Products are in float64, or, for primes so small that a
    panel's product adds up exactly, in float32.
    """

    @property
    def at_rest(self) -> Any:
        """The type of working matrices."""
        return np.float32 if self.p < SINGLE_LIMB else np.float64

    @property
    def in_products(self) -> Any:
        """The type of factors and their products."""
        return np.float32 if self.p <= FLOAT32_PRIME else np.float64

    @property
    def small(self) -> int:
        return 128 if self.p < SINGLE_LIMB else 32

    def exact_in(self, kind: Any) -> tuple[int, float]:
        """Return up to where a type of floats holds every integer, and what rounds its numbers."""
        return (EXACT_32, ROUND_32) if kind == np.float32 else (EXACT, ROUND)

    def empty(self, rows: int, columns: int) -> np.ndarray:
        return np.empty((rows, columns), dtype=self.at_rest)

    def factor(self, work: np.ndarray) -> np.ndarray:
        return work.astype(self.in_products)

    def write(self, raw: np.ndarray, columns: np.ndarray, work: np.ndarray) -> None:
        from algatt.linalg import compiled

        if raw.dtype not in READ:
            raw, columns = raw[:, columns].astype(np.float64), np.arange(len(columns))
        compiled.balance_columns(raw, columns, work, float(self.p), 1.0 / self.p)

    def enter(self, raw: np.ndarray) -> np.ndarray:
        from algatt.linalg import compiled

        work = self.empty(*raw.shape)
        step = max(1, IN_CACHE // max(1, raw.shape[1]))
        for start in range(0, len(raw), step):
            some = raw[start : start + step]
            if raw.dtype not in READ:
                some = some.astype(np.float64)
            compiled.balance(some, work[start : start + step], float(self.p), 1.0 / self.p)
        return work

    def leave(self, work: np.ndarray) -> np.ndarray:
        from algatt.linalg import compiled

        residues = work if work.dtype == np.float64 else np.empty(work.shape)
        compiled.unbalance(work, residues, float(self.p))
        return residues

    def subtract_rows(self, target: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
        from algatt.linalg import compiled

        if not has_rows(target):  # as numpy's choice of columns is, which lies column by column
            copied = np.ascontiguousarray(target)
            self.subtract_rows(copied, left, right)
            target[...] = copied
            return
        kind: Any = self.in_products if target.dtype == np.float32 else np.float64
        left, right = np.ascontiguousarray(left, dtype=kind), right.astype(kind, copy=False)
        p, inverse = kind(self.p), kind(1.0 / self.p)
        line, pitch = in_line(target)
        length = left.shape[1]
        if self.p < SINGLE_LIMB:
            exact, shift = self.exact_in(kind)
            step = exact_length(self.p, self.p // 2 + 2, exact)
            for start in range(0, length, step):
                amount = np.matmul(left[:, start : start + step], right[start : start + step], out=room(kind, target))
                compiled.subtract_reduced(line, pitch, amount, p, inverse, kind(shift))
        else:
            high = np.rint(left * (1.0 / LIMB))
            low = left - high * LIMB
            step = exact_length(self.p, int(LIMB) + 1) // 2  # half, since residues and the other limb are added
            for start in range(0, length, step):
                some = slice(start, start + step)
                upper, lower = high[:, some] @ right[some], low[:, some] @ right[some]
                compiled.subtract_limbs(line, pitch, upper, lower, p, inverse)

    def product(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        exact, shift = self.exact_in(left.dtype)
        if self.p >= SINGLE_LIMB or left.shape[1] > exact_length(self.p, self.p // 2 + 2, exact):
            return super().product(left, right)
        from algatt.linalg import compiled

        kind: Any = left.dtype.type
        result = left @ right.astype(kind, copy=False)
        compiled.reduce_rows(result, kind(self.p), kind(1.0 / self.p), kind(shift))
        return result

    def eliminate_window(self, window: np.ndarray, free: np.ndarray) -> Window:
        from algatt.linalg import compiled

        height, width = window.shape
        rows, columns = np.empty(height, dtype=np.intp), np.empty(height, dtype=np.intp)
        if self.p < SINGLE_LIMB:
            floats: np.ndarray = np.zeros((height, width + height))
            floats[:, :width] = window
            floats[:, width:].flat[:: height + 1] = 1
            most = exact_length(self.p, self.p // 2 + 2)
            rank, determinant = compiled.eliminate_floats(
                floats, free.copy(), width, float(self.p), most, rows, columns
            )
            transform = floats[:, width:]
        else:
            both = np.hstack([window, np.eye(height, dtype=window.dtype)]).astype(np.int64)
            both += self.p * (both < 0)
            rank, determinant = compiled.eliminate_window(both, free.copy(), width, self.p, rows, columns)
            transform = centre(both[:, width:].astype(np.float64), self.p)
        return transform.astype(self.in_products, copy=False), rows[:rank], columns[:rank], int(determinant)


ROOM = threading.local()
"""Of each thread, for each type of numbers, where products of up to `LARGEST_CHUNK` entries are written: memory that is
new each time is slow.
"""


def room(kind: Any, target: np.ndarray) -> np.ndarray:
    """Return an array of a type and of the shape of another one, which is used until this thread asks again."""
    size = math.prod(target.shape)
    if size > LARGEST_CHUNK:
        return np.empty(target.shape, dtype=kind)
    kept: dict[Any, np.ndarray] = ROOM.__dict__
    name = np.dtype(kind).name
    if name not in kept or kept[name].size < size:
        kept[name] = np.empty(size, dtype=kind)
    return kept[name][:size].reshape(target.shape)


def has_rows(matrix: np.ndarray) -> bool:
    """Return whether the entries of each row of a matrix lie beside each other, and rows one behind the other."""
    across, along = matrix.strides
    return matrix.flags.c_contiguous or (
        along == matrix.itemsize and across >= matrix.shape[1] * along and across % along == 0
    )


def in_line(matrix: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the numbers from the first one of a matrix that has rows to its last one as they lie in memory, those
    between its rows included, and at which distances its rows begin.
    """
    height, width = matrix.shape
    if matrix.flags.c_contiguous:
        return matrix.reshape(-1), width
    pitch = matrix.strides[0] // matrix.itemsize
    return as_strided(matrix, ((height - 1) * pitch + width,), (matrix.itemsize,)), pitch


def arithmetic(field: PrimeField, work: int) -> Arithmetic:
    """Return the arithmetic for a computation with the given number of multiplications."""
    if field.dtype is object:
        return Integers(field.p)
    large = LARGE_ONCE_LOADED if "numba" in sys.modules else LARGE
    return CompiledFloats(field.p) if work >= large else Floats(field.p)


def bytes_of_entry(field: PrimeField, work: int) -> int:
    """Return the bytes of an entry of a working matrix, at least: for Python integers the reference and the number."""
    if field.dtype is object:
        return 8 + 32
    return 4 if field.p < SINGLE_LIMB and work >= LARGE_ONCE_LOADED else 8
