"""Networks of layers that divide: over the reals a point without a function is told from rounded zeros."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.errors import UndefinedFunction
from algatt.layers import Affine, Feedforward, Heads, Power, Residual, Unnormalized


@pytest.mark.parametrize(
    ("layer", "divides"),
    [
        (Heads(1, score=Power(1)), True),
        (Residual(Heads(2, score=Affine(1, 1))), True),
        (Heads(1, score=Unnormalized()), False),
        (Feedforward(3, Power(2)), False),
        (Heads(1), False),  # the denominators of softmax are positive
    ],
    ids=repr,
)
def test_which_networks_divide(layer: algatt.layers.Layer, divides: bool) -> None:
    assert algatt.Network(layer, tokens=2, width=2).divides is divides


def test_a_denominator_that_rounding_hides() -> None:
    """One token, and A skew-symmetric: the only score is x^T A x = 0 and the weight 0 / 0, whatever rounding says."""
    net = verbs.expression(algatt.Normalized((2, 2), (2,), 1, Power(1)))
    A = np.array([[0.0, 0.1], [-0.1, 0.0]])
    theta = algatt.unflatten(net, algatt.Weights, np.concatenate([np.eye(2).ravel(), A.T.ravel(), np.eye(2).ravel()]))
    X = np.array([[0.83], [0.29]])  # also where products are added before they are rounded
    assert X.T @ A @ X != 0  # in floats
    with pytest.raises(UndefinedFunction, match="a point with no function"):
        algatt.evaluate(net, theta, X)
