"""Formulas from data alone: those of theorems are found, and a wrong row refutes them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algatt.errors import InvalidArgument, NoFormula
from algatt.sweeps import fit_formula

Rows = list[tuple[dict[str, int], int]]


def rows_of(function: Callable[..., int], where: Callable[..., bool] = lambda **_: True, **sizes: range) -> Rows:
    points = (dict(zip(sizes, values, strict=True)) for values in itertools.product(*sizes.values()))
    return [(point, function(**point)) for point in points if where(**point)]


def one_layer(d: int, e: int, a: int) -> int:
    """Equation 7."""
    alpha = min(a, d)
    return alpha * (2 * d - alpha) + d * e - 1


def test_equation_7() -> None:
    rows = rows_of(one_layer, d=range(1, 6), e=range(1, 5), a=range(1, 7))
    found = fit_formula(rows)
    assert str(found) == "d*e + 2*d*min(d, a) - min(d, a)**2 - 1"
    assert found.statement == "conjecture: fits 120 distinct points, predicted 120, refuted by none"
    assert found.unique
    assert found.value({"d": 50, "e": 7, "a": 20}) == 20 * 80 + 350 - 1
    assert found.formula({"d": 3, "e": 2, "a": 9}).value == 14
    assert not found.formula({"d": 3, "e": 2, "a": 9}).theorem
    assert found.latex() == r"d\,e + 2\,d\,\min(d, a) - \min(d, a)^2 - 1"


@pytest.mark.parametrize("place", [0, 17, 118])
def test_a_wrong_row_refutes_the_formula(place: int) -> None:
    rows = rows_of(one_layer, d=range(1, 6), e=range(1, 5), a=range(1, 7))
    sizes, value = rows[place]
    rows[place] = (sizes, value + 1)
    found = fit_formula(rows)
    assert [*found.refuted] == [(sizes, value + 1)]
    assert "refuted by 1" in found.statement
    assert found.value(sizes) == value


def test_walls_of_three_sizes_and_sums() -> None:
    """d - min(d, a, 2 b + e) is seen at the wall of a sum alone."""
    found = fit_formula(rows_of(lambda d, b, e: d * e - min(d, 2 * b + e), d=range(1, 9), b=range(1, 4), e=range(1, 4)))
    assert not found.refuted
    assert found.value({"d": 40, "b": 5, "e": 7}) == 280 - 17


def test_a_wrong_row_where_a_wall_is_a_sum() -> None:
    rows = rows_of(lambda d, b, e: d * e - min(d, 2 * b + e), d=range(1, 9), b=range(1, 4), e=range(1, 4))
    sizes, value = rows[40]
    rows[40] = (sizes, value + 1)
    found = fit_formula(rows)
    assert [*found.refuted] == [(sizes, value + 1)]
    assert found.value({"d": 40, "b": 5, "e": 7}) == 280 - 17


@settings(max_examples=10)
@given(st.lists(st.fractions(-9, 9, max_denominator=4), min_size=10, max_size=10))
def test_any_polynomial_is_found(factors: list[Fraction]) -> None:
    """Multiples by 4 * 3 * 4 have integral values."""
    powers = [(i, j) for i in range(4) for j in range(4) if i + j < 4]

    def function(x: int, y: int) -> int:
        return int(sum(12 * factor * x**i * y**j for factor, (i, j) in zip(factors, powers, strict=True)))

    found = fit_formula(rows_of(function, x=range(1, 7), y=range(1, 7)))
    assert found.value({"x": 20, "y": 30}) == function(20, 30)


def test_nothing_is_found_in_noise() -> None:
    with pytest.raises(NoFormula, match="no polynomial of degree 3 in x, y"):
        fit_formula(rows_of(lambda x, y: (x * 7919 + y * 104729) % 101, x=range(1, 7), y=range(1, 7)))


@pytest.mark.parametrize("levels", [2, 3, 4, 5])
def test_values_of_a_size_that_any_polynomial_fits_are_no_evidence(levels: int) -> None:
    """2^d is no polynomial, whatever d are asked: k values of d are fitted by the degree k - 1."""
    with pytest.raises(NoFormula, match=rf"{levels} values of d are too few, since none is"):
        fit_formula(rows_of(lambda d, a: 2**d + a, d=range(1, levels + 1), a=range(1, 19)))


def test_sizes_that_change_nothing_are_no_evidence() -> None:
    """54 rows, 9 points: the table of any numbers is fitted, and the tenth refutes it."""
    table = {(x, y): (7 * x + 11 * y + 3 * x * x * y * y) % 13 for x in range(1, 4) for y in range(1, 4)}
    with pytest.raises(NoFormula, match="gives the 54 values, which are 9 distinct points: "):
        fit_formula(rows_of(lambda x, y, z: table[x, y], x=range(1, 4), y=range(1, 4), z=range(1, 7)))
    with pytest.raises(NoFormula, match="gives the 54 values, which are 9 distinct points: "):
        fit_formula(rows_of(lambda x, y, z: x + 2 * y, x=range(1, 4), y=range(1, 4), z=range(1, 7)))
    found = fit_formula(rows_of(lambda x, y, z: x + 2 * y, x=range(1, 5), y=range(1, 4), z=range(1, 7)))
    assert (str(found), found.rows, found.points, found.predicted) == ("x + 2*y", 72, 12, 12)
    assert found.statement == "conjecture: fits 12 distinct points (72 rows), predicted 12, refuted by none"


def test_a_wrong_row_among_few_points_is_no_evidence_either() -> None:
    rows = rows_of(lambda x, y, z: x + 2 * y, x=range(1, 4), y=range(1, 4), z=range(1, 7))
    rows[20] = (rows[20][0], 0)
    with pytest.raises(NoFormula):
        fit_formula(rows)


def test_points_that_no_others_predict_are_not_counted() -> None:
    """Of y = 3 and 4 there is x = 1 alone. Without the points of x = 1 the square of y is free at these; without those
    of y = 1, or of 2, one value of y is left at x > 1, and y x is free. (1, 1) and (1, 2) follow each time.
    """
    rows = rows_of(lambda x, y: x + y * y, lambda x, y: y < 3 or x == 1, x=range(1, 7), y=range(1, 5))
    found = fit_formula(rows)
    assert (str(found), found.points, found.predicted) == ("y**2 + x", 14, 2)


def test_degrees_in_each_size_are_as_small_as_they_can_be() -> None:
    """Four values of w are enough for its square, though the degree of the whole is three."""
    found = fit_formula(rows_of(lambda k, w, v: k * (w * w + v * v), k=range(1, 4), w=range(1, 5), v=range(1, 5)))
    assert str(found) == "k*w**2 + k*v**2"
    assert (found.points, found.predicted) == (48, 48)


def test_a_constant_is_a_formula_of_all_points() -> None:
    found = fit_formula(rows_of(lambda x, y: 7, x=range(1, 5), y=range(1, 4)))
    assert (str(found), found.points, found.predicted) == ("7", 12, 12)


def test_the_order_of_the_names_makes_no_other_point() -> None:
    rows = rows_of(lambda x, y: 2**x + y, x=range(1, 4), y=range(1, 4))
    with pytest.raises(InvalidArgument, match="results was 9 values"):
        fit_formula([*rows, *(({"y": one["y"], "x": one["x"]}, value) for one, value in rows)])


def test_too_few_and_contradicting_rows() -> None:
    with pytest.raises(InvalidArgument, match="results was 3 values; it should be 12 or more"):
        fit_formula([({"x": x}, x) for x in range(3)])
    with pytest.raises(InvalidArgument, match="one value at each sizes"):
        fit_formula([({"x": 1}, 1), ({"x": 1}, 2)])
    with pytest.raises(InvalidArgument, match="pairs of sizes and an integer"):
        fit_formula([({"x": 1}, 0.5)] * 12)
