"""Dimensions of encoders as BERT by the sum of what their parts show, beside exact ranks at random points."""

from __future__ import annotations

from typing import Any

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.geometry import RandomPoints, SideBySide
from algatt.geometry.dimensions.ambient import ambient_dimension
from algatt.geometry.dimensions.side_by_side.dimension import NotCovered, parts_shown
from algatt.geometry.dimensions.side_by_side.encoder import model_of
from algatt.geometry.dimensions.side_by_side.parts import parts_of
from algatt.layers import (
    GELU,
    Causal,
    Entrywise,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LearnedPosition,
    Linear,
    Logits,
    Named,
    Probabilities,
    ReLU,
    Residual,
    SiLU,
    Tie,
    TypedEmbedding,
    Unembedding,
)

NORM = LayerNorm()


def heads(count: int = 1, norm: LayerNorm = NORM, **options: Any) -> Layer:
    return Residual(Heads(count, **{"width": 3, "biases": "QKVO", **options})) >> norm


def neurons(hidden: int = 1, activation: Layer | None = None, bias: bool = True) -> Layer:
    return Residual(Feedforward(hidden, activation or GELU(), bias=bias)) >> NORM


def encoder(*blocks: Layer, vocabulary: int = 91, width: int = 9, tokens: int = 7, **of: Any) -> algatt.Network:
    """A network of BERT's kind, by default of the sizes that the theorem asks for."""
    layers = TypedEmbedding(vocabulary, width, of.get("types", 2)) >> LearnedPosition() >> of.get("norm", NORM)
    for block in blocks:
        layers = layers >> block
    layers = layers >> Named("head", Linear(width, bias=True) >> Entrywise(of.get("head", GELU())) >> NORM)
    layers = layers >> Unembedding(vocabulary, bias=True, reading=of.get("reading", Logits()))
    return algatt.Network(Tie(layers, {"unembedding.U": "embedding.E"}), tokens=tokens)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "net",
    [
        encoder(heads(2, key_heads=1, value_width=4), vocabulary=85, types=1),
        encoder(heads(), neurons(2)),
        encoder(
            heads(), neurons(activation=SiLU()), heads(), neurons(), vocabulary=107, width=10, types=1, head=SiLU()
        ),
    ],
    ids=["grouped heads", "BERT", "RoBERTa, two blocks"],
)
def test_parts_add_up_to_the_exact_rank_at_the_smallest_sizes_of_the_theorem(net: Any) -> None:
    report = algatt.dimension(net, points=RandomPoints())
    assert (report.status, report.value) == ("proven", parts_shown(net).value)


def test_one_token_shows_no_scores() -> None:
    net = encoder(heads(), tokens=1, vocabulary=8, width=4)
    theta = algatt.sample(net, algatt.Weights, field=algatt.PrimeField(), seed=0)
    assert net.parameters - algatt.symmetry.orbit_dimension(net, theta) < parts_of(model_of(net)).value
    with pytest.raises(NotCovered):
        parts_shown(net)


def test_ten_pairs_of_tokens_and_types_show_fifty_numbers() -> None:
    net = encoder(neurons(12), vocabulary=5, width=3, tokens=1)
    assert ambient_dimension(net) == 50 < parts_of(model_of(net)).value


@pytest.mark.parametrize(
    ("model", "dimension"),
    [("bert-base-uncased", 108_182_816), ("bert-large-uncased", 331_629_832), ("roberta-base", 123_364_416)],
)
def test_published_encoders_are_proven_at_full_size(model: str, dimension: int) -> None:
    """The numbers are those of docs/published_parameters.md, which symbols have counted."""
    assert parts_shown(algatt.published.read(model, tokens=512)).value == dimension


@pytest.mark.parametrize(
    ("net", "reason"),
    [
        (encoder(heads(), tokens=6), "reads fewer than 7 tokens"),
        (encoder(neurons(), heads()), "first layer has no heads"),
        (encoder(heads(width=1, value_width=3)), "widths too small"),
        (encoder(heads(value_width=2)), "widths too small"),
        (encoder(heads(7)), "with 7 heads"),
        (encoder(heads(), width=8), "of width 8"),
        (encoder(heads(), vocabulary=84), "vocabulary"),
        (encoder(heads(), neurons(2), vocabulary=90), "too small for its neurons"),
        (encoder(heads(biases="QKV")), "Heads"),
        (encoder(heads(mask=Causal())), "Heads"),
        (encoder(heads(), neurons(activation=ReLU())), "ReLU"),
        (encoder(heads(), neurons(bias=False)), "Feedforward"),
        (encoder(heads(norm=LayerNorm(0.5))), "without a norm behind it"),
        (encoder(heads(), norm=LayerNorm(bias=False)), "in its stream"),
        (encoder(heads(), head=ReLU()), "before its logits"),
        (encoder(heads(), reading=Probabilities()), "read as such"),
    ],
)
def test_what_is_not_covered_says_why(net: Any, reason: str) -> None:
    with pytest.raises(InvalidArgument, match=reason):
        algatt.dimension(net, points=SideBySide())
