"""Families of directions of small programs, true ones and false ones."""

from __future__ import annotations

from typing import Any

from small_words import family

SOFTMAX = (
    "one: constant 1 x 2 [1 1]; e: exp A; total: product one e; inverse: reciprocal total; P: multiply e inverse; "
)

ATTENTION = (
    "Q: tensor 2 x 3; K: tensor 2 x 3; V: tensor 2 x 3; O: tensor 3 x 2; bK: tensor 2 x 1; bV: tensor 2 x 1; "
    "bO: tensor 3 x 1; X: input 3 x 2; q: product Q X; k0: product K X; k: add k0 bK; v0: product V X; v: add v0 bV; "
    f"kt: transpose k; A: product kt q; {SOFTMAX}h: product v P; o: product O h; Y: add o bO"
)

NORM = (
    "g: tensor 3 x 1; b: tensor 3 x 1; W: tensor 2 x 3; c: tensor 2 x 1; X: input 3 x 2; Z: centre X; "
    "n: column_products Z Z; r: sqrt n; i: reciprocal r; N: multiply Z i; G: multiply g N; B: add G b; "
    "y: product W B; Y: add y c"
)

GATED = (
    "U: tensor 4 x 2; b: tensor 4 x 1; D: tensor 2 x 4; X: input 2 x 2; u: product U X; h: add u b; p: positive h; "
    "r: multiply h p; Y: product D r"
)

COLUMN = GATED.replace("input 2 x 2", "input 2 x 1")

ROW = (
    "U: tensor 2 x 4; b: tensor 1 x 4; D: tensor 4 x 2; X: input 2 x 1; x: transpose X; u: product x U; h: add u b; "
    "p: positive h; r: multiply h p; Y: product r D"
)

SQUARE = "U: tensor 4 x 2; D: tensor 2 x 4; X: input 2 x 2; h: product U X; s: multiply h h; Y: product D s"

SILU = "U: tensor 4 x 2; D: tensor 2 x 4; X: input 2 x 2; h: product U X; g: sigmoid h; s: multiply h g; Y: product D s"

LINEAR = (
    "A: tensor 2 x 3; B: tensor 3 x 2; C: tensor 2 x 2; X: input 2 x 2; b: product B X; a: product A b; Y: product C a"
)

NORMED = (
    "E: tensor 3 x 3; U: tensor 2 x 3; X: input 3 x 2; x: product E X; n: column_products x x; r: sqrt n; "
    "i: reciprocal r; y: multiply x i; Y: product U y"
)

TURNED_PART = (
    "Q: tensor 4 x 2; K: tensor 4 x 2; X: input 2 x 2; q: product Q X; k: product K X; p: take q [[0 1] [0 1]]; "
    "l: take k [[0 1] [0 1]]; m: add l l; c: rotate p [[1.0] [0 1]]; d: rotate m [[1.0] [0 1]]; t: transpose d; "
    "Y: product t c"
)

TURNED = (
    "Q: tensor 2 x 2; K: tensor 2 x 2; X: input 2 x 2; q: product Q X; k: product K X; "
    "a: rotate q [[1.0] [0 1]]; c: rotate k [[1.0] [0 1]]; t: transpose c; Y: product t a"
)

CHOSEN = "R: tensor 3 x 2; a: tensor 3 x 1; X: input 2 x 2; r: product R X; s: add r a; g: largest s 2; Y: multiply g r"

PARTS = (
    "W: tensor 4 x 2; O: tensor 2 x 4; X: input 2 x 2; w: product W X; "
    "u: take w [[0 1] [0 1]]; v: take w [[2 3] [0 1]]; j: concatenate v u 0; Y: product O j"
)

TOKENS = (
    "E: tensor 3 x 4; P: tensor 3 x 2; W: tensor 2 x 3; X: input 4 x 2; x: product E X; y: add x P; Z: centre y; "
    "Y: product W Z"
)

MASKED = (
    "T: tensor 2 x 2; V: tensor 2 x 2; M: constant 2 x 2 [1 1 0 1]; X: input 2 x 2; S0: add T X; e: exp S0; "
    "m: multiply e M; v: product V X; Y: product v m"
)

SHIFTED = "A: tensor 2 x 2; b: tensor 2 x 1; T: tensor 2 x 1; a: product A b; Y: add a T"

