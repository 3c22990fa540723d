"""Attention with several heads, token by token (arXiv 1706.03762, section 3.2; 2305.13245; 2010.04245)."""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from algatt import Network, Reals
from algatt.errors import InvalidArgument
from algatt.layers import (
    AcrossHeads,
    Affine,
    Causal,
    Exponential,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    Mask,
    Pattern,
    Power,
    Residual,
    RMSNorm,
    SoftCap,
    Unnormalized,
    Window,
)
from algatt.layers.base import Noun, tensor_shapes
from algatt.verbs import mask_matrix

WIDTH, TOKENS = 4, 3
X = [[1, 2, -1], [0, 1, 3], [2, -1, 1], [1, 1, 0]]


def noun(value: object) -> str | None:
    """Return how a parameter of a test is called: a function's address is another in each process."""
    return repr(value) if isinstance(value, Noun) else None


def integers(layer, seed=0, least=-2):
    """Small integer tensors for a layer."""
    rng = np.random.default_rng(seed)
    shapes, _ = tensor_shapes(layer, (WIDTH, TOKENS))
    return {name: rng.integers(least, 4, shape).tolist() for name, shape in shapes.items()}


def dot(u, v):
    return sum(a * b for a, b in zip(u, v, strict=True))


def linear(tensors, letter, number, x):
    b = tensors.get(f"heads.b_{letter}_{number}")
    product = [dot(row, x) for row in tensors[f"heads.{letter}_{number}"]]
    return [y + (shift[0] if b else 0) for y, shift in zip(product, b or product, strict=True)]


def attention(
    tensors, heads, groups, weights, sees=lambda query, key: True, norm=lambda name, vectors: vectors, output=True
):
    """Go over queries, heads and keys; `weights` are those of the products of a query with the keys that it sees."""
    columns = list(zip(*X, strict=True))

    def projected(letter, count, name):
        each = [[linear(tensors, letter, number, x) for x in columns] for number in range(1, count + 1)]
        return [list(one) for one in zip(*(norm(name, vectors) for vectors in zip(*each, strict=True)), strict=True)]

    queries = projected("Q", heads, "query_norm")
    keys = projected("K", groups, "key_norm")
    values = [[linear(tensors, "V", number, x) for x in columns] for number in range(1, groups + 1)]
    result = []
    for i in range(len(columns)):
        mixed = []
        for head in range(heads):
            group = head // (heads // groups)
            seen = [j for j in range(len(columns)) if sees(i, j)]
            shares = weights([dot(keys[group][j], queries[head][i]) for j in seen])
            mixed.append(
                [
                    sum(w * values[group][j][r] for w, j in zip(shares, seen, strict=True))
                    for r in range(len(values[0][0]))
                ]
            )
        if output:
            outer = [[dot(row, one) for row in tensors[f"heads.O_{head + 1}"]] for head, one in enumerate(mixed)]
            shift = [b for (b,) in tensors.get("heads.b_O", [[0]] * WIDTH)]
            result.append([sum(entries) for entries in zip(*outer, shift, strict=True)])
        else:
            result.append([entry for one in mixed for entry in one])
    return [list(row) for row in zip(*result, strict=True)]


def normalised(function):
    def weights(products):
        values = [function(Fraction(x)) for x in products]
        return [value / sum(values) for value in values]

    return weights


def softmax(scale):
    def weights(products):
        values = [math.exp(x * scale) for x in products]
        return [value / sum(values) for value in values]

    return weights


AFFINE = normalised(lambda x: 1 + 7 * x)

EXACT = [
    (Heads(2, score=Unnormalized()), (2, 2, lambda x: x)),
    (Heads(2, score=Unnormalized(Power(2))), (2, 2, lambda x: [y * y for y in x])),
    (Heads(2, score=Unnormalized(Affine(2, 5))), (2, 2, lambda x: [2 * y + 5 for y in x])),
    (Heads(4, key_heads=2, width=3, value_width=2, score=Affine(7, 1)), (4, 2, AFFINE)),
    (Heads(4, key_heads=1, width=2, score=Affine(7, 1), biases="QKVO"), (4, 1, AFFINE)),
    (Heads(3, width=2, score=Affine(7, 1), biases="KO"), (3, 3, AFFINE)),
    (Heads(3, width=2, value_width=1, score=Unnormalized(), biases="V", output=False), (3, 3, lambda x: x)),
    (Heads(1, width=5, score=Affine(7, 1), output=False), (1, 1, AFFINE)),
]


