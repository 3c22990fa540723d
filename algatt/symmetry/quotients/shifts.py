r"""Translations of weights by shifts that no output sees (derived, see docs/theory/motions.md)."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.fields import Elements
from algatt.fields.motions.words import EMPTY
from algatt.parameters import Weights
from algatt.symmetry.base import GroupElement, Symmetry, Way, rank_of_tangents
from algatt.symmetry.motions.shift import AddedTerm, Shift
from algatt.symmetry.quotients.folded import FoldedSymmetry
from algatt.symmetry.quotients.gains import Fold, FoldedTensors


def way_of(move: AddedTerm) -> Way:
    """Return in which way something is added to a tensor."""
    return move.kind, move.row


@dataclass(frozen=True, repr=False)
class ShiftSymmetry(FoldedSymmetry):
    r"""The translations :math:`T \to T + 1 v^T` or :math:`T \to T + v 1^T` of a tensor, with what others take up, for
    all v or those that satisfy linear conditions; or of several tensors at once, by parts of one v that conditions
    join, as :math:`\sum_h O_h v_h = 0` for the values of all heads (derived, see docs/theory/motions.md).

    Parameters
    ----------
    arch : Architecture
        The network.
    shift : Shift
        What may be added, after gains are folded.
    fold : Fold
        The quotient that folds them.
    """

    shift: Shift
    fold: Fold

    @property
    def name(self) -> str:
        return self.shift.name

    @property
    def tensors(self) -> tuple[str, ...]:
        """The names of the tensors that it moves."""
        return tuple(dict.fromkeys(one.tensor for one in self.shift.moves))

    @functools.cached_property
    def added(self) -> Mapping[str, frozenset[Way]]:
        """All that it moves."""
        return {name: frozenset(way_of(one) for one in self.shift.moves if one.tensor == name) for name in self.tensors}

    @property
    def size(self) -> int:
        """The number of entries of v."""
        return self.shift.size

    @property
    def neutral(self) -> np.ndarray:
        return np.zeros((self.size, 1), dtype=np.int64)

    def change(self, vector: Elements, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Add a vector to the tensor, with what others take up: its matrices do not depend on the tensors that move."""
        return self.shift.added(tensors, vector)

    def tangents_of_folded(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        return self.shift.tangents(tensors)

    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        """Return the translation by a random vector over the field of `theta`, drawn from the stream of the seed; if
        vectors have to satisfy conditions, it is a symmetry at `theta`, and wherever it leads.
        """
        if not self.shift.conditions:
            return super().element(theta, seed)
        basis = self.shift.vectors(FoldedTensors(self.fold, theta))
        raw = verbs.draw_array(theta.field, shape=(basis.shape[1], 1), seed=seed, label=self.name)
        return self.element_of(basis @ Elements(theta.field, raw))

    def beside(self, tensor: str, ways: frozenset[Way]) -> Symmetry | None:
        """The vector itself is added to its own tensor."""
        own, conditions = self.shift.own, self.shift.conditions
        whole = tensor == own.tensor and self.once and set(own.words) == {EMPTY} and not conditions
        return None if whole and not ways else self

    @property
    def once(self) -> bool:
        """Whether nothing else is added to its own tensor."""
        return [one.tensor for one in self.shift.moves].count(self.shift.tensor) == 1

    @functools.cached_property
    def dimension(self) -> int:
        """The number of entries of v, less the rank of what it has to satisfy; of T + v 1^T - 1 v^T, where v = 1 moves
        nothing, and of several tensors the rank of the tangents at random weights.
        """
        single = self.once and not self.shift.several
        return self.size - self.shift.rank if single else rank_of_tangents(self)
