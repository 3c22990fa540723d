r"""Linear relations among the tangents of families at one point, and the ranks that follow from them.

Let :math:`K` be the space of the relations: the factors x with :math:`\sum_i x_i t_i = 0`, for all tangents of all
families. Together the families have the rank of the number of tangents less the dimension of K; one family alone that
of its own number, less the dimension of those relations that have no other tangent; and what is lost without it is its
number, less the rank of what relations have of it. So K, of which families that move different tensors have no part,
is all that is computed.

A tangent with an entry where no other one has any is in no relation. When these are gone, relations fall into parts
that share no entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Elements, PrimeField
from algatt.linalg import Auto

__all__ = ["Progress", "Ranks", "SparseTangents", "ranks_of"]

SPARE = 2
"""Number of columns that are looked at beyond those that are needed, as a minor may vanish."""

ENTRIES = 2**17
"""Maximum number of entries of a stack of matrices that are eliminated at once; what is found leaves less to others."""

Progress = Callable[[int, int], None]
"""Callback progress(done, total)."""


@dataclass(frozen=True, eq=False)
class SparseTangents:
    """Tangents, of which only entries that may be other than zero are kept; those at one place are added up.

    Parameters
    ----------
    count : int
        The number of tangents.
    rows, columns : array
        For each entry the number of its tangent, and its place among all parameters.
    values : array
        The entries.
    """

    count: int
    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray

    @classmethod
    def of_parts(cls, parts: Sequence[Mapping[str, Elements]], columns: Mapping[str, slice]) -> SparseTangents:
        """Return the entries of blocks of tangents, given the columns of all tensors."""
        found: list[tuple[np.ndarray, ...]] = []
        count = 0
        for part in parts:
            height = 0
            for name, tangents in part.items():
                height = tangents.raw.shape[0]
                flat = tangents.raw.reshape(height, -1)
                rows, places = flat.nonzero()
                found.append((count + rows, columns[name].start + places, flat[rows, places]))
            count += height
        return cls.joined(count, found)

    def some(self, kept: np.ndarray) -> SparseTangents:
        """Return the same without the entries of all tangents but some; these keep their numbers."""
        entries = flags(kept, self.count)[self.rows]
        return SparseTangents(self.count, self.rows[entries], self.columns[entries], self.values[entries])

    @classmethod
    def joined(cls, count: int, parts: Sequence[tuple[np.ndarray, ...]]) -> SparseTangents:
        """Return tangents whose rows, columns and values are given in parts."""
        if not parts:
            return cls(count, *(np.zeros(0, dtype=np.int64) for _ in range(3)))
        return cls(count, *(np.concatenate(some) for some in zip(*parts, strict=True)))


@dataclass(frozen=True)
class Ranks:
    """Ranks of the tangents of families.

    Parameters
    ----------
    together : int
        The rank of all.
    each : tuple of int
        The rank of each family by itself.
    alone : tuple of int
        For each family what the rank of all is more than without it.
    """

    together: int
    each: tuple[int, ...]
    alone: tuple[int, ...]


def ranks_of(field: PrimeField, families: Sequence[SparseTangents], progress: Progress | None = None) -> Ranks:
    """Return the ranks of the tangents of families at one point."""
    counts = [one.count for one in families]
    owner = np.repeat(np.arange(len(families)), counts)
    lost, each, shared = 0, np.array(counts, dtype=np.int64), np.zeros(len(families), dtype=np.int64)
    for tangents, relations in relations_of(field, families, progress):
        lost += len(relations)
        owners = owner[tangents]
        for family in np.unique(owners):
            own = owners == family
            each[family] -= len(relations) - rank(field, relations[:, ~own])
            shared[family] += rank(field, relations[:, own])
    alone = np.array(counts, dtype=np.int64) - shared
    return Ranks(sum(counts) - lost, tuple(map(int, each)), tuple(map(int, alone)))


def relations_of(
    field: PrimeField, families: Sequence[SparseTangents], progress: Progress | None = None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Iterate over the parts in which relations fall: some tangents, by their numbers among those of all families, and
    a basis of the relations among them as the rows of a matrix.
    """
    from scipy.sparse import bmat
    from scipy.sparse.csgraph import connected_components

    total = sum(one.count for one in families)
    matrix, numbers = matrix_of(field, families)
    while len(numbers) > len(some := in_relations(field, matrix)):
        matrix, numbers = matrix[some], numbers[some]
    done = total - len(numbers)
    if not len(numbers):
        return
    _, labels = connected_components(bmat([[None, matrix], [matrix.T, None]], format="csr"), directed=False)
    labels = labels[: len(numbers)]
    order = np.argsort(labels, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(labels[order])) + 1):
        found = kernel_of_rows(field, matrix[part])
        if len(found):
            yield numbers[part], found
        done += len(part)
        if progress is not None:
            progress(done, total)


def matrix_of(field: PrimeField, families: Sequence[SparseTangents]) -> tuple[Any, np.ndarray]:
    """Return the tangents of all families that are in relations perhaps, as the rows of a sparse matrix whose columns
    have no order, and their numbers: a tangent with an entry where no other one has any is in none, and without it
    others may be seen to be in none.
    """
    from scipy.sparse import csr_matrix

    starts = np.cumsum([0, *(one.count for one in families)])
    kept = [np.arange(one.count) for one in families]
    found = list(families)
    while True:
        filled = np.zeros(max((int(one.columns.max(initial=-1)) for one in found), default=-1) + 1, dtype=np.int64)
        for one in found:
            np.add.at(filled, one.columns, 1)
        free = [one.rows[filled[one.columns] == 1] for one in found]
        if not any(len(rows) for rows in free):
            break
        for number, rows in enumerate(free):
            if len(rows):
                kept[number] = kept[number][~flags(rows, families[number].count)[kept[number]]]
                found[number] = found[number].some(kept[number])
    numbers = joined([rows + start for rows, start in zip(kept, starts, strict=False)])
    rows = joined([one.rows + start for one, start in zip(found, starts, strict=False)])
    columns, values = joined([one.columns for one in found]), joined([one.values for one in found])
    place = np.zeros(starts[-1], dtype=np.int64)
    place[numbers] = np.arange(len(numbers))
    columns = (np.cumsum(flags(columns, int(columns.max(initial=-1)) + 1)) - 1)[columns]
    matrix = csr_matrix((values, (place[rows], columns)), shape=(len(numbers), int(columns.max(initial=-1)) + 1))
    matrix.sum_duplicates()
    matrix.data %= field.p
    matrix.eliminate_zeros()
    return matrix, numbers


