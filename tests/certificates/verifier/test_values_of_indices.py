"""Sums that vanish by the values of an index: minors of a matrix of few columns or rows, and equal results; and what
looks like them, by somebody who has not written the verifier.
"""

from __future__ import annotations

from typing import Any

import pytest

from small_words import family, head, read, symmetry
from words_oracle import moves

pytestmark = pytest.mark.sample(1000)  # all cases, always: what is called verified rests on them

ORDERS = {(0, 1, 2): 1, (1, 2, 0): 1, (2, 0, 1): 1, (1, 0, 2): -1, (0, 2, 1): -1, (2, 1, 0): -1}


def cross(matrix: str, *, columns: bool = True, wide: int = 2, signs: dict[Any, int] | None = None) -> str:
    """Return the words of the row that is the cross product of the first two columns of a matrix; or of the column that
    is that of its first two rows.
    """
    terms = []
    for order, sign in (signs or ORDERS).items():
        last, *others = order
        if columns:
            entries = [f"E(1,3,0,{i}) {matrix} E({wide},1,{k},0)" for k, i in enumerate(others)]
            words = [*entries, f"E(1,3,0,{last})"]
        else:
            entries = [f"E(1,{wide},0,{k}) {matrix} E(3,1,{i},0)" for k, i in enumerate(others)]
            words = [f"E(3,1,{last},0)", *entries]
        terms.append(f"{'+-'[sign < 0]} {' '.join(words)}")
    return " ".join(terms).removeprefix("+ ")


READ = "V: tensor 3 x 2; U: tensor 3 x 2; Q: tensor 1 x 3; X: input 2 x 2; v: product V X; "
SEEN = "Q: tensor 2 x 3; v: tensor 3 x 1; X: input 1 x 2; q: product Q v; "
TURNED = "Q: tensor 2 x 2; P: tensor 2 x 2; X: input 2 x 2; q: product Q X; p: product P X; "
TWICE = "T: tensor 2 x 2; W: tensor 2 x 2; U: tensor 2 x 2; X: input 2 x 2; t: product T X; "
FORM = (
    "K: tensor 2 x 2; Q: tensor 2 x 2; X: input 2 x {}; k: product K X; q: product Q X; t: transpose k; Y: product t q"
)

TRUE: dict[str, tuple[str, Any]] = {
    "columns": (f"{READ}Y: product Q v", family(None, Q=cross("V"))),
    "columns behind a function": (f"{READ}y: product Q v; Y: exp y", family(None, Q=cross("V"))),
    "columns before a square": (
        f"{READ}y: product Q v; z: multiply y y; Y: add z y",
        family(None, Q=cross("V")),
    ),
    "rows": (f"{SEEN}Y: product q X", family(None, v=cross("Q", columns=False))),
    "rows before a gate": (f"{SEEN}y: product q X; Y: positive y", family(None, v=cross("Q", columns=False))),
    "one turn twice": (
        f"{TURNED}a: rotate q [[1.0] [0 1]]; b: rotate p [[1.0] [0 1]]; Y: add a b",
        family((2, 2), Q="S", P="- S"),
    ),
    "one function twice": (
        f"{TWICE}e: exp t; f: exp t; a: multiply W e; b: multiply U f; Y: add a b",
        family((2, 2), W="S", U="- S"),
    ),
    "a form of one token": (FORM.format("1"), family((2, 2), entries=[[0, 1]], K="S Q - S' Q")),
}

