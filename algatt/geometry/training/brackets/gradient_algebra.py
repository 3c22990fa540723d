r"""The Lie algebra that the gradients of the values of a network generate, at a point.

A quantity is kept by the gradient flow of every loss if its differential vanishes on all gradients, and then it
vanishes on their brackets :math:`[X, Y] = DY\, X - DX\, Y`, too (S. Marcotte, R. Gribonval, G. Peyré, *Abide by the law
and follow the flow*, NeurIPS 2023, arXiv:2307.00144). So there are at most as many independent ones as parameters less
the dimension of the Lie algebra at a generic point.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Elements
from algatt.geometry.training.brackets.gradient_fields import GradientFields
from algatt.randomness import random_words

MARGIN = 4
"""Number of rows beyond those that are missing."""

IDLE = 6
"""Number of brackets of one depth without a new direction after which that depth ends."""

DEEPEST = 5
"""Maximum number of gradients in a bracket."""

MOST_FIELDS = 64
"""Maximum number of gradients of which all pairs are taken."""


@dataclass(frozen=True)
class GradientAlgebra:
    """Lower bounds of the dimension of the Lie algebra at a generic point.

    Parameters
    ----------
    ranks : tuple of int
        The rank of all brackets of at most 1, 2, ... gradients that were looked at.
    """

    ranks: tuple[int, ...]

    @property
    def rank(self) -> int:
        """The greatest rank."""
        return self.ranks[-1]

    @property
    def depth(self) -> int:
        """The number of gradients in the longest brackets that were needed."""
        return self.ranks.index(self.rank) + 1


def gradient_algebra(fields: GradientFields, target: int) -> GradientAlgebra:
    """Return the rank of gradients and of their brackets, until it is the target or a depth adds nothing.

    A rank at one point, modulo p or over balls, is a lower bound of that at almost all real weights.
    """
    space = fields.space(fields.point.shape[1], target)
    ranks = [rank_of_gradients(fields, space, target)]
    for depth in range(2, DEEPEST + 1):
        if ranks[-1] == target or (len(ranks) > 1 and ranks[-1] == ranks[-2]):
            break
        if depth == 2:
            add_pairs(fields, space, target)
        else:
            add_brackets(fields, space, target, depth)
        ranks.append(space.rank)
    return GradientAlgebra(tuple(ranks))


def add(fields: GradientFields, space: Any, rows: np.ndarray) -> int:
    """Add rows and return by how much the rank grew."""
    gained: int = space.add(Elements(fields.field, np.ascontiguousarray(rows)))
    return gained


def rank_of_gradients(fields: GradientFields, space: Any, target: int) -> int:
    """Return the rank of gradients alone."""
    start, gained = 0, 1
    while gained and space.rank < target:
        numbers = np.arange(start, start + target - space.rank + MARGIN)
        gained = add(fields, space, fields.at(numbers, fields.point)[0])
        start += len(numbers)
    return space.rank


def add_pairs(fields: GradientFields, space: Any, target: int) -> None:
    """Add the brackets of pairs of gradients; ever more gradients while that helps."""
    known = 0
    while space.rank < target and known < MOST_FIELDS:
        missing = target - space.rank + MARGIN
        count = known + 2
        while (count * (count - 1) - known * (known - 1)) // 2 < missing and count < MOST_FIELDS:
            count += 1
        if not add(fields, space, pairs(fields, known, count)):
            break
        known = count


def pairs(fields: GradientFields, known: int, count: int) -> np.ndarray:
    """Return the brackets of all pairs of gradients of which one is not among those that are known."""
    numbers, point = np.arange(count), fields.point
    gradients = fields.at(numbers, point)[0]
    along = np.stack([fields.at(numbers, np.concatenate([point, row[None]]))[1] for row in gradients])
    first, second = np.triu_indices(count, 1)
    new = second >= known
    return difference(fields, along[first[new], second[new]], along[second[new], first[new]])


def difference(fields: GradientFields, one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the difference of two raw arrays."""
    found: np.ndarray = verbs.add(fields.field, one, verbs.negate(fields.field, other))
    return found


def add_brackets(fields: GradientFields, space: Any, target: int, depth: int) -> None:
    """Add brackets of so many gradients, drawn at random, until some in a row bring nothing new."""
    idle, number = 0, 0
    while space.rank < target and idle < IDLE:
        words = random_words(fields.seed, f"bracket/{depth}/{number}", depth) % np.uint64(max(depth + 2, 8))
        row = bracket(fields, tuple(int(word) for word in words), fields.point)[0]
        idle = 0 if add(fields, space, row[None]) else idle + 1
        number += 1


def bracket(fields: GradientFields, word: tuple[int, ...], coefficients: np.ndarray) -> np.ndarray:
    """Return [X_1, [X_2, ... X_k]] at a jet of weights, in the shape of its coefficients."""
    if len(word) == 1:
        return fields.at(np.array(word), coefficients)[:, 0]
    first, rest = word[:1], word[1:]
    along = bracket(fields, first, coefficients), bracket(fields, rest, coefficients)
    half = len(coefficients)
    parts = [
        bracket(fields, other, np.concatenate([coefficients, direction]))[half:]
        for other, direction in ((rest, along[0]), (first, along[1]))
    ]
    return difference(fields, parts[0], parts[1])