def flags(numbers: np.ndarray, count: int) -> np.ndarray:
    """Return for each number below a bound whether it is among some."""
    found = np.zeros(count, dtype=bool)
    found[numbers] = True
    return found


def joined(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """Return arrays of integers as one."""
    return np.concatenate([np.zeros(0, dtype=np.int64), *arrays])


def in_relations(field: PrimeField, matrix: Any) -> np.ndarray:
    """Return the rows of a sparse matrix that are in relations perhaps: if those that have entries in a column are
    independent in some columns that have entries in the same ones, they are in none.
    """
    columns = matrix[:, np.flatnonzero(flags(matrix.indices, matrix.shape[1]))].tocsc()
    columns.sort_indices()
    zero = np.zeros(columns.shape[0], dtype=bool)
    sizes = np.diff(columns.indptr)
    marks = np.random.default_rng(0).integers(2**63, size=columns.shape[0])
    alike = np.add.reduceat(marks[columns.indices], columns.indptr[:-1])
    order = np.lexsort((alike, sizes))
    firsts = np.flatnonzero(np.diff(alike[order], prepend=-1) != 0)
    counts = np.diff(firsts, append=len(order))
    for size in np.unique(sizes[order[firsts]]):
        here = sizes[order[firsts]] == size
        for start in range(0, int(here.sum()), most := max(1, ENTRIES // int(size * (size + SPARE)))):
            some = slice(start, start + most)
            first, count = firsts[here][some], counts[here][some]
            rows = columns.indices[columns.indptr[order[first], None] + np.arange(size)]
            live = (~zero[rows]).sum(axis=1)
            able = (live > 0) & (count >= live)  # fewer columns have a smaller rank
            if not able.any():
                continue
            first, count, rows, live = first[able, None], count[able, None], rows[able], live[able]
            most_live = int(live.max())
            chosen = order[first + np.minimum(np.arange(most_live + SPARE), count - 1)]
            places = columns.indptr[chosen][..., None] + np.arange(size)
            same = (columns.indices[places] == rows[:, None]).all(axis=(1, 2))  # else sums of marks agree by accident
            first_live = np.argsort(zero[rows], axis=1, kind="stable")[:, None, :most_live]
            vectors = np.take_along_axis(columns.data[places] * ~zero[rows][:, None], first_live, axis=2)
            independent = same & (ranks_of_stack(field, vectors) == live)
            zero[rows[independent]] = True
    return np.flatnonzero(~zero)


def ranks_of_stack(field: PrimeField, stack: np.ndarray) -> np.ndarray:
    """Return the ranks of a stack of matrices, whose columns are eliminated one after the other."""
    ranks = np.zeros(len(stack), dtype=np.int64)
    for k in range(stack.shape[2]):
        vector, rest = stack[:, :, k], stack[:, :, k + 1 :]
        pivot = (vector != 0).argmax(axis=1)[:, None]
        leading = np.take_along_axis(vector, pivot, axis=1)
        ranks += leading[:, 0] != 0
        factors = np.take_along_axis(rest, pivot[..., None], axis=1)
        leading = leading + (leading == 0)  # then there is nothing to subtract
        stack[:, :, k + 1 :] = (rest * leading[..., None] - vector[..., None] * factors) % field.p
    return ranks


def kernel_of_rows(field: PrimeField, matrix: Any) -> np.ndarray:
    """Return a basis of the relations among the rows of a sparse matrix, as rows.

    Of a matrix with many columns some are looked at, and then those in which what is found fails.
    """
    columns = np.unique(matrix.indices)
    matrix, (rows, width) = matrix[:, columns], (matrix.shape[0], len(columns))
    chosen = np.unique(np.linspace(0, width, min(width, 4 * rows), endpoint=False, dtype=np.int64))
    while True:
        dense = np.ascontiguousarray(matrix[:, chosen].toarray().T)
        found = np.ascontiguousarray(verbs.kernel_over(field, dense).T)
        failing = np.unique(times(field, found, matrix).nonzero()[1])
        if not len(failing):
            return found
        chosen = np.union1d(chosen, failing[:: -(-len(failing) // (4 * len(found)))])


def times(field: PrimeField, left: np.ndarray, matrix: Any) -> np.ndarray:
    """Return the product of a matrix with a sparse one."""
    most = max(1, (2**63 - 1) // field.p**2)  # products that are added before they are reduced
    total = np.zeros((left.shape[0], matrix.shape[1]), dtype=np.int64)
    for start in range(0, left.shape[1], most):
        some = slice(start, start + most)
        total = (total + (matrix[some].T @ left[:, some].T).T % field.p) % field.p
    return total


def rank(field: PrimeField, matrix: np.ndarray) -> int:
    """Return the rank of a matrix."""
    return int(verbs.exact_rank(Auto(), field, np.ascontiguousarray(matrix))) if matrix.size else 0
