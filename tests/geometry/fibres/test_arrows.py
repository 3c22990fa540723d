"""What each arrow of the tower forgets, against a second implementation in plain integers."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import algatt
from algatt.geometry.fibres.arrows import jacobian_of_arrow


@pytest.mark.parametrize(
    ("dims", "ranks", "theorems"),
    [
        ((4, 3), (2,), (4, 0, 1)),
        ((2, 3), (3,), (2 * 3 * 2 - 4, 0, 1)),
        ((4, 3, 4), (2, 2), (8, 9, 2)),
        ((3, 2, 2, 3), (2, 2, 2), (12, 8, 3)),
    ],
)
def test_the_theorems_hold_arrow_by_arrow(dims, ranks, theorems):
    arrows = algatt.geometry.fiber_dimensions(algatt.Lightning(dims, ranks, 3))
    assert tuple(arrow.theorem for arrow in arrows) == theorems
    assert tuple(arrow.measured for arrow in arrows) == theorems
    assert {arrow.status for arrow in arrows} == {"proven"}
    assert [arrow.source for arrow in arrows] == ["Weights", "AttentionMatrix", "VirtualWeights"]
    assert [arrow.target for arrow in arrows] == ["AttentionMatrix", "VirtualWeights", "function"]


@pytest.mark.parametrize(
    ("dims", "ranks", "tokens"),
    [((3, 4, 3), (2, 2), 2), ((3, 3, 3), (1, 2), 3), ((6, 4, 1), (2, 1), 3), ((3, 2), (2,), 1), ((2, 3, 2), (1, 3), 1)],
)
def test_outside_the_hypotheses_there_is_no_theorem_but_a_proven_number(dims, ranks, tokens):
    arch = algatt.Lightning(dims, ranks, tokens)
    arrows = algatt.geometry.fiber_dimensions(arch)
    assert None in [arrow.theorem for arrow in arrows]
    assert {arrow.status for arrow in arrows} == {"proven"}
    assert sum(arrow.measured for arrow in arrows) == arch.parameters - algatt.dimension(arch).value


@pytest.mark.parametrize("coordinates", [algatt.AttentionMatrix, algatt.VirtualWeights])
def test_the_derivative_of_an_arrow_is_a_difference(coordinates):
    """Over GF(p) the arrows are polynomial, so differences of high order give the derivative exactly."""
    arch = algatt.Lightning((3, 2, 2), (2, 1), 2)
    field = algatt.PrimeField(1048583)
    p = field.p
    theta = algatt.sample(arch, algatt.Weights, field=field, seed=0)
    point = np.array(algatt.flatten(theta).tolist(), dtype=object)
    direction = np.arange(1, len(point) + 1, dtype=object)

    def at(step):
        moved = algatt.unflatten(arch, algatt.Weights, [int(x) for x in (point + step * direction) % p], field=field)
        return np.array(algatt.flatten(algatt.convert(moved, coordinates)).tolist(), dtype=object)

    values = [at(step) for step in range(8)]  # of degree at most 6 in the step
    slope = 0
    leading = values
    for n in range(1, 8):
        leading = [b - a for a, b in pairwise(leading)]
        slope = slope + (-1) ** (n + 1) * pow(n, -1, p) * leading[0]
    jacobian = np.array(jacobian_of_arrow(theta, coordinates).public().tolist(), dtype=object)
    assert ((jacobian @ direction - slope) % p == 0).all()
