"""Activations and their derivatives against closed formulas."""

import math
from fractions import Fraction

import numpy as np
import pytest

from algatt import PrimeField, Reals
from algatt.errors import DomainError, MethodError
from algatt.fields import Balls, Dual, DualArray, Elements
from algatt.layers import (
    ELU,
    GELU,
    Activation,
    Affine,
    Exponential,
    Power,
    Rational,
    ReLU,
    Sigmoid,
    SiLU,
    Softplus,
    Tanh,
    TanhGELU,
    activate,
)
from algatt.testing import examples

POINTS = [-30.0, -6.0, -2.5, -1.0, -0.1, 0.2, 0.5, 1.0, 3.25, 7.0, 30.0]
ROOT = math.sqrt(2 / math.pi)


def normal(x):
    return math.exp(-x * x / 2) / math.sqrt(2 * math.pi)


def sigma(x):
    return 1 / (1 + math.exp(-x))


def inner(x):
    return ROOT * (x + 0.044715 * x**3)


FORMULAS = {
    ReLU(): (lambda x: max(x, 0.0), lambda x: float(x > 0)),
    ELU(): (lambda x: x if x > 0 else math.expm1(x), lambda x: 1 if x > 0 else math.exp(x)),
    ELU(shift=1): (lambda x: x + 1 if x > 0 else math.exp(x), lambda x: 1 if x > 0 else math.exp(x)),
    SiLU(): (lambda x: x * sigma(x), lambda x: sigma(x) + x * sigma(x) * (1 - sigma(x))),
    Sigmoid(): (sigma, lambda x: sigma(x) * sigma(-x)),
    Softplus(): (lambda x: max(x, 0.0) + math.log1p(math.exp(-abs(x))), sigma),
    Tanh(): (math.tanh, lambda x: 1 - math.tanh(x) ** 2),
    GELU(): (
        lambda x: x * math.erfc(-x / math.sqrt(2)) / 2,
        lambda x: math.erfc(-x / math.sqrt(2)) / 2 + x * normal(x),
    ),
    TanhGELU(): (
        lambda x: x * (1 + math.tanh(inner(x))) / 2,
        lambda x: (
            (1 + math.tanh(inner(x))) / 2 + x / 2 * (1 - math.tanh(inner(x)) ** 2) * ROOT * (1 + 3 * 0.044715 * x**2)
        ),
    ),
    Power(3): (lambda x: x**3, lambda x: 3 * x**2),
    Affine(-2, 3): (lambda x: 3 - 2 * x, lambda x: -2),
    Rational((1,), (5, 0, 1)): (lambda x: 1 / (5 + x * x), lambda x: -2 * x / (5 + x * x) ** 2),
    Exponential(2): (lambda x: math.exp(x / 2), lambda x: math.exp(x / 2) / 2),
}


@pytest.mark.parametrize("activation", FORMULAS, ids=repr)
def test_values_and_derivatives_in_floats_and_in_balls(activation):
    function, slope = FORMULAS[activation]
    for field in (Reals(), Balls()):
        dual = Dual(field)
        raw, ones = (Elements.of(field, np.array([row])).raw for row in (POINTS, [1.0] * len(POINTS)))
        value = activate(activation, Elements(dual, DualArray(raw, ones[None]))).raw
        assert np.allclose([float(x) for x in value.value.flat], [function(x) for x in POINTS], rtol=1e-13, atol=1e-14)
        assert np.allclose([float(x) for x in value.tangent.flat], [slope(x) for x in POINTS], rtol=1e-12, atol=1e-14)


def test_every_activation_is_looked_at():
    ours = {type(one) for one, _ in examples(Activation) if type(one).__module__.startswith("algatt.")}
    assert ours == set(map(type, FORMULAS))


@pytest.mark.parametrize(
    "activation", [ELU(), ReLU(), SiLU(), Sigmoid(), Softplus(), Tanh(), GELU(), TanhGELU()], ids=repr
)
def test_a_prime_field_has_no_values_of_what_is_not_rational(activation):
    with pytest.raises(MethodError):
        activate(activation, Elements.of(PrimeField(), [[1, 2]]))


def test_a_rectifier_at_zero_is_closed_over_balls_and_floats():
    """A ball around zero is none: its gate is open or closed."""
    assert [float(entry) for entry in activate(ReLU(), Elements.of(Balls(), [[1.0, 0.0]])).raw.flat] == [1.0, 0.0]
    around = Elements.of(Balls(), [[1.0]]) * Fraction(1, 3) - Fraction(1, 3)
    with pytest.raises(DomainError, match=r"^a gate is at zero, or not told from zero with 128 bits$"):
        activate(ReLU(), around)
    assert activate(ReLU(), Elements.of(Reals(), [[1.0, 0.0]])).raw.tolist() == [[1.0, 0.0]]
