"""Dimensions of small networks with biases, gains and means: what tables of transformers say, proven.

The sources are counts by hand: parameters less what each part makes redundant. A head of width a has a^2 for keys and
queries and a^2 for values and outputs; a softmax does not see a bias of keys (a), and one of values is a bias of the
output (a); each gain before matrices removes d, each bias of a norm before other biases d. A LayerNorm gives sum zero:
so a matrix that reads it is seen modulo w 1^T, one number for each of its rows whose constant is free, and one that
writes only into such streams modulo 1 w^T, one number for each of its columns. Some of these are also the ranks that
double precision finds (agreed).
"""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt import Network
from algatt.fields import Elements
from algatt.fields.functions import Exp
from algatt.layers import (
    Embedding,
    Feedforward,
    Heads,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    Power,
    Probabilities,
    ReLU,
    Residual,
    RMSNorm,
    SiLU,
    Unembedding,
)
from written_networks import written

D, A = 4, 2
HEADS = 2 * (A * D + A * D)
"""Parameters of one head of width 2."""

CASES = {
    # one head, residual: 32 - 4 - 4
    "one head": (Residual(Heads(1, width=2)), 4, 3, HEADS - 2 * A * A),
    # networks.md, section 4: d=4, t=3, a=2, h=2, residual: 64, 48; and two layers
    "two heads": (Residual(Heads(2)), 4, 3, 48),
    # biases everywhere, one head: 42, 30: also a of the keys and a of the values
    "all biases": (Residual(Heads(1, width=2, biases="QKVO")), 4, 3, 30),
    # without a bias of the output that of the values stays, as 2 of the 4 directions of O b: 40 - 8 - 2
    "no output bias": (Residual(Heads(1, width=2, biases="QKV")), 4, 3, HEADS + 6 - 8 - A),
    "key bias alone": (Residual(Heads(1, width=2, biases="K")), 4, 3, HEADS - 8),
    # networks.md, section 4: RMSNorm with gain, one head: 36, 24
    "RMSNorm": (Residual(RMSNorm() >> Heads(1, width=2)), 4, 3, 24),
    # networks.md, section 4: LayerNorm with gain and bias, one head: 40, 22
    "LayerNorm": (Residual(LayerNorm() >> Heads(1, width=2)), 4, 3, 22),
    # SwiGLU 36, 32 and SiLU 24, 24, hidden 4, d=3; a gain before them removes 3
    "gated": (Feedforward(4, SiLU(), gated=True), 3, 1, 32),
    "not gated": (Feedforward(4, SiLU()), 3, 1, 24),
    "ReLU": (Feedforward(4, ReLU()), 3, 1, 20),
    "gain before": (RMSNorm() >> Feedforward(4, SiLU()), 3, 2, 24),
    # LayerNorm, gain and bias, before a map with a bias: 3 + 3 + 6 + 2 - 3 - 3 - 2 rows
    "LayerNorm and a map": (LayerNorm() >> Linear(2, bias=True), 3, 2, 6),
    # without a bias of the map, that of the norm takes the place of the constants: 3 + 3 + 6 - 3 - 3, of which W b
    # and W on the vectors with sum zero are seen: 4 + 2
    "LayerNorm and a matrix": (LayerNorm() >> Linear(2), 3, 2, 6),
    "LayerNorm without bias": (LayerNorm(bias=False) >> Linear(2), 3, 2, 4),
    "LayerNorm without gain": (LayerNorm(gain=False) >> Linear(2, bias=True), 3, 2, 6),
    # LayerScale: d numbers, taken up by what is written
    "LayerScale": (Residual(Linear(3, bias=True) >> LayerScale()), 3, 2, 12),
    # two maps without a gate are one: 3 x 3 and a bias
    "biases in a row": (Linear(3, bias=True) >> Linear(3, bias=True), 3, 2, 12),
    # x -> (W x)^2 with two hidden numbers, each with a factor: 6 + 6 - 2
    "square": (Feedforward(2, Power(2)), 3, 2, 10),
}

TOKENS = {
    # embedding 5 x 3, one head of width 2, unembedding 5 x 3: 54, 37; norms 54, 43; gains 60, 43 (networks.md)
    "no norm": (Embedding(5, 3) >> Residual(Heads(1, width=2)) >> Unembedding(5), 3, 37),
    "norms": (
        Embedding(5, 3) >> Residual(RMSNorm(gain=False) >> Heads(1, width=2)) >> RMSNorm(gain=False) >> Unembedding(5),
        3,
        43,
    ),
    "gains": (Embedding(5, 3) >> Residual(RMSNorm() >> Heads(1, width=2)) >> RMSNorm() >> Unembedding(5), 3, 43),
    # E 12, P 6, U 12: a stream of 3 (9), and e + v, p - v (3): U E and U P up to a shift: 4 x 4 rank 3 ...
    "positions": (Embedding(4, 3) >> LearnedPosition() >> Unembedding(4), 2, 12 + 6 + 12 - 9 - 3),
    # softmax of logits sees U modulo rows: 3 more
    "probabilities": (Embedding(5, 3) >> Unembedding(5, reading=Probabilities()), 1, 15 + 15 - 9 - 3),
}


@pytest.mark.parametrize("name", CASES)
def test_networks_of_vectors(name):
    layers, width, tokens, expected = CASES[name]
    found = algatt.dimension(Network(layers, tokens=tokens, width=width), seed=0)
    assert (found.value, found.status) == (expected, "proven")


@pytest.mark.parametrize("name", TOKENS)
def test_networks_of_tokens(name):
    layers, tokens, expected = TOKENS[name]
    found = algatt.dimension(Network(layers, tokens=tokens), seed=0)
    assert (found.value, found.status) == (expected, "proven")


def test_attention_of_one_learned_query():
    """One vector that keys are multiplied with, one matrix of values and one bias are seen."""
    square, column = dict.fromkeys("QKVO", (3, 3)), dict.fromkeys("qakvo", (3, 1))

    def value(w, X):
        shares = ((w.K @ X + w.k).T @ (w.Q @ w.q + w.a)).entrywise(Exp())
        total = Elements.of(X.field, np.ones((1, X.shape[-1]), dtype=np.int64)) @ shares
        return w.O @ ((w.V @ X + w.v) @ (shares * total.reciprocal())) + w.o

    report = algatt.dimension(written(square | column, value, tokens=4))
    assert (report.value, report.status) == (3 + 9 + 3, "proven")
