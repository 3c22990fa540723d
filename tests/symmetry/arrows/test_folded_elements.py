"""Elements that act through an arrow, one after the other: of one family and of several."""

from __future__ import annotations

import itertools

import pytest

import algatt
from algatt import Network, PrimeField, Weights, verbs
from algatt.layers import Affine, Heads, LayerScale, RelativeBias, Residual, Unnormalized

NETWORKS = {
    # spaces, shifts and gains, through one arrow
    "a gain": Heads(1, width=2, score=Unnormalized(), biases="O") >> LayerScale(),
    # spaces through the arrow of a gain, and one through that of a gain and of constants
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
