"""The answers of two versions, and what is expected."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import pytest

from algatt.errors import InvalidArgument
from algatt.sweeps import Row, compare_versions, expected_value, fit_formula

OLD = Row("one", {"d": 2}, "{}", 8, "dimension", 0, "1", "probable", 6, 6, 8, {})

NEW = dataclasses.replace(OLD, version="2")


@pytest.mark.parametrize(
    ("changes", "verdict"),
    [
        ({}, "equal"),
        ({"seconds": 3.0, "host": "other", "evidence": {"seed": 1}}, "equal"),
        ({"status": "proven", "upper": 6}, "other worth"),
        ({"value": 7, "lower": 7}, "different"),
        ({"value": 7, "lower": 7, "upper": 7, "status": "proven"}, "different"),
        ({"value": 9, "lower": 9, "upper": 9, "status": "proven"}, "contradiction"),
        ({"value": 5, "lower": 5, "upper": 5, "status": "proven"}, "contradiction"),
        ({"value": None, "lower": None, "upper": None, "status": "failed"}, "no answer"),
    ],
)
def test_verdicts(changes: dict[str, object], verdict: str) -> None:
    (pair,) = compare_versions([OLD, dataclasses.replace(NEW, **changes)], "1", "2")
    assert pair.verdict == verdict


def test_what_one_was_not_asked_and_versions_that_are_not_there() -> None:
    others = [dataclasses.replace(row, architecture="[]") for row in (NEW, dataclasses.replace(NEW, seed=1))]
    pairs = compare_versions([OLD, *others, NEW], "1", "2")
    assert [pair.verdict for pair in pairs] == ["equal", "not asked", "not asked"]
    assert [pair.row.seed for pair in pairs] == [0, 0, 1]
    with pytest.raises(InvalidArgument, match="second was '3'; it should be a version that the rows have: 1, 2"):
        compare_versions([OLD, NEW], "1", "3")


def test_what_is_expected() -> None:
    """The theorem before the bound, and what is given before both."""
    assert expected_value(OLD) == 8
    assert expected_value(dataclasses.replace(OLD, evidence={"formula": 7})) == 7
    assert expected_value(dataclasses.replace(OLD, upper=None)) is None
    assert expected_value(OLD, "3*d + 1") == 7
    assert expected_value(OLD, lambda d: d) == 2
    assert expected_value(OLD, fit_formula([({"d": d}, 5 * d) for d in range(16)])) == 10
    with pytest.raises(InvalidArgument, match="expected was 1/2 at d = 2; it should be a formula with an integer"):
        expected_value(OLD, lambda d: Fraction(1, d))
