"""Networks of HMK and the same networks written as layers: one dimension, one status."""

from __future__ import annotations

import pytest

import algatt
from algatt import Lightning, Normalized
from algatt.layers import Affine, Exponential, Power, Rational

SHAPES = (
    ((3, 3, 3), (1, 2), 2),  # keys and queries of rank one
    ((3, 1, 3), (2, 2), 2),  # a narrow layer
    ((1, 3, 2), (2, 2), 2),
    ((6, 4, 1), (2, 1), 2),  # what few forms read
    ((2, 5, 5, 1), (2, 1, 3), 2),
    ((4, 3, 4), (3, 5), 1),  # one token
)

SCORES = (Exponential(), Power(1), Power(3), Affine(1, 1), Rational((1,), (0, 1)), Rational((1, 1), (1, 0, 1)))

LIGHTNING = (
    ((3, 3, 3), (2, 3), 1),
    ((3, 3), (4,), 1),
    ((3, 3, 3), (1, 3), 2),
    ((6, 4, 1), (2, 1), 3),
    ((5, 6, 4, 1), (1, 1, 1), 2),
    ((2, 2, 2), (1, 4), 2),
    ((3, 1, 3, 2), (2, 1, 2), 2),
    ((2, 4, 1, 3), (1, 3, 2), 2),
    ((6, 5, 4, 1, 3), (3, 1, 1, 2), 3),
    ((4, 1, 3), (2, 3), 1),
)

NETWORKS = (
    *(Normalized(dims, ranks, tokens, score) for dims, ranks, tokens in SHAPES for score in SCORES),
    *(Lightning(*shape) for shape in LIGHTNING),
)


@pytest.mark.parametrize("arch", NETWORKS, ids=str)
def test_a_network_has_the_dimension_of_its_layers(arch):
    one, two = algatt.dimension(arch), algatt.dimension(algatt.expression(arch))
    assert (one.value, one.status, one.upper) == (two.value, two.status, two.upper)
    assert one.status == "proven"
