"""Arrays of tensors: as matrices, as they are stored, and in the place of those of a point."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from algatt.fields import Elements
from algatt.fields.base import Delayed
from algatt.parameters import Weights

BLOCK = 2**16
"""Number of entries of a matrix that are looked at together."""


def as_matrix(raw: np.ndarray) -> np.ndarray:
    """Return a tensor as a matrix of floats."""
    matrix: np.ndarray = raw.reshape(((1, 1) + raw.shape)[-2:]).astype(np.float64, copy=False)
    return matrix


@dataclass(frozen=True, eq=False)
class Matrices(Mapping[str, np.ndarray]):
    """Tensors as matrices of floats, by name; of delayed tensors, each made whenever it is asked for.

    Parameters
    ----------
    tensors : dict of str to Elements
        The tensors.
    """

    tensors: Mapping[str, Elements]

    def __getitem__(self, name: str) -> np.ndarray:
        return as_matrix(self.tensors[name].raw)

    def __iter__(self) -> Iterator[str]:
        return iter(self.tensors)

    def __len__(self) -> int:
        return len(self.tensors)

    @functools.cached_property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The number of rows and columns of each."""
        return {name: ((1, 1) + one.shape)[-2:] for name, one in self.tensors.items()}


def entered(one: Elements, raw: np.ndarray) -> Elements:
    """Return the tensor in the place of another one, of its shape, from a matrix that was just made."""
    return Elements(one.field, sealed(raw).reshape(one.raw.shape))


def replaced(theta: Weights, arrays: Mapping[str, np.ndarray]) -> Weights:
    """Return a point with other arrays for some tensors, which cannot be written to from now on."""
    tensors = theta.tensors
    return theta.replace([entered(one, arrays[name]) if name in arrays else one for name, one in tensors.items()])


def compact(theta: Weights) -> Weights:
    """Return a point of which tensors of single precision are kept so, and made double whenever they are asked for."""
    return theta.replace([halved(one) for one in theta.elements])


def halved(one: Elements) -> Elements:
    """Return a tensor in single precision if its numbers are, and in double precision if they are not."""
    if isinstance(one, Delayed):
        return one
    with np.errstate(over="ignore"):
        single = one.raw.astype(np.float32)
    if not np.array_equal(single, one.raw):
        return one
    return Delayed(one.field, one.shape, lambda: single.astype(np.float64))


def sealed(raw: np.ndarray) -> np.ndarray:
    """Return an array that was just made, which cannot be written to from now on: `Weights` makes no copy of it."""
    raw.setflags(write=False)
    return raw


def largest(raw: np.ndarray) -> float:
    """Return the size of the largest entry."""
    return float(max(raw.max(), -raw.min()))


def blocks(matrix: np.ndarray) -> Iterator[slice]:
    """Iterate over the rows of a matrix, so few at once that what is made of them stays near the processor."""
    step = max(1, BLOCK // matrix.shape[1])
    yield from (slice(start, start + step) for start in range(0, len(matrix), step))


def largest_difference(one: np.ndarray, other: np.ndarray) -> float:
    """Return the largest distance of two entries in the same place."""
    first, second = as_matrix(one), as_matrix(other)
    return max(largest(first[rows] - second[rows]) for rows in blocks(first))