FALSE: dict[str, tuple[str, Any]] = {
    "a third column": (
        "V: tensor 3 x 3; Q: tensor 1 x 3; X: input 3 x 2; v: product V X; Y: product Q v",
        family(None, Q=cross("V", wide=3)),
    ),
    "another sign": (f"{READ}Y: product Q v", family(None, Q=cross("V", signs={**ORDERS, (2, 1, 0): 1}))),
    "all signs alike": (f"{READ}Y: product Q v", family(None, Q=cross("V", signs=dict.fromkeys(ORDERS, 1)))),
    "a column of another matrix": (
        f"{READ}Y: product Q v",
        family(None, Q=cross("V").replace("V E(2,1,1,0)", "U E(2,1,1,0)")),
    ),
    "a column minus the sum of its entries": (
        "Q: tensor 2 x 3; T: tensor 2 x 1; X: input 1 x 1; Y: product T X",
        family(None, T="Q E(3,1,0,0) - 1(2,2) Q E(3,1,0,0)"),
    ),
    "a row minus the sum of its entries": (
        "V: tensor 3 x 2; T: tensor 1 x 2; X: input 2 x 2; Y: multiply T X",
        family(None, T="E(1,3,0,0) V - E(1,3,0,0) V 1(2,2)"),
    ),
    "a term less": (f"{READ}Y: product Q v", family(None, Q=cross("V", signs=dict(list(ORDERS.items())[:5])))),
    "columns of another matrix": (f"{READ}Y: product Q v", family(None, Q=cross("U"))),
    "beside a bias": (
        f"b: tensor 3 x 1; {READ}w: add v b; Y: product Q w",
        family(None, Q=cross("V")),
    ),
    "squares of entries": (f"{READ}w: multiply V V; y: product w X; Y: product Q y", family(None, Q=cross("V"))),
    "squares of results": (f"{READ}w: multiply v v; Y: product Q w", family(None, Q=cross("V"))),
    "a mask": (
        f"{READ}M: constant 3 x 2 [1 1 1 1 1 0]; w: multiply V M; y: product w X; Y: product Q y",
        family(None, Q=cross("V")),
    ),
    "a gate between": (f"{READ}p: positive v; w: multiply p v; Y: product Q w", family(None, Q=cross("V"))),
    "an exponential between": (f"{READ}e: exp v; Y: product Q e", family(None, Q=cross("V"))),
    "a third row": (
        "Q: tensor 3 x 3; v: tensor 3 x 1; X: input 1 x 2; q: product Q v; Y: product q X",
        family(None, v=cross("Q", columns=False, wide=3)),
    ),
    "rows with another sign": (
        f"{SEEN}Y: product q X",
        family(None, v=cross("Q", columns=False, signs={**ORDERS, (0, 1, 2): -1})),
    ),
    "a column that is read as well": (
        f"{SEEN}y: product q X; w: transpose v; z: product w v; Y: multiply y z",
        family(None, v=cross("Q", columns=False)),
    ),
    "another angle": (
        f"{TURNED}a: rotate q [[1.0] [0 1]]; b: rotate p [[0.5] [0 1]]; Y: add a b",
        family((2, 2), Q="S", P="- S"),
    ),
    "other positions": (
        f"{TURNED}a: rotate q [[1.0] [0 1]]; b: rotate p [[1.0] [1 0]]; Y: add a b",
        family((2, 2), Q="S", P="- S"),
    ),
    "a function of another operand": (
        f"{TWICE}n: negate t; e: exp t; f: exp n; a: multiply W e; b: multiply U f; Y: add a b",
        family((2, 2), W="S", U="- S"),
    ),
    "another function": (
        f"{TWICE}e: exp t; f: sigmoid t; a: multiply W e; b: multiply U f; Y: add a b",
        family((2, 2), W="S", U="- S"),
    ),
    "other largest entries": (
        f"{TWICE}e: largest t 1; s: centre t; f: largest s 1; n: negate t; g: largest n 1; a: multiply W e; "
        "b: multiply U g; Y: add a b",
        family((2, 2), W="S", U="- S"),
    ),
    "a form of two tokens": (FORM.format("2"), family((2, 2), entries=[[0, 1]], K="S Q - S' Q")),
    "a form that is symmetric": (FORM.format("1"), family((2, 2), entries=[[0, 1]], K="S Q + S' Q")),
    "a quotient of two sums": (
        "a: tensor 1 x 1; X: input 1 x 1; s: multiply a X; c: constant 1 x 1 [1]; d: constant 1 x 1 [2]; u: add s c; "
        "w: add s d; r: reciprocal w; Y: multiply u r",
        family(None, a="1(1,1)"),
    ),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_families_are_accepted(name: str) -> None:
    program, claim = TRUE[name]
    assert not moves(*read(head(program), claim))
    assert symmetry(head(program), claim, directions=directions(program, claim)) == ""


@pytest.mark.parametrize("name", FALSE)
def test_forgeries_are_not_verified(name: str) -> None:
    """That they move the value is seen by its gradient."""
    program, claim = FALSE[name]
    assert moves(*read(head(program), claim))
    assert "moves" in symmetry(head(program), claim, directions=directions(program, claim))


def directions(program: str, claim: Any) -> list[int]:
    """Return the first parameters of the tensor that moves first, as many as there are directions."""
    start = 0
    for name, height, width in head(program)["tensors"]:
        if name in claim["moves"]:
            break
        start += height * width
    count = len(claim.get("entries", "")) or (claim["free"][0] * claim["free"][1] if claim["free"] else 1)
    return list(range(start, start + count))
