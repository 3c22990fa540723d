"""Checks of arguments: what they take, what they return, and what they say of everything else."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from algatt import arguments
from algatt.errors import InvalidArgument


@pytest.mark.parametrize("value", [0, -3, 10**400, np.int8(5), np.uint64(2**63)])
def test_integers(value: Any) -> None:
    assert arguments.is_integer(value)
    assert arguments.is_real(value)
    assert arguments.integer("n", value) == int(value)
    assert type(arguments.integer("n", value)) is int


@pytest.mark.parametrize("value", [True, np.True_, 1.0, np.float32(2), "3", None, Fraction(2), np.array(1)])
def test_what_is_no_integer(value: Any) -> None:
    assert not arguments.is_integer(value)
    with pytest.raises(InvalidArgument, match=r"^n was .*; it should be an integer$"):
        arguments.integer("n", value)


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        (lambda value: arguments.whole("n", value), 0, "n was 0; it should be an integer >= 1"),
        (lambda value: arguments.whole("n", value, 0), -1, "n was -1; it should be an integer >= 0"),
        (lambda value: arguments.integer_between("n", value, 2, 5), 6, "n was 6; it should be an integer from 2 to 5"),
        (lambda value: arguments.integer_between("n", value, 2, 5), 1, "n was 1; it should be an integer from 2 to 5"),
        (lambda value: arguments.finite_number("x", value), True, "x was True; it should be a finite number"),
        (lambda value: arguments.finite_number("x", value), math.inf, "x was inf; it should be a finite number"),
        (
            lambda value: arguments.finite_number("x", value),
            10**400,
            "x was an integer beyond the largest float64; it should be a finite number",
        ),
        (lambda value: arguments.positive("x", value), 0, "x was 0; it should be a positive number"),
        (lambda value: arguments.positive("x", value), math.nan, "x was nan; it should be a positive number"),
        (lambda value: arguments.not_negative("x", value), -1, "x was -1; it should be a finite number >= 0"),
        (lambda value: arguments.proper_fraction("x", value), 1, "x was 1; it should be a number between 0 and 1"),
        (lambda value: arguments.proper_fraction("x", value), 0.0, "x was 0.0; it should be a number between 0 and 1"),
        (lambda value: arguments.check_above_one("x", value), 1, "x was 1; it should be a number above 1"),
        (lambda value: arguments.truth("x", value), "false", "x was 'false'; it should be True or False"),
        (lambda value: arguments.entries("x", value, "numbers"), "12", "x was '12'; it should be numbers"),
        (lambda value: arguments.entries("x", value, "numbers"), 12, "x was 12; it should be numbers"),
        (lambda value: arguments.instance("x", value, int | None, "a number"), "1", "x was '1'; it should be a number"),
        (lambda value: arguments.check_over("x", value, int, "over 1"), "RR", "x was over RR; it should be over 1"),
    ],
)
def test_what_is_said(check: Callable[[Any], Any], value: Any, message: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        check(value)
    assert str(caught.value) == message


def test_what_is_returned() -> None:
    assert arguments.exact("x", 0.1) == Fraction(3602879701896397, 2**55)
    assert arguments.exact("x", np.float32(0.5)) == Fraction(1, 2)
    assert arguments.positive("x", Fraction(1, 3)) == Fraction(1, 3)
    for value, kind in ((np.float32(0.5), float), (np.int8(3), int), (2, int), (0.25, float)):
        assert arguments.positive("x", value) == value
        assert type(arguments.positive("x", value)) is kind
    assert arguments.proper_fraction("x", np.float64(0.5)) == 0.5
    assert arguments.entries("x", range(3), "numbers") == (0, 1, 2)
    assert arguments.entries("x", (n for n in (4, 5)), "numbers") == (4, 5)
    assert arguments.instance("x", None, int | None, "a number") is None
