"""A network of attention layers, cut into a hub and copies of one small network."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PrimeField
from algatt.parameters import Weights

__all__ = ["Cut"]

Labels = np.ndarray
"""For each coordinate of a space the part that it is in: 0 for the hub, 1, 2, ... for the copies."""


@dataclass(frozen=True)
class Cut:
    """A network whose spaces are cut into `count` + 1 parts: equal ones, and the hub, which has what is left over.

    Parameters
    ----------
    arch : Lightning or Normalized
        The network.
    count : int
        The number of copies.

    Raises
    ------
    InvalidArgument
        If a width but the last one is too small for so many parts.
    """

    arch: Lightning | Normalized
    count: int

    def __post_init__(self) -> None:
        most = min(self.arch.dims[:-1]) - 1
        if self.count > most:
            raise InvalidArgument("points", f"Copies({self.count}) of {self.arch}", f"of at most {most} copies")

    def parts(self, size: int) -> tuple[int, int]:
        """Return how many of the coordinates of a space are in the hub, and in each copy."""
        one = size // (self.count + 1)
        return size - self.count * one, one

    def network(self, copies: int) -> Lightning | Normalized:
        """Return the network of the hub and some copies."""

        def sizes(whole: Sequence[int]) -> tuple[int, ...]:
            return tuple(hub + copies * one for hub, one in map(self.parts, whole))

        return dataclasses.replace(self.arch, dims=sizes(self.arch.dims), ranks=sizes(self.arch.ranks))

    def labels(self, size: int, copies: int) -> Labels:
        """Return in which part each coordinate of a space is, in the network of the hub and some copies; `size` is that
        of the space in the whole network.
        """
        hub, one = self.parts(size)
        return np.concatenate([np.zeros(hub, dtype=int), np.repeat(np.arange(1, copies + 1), one)])

    def sides(self, copies: int) -> dict[str, tuple[Labels, Labels]]:
        """Return for each tensor in which part each of its rows and columns is."""
        shapes = verbs.coordinates(self.arch)
        return {
            name: (self.labels(rows, copies), self.labels(columns, copies)) for name, (rows, columns) in shapes.items()
        }

    def classes(self, copies: int) -> np.ndarray:
        """Return for each parameter the parts of its row and of its column, the smaller one first: shape
        (parameters, 2).
        """
        found = []
        for rows, columns in self.sides(copies).values():
            both = np.stack(np.broadcast_arrays(rows[:, None], columns[None]), axis=-1).reshape(-1, 2)
            found.append(np.sort(both, axis=1))
        return np.concatenate(found)

    def weights(self, copies: int, field: PrimeField, seed: int) -> Weights:
        """Return block-diagonal weights of the hub and some copies, which are equal: those of all numbers of copies
        belong to one point.
        """
        elements = []
        for name, (rows, columns) in self.sides(copies).items():
            matrix: np.ndarray = np.zeros((len(rows), len(columns)), dtype=field.dtype)
            for part in range(copies + 1):
                block = np.ix_(np.flatnonzero(rows == part), np.flatnonzero(columns == part))
                shape = block[0].size, block[1].size
                label = f"copy/{name}" if part else f"hub/{name}"
                matrix[block] = verbs.draw_array(field, shape=shape, seed=seed, label=label)
            elements.append(Elements(field, matrix))
        return Weights(tuple(elements), tuple(self.sides(copies)))

    def places(self, size: int, members: Sequence[int]) -> np.ndarray:
        """Return where the coordinates of the hub and some copies are in a space of the whole network."""
        return np.flatnonzero(np.isin(self.labels(size, self.count), (0, *members)))

    def columns(self, members: Sequence[int]) -> np.ndarray:
        """Return where the parameters of the hub and some copies are among those of the whole network."""
        found, first = [], 0
        for rows, columns in verbs.coordinates(self.arch).values():
            inside = self.places(rows, members)[:, None] * columns + self.places(columns, members)
            found.append(first + inside.ravel())
            first += rows * columns
        return np.concatenate(found)
