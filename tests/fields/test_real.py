"""The reals in floating point."""

from __future__ import annotations

import pickle
from fractions import Fraction
from math import sqrt
from typing import Any

import galois
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from algatt import Reals, verbs
from algatt.errors import InvalidArgument, ScoreOverflow
from algatt.fields import Elements
from algatt.randomness import random_words

dyadic = st.integers(-(2**20), 2**20).map(lambda n: n / 256)


@given(entries=st.lists(dyadic, min_size=8, max_size=8))
def test_arithmetic_is_exact_where_float64_is(entries: list[float]) -> None:
    a, b = np.array(entries).reshape(2, 2, 2)
    x, y = Elements.of(Reals(), a), Elements.of(Reals(), b)
    rows, columns = a.tolist(), b.T.tolist()
    assert (x @ y).public().tolist() == [
        [row[0] * column[0] + row[1] * column[1] for column in columns] for row in rows
    ]
    assert (x + y).public().tolist() == [
        [p + q for p, q in zip(*pair, strict=True)] for pair in zip(rows, b.tolist(), strict=True)
    ]
    assert (x - y).public().tolist() == [
        [p - q for p, q in zip(*pair, strict=True)] for pair in zip(rows, b.tolist(), strict=True)
    ]
    assert (x * y).public().tolist() == [
        [p * q for p, q in zip(*pair, strict=True)] for pair in zip(rows, b.tolist(), strict=True)
    ]
    assert (-x).public().tolist() == [[-p for p in row] for row in rows]


def test_real_arrays_are_taken_as_float64() -> None:
    for array in (np.array([1, 2], dtype=np.int8), np.array([1, 2], dtype=np.float32), [1, 2.0], (1, 2)):
        public = Elements.of(Reals(), array).public()
        assert type(public) is np.ndarray
        assert public.dtype == np.float64
        assert public.tolist() == [1.0, 2.0]
    assert Elements.of(Reals(), 0.5).public() == 0.5


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_nan_and_infinity_are_refused(bad: float) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Elements.of(Reals(), [[1.0, bad]], "X")
    assert str(caught.value) == "X was with NaN or infinity; it should be with finite entries"


@pytest.mark.parametrize("array", [np.array([1j]), np.array([True]), True, np.array(["1"]), np.array([None])], ids=repr)
def test_what_is_not_real_is_refused(array: Any) -> None:
    with pytest.raises(InvalidArgument, match=r"X was an array of .*; it should be an array of real numbers"):
        Elements.of(Reals(), array, "X")


@pytest.mark.parametrize(("thing", "was"), [("1", "'1'"), (None, "None"), (1j, "an array of complex128")])
def test_single_things_that_are_not_real_are_refused(thing: Any, was: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Elements.of(Reals(), thing, "X")
    assert str(caught.value) == f"X was {was}; it should be an array of real numbers"


def test_galois_arrays_are_refused() -> None:
    with pytest.raises(InvalidArgument, match=r"X was over GF\(7\); it should be over RR"):
        Elements.of(Reals(), galois.GF(7)([1]), "X")


def test_random_reals_take_the_upper_53_bits_of_each_word() -> None:
    drawn = verbs.draw_array(Reals(), shape=(2, 3), seed=5, label="test")
    words = [int(word) for word in random_words(5, "test", 6)]
    assert drawn.ravel().tolist() == [(2 * ((word // 2**11) / 2**53) - 1) * sqrt(3) for word in words]


def test_random_reals_have_mean_0_and_variance_1() -> None:
    count = 40000
    drawn = verbs.draw_array(Reals(), shape=(count,), seed=0, label="moments")
    assert -sqrt(3) <= drawn.min() < -1.73 < 1.73 < drawn.max() < sqrt(3)
    assert abs(drawn.mean()) < 4 / sqrt(count)  # four standard deviations
    assert abs((drawn**2).mean() - 1) < 4 * sqrt(0.8 / count)  # the fourth moment is 9/5


def test_fields_are_values() -> None:
    assert Reals() == Reals()
    assert str(Reals()) == "RR (float64)"


def test_numbers_of_any_length_are_rounded_or_refused() -> None:
    one = Elements.of(Reals(), [1.0])
    for number in (10**30, -(2**70), Fraction(1, 3), Fraction(10**400, 3 * 10**399)):
        assert (one * number).public().tolist() == [float(number)]
    for number in (10**400, Fraction(1, 10**400)):
        with pytest.raises(ScoreOverflow, match="too large or too small for float64"):
            one * number


def test_the_precision_is_noted_and_is_no_part_of_the_field() -> None:
    assert Reals() == Reals(precision=24)
    assert hash(Reals()) == hash(Reals(precision=24))
    assert (repr(Reals()), repr(Reals(precision=24))) == ("Reals()", "Reals(precision=24)")
    assert str(Reals(precision=24)) == "RR (float64, 24 bits known)"
    assert Reals(precision=np.int64(8)).precision == 8
    assert pickle.loads(pickle.dumps(Reals(precision=11))).precision == 11


@pytest.mark.parametrize("precision", [1, 54, 24.0, True, "24", None])
def test_other_precisions_are_refused(precision: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        Reals(precision=precision)
    assert str(caught.value) == f"precision was {precision!r}; it should be an integer from 2 to 53"


def test_what_is_computed_is_as_precise_as_the_least_precise_operand() -> None:
    fine = Elements.of(Reals(), [[1.0, 2.0], [3.0, 4.0]])
    coarse = Elements.of(Reals(), np.array([[1, 2], [3, 4]], dtype=np.float16))
    assert Elements.of(Reals(precision=8), np.ones((2, 2), dtype=np.float16)).field.precision == 8
    results = (
        fine @ coarse,
        coarse @ fine,
        fine + coarse,
        coarse - fine,
        fine - coarse,
        fine * coarse,
        fine / coarse,
        coarse / fine,
    )
    constants = (
        coarse + 1,
        1 - coarse,
        coarse * 2,
        2 / coarse,
        -coarse,
        coarse.T,
        coarse.exp(),
        np.eye(2, dtype=int) @ coarse,
    )
    for result in (*results, *constants):
        assert result.field.precision == 11
    assert (fine @ fine).field.precision == 53
