"""What cases of the rules of shifts are written with: programs that many begin with, and how tensors move."""

from __future__ import annotations

from typing import Any

from shifted_programs import refusal, shifted, value_moves

__all__ = [
    "ACCEPTED",
    "BC",
    "FALSE",
    "HALF",
    "SOFT",
    "SOFT_OF_TWO",
    "UNPROVED",
    "WX",
    "B",
    "C",
    "Q",
    "R",
    "S",
    "V",
    "check",
    "columns",
    "less",
    "rows",
]

ACCEPTED, FALSE, UNPROVED = "accepted", "false", "its derivative is zero, but no rule says so"

WX = "W: tensor 3 x 3; X: input 3 x 2; Y: product W X; "
B, C, R, Q, S = (
    f"{name}: tensor {shape}; "
    for name, shape in zip("bcrqs", ("3 x 1", "3 x 1", "1 x 2", "1 x 2", "1 x 1"), strict=True)
)
SOFT_OF_TWO = "e: exp Z; i: constant 1 x 2 [1 1]; t: product i e; n: reciprocal t; P: multiply e n; "
SOFT = "e: exp Z; i: constant 1 x 3 [1 1 1]; t: product i e; n: reciprocal t; P: multiply e n; "
HALF = "h: constant 1 x 1 [1/2]; "

V: list[Any] = [[1, []]]
"""The vector v."""


def columns(name: str, *words: Any) -> list[Any]:
    return [name, "columns", list(words) or V]


def rows(name: str, *words: Any) -> list[Any]:
    return [name, "rows", list(words) or V]


def less(*factors: Any, by: Any = -1) -> list[Any]:
    """Minus a product of matrices, applied to v."""
    return [by, [list(one) for one in factors]]


BC = [columns("b"), columns("c", less())]


def check(text: str, moves: list[Any], verdict: str, *rest: Any, **options: Any) -> None:
    """See that differentiation and the verifier say of a program and a shift what is expected.

    The size of v follows, if it is not 3, and gains.
    """
    network, shift = shifted(text, moves, *rest, **options)
    assert value_moves(network, shift) == (verdict == FALSE)
    assert (refusal(network, shift) is None) == (verdict == ACCEPTED)
