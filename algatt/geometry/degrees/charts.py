"""Weights of which some are fixed, such that the others have almost all functions finitely often."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algatt.errors import DegreeUndecided
from algatt.fields import PrimeField
from algatt.geometry.implicit.expansion import PRIME, Expansion, residue_of
from algatt.linalg import RowSpace
from algatt.randomness import random_words

BITS = 10
"""Number of bits of the random integers at which ranks are computed."""


@dataclass(frozen=True)
class Chart:
    """Weights of a network, some of which are fixed.

    Parameters
    ----------
    fixed : dict of int to int
        The values of the weights that are fixed, by their number.
    free : tuple of int
        The others, as many as the dimension of the neuromanifold.
    """

    fixed: dict[int, int]
    free: tuple[int, ...]


def chart(expansion: Expansion, dimension: int, seed: int, values: Sequence[int] = (0, 1)) -> Chart:
    """Return weights that are fixed such that the functions of the others are dense in the closure.

    Weights are set to the first of the values, then to the next ones, then to random integers, those of which the
    coefficients have the highest degree first, as long as the Jacobian by the other weights has the rank D =
    `dimension` at a point of the slice; until D are left. The rank modulo a prime at integers is a lower bound over Q,
    so the image of the slice has the dimension D, and is dense since the closure is irreducible. Zeros and ones lead to
    an echelon form where GL(a) acts.

    Cost: two evaluations of the Jacobian for each weight.
    """
    count = expansion.arch.parameters
    point = [1 + (int(word) >> (64 - BITS)) for word in random_words(seed, "degrees/chart", count).tolist()]
    slopes = [[one.derivative(place) for place in range(count)] for one in expansion.polynomials]
    highest = np.array([one.degrees() for one in expansion.polynomials]).max(axis=0)
    order = sorted(range(count), key=lambda place: (-highest[place], place))

    def is_dense(weights: list[int], free: list[int]) -> bool:
        space = RowSpace(PrimeField(PRIME), len(free))
        rows = [[residue_of(row[place](*weights), PRIME) for place in free] for row in slopes]
        return space.add(np.array(rows, dtype=np.int64)) >= dimension

    free, fixed = list(range(count)), dict[int, int]()
    for value in (*values, None):
        for place in order:
            if len(free) == dimension:
                return Chart(fixed, tuple(free))
            if place in fixed:
                continue
            moved, others = list(point), [one for one in free if one != place]
            moved[place] = point[place] if value is None else value
            if is_dense(moved, others):
                point, free, fixed[place] = moved, others, moved[place]
    if len(free) == dimension:
        return Chart(fixed, tuple(free))
    raise DegreeUndecided("no weights were found that can be fixed; take another seed", 0, float("inf"))