@pytest.mark.parametrize(("layer", "parts"), EXACT, ids=noun)
def test_rational_scores_in_every_field(is_value, layer, parts):
    tensors = integers(layer)
    heads, groups, weights = parts
    is_value(layer, tensors, X, attention(tensors, heads, groups, weights, output=layer.output))


MASKS = [
    (Causal(), lambda query, key: key <= query),
    (Window(1), lambda query, key: key == query),
    (Window(2), lambda query, key: query - 2 < key <= query),
    (Pattern(((1, 1, 0), (0, 1, 1), (1, 0, 1))), lambda query, key: (query - key) % 3 < 2),
]


@pytest.mark.parametrize(("mask", "sees"), MASKS, ids=noun)
@pytest.mark.parametrize(
    ("score", "weights"), [(Unnormalized(), lambda x: x), (Affine(7, 1), AFFINE)], ids=["lightning", "affine"]
)
def test_hidden_tokens_do_not_count(is_value, mask, sees, score, weights):
    layer = Heads(2, score=score, mask=mask)
    tensors = integers(layer, seed=3)
    is_value(layer, tensors, X, attention(tensors, 2, 2, weights, sees))


@pytest.mark.parametrize(("mask", "sees"), [(None, lambda query, key: True), *MASKS], ids=noun)
def test_softmax_of_products_divided_by_the_root_of_their_width(is_real_value, mask, sees):
    layer = Heads(4, key_heads=2, width=3, mask=mask, biases="QKVO")
    tensors = integers(layer, seed=1)
    is_real_value(layer, tensors, X, attention(tensors, 4, 2, softmax(1 / math.sqrt(3)), sees))


def test_another_temperature(is_real_value):
    layer = Heads(2, score=Exponential(5))
    tensors = integers(layer)
    is_real_value(layer, tensors, X, attention(tensors, 2, 2, softmax(1 / 5)))


def capped(cap, scale):
    return lambda products: softmax(1)([cap * math.tanh(x * scale / cap) for x in products])


@pytest.mark.parametrize(
    ("score", "weights"),
    [
        (SoftCap(3), capped(3, 1 / math.sqrt(2))),
        (SoftCap(3, Exponential()), capped(3, 1)),
        (SoftCap(0.5, Exponential(7)), capped(0.5, 1 / 7)),
    ],
    ids=noun,
)
def test_scores_are_divided_by_the_temperature_and_then_capped(is_real_value, score, weights):
    layer = Heads(2, score=score, mask=Causal())
    tensors = integers(layer, seed=5)
    is_real_value(layer, tensors, X, attention(tensors, 2, 2, weights, lambda query, key: key <= query))


def rms(gains, x, eps):
    root = math.sqrt(dot(x, x) / len(x) + eps)
    return [g * entry / root for (g,), entry in zip(gains, x, strict=True)]


def test_each_head_is_normalised_by_itself(is_real_value):
    layer = Heads(2, width=3, norm=RMSNorm(0.5), biases="Q")
    tensors = integers(layer, seed=2)
    assert {"heads.query_norm.g", "heads.key_norm.g"} < set(tensors)

    def norm(name, vectors):
        return [rms(tensors[f"heads.{name}.g"], one, 0.5) for one in vectors]

    is_real_value(layer, tensors, X, attention(tensors, 2, 2, softmax(1 / math.sqrt(3)), norm=norm))


def test_or_all_heads_of_a_token_together(is_real_value):
    layer = Heads(4, key_heads=2, width=3, norm=AcrossHeads(RMSNorm(0.5)))
    tensors = integers(layer, seed=2)
    assert np.shape(tensors["heads.query_norm.g"]) == (12, 1)
    assert np.shape(tensors["heads.key_norm.g"]) == (6, 1)

    def norm(name, vectors):
        together = rms(tensors[f"heads.{name}.g"], [entry for one in vectors for entry in one], 0.5)
        return [together[start : start + 3] for start in range(0, len(together), 3)]

    is_real_value(layer, tensors, X, attention(tensors, 4, 2, softmax(1 / math.sqrt(3)), norm=norm))


