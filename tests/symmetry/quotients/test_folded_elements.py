"""Elements that act through a quotient, one after the other: of one family and of several."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField, Weights, verbs
from algatt.layers import Affine, Heads, LayerScale, RelativeBias, Residual, Unnormalized
from algatt.symmetry import ShiftSymmetry
from algatt.symmetry.quotients.gains import FoldedTensors

NETWORKS = {
    # spaces, shifts and gains, through one quotient
    "a gain": Heads(1, width=2, score=Unnormalized(), biases="O") >> LayerScale(),
    # spaces through the quotient of a gain, and one through that of a gain and of constants
    "a gain and constants": Heads(1, width=2, score=Affine(1, 1), position=RelativeBias(4, 4)) >> LayerScale(),
    # and mixtures
    "a gain and a mixture": Heads(2, key_heads=1, width=2, value_width=1, score=Unnormalized()) >> LayerScale(),
}


@pytest.mark.parametrize("name", NETWORKS)
def test_products_of_elements_of_all_families(name: str) -> None:
    net = Network(Residual(NETWORKS[name]), tokens=3, width=3)
    theta = algatt.sample(net, Weights, field=PrimeField(8388593), seed=0)
    elements = [family.element(theta, 1) for family in verbs.symmetries(net)]
    assert len(elements) > 2
    for g, h in itertools.product(elements, repeat=2):
        assert verbs.act(verbs.compose(g, h), theta) == verbs.act(g, verbs.act(h, theta))


def test_tensors_are_folded_when_they_are_asked_for() -> None:
    """An element folds the tensors that it moves alone: to fold all for each element of a large network takes long."""
    net = Network(Heads(1, width=2, biases="VO") >> LayerScale(), tokens=2, width=2)
    theta = algatt.sample(net, Weights, field=PrimeField(8388593), seed=0)
    family = next(one for one in verbs.members(ShiftSymmetry, net) if one.fold.gains)
    folded = FoldedTensors(family.fold, theta)
    moved = family.change(family.shift.vectors(folded)[:, [0]], folded)
    assert set(moved) == {"heads.b_V_1", "heads.b_O"}
    assert set(folded.made) == {"heads.b_V_1", "heads.b_O", "heads.O_1"}
    for gain in family.fold.gains:
        for name in gain.rows:
            np.testing.assert_array_equal(folded[name].raw, (theta.tensors[gain.name] * theta.tensors[name]).raw)
