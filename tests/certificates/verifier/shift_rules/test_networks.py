"""Attention, norms, gains, and tensors that are the value or not read: what stays is accepted, what moves is refused.

Whether the value moves is known by hand, and computed by differentiation over the reals beside it.
"""

from __future__ import annotations

from typing import Any

import pytest

from shift_rules import ACCEPTED, BC, FALSE, SOFT_OF_TWO, WX, B, C, check, columns, less, rows

CASES: dict[str, tuple[Any, ...]] = {
    # attention
    "keys": (
        f"K: tensor 3 x 3; {B}{WX}k: product K X; l: add k b; T: transpose l; Z: product T Y; {SOFT_OF_TWO}",
        [columns("b")],
        ACCEPTED,
    ),
    "queries": (
        f"K: tensor 3 x 3; {B}{WX}k: product K X; l: add Y b; T: transpose k; Z: product T l; {SOFT_OF_TWO}",
        [columns("b")],
        FALSE,
    ),
    "turned keys": (
        "K: tensor 2 x 3; b: tensor 2 x 1; W: tensor 2 x 3; X: input 3 x 2; q: product W X; "
        "k: product K X; l: add k b; y: rotate l [[0.5] [0 1]]; T: transpose y; Z: product T q; "
        f"{SOFT_OF_TWO}",
        [columns("b")],
        FALSE,
        2,
    ),
    "keys without softmax": (
        f"K: tensor 3 x 3; {B}{WX}k: product K X; l: add k b; T: transpose l; Z: product T Y",
        [columns("b")],
        FALSE,
    ),
    "values": (
        f"{B}{C}{WX}G: tensor 3 x 3; T: transpose X; g: product G X; F: product T g; f: exp F; "
        "j: constant 1 x 2 [1 1]; u: product j f; m: reciprocal u; P: multiply f m; Z: add Y b; "
        "H: product Z P; A: add H c",
        BC,
        ACCEPTED,
    ),
    "values by weights without sums": (
        f"{B}{C}{WX}G: tensor 3 x 3; T: transpose X; g: product G X; F: product T g; f: exp F; "
        "Z: add Y b; H: product Z f; A: add H c",
        BC,
        FALSE,
    ),
    "a stream": (
        f"{B}{C}u: tensor 3 x 1; {WX}x: add X b; y: product W x; z: add y c; q: multiply z z; o: add q x; A: add o u",
        [columns("b"), columns("c", less(("left", "W"))), columns("u", less())],
        ACCEPTED,
    ),
    "a stream with another reader": (
        f"{B}{C}u: tensor 3 x 1; w: tensor 1 x 3; {WX}x: add X b; y: product W x; z: add y c; "
        "q: multiply z z; o: add q x; p: add o u; v: product w x; s: multiply v v; A: add p s",
        [columns("b"), columns("c", less(("left", "W"))), columns("u", less())],
        FALSE,
    ),
    # biases of norms before matrices without a bias
    "a norm's bias": (
        f"{B}W: tensor 3 x 3; X: input 3 x 2; x: centre X; z: add x b; A: product W z",
        [columns("b"), columns("W", less(("left", "W"), ("sum", "b", -1)))],
        ACCEPTED,
    ),
    "a norm's bias, multiplied": (
        f"{B}W: tensor 3 x 3; X: input 3 x 2; x: centre X; z: add x b; A: product W z",
        [columns("b"), columns("W", less(("left", "W"), ("sum", "b", 1)))],
        FALSE,
    ),
    "a bias after no norm": (
        f"{B}W: tensor 3 x 3; X: input 3 x 2; z: add X b; A: product W z",
        [columns("b"), columns("W", less(("left", "W"), ("sum", "b", -1)))],
        FALSE,
    ),
    "a reader of a norm that reads more": (
        f"{B}W: tensor 3 x 3; X: input 3 x 2; x: centre X; z: add x b; a: product W z; y: product W X; A: add a y",
        [columns("b"), columns("W", less(("left", "W"), ("sum", "b", -1)))],
        FALSE,
    ),
    # gains
    "behind a gain": (
        f"g: tensor 3 x 1; {B}{C}W: tensor 3 x 3; X: input 3 x 2; x: centre X; y: multiply g x; "
        "z: add y b; a: product W z; A: add a c",
        [columns("W"), columns("c", less(("sum", "b", 1)))],
        ACCEPTED,
        3,
        (("y", "readers"),),
    ),
    "behind a gain that is not folded": (
        f"g: tensor 3 x 1; {B}{C}W: tensor 3 x 3; X: input 3 x 2; x: centre X; y: multiply g x; "
        "z: add y b; a: product W z; A: add a c",
        [columns("W"), columns("c", less(("sum", "b", 1)))],
        FALSE,
    ),
    "before a gain": (
        f"g: tensor 3 x 1; {B}{C}{WX}y: add Y b; z: multiply g y; A: add z c",
        BC,
        ACCEPTED,
        3,
        (("z", "writers"),),
    ),
    "before a gain that is not folded": (
        f"g: tensor 3 x 1; {B}{C}{WX}y: add Y b; z: multiply g y; A: add z c",
        BC,
        FALSE,
    ),
    # tensors that are the value, or that nothing reads
    "the value": ("W: tensor 3 x 3", [rows("W")], FALSE),
    "not read": (f"U: tensor 3 x 3; {WX}", [rows("U")], ACCEPTED),
}
"""A program, how tensors move, what is true of it, and the size of v, if it is not 3, and gains."""


@pytest.mark.parametrize("name", CASES)
def test_what_stays_is_accepted_and_what_moves_is_refused(name: str) -> None:
    check(*CASES[name])
