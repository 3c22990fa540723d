"""Polynomials as numbers."""

from __future__ import annotations

import numpy as np
import pytest

from algatt.errors import DivisionByZero, InvalidArgument
from algatt.fields import Elements, Polynomials
from algatt.fields.polynomial import check_products


@pytest.mark.parametrize("p", [0, 31])
def test_products_are_multiplied_out(p: int) -> None:
    field = Polynomials(2, p)
    X = Elements(field, field.unknowns((1, 2)))
    square = (X + 1) @ (X + 1).T
    assert str(square.raw[0, 0]) == "v0^2 + 2*v0 + v1^2 + 2*v1 + 2"
    assert field.characteristic == p


def test_constants_are_in_the_ring() -> None:
    field = Polynomials(1)
    value = Elements(field, field.unknowns((1, 1))) / np.array([[4]])
    assert str(value.raw[0, 0]) == "1/4*v0"
    assert str(Elements.of(Polynomials(1, 7), np.array([[10]])).raw[0, 0]) == "3"
    assert str(field) == "polynomials over QQ in 1 unknowns"


def test_polynomials_have_no_reciprocals() -> None:
    field = Polynomials(1)
    with pytest.raises(DivisionByZero, match="no constant"):
        Elements(field, field.unknowns((1, 1))).reciprocal()


def test_products_that_are_too_large_are_refused_before_they_are_computed() -> None:
    x = Polynomials(1).context.gen(0)
    large = np.empty(1, dtype=object)
    large[0] = (1 + x) ** 10000
    terms = np.empty((300, 300), dtype=object)
    terms.fill(1 + x)
    check_products(np.matmul, terms[:100, :100], terms[:100, :100])  # 100^3 products of 4
    with pytest.raises(InvalidArgument, match="108,000,000 products of terms"):
        check_products(np.matmul, terms, terms)
    with pytest.raises(InvalidArgument, match="100,020,001 products of terms; it should be a smaller one"):
        check_products(np.multiply, large, large)
