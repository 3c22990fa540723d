"""Terms that mix: the tensors of terms of a sum, which are the same bilinear function of them, are multiplied by a
matrix on one side and by its inverse on the other.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.errors import SingularMatrix
from algatt.fields import Elements
from algatt.linalg.forms import LinearForm, solve
from algatt.parameters import Weights
from algatt.symmetry.base import GroupElement, rank_of_tangents
from algatt.symmetry.groups import GeneralLinear, LinearGroup, MatrixGroup
from algatt.symmetry.quotients.folded import FoldedSymmetry
from algatt.symmetry.quotients.gains import Fold
from algatt.symmetry.quotients.terms import Mixture, TermPart


@dataclass(frozen=True, repr=False)
class MixtureSymmetry(FoldedSymmetry):
    r"""The changes :math:`R_h \to \sum_k g_{hk} R_k`, :math:`L_h \to \sum_k L_k g^{-1}_{kh}` of the tensors of terms of
    a sum (derived, see docs/theory/motions.md).

    Parameters
    ----------
    arch : Architecture
        The network.
    mixture : Mixture
        The terms, after gains are folded.
    fold : Fold
        The quotient that folds them.
    """

    mixture: Mixture
    fold: Fold

    @property
    def name(self) -> str:
        return f"mixture of {', '.join(self.tensors)}"

    @property
    def tensors(self) -> tuple[str, ...]:
        """The names of the tensors that it moves."""
        return tuple(dict.fromkeys(part.tensor for parts in self.mixture.parts for part in parts))

    @property
    def group(self) -> MatrixGroup:
        """The group of the matrices g."""
        count = self.mixture.count
        return GeneralLinear(count) if len(self.algebra) == count**2 else LinearGroup(count, len(self.algebra))

    @functools.cached_property
    def algebra(self) -> np.ndarray:
        """A basis of the matrices E for which 1 + E fixes all constants: E C = 0 on the right, C E = 0 on the left."""
        count = self.mixture.count
        forms: list[LinearForm] = []
        for row in self.mixture.fixed_right:
            forms += [{(i, k): row[k] for k in range(count) if row[k]} for i in range(count)]
        for row in self.mixture.fixed_left:
            forms += [{(k, j): row[k] for k in range(count) if row[k]} for j in range(count)]
        unknowns = [(i, j) for i in range(count) for j in range(count)]
        basis = solve([form for form in forms if form], unknowns)
        matrices = np.zeros((len(basis), count, count), dtype=np.int64)
        for number, values in enumerate(basis):
            for place, value in values.items():
                matrices[(number, *place)] = value
        return matrices

    @functools.cached_property
    def dimension(self) -> int:
        """The rank of the tangents at random weights."""
        return rank_of_tangents(self)

    @property
    def neutral(self) -> np.ndarray:
        return np.eye(self.mixture.count, dtype=np.int64)

    def change(self, vector: Elements, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Mix the terms by an invertible matrix g, in place of a vector."""
        moved = {name: tensors[name] for name in self.tensors}
        one = self.neutral
        for parts, matrix in ((self.mixture.right, vector - one), (self.mixture.left, verbs.inverse(vector).T - one)):
            for name, change in changes(parts, matrix, tensors).items():
                moved[name] = moved[name] + change
        return moved

    def times(self, one: Elements, other: Elements) -> Elements:
        return one @ other

    def inverted(self, vector: Elements) -> Elements:
        return verbs.inverse(vector)

    def tangents_of_folded(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return for each tensor that moves how it does along each matrix of the algebra, as a stack."""
        moved = {name: [tensors[name] * 0] * len(self.algebra) for name in self.tensors}
        field = tensors[self.tensors[0]].field
        for number, raw in enumerate(verbs.embed(field, self.algebra)):
            E = Elements(field, raw)
            for parts, matrix in ((self.mixture.right, E), (self.mixture.left, -E.T)):
                for name, change in changes(parts, matrix, tensors).items():
                    moved[name][number] = moved[name][number] + change
        stacks = {name: np.stack([one.raw for one in found]) for name, found in moved.items() if found}
        return {name: Elements(tensors[name].field, raw) for name, raw in stacks.items()}

    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        """Return 1 + E for a random E over the field of `theta`, drawn from the stream of the seed."""
        count = self.mixture.count
        flat = Elements(theta.field, verbs.embed(theta.field, self.algebra.reshape(-1, count * count)))
        attempt = 0
        while True:
            raw = verbs.draw_array(theta.field, shape=(1, len(self.algebra)), seed=seed, label=f"{self.name}/{attempt}")
            E = Elements(theta.field, (Elements(theta.field, raw) @ flat).raw.reshape(count, count))
            g = E + np.eye(count, dtype=np.int64)
            try:
                return self.element_of(g)
            except SingularMatrix:
                attempt += 1

    def element_of(self, vector: Elements) -> GroupElement:
        """Return the element of an invertible matrix that fixes all constants."""
        verbs.inverse(vector)  # SingularMatrix is raised if there is none
        return super().element_of(vector)


def terms_of_change(
    parts: tuple[tuple[TermPart, ...], ...], changed: np.ndarray
) -> Iterator[tuple[TermPart, TermPart, int, int]]:
    """Iterate over what is added to parts if those number i change by multiples of those number j, for the i and j of
    which this is said: the part, the other one, i and j.
    """
    for members in parts:
        for i, j in np.argwhere(changed).tolist():
            yield members[i], members[j], i, j


def changes(
    parts: tuple[tuple[TermPart, ...], ...], E: Elements, tensors: Mapping[str, Elements]
) -> dict[str, Elements]:
    """Return what is added to tensors if parts number i change by the sum of E_ij times those number j."""
    found: dict[str, Elements] = {}
    for target, source, i, j in terms_of_change(parts, E.raw != 0):
        change = found.setdefault(target.tensor, tensors[target.tensor] * 0)
        place = np.ix_(target.rows, target.columns)
        term = tensors[source.tensor][source.rows, source.columns] * E[[i], [j]]
        change.raw[place] = (Elements(change.field, change.raw[place]) + term).raw
    return found