AB: list[Any] = [["tensor", "A"], ["tensor", "b"]]

INVERTED: list[Any] = [
    [1, [["diagonal", [["diagonal", AB, -1], ["ones", 2, 1]], -1], *AB]],
    [-1, [["ones", 2, 1]]],
]
"""The square of A b less one, written as A b over one over A b."""

SUMMED = (
    "A: tensor 3 x 2; a: tensor 2 x 1; b: tensor 2 x 1; M: tensor 1 x 2; N: tensor 2 x 2; X: input 2 x 2; "
    "one: constant 1 x 3 [1 1 1]; y: product A X; m: multiply y M; s: product one m; n: column_products N X; "
    "r: add s n; c: multiply a b; Y: product c r"
)
"""A column that is opened beside an index that three constants share, and no tensor."""

JOINED: list[Any] = [
    ["diagonal", [["constant", 2, 2, [0, 0, 1, 0, 1, 1, 1, 0, 3, 1, 1, 7]], ["tensor", "a"]], 1],
    ["diagonal", [["constant", 2, 2, [0, 0, 1, 0, 1, 4, 1, 0, 9, 1, 1, 2]], ["tensor", "b"]], 1],
    ["constant", 2, 2, [0, 0, 1, 0, 1, 3, 1, 0, 2, 1, 1, 5]],
]

ROWS: list[Any] = [["tensor", "A"], ["ones", 2, 1]]

VANISHING: list[Any] = [
    ["diagonal", ROWS, 1],
    ["diagonal", [["diagonal", ROWS, -1], ["ones", 2, 1]], -1],
    ["constant", 2, 2, [0, 0, 1, 1, 1, 1]],
    ["diagonal", ROWS, -1],
]
"""Sums of rows, as a diagonal matrix: s r 1 / r, where r stands for s, and the 1 between joins what cancels."""

SUMS: list[Any] = ["diagonal", [["turned", "A"], ["ones", 3, 1]], 1]

TRUE: dict[str, tuple[str, dict[str, Any]]] = {
    "keys and queries": (ATTENTION, family((2, 2), Q="S Q", K="- S' K", bK="- S' bK")),
    "values and outputs": (ATTENTION, family((2, 2), V="S V", bV="S bV", O="- O S")),
    "biases of keys": (ATTENTION, family((2, 1), bK="S")),
    "keys without their bias, which no softmax sees": (ATTENTION, family((2, 2), Q="S Q", K="- S' K")),
    "biases of values": (ATTENTION, family((2, 1), bV="S", bO="- O S")),
    "a multiple in two places": (ATTENTION, family(None, Q="Q", K="- K", bK="- bK")),
    "gains": (NORM, family((3, 1), g="D(S) g", b="D(S) b", W="- W D(S)")),
    "a bias of a norm": (NORM, family((3, 1), b="S", c="- W S")),
    "columns over a gain": (NORM, family((2, 1), W="S 1(1,3) D(g)^-1", c="- S 1(1,3) D(g)^-1 b")),
    "gates": (GATED, family((4, 1), U="D(S) U", b="D(S) b", D="- D D(S)")),
    "gates of one column": (COLUMN, family((4, 1), U="D(S) U", b="D(S) b", D="- D D(S)")),
    "gates of one row": (ROW, family((4, 1), U="U D(S)", b="b D(S)", D="- D(S) D")),
    "squares": (SQUARE, family((4, 1), U="D(S) U", D="- 2 D D(S)")),
    "two spaces": (LINEAR, family((3, 3), A="- A S", B="S B")),
    "outputs": (LINEAR, family((2, 2), A="S A", C="- C S")),
    "turns of a norm": (NORMED, family((3, 3), entries=[[0, 1], [0, 2], [1, 2]], E="S E - S' E", U="- U S + U S'")),
    "one turn of a norm": (
        NORMED,
        family(None, E="E(3,3,0,1) E - E(3,3,1,0) E", U="- U E(3,3,0,1) + U E(3,3,1,0)"),
    ),
    "lengths before a norm": (NORMED, family(None, E="E")),
    "turns of pairs": (TURNED, family(None, Q="E(2,2,0,1) Q - E(2,2,1,0) Q", K="E(2,2,0,1) K - E(2,2,1,0) K")),
    "turns of pairs that are a part": (
        TURNED_PART,
        family(None, Q="E(4,4,0,1) Q - E(4,4,1,0) Q", K="E(4,4,0,1) K - E(4,4,1,0) K"),
    ),
    "lengths of pairs": (TURNED, family(None, Q="Q", K="- K")),
    "what is added to all": (CHOSEN, family((1, 1), a="1(3,1) S")),
    "parts that are joined": (PARTS, family(None, W="E(4,4,0,1) W", O="- O E(4,4,2,3)")),
    "means": (TOKENS, family((1, 4), E="1(3,1) S")),
    "positions": (TOKENS, family((3, 1), E="S 1(1,4)", P="- S 1(1,2)")),
    "columns that see what is centred": (TOKENS, family((2, 1), W="S 1(1,3)")),
    "what a mask hides": (MASKED, family(None, T="E(2,2,1,0)")),
}

