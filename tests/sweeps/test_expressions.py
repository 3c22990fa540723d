"""Expressions of plans: what has a value, and what is refused before anything is evaluated."""

from __future__ import annotations

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Feedforward, ReLU, Residual
from algatt.sweeps import Expression


def test_networks_are_those_that_python_makes() -> None:
    text = "Network(n * Residual(Feedforward(2 * d, ReLU())), tokens=2, width=d)"
    net = algatt.Network(3 * Residual(Feedforward(8, ReLU())), tokens=2, width=4)
    assert Expression(text, "network").value({"n": 3, "d": 4}) == net
    assert Expression(text, "network").names == {"n", "d"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 < d <= 3 and not d == 2", True),
        ("d > 3 or d // 2 == 1", True),
        ("min(d, 5) + 2 ** d - d % 2", 10),
        ("(d, -d)", (3, -3)),
    ],
)
def test_values_are_those_of_python(text: str, value: object) -> None:
    assert Expression(text, "where").value({"d": 3}) == value


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "d.__class__",
        "(lambda: 1)()",
        "[x for x in (1, 2)]",
        "open('file')",
        "Lightning(*(1, 2))",
        "Lightning(**d)",
        "f'{d}'",
        "(d := 2)",
        "d[0]",
    ],
)
def test_other_python_is_refused(text: str) -> None:
    with pytest.raises(InvalidArgument, match=r"^network was with .* in it; it should be made of numbers"):
        Expression(text, "network")


@pytest.mark.parametrize("text", ["", "d +", "d = 2", "((d"])
def test_what_is_no_expression(text: str) -> None:
    with pytest.raises(InvalidArgument, match="cannot be read"):
        Expression(text, "where")


def test_numbers_of_a_million_digits_are_not_computed() -> None:
    with pytest.raises(InvalidArgument, match="more than 1000 times"):
        Expression("9 ** 9 ** 9", "where").value({})
    with pytest.raises(InvalidArgument, match="more than 1000 times"):
        Expression("10 ** 9 * Residual(ReLU())", "network").value({})
    assert Expression("1000 * d", "where").value({"d": 5000}) == 5_000_000


@pytest.mark.parametrize("text", ["'%999999999d' % 1", "'a' * 10 ** 9", "'a' + 'b'"])
def test_texts_are_not_combined(text: str) -> None:
    with pytest.raises(InvalidArgument, match="texts are not combined"):
        Expression(text, "where").value({})


def test_what_has_no_value_says_where() -> None:
    with pytest.raises(InvalidArgument, match=r"'1 // d' at d = 0, which has no value"):
        Expression("1 // d", "where").value({"d": 0})
    with pytest.raises(InvalidArgument, match="of names that have sizes"):
        Expression("d + e", "where").value({"d": 0})
