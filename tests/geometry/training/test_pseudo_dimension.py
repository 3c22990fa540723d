"""Bounds of the pseudo-dimension."""

from __future__ import annotations

import math

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.geometry.training.pfaffian_degrees import PfaffianDegree, PfaffianDegrees
from algatt.geometry.training.pseudo_dimension import growth
from algatt.layers import GELU, Affine, Feedforward, Heads, Layer, Linear, Power, ReLU, RMSNorm, Score, SiLU
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


def test_softmax_by_the_inequality_in_whole_numbers() -> None:
    """Each of 21 samples has four exponentials, of products of degree 2, and two sums: 42 variables besides 21 weights
    and a chain of 84, with derivatives of degree 2. Values have degree 3, so squares of them degree 6.
    """
    found = algatt.geometry.pseudo_dimension(NETWORKS["softmax"])
    assert (found.degree, found.functions, found.lower) == (None, 6, 17)  # HMK Theorem 3.9: 2 a d - a^2 + d^2
    n, N, q, D, alpha = 21, 63, 84, 6, 2
    twice = 2 ** (q * (q - 1) // 2) * D * (D + alpha - 1) ** N * (64 * alpha + D + N * (D + alpha - 1) - N) ** q
    satisfied = [m for m in range(n, 6000) if m + 1 <= math.log2(twice) + n * math.log2(math.e * m / n)]
    assert found.upper == max(satisfied) == 4614
    assert "functions of an input" in found._repr_html_()


@pytest.mark.parametrize(
    ("layer", "functions", "value", "derivatives"),
    [
        (Feedforward(3, SiLU(), gated=True), 3, 4, 2),  # down * up * gate * sigmoid(gate); s (1 - s) g'
        (Feedforward(3, GELU()), 6, 3, 3),  # erf and its derivative exp(-g^2), 2 g g' of it
        (RMSNorm() >> Linear(2), 0, 2, 0),  # the norm of inputs is a constant
        (Linear(2) >> RMSNorm() >> Linear(2), 2, 4, 0),  # U g (W x) times the reciprocal of a root
    ],
)
def test_functions_and_degrees_by_hand(layer: Layer, functions: int, value: int, derivatives: int) -> None:
    found = growth(algatt.Network(layer, tokens=1, width=3))
    assert found is not None
    assert found.chain + found.inverses == functions
    assert found.degree_of_derivatives == derivatives
    assert found.layers == ((1, value),)


@pytest.mark.parametrize("name", NETWORKS)
def test_bounds_are_in_order(name: str) -> None:
    found = algatt.geometry.pseudo_dimension(NETWORKS[name])
    assert found.upper is not None
    assert found.lower <= found.parameters <= found.upper


def test_signs_are_those_of_numbers() -> None:
    """Signs that are seen hold at all weights: sums, products and squares of numbers, and their exponentials."""
    rng = np.random.default_rng(0)
    degrees = PfaffianDegrees()
    numbers = [rng.integers(-2, 3, (3, 3)) for _ in range(4)]
    symbols = [Elements.of(degrees, number) for number in numbers]
    symbols[0] = Elements(degrees, PfaffianDegree(1, np.zeros((3, 3), dtype=int)))
    seen = 0
    for _ in range(300):
        i, j = rng.integers(0, len(numbers), 2)
        kind = rng.integers(0, 5)
        operations = [lambda x, y: x + y, lambda x, y: x * y, lambda x, y: x @ y, lambda x, y: x * x, lambda x, y: -x]
        number, symbol = (operations[kind](pool[i], pool[j]) for pool in (numbers, symbols))
        assert np.all(number[symbol.raw.signs >= 1] >= 0)
        assert np.all(number[symbol.raw.signs == 2] > 0)
        seen += int(np.sum(symbol.raw.signs > 0))
        if abs(number).max() < 10**6:
            numbers, symbols = [*numbers, number], [*symbols, symbol]
    assert seen > 300


@pytest.mark.parametrize("score", [Affine(1, 1), Power(2)])
def test_a_denominator_that_may_vanish_has_no_bound(score: Score) -> None:
    """Between poles a function may have components without end for all that Khovanskii's theorem says."""
    found = algatt.geometry.pseudo_dimension(algatt.Network(Heads(1, width=2, score=score), tokens=2, width=2))
    assert (found.upper, found.degree) == (None, None)
    assert "no bound is known" in found._repr_html_()


def test_bad_input() -> None:
    with pytest.raises(InvalidArgument, match="arch was None"):
        algatt.geometry.pseudo_dimension(None)
    with pytest.raises(InvalidArgument, match="seed was -1"):
        algatt.geometry.pseudo_dimension(NETWORKS["linear"], seed=-1)
