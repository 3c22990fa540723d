"""Real balls, against exact rationals: the true value is inside."""

from __future__ import annotations

import math
import sys
from fractions import Fraction
from typing import Any

import flint
import galois
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algatt import Balls, verbs
from algatt.errors import DivisionByZero, InvalidArgument, ScoreOverflow
from algatt.fields import Adjoint, AdjointArray, Dual, DualArray, Elements
from algatt.fields.adjoint import pull_back
from algatt.fields.ball import holds_balls, midpoints
from algatt.randomness import random_words

rationals = st.fractions(-50, 50, max_denominator=1000)


def exact(x: Fraction) -> Any:
    return flint.fmpq(x.numerator, x.denominator)


def encloses(balls: Elements, true: Any) -> bool:
    with flint.ctx.workprec(4000):  # in which the fractions themselves are much narrower than the balls
        return all(ball.contains(exact(value)) for ball, value in zip(balls.raw.flat, true.flat, strict=True))


@given(entries=st.lists(rationals, min_size=8, max_size=8), bits=st.sampled_from([2, 10, 53, 128, 500]))
def test_true_values_are_inside(entries: list[Fraction], bits: int) -> None:
    a, b = np.array(entries, dtype=object).reshape(2, 2, 2)
    x, y = Elements.of(Balls(bits), a), Elements.of(Balls(bits), b)
    results = ((x + y, a + b), (x - y, a - b), (x * y, a * b), (-x, -a), (x @ y, a @ b), (x.T, a.T))
    for computed, true in results:
        assert encloses(computed, true)
    nonzero = np.array([[value or Fraction(1, 3) for value in row] for row in b], dtype=object)
    divisor = Elements.of(Balls(bits), nonzero)
    if not any(0 in ball for ball in divisor.raw.flat):  # two bits do not tell everything from zero
        assert encloses(x / divisor, a / nonzero)


@given(n=st.integers(-40, 40))
def test_exponentials_are_enclosed_and_narrow(n: int) -> None:
    # e^n = E^n with more digits than needed: the series of e to 60 terms has an error below 1/60!.
    e = sum(Fraction(1, math.factorial(k)) for k in range(60))
    ball = Elements.of(Balls(128), [n]).exp().raw[0]
    assert ball.overlaps(flint.arb(exact(e)) ** n)
    with flint.ctx.workprec(300):
        assert abs(ball.mid() / flint.arb(exact(e)) ** n - 1) < flint.arb(2) ** -120


def test_floats_and_integers_are_taken_exactly() -> None:
    raw = Elements.of(Balls(2), np.array([0.1, -3.0, 2.0**-60 + 1])).raw
    assert all(ball.is_exact() for ball in raw)
    assert [float(ball) for ball in raw] == [0.1, -3.0, 1.0]
    assert Elements.of(Balls(53), [2**200 + 1]).raw[0].unique_fmpz() == 2**200 + 1


def test_long_doubles_are_taken_exactly() -> None:
    entry = np.longdouble(1) + np.finfo(np.longdouble).eps
    (ball,) = Elements.of(Balls(2), np.array([entry])).raw
    assert ball.is_exact()
    with flint.ctx.workprec(200):
        assert ball - 1 == flint.arb(2) ** round(float(np.log2(np.finfo(np.longdouble).eps)))


def test_balls_pass_in_and_out() -> None:
    array = np.array([flint.arb(1, 0.5), flint.arb(2)], dtype=object)
    assert Elements.of(Balls(), array).public()[0].rad() == array[0].rad()
    assert holds_balls(array)
    assert not holds_balls(np.array([1, 2], dtype=object))
    assert not holds_balls(np.array([1.0]))
    assert midpoints(array).tolist() == [1.0, 2.0]


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_are_refused(bad: float) -> None:
    with pytest.raises(InvalidArgument, match="X was with NaN or infinity"):
        Elements.of(Balls(), [[1.0, bad]], "X")


@pytest.mark.parametrize("bad", ["nan", "inf", "-inf", "[inf +/- 1]"])
def test_balls_around_no_number_are_refused(bad: str) -> None:
    with pytest.raises(InvalidArgument, match="X was with NaN or infinity"):
        Elements.of(Balls(), [flint.arb(1), flint.arb(bad)], "X")


@pytest.mark.parametrize("entry", [1j, True, "1", None])
def test_what_is_not_real_is_refused(entry: Any) -> None:
    with pytest.raises(
        InvalidArgument, match=r"X was with the entry .*; it should be an array of real numbers or of flint\.arb"
    ):
        Elements.of(Balls(), [entry], "X")


def test_galois_arrays_are_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"X was over GF\(7\)"):
        Elements.of(Balls(), galois.GF(7)([1]), "X")


@pytest.mark.parametrize("bits", [1, 0, -3, 2.0, True, "128", 2**20 + 1])
def test_precisions_are_checked(bits: Any) -> None:
    with pytest.raises(InvalidArgument, match="bits was"):
        Balls(bits)


def test_random_balls_are_exact_and_take_the_upper_24_bits_of_each_word() -> None:
    for bits in (2, 128):
        drawn = verbs.draw_array(Balls(bits), shape=(2, 3), seed=5, label="test")
        words = [int(word) for word in random_words(5, "test", 6)]
        assert all(ball.is_exact() for ball in drawn.flat)
        assert [float(ball) for ball in drawn.flat] == [(2 * (word // 2**40) + 1 - 2**24) / 2**23 for word in words]


def test_a_ball_around_zero_has_no_reciprocal() -> None:
    with pytest.raises(DivisionByZero, match="not told from zero with 64 bits"):
        Elements.of(Balls(64), np.array([flint.arb(1e-9, 1e-8)], dtype=object)).reciprocal()


def test_scores_that_cannot_be_enclosed_are_refused() -> None:
    with pytest.raises(ScoreOverflow, match="cannot be enclosed with 64 bits"):
        verbs.column_maximum(Balls(64), np.array([[flint.arb(0, float("inf"))], [flint.arb("nan")]], dtype=object))


def test_the_global_precision_is_left_alone() -> None:
    before = flint.ctx.prec
    x = Elements.of(Balls(777), [[1, 2], [3, 4]])
    assert (x @ x / 3).exp().raw.shape == (2, 2)
    assert flint.ctx.prec == before


def test_duals_and_adjoints_differentiate_quotients_and_exponentials() -> None:
    # f(x) = exp(1 / x): f' = -exp(1 / x) / x^2, computed here with Arb alone.
    x = flint.arb(3) / 7
    with flint.ctx.workprec(128):
        true = -(1 / x).exp() / x**2
    raw = np.array([[x]], dtype=object)
    dual = Dual(Balls())
    forward = (1 / Elements(dual, DualArray(raw, verbs.encode(Balls(), [[[1]]])))).exp().raw
    assert forward.tangent[0, 0, 0].overlaps(true)
    leaf = AdjointArray(raw)
    value = (1 / Elements(Adjoint(Balls()), leaf)).exp().raw
    (backward,) = pull_back(Balls(), value, verbs.encode(Balls(), [[1]]), [leaf])
    assert backward[0, 0].overlaps(true)


def test_fields_are_values() -> None:
    assert Balls(64) == Balls(64) != Balls(65)
    assert str(Balls(64)) == "RR (balls of 64 bits)"
    assert sys.modules["flint"] is flint
