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
    assert found.statement == "conjecture: fits 90 rows, predicted 30, refuted by none"
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


def test_too_few_and_contradicting_rows() -> None:
    with pytest.raises(InvalidArgument, match="results was 3 values; it should be 12 or more"):
        fit_formula([({"x": x}, x) for x in range(3)])
    with pytest.raises(InvalidArgument, match="one value at each sizes"):
        fit_formula([({"x": 1}, 1), ({"x": 1}, 2)])
    with pytest.raises(InvalidArgument, match="pairs of sizes and an integer"):
        fit_formula([({"x": 1}, 0.5)] * 12)
