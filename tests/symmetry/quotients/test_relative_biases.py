"""Learned numbers for distances: softmax does not see what they have in common, and some are for no distance."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.layers import Affine, Causal, Heads, RelativeBias, Residual, Unnormalized


def network(heads, tokens, bidirectional, **slots):
    layer = Heads(heads, width=1, position=RelativeBias(4, 4, bidirectional), **slots)
    return algatt.Network(Residual(layer), tokens=tokens, width=3)


@pytest.mark.parametrize(
    ("heads", "tokens", "bidirectional", "unreached"),
    [(1, 4, True, 1), (2, 3, True, 1), (2, 4, False, 0), (1, 3, False, 1)],
)
def test_one_for_each_head_and_the_numbers_of_no_distance(heads, tokens, bidirectional, unreached):
    """The third bucket of four is for keys after the query at a distance of 0; without them the last one begins at a
    distance of 3. Beside it one factor of keys and queries, and one of values and outputs, for each head.
    """
    net = network(heads, tokens, bidirectional, mask=None if bidirectional else Causal())
    report = algatt.dimension(net)
    assert (report.value, report.status) == (report.parameters - heads * (1 + unreached + 2), "proven")


def test_without_softmax_all_of_them_are_seen():
    net = network(1, 4, False, mask=Causal(), score=Unnormalized())
    assert not [family for family in algatt.symmetries(net) if family.name == "rows of heads.bias"]


def test_scores_with_a_constant_count_up_to_a_factor():
    """k^T q + b + 1 counts up to a factor of k and of b + 1: 28 parameters less 4 of keys and queries, 4 of values, a
    bucket that no two tokens have, and this factor are 18.
    """
    layer = Heads(1, width=2, position=RelativeBias(4, 4), score=Affine(1, 1))
    net = algatt.Network(Residual(layer), tokens=3, width=3)
    report = algatt.dimension(net)
    assert (report.value, report.status) == (18, "proven")
    assert algatt.verify(algatt.certify(net)).ok
    sizes = algatt.symmetry.symbolic_symmetries(net)
    assert (sizes.dimension, sizes.orbit, sizes.complete) == (4 * 2 + 4 + 2, 4 + 4 + 2, True)


def test_the_value_stays():
    net = network(2, 3, True)
    theta = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=1)
    X = algatt.sample_inputs(net, field=algatt.Reals(), seed=2, count=3)
    (family,) = (one for one in algatt.symmetries(net) if one.name == "rows of heads.bias")
    moved = algatt.act(family.element(theta, seed=3), theta)
    assert np.abs(algatt.flatten(moved) - algatt.flatten(theta)).max() > 0.1
    assert np.allclose(algatt.evaluate(net, moved, X), algatt.evaluate(net, theta, X))
