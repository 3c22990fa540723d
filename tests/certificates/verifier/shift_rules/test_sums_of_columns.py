"""Sums of columns in shifts: what is known of them is accepted, what moves the value is refused.

Whether the value moves is known by hand, and computed by differentiation over the reals beside it.
"""

from __future__ import annotations

from typing import Any

import pytest

from shift_rules import ACCEPTED, FALSE, SOFT_OF_TWO, UNPROVED, WX, B, C, check, columns, less, rows


@pytest.mark.parametrize(("tokens", "verdict"), [(True, ACCEPTED), (False, FALSE)])
def test_columns_of_tokens_add_up_to_one(tokens: bool, verdict: str) -> None:
    text = "E: tensor 4 x 3; b: tensor 3 x 1; X: input 4 x 2; T: transpose E; Y: product T X; A: add Y b"
    check(text, [rows("E"), columns("b", less())], verdict, tokens=tokens)


WEIGHTS = f"G: tensor 2 x 3; Z: product G X; {SOFT_OF_TWO}"

SUMS: dict[str, tuple[str, Any, str]] = {
    "weights": ("F: add P P", -2, ACCEPTED),
    "a negative": ("F: negate P", 1, ACCEPTED),
    "a sum with a row": ("k: tensor 1 x 2; F: add P k", -1, FALSE),
    "a sum with a row of ones": (
        "k: tensor 1 x 2; l: constant 1 x 1 [1]; s: product l k; m: reciprocal s; o: multiply k m; F: add P o",
        -2,
        FALSE,
    ),
    "a sum with another": ("F: add P e", -1, FALSE),
    "another in a sum": ("F: add e P", -1, FALSE),
    "a constant": ("F: constant 2 x 2 [1 2 3 2]", -4, ACCEPTED),
    "a constant with other sums": ("F: constant 2 x 2 [1 2 3 3]", -4, FALSE),
    "a product": ("k: constant 2 x 2 [1 0 1 2]; F: product k P", -2, ACCEPTED),
    "a product, taken once": ("k: constant 2 x 2 [1 0 1 2]; F: product k P", -1, FALSE),
    "a product with other sums": ("k: constant 2 x 2 [1 0 1 3]; F: product k P", -2, FALSE),
    "a product that ends otherwise": ("k: constant 2 x 2 [1 0 1 2]; F: product k e", -2, FALSE),
    "a product with a column": ("u: tensor 2 x 1; k: take P [[0] [0 1]]; F: product u k", -1, FALSE),
    "weights by a row": ("F: multiply P t", -1, FALSE),
    "weights by a matrix": ("F: multiply P e", -1, FALSE),
    "other sums": ("f: multiply e e; F: multiply f n", -1, FALSE),
    "twice the sums": ("j: constant 1 x 2 [2 2]; s: product j e; m: reciprocal s; F: multiply e m", -1, FALSE),
    "unequal sums": ("j: constant 1 x 2 [1 2]; s: product j e; m: reciprocal s; F: multiply e m", -1, FALSE),
    "two rows of sums": (
        "j: constant 2 x 2 [1 1 1 1]; s: product j e; m: reciprocal s; F: multiply e m",
        -1,
        UNPROVED,
    ),
    "sums from the other side": (
        "j: constant 2 x 1 [1 1]; s: product e j; m: reciprocal s; F: multiply e m",
        -1,
        FALSE,
    ),
    "no reciprocal": ("F: multiply e t", -1, FALSE),
}
"""What weights become, and by how much of v a bias takes the change of values up."""


@pytest.mark.parametrize("name", SUMS)
def test_sums_of_columns_are_known(name: str) -> None:
    weights, factor, verdict = SUMS[name]
    text = f"{B}{C}{WX}{WEIGHTS}{weights}; y: add Y b; H: product y F; A: add H c"
    check(text, [columns("b"), columns("c", less(by=factor))], verdict)


CENTRED = {
    "a centre": ("F: centre X", ACCEPTED),
    "a negative": ("f: centre X; F: negate f", ACCEPTED),
    "a sum": ("f: centre X; F: add f f", ACCEPTED),
    "a sum with a row": ("f: centre X; k: tensor 1 x 2; F: add f k", FALSE),
    "scaled": ("f: centre X; k: tensor 1 x 2; F: multiply f k", ACCEPTED),
    "scaled, to the left": ("f: centre X; k: tensor 1 x 2; F: multiply k f", ACCEPTED),
    "scaled entry by entry": ("f: centre X; F: multiply f X", FALSE),
    "mixed": ("f: centre X; k: transpose X; l: product k X; F: product f l", ACCEPTED),
    "mixed before": ("k: centre X; M: tensor 3 x 3; F: product M k", FALSE),
    "by a row": ("f: tensor 1 x 2; F: multiply X f", FALSE),
}
"""What is read, and whether its columns add up to zero."""


@pytest.mark.parametrize("name", CENTRED)
def test_sums_of_columns_are_zero(name: str) -> None:
    read, verdict = CENTRED[name]
    check(f"W: tensor 3 x 3; X: input 3 x 2; {read}; A: product W F", [columns("W")], verdict)


def test_the_sum_of_a_column_times_a_row_of_ones() -> None:
    """1^T u 1^T = (1^T u) 1^T."""
    text = (
        f"{B}{C}{WX}u: tensor 2 x 1; k: tensor 1 x 2; l: constant 1 x 1 [1]; s: product l k; m: reciprocal s; "
        "o: multiply k m; F: product u o; y: add Y b; H: product y F; A: add H c"
    )
    for factor, verdict in ((("sum", "u", 1), ACCEPTED), (("sum", "u", -1), FALSE)):
        check(text, [columns("b"), columns("c", less(factor))], verdict)


def test_products_of_sums() -> None:
    """The sums of weights and of u 1^T are 1 + s, so that those of the product with itself are 1 + 2 s + s s."""
    text = (
        f"{B}{C}{WX}{WEIGHTS}u: tensor 2 x 1; k: tensor 1 x 2; l: constant 1 x 1 [1]; g: product l k; m: reciprocal g; "
        "o: multiply k m; U: product u o; L: add P U; F: product L L; y: add Y b; H: product y F; A: add H c"
    )
    once = ("sum", "u", 1)
    for factor, verdict in ((-2, ACCEPTED), (-1, FALSE)):
        check(text, [columns("b"), columns("c", less(), less(once, by=factor), less(once, once))], verdict)
