"""Bounds of the pseudo-dimension."""

from __future__ import annotations

import math

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Feedforward, Linear, ReLU
from training_networks import NETWORKS


def test_linear_functionals_have_their_dimension() -> None:
    """The pseudo-dimension of linear functionals on R^d is d (Anthony and Bartlett, Theorem 11.6)."""
    found = algatt.geometry.pseudo_dimension(algatt.Network(Linear(1), tokens=1, width=4))
    assert (found.lower, found.degree, found.parameters, found.status) == (4, 1, 4, "proven")
    # 2^20 < 2 (2 e 20 / 4)^4 and 2^21 > 2 (2 e 21 / 4)^4; Goldberg and Jerrum: 8 (3 + 1 / ln 2) = 35.5
    assert 2 * (10 * math.e) ** 4 > 2**20
    assert 2 * (10.5 * math.e) ** 4 < 2**21
    assert found.upper == 20


def test_the_lower_bound_is_the_dimension_and_not_the_parameters() -> None:
    found = algatt.geometry.pseudo_dimension(NETWORKS["linear"])
    assert found.lower == 8  # matrices 2 x 4 of rank 2, in 18 parameters
    assert (found.parameters, found.degree) == (18, 2)
    assert found.to_dict()["lower"] == 8


@pytest.mark.parametrize("hidden", [1, 3])
def test_gates_as_in_the_inequality(hidden: int) -> None:
    """One layer of k gates, of degree 1 in the weights, and a value of degree 2: by trying all m."""
    found = algatt.geometry.pseudo_dimension(algatt.Network(Feedforward(hidden, ReLU()), tokens=1, width=2))
    n = 4 * hidden
    assert (found.parameters, found.gates, found.degree) == (n, hidden, 2)
    satisfied = [
        m
        for m in range(n, 2000)
        if m * math.log(2) <= math.log(4) + n * math.log((2 * math.e * m / n) ** 2 * hidden * 2)
    ]
    assert found.upper == max(satisfied)
    assert found.lower < found.upper


def test_degrees_of_two_layers_of_gates() -> None:
    """Two layers of gates: the second has arguments of degree 3, the value has degree 4."""
    layers = Feedforward(2, ReLU()) >> Feedforward(3, ReLU())
    found = algatt.geometry.pseudo_dimension(algatt.Network(layers, tokens=1, width=2))
    assert (found.gates, found.degree) == (5, 4)
    assert "gates of an input" in found._repr_html_()


def test_no_upper_bound_without_a_degree() -> None:
    found = algatt.geometry.pseudo_dimension(NETWORKS["softmax"])
    assert (found.upper, found.degree, found.lower) == (None, None, 17)  # HMK Theorem 3.9: 2 a d - a^2 + d^2
    assert "no bound is known" in found._repr_html_()


def test_bad_input() -> None:
    with pytest.raises(InvalidArgument, match="arch was None"):
        algatt.geometry.pseudo_dimension(None)
    with pytest.raises(InvalidArgument, match="seed was -1"):
        algatt.geometry.pseudo_dimension(NETWORKS["linear"], seed=-1)
