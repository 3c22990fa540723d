"""Compiled inner loops of the elimination, for p < 2^31; importing this file costs numba's import, and a compilation
the first time.

Residues are balanced integers in floats: at rest in float32 where all of them fit, in products as exact sums. A number
is rounded to the nearest integer by adding and subtracting a large one, without a call that would keep the compiler
from using vector instructions: 1.5 * 2^52 in float64, 1.5 * 2^23 in float32. It is the argument `shift`, of the type in
which is computed, as `p` and `inverse` are.

All loops run on one core. Threads that share a loop would wait for the next one by spinning, beside those of BLAS that
do the same: a rank with two threads of each takes half as long again as with two of BLAS alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numba.core.caching import FunctionCache

from algatt.linalg.product import LIMB

ROUND = 6755399441055744.0

WAITING = 8
"""By so many pivots rows are updated at a time."""


class MendedCache(FunctionCache):
    """Numba's cache of a compiled function, which is made again where its files cannot be read: a full disk, or the end
    of a machine, leaves them cut off.
    """

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the compiled function from the cache; None, and an empty cache, if it is not there."""
        try:
            return super().load_overload(signature, target_context)
        except Exception:  # whatever pickle and LLVM say of half a file
            self.flush()
            return None


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that compiles a function when it is first called, and keeps what was compiled in files."""

    def compile_when_called(function: Callable[..., Any]) -> Any:
        dispatcher = njit(cache=True, **options)(function)
        dispatcher._cache = MendedCache(function)
        return dispatcher

    return compile_when_called


@compiled()
def balance(residues: Any, balanced: Any, p: float, inverse: float) -> None:
    """Write the balanced residues of residues 0..p-1."""
    for i in range(residues.shape[0]):
        row, result = residues[i], balanced[i]
        for j in range(row.shape[0]):
            x = row[j]
            result[j] = x - ((x * inverse + ROUND) - ROUND) * p


@compiled()
def balance_columns(residues: Any, columns: Any, balanced: Any, p: float, inverse: float) -> None:
    """Write the balanced residues of some columns of residues 0..p-1."""
    for i in range(residues.shape[0]):
        row, result = residues[i], balanced[i]
        for j in range(columns.shape[0]):
            x = row[columns[j]]
            result[j] = x - ((x * inverse + ROUND) - ROUND) * p


@compiled()
def unbalance(balanced: Any, residues: Any, p: float) -> None:
    """Write the residues 0..p-1 of balanced ones; the two arrays may be the same."""
    for i in range(balanced.shape[0]):
        row, result = balanced[i], residues[i]
        for j in range(row.shape[0]):
            x = row[j]
            result[j] = x + p if x < 0 else x + 0.0


@compiled()
def subtract_reduced(target: Any, pitch: int, amount: Any, p: Any, inverse: Any, shift: Any) -> None:
    """Subtract integers from residues and reduce, in place.

    The rows of the target begin at every `pitch`-th number: of a matrix with strides the compiler makes no vector
    instructions, and would take four times as long.
    """
    width = amount.shape[1]
    for i in range(amount.shape[0]):
        row, change = target[i * pitch : i * pitch + width], amount[i]
        for j in range(width):
            x = row[j] - change[j]
            row[j] = x - ((x * inverse + shift) - shift) * p


@compiled()
def subtract_limbs(target: Any, pitch: int, high: Any, low: Any, p: float, inverse: float) -> None:
    """Subtract 2^15 high + low from residues and reduce, in place; the target is as for `subtract_reduced`."""
    width = high.shape[1]
    for i in range(high.shape[0]):
        row, upper, lower = target[i * pitch : i * pitch + width], high[i], low[i]
        for j in range(width):
            y = upper[j]
            y = (y - ((y * inverse + ROUND) - ROUND) * p) * LIMB + lower[j]
            x = row[j] - y
            row[j] = x - ((x * inverse + ROUND) - ROUND) * p


@compiled()
def multiply(a: Any, b: Any, p: Any, inverse: Any) -> Any:
    """Multiply residues 0..p-1 below 2^31: the quotient from floating point is off by at most one."""
    remainder = a * b - np.int64(np.float64(a) * np.float64(b) * inverse) * p
    if remainder < 0:
        return remainder + p
    if remainder >= p:
        return remainder - p
    return remainder


@compiled()
def invert(a: Any, p: Any) -> Any:
    """Invert a residue by Euclid's algorithm."""
    before, coefficient, remainder, divisor = 0, 1, p, a
    while divisor != 0:
        quotient = remainder // divisor
        before, coefficient = coefficient, before - quotient * coefficient
        remainder, divisor = divisor, remainder - quotient * divisor
    return before + p if before < 0 else before


@compiled()
def reduce_one(x: Any, p: float, inverse: float) -> Any:
    """Return the balanced residue of an integer."""
    return x - ((x * inverse + ROUND) - ROUND) * p


