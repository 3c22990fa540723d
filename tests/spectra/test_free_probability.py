"""The calculus of sequences against sums over noncrossing partitions, and against laws whose moments are known."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb, prod

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from algatt.errors import InvalidArgument
from algatt.spectra import (
    cumulants_of_moments,
    free_additive_convolution,
    free_multiplicative_convolution,
    moment_polynomials,
    moments_of_cumulants,
    moments_of_r_diagonal,
)


def partitions(points: tuple[int, ...]) -> Iterator[list[tuple[int, ...]]]:
    """Iterate over all set partitions."""
    if not points:
        yield []
        return
    first, rest = points[0], points[1:]
    for size in range(len(rest) + 1):
        for others in combinations(rest, size):
            for remaining in partitions(tuple(p for p in rest if p not in others)):
                yield [(first, *others), *remaining]


def is_noncrossing(blocks: list[tuple[int, ...]]) -> bool:
    """Return whether no a < b < c < d has a, c in one block and b, d in another."""
    block_of = {p: i for i, block in enumerate(blocks) for p in block}
    return not any(
        block_of[a] == block_of[c] != block_of[b] == block_of[d] for a, b, c, d in combinations(sorted(block_of), 4)
    )


@functools.cache
def noncrossing(order: int) -> list[list[tuple[int, ...]]]:
    return [blocks for blocks in partitions(tuple(range(order))) if is_noncrossing(blocks)]


def test_two_signs_make_an_arcsine_law():
    """Of the moments binom(2k, k) on [-2, 2]; and free Poisson laws of the rates 1 and 2 one of the rate 3."""
    sign = (0, 1) * 5
    assert free_additive_convolution(sign, sign) == tuple(comb(q, q // 2) * (q % 2 == 0) for q in range(1, 11))
    one, two, three = (tuple(moments_of_cumulants([rate] * 6)) for rate in (1, 2, 3))
    assert free_additive_convolution(one, two) == three
    with pytest.raises(InvalidArgument, match="two was of length 2; it should be of length 3, that of one"):
        free_additive_convolution((1, 2, 5), (1, 2))


INTEGERS = st.lists(st.integers(-9, 9), min_size=1, max_size=9)

FRACTIONS = st.lists(st.fractions(-3, 3, max_denominator=5), min_size=4, max_size=4).map(
    lambda rest: [Fraction(1), *rest]
)


@given(st.lists(st.integers(-9, 9), min_size=6, max_size=6))
def test_moments_are_sums_over_noncrossing_partitions(cumulants):
    moments = moments_of_cumulants(cumulants)
    for q in range(1, 7):
        assert moments[q - 1] == sum(prod(cumulants[len(block) - 1] for block in blocks) for blocks in noncrossing(q))


def test_there_are_catalan_many_noncrossing_partitions():
    """The enumeration itself, against the Catalan numbers."""
    assert [len(noncrossing(q)) for q in range(1, 8)] == [1, 2, 5, 14, 42, 132, 429]


@given(INTEGERS)
def test_cumulants_undo_moments(sequence):
    assert list(cumulants_of_moments(moments_of_cumulants(sequence))) == sequence
    assert list(moments_of_cumulants(cumulants_of_moments(sequence))) == sequence


@given(FRACTIONS, FRACTIONS, FRACTIONS)
def test_the_convolution_is_commutative_and_associative(a, b, c):
    ab = free_multiplicative_convolution(a, b)
    assert ab == free_multiplicative_convolution(b, a)
    assert free_multiplicative_convolution(ab, c) == free_multiplicative_convolution(
        a, free_multiplicative_convolution(b, c)
    )


@given(FRACTIONS, st.fractions(Fraction(1, 5), 5, max_denominator=5))
def test_a_point_mass_scales(a, scale):
    point = [scale**q for q in range(1, 6)]
    assert list(free_multiplicative_convolution(a, point)) == [m * scale**q for q, m in enumerate(a, start=1)]


@given(FRACTIONS, st.fractions(Fraction(1, 5), 5, max_denominator=5))
def test_the_product_with_marchenko_pastur_is_compound_poisson(a, ratio):
    """In the sum over noncrossing partitions and their complements, MP_c gives c^(blocks of the complement - 1)."""
    marchenko_pastur = moments_of_cumulants([ratio ** (q - 1) for q in range(1, 6)])
    cumulants = [m / ratio for m in moments_of_cumulants([ratio * kappa for kappa in cumulants_of_moments(a)])]
    assert cumulants_of_moments(free_multiplicative_convolution(marchenko_pastur, a)) == tuple(cumulants)


@given(FRACTIONS, FRACTIONS)
@settings(max_examples=10)
def test_the_product_of_free_variables_by_definition(a, b):
    """m_2(ab) and m_3(ab) from the vanishing of mixed cumulants, written out by hand."""
    m = free_multiplicative_convolution(a, b)
    (k1, k2, k3), (l1, l2, l3) = cumulants_of_moments(a[:3]), b[:3]
    assert m[0] == k1 * l1
    assert m[1] == k2 * l1**2 + k1**2 * l2
    assert m[2] == k3 * l1**3 + 3 * k2 * k1 * l2 * l1 + k1**3 * l3


@pytest.mark.parametrize("factors", [1, 2, 3, 4])
def test_powers_of_marchenko_pastur_are_fuss_catalan(factors):
    catalan = [Fraction(comb(2 * q, q), q + 1) for q in range(1, 8)]
    power = catalan
    for _ in range(factors - 1):
        power = free_multiplicative_convolution(power, catalan)
    assert all(
        isinstance(moment, Fraction) for moment in free_multiplicative_convolution([1, 2, 5], [3, 4, Fraction(1, 2)])
    )
    assert list(power) == [Fraction(comb((factors + 1) * q, q), factors * q + 1) for q in range(1, 8)]


def test_r_diagonal_elements_add_and_multiply():
    """A sum of free circular elements is circular; a product of two has moments of Fuss-Catalan, and the determining
    sequence 1, 1, 1, ...
    """
    assert moments_of_r_diagonal([3, 0, 0]) == tuple(3**q * c for q, c in zip((1, 2, 3), (1, 2, 5), strict=True))
    assert moments_of_r_diagonal([1] * 6) == tuple(comb(3 * q, q) // (2 * q + 1) for q in range(1, 7))
    assert moments_of_r_diagonal([1, 0, 0, 0]) == (1, 2, 5, 14)


def test_a_haar_unitary_is_r_diagonal():
    """Its determining sequence has signed Catalan numbers (Nica and Speicher, Proposition 15.1), and u u* = 1."""
    determining = [(-1) ** (q - 1) * comb(2 * q - 2, q - 1) // q for q in range(1, 9)]
    assert moments_of_r_diagonal(determining) == (1,) * 8


def test_moments_of_the_linear_model_exactly():
    """As the convolution of MP_1 with law(alpha^2 + beta^2 MP_c), whose moments are a binomial sum over
    those of MP_c.
    """
    alpha, beta, c = Fraction(3, 7), Fraction(2, 5), Fraction(5, 3)
    narayana = [
        sum(Fraction(comb(q, k) * comb(q, k - 1), q) * c ** (k - 1) for k in range(1, q + 1)) for q in range(1, 8)
    ]
    second = [
        sum(comb(q, i) * alpha ** (q - i) * beta**i * ([1, *narayana][i]) for i in range(q + 1)) for q in range(1, 8)
    ]
    catalan = [Fraction(comb(2 * q, q), q + 1) for q in range(1, 8)]
    expected = free_multiplicative_convolution(catalan, second)
    point = [flint.fmpq(number.numerator, number.denominator) for number in (alpha + beta, beta, c)]
    assert [Fraction(str(moment(*point))) for moment in moment_polynomials(7)] == list(expected)


def test_the_second_moment_is_that_of_the_mathematics():
    first, second = moment_polynomials(2)
    assert first.to_dict() == {(1, 0, 0): 1}
    assert second.to_dict() == {(2, 0, 0): 2, (0, 2, 1): 1}


@pytest.mark.parametrize(
    ("one", "two", "message"),
    [
        ([1, 2], [1], "two was of length 1; it should be of length 2"),
        ([0, 1], [1, 2], "one was with the first moment 0"),
    ],
)
def test_bad_input(one, two, message):
    with pytest.raises(InvalidArgument, match=message):
        free_multiplicative_convolution(one, two)


def test_nothing_gives_nothing():
    assert moments_of_cumulants([]) == cumulants_of_moments([]) == free_multiplicative_convolution([], []) == ()


def test_integers_of_numpy_do_not_overflow():
    """The second moment of cumulants k, k, ... is k^2 + k, the fourth k^4 + 6 k^3 + 6 k^2 + k: Narayana numbers."""
    k = 10**6
    assert moments_of_cumulants(np.full(4, k)) == (k, k**2 + k, k**3 + 3 * k**2 + k, k**4 + 6 * k**3 + 6 * k**2 + k)
    assert cumulants_of_moments(np.array(moments_of_cumulants([k] * 3))) == (k,) * 3
    assert free_multiplicative_convolution(
        np.array([2, 5, 14]), np.array([3, 10, 35])
    ) == free_multiplicative_convolution([2, 5, 14], [3, 10, 35])
