"""Places: what one factor of a group does to the tensors of a network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.fields import Elements


@dataclass(frozen=True)
class PlaceMove:
    """How a tensor W moves with an invertible matrix g, or with a number that is not zero: to G W or W G.

    Parameters
    ----------
    tensor : str
        The name of W.
    side : str
        ``rows`` for G W, ``columns`` for W G.
    power : int, optional
        G is this power of g; 1 or -1 if g is a matrix.
    transposed : bool, optional
        Or the transposed one.
    """

    tensor: str
    side: str
    power: int = 1
    transposed: bool = False

    def factor(self, matrix: Elements, inverse: Elements) -> Elements:
        """Return G."""
        base = matrix if self.power > 0 else inverse
        factor = base
        for _ in range(abs(self.power) - 1):
            factor = factor @ base
        return factor.T if self.transposed else factor

    def tangent(self, change: Elements, W: Elements) -> Elements:
        """Return the derivative of the moved tensor along changes of g at the identity, of shape (k, n, n)."""
        times = change.T if self.transposed else change
        moved = times @ W if self.side == "rows" else W @ times
        return moved if self.power > 0 else -moved

    def tangent_of_number(self, W: Elements) -> Elements:
        """Return the derivative along the number g, of shape (1, rows, columns)."""
        return Elements(W.field, verbs.embed(W.field, np.array([[[self.power]]]))) * W


@dataclass(frozen=True)
class Place:
    """The group of one space of a network, or of a number, and the tensors that it moves.

    Parameters
    ----------
    size : int
        The group is GL(size).
    moves : tuple of Move
        How tensors move.
    number : bool, optional
        Whether the group is that of the numbers that are not zero, by which tensors of all sizes are multiplied.
    """

    size: int
    moves: tuple[PlaceMove, ...]
    number: bool = False

    @property
    def scalar(self) -> bool:
        """Whether g is a number, since all matrices of the place have one entry or since it acts as one."""
        return self.number or self.size == 1

    def tangents(self, change: Elements, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return the derivatives of the tensors that move along changes of g at the identity, a stack for each."""
        found: dict[str, Elements] = {}
        for move in self.moves:
            W = tensors[move.tensor]
            tangent = move.tangent_of_number(W) if self.scalar else move.tangent(change, W)
            found[move.tensor] = found[move.tensor] + tangent if move.tensor in found else tangent
        return found
