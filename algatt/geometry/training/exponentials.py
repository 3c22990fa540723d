"""Weights that are moved by exponentials of symmetric motions, the gradients of conservation laws of degree two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from algatt.geometry.training.law import ConservationLaw


@dataclass(frozen=True, eq=False)
class SymmetricMotions:
    """The matrices A of some laws, sparse, and the blocks of coordinates that they mix.

    Parameters
    ----------
    count : int
        The number of laws.
    numbers : ndarray of int
        For each entry that is not zero which law it is of.
    rows, columns : ndarray of int
        Its place.
    values : ndarray
        The entry.
    blocks : tuple of ndarray
        For each size the coordinates of all blocks of that size, a row for each.
    places : ndarray of int
        The place of each entry among those of all blocks, one after the other.
    """

    count: int
    numbers: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray
    blocks: tuple[np.ndarray, ...]
    places: np.ndarray

    @classmethod
    def of(cls, laws: Sequence[ConservationLaw]) -> SymmetricMotions:
        """Return the matrices of laws."""
        products = np.concatenate([np.zeros((0, 3), dtype=np.int64), *(law.products for law in laws)])
        numbers = np.repeat(np.arange(len(laws)), [len(law.products) for law in laws])
        i, j, values = products.T
        both = [np.concatenate(pair) for pair in ((numbers, numbers), (i, j), (j, i), (values, values))]
        blocks, places = blocks_of(both[1], both[2])
        return cls(len(laws), both[0], both[1], both[2], both[3].astype(np.float64), blocks, places)

    def columns_at(self, x: np.ndarray) -> np.ndarray:
        """Return A x for each matrix A, as columns."""
        found = np.zeros((len(x), self.count))
        np.add.at(found, (self.rows, self.numbers), self.values * x[self.columns])
        return found

    def spectra(self, exponents: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Iterate over the sizes of blocks: their coordinates, and the eigenvalues and eigenvectors of a combination of
        the matrices there.
        """
        sizes = [block.size * block.shape[1] for block in self.blocks]
        entries = np.bincount(self.places, self.values * exponents[self.numbers], sum(sizes))
        for block, part in zip(self.blocks, np.split(entries, np.cumsum(sizes, dtype=np.int64))[:-1], strict=True):
            yield block, *np.linalg.eigh(part.reshape(*block.shape, block.shape[1]))

    def move(self, exponents: np.ndarray, x: np.ndarray) -> np.ndarray:
        """Return the exponential of a combination of the matrices, applied to weights."""
        moved = x.copy()
        for block, numbers, vectors in self.spectra(exponents):
            turned = vectors.swapaxes(1, 2) @ x[block][..., None]
            moved[block] = (vectors @ (np.exp(numbers)[..., None] * turned))[..., 0]
        return moved

    def squared_length(self, exponents: np.ndarray, x: np.ndarray, sign: int) -> tuple[float, np.ndarray]:
        r"""Return the squared length of :math:`e^{\pm S} x`, and its derivatives by the exponents.

        In coordinates of eigenvectors, in which x is c, the derivative by the exponent of A is the sum of
        :math:`\pm A_{ij} c_i c_j (e^{2 a_i} - e^{2 a_j}) / (a_i - a_j)` (Daletskii and Krein).
        """
        rest, length, slopes = x.copy(), 0.0, [np.zeros(0)]
        for block, numbers, vectors in self.spectra(sign * exponents):
            c = (vectors.swapaxes(1, 2) @ x[block][..., None])[..., 0]
            rest[block] = 0
            length += float((c**2 * np.exp(2 * numbers)).sum())
            a, b = numbers[:, :, None], numbers[:, None, :]
            quotients = np.divide(np.sinh(a - b), a - b, out=np.ones(vectors.shape), where=a != b)
            inner = 2 * np.exp(a + b) * quotients * c[:, :, None] * c[:, None, :]
            slopes.append((vectors @ inner @ vectors.swapaxes(1, 2)).ravel())
        found = np.bincount(self.numbers, self.values * np.concatenate(slopes)[self.places], self.count)
        return length + float(rest @ rest), sign * found


def blocks_of(rows: np.ndarray, columns: np.ndarray) -> tuple[tuple[np.ndarray, ...], np.ndarray]:
    """Return the coordinates that entries join, by the sizes of blocks, and the place of each entry in the blocks."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    there, both = np.unique(np.concatenate([rows, columns]), return_inverse=True)
    i, j = np.split(both, 2)
    labels = connected_components(coo_array((np.ones(len(i)), (i, j)), shape=(len(there),) * 2), directed=False)[1]
    sizes = np.bincount(labels)[labels]
    blocks, start = [], 0
    first, position = np.zeros_like(there), np.zeros_like(there)
    for size in np.unique(sizes):
        members = np.flatnonzero(sizes == size)
        block = members[np.argsort(labels[members], kind="stable")].reshape(-1, size)
        position[block] = np.arange(size)
        first[block] = start + size * np.arange(block.size).reshape(block.shape)
        start += block.size * size
        blocks.append(there[block])
    return tuple(blocks), first[i] + position[j]
