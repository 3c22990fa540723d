"""Layers of other papers pass the checks of architectures: values, derivatives, degrees and symmetries."""

import pytest

import algatt
from algatt.layers import (
    Causal,
    DepthwiseConvolution,
    DifferentialHeads,
    FeatureMap,
    Heads,
    Product,
    Retention,
    SelectiveScan,
    Sink,
)
from algatt.testing import check_architecture

WEIGHTINGS = [(Heads(2, width=1, score=score, mask=Causal()), (2, 2)) for score in (Sink(), Retention(), FeatureMap())]
LAYERS = [
    example for kind in (DepthwiseConvolution, DifferentialHeads, Product, SelectiveScan) for example in kind.examples()
]


@pytest.mark.parametrize(("layer", "shape"), [*WEIGHTINGS, *LAYERS], ids=repr)
def test_the_checks_of_architectures(layer, shape):
    width, tokens = shape
    check_architecture(algatt.Network(layer, tokens=tokens, width=width))
