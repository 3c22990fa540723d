"""Rational functions as numbers."""

from __future__ import annotations

import numpy as np
import pytest

from algatt.errors import DivisionByZero, InvalidArgument
from algatt.fields import Elements, RationalFunctions
from algatt.fields.rational_function import Quotient, over_common_denominator


def test_quotients_are_in_lowest_terms() -> None:
    field = RationalFunctions(2)
    x, y = (Elements(field, one) for one in field.unknowns((2, 1, 1)))
    left, right = (x * x - y * y) / (x + y), (x * y) / (y * y)
    assert [str(left.raw[0, 0].numerator), str(left.raw[0, 0].denominator)] == ["v0 - v1", "1"]
    assert [str(right.raw[0, 0].numerator), str(right.raw[0, 0].denominator)] == ["v0", "v1"]
    total = (1 / (2 * x * y) + 1 / (2 * x * x)).raw[0, 0]  # (x + y) / (2 x^2 y)
    assert [str(total.numerator), str(total.denominator)] == ["1/2*v0 + 1/2*v1", "v0^2*v1"]
    assert (left - x + y).raw[0, 0] == 0
    assert ((x / y) @ (y / x)).raw[0, 0] == 1
    assert str(field) == "rational functions over QQ in 2 unknowns"
    assert field.characteristic == 0


def test_the_common_denominator_is_a_least_common_multiple() -> None:
    field = RationalFunctions(2)
    x, y = (Elements(field, one) for one in field.unknowns((2, 1, 1)))
    entries = np.concatenate([(1 / (x * y)).raw, (1 / (x * x)).raw, x.raw])
    common, numerators = over_common_denominator(entries)
    assert str(common) == "v0^2*v1"
    assert [str(one) for one in numerators.ravel()] == ["v0", "v1", "v0^3*v1"]


def test_zero_has_no_reciprocal_and_large_sums_are_refused() -> None:
    field = RationalFunctions(1)
    x = Elements(field, field.unknowns((1, 1)))
    with pytest.raises(DivisionByZero, match="zero for all weights and inputs"):
        (x - x).reciprocal()
    large = Quotient((1 + field.context.gen(0)) ** 10000, field.context.constant(1))
    with pytest.raises(InvalidArgument, match="100,020,001 products of terms"):
        large + large