@compiled()
def eliminate_floats(both: Any, free: Any, width: int, p: float, most: int, rows: Any, columns: Any) -> Any:
    """Do what `eliminate_window` does with balanced residues in float64, the other columns being those of the identity.

    Rows are updated by `WAITING` pivots at a time, and reduced after at most `most` updates, which add up exactly.
    Until then a column is brought up to date where its pivot is looked for, and the row of the pivot where it is found.
    Left of the pivot nothing changes any more, and columns of the identity only change from the row of a pivot on.
    """
    inverse = 1.0 / p
    height, length = both.shape
    modulus = np.int64(p)
    factors, done, current = np.zeros((WAITING, height)), np.zeros((WAITING, length)), np.empty(height)
    rank, waiting, pending, stop = 0, 0, 0, width
    determinant = np.int64(1)
    for column in range(width):
        pivot_row = -1
        current[:] = both[:, column]
        subtract_multiples(current, done[:, column], factors, 0, height)
        reduce_row(current, p, inverse, ROUND)
        for row in range(height):
            if free[row] and current[row] != 0:
                pivot_row = row
                break
        if pivot_row < 0:
            both[:, column] = current
            continue
        pivot = np.int64(current[pivot_row])
        if pivot < 0:
            pivot += modulus
        determinant = multiply(determinant, pivot, modulus, inverse)
        scale = reduce_one(np.float64(invert(pivot, modulus)), p, inverse)
        both[:, column] = 0
        both[pivot_row, column] = 1
        stop = max(stop, width + pivot_row + 1)
        subtract_multiples(both[pivot_row], factors[:, pivot_row], done, column + 1, stop)
        changed = both[pivot_row, column + 1 : stop]
        reduce_row(changed, p, inverse, ROUND)
        changed *= scale
        reduce_row(changed, p, inverse, ROUND)
        done[waiting] = both[pivot_row]
        factors[waiting] = current
        factors[:, pivot_row] = 0
        waiting += 1
        free[pivot_row] = False
        rows[rank] = pivot_row
        columns[rank] = column
        rank += 1
        if waiting == WAITING or rank == height:
            for row in range(height):
                subtract_multiples(both[row], factors[:, row], done, column + 1, stop)
            pending += waiting
            waiting = 0
            factors[:] = 0
            if pending + WAITING > most:
                reduce_rows(both, p, inverse, ROUND)
                pending = 0
        if rank == height:
            break
    for row in range(height):
        subtract_multiples(both[row], factors[:, row], done, width, stop)
    reduce_rows(both, p, inverse, ROUND)
    return rank, determinant


@compiled(fastmath={"contract"})
def subtract_multiples(target: Any, factors: Any, rows: Any, start: int, stop: int) -> None:
    """Subtract multiples of eight rows from another one, between two columns.

    All sums are exact, so that multiplying and adding at once, which is twice as fast, changes nothing.
    """
    if not factors.any():
        return
    a, b, c, d = factors[0], factors[1], factors[2], factors[3]
    e, f, g, h = factors[4], factors[5], factors[6], factors[7]
    row = target[start:stop]
    r, s, t, u = rows[0, start:stop], rows[1, start:stop], rows[2, start:stop], rows[3, start:stop]
    v, w, x, y = rows[4, start:stop], rows[5, start:stop], rows[6, start:stop], rows[7, start:stop]
    for j in range(stop - start):
        row[j] -= a * r[j] + b * s[j] + c * t[j] + d * u[j] + e * v[j] + f * w[j] + g * x[j] + h * y[j]


@compiled()
def reduce_rows(x: Any, p: Any, inverse: Any, shift: Any) -> None:
    """Reduce integers in place."""
    for i in range(x.shape[0]):
        reduce_row(x[i], p, inverse, shift)


@compiled()
def reduce_row(row: Any, p: Any, inverse: Any, shift: Any) -> None:
    """Reduce the integers of a row in place."""
    for j in range(row.shape[0]):
        row[j] -= ((row[j] * inverse + shift) - shift) * p


@compiled()
def eliminate_window(both: Any, free: Any, width: int, p: int, rows: Any, columns: Any) -> Any:
    """Eliminate the first `width` columns of an int64 matrix of residues 0..p-1 one by one, with pivots in the free
    rows.

    Writes the pivots into `rows` and `columns`, marks their rows as not free, and returns their number and product.
    """
    inverse = 1.0 / p
    height, length = both.shape
    rank = 0
    determinant = 1
    for column in range(width):
        pivot_row = -1
        for row in range(height):
            if free[row] and both[row, column] != 0:
                pivot_row = row
                break
        if pivot_row < 0:
            continue
        pivot = both[pivot_row, column]
        determinant = multiply(determinant, pivot, p, inverse)
        scale = invert(pivot, p)
        for j in range(length):
            both[pivot_row, j] = multiply(both[pivot_row, j], scale, p, inverse)
        for row in range(height):
            factor = both[row, column]
            if row != pivot_row and factor != 0:
                for j in range(length):
                    x = both[row, j] - multiply(factor, both[pivot_row, j], p, inverse)
                    both[row, j] = x + p if x < 0 else x
        free[pivot_row] = False
        rows[rank] = pivot_row
        columns[rank] = column
        rank += 1
        if rank == height:
            break
    return rank, determinant
