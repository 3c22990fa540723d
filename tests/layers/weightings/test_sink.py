"""Attention sinks (arXiv 2309.17453; gpt-oss, arXiv 2508.10925), against softmax with one more key."""

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers import Affine, Causal, Exponential, Heads, Residual, Sink
from algatt.layers.base import tensor_shapes
from algatt.verbs import attention_weights, score_of_head

WIDTH, TOKENS = 3, 4


def softmax(columns):
    values = np.exp(columns - columns.max(axis=0))
    return values / values.sum(axis=0)


def attention(w, heads, mask, logits, temperature):
    """Return the sum over heads of values mixed by softmax over the keys and a sink, whose value is zero."""
    X = w["X"]
    total = np.zeros(X.shape)
    for head in range(1, heads + 1):
        Q, K, V, O = (w[f"heads.{letter}_{head}"] for letter in "QKVO")
        scores = (K @ X).T @ (Q @ X) / temperature
        scores[mask == 0] = -np.inf
        with_sink = softmax(np.vstack((scores, np.full((1, TOKENS), logits[head - 1]))))
        total += O @ V @ X @ with_sink[:-1]
    return total


@pytest.mark.parametrize("learned", [True, False])
@pytest.mark.parametrize("mask", [None, Causal()])
@pytest.mark.parametrize(("score", "temperature"), [(None, 2**0.5), (Exponential(3), 3)])
def test_a_sink_is_a_key_whose_value_is_zero(is_real_value, learned, mask, score, temperature):
    layer = Heads(2, width=2, score=Sink(learned, score), mask=mask)
    generator = np.random.default_rng(1)
    shapes, _ = tensor_shapes(layer, (WIDTH, TOKENS))
    tensors = {name: generator.standard_normal(shape) for name, shape in shapes.items()}
    assert ("heads.sink" in tensors) == learned
    X = generator.standard_normal((WIDTH, TOKENS))
    logits = tensors["heads.sink"][:, 0] if learned else np.zeros(2)
    seen = np.ones((TOKENS, TOKENS)) if mask is None else np.triu(np.ones((TOKENS, TOKENS)))
    is_real_value(layer, tensors, X, attention(tensors | {"X": X}, 2, seen, logits, temperature))


def test_weights_add_up_to_less_than_one_and_do_not_overflow():
    products = Elements(algatt.Reals(), np.array([[-1000.0, 1000.0], [-1000.0, 0.0]]))
    weights = attention_weights(score_of_head(Sink(False, Exponential()), None, 0, 1), products)
    assert weights.raw.tolist() == [[0.0, 1.0], [0.0, 0.0]]


@pytest.mark.parametrize(("biases", "bias"), [("", 0), ("K", 4)])
def test_nothing_more_is_redundant_and_biases_of_keys_are_seen(biases, bias):
    """Keys and queries, values and outputs of two heads: a^2 each; softmax alone does not see the biases."""
    for score, keys in ((Sink(), 0), (Sink(learned=False), 0), (None, bias)):
        net = algatt.Network(Residual(Heads(2, score=score, biases=biases)), tokens=3, width=4)
        report = algatt.dimension(net)
        assert (report.status, report.parameters - report.value) == ("proven", 2 * (4 + 4) + keys)


def test_what_is_no_softmax_is_refused():
    with pytest.raises(InvalidArgument, match=r"^score was Affine\(a=1, b=1\); it should be a softmax, such as "):
        Sink(score=Affine(1, 1))
    with pytest.raises(InvalidArgument, match=r"^learned was 0\.5; it should be True or False$"):
        Sink(0.5)
