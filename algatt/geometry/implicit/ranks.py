"""Ranks of many small matrices modulo a prime at once, and of large ones one by one."""

from __future__ import annotations

import functools

import numpy as np

from algatt import verbs
from algatt.fields import DEFAULT_PRIME, PrimeField
from algatt.fields.prime import canonical
from algatt.geometry.implicit.coordinate_ring import Blocks
from algatt.geometry.implicit.lifting import EXTRA
from algatt.linalg.engines import Auto
from algatt.linalg.kernel import null_space
from algatt.memory import check_memory

LARGE = 128
"""Number of columns from which on a matrix is eliminated by itself."""

HELD = 2**18
"""About this many entries of small matrices are eliminated at once, so that they stay in the processor's cache."""


def ranks_of_blocks(blocks: Blocks) -> np.ndarray:
    """Return the rank of each block of products at random weights modulo 8388593.

    Raises
    ------
    NotEnoughMemory
        If the largest matrix does not fit, before it is made.
    """
    p = DEFAULT_PRIME
    values = values_of_coordinates(blocks, p)
    ranks = np.zeros(len(blocks.ends), dtype=np.int64)
    for size, numbers in blocks.of_equal_size(HELD):
        if size > LARGE:
            for number in numbers:
                matrix = products_at(values[:, : size + EXTRA], blocks.block(number), p)
                ranks[number] = verbs.exact_rank(Auto(), PrimeField(p), matrix.astype(np.float64))
        else:
            places = (blocks.ends[numbers] - size)[:, None] + np.arange(size)
            ranks[numbers] = ranks_at_once(products_at(values[:, : size + EXTRA], blocks.products[places], p), p)
    return ranks


@functools.lru_cache(maxsize=4)
def values_of_coordinates(blocks: Blocks, p: int) -> np.ndarray:
    """Return the coordinates at as many random weights modulo p as the largest block asks for."""
    largest = int(blocks.sizes.max())
    check_memory(16.0 * largest * (largest + EXTRA), f"a matrix with {largest:,} columns")
    return blocks.ring.expansion.values(largest + EXTRA, 0, p)


def products_at(values: np.ndarray, products: np.ndarray, p: int) -> np.ndarray:
    """Return products of coordinates at points, given the values of these: a row for each product."""
    result = values[products[..., 0]]
    for factor in range(1, products.shape[-1]):
        result = result * values[products[..., factor]] % p
    return result


def ranks_at_once(matrices: np.ndarray, p: int) -> np.ndarray:
    """Return the ranks of matrices of residues modulo p < 2^25, of shape (count, rows, columns).

    Each step eliminates with one row of every matrix, in float64, where products of two residues are exact.
    """
    matrices = matrices.astype(np.float64)
    count, rows, _ = matrices.shape
    ranks = np.zeros(count, dtype=np.int64)
    everywhere = np.arange(count)
    for row in range(rows):
        pivot_row = matrices[:, row]
        columns = (pivot_row != 0).argmax(axis=1)
        pivots = pivot_row[everywhere, columns]
        ranks += pivots != 0
        below = matrices[:, row + 1 :]
        factors = canonical(below[everywhere, :, columns] * inverses(pivots, p)[:, None], p)
        below -= factors[:, :, None] * pivot_row[:, None, :]
        canonical(below, p)
    return ranks


def inverses(residues: np.ndarray, p: int) -> np.ndarray:
    """Return the inverses of residues modulo p, and 0 for 0: the powers p - 2."""
    result, power = np.ones(residues.shape, dtype=np.int64), residues.astype(np.int64)
    for bit in f"{p - 2:b}"[::-1]:
        if bit == "1":
            result = result * power % p
        power = power * power % p
    return result.astype(np.float64)


def kernel_of_block(blocks: Blocks, number: int, p: int) -> np.ndarray:
    """Return a basis of the relations between the products of a block at random weights modulo p, as columns."""
    products = blocks.block(number)
    values = values_of_coordinates(blocks, p)[:, : len(products) + EXTRA]
    form = verbs.row_reduce(Auto(), PrimeField(p), products_at(values, products, p).T.astype(np.float64))
    return null_space(form, p)
