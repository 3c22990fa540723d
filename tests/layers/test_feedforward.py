"""Feedforward networks, neuron by neuron (arXiv 1706.03762, section 3.3; gated: 2002.05202, equations 5 and 6)."""

import math

import pytest

from algatt.errors import InvalidArgument
from algatt.layers import GELU, Affine, Feedforward, Power, ReLU, SiLU, Tanh

UP, GATE, DOWN = [[1, 2], [3, -1], [0, 1]], [[2, 1], [-1, 1], [1, 1]], [[1, 0, 2], [3, 1, -1]]
B_UP, B_GATE, B_DOWN = [[1], [0], [2]], [[0], [-1], [3]], [[5], [7]]
X = [[1, -2], [3, 1]]


def apply(W, b, x):
    return [sum(w * entry for w, entry in zip(row, x, strict=True)) + shift for row, (shift,) in zip(W, b, strict=True)]


def feedforward(function, gated, biased):
    zero = [[0]] * 3
    b_up, b_gate, b_down = (B_UP, B_GATE, B_DOWN) if biased else (zero, zero, [[0], [0]])
    columns = []
    for x in zip(*X, strict=True):
        inner, gates = apply(UP, b_up, x), apply(GATE, b_gate, x)
        hidden = [function(g) * u if gated else function(u) for g, u in zip(gates, inner, strict=True)]
        columns.append(apply(DOWN, b_down, hidden))
    return [list(row) for row in zip(*columns, strict=True)]


def tensors(gated, biased):
    used = {"up": UP} | ({"gate": GATE} if gated else {}) | {"down": DOWN}
    biases = {"b_up": B_UP} | ({"b_gate": B_GATE} if gated else {}) | {"b_down": B_DOWN}
    return {f"feedforward.{name}": array for name, array in (used | biases if biased else used).items()}


@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize(("activation", "function"), [(Power(2), lambda x: x * x), (Affine(2, 3), lambda x: 2 * x + 3)])
def test_rational_activations_in_every_field(is_value, activation, function, gated, biased):
    layer = Feedforward(3, activation, gated=gated, bias=biased)
    is_value(layer, tensors(gated, biased), X, feedforward(function, gated, biased))


REAL = [
    (SiLU(), lambda x: x / (1 + math.exp(-x))),
    (GELU(), lambda x: x * (1 + math.erf(x / math.sqrt(2))) / 2),
    (Tanh(), math.tanh),
]


@pytest.mark.parametrize("gated", [False, True])
@pytest.mark.parametrize(("activation", "function"), REAL)
def test_others_over_the_reals(is_real_value, activation, function, gated):
    is_real_value(
        Feedforward(3, activation, gated=gated, bias=True), tensors(gated, True), X, feedforward(function, gated, True)
    )


def test_a_width_of_its_own(is_value):
    shifted = {"feedforward.up": UP, "feedforward.down": DOWN[:1]}
    is_value(Feedforward(3, Power(1), width=1), shifted, X, feedforward(lambda x: x, False, False)[:1])


def test_rectifiers_are_the_larger_of_zero_and_the_argument(value):
    from algatt.fields import Reals

    expected = feedforward(lambda x: max(x, 0), True, False)
    assert value(Feedforward(3, ReLU(), gated=True), tensors(True, False), X, Reals()).tolist() == expected


def test_what_the_slots_may_hold():
    with pytest.raises(
        InvalidArgument, match=r"^activation was 'relu'; it should be an activation, such as algatt\.layers\.GELU\(\)$"
    ):
        Feedforward(3, "relu")
    with pytest.raises(InvalidArgument, match=r"^hidden was 0; it should be an integer >= 1$"):
        Feedforward(0)
    with pytest.raises(InvalidArgument, match=r"^width was 1\.5; it should be an integer >= 1$"):
        Feedforward(2, width=1.5)
    with pytest.raises(InvalidArgument, match=r"^gated was 'yes'; it should be True or False$"):
        Feedforward(2, gated="yes")
