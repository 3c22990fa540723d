"""A network cut into a hub and copies of one small network."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Lightning, Normalized
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PrimeField
from algatt.parameters import Weights

Labels = np.ndarray
"""For each coordinate of a space the part that it is in: 0 for the hub, 1, 2, ... for the copies."""

Sides = tuple[Labels, Labels | None]
"""In which part each row and each column of a tensor is; None for a single column that is in no space."""


@dataclass(frozen=True)
class Cut(ABC):
    """A network whose spaces are cut into `count` + 1 parts: a hub, and copies of equal sizes.

    Parameters
    ----------
    arch : Architecture
        The network.
    count : int
        The number of copies.
    """

    arch: Architecture
    count: int

    @abstractmethod
    def network(self, copies: int) -> Architecture:
        """Return the network of the hub and some copies."""

    @abstractmethod
    def sides(self, copies: int) -> dict[str, Sides]:
        """Return for each tensor of that network in which part each of its rows and columns is."""

    @abstractmethod
    def ends(self) -> tuple[Labels, Labels]:
        """Return in which part each coordinate of an input and of the value of the whole network is."""

    def classes(self, copies: int) -> np.ndarray:
        """Return for each parameter the parts of its row and of its column, the smaller one first: shape
        (parameters, 2).
        """
        return np.concatenate([pairs_of(rows, columns) for rows, columns in self.sides(copies).values()])

    def weights(self, copies: int, field: PrimeField, seed: int) -> Weights:
        """Return block-diagonal weights of the hub and some copies, which are equal: those of all numbers of copies
        belong to one point.
        """
        elements = []
        for name, (rows, columns) in self.sides(copies).items():
            matrix: np.ndarray = np.zeros((len(rows), 1 if columns is None else len(columns)), dtype=field.dtype)
            for part in range(copies + 1):
                inside = np.arange(1) if columns is None else np.flatnonzero(columns == part)
                block = np.ix_(np.flatnonzero(rows == part), inside)
                shape = block[0].size, block[1].size
                label = f"copy/{name}" if part else f"hub/{name}"
                matrix[block] = verbs.draw_array(field, shape=shape, seed=seed, label=label)
            elements.append(Elements(field, matrix))
        return Weights(tuple(elements), tuple(self.sides(copies)))

    def columns(self, members: Sequence[int]) -> np.ndarray:
        """Return where the parameters of the hub and some copies are among those of the whole network."""
        inside = [
            reached(rows, members)[:, None]
            & (reached(columns, members) if columns is not None else np.ones(1, dtype=bool))
            for rows, columns in self.sides(self.count).values()
        ]
        return np.flatnonzero(np.concatenate([one.ravel() for one in inside]))


def reached(labels: Labels, members: Sequence[int]) -> np.ndarray:
    """Return which coordinates are in the hub or in some copies."""
    return np.isin(labels, (0, *members))


def pairs_of(rows: Labels, columns: Labels | None) -> np.ndarray:
    """Return the parts of the row and of the column of each entry, the smaller one first."""
    if columns is None:
        return np.stack([rows, rows], axis=-1)
    return np.sort(np.stack(np.broadcast_arrays(rows[:, None], columns[None]), axis=-1).reshape(-1, 2), axis=1)


def labels_of_parts(hub: int, one: int, copies: int) -> Labels:
    """Return in which part each coordinate of a space is."""
    return np.concatenate([np.zeros(hub, dtype=int), np.repeat(np.arange(1, copies + 1), one)])


@dataclass(frozen=True)
class AttentionCut(Cut):
    """A network of layers of one head each, of which all spaces are cut alike; the hub has what is left over.

    Raises
    ------
    InvalidArgument
        If a width but the last one is too small for so many parts.
    """

    arch: Lightning | Normalized

    def __post_init__(self) -> None:
        most = min(self.arch.dims[:-1]) - 1
        if self.count > most:
            raise InvalidArgument("points", f"Copies({self.count}) of {self.arch}", f"of at most {most} copies")

    def parts(self, size: int) -> tuple[int, int]:
        """Return how many of the coordinates of a space are in the hub, and in each copy."""
        one = size // (self.count + 1)
        return size - self.count * one, one

    def network(self, copies: int) -> Lightning | Normalized:
        def sizes(whole: Sequence[int]) -> tuple[int, ...]:
            return tuple(hub + copies * one for hub, one in map(self.parts, whole))

        return dataclasses.replace(self.arch, dims=sizes(self.arch.dims), ranks=sizes(self.arch.ranks))

    def sides(self, copies: int) -> dict[str, Sides]:
        return {
            name: (self.labels(rows, copies), self.labels(columns, copies))
            for name, (rows, columns) in verbs.coordinates(self.arch).items()
        }

    def labels(self, size: int, copies: int) -> Labels:
        """Return in which part each coordinate of a space is; `size` is that of the space in the whole network."""
        return labels_of_parts(*self.parts(size), copies)

    def ends(self) -> tuple[Labels, Labels]:
        return self.labels(self.arch.dims[0], self.count), self.labels(self.arch.dims[-1], self.count)
