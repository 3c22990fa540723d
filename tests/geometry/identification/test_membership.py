"""Polynomial maps that are functions of a network, in the closure, or not, from their coefficients."""

from __future__ import annotations

import shutil
from fractions import Fraction

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.fields import PrimeField, Rationals
from algatt.layers import Embedding, Feedforward, Linear, Power, Residual

FIGURE_1 = algatt.Lightning((2, 1), (2,), 2)
NARROW = algatt.Lightning((2, 1), (1,), 2)
MATRICES = algatt.Network(Linear(1) >> Linear(2), tokens=1, width=2)


def perceptron(hidden: int, power: int) -> algatt.Network:
    """The sums of `hidden` powers of linear forms in two variables."""
    return algatt.Network(Feedforward(hidden, Power(power), width=1), tokens=1, width=2)


def weights_of(arch: algatt.Network, seed: int) -> algatt.Weights:
    """Small rational weights."""
    numbers = algatt.flatten(algatt.sample(arch, algatt.Weights, field=PrimeField(13), seed=seed)).tolist()
    theta = algatt.unflatten(arch, algatt.Weights, [n - 6 for n in numbers], field=Rationals())
    assert isinstance(theta, algatt.Weights)
    return theta


@pytest.mark.parametrize(
    "arch", [FIGURE_1, NARROW, MATRICES, perceptron(1, 2), perceptron(2, 3), algatt.Lightning((2, 2), (1,), 2)]
)
@pytest.mark.parametrize("seed", [1, 2])
def test_functions_of_rational_weights_have_rational_weights(arch: algatt.Network, seed: int) -> None:
    function = algatt.coefficients(arch, weights_of(arch, seed))
    found = algatt.identify(function, arch)
    assert (bool(found), found.status, found.in_closure) == (True, "proven", True)
    again = algatt.coefficients(arch, found.theta)
    assert dict(zip(again.basis, again.vector, strict=True)) == dict(zip(function.basis, function.vector, strict=True))


def test_a_function_of_a_smaller_network() -> None:
    """Where the Jacobian has a lower rank."""
    function = algatt.coefficients(NARROW, weights_of(NARROW, 1))
    assert algatt.identify(function, FIGURE_1).status == "proven"


def test_a_function_of_a_larger_network_violates_an_equation() -> None:
    theta = weights_of(FIGURE_1, 1)
    found = algatt.identify(algatt.coefficients(FIGURE_1, theta), NARROW)
    assert (bool(found), found.status, found.in_closure) == (False, "proven", False)
    assert found.violation is not None
    assert found.violation.value != 0


def test_the_discriminant_of_a_quadric() -> None:
    """x^2 + y^2 is no multiple of a square: 4 a c - b^2 = 4."""
    found = algatt.identify({"y_1_1: x_1_1^2": 1, "y_1_1: x_2_1^2": 1}, perceptron(1, 2))
    assert (found.status, found.in_closure) == ("proven", False)
    assert abs(found.violation.value) == 4


@pytest.mark.parametrize(
    ("function", "arch", "equation"),
    [
        ({"y_1_1: x_1_1^3": 2}, perceptron(1, 2), "[y_1_1: x_1_1^3] = 2"),
        ({"y_1_1: 1": Fraction(1, 3)}, perceptron(1, 2), "[y_1_1: 1] = 1/3"),
        ({"y_1_1: x_1_1": 2, "y_2_1: x_2_1": 3}, MATRICES, None),  # of rank 2
    ],
)
def test_maps_outside(function: dict, arch: algatt.Network, equation: str | None) -> None:
    found = algatt.identify(function, arch)
    assert (bool(found), found.status, found.in_closure) == (False, "proven", False)
    assert equation is None or str(found.violation) == equation


def test_a_linear_relation_is_violated() -> None:
    """Both tokens have the same function: of the 20 coefficients 6 are independent."""
    found = algatt.identify({"y_1_1: x_1_1^3": 1}, FIGURE_1)
    assert (found.status, found.in_closure) == ("proven", False)
    assert all(len(factors) == 1 for factors, _ in found.violation.terms)


def test_a_limit_of_sums_of_two_cubes() -> None:
    """x^2 y = lim ((x + e y)^3 - x^3) / (3 e), and is no sum of two cubes (Sylvester): it is not claimed to be one."""
    found = algatt.identify({"y_1_1: x_1_1^2*x_2_1": 1}, perceptron(2, 3))
    assert (bool(found), found.status, found.in_closure) == (False, "undecided", True)


@pytest.mark.skipif(shutil.which("Singular") is None, reason="Singular is not installed")
def test_the_boundary_of_sums_of_two_cubes() -> None:
    """x^2 y is no sum of two cubes, and the real part of (x + i y)^3 is one over the complex numbers (Sylvester)."""
    found = algatt.identify({"y_1_1: x_1_1^2*x_2_1": 1}, perceptron(2, 3), groebner=True)
    assert (bool(found), found.status, found.in_closure) == (False, "proven", True)
    found = algatt.identify({"y_1_1: x_1_1^3": 1, "y_1_1: x_1_1*x_2_1^2": -3}, perceptron(2, 3), groebner=True)
    assert (bool(found), found.status, found.in_closure) == (False, "undecided", True)
    assert found.reason.startswith("complex weights have these coefficients")


def test_irrational_weights() -> None:
    """(x + sqrt(2) y)^3 + (x - sqrt(2) y)^3, the only way to write it as two cubes (Sylvester)."""
    found = algatt.identify({"y_1_1: x_1_1^3": 2, "y_1_1: x_1_1*x_2_1^2": 12}, perceptron(2, 3))
    assert (bool(found), found.status, found.in_closure) == (True, "numerical", True)
    assert found.difference < 1e-9


def test_a_closure_that_is_no_cone() -> None:
    """x + Ax with A of rank one: det(M - 1) = 0."""
    arch = algatt.Network(Residual(Linear(1) >> Linear(2)), tokens=1, width=2)
    assert algatt.identify({"y_1_1: x_1_1": 2, "y_2_1: x_2_1": 1}, arch).status == "proven"
    assert algatt.identify({"y_1_1: x_1_1": 2, "y_2_1: x_2_1": 2}, arch).violation.value == 1


@pytest.mark.parametrize(
    ("function", "arch", "message"),
    [
        ({"y_1_1: x_3_1": 1}, MATRICES, "a map from inputs of shape"),
        ({"y_1_2: x_1_1": 1}, MATRICES, "a map from inputs of shape"),
        ("y_1_1: x_1_1 2 3", MATRICES, "one with monomials and numbers, such as"),
        ({"x^2": 1}, MATRICES, "one with monomials and numbers, such as"),
        ({"y_1_1: x_1_1": "a"}, MATRICES, "one with rational numbers"),
        ({"y_1_1: x_1_1": float("nan")}, MATRICES, "one with rational numbers"),
        ({}, algatt.Softmax((2, 2), (1,), 2), "rational functions"),
        ({}, algatt.Network(Embedding(2, 2) >> Linear(1), tokens=1), "a network that reads vectors"),
    ],
)
def test_maps_that_are_none(function: object, arch: algatt.Network, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        algatt.identify(function, arch)


def test_bad_input() -> None:
    residues = algatt.sample(MATRICES, algatt.Weights, field=PrimeField(), seed=0)
    with pytest.raises(InvalidArgument, match="over Rationals"):
        algatt.identify(algatt.coefficients(MATRICES, residues), MATRICES)
    with pytest.raises(InvalidArgument, match="degree"):
        algatt.identify({}, MATRICES, degree=0)
