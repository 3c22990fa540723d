"""Scores that nobody sees: tokens that are all equal get the same normalised weights, whatever their scores (derived,
see docs/theory).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from algatt import verbs
from algatt.architectures import Normalized
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.parameters import Weights
from algatt.symmetry.base import Symmetry
from algatt.symmetry.translation import TranslationElement

__all__ = ["UnseenScores", "UnseenScoresElement"]


@dataclass(frozen=True, eq=False, repr=False)
class UnseenScoresElement(TranslationElement):
    """Matrices that are added to queries and keys; which of them the function does not see, the architecture decides
    (`UnseenScores.tensors`).
    """


@dataclass(frozen=True)
class UnseenScores(Symmetry):
    r"""The vector group of the translations of queries and keys that normalised weights do not depend on (derived).

    If there is one token, its weights are 1 (HMK Theorem 3.9, the case t = 1). If the score is homogeneous and
    :math:`A = k q^T` has rank one, the factors :math:`S(q^T x_i)` cancel in
    :math:`S(k^T x_j\, q^T x_i) / \sum_m S(k^T x_m\, q^T x_i)`: the layer does not see the query, and as all columns of
    weights are equal, so are all tokens after it, and no later layer sees a score.
    """

    @property
    def name(self) -> str:
        return "unseen scores"

    @property
    def tensors(self) -> tuple[str, ...]:
        """The names of the tensors all entries of which are unseen."""
        unseen: list[str] = []
        equal = self.arch.tokens == 1
        for i, (a, reach) in enumerate(zip(self.arch.ranks, accumulate(self.arch.dims, min), strict=False), start=1):
            narrow = isinstance(self.arch, Normalized) and self.arch.score.homogeneous and min(a, reach) == 1
            if equal or (narrow and reach == 1):
                unseen += [f"Q_{i}", f"K_{i}"]
            elif narrow:
                unseen.append(f"Q_{i}")
            equal = equal or narrow
        return tuple(unseen)

    @property
    def dimension(self) -> int:
        """The number of entries of these tensors."""
        shapes = verbs.coordinates(self.arch)
        return sum(math.prod(shapes[name]) for name in self.tensors)

    def element(self, theta: Weights, seed: int = 0) -> UnseenScoresElement:
        arrays = list(UnseenScoresElement.zero(theta).arrays)
        for position in map(theta.names().index, self.tensors):
            shape = arrays[position].shape
            arrays[position] = Elements(
                theta.field, verbs.draw_array(theta.field, shape=shape, seed=seed, label=f"{self.name}/{position}")
            )
        return UnseenScoresElement(tuple(arrays))

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        parts = []
        for name in self.tensors:
            element = theta.tensors[name]
            parts.append(
                {name: Elements.of(theta.field, np.eye(element.raw.size, dtype=np.int64).reshape(-1, *element.shape))}
            )
        return parts


@verbs.members.method
def unseen_scores_of_normalized(family: type[UnseenScores], arch: Normalized) -> tuple[UnseenScores, ...]:
    member = UnseenScores(arch)
    return (member,) if member.tensors else ()


@verbs.act.method
def act_on_weights(element: UnseenScoresElement, theta: Weights) -> Weights:
    element.check_shapes(theta)
    if any(array.raw.any() for array in element.arrays[2::3]):
        raise InvalidArgument(
            "element", f"{element!r}, which adds to a value matrix", "a translation of queries and keys"
        )
    return Weights(element.added_to(theta))
