"""The function of a network as a vector of coefficients."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.fields import Rationals
from algatt.geometry import Coefficients
from algatt.layers import Feedforward, Linear, Power, Residual

NETWORKS = [
    algatt.Lightning(dims=(2, 1), ranks=(2,), tokens=2),
    algatt.Lightning(dims=(2, 2, 1), ranks=(1, 2), tokens=2),
    algatt.Network(Residual(Feedforward(3, Power(2), bias=True)) >> Linear(1), tokens=2, width=2),
]


def value_of(found: Coefficients, X: np.ndarray) -> np.ndarray:
    """Add up the monomials at an input of Python integers."""
    value = np.zeros(found.arch.output_shape, dtype=object)
    for one, number in zip(found.basis, found.vector, strict=True):
        value[one.row, one.column] += int(number) * math.prod(int(X[i, j]) ** power for i, j, power in one.powers)
    return value


@pytest.mark.parametrize("arch", NETWORKS, ids=repr)
def test_the_coefficients_are_those_of_the_values(arch: algatt.architectures.Architecture) -> None:
    field = algatt.PrimeField(8388593)
    theta = algatt.sample(arch, algatt.Weights, field=field, seed=3)
    found = algatt.coefficients(arch, theta)
    X = algatt.sample_inputs(arch, field=field, seed=4, count=1)[0]
    expected = np.asarray(algatt.evaluate(arch, theta, X), dtype=object)
    assert (value_of(found, np.asarray(X)) % field.p == expected).all()
    assert found.status == "proven"
    assert len(found.basis) == len(set(found.basis))


def test_those_of_one_layer_are_products_of_its_entries() -> None:
    """HMK Equation 12 for one layer, with A = K^T Q = [[a, b], [c, d]] and V = [v, w]: the part of y_1 that is
    quadratic in token 2 and linear in token 1 is (v x + w y) (x (a X + b Y) + y (c X + d Y)).
    """
    arch = algatt.Lightning(dims=(2, 1), ranks=(2,), tokens=2)
    a, b, c, d, v, w = 2, 3, 5, 7, 11, 13
    theta = algatt.Weights.of(
        [([[a, b], [c, d]], [[1, 0], [0, 1]], [[v, w]])], field=algatt.PrimeField(8388593)
    )  # K^T Q with K the identity
    found = algatt.coefficients(arch, theta)
    numbers = {str(one): int(number) for one, number in zip(found.basis, found.vector, strict=True)}
    assert numbers["y_1_1: x_1_1*x_1_2^2"] == v * a
    assert numbers["y_1_1: x_1_1*x_1_2*x_2_2"] == v * c + w * a
    assert numbers["y_1_1: x_1_1*x_2_2^2"] == w * c
    assert numbers["y_1_1: x_1_2^2*x_2_1"] == v * b
    assert numbers["y_1_1: x_1_2*x_2_1*x_2_2"] == v * d + w * b
    assert numbers["y_1_1: x_2_1*x_2_2^2"] == w * d
    assert numbers["y_1_1: x_1_1^3"] == v * a
    assert len(numbers) == 20


def test_the_basis_is_that_of_the_network_and_zeros_are_listed() -> None:
    arch = algatt.Lightning(dims=(2, 1), ranks=(2,), tokens=2)
    zero = algatt.Weights.of([(np.zeros((2, 2)), np.zeros((2, 2)), np.zeros((1, 2)))])
    found = algatt.coefficients(arch, zero)
    assert found.vector.tolist() == [0.0] * 20
    assert (str(found), found.status) == ("0", "numerical")


def test_fractions_stay_exact_and_floats_are_rounded_once() -> None:
    arch = algatt.Lightning(dims=(1, 1), ranks=(1,), tokens=1)
    entries = [([[Fraction(1, 3)]], [[Fraction(2, 7)]], [[Fraction(5)]])]
    exact = algatt.coefficients(arch, algatt.Weights.of(entries, field=Rationals()))
    assert [str(number) for number in exact.vector] == ["10/21"]
    tenth = algatt.coefficients(arch, algatt.Weights.of([([[0.1]], [[0.1]], [[0.1]])]))
    assert tenth.vector.tolist() == [float(Fraction(0.1) ** 3)]


def test_networks_and_fields_without_coefficients() -> None:
    softmax = algatt.Softmax(dims=(2, 2), ranks=(1,), tokens=2)
    with pytest.raises(InvalidArgument, match=r"which has exponentials, roots, gates or the like; it should"):
        algatt.coefficients(softmax, algatt.sample(softmax, algatt.Weights, field=algatt.Reals(), seed=0))
    arch = NETWORKS[0]
    theta = algatt.sample(arch, algatt.Weights, field=algatt.Balls(), seed=0)
    with pytest.raises(InvalidArgument, match="theta was over RR"):
        algatt.coefficients(arch, theta)
    with pytest.raises(InvalidArgument, match="arch was 3; it should be a network"):
        algatt.coefficients(3, theta)