FALSE: dict[str, tuple[str, dict[str, Any]]] = {
    "queries alone": (ATTENTION, family((2, 2), Q="S Q")),
    "queries and biases of keys": (ATTENTION, family((2, 2), Q="S Q", bK="- S' bK")),
    "keys not transposed": (ATTENTION, family((2, 2), Q="S Q", K="- S K", bK="- S bK")),
    "keys with the other sign": (ATTENTION, family((2, 2), Q="S Q", K="S' K", bK="S' bK")),
    "values without their bias": (ATTENTION, family((2, 2), V="S V", O="- O S")),
    "outputs on the wrong side": (ATTENTION, family((2, 2), V="S V", bV="S bV", O="- O S'")),
    "twice as much of outputs": (ATTENTION, family((2, 2), V="S V", bV="S bV", O="- 2 O S")),
    "biases of values alone": (ATTENTION, family((2, 1), bV="S")),
    "biases of outputs alone": (ATTENTION, family((3, 1), bO="S")),
    "columns of keys": (ATTENTION, family((2, 1), K="S 1(1,3)")),
    "columns of values": (ATTENTION, family((2, 1), V="S 1(1,3)", bO="- O S")),
    "biases of keys that scale": (ATTENTION, family(None, bK="bK", Q="Q")),
    "gains alone": (NORM, family((3, 1), g="D(S) g")),
    "gains without a bias": (NORM, family((3, 1), g="D(S) g", W="- W D(S)")),
    "gains by matrices": (NORM, family((3, 3), g="S g", b="S b", W="- W S")),
    "gains on the rows of a reader": (NORM, family((2, 1), g="E(3,2,0,0) D(S) E(2,3,0,0) g", W="- D(S) W")),
    "a bias of a norm and another matrix": (NORM, family((3, 1), b="S", c="- W D(g) S")),
    "a bias of a norm alone": (NORM, family((3, 1), b="S")),
    "columns without the gain": (NORM, family((2, 1), W="S 1(1,3)", c="- S 1(1,3) b")),
    "columns over a gain, the bias undivided": (NORM, family((2, 1), W="S 1(1,3) D(g)^-1", c="- S 1(1,3) b")),
    "columns times a gain": (NORM, family((2, 1), W="S 1(1,3) D(g)", c="- S 1(1,3) D(g)^-1 b")),
    "a norm's bias over its sum, without sum": (NORM, family((3, 1), b="S", W="- W S 1(1,3)")),
    "gates by matrices": (GATED, family((4, 4), U="S U", b="S b", D="- D S")),
    "gates without the bias": (GATED, family((4, 1), U="D(S) U", D="- D D(S)")),
    "gates of one column without the bias": (COLUMN, family((4, 1), U="D(S) U", D="- D D(S)")),
    "gates of one column, the bias twice": (COLUMN, family((4, 1), U="D(S) U", b="2 D(S) b", D="- D D(S)")),
    "gates of one row without the bias": (ROW, family((4, 1), U="U D(S)", D="- D(S) D")),
    "gates twice": (GATED, family((4, 1), U="D(S) U", b="D(S) b", D="- 2 D D(S)")),
    "squares once": (SQUARE, family((4, 1), U="D(S) U", D="- D D(S)")),
    "squares by matrices": (SQUARE, family((4, 4), U="S U", D="- 2 D S")),
    "squares shifted": (SQUARE, family((4, 1), U="S 1(1,2)")),
    "sigmoids that are scaled": (SILU, family((4, 1), U="D(S) U", D="- D D(S)")),
    "sigmoids twice": (SILU, family((4, 1), U="D(S) U", D="- 2 D D(S)")),
    "a space on one side": (LINEAR, family((3, 3), A="- A S")),
    "a space that is turned": (LINEAR, family((3, 3), A="- A S", B="S' B")),
    "outputs with the same sign": (LINEAR, family((2, 2), A="S A", C="C S")),
    "two spaces in three places": (LINEAR, family((2, 2), A="S A", C="- C S", B="B S")),
    "all matrices before a norm": (NORMED, family((3, 3), E="S E", U="- U S")),
    "symmetric matrices before a norm": (NORMED, family((3, 3), E="S E + S' E", U="- U S - U S'")),
    "diagonal matrices before a norm": (NORMED, family((3, 1), E="D(S) E", U="- U D(S)")),
    "lengths behind a norm": (NORMED, family(None, U="U")),
    "turns of a norm, turned back twice": (NORMED, family((3, 3), entries=[[0, 1]], E="S E - S' E", U="U S - U S'")),
    "turns that do not commute": (TURNED, family(None, Q="E(2,2,0,0) Q", K="- E(2,2,0,0) K")),
    "turns of queries alone": (TURNED, family(None, Q="E(2,2,0,1) Q - E(2,2,1,0) Q")),
    "turns by all matrices": (TURNED, family((2, 2), Q="S Q", K="- S' K")),
    "turns of the input's side": (TURNED, family(None, Q="Q E(2,2,0,1) - Q E(2,2,1,0)", K="- K")),
    "one of what is compared": (CHOSEN, family((2, 1), R="E(3,3,0,0) 1(3,1) S'")),
    "what is compared and read": (CHOSEN, family((1, 2), R="1(3,1) S")),
    "parts that are joined as they were": (PARTS, family(None, W="E(4,4,0,1) W", O="- O E(4,4,0,1)")),
    "parts across the border": (PARTS, family(None, W="E(4,4,0,2) W", O="- O E(4,4,0,2)")),
    "parts of all": (PARTS, family((4, 4), W="S W", O="- O S")),
    "embeddings by any vector": (TOKENS, family((3, 1), E="S 1(1,4)")),
    "positions with the same sign": (TOKENS, family((3, 1), E="S 1(1,4)", P="S 1(1,2)")),
    "one position": (TOKENS, family((3, 1), E="S 1(1,4)", P="- S E(1,2,0,0)")),
    "one token": (TOKENS, family((3, 1), E="S E(1,4,0,0)", P="- S 1(1,2)")),
    "one mean too many": (TOKENS, family((2, 1), W="S E(1,3,0,0)")),
    "what a mask shows": (MASKED, family(None, T="E(2,2,0,1)")),
    "all that a mask sees": (MASKED, family((2, 2), T="S")),
    "a tensor that is read": (LINEAR, family((2, 2), C="S")),
    "a multiple of all": (LINEAR, family(None, A="A", B="B", C="C")),
    "a multiple and a third": (LINEAR, family(None, A="A", B="- 1/3 B", C="- 1/3 C")),
    "a constant": (LINEAR, family(None, C="1(2,2)")),
    "weights in the place of S": (LINEAR, family(None, A="C A", C="- C C A B")),
    "one over one over": (SHIFTED, {**family(None), "moves": {"T": INVERTED}}),
    "a power that becomes zero": (
        "A: tensor 2 x 2; B: tensor 2 x 2; X: input 2 x 1; y: product A X; Y: product B y",
        {**family(None), "moves": {"A": [[1, [*VANISHING, ["tensor", "A"]]]], "B": [[-1, [["tensor", "B"]]]]}},
    ),
    "an index twice": (
        SUMMED,
        {**family(None), "moves": {"M": [[1, [["ones", 1, 2], *JOINED]]], "N": [[-1, [SUMS, *JOINED]]]}},
    ),
}


def reads(name: str, program: str) -> str:
    return "tokens" if program == TOKENS else "vectors"
