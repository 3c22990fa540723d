"""Products of powers of unknown numbers: solved where they were made of numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algatt import PrimeField, Reals, verbs
from algatt.fields import Elements, Rationals
from algatt.geometry.equality.networks.monomials import solve_monomials

exponents = st.lists(st.lists(st.integers(-3, 3), min_size=3, max_size=3), min_size=1, max_size=5)
numbers = st.lists(st.fractions(min_value=-9, max_value=9, max_denominator=9).filter(bool), min_size=3, max_size=3)


@given(exponents, numbers)
def test_solutions_are_found_over_the_rational_numbers(rows, chosen):
    """The powers are Python's fractions."""
    field = Rationals()
    values = []
    for row in rows:
        product = Fraction(1)
        for number, exponent in zip(chosen, row, strict=True):
            product *= number**exponent
        values.append(product)
    found = solve_monomials(field, np.array(rows), [Elements.of(field, [[value]]) for value in values])
    solution = [Fraction(int(one.raw[0, 0].p), int(one.raw[0, 0].q)) for one in found]
    for row, value in zip(rows, values, strict=True):
        product = Fraction(1)
        for number, exponent in zip(solution, row, strict=True):
            product *= number**exponent
        assert product == value


def test_roots_that_are_not_there():
    three_mod_7 = Elements.of(PrimeField(7), [[3]])  # squares modulo 7 are 1, 2 and 4
    assert solve_monomials(PrimeField(7), np.array([[2]]), [three_mod_7]) is None
    assert solve_monomials(Rationals(), np.array([[2]]), [Elements.of(Rationals(), [[2]])]) is None
    assert solve_monomials(Reals(), np.array([[2]]), [Elements.of(Reals(), [[-4.0]])]) is None


@pytest.mark.parametrize(
    ("field", "value", "degree"),
    [(PrimeField(7), 6, 3), (PrimeField(31), 5, 3), (PrimeField(8388593), 4, 2), (Rationals(), Fraction(-27, 8), 3)],
)
def test_roots(field, value, degree):
    """6 = -1 and 5 are cubes: (-1)^3, and 5^10 = 1 modulo 31 by hand (5^3 = 1)."""
    number = Elements.of(field, [[value]])
    root = verbs.root(field, number.raw, degree)
    if field == PrimeField(31):
        assert (root is None) == (pow(value, 10, 31) != 1)  # Euler's criterion
    else:
        assert (Elements(field, root) ** degree).raw[0, 0] == number.raw[0, 0]
