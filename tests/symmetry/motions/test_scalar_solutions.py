"""Spaces whose motions are multiples of the identity beside others that are not: a family of their own each."""

import pytest

import algatt
from algatt import Network
from algatt.layers import Concatenate, Feedforward, LayerNorm, Linear, RMSNorm, SiLU


@pytest.mark.parametrize(
    ("layer", "width", "tokens"),
    [
        (Concatenate(Linear(3), Linear(2)), 4, 2),
        (Concatenate(Linear(2), Linear(2), axis=1), 3, 2),
        (Linear(3) >> Linear(2), 4, 2),
        (Feedforward(2, activation=SiLU(), gated=True), 3, 2),
    ],
    ids=str,
)
def test_families_span_what_the_jacobian_misses(layer, width, tokens):
    """The exact rank of the Jacobian at a point modulo p and the tangents of the families fill the weights."""
    net = Network(Linear(width) >> LayerNorm() >> layer >> RMSNorm(), tokens=tokens, width=width)
    report = algatt.dimension(net, seed=0)
    assert (report.status, report.lower) == ("proven", report.upper)
