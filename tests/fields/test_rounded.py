"""Numbers within rounding: what is zero, what is equal, and what is refused."""

from __future__ import annotations

import flint
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from algatt import verbs
from algatt.errors import NoValue
from algatt.fields import Elements, Rationals, Virtual
from algatt.fields.ball import midpoints
from algatt.fields.virtual.field import is_zero, written
from algatt.fields.virtual.rounded import Rounded, balls, within_rounding

FIELD = Rounded()


def numbers(middles, radius=1e-12):
    middles = np.array(middles, dtype=float)
    return Elements(FIELD, balls(middles, np.broadcast_to(radius, middles.shape).copy()))


def test_what_may_be_zero_is_zero():
    assert is_zero(numbers([[1e-13, -1e-13]]))
    assert not is_zero(numbers([[1e-13, 2e-12]]))
    assert not is_zero(numbers([[1.0]]) - numbers([[1.0 + 3e-12]]))
    assert is_zero(numbers([[1.0]]) - numbers([[1.0 + 1e-12]]))


def test_what_may_be_equal_is_equal_up_to_the_tolerance():
    one = written(numbers([[1.0, 2.0]]))
    assert one == written(numbers([[1.0 + 1.9e-12, 2.0 - 1.9e-12]]))
    assert one != written(numbers([[1.0 + 2.1e-12, 2.0]]))
    assert one != written(numbers([[1.0, 2.0 - 2.1e-12]]))
    assert one != written(numbers([[1.0], [2.0]]))
    assert written(numbers([[1.0, 1.0]])) != written(numbers([[1.0], [1.0]]))
    assert one != "another"
    # of numbers that are hardly known nothing is said
    assert written(numbers([[1.0, 1.0]], 1e-3)) != written(numbers([[1.0, 1.0 + 1e-6]], 1e-3))
    assert written(numbers([[1.0, 1.0]], 1e-3)) == written(numbers([[1.0, 1.0 + 5e-9]], 1e-3))
    assert written(numbers([[1.0]])) != written(numbers([[0.5]], 1.0))
    assert written(numbers([[0.0]])) == written(numbers([[1e-13]]))


def test_a_content_takes_the_name_of_the_only_one_that_it_may_be():
    field = Virtual(FIELD)
    first, second, between = (("x", written(numbers([[middle]]))) for middle in (1.0, 1.0 + 3e-12, 1.0 + 1.5e-12))
    assert [field.name(one) for one in (first, second, ("y", first[1]), first)] == [0, 1, 2, 0]
    assert field.name(("x", written(numbers([[1.0 - 1.5e-12]])))) == 0
    with pytest.raises(NoValue, match="equal to two"):
        field.name(between)


def test_a_denominator_has_to_be_known():
    half = numbers([[2.0, -4.0]], 1e-9).reciprocal()
    assert all(ball.contains(flint.arb(value)) for ball, value in zip(half.raw[0], (0.5, -0.25), strict=True))
    for middle, radius in ((1.0, 2e-8), (0.0, 0.0), (1e-12, 1e-12), (-1.0, 2.0)):
        with pytest.raises(NoValue, match="denominator"):
            numbers([[1.0, middle]], np.array([[0.0, radius]])).reciprocal()


@given(st.lists(st.floats(-1e3, 1e3).filter(lambda one: not 0 < abs(one) < 1e-30), min_size=4, max_size=4))
@pytest.mark.parametrize(("precision", "kind"), [(24, np.float32), (53, np.float64)])
def test_errors_of_weights_cover_rounding(precision, kind, entries):
    exact = np.array(entries).reshape(2, 2)
    rounded = exact.astype(kind).astype(float)
    found = within_rounding(FIELD, rounded, precision)
    assert all(ball.contains(flint.arb(value)) for ball, value in zip(found.raw.flat, exact.flat, strict=True))
    radii = np.array([float(ball.rad()) for ball in found.raw.flat]).reshape(2, 2)
    assert np.all(radii <= 2.0 ** (5.1 - precision) * (np.abs(rounded) + np.abs(rounded).max(axis=1, keepdims=True)))
    assert np.all(radii >= 2.0 ** (4.9 - precision) * np.abs(rounded))


def test_errors_of_entries_are_beside_the_smaller_of_row_and_column():
    radii = [
        [float(ball.rad()) * 2.0**48 for ball in row] for row in within_rounding(FIELD, np.diag([8, 1e-6]), 53).raw
    ]
    small = 1e-6 / np.sqrt(2)
    np.testing.assert_allclose(radii, [[8 + 8 / np.sqrt(2), small], [small, 1e-6 + small]], rtol=1e-6)
    for vector in (np.array([[1.0], [0.0]]), np.array([[1.0, 0.0]]), np.array([1.0, 0.0])):
        found = within_rounding(FIELD, vector, 53).raw
        assert found.shape == vector.shape
        np.testing.assert_allclose(float(found.flat[1].rad()) * 2.0**48, 1 / np.sqrt(2), rtol=1e-6)


@given(st.integers(0, 2**32), st.integers(1, 4), st.integers(1, 6))
def test_row_forms_have_the_pivots_and_entries_of_exact_ones(seed, rank, columns):
    draw = np.random.default_rng(seed)
    exact = draw.integers(-4, 5, (4, rank)) @ draw.integers(-4, 5, (rank, columns))
    form = verbs.echelon(Elements(Rationals(), verbs.embed(Rationals(), exact)))
    found = verbs.echelon(numbers(exact, 1e-14))
    assert found.pivots == form.pivots
    for ball, entry in zip(found.matrix.flat, form.matrix.flat, strict=True):
        assert abs(float(ball) - float(entry.p) / float(entry.q)) <= float(ball.rad()) + 1e-12
        assert float(ball.rad()) < 1e-8 * np.abs(midpoints(found.matrix)).max()
    assert all((found.matrix[:, list(found.pivots)] == np.eye(len(found.pivots))).flat)


def test_a_column_that_depends_on_others_has_no_pivot_by_their_errors():
    """The fourth is 20 times the first, less 17 times the second and 7 times the third."""
    matrix = [[-17, -15, -14, 13, -2], [11, 9, 10, -3, 2], [24, 20, 20, 0, 20], [17, 14, 13, 11, 31]]
    for radius in (1e-14, 1e-12):
        assert verbs.echelon(numbers(matrix, radius)).pivots == (0, 1, 2)
    near = np.array(matrix) + 1e-12 * np.sign(matrix) * [[1], [-1], [1], [-1]] * [1, -1, 1, 0, 0]
    assert verbs.echelon(numbers(near)).pivots == (0, 1, 2)


def test_row_forms_have_errors_that_cover_those_of_the_numbers():
    matrix = np.array([[1.0, 2.0, 3.0], [2.0, 4.001, 5.0]])
    radius = 1e-12
    found = verbs.echelon(numbers(matrix, radius)).matrix
    for signs in np.array(np.meshgrid(*[[-1, 1]] * 6)).reshape(6, -1).T:
        near = matrix + radius * signs.reshape(2, 3)
        column = np.linalg.solve(near[:, :2], near[:, 2])
        assert all(
            abs(float(ball) - value) <= float(ball.rad()) * 1.01
            for ball, value in zip(found[:, 2], column, strict=True)
        )
    with pytest.raises(NoValue, match="row form"):
        verbs.echelon(numbers(matrix + np.array([[0, 0, 0], [0, -0.001 + 1e-9, 0]])))
