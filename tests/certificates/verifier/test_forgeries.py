"""Forgeries that look true: of signs and gates, shares, masks, means, turns, quotients, and directions that depend."""

from __future__ import annotations

from typing import Any

import pytest

from small_words import family, head, symmetry

pytestmark = pytest.mark.sample(1000)  # all cases, always: what is called verified rests on them

FORGERIES: dict[str, tuple[str, str, Any]] = {
    "sign by root": (
        "a: tensor 1 x 1; X: input 1 x 1; y: add X a; q: multiply y y; r: sqrt q; i: reciprocal r; Y: multiply y i",
        "vectors",
        family(None, a="1(1,1)"),
    ),
    "sign by root, shift over itself": (
        "a: tensor 1 x 1; X: input 1 x 1; y: multiply X a; z: add y a; q: multiply z z; r: sqrt q; "
        "i: reciprocal r; Y: multiply z i",
        "vectors",
        family(None, a="D(a)^-1"),
    ),
    "gate shifted": (
        "a: tensor 1 x 1; X: input 1 x 1; y: add X a; Y: positive y",
        "vectors",
        family(None, a="1(1,1)"),
    ),
    "gate of a copy": (
        "a: tensor 1 x 1; X: input 1 x 1; y: add X a; n: negate y; m: negate n; i: reciprocal m; "
        "u: multiply y i; Y: positive u",
        "vectors",
        family(None, a="1(1,1)"),
    ),
    "gate moved by its inverse": (
        "a: tensor 1 x 1; X: input 1 x 1; y: add X a; q: multiply y y; i: reciprocal y; w: multiply q i; Y: positive w",
        "vectors",
        family(None, a="1(1,1)"),
    ),
    "gate scaled by gate": (
        "a: tensor 2 x 1; X: input 2 x 1; y: add X a; p: positive y; z: multiply y p; Y: positive z",
        "vectors",
        family((2, 1), a="S"),
    ),
    "gate with input factor": (
        "a: tensor 2 x 1; X: input 2 x 1; y: multiply a X; z: add y X; Y: positive z",
        "vectors",
        family((2, 1), a="S"),
    ),
    "gate sum of multiples": (
        "a: tensor 2 x 2; X: input 2 x 2; y: product a X; Y: positive y",
        "vectors",
        family((2, 2), a="S a"),
    ),
    "gate column mult": (
        "a: tensor 2 x 2; X: input 2 x 2; y: product a X; Y: positive y",
        "vectors",
        family(None, a="1(2,2) a"),
    ),
    "largest one row": (
        "a: tensor 3 x 1; X: input 3 x 2; y: add X a; Y: largest y 1",
        "vectors",
        family(None, a="E(3,3,0,0) 1(3,1)"),
    ),
    "largest rows scaled apart": (
        "a: tensor 3 x 1; X: input 3 x 2; y: multiply a X; Y: largest y 1",
        "vectors",
        family((3, 1), a="D(S) a"),
    ),
    "largest negative row": (
        "a: tensor 3 x 3; X: input 3 x 2; y: product a X; Y: largest y 2",
        "vectors",
        family(None, a="E(3,3,1,1) a"),
    ),
    "share of another sum": (
        "a: tensor 2 x 2; b: tensor 2 x 1; V: tensor 2 x 2; X: input 2 x 2; A: product a X; "
        "B: product V X; e: exp A; f: exp B; o: constant 1 x 2 [1 1]; s: product o f; r: reciprocal s; "
        "P: multiply e r; c: product o P; Y: multiply c o",
        "vectors",
        family((2, 2), a="S"),
    ),
    "share with weights 1 2": (
        "a: tensor 2 x 2; b: tensor 2 x 1; V: tensor 2 x 2; X: input 2 x 2; A: product a X; e: exp A; "
        "o: constant 1 x 2 [1 2]; s: product o e; r: reciprocal s; P: multiply e r; "
        "l: constant 1 x 2 [1 1]; Y: product l P",
        "vectors",
        family((2, 2), a="S"),
    ),
    "share along rows": (
        "a: tensor 2 x 2; b: tensor 2 x 1; V: tensor 2 x 2; X: input 2 x 2; A: product a X; e: exp A; "
        "o: constant 2 x 1 [1 1]; s: product e o; r: reciprocal s; P: multiply e r; "
        "l: constant 1 x 2 [1 1]; Y: product l P",
        "vectors",
        family((2, 2), a="S"),
    ),
    "share twice": (
        "a: tensor 2 x 2; b: tensor 2 x 1; V: tensor 2 x 2; X: input 2 x 2; A: product a X; e: exp A; "
        "o: constant 1 x 2 [1 1]; s: product o e; r: reciprocal s; P: multiply e r; Q: multiply P P; "
        "Y: product o Q",
        "vectors",
        family((2, 2), a="S"),
    ),
    "share, weighted rows": (
        "a: tensor 2 x 2; b: tensor 2 x 1; V: tensor 2 x 2; X: input 2 x 2; A: product a X; e: exp A; "
        "o: constant 1 x 2 [1 1]; s: product o e; r: reciprocal s; P: multiply e r; "
        "w: constant 1 x 2 [1 2]; Y: product w P",
        "vectors",
        family((2, 2), a="S"),
    ),
    "share of a product": (
        "a: tensor 2 x 2; b: tensor 2 x 1; V: tensor 2 x 2; X: input 2 x 2; A: product a X; e: exp A; "
        "o: constant 1 x 2 [1 1]; s: product o e; r: reciprocal s; t: multiply r r; P: multiply e t; "
        "Y: product o P",
        "vectors",
        family((2, 2), a="S"),
    ),
    "softmax keys, no bias": (
        "a: tensor 2 x 2; b: tensor 2 x 1; V: tensor 2 x 2; X: input 2 x 2; q: product a X; "
        "k: product V X; k2: add k b; t: transpose k2; A: product t q; e: exp A; o: constant 1 x 2 [1 1]; "
        "s: product o e; r: reciprocal s; P: multiply e r; Y: product X P",
        "vectors",
        family((2, 2), V="S"),
    ),
    "softmax other axis": (
        "a: tensor 2 x 2; b: tensor 2 x 1; V: tensor 2 x 2; X: input 2 x 2; q: product a X; "
        "k: product V X; k2: add k b; t: transpose k2; A: product t q; B: transpose A; e: exp B; "
        "o: constant 1 x 2 [1 1]; s: product o e; r: reciprocal s; P: multiply e r; Y: product X P",
        "vectors",
        family((2, 1), b="S"),
    ),
    "mask shows": (
        "T: tensor 2 x 2; X: input 2 x 2; M: constant 2 x 2 [1 0 1 1]; y: add T X; e: exp y; Y: multiply e M",
        "vectors",
        family(None, T="E(2,2,1,0)"),
    ),
    "mask after sum": (
        "T: tensor 2 x 2; X: input 2 x 2; M: constant 2 x 2 [0 1 1 1]; y: add T X; e: exp y; "
        "o: constant 1 x 2 [1 1]; s: product o e; m: multiply e M; Y: multiply m s",
        "vectors",
        family(None, T="E(2,2,0,0)"),
    ),
    "mask transposed": (
        "T: tensor 2 x 2; X: input 2 x 2; M: constant 2 x 2 [1 0 1 1]; y: add T X; t: transpose y; Y: multiply t M",
        "vectors",
        family(None, T="E(2,2,0,1)"),
    ),
    "mask tiny": (
        "T: tensor 2 x 2; X: input 2 x 2; M: constant 2 x 2 [1/1000000007 1 1 1]; y: multiply T X; Y: multiply y M",
        "vectors",
        family(None, T="E(2,2,0,0)"),
    ),
    "one column constant": (
        "T: tensor 2 x 1; X: input 2 x 2; c: constant 2 x 1 [1 0]; y: multiply T c; Y: multiply y X",
        "vectors",
        family(None, T="E(2,2,0,0) T"),
    ),
    "zero constant times": (
        "T: tensor 2 x 2; X: input 2 x 2; c: constant 2 x 2 [0 0 0 0]; y: add c T; Y: product y X",
        "vectors",
        family((2, 2), T="S"),
    ),
    "centre twice, wrong scale": (
        "T: tensor 3 x 1; X: input 3 x 1; c: centre T; d: add c T; Y: multiply d X",
        "vectors",
        family(None, T="1(3,1)"),
    ),
    "centre of rows": (
        "T: tensor 3 x 2; X: input 3 x 2; c: centre T; Y: multiply c X",
        "vectors",
        family((3, 1), T="S 1(1,2)"),
    ),
    "means with wrong sum": (
        "T: tensor 3 x 1; X: input 3 x 1; w: constant 3 x 3 [2/3 -1/3 -1/3 -1/3 2/3 -1/3 -1/3 -1/3 1/3]; "
        "c: product w T; Y: multiply c X",
        "vectors",
        family(None, T="1(3,1)"),
    ),
    "turns, skew of two pairs": (
        "Q: tensor 4 x 2; K: tensor 4 x 2; X: input 2 x 2; q: product Q X; k: product K X; "
        "c: rotate q [[1.0 0.5] [0 1]]; d: rotate k [[1.0 0.5] [0 1]]; t: transpose d; Y: product t c",
        "vectors",
        family(None, Q="E(4,4,0,2) Q - E(4,4,2,0) Q", K="E(4,4,0,2) K - E(4,4,2,0) K"),
    ),
    "turns, reflection": (
        "Q: tensor 2 x 2; K: tensor 2 x 2; X: input 2 x 2; q: product Q X; k: product K X; "
        "c: rotate q [[1.0] [0 1]]; d: rotate k [[1.0] [0 1]]; t: transpose d; Y: product t c",
        "vectors",
        family(None, Q="E(2,2,0,1) Q + E(2,2,1,0) Q", K="- E(2,2,0,1) K - E(2,2,1,0) K"),
    ),
    "turns of one side": (
        "Q: tensor 2 x 2; X: input 2 x 2; q: product Q X; c: rotate q [[1.0] [0 1]]; t: transpose c; Y: product t X",
        "vectors",
        family(None, Q="E(2,2,0,1) Q - E(2,2,1,0) Q"),
    ),
    "turns, rows scaled before": (
        "Q: tensor 2 x 2; b: tensor 2 x 1; X: input 2 x 1; q: product Q X; p: multiply b q; c: rotate p [[1.0] [1]]; "
        "t: transpose c; Y: product t c",
        "vectors",
        family(None, Q="E(2,2,0,1) Q - E(2,2,1,0) Q"),
    ),
    "turns, a part that moves by what is left out": (
        "Q: tensor 4 x 2; X: input 2 x 1; q: product Q X; p: take q [[0 1] [0]]; c: rotate p [[1.0] [1]]; "
        "t: transpose c; Y: product t c",
        "vectors",
        family(None, Q="E(4,4,0,2) Q - E(4,4,2,0) Q"),
    ),
    "turns, a sum of two that move apart": (
        "Q: tensor 2 x 2; b: tensor 2 x 1; X: input 2 x 1; q: product Q X; p: add b q; c: rotate p [[1.0] [1]]; "
        "t: transpose c; Y: product t c",
        "vectors",
        family(None, Q="E(2,2,0,1) Q - E(2,2,1,0) Q"),
    ),
    "skew form that is none": (
        "b: tensor 2 x 1; J: constant 2 x 2 [0 1 -1 1]; t: transpose b; j: product J b; q: product t j; "
        "X: input 1 x 1; Y: multiply q X",
        "vectors",
        family(None, b="E(2,2,1,1) b"),
    ),
    "skew form of two": (
        "b: tensor 2 x 1; c: tensor 2 x 1; J: constant 2 x 2 [0 1 -1 0]; t: transpose b; j: product J c; "
        "q: product t j; X: input 1 x 1; Y: multiply q X",
        "vectors",
        family(None, b="b"),
    ),
    "quotient of another": (
        "b: tensor 2 x 1; W: tensor 2 x 2; X: input 2 x 2; y: add X b; Y: product W y",
        "vectors",
        family((2, 1), b="S", W="- W S D(b' 1(2,1))^-1 1(1,2)"),
    ),
    "quotient with the wrong power": (
        "b: tensor 1 x 1; W: tensor 2 x 1; X: input 1 x 2; y: multiply b X; Y: product W y",
        "vectors",
        family(None, b="b b", W="- W D(b)^-1"),
    ),
    "pole that cancels nothing": (
        "b: tensor 1 x 1; c: tensor 1 x 1; X: input 1 x 1; y: multiply b X; Y: multiply c y",
        "vectors",
        family(None, b="1(1,1)", c="- c D(c)^-1"),
    ),
    "twice the same": (
        "T: tensor 2 x 2; X: input 2 x 2; z: centre X; Y: product T z",
        "vectors",
        [family((2, 1), T="S 1(1,2)"), family((2, 1), T="2 S 1(1,2)")],
    ),
    "rank one as two": (
        "T: tensor 2 x 2; X: input 2 x 2; z: centre X; Y: product T z",
        "vectors",
        family((2, 2), T="1(2,2) S 1(2,2)"),
    ),
    "zero by constants": (
        "T: tensor 2 x 2; X: input 2 x 2; Y: product T X",
        "vectors",
        family((2, 2), T="S E(2,2,0,0) E(2,2,1,1)"),
    ),
    "zero by skew": (
        "T: tensor 1 x 1; b: tensor 2 x 1; X: input 1 x 1; y: multiply T X; t: transpose b; "
        "u: product t b; Y: multiply y u",
        "vectors",
        {
            "name": "f",
            "free": [],
            "moves": {"T": [["1", [["turned", "b"], ["constant", 2, 2, [0, 1, 1, 1, 0, -1]], ["tensor", "b"]]]]},
        },
    ),
    "tensors unread as others": (
        "T: tensor 2 x 2; X: input 2 x 2; Y: product T X",
        "vectors",
        family((2, 2), T="S - S"),
    ),
    "sums of shares with weights 1 2": (
        "V: tensor 2 x 2; b: tensor 2 x 1; O: tensor 2 x 2; c: tensor 2 x 1; T: tensor 2 x 2; "
        "X: input 2 x 2; A: product T X; e: exp A; B: product V X; f: exp B; w: constant 1 x 2 [1 2]; "
        "s: product w e; r: reciprocal s; P: multiply e r; v0: product V X; v: add v0 b; h: product v P; "
        "o: product O h; Y: add o c",
        "vectors",
        family((2, 1), b="S", c="- O S"),
    ),
    "sums of shares of another sum": (
        "V: tensor 2 x 2; b: tensor 2 x 1; O: tensor 2 x 2; c: tensor 2 x 1; T: tensor 2 x 2; "
        "X: input 2 x 2; A: product T X; e: exp A; B: product V X; f: exp B; w: constant 1 x 2 [1 1]; "
        "s: product w f; r: reciprocal s; P: multiply e r; v0: product V X; v: add v0 b; h: product v P; "
        "o: product O h; Y: add o c",
        "vectors",
        family((2, 1), b="S", c="- O S"),
    ),
    "sums of shares along rows": (
        "V: tensor 2 x 2; b: tensor 2 x 1; O: tensor 2 x 2; c: tensor 2 x 1; T: tensor 2 x 2; "
        "X: input 2 x 2; A: product T X; e: exp A; B: product V X; f: exp B; w: constant 2 x 1 [1 1]; "
        "s: product e w; r: reciprocal s; P: multiply e r; v0: product V X; v: add v0 b; h: product v P; "
        "o: product O h; Y: add o c",
        "vectors",
        family((2, 1), b="S", c="- O S"),
    ),
    "sums of shares of twice": (
        "V: tensor 2 x 2; b: tensor 2 x 1; O: tensor 2 x 2; c: tensor 2 x 1; T: tensor 2 x 2; "
        "X: input 2 x 2; A: product T X; e: exp A; B: product V X; f: exp B; w: constant 1 x 2 [1 1]; "
        "s: product w e; t: add s s; r: reciprocal t; P: multiply e r; v0: product V X; v: add v0 b; "
        "h: product v P; o: product O h; Y: add o c",
        "vectors",
        family((2, 1), b="S", c="- O S"),
    ),
    "sums of shares of the whole": (
        "V: tensor 2 x 2; b: tensor 2 x 1; O: tensor 2 x 2; c: tensor 2 x 1; T: tensor 2 x 2; "
        "X: input 2 x 2; A: product T X; e: exp A; B: product V X; f: exp B; w: constant 1 x 2 [1 1]; "
        "u: constant 2 x 1 [1 1]; z: product w e; s: product z u; r: reciprocal s; P: multiply e r; "
        "v0: product V X; v: add v0 b; h: product v P; o: product O h; Y: add o c",
        "vectors",
        family((2, 1), b="S", c="- O S"),
    ),
    "sums of squares of shares": (
        "V: tensor 2 x 2; b: tensor 2 x 1; O: tensor 2 x 2; c: tensor 2 x 1; T: tensor 2 x 2; "
        "X: input 2 x 2; A: product T X; e: exp A; B: product V X; f: exp B; w: constant 1 x 2 [1 1]; "
        "s: product w e; r: reciprocal s; R: multiply e r; P: multiply R R; v0: product V X; v: add v0 b; "
        "h: product v P; o: product O h; Y: add o c",
        "vectors",
        family((2, 1), b="S", c="- O S"),
    ),
    "tokens, numbers beside": (
        "E: tensor 2 x 3; X: input 3 x 2; Y: product E X",
        "1 x 1 numbers and tokens",
        family((2, 1), E="S 1(1,3)"),
    ),
    "turned by two angles": (
        "Q: tensor 2 x 2; K: tensor 2 x 2; X: input 2 x 3; q: product Q X; k: product K X; "
        "a: rotate q [[1.0] [0 1 2]]; b: rotate k [[0.5] [0 1 2]]; t: transpose b; Y: product t a",
        "vectors",
        family((2, 2), entries=[[0, 1]], Q="S Q", K="- S' K"),
    ),
    "norm with a constant in the root": (
        "A: tensor 2 x 2; X: input 2 x 2; a: product A X; q: column_products a a; c: constant 1 x 1 [1]; d: add q c; "
        "s: sqrt d; r: reciprocal s; Y: multiply a r",
        "vectors",
        family(None, A="A"),
    ),
    "shares of rows, shifted by columns": (
        "A: tensor 2 x 2; X: input 2 x 2; a: product A X; e: exp a; o: constant 2 x 1 [1 1]; s: product e o; "
        "r: reciprocal s; Y: multiply e r",
        "vectors",
        family((1, 2), A="1(2,1) S"),
    ),
    "tokens as vectors": (
        "E: tensor 2 x 3; c: tensor 2 x 1; X: input 3 x 2; y: product E X; Y: add y c",
        "vectors",
        family((2, 1), E="S 1(1,3)", c="- S"),
    ),
    "tokens scaled": (
        "E: tensor 2 x 3; c: tensor 2 x 1; X: input 3 x 2; y: product E X; Y: add y c",
        "tokens",
        family((2, 1), E="S 1(1,3)", c="- 2 S"),
    ),
    "tokens squared": (
        "E: tensor 2 x 3; X: input 3 x 2; y: product E X; z: multiply y y; Y: add z y",
        "tokens",
        family((2, 1), E="S 1(1,3)"),
    ),
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", FORGERIES)
def test_forgeries_are_not_verified(name: str) -> None:
    program, reads, given = FORGERIES[name]
    families = given if isinstance(given, list) else [given]
    count = sum(one["free"][0] * one["free"][1] if one["free"] else 1 for one in families)
    assert symmetry(head(program, reads), *families, directions=list(range(count)))


def test_gates_stay_if_weights_alone_multiply() -> None:
    """At weights other than zero the sign of a x stays, for all inputs."""
    program, claim = head("a: tensor 2 x 1; X: input 2 x 1; y: multiply a X; Y: positive y"), family((2, 1), a="S")
    assert symmetry(program, claim, directions=[0, 1]) == ""
