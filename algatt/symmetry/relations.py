r"""Linear relations among the tangents of families at one point, and the ranks that follow from them.

Let :math:`K` be the space of the relations: the factors x with :math:`\sum_i x_i t_i = 0`, for all tangents of all
families. Together the families have the rank of the number of tangents less the dimension of K; one family alone that
of its own number, less the dimension of those relations that have no other tangent; and what is lost without it is its
number, less the rank of what relations have of it.

K is the intersection of the relations on each tensor. It is found tensor by tensor: of the tangents of families that
move the first one few combinations vanish there, and only these, with the tangents of families that are met on the next
one, are looked at on that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Elements, PrimeField
from algatt.linalg import Auto
from algatt.symmetry.base import FamilyTangents

Progress = Callable[[int, int], None]
"""Callback progress(done, total)."""


@dataclass(frozen=True)
class TangentRanks:
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


def ranks_of(
    field: PrimeField, families: Sequence[FamilyTangents], places: Mapping[str, range], progress: Progress | None = None
) -> TangentRanks:
    """Return the ranks of the tangents of families at one point.

    Parameters
    ----------
    field : PrimeField
        The field.
    families : sequence of Tangents
        The tangents.
    places : mapping of str to range
        The entries of all tensors on which tangents are looked at, from 0 in equal steps, in the order in which they
        are gone through: on large ones fewer combinations vanish.
    progress : callable, optional
        Callback progress(done, total), in tensors.
    """
    relations = relations_of(field, families, places, progress)
    whole = [one[:, one.any(axis=0)] for one in relations]
    size = len(relations[0]) if relations else 0
    halves = [concatenated(size, whole[start::2]) for start in (0, 1)]
    full = [rank(field, half) == size for half in halves]  # then all without one of the other half have this rank
    each, alone = [], []
    for number, (family, own) in enumerate(zip(families, whole, strict=True)):
        without = size
        if own.size and not full[1 - number % 2]:
            without = rank(field, concatenated(size, [*whole[:number], *whole[number + 1 :]]))
        each.append(family.count - size + without)
        alone.append(family.count - rank(field, own))
    return TangentRanks(sum(one.count for one in families) - size, tuple(each), tuple(alone))


def concatenated(size: int, parts: Sequence[np.ndarray]) -> np.ndarray:
    """Return matrices of a number of rows beside each other."""
    return np.concatenate([np.zeros((size, 0), dtype=np.int64), *parts], axis=1)


def relations_of(
    field: PrimeField, families: Sequence[FamilyTangents], places: Mapping[str, range], progress: Progress | None = None
) -> list[np.ndarray]:
    """Return a basis of the relations among the tangents of families: for each family their factors, a relation in each
    row.
    """
    from scipy.sparse import csr_matrix, vstack

    found: list[np.ndarray] = [np.zeros((0, one.count), dtype=field.dtype) for one in families]
    left = set(range(len(families)))
    for done, (name, some) in enumerate((*places.items(), ("", range(0))), start=1):  # in the end what moves nothing
        here = [number for number, one in enumerate(families) if name in one.tensors or (not name and number in left)]
        new = [number for number in here if number in left]
        matrices = {
            number: families[number].on(name).matrix(field, some) if name else csr_matrix((families[number].count, 0))
            for number in here
        }
        total = np.zeros((len(found[0]) if found else 0, len(some)), dtype=np.int64)
        for number in here:
            if number not in left:
                total = (total + times(field, found[number], matrices[number])) % field.p
        if new or total.any():
            kernel = kernel_of_rows(field, vstack([*map(matrices.get, new), csr_matrix(total)], format="csr"))
            start = kernel.shape[1] - len(total)
            found = combine(field, kernel[:, start:], found)  # the last rows are free in the kernel if any are
            start = 0
            for number in new:
                found[number] = kernel[:, start : start + families[number].count]
                start += families[number].count
            left.difference_update(new)
        if progress is not None:
            progress(done, len(places) + 1)
    return found


def combine(field: PrimeField, factors: np.ndarray, rows: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return combinations of the rows of matrices, most of which are zero; often of each row alone."""
    if np.array_equal(factors, np.eye(factors.shape[1])):
        return list(rows)
    return [
        (Elements(field, factors) @ Elements(field, one)).raw
        if one.any()
        else np.zeros((len(factors), one.shape[1]), dtype=field.dtype)
        for one in rows
    ]


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
    """Return the product of a matrix of integers with a sparse one: floats would round the sums."""
    left = left.astype(np.int64)
    most = max(1, (2**63 - 1) // field.p**2)  # products that are added before they are reduced
    total = np.zeros((left.shape[0], matrix.shape[1]), dtype=np.int64)
    for start in range(0, left.shape[1], most):
        some = slice(start, start + most)
        total = (total + (matrix[some].T @ left[:, some].T).T % field.p) % field.p
    return total


def rank(field: PrimeField, matrix: np.ndarray) -> int:
    """Return the rank of a matrix."""
    return int(verbs.exact_rank(Auto(), field, np.ascontiguousarray(matrix))) if matrix.size else 0