def test_a_hidden_score_may_be_larger_than_any_that_is_seen(value):
    """Its exponential is infinite in floats, but its weight is 0."""
    layer = Heads(1, width=1, value_width=1, score=Exponential(), mask=Causal(), output=False)
    tensors = {"heads.Q_1": [[1.0]], "heads.K_1": [[1.0]], "heads.V_1": [[1.0]]}
    assert value(layer, tensors, [[1.0, 2000.0]], Reals()).tolist() == [[1.0, 2000.0]]


def test_widths_and_numbers_of_heads():
    with pytest.raises(InvalidArgument, match=r"^heads was 6 with key_heads=4; it should be a multiple of key_heads$"):
        Heads(6, key_heads=4)
    with pytest.raises(InvalidArgument, match=r"^heads was 0; it should be an integer >= 1$"):
        Heads(0)
    with pytest.raises(InvalidArgument, match=r"^value_width was -1; it should be an integer >= 1$"):
        Heads(1, value_width=-1)
    with pytest.raises(InvalidArgument) as told:
        Network(Feedforward(3, width=5) >> Residual(Linear(5) >> Heads(2)), tokens=3, width=4)
    assert (
        str(told.value)
        == "Heads(2) after Linear(5) was given width 5; it should be given a multiple of 2, or a width of its own"
    )


@pytest.mark.parametrize(
    ("slot", "should"),
    [
        ("score", "a score, such as algatt.layers.Exponential()"),
        ("mask", "a mask, such as algatt.layers.Causal()"),
        ("position", "a position encoding, such as algatt.layers.Rotary()"),
        ("norm", "a layer, such as algatt.layers.RMSNorm()"),
        ("biases", 'different letters of "QKVO"'),
        ("output", "True or False"),
    ],
)
def test_slots_that_hold_something_else_are_refused(slot, should):
    with pytest.raises(InvalidArgument) as told:
        Heads(2, **{slot: "QQ"})
    assert str(told.value) == f"{slot} was 'QQ'; it should be {should}"


def test_what_contradicts_itself_is_refused():
    with pytest.raises(
        InvalidArgument, match=r"^biases was 'QO'; it should be without O, since there is no output projection$"
    ):
        Heads(2, biases="QO", output=False)
    with pytest.raises(
        InvalidArgument, match=r"^layer was None; it should be a layer, such as algatt\.layers\.RMSNorm\(\)$"
    ):
        AcrossHeads(None)
    assert "b_O" not in dict(tensor_shapes(Heads(2, biases="QK"), (4, 2))[0])
    assert LayerNorm() == Heads(2, norm=LayerNorm()).parts["key_norm"]


@dataclass(frozen=True, repr=False)
class Blind(Mask):
    """A mask that hides all from the second of two tokens."""


@dataclass(frozen=True, repr=False)
class Twice(Mask):
    """A matrix that is no mask."""


@mask_matrix.method
def blind_matrix(mask: Blind, tokens: int) -> np.ndarray:
    return np.array([[1, 0], [1, 0]])


@mask_matrix.method
def twice_matrix(mask: Twice, tokens: int) -> np.ndarray:
    return 2 * np.eye(tokens, dtype=np.int64)


def test_masks_of_ones_own_are_looked_at():
    with pytest.raises(InvalidArgument) as told:
        Network(Heads(1, mask=Blind()), tokens=2, width=2)
    was = "mask was Blind(), which hides all tokens from token 1"
    assert str(told.value) == f"{was}; it should be a mask that shows at least one token to each token"
    with pytest.raises(InvalidArgument) as told:
        Network(Heads(1, mask=Twice()), tokens=2, width=2)
    assert str(told.value) == "mask was Twice(); it should be a mask with a matrix of 0 and 1 of shape (2, 2)"
