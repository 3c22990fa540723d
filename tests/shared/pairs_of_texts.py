"""Pairs of texts of one computation: how frameworks write attention, norms, gates and positions, and how this package
does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

import algatt
from algatt import layers, verbs
from algatt.fields import Elements, Erf, Log, Positive, Sigmoid, concatenate
from algatt.layers.activations import tanh
from written_networks import Written

D, TOKENS = 4, 3

Text = Callable[[Any, Elements], Elements]


@dataclass(frozen=True)
class Pair:
    """Two texts of one computation.

    Parameters
    ----------
    one, two : (dict of str to shape, text)
        The tensors and the text of each.
    names : dict of str to str
        The names in the first normal form of tensors of the second one, where they differ.
    width, tokens : int
        The size of inputs.
    vocabulary : int or None
        The number of tokens that are read, by an embedding before both.
    """

    one: tuple[dict[str, tuple[int, int]], Text]
    two: tuple[dict[str, tuple[int, int]], Text]
    names: dict[str, str] = field(default_factory=dict)
    width: int = D
    tokens: int = TOKENS
    vocabulary: int | None = None

    def name(self, name: str) -> str:
        """Return the name in the first normal form of a tensor of the second one."""
        return self.names.get(name, name)

    def networks(self) -> tuple[algatt.Network, algatt.Network]:
        """Return both networks."""
        written = [Written(tuple(tensors.items()), text) for tensors, text in (self.one, self.two)]
        if self.vocabulary is None:
            return tuple(algatt.Network(layer, tokens=self.tokens, width=self.width) for layer in written)
        before = layers.Embedding(self.vocabulary, self.width)
        return tuple(algatt.Network(before >> layer, tokens=self.tokens) for layer in written)


def soft(S: Elements) -> Elements:
    e = S.exp()
    return e / e.sum(axis=0)


def attend(q: Elements, k: Elements, v: Elements) -> Elements:
    return v @ soft(k.T @ q)


def every(count: int) -> list[int]:
    return list(range(count))


def shapes(*names: str, **given: tuple[int, int]) -> dict[str, tuple[int, int]]:
    usual = {"Q": (2, D), "K": (2, D), "V": (2, D), "O": (D, 2), "W": (2, D), "U": (D, 2), "b": (2, 1), "c": (D, 1)}
    return {name: usual[name.split("_")[0]] for name in names} | given


def heads_apart(*letters: str) -> dict[str, tuple[int, int]]:
    return shapes(*(f"{letter}_{i}" for letter in letters or "QKVO" for i in (1, 2)))


def apart(w: Any, X: Elements) -> Elements:
    total = X
    for i in (1, 2):
        total = total + w[f"O_{i}"] @ attend(w[f"Q_{i}"] @ X, w[f"K_{i}"] @ X, w[f"V_{i}"] @ X)
    return total


APART = heads_apart(), apart

OF_FUSED = {
    f"W.rows_{1 + 4 * place + 2 * i}_{2 + 4 * place + 2 * i}": f"{letter}_{i + 1}"
    for place, letter in enumerate("QKV")
    for i in (0, 1)
}
OF_JOINED = {"O.columns_1_2": "O_1", "O.columns_3_4": "O_2"}
OF_CONV = {name.replace("rows", "columns"): other for name, other in OF_FUSED.items()}
OF_CONV |= {name.replace("columns", "rows"): other for name, other in OF_JOINED.items()}


def fused(w: Any, X: Elements) -> Elements:
    Y = w.W @ X
    return w.O @ concatenate([attend(Y[i : i + 2], Y[4 + i : 6 + i], Y[8 + i : 10 + i]) for i in (0, 2)]) + X


def attend_rows(q: Elements, k: Elements, v: Elements) -> Elements:
    e = (q @ k.T).exp()
    return (e / e.sum(axis=1)) @ v


def conv(w: Any, X: Elements, bias: bool = False) -> Elements:
    """GPT-2: tokens as rows, Conv1D, split, merged heads."""
    x = X.T
    Y = x @ w.W + w.b if bias else x @ w.W
    parts = [Y[every(TOKENS), list(range(4 * place, 4 * place + 4))] for place in range(3)]
    joined = [attend_rows(*(part[every(TOKENS), [i, i + 1]] for part in parts)) for i in (0, 2)]
    Z = concatenate(joined, axis=1) @ w.O
    return (x + (Z + w.c if bias else Z)).T


def apart_with_biases(w: Any, X: Elements) -> Elements:
    total = 0
    for i in (1, 2):
        q, k, v = (w[f"{letter}_{i}"] @ X + w[f"b_{letter}_{i}"] for letter in "QKV")
        total = w[f"O_{i}"] @ attend(q, k, v) + total
    return total + w.c + X


OF_BIASES = {
    f"b.columns_{1 + 4 * place + 2 * i}_{2 + 4 * place + 2 * i}": f"b_{letter}_{i + 1}"
    for place, letter in enumerate("QKV")
    for i in (0, 1)
}


def fused_by_heads(w: Any, X: Elements) -> Elements:
    """GPT-NeoX: queries, keys and values of one head stand together."""
    Y, total = w.W @ X, X
    for i in (1, 2):
        start = 6 * (i - 1)
        total = total + w[f"O_{i}"] @ attend(Y[start : start + 2], Y[start + 2 : start + 4], Y[start + 4 : start + 6])
    return total


OF_HEADS = {
    f"W.rows_{6 * i + 2 * place + 1}_{6 * i + 2 * place + 2}": f"{letter}_{i + 1}"
    for i in (0, 1)
    for place, letter in enumerate("QKV")
}


def keys_and_values_fused(w: Any, X: Elements) -> Elements:
    Y, total = w.W @ X, X
    for i in (1, 2):
        k, v = Y[2 * i - 2 : 2 * i], Y[2 * i + 2 : 2 * i + 4]
        total = total + w[f"O_{i}"] @ attend(w[f"Q_{i}"] @ X, k, v)
    return total


OF_KEYS = {f"W.rows_{2 * i - 1}_{2 * i}": f"K_{i}" for i in (1, 2)}
OF_KEYS |= {f"W.rows_{2 * i + 3}_{2 * i + 4}": f"V_{i}" for i in (1, 2)}


def heads_joined(w: Any, X: Elements) -> Elements:
    return w.O @ concatenate([attend(w[f"Q_{i}"] @ X, w[f"K_{i}"] @ X, w[f"V_{i}"] @ X) for i in (1, 2)]) + X


def grouped(w: Any, X: Elements) -> Elements:
    k, v = w.K @ X, w.V @ X
    return X + w.O_1 @ attend(w.Q_1 @ X, k, v) + w.O_2 @ attend(w.Q_2 @ X, k, v)


def repeated(w: Any, X: Elements) -> Elements:
    q, k, v = w.Q @ X, w.K @ X, w.V @ X
    keys, values = concatenate((k, k)), concatenate((v, v))
    joined = [attend(q[i : i + 2], keys[i : i + 2], values[i : i + 2]) for i in (0, 2)]
    return X + w.O @ concatenate(joined)


def head(text: Callable[[Any, Elements], Elements]) -> Text:
    """The text of a head in the residual stream, given that of its values for all tokens."""
    return lambda w, X: X + w.O @ text(w, X)


HEAD = shapes("Q", "K", "V", "O")
PLAIN = HEAD, head(lambda w, X: attend(w.Q @ X, w.K @ X, w.V @ X))
ONES = np.ones((1, TOKENS), dtype=np.int64)
CAUSAL = np.triu(np.ones((TOKENS, TOKENS), dtype=np.int64))


def less_maximum(w: Any, X: Elements) -> Elements:
    S = (w.K @ X).T @ (w.Q @ X)
    e = (S - (S * S.largest(1)).sum(axis=0)).exp()
    return w.V @ X @ (e / e.sum(axis=0))


def less_mean(w: Any, X: Elements) -> Elements:
    S = (w.K @ X).T @ (w.Q @ X)
    return w.V @ X @ soft(S - S.sum(axis=0) * Fraction(1, TOKENS) + 2)


def divided_last(w: Any, X: Elements) -> Elements:
    e = ((w.K @ X).T @ (w.Q @ X)).exp()
    return ((w.V @ X) @ e) / e.sum(axis=0)


def masked(w: Any, X: Elements, before: bool = False) -> Elements:
    S = (w.K @ X).T @ (w.Q @ X)
    e = (S * CAUSAL).exp() * CAUSAL if before else S.exp() * CAUSAL
    return w.V @ X @ (e / e.sum(axis=0))


def masked_less_maximum(w: Any, X: Elements) -> Elements:
    S = (w.K @ X).T @ (w.Q @ X)
    e = CAUSAL * ((S - (S * S.largest(1)).sum(axis=0)) * CAUSAL).exp()
    return w.V @ X @ (e * e.sum(axis=0).reciprocal())


NORM = shapes("U", "W", g=(D, 1))
EPS = Fraction(1, 8)


def feed(norm: Text) -> Text:
    """A norm with gains before a perceptron."""

    def text(w: Any, X: Elements) -> Elements:
        Y = w.W @ norm(w, X)
        return X + w.U @ (Y * Y)

    return text


def layer_norm(w: Any, X: Elements) -> Elements:
    Y = X.centre()
    return w.g * (Y / (Y.column_products(Y) * Fraction(1, D) + EPS).sqrt())


def layer_norm_written(w: Any, X: Elements) -> Elements:
    Y = X - X.sum(axis=0) * Fraction(1, D)
    return Y / ((Y * Y).sum(axis=0) * Fraction(1, D) + EPS).sqrt() * w.g


def layer_norm_by_squares(w: Any, X: Elements) -> Elements:
    mean = X.sum(axis=0) * Fraction(1, D)
    variance = (X**2).sum(axis=0) * Fraction(1, D) - mean**2
    return w.g * ((X - mean) * (variance + EPS).sqrt().reciprocal())


def layer_norm_by_a_matrix(w: Any, X: Elements) -> Elements:
    centring = np.array([[Fraction(int(i == j)) - Fraction(1, D) for j in range(D)] for i in range(D)], dtype=object)
    Y = centring @ X
    return w.g * (Y / (Y.column_products(Y) * Fraction(1, D) + EPS).sqrt())


def layer_norm_of_rows(w: Any, X: Elements) -> Elements:
    x = X.T
    y = x - x.sum(axis=1) * Fraction(1, D)
    return (y / ((y * y).sum(axis=1) * Fraction(1, D) + EPS).sqrt() * w.g.T).T


def rms_norm(w: Any, X: Elements) -> Elements:
    return w.g * (X / (X.column_products(X) * Fraction(1, D) + EPS).sqrt())


def rms_norm_written(w: Any, X: Elements) -> Elements:
    return (w.g * X) * ((X * X).sum(axis=0) * Fraction(1, D) + EPS).sqrt().reciprocal()


def rms_norm_by_scales(w: Any, X: Elements) -> Elements:
    return X * (w.g * ((X * X).sum(axis=0) * Fraction(1, D) + EPS).reciprocal().sqrt())


def rms_norm_of_rows(w: Any, X: Elements) -> Elements:
    x = X.T
    return (w.g.T * (x / ((x * x).sum(axis=1) * Fraction(1, D) + EPS).sqrt())).T


def length_of_four(w: Any, X: Elements) -> Elements:
    return w.g * (X * 4 / (X.column_products(X) * 4).sqrt())


def length_times_two(w: Any, X: Elements) -> Elements:
    return w.g * X * 2 / (X.column_products(X)).sqrt()


def gated(activate: Callable[[Elements], Elements]) -> Text:
    return lambda w, X: X + w.U @ (activate(w.W @ X) * (w.W_2 @ X))


def entry(activate: Callable[[Elements], Elements]) -> Text:
    return lambda w, X: X + w.U @ activate(w.W @ X)


GATED = shapes("W", "W_2", "U")
ENTRY = shapes("W", "U")


def sigmoid(x: Elements) -> Elements:
    return x.entrywise(Sigmoid())


def swiglu_fused(w: Any, X: Elements) -> Elements:
    Y = w.W @ X
    return w.U @ (Y[2:] * (sigmoid(Y[:2]) * Y[:2])) + X


def swiglu_of_rows(w: Any, X: Elements) -> Elements:
    y = X.T @ w.W
    gate, up = y[every(TOKENS), [0, 1]], y[every(TOKENS), [2, 3]]
    return ((gate / ((-gate).exp() + 1) * up) @ w.U).T + X


GELU_ROOT = Fraction(np.sqrt(2 / np.pi))
CUBIC = Fraction(0.044715)


def rectified(x: Elements) -> Elements:
    return x * x.entrywise(Positive())


def tanh_of_two(x: Elements) -> Elements:
    above, below = x.exp(), (-x).exp()
    return (above - below) / (above + below)


def tanh_of_one(x: Elements) -> Elements:
    e = (2 * x).exp()
    return (e - 1) / (e + 1)


ANGLES = (1.0, 0.25)
PLACES = tuple(range(TOKENS))
HALVES = [0, 2, 1, 3]
ROTARY = shapes(Q=(4, D), K=(4, D), V=(2, D), O=(D, 2))


def rotary(turn: Callable[[Elements], Elements]) -> Text:
    return head(lambda w, X: attend(turn(w.Q @ X), turn(w.K @ X), w.V @ X))


def tables(X: Elements, angles: tuple[float, ...] = ANGLES) -> list[Elements]:
    return [Elements(X.field, one) for one in verbs.circle_points(X.field, angles=angles, positions=PLACES)]


def rotate_half(X: Elements) -> Elements:
    """As transformers writes it."""
    cosines, sines = (concatenate((one, one)) for one in tables(X))
    return X * cosines + concatenate((-X[2:], X[:2])) * sines


def rotate_pairs(X: Elements) -> Elements:
    cosines, sines = (one[:1] for one in (tables(X, ANGLES[:1])[0], tables(X, ANGLES[:1])[1]))
    other_cosines, other_sines = tables(X, ANGLES[1:])
    cosines, sines = (
        concatenate((first, first, second, second))
        for first, second in ((cosines, other_cosines), (sines, other_sines))
    )
    crossed = X[[1, 0, 3, 2]] * np.array([[-1], [1], [-1], [1]])
    return X * cosines + crossed * sines


def rotate_by_a_matrix(X: Elements) -> Elements:
    cosines, sines = (concatenate((one, one)) for one in tables(X))
    half = np.array([[0, 0, -1, 0], [0, 0, 0, -1], [1, 0, 0, 0], [0, 1, 0, 0]])
    return (half @ X) * sines + X * cosines


def rotate_first(X: Elements) -> Elements:
    cosines, sines = (concatenate((one, one)) for one in tables(X, ANGLES[:1]))
    turned, rest = X[:2], X[2:]
    return concatenate((turned * cosines + concatenate((-turned[1:], turned[:1])) * sines, rest))


def rotary_of_rows(w: Any, X: Elements) -> Elements:
    y = X.T @ w.W
    cosines, sines = (concatenate((one, one)).T for one in tables(X))

    def turn(x: Elements) -> Elements:
        half = concatenate((-x[every(TOKENS), [2, 3]], x[every(TOKENS), [0, 1]]), axis=1)
        return x * cosines + half * sines

    q, k = (turn(y[every(TOKENS), list(range(start, start + 4))]) for start in (0, 4))
    return (attend_rows(q, k, y[every(TOKENS), [8, 9]]) @ w.O).T + X


def rotate_by_halves(X: Elements) -> Elements:
    """As flax and torchtune write it: both halves of the rows are turned, and joined."""
    (cosines, sines), (one, two) = tables(X), (X[:2], X[2:])
    return concatenate((one * cosines - two * sines, two * cosines + one * sines))


COSINES, SINES = (function(np.outer(ANGLES, PLACES).astype(np.float32)) for function in (np.cos, np.sin))
"""Tables of floats, which lie on no circle."""


def float_half(X: Elements) -> Elements:
    return X * np.vstack([COSINES] * 2) + concatenate((-X[2:], X[:2])) * np.vstack([SINES] * 2)


def float_pairs(X: Elements) -> Elements:
    """GPT-J: rows beside each other are pairs."""
    crossed = X[[1, 0, 3, 2]] * np.array([[-1], [1], [-1], [1]])
    return X * np.repeat(COSINES, 2, axis=0) + crossed * np.repeat(SINES, 2, axis=0)


def float_halves(X: Elements) -> Elements:
    one, two = X[:2], X[2:]
    return concatenate((one * COSINES - two * SINES, two * COSINES + one * SINES))


def float_beside(X: Elements) -> Elements:
    """As llama of Meta: complex numbers, whose parts are beside each other."""
    one, two = X[[0, 2]], X[[1, 3]]
    return concatenate((one * COSINES - two * SINES, one * SINES + two * COSINES))[HALVES]


def float_of_rows(w: Any, X: Elements) -> Elements:
    y = X.T @ w.W

    def turn(x: Elements) -> Elements:
        half = concatenate((-x[every(TOKENS), [2, 3]], x[every(TOKENS), [0, 1]]), axis=1)
        return x * np.vstack([COSINES] * 2).T + half * np.vstack([SINES] * 2).T

    q, k = (turn(y[every(TOKENS), list(range(start, start + 4))]) for start in (0, 4))
    return (attend_rows(q, k, y[every(TOKENS), [8, 9]]) @ w.O).T + X


FLOAT_PAIRS = {f"{name}.rows_{2 * i + 1}_{2 * i + 2}": f"{name}.rows_{i + 1}_{i + 3}" for name in "QK" for i in (0, 1)}
FLOAT_ROWS = {
    f"W.columns_{start + i}_{start + i + 2}": f"{name}.rows_{i}_{i + 2}"
    for name, start in (("Q", 0), ("K", 4))
    for i in (1, 2)
}


def joined_weights(w: Any, X: Elements) -> Elements:
    Y = concatenate((w.Q, w.K, w.V)) @ X
    return attend(Y[:2], Y[2:4], Y[4:])


PAIRS: dict[str, Pair] = {
    "one matrix of queries, keys and values": Pair(APART, ({"W": (12, D), "O": (D, 4)}, fused), OF_FUSED | OF_JOINED),
    "GPT-2, tokens as rows": Pair(APART, ({"W": (D, 12), "O": (4, D)}, conv), OF_CONV),
    "GPT-2 with biases": Pair(
        (
            heads_apart() | shapes(*(f"b_{letter}_{i}" for letter in "QKV" for i in (1, 2)), "c"),
            apart_with_biases,
        ),
        ({"W": (D, 12), "O": (4, D), "b": (1, 12), "c": (1, D)}, lambda w, X: conv(w, X, bias=True)),
        OF_CONV | OF_BIASES,
    ),
    "rows and columns": Pair(
        ({"W": (12, D), "O": (D, 4)}, fused),
        ({"W": (D, 12), "O": (4, D)}, conv),
        {name: name.replace("columns", "*").replace("rows", "columns").replace("*", "rows") for name in OF_CONV},
    ),
    "GPT-NeoX, one matrix by heads": Pair(APART, (heads_apart("O") | {"W": (12, D)}, fused_by_heads), OF_HEADS),
    "one matrix of keys and values": Pair(
        APART, (heads_apart("Q", "O") | {"W": (8, D)}, keys_and_values_fused), OF_KEYS
    ),
    "heads joined before one output": Pair(
        APART, (heads_apart("Q", "K", "V") | {"O": (D, 4)}, heads_joined), OF_JOINED
    ),
    "grouped queries, keys repeated": Pair(
        (shapes("Q_1", "Q_2", "K", "V", "O_1", "O_2"), grouped),
        (shapes("K", "V") | {"Q": (4, D), "O": (D, 4)}, repeated),
        {"Q.rows_1_2": "Q_1", "Q.rows_3_4": "Q_2"} | OF_JOINED,
    ),
    "weights joined before a product": Pair(PLAIN, (HEAD, head(joined_weights))),
    "scores of queries and keys": Pair(PLAIN, (HEAD, head(lambda w, X: w.V @ X @ soft(((w.Q @ X).T @ (w.K @ X)).T)))),
    "scores of rows": Pair(PLAIN, (HEAD, head(lambda w, X: attend_rows((w.Q @ X).T, (w.K @ X).T, (w.V @ X).T).T))),
    "queries divided, scores divided": Pair(
        (HEAD, head(lambda w, X: w.V @ X @ soft((w.K @ X).T @ (w.Q @ X) * Fraction(1, 2)))),
        (HEAD, head(lambda w, X: attend((w.Q @ X) / 2, w.K @ X, w.V @ X))),
    ),
    "queries and keys divided": Pair(
        (HEAD, head(lambda w, X: w.V @ X @ soft((w.K @ X).T @ (w.Q @ X) * Fraction(1, 4)))),
        (HEAD, head(lambda w, X: attend((w.Q / 2) @ X, (w.K @ X) / 2, w.V @ X))),
    ),
    "biased queries divided": Pair(
        (HEAD | shapes("b"), head(lambda w, X: w.V @ X @ soft((w.K @ X).T @ (w.Q @ X + w.b) / 2))),
        (HEAD | shapes("b"), head(lambda w, X: attend((w.Q @ X + w.b) / 2, w.K @ X, w.V @ X))),
    ),
    "largest score subtracted": Pair(PLAIN, (HEAD, head(less_maximum))),
    "mean score subtracted": Pair(PLAIN, (HEAD, head(less_mean))),
    "values mixed before they are divided": Pair(PLAIN, (HEAD, head(divided_last))),
    "scores masked before and after": Pair((HEAD, head(masked)), (HEAD, head(lambda w, X: masked(w, X, before=True)))),
    "masked, largest score subtracted": Pair((HEAD, head(masked)), (HEAD, head(masked_less_maximum))),
    "products of weights as scores": Pair(PLAIN, (HEAD, head(lambda w, X: w.V @ X @ soft(X.T @ ((w.K.T @ w.Q) @ X))))),
    "scores without softmax": Pair(
        (HEAD, head(lambda w, X: ((w.V @ X) @ (w.K @ X).T) @ (w.Q @ X))),
        (HEAD, head(lambda w, X: (w.V @ X) @ ((w.K @ X).T @ (w.Q @ X)))),
    ),
    "a product of weights before the input": Pair(
        PLAIN, (HEAD, lambda w, X: X + (w.O @ w.V) @ X @ soft((w.K @ X).T @ (w.Q @ X)))
    ),
    "layer norm written out": Pair((NORM, feed(layer_norm)), (NORM, feed(layer_norm_written))),
    "layer norm by means of squares": Pair((NORM, feed(layer_norm)), (NORM, feed(layer_norm_by_squares))),
    "layer norm by a matrix": Pair((NORM, feed(layer_norm)), (NORM, feed(layer_norm_by_a_matrix))),
    "layer norm of rows": Pair((NORM, feed(layer_norm)), (NORM, feed(layer_norm_of_rows))),
    "root mean square written out": Pair((NORM, feed(rms_norm)), (NORM, feed(rms_norm_written))),
    "root mean square by scales": Pair((NORM, feed(rms_norm)), (NORM, feed(rms_norm_by_scales))),
    "root mean square of rows": Pair((NORM, feed(rms_norm)), (NORM, feed(rms_norm_of_rows))),
    "lengths and roots of numbers": Pair((NORM, feed(length_times_two)), (NORM, feed(length_of_four))),
    "SwiGLU, one matrix": Pair(
        (GATED, gated(lambda x: x * sigmoid(x))),
        ({"W": (4, D), "U": (D, 2)}, swiglu_fused),
        {"W.rows_1_2": "W", "W.rows_3_4": "W_2"},
    ),
    "SwiGLU of rows, one matrix": Pair(
        (GATED, gated(lambda x: x * sigmoid(x))),
        ({"W": (D, 4), "U": (2, D)}, swiglu_of_rows),
        {"W.columns_1_2": "W", "W.columns_3_4": "W_2"},
    ),
    "logistic function by exponentials": Pair(
        (ENTRY, entry(lambda x: x * sigmoid(x))), (ENTRY, entry(lambda x: x * x.exp() / (1 + x.exp())))
    ),
    "tanh by two exponentials": Pair((ENTRY, entry(tanh)), (ENTRY, entry(tanh_of_two))),
    "tanh by one exponential": Pair((ENTRY, entry(tanh)), (ENTRY, entry(tanh_of_one))),
    "GELU by tanh": Pair(
        (ENTRY, entry(lambda x: verbs.activate(layers.TanhGELU(), x))),
        (ENTRY, entry(lambda x: Fraction(1, 2) * x * (1 + tanh(GELU_ROOT * (x + CUBIC * (x * x * x)))))),
    ),
    "GELU by the error function": Pair(
        (ENTRY, entry(lambda x: verbs.activate(layers.GELU(), x))),
        (ENTRY, entry(lambda x: x / 2 * (1 + (Fraction(np.sqrt(0.5)) * x).entrywise(Erf())))),
    ),
    "softplus": Pair(
        (ENTRY, entry(lambda x: verbs.activate(layers.Softplus(), x))),
        (ENTRY, entry(lambda x: (1 + (-x).exp().reciprocal()).entrywise(Log()))),
    ),
    "rectified twice": Pair((ENTRY, entry(rectified)), (ENTRY, entry(lambda x: rectified(rectified(x))))),
    "rectified and squared": Pair(
        (ENTRY, entry(lambda x: rectified(x) ** 2)), (ENTRY, entry(lambda x: x * x * x.entrywise(Positive())))
    ),
    "rotary halves by tables": Pair(
        (ROTARY, rotary(lambda Y: Y[HALVES].rotate(ANGLES, PLACES))), (ROTARY, rotary(rotate_half))
    ),
    "rotary pairs by tables": Pair(
        (ROTARY, rotary(lambda Y: Y.rotate(ANGLES, PLACES))), (ROTARY, rotary(rotate_pairs))
    ),
    "rotary halves by a matrix": Pair(
        (ROTARY, rotary(lambda Y: Y[HALVES].rotate(ANGLES, PLACES))), (ROTARY, rotary(rotate_by_a_matrix))
    ),
    "rotary part by tables": Pair(
        (ROTARY, rotary(lambda Y: concatenate((Y[:2].rotate(ANGLES[:1], PLACES), Y[2:])))),
        (ROTARY, rotary(rotate_first)),
    ),
    "rotary of rows, one matrix": Pair(
        (ROTARY, rotary(lambda Y: Y[HALVES].rotate(ANGLES, PLACES))),
        ({"W": (D, 10), "O": (2, D)}, rotary_of_rows),
        {"W.columns_1_4": "Q", "W.columns_5_8": "K", "W.columns_9_10": "V"},
    ),
    "rotary halves joined": Pair(
        (ROTARY, rotary(lambda Y: Y[HALVES].rotate(ANGLES, PLACES))), (ROTARY, rotary(rotate_by_halves))
    ),
    "float tables, halves and pairs": Pair((ROTARY, rotary(float_half)), (ROTARY, rotary(float_pairs)), FLOAT_PAIRS),
    "float tables, halves joined": Pair((ROTARY, rotary(float_half)), (ROTARY, rotary(float_halves))),
    "float tables, complex numbers": Pair((ROTARY, rotary(float_half)), (ROTARY, rotary(float_beside)), FLOAT_PAIRS),
    "float tables of rows, one matrix": Pair(
        (ROTARY, rotary(float_half)),
        ({"W": (D, 10), "O": (2, D)}, float_of_rows),
        FLOAT_ROWS | {"W.columns_9_10": "V"},
    ),
    "an input with a row of ones": Pair(
        (shapes("W", "b", "U"), lambda w, X: w.U @ sigmoid(w.W @ X + w.b)),
        (
            shapes("U") | {"W": (2, D + 1)},
            lambda w, X: w.U @ sigmoid(w.W @ concatenate((X, X[:1] * 0 + 1))),
        ),
        {f"W.columns_1_{D}": "W", f"W.columns_{D + 1}_{D + 1}": "b"},
    ),
    "biases spread by a product": Pair(
        (shapes("W", "b", "U"), lambda w, X: w.U @ sigmoid(w.W @ X + w.b)),
        (shapes("W", "b", "U"), lambda w, X: w.U @ sigmoid(w.b @ ONES + w.W @ X)),
    ),
    "sums in another order": Pair(
        (HEAD | shapes("c"), lambda w, X: X + (w.O @ attend(w.Q @ X, w.K @ X, w.V @ X) + w.c)),
        (HEAD | shapes("c"), lambda w, X: w.c + (X + w.O @ attend(w.Q @ X, w.K @ X, w.V @ X))),
    ),
    "twice the same": Pair(
        (ENTRY, lambda w, X: 2 * X + w.U @ (w.W @ X) ** 2),
        (ENTRY, lambda w, X: X + w.U @ ((w.W @ X) * (w.W @ X)) + X),
    ),
    "tokens, one matrix": Pair(APART, ({"W": (12, D), "O": (D, 4)}, fused), OF_FUSED | OF_JOINED, vocabulary=5),
}
"""The pairs by what differs."""
