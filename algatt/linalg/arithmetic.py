"""The two inner steps of the elimination modulo p, for every size of prime and of matrix.

`Integers` works on Python integers, for any p. `Floats` works on balanced residues in float64, for p < 2^31, with numpy
alone; `CompiledFloats` does the same with compiled loops, which pays for large matrices.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from algatt.fields import PrimeField
from algatt.fields.prime import canonical, reduce_floats
from algatt.linalg.product import LIMB, SINGLE_LIMB, centre, exact_length, product_balanced

__all__ = ["Arithmetic", "arithmetic"]

Window = tuple[np.ndarray, np.ndarray, np.ndarray, int]

LARGE = 2_000_000_000
"""From this many multiplications on, compiled loops are worth the import of numba, and a compilation the first time."""

LARGE_ONCE_LOADED = 100_000_000
"""The same if numba is there already, as it is after an import of galois."""

CHUNK = 2**21
"""About so many entries are updated at a time: the temporary product then stays below the size from which allocations
go to the operating system.
"""

INTEGER_PRODUCTS = 2**22
"""At most about so many products of Python integers are one call of numpy, which sees no interrupt before its end: some
tenths of a second.
"""

PARALLEL = 200_000
"""From this many entries on, a loop is run on all cores."""


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
    def enter(self, raw: np.ndarray) -> np.ndarray:
        """Return residues 0..p-1 as a fresh working matrix."""

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
        """Subtract a product of working matrices from another one, in place, some rows at a time."""
        step = self.rows_at_a_time(right)
        for start in range(0, target.shape[0], step):
            rows = slice(start, start + step)
            self.subtract_rows(target[rows], np.ascontiguousarray(left[rows]), right)

    def rows_at_a_time(self, right: np.ndarray) -> int:
        """Return how many rows are multiplied by a matrix in one call."""
        return max(1, CHUNK // max(1, right.shape[1]))

    def product(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the product of two working matrices."""
        result = np.zeros((left.shape[0], right.shape[1]), dtype=left.dtype)
        self.subtract_product(result, -left, right)
        return result


def eliminate_columns(window: np.ndarray, free: np.ndarray, p: int) -> Window:
    """Eliminate a matrix of residues 0..p-1, of int64 below 2^31 or Python integers, column by column; see
    `Arithmetic.eliminate_window`.
    """
    height, width = window.shape
    both = np.hstack([window, np.eye(height, dtype=window.dtype)])
    free = free.copy()
    rows: list[int] = []
    columns: list[int] = []
    determinant = 1
    for column in range(width):
        candidates = np.flatnonzero(free & (both[:, column] != 0))
        if not len(candidates):
            continue
        row = int(candidates[0])
        pivot = int(both[row, column])
        determinant = determinant * pivot % p
        both[row] = both[row] * pow(pivot, -1, p) % p
        factors = both[:, column].copy()
        factors[row] = 0
        touched = np.flatnonzero(factors)
        both[touched] = (both[touched] - factors[touched, None] * both[row] % p) % p
        free[row] = False
        rows.append(row)
        columns.append(column)
        if not free.any():
            break
    return both[:, width:], np.array(rows, dtype=np.intp), np.array(columns, dtype=np.intp), determinant


class Integers(Arithmetic):
    """Python integers 0..p-1."""

    def enter(self, raw: np.ndarray) -> np.ndarray:
        return raw.copy()

    def leave(self, work: np.ndarray) -> np.ndarray:
        return work

    def rows_at_a_time(self, right: np.ndarray) -> int:
        return max(1, INTEGER_PRODUCTS // max(1, right.size))

    def subtract_rows(self, target: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
        target[...] = (target - left @ right) % self.p

    def eliminate_window(self, window: np.ndarray, free: np.ndarray) -> Window:
        return eliminate_columns(window, free, self.p)


class Floats(Arithmetic):
    """Balanced residues in float64."""

    def enter(self, raw: np.ndarray) -> np.ndarray:
        return centre(raw, self.p)

    def leave(self, work: np.ndarray) -> np.ndarray:
        return canonical(work, self.p)

    def subtract_rows(self, target: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
        target -= product_balanced(left, right, self.p)
        reduce_floats(target, self.p)

    def eliminate_window(self, window: np.ndarray, free: np.ndarray) -> Window:
        transform, rows, columns, determinant = eliminate_columns(window.astype(np.int64) % self.p, free, self.p)
        return centre(transform.astype(np.float64), self.p), rows, columns, determinant


class CompiledFloats(Floats):
    """Balanced residues in float64, with compiled loops."""

    def enter(self, raw: np.ndarray) -> np.ndarray:
        from algatt.linalg import compiled

        work = np.empty(raw.shape)
        with compiled.CORES:
            compiled.balance(raw, work, float(self.p), 1.0 / self.p)
        return work

    def leave(self, work: np.ndarray) -> np.ndarray:
        from algatt.linalg import compiled

        with compiled.CORES:
            compiled.unbalance(work, float(self.p))
        return work

    def subtract_rows(self, target: np.ndarray, left: np.ndarray, right: np.ndarray) -> None:
        from algatt.linalg import compiled

        p, inverse = float(self.p), 1.0 / self.p
        length = left.shape[1]
        if self.p < SINGLE_LIMB:
            subtract = compiled.subtract_reduced_parallel if target.size > PARALLEL else compiled.subtract_reduced
            step = exact_length(self.p, self.p // 2 + 2)
            for start in range(0, length, step):
                amount = left[:, start : start + step] @ right[start : start + step]
                with compiled.CORES:
                    subtract(target, amount, p, inverse)
        else:
            high = np.rint(left * (1.0 / LIMB))
            low = left - high * LIMB
            step = exact_length(self.p, int(LIMB) + 1) // 2  # half, since residues and the other limb are added
            for start in range(0, length, step):
                some = slice(start, start + step)
                upper, lower = high[:, some] @ right[some], low[:, some] @ right[some]
                with compiled.CORES:
                    compiled.subtract_limbs(target, upper, lower, p, inverse)

    def eliminate_window(self, window: np.ndarray, free: np.ndarray) -> Window:
        from algatt.linalg import compiled

        height, width = window.shape
        both = np.hstack([window, np.eye(height)]).astype(np.int64)
        both += self.p * (both < 0)
        rows, columns = np.empty(height, dtype=np.intp), np.empty(height, dtype=np.intp)
        rank, determinant = compiled.eliminate_window(both, free.copy(), width, self.p, rows, columns)
        return centre(both[:, width:].astype(np.float64), self.p), rows[:rank], columns[:rank], int(determinant)


def arithmetic(field: PrimeField, work: int) -> Arithmetic:
    """Return the arithmetic for a computation with the given number of multiplications."""
    if field.dtype is object:
        return Integers(field.p)
    large = LARGE_ONCE_LOADED if "numba" in sys.modules else LARGE
    return CompiledFloats(field.p) if work >= large else Floats(field.p)
