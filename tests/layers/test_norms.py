"""RMSNorm (arXiv 1910.07467, equation 4) and LayerNorm (arXiv 1607.06450, equation 3), token by token."""

import math
from fractions import Fraction

import numpy as np
import pytest

from algatt import PrimeField, Reals
from algatt.errors import DivisionByZero, InvalidArgument, MethodError
from algatt.layers import LayerNorm, RMSNorm

X = [[1.0, -4.0], [2.0, 0.5], [-3.0, 0.25], [0.5, 2.0]]
G = [[2.0], [-1.0], [0.5], [3.0]]
B = [[1.0], [2.0], [-3.0], [0.0]]


def tokens(rows):
    return [list(column) for column in zip(*rows, strict=True)]


def rms_norm(x, gain, eps):
    root = math.sqrt(sum(entry * entry for entry in x) / len(x) + eps)
    return [g * entry / root for g, entry in zip(gain, x, strict=True)]


def layer_norm(x, gain, bias, eps):
    mean = sum(x) / len(x)
    variance = sum((entry - mean) ** 2 for entry in x) / len(x)
    return [g * (entry - mean) / math.sqrt(variance + eps) + b for g, b, entry in zip(gain, bias, x, strict=True)]


@pytest.mark.parametrize("eps", [0, 1e-6, 0.5, Fraction(1, 3), np.float32(0.1)])
def test_the_root_mean_square_of_each_token_becomes_one(is_real_value, eps):
    gains = [g for (g,) in G]
    is_real_value(RMSNorm(eps), {"norm.g": G}, X, tokens([rms_norm(x, gains, float(eps)) for x in tokens(X)]))
    is_real_value(RMSNorm(eps, gain=False), {}, X, tokens([rms_norm(x, [1] * 4, float(eps)) for x in tokens(X)]))


@pytest.mark.parametrize("eps", [0, 1e-5, 2, Fraction(1, 7)])
def test_mean_and_variance_of_each_token_become_zero_and_one(is_real_value, eps):
    gains, biases = ([entry for (entry,) in column] for column in (G, B))
    ones, zeros = [1] * 4, [0] * 4
    for gain, bias in ((True, True), (True, False), (False, True), (False, False)):
        tensors = ({"norm.g": G} if gain else {}) | ({"norm.b": B} if bias else {})
        used = (gains if gain else ones), (biases if bias else zeros)
        expected = tokens([layer_norm(x, *used, float(eps)) for x in tokens(X)])
        is_real_value(LayerNorm(eps, gain=gain, bias=bias), tensors, X, expected)


def test_over_a_prime_field_there_are_no_roots_of_all_numbers(value):
    with pytest.raises(MethodError):
        value(RMSNorm(), {"norm.g": [[1], [1]]}, [[1], [2]], PrimeField())


def test_without_epsilon_the_zero_vector_has_no_direction(value):
    with pytest.raises(DivisionByZero):
        value(RMSNorm(0, gain=False), {}, [[0.0], [0.0]], Reals())
    with pytest.raises(DivisionByZero):
        value(LayerNorm(0, gain=False, bias=False), {}, [[2.0], [2.0]], Reals())


@pytest.mark.parametrize("layer", [RMSNorm, LayerNorm])
@pytest.mark.parametrize("eps", [-1e-6, float("nan"), float("inf"), "1e-6", None, True])
def test_epsilon_is_a_finite_number(layer, eps):
    with pytest.raises(InvalidArgument, match=r"^eps was .*; it should be a finite number >= 0$"):
        layer(eps)


def test_numbers_of_numpy_become_those_of_python_without_a_change():
    for layer in (RMSNorm, LayerNorm):
        assert type(layer(np.float64(0.1)).eps) is float
        assert layer(np.float32(0.1)).eps == float(np.float32(0.1))
        assert type(layer(np.int64(2)).eps) is int


def test_gain_and_bias_are_true_or_false():
    with pytest.raises(InvalidArgument, match=r"^gain was 'no'; it should be True or False$"):
        RMSNorm(gain="no")
    with pytest.raises(InvalidArgument, match=r"^bias was 0; it should be True or False$"):
        LayerNorm(bias=0)
