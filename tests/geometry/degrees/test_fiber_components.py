"""Components of generic fibres, against what is known by hand."""

from __future__ import annotations

import pytest

import algatt
from algatt.errors import DegreeUndecided, InvalidArgument
from algatt.layers import Feedforward, Linear, Power

fiber_components = algatt.geometry.fiber_components


def perceptron(width: int, hidden: int, power: int) -> algatt.Network:
    """One output: the sums of `hidden` powers of linear forms."""
    return algatt.Network(Feedforward(hidden, Power(power), width=1), tokens=1, width=width)


def test_the_fibre_of_a_square_is_a_curve_of_degree_3() -> None:
    """(u, c) with c u u^T = M: the curve (s u, c / s^2), which a plane meets where a cubic in s vanishes."""
    found = fiber_components(perceptron(2, 1, 2))
    assert (found.count, found.degrees, found.dimension) == (1, (3,), 1)
    assert found.residual < 1e-7


def test_two_neurons_can_be_exchanged() -> None:
    """Each component is a product of two curves (s u, c / s^3). Its degree is twice the area of the polygon with the
    corners s, s^-3, t and t^-3: the diagonals have length 4.
    """
    found = fiber_components(perceptron(2, 2, 3))
    assert (found.count, found.degrees, found.dimension) == (2, (16, 16), 2)
    assert (found.discrete, found.unexplained) == (2, 1)


def test_linear_layers_of_rank_one_are_a_hyperbola_in_coordinates() -> None:
    found = fiber_components(algatt.Network(Linear(1) >> Linear(2), tokens=1, width=2))
    assert (found.count, found.degrees) == (1, (2,))


@pytest.mark.sample(0)  # docs/beyond_the_dimension.md has it
def test_values_and_keys_of_one_row_can_be_exchanged() -> None:
    """One row of values, rank one: (q . x) multiplies a product of linear forms (k . x)(v . x), in either order."""
    found = fiber_components(algatt.Lightning((2, 1), (1,), 2))
    assert (found.count, found.dimension) == (2, 2)
    assert (found.discrete, found.unexplained) == (1, 2)  # the normal form of the program does not show it


@pytest.mark.sample(0)
def test_two_squares_have_a_connected_fibre() -> None:
    """A quadratic form of rank 2 is c_1 l_1^2 + c_2 l_2^2 along a curve of orthogonal pairs, which connects the pairs
    (l_1, l_2) and (l_2, l_1). The dimension is proven by the determinant.
    """
    found = fiber_components(perceptron(3, 2, 2))
    assert (found.count, found.dimension, found.discrete) == (1, 3, 1)


@pytest.mark.sample(0)
def test_a_layer_of_rank_two_has_a_fibre_of_one_component() -> None:
    """HMK Theorem 3.2: GL(2) and one scaling, whose orbit has dimension 5."""
    found = fiber_components(algatt.Lightning((2, 1), (2,), 2))
    assert (found.count, found.dimension) == (1, 5)


def test_what_is_refused() -> None:
    with pytest.raises(DegreeUndecided, match="more than 3 points"):
        fiber_components(perceptron(2, 2, 3), points=3)
    with pytest.raises(InvalidArgument, match="seed"):
        fiber_components(perceptron(2, 1, 2), seed=-1)
    with pytest.raises(InvalidArgument, match="symmetries, fiber"):
        fiber_components(algatt.Softmax((2, 2), (1,), 2))
