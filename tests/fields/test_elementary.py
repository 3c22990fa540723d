"""Residues with exponentials and roots, against laws of these functions and Euler's criterion."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algatt import Elementary, PrimeField
from algatt.errors import DomainError, InvalidArgument, MethodError
from algatt.fields import Dual, DualArray, Elements, Erf, Log, Positive, Sigmoid, Sqrt
from algatt.fields.functions import ELEMENTARY_PRIME
from algatt.fields.prime import square_roots, squares

# Remainders by 4 and by higher powers of 2: p - 1 has one factor 2, two of them, twenty, and one; the last two are
# above the table of squares, and above what floats hold.
PRIMES = (ELEMENTARY_PRIME, 1048589, 7340033, 2147483647, 2305843009213693951)

fields = st.sampled_from([Elementary(p, seed) for p in PRIMES for seed in (0, 3)])


def residues(field, number, count=6):
    """Return residues from the stream, and 0 and 1 and -1 among them."""
    drawn = np.random.default_rng(number).integers(field.p, size=count)
    return Elements.of(field, np.array([[0, 1, field.p - 1, *drawn]]))


@given(fields, st.integers(0, 100))
def test_exponentials_of_opposite_numbers_are_reciprocal(field, number):
    x = residues(field, number)
    assert ((x.exp() * (-x).exp()).raw == 1).all()
    assert x.exp().raw.flat[0] == 1
    assert (x.exp().raw != 0).all()


@given(fields, st.integers(0, 100))
def test_equal_arguments_have_equal_values_and_others_do_not(field, number):
    x = residues(field, number)
    both = np.concatenate([x.raw, x.raw[:, ::-1]], axis=1)
    values = Elements(field, both).exp().raw
    assert (values[0, : x.raw.size] == values[0, : x.raw.size - 1 : -1]).all()
    different = np.unique(x.raw).size
    assert np.unique(x.exp().raw).size == different


@given(fields, st.integers(0, 100))
def test_the_logistic_function_is_that_of_the_exponential(field, number):
    x = residues(field, number)
    one = x.entrywise(Sigmoid())
    assert ((one * (1 + (-x).exp())).raw == 1).all()
    assert ((one + (-x).entrywise(Sigmoid())).raw == 1).all()
    assert (2 * one).raw.flat[0] == 1


@given(fields, st.integers(0, 100))
def test_the_error_function_is_odd(field, number):
    x = residues(field, number)
    assert not (x.entrywise(Erf()) + (-x).entrywise(Erf())).raw.any()
    assert x.entrywise(Erf()).raw.flat[0] == 0


@given(fields, st.integers(0, 100))
def test_squares_are_those_of_eulers_criterion_and_have_roots(field, number):
    x = residues(field, number)
    are = squares(field, x.raw)
    assert are.ravel().tolist() == [pow(int(one), (field.p - 1) // 2, field.p) == 1 for one in x.raw.flat]
    square = (x * x).raw[:, 1:]
    roots = square_roots(field, square)
    assert ((Elements(field, roots) ** 2).raw == square).all()
    assert all(int(root) <= field.p // 2 for root in roots.flat)
    assert (Elements(field, square).sqrt().raw == roots).all()


def test_functions_have_their_derivatives():
    field = Elementary()
    x = residues(field, 5)
    inside = Elements(Dual(field), DualArray(x.raw, np.ones_like(x.raw)))
    e = x.exp()
    assert (inside.exp().raw.tangent == e.raw).all()
    one = x.entrywise(Sigmoid())
    assert (inside.entrywise(Sigmoid()).raw.tangent == (one * (1 - one)).raw).all()
    squares_of = Elements(field, (x * x).raw[:, 1:])
    inside = Elements(Dual(field), DualArray(squares_of.raw, np.ones_like(squares_of.raw)))
    assert ((2 * Elements(field, inside.sqrt().raw.tangent) * squares_of.sqrt()).raw == 1).all()
    assert ((Elements(field, inside.entrywise(Log()).raw.tangent) * squares_of).raw == 1).all()


def test_the_density_of_the_error_function_is_even():
    field = Elementary()
    x = residues(field, 5)
    slopes = [
        Elements(Dual(field), DualArray(y.raw, np.ones_like(y.raw))).entrywise(Erf()).raw.tangent for y in (x, -x)
    ]
    assert (slopes[0] == slopes[1]).all()
    assert np.unique(slopes[0]).size == np.unique((x * x).raw).size


def test_the_logarithm_of_one_is_zero():
    field = Elementary()
    assert Elements.of(field, np.array([[1]])).entrywise(Log()).raw.tolist() == [[0]]


def test_seeds_name_different_functions():
    x = np.array([[5.0, 6.0]])
    values = [Elements(Elementary(seed=seed), x).exp().raw.tolist() for seed in (0, 0, 1)]
    assert values[0] == values[1] != values[2]


@pytest.mark.parametrize("p", [2, 3, 31, 1048573])
def test_small_primes_are_refused(p):
    # 1048573 is the largest prime below 2^20.
    with pytest.raises(InvalidArgument, match=rf"p was {p}; it should be a prime of at least 2\^20, such as 8388587"):
        Elementary(p)
    assert PrimeField(p).p == p


@pytest.mark.parametrize("p", [2**20, 2**63 + 29, 0, -3, 1.5, "x"])
def test_what_is_no_prime_is_refused(p):
    with pytest.raises(InvalidArgument, match=r"^p was"):
        Elementary(p)


@pytest.mark.parametrize("seed", [1.5, "x", None])
def test_seeds_are_integers(seed):
    with pytest.raises(InvalidArgument, match=r"^seed was"):
        Elementary(seed=seed)


def test_the_smallest_prime_is_taken():
    assert Elementary(1048583).p == 1048583
    assert str(Elementary(1048583)) == "GF(1048583) with exp"
    assert repr(Elementary(1048583, 2)) == "Elementary(1048583, seed=2)"
    assert repr(Elementary()) == "Elementary(8388587)"
    assert ELEMENTARY_PRIME % 4 == 3


def test_what_has_no_value_is_told():
    field = Elementary()
    with pytest.raises(DomainError, match="logarithm of 0"):
        Elements.of(field, np.array([[0]])).entrywise(Log())
    with pytest.raises(DomainError, match="no square"):
        Elements.of(field, np.array([[4, field.p - 1]])).entrywise(Sqrt())
    with pytest.raises(DomainError, match="no square"):
        Elements.of(field, np.array([[0]])).sqrt()
    with pytest.raises(MethodError, match="a gate has no sign"):
        Elements.of(field, np.array([[1]])).entrywise(Positive())
