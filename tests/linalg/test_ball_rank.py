"""Ranks from below over balls, against ranks over the rationals."""

from decimal import Decimal, localcontext
from fractions import Fraction

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algatt
from algatt import Balls
from algatt.fields import Elements
from algatt.linalg.rank import enclosed_determinant, rank_from_below, written

matrices = st.tuples(st.integers(1, 5), st.integers(1, 6), st.integers(0, 5), st.integers(0, 10**6))


def integer_matrix(rows, columns, rank, seed):
    rng = np.random.default_rng(seed)
    return rng.integers(-5, 6, (rows, rank)) @ rng.integers(-5, 6, (rank, columns))


@settings(deadline=None, max_examples=80)
@given(sizes=matrices)
def test_the_bound_is_the_rank_of_exact_matrices(sizes):
    matrix = integer_matrix(*sizes)
    true = flint.fmpz_mat(matrix.tolist()).rank()
    found = rank_from_below(Balls(), Elements.of(Balls(), matrix).raw)
    assert found.rank == true
    assert len(found.rows) == len(found.columns) == true
    minor = flint.fmpz_mat(matrix[np.ix_(found.rows, found.columns)].tolist())
    assert true == 0 or minor.det() != 0


def test_a_width_that_covers_zero_proves_nothing():
    wide = np.array([[flint.arb(1), flint.arb(1)], [flint.arb(1), flint.arb(1, 0.25)]], dtype=object)
    assert rank_from_below(Balls(), wide).rank == 1
    wide[1, 1] = flint.arb(1.125, 0.25)  # of which the rest has a midpoint that is not zero
    assert rank_from_below(Balls(), wide).rank == 1
    narrow = wide.copy()
    narrow[1, 1] = flint.arb(1.5, 0.25)
    assert rank_from_below(Balls(), narrow).rank == 2


def test_the_verb_takes_arrays_of_balls():
    matrix = np.array([[flint.arb(1), flint.arb(2)], [flint.arb(2), flint.arb(4, 1e-30)]], dtype=object)
    assert algatt.rank(matrix) == algatt.linalg.RankLowerBound(1, (1,), (1,))
    matrix[1, 1] = flint.arb(5, 0.5)
    assert algatt.rank(matrix).rank == 2
    with pytest.raises(algatt.errors.InvalidArgument, match=r"matrix was of shape \(2,\)"):
        algatt.rank(matrix[0])
    with pytest.raises(algatt.errors.InvalidArgument, match="matrix was over RR"):
        algatt.kernel(matrix)


def test_no_bit_of_an_exact_matrix_is_lost():
    with flint.ctx.workprec(1000):
        near = flint.arb(1) + flint.arb(2) ** -900
    # The determinant is about 2^-899: with 128 bits near - 1 / near is not told from zero.
    assert algatt.rank(np.array([[near, flint.arb(1)], [flint.arb(1), near]], dtype=object)).rank == 2


@pytest.mark.parametrize("n", [0, 1, 3, 7])
def test_determinants_are_enclosed(n):
    matrix = integer_matrix(n, n, n, 3)
    ball = enclosed_determinant(Balls(53), Elements.of(Balls(53), matrix).raw)
    assert ball.contains(flint.fmpz_mat(n, n, [int(x) for x in matrix.flat]).det() if n else 1)


@pytest.mark.parametrize(
    ("ball", "text"),
    [
        ((3, 2.9), None),
        ((3, 3), None),
        ((0, 0), None),
        ((0, 1e-30), None),
        ((2, 0), "2.000000000e0"),
        ((-0.375, 0), "-3.750000000e-1"),
        ((3, 1e-11), "3.000000000e0"),
        ((3, 1e-8), None),
        ((1e10 - 0.75, 0), "9.999999999e9"),
        ((1e10 - 0.25, 0), "1.000000000e10"),
        ((1e10 - 0.5, 0.01), None),
        ((1e10 - 0.5, 0), None),
        ((12345678901.5, 0), "1.234567890e10"),
        ((12345678905, 0), None),
        ((1e10, 0.4), "1.000000000e10"),
        ((1e10 - 1, 0.4), "9.999999999e9"),
        ((-(1e9 + 0.5), 0.01), None),
    ],
)
def test_the_digits_of_a_ball_are_those_of_every_number_in_it(ball, text):
    assert written(Balls(), flint.arb(*ball)) == text


@settings(deadline=None, max_examples=300)
@given(
    mantissa=st.one_of(st.integers(1, 10**40), st.integers(10**20 - 10**11, 10**20 + 10**11)),
    exponent=st.integers(-300, 300),
    negative=st.booleans(),
)
def test_digits_are_those_of_decimal_arithmetic(mantissa, exponent, negative):
    number = Fraction(2) ** exponent * (-mantissa if negative else mantissa)
    with localcontext() as context:
        context.prec = 2000
        decimal = Decimal(number.numerator) / Decimal(number.denominator)
        expected = f"{decimal:.9e}".replace("e+", "e")
        halfway = decimal.normalize().as_tuple().digits[10:] == (5,)
    assert written(Balls(3000), Elements.of(Balls(3000), number).raw[()]) == (None if halfway else expected)


def test_numbers_beyond_floats_have_digits():
    """2^(10^9) and its reciprocal."""
    large, small = (written(Balls(200), flint.arb((1, exponent))) for exponent in (10**9, -(10**9)))
    assert large.endswith("e301029995")
    assert small.endswith("e-301029996")
    assert float(large[:11]) * float(small[:11]) == pytest.approx(10, rel=1e-8)


def test_what_is_not_finite_is_not_written():
    assert written(Balls(), flint.arb("inf")) is None
    assert written(Balls(), flint.arb("nan")) is None
