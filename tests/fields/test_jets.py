"""Jets against sums over all pairs of disjoint sets, and against tables of Taylor coefficients."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import factorial

import numpy as np
import pytest

from algatt import verbs
from algatt.errors import DivisionByZero, DomainError, InvalidArgument
from algatt.fields import Adjoint, AdjointArray, Exp, Jets, PrimeField, Sigmoid, Sqrt
from algatt.fields.adjoint import pull_back
from algatt.fields.jets import derivatives, jets

FIELD = Jets(PrimeField(), 3)
P = FIELD.characteristic

TAYLOR = {
    Exp: (0, [Fraction(1, factorial(k)) for k in range(4)]),
    Sigmoid: (0, [Fraction(1, 2), Fraction(1, 4), Fraction(0), Fraction(-1, 48)]),
    Sqrt: (1, [Fraction(1), Fraction(1, 2), Fraction(-1, 8), Fraction(1, 16)]),
}
"""Abramowitz and Stegun, 4.2.1, 23.1.20 (with Bernoulli numbers) and 3.6.11."""


def draw(label: str, *shape: int, constant: int | None = None) -> np.ndarray:
    raw = verbs.draw_array(FIELD, shape=shape, seed=1, label=label)
    if constant is not None:
        raw["S"][..., 0] = constant
    return raw


def residue(number: Fraction) -> int:
    return number.numerator * pow(number.denominator, -1, P) % P


def test_a_product_sums_over_disjoint_sets() -> None:
    left, right = draw("left", 2, 3), draw("right", 3, 2)
    one, other = (derivatives(raw).astype(int) for raw in (left, right))
    expected = np.zeros((8, 2, 2), dtype=int)
    for s, t in itertools.product(range(8), repeat=2):
        if not s & t:
            expected[s | t] += one[s] @ other[t] % P
    assert np.array_equal(derivatives(verbs.product(FIELD, left, right)), expected % P)


@pytest.mark.parametrize("kind", TAYLOR, ids=lambda kind: kind.__name__)
def test_functions_have_their_taylor_coefficients(kind: type) -> None:
    """The coefficient of all three variables of f(x) is a sum over partitions of the set (Faà di Bruno)."""
    point, coefficients = TAYLOR[kind]
    raw = draw("argument", constant=point)
    a = [int(number) for number in raw["S"]]
    value = verbs.entrywise(FIELD, kind(), raw)["S"]
    c = [residue(number) for number in coefficients]
    pairs = a[1] * a[6] + a[2] * a[5] + a[4] * a[3]
    expected = c[1] * a[7] + 2 * c[2] * pairs + 6 * c[3] * a[1] * a[2] * a[4]
    assert value[0] == c[0]
    assert value[7] == expected % P


@pytest.mark.parametrize("kind", TAYLOR, ids=lambda kind: kind.__name__)
def test_derivatives_backwards_are_those_of_a_function(kind: type) -> None:
    """f(x + d) - f(x) is f'(x) d where d is one variable that x has none of."""
    raw, step = draw("argument", 1, 1, constant=TAYLOR[kind][0]), np.zeros((1, 1), dtype=FIELD.dtype)
    raw["S"][..., 4:] = 0
    step["S"][..., 4] = 1
    moved = verbs.entrywise(FIELD, kind(), verbs.add(FIELD, raw, step))
    leaf = AdjointArray(raw)
    value = verbs.entrywise(Adjoint(FIELD), kind(), leaf)
    (slope,) = pull_back(FIELD, value, verbs.embed(FIELD, np.ones((1, 1), dtype=int)), [leaf])
    assert np.array_equal(moved["S"][..., 4:], slope["S"][..., :4])


def test_a_reciprocal_is_one() -> None:
    raw = draw("denominator", 4)
    one = verbs.multiply(FIELD, raw, verbs.reciprocal(FIELD, raw))
    assert np.array_equal(derivatives(one), derivatives(verbs.embed(FIELD, np.ones(4, dtype=int))))
    raw["S"][2, 0] = 0
    with pytest.raises(DivisionByZero):
        verbs.reciprocal(FIELD, raw)


def test_a_nilpotent_product_is_zero() -> None:
    """The square of one variable, which no pair of sizes reaches."""
    field = Jets(PrimeField(31), 1)
    raw = jets(field, np.array([0.0, 5.0])[:, None])
    assert not derivatives(verbs.multiply(field, raw, raw)).any()


@pytest.mark.parametrize("kind", TAYLOR, ids=lambda kind: kind.__name__)
def test_functions_have_no_other_values(kind: type) -> None:
    with pytest.raises(DomainError, match=f"at {TAYLOR[kind][0]} alone"):
        verbs.entrywise(FIELD, kind(), draw("argument", constant=2))


def test_large_primes_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="below 2\\^31"):
        Jets(PrimeField(2305843009213693951), 2)
