"""Bounds from parts of transformers that read tokens, beside random points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt import layers
from algatt.errors import ConditionFailed, InvalidArgument
from algatt.fields import Balls, Elementary
from algatt.geometry import Copies, RandomPoints
from algatt.geometry.dimensions.question import Options, Question
from algatt.geometry.dimensions.structure import token_jets as module
from algatt.geometry.dimensions.structure import tokens
from algatt.geometry.dimensions.structure.token_jets import attempt_of_tokens, check_rows
from algatt.geometry.dimensions.structure.tokens import TokenCut


def transformer(
    vocabulary: int = 9, heads: int = 2, hidden: int = 2, blocks: int = 1, length: int = 4, eps: float = 1e-6, **of: Any
) -> algatt.Network:
    width = 2 * heads
    attention = layers.Heads(heads, width=2, mask=layers.Causal(), position=layers.Rotary(), **of)
    block = layers.Residual(layers.RMSNorm(eps) >> attention) >> layers.Residual(
        layers.RMSNorm(eps) >> layers.Feedforward(hidden, layers.SiLU(), gated=True)
    )
    chain = layers.Embedding(vocabulary, width) >> blocks * block >> layers.RMSNorm(eps)
    return algatt.Network(chain >> layers.Unembedding(vocabulary), tokens=length)


NET = transformer()


@pytest.mark.parametrize(
    "net", [transformer(vocabulary=12, hidden=4, eps=0.5)], ids=["more neurons and tokens, and a large epsilon"]
)
def test_parts_prove_what_random_points_prove(net: Any) -> None:
    by_parts, at_random = algatt.dimension(net, points=Copies()), algatt.dimension(net, points=RandomPoints())
    assert (by_parts.value, by_parts.status) == (at_random.value, "proven")
    assert sum(family.removes for family in by_parts.symmetries) == net.parameters - by_parts.upper
    assert by_parts.pieces is not None
    assert sum(piece.times * piece.columns for piece in by_parts.pieces.pieces) == net.parameters


@pytest.mark.parametrize("parts", [1, 2])
def test_weights_without_the_structure_are_refused(parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    net = transformer(vocabulary=13, heads=3, hidden=6)
    check_rows(TokenCut(net, 3), parts, 0)
    honest = TokenCut.sides

    def changed(cut: TokenCut, net: Any, parts: int) -> Any:
        """Two neurons of the whole network are counted to other parts than they are in."""
        sides = honest(cut, net, parts)
        if parts == cut.count:
            name = next(one for one in sides if one.endswith(".up"))
            rows, columns = sides[name]
            sides[name] = np.roll(rows, 2), columns
        return sides

    monkeypatch.setattr(TokenCut, "sides", changed)
    with pytest.raises(ConditionFailed, match="not those of its parts"):
        check_rows(TokenCut(net, 3), parts, 0)


def test_fillers_are_zero_and_see_themselves_alone() -> None:
    cut = TokenCut(NET, 2)
    net = cut.network(1)
    theta = cut.weights(net, 1, algatt.PrimeField(), 0)
    rows = next(module.rows_of_jets(net, theta, algatt.PrimeField(), 0))
    moved = np.flatnonzero(rows.any(axis=0))
    assert not theta["embedding.E"][0].any()
    assert moved.tolist() == list(range(net.input_shape[0] and cut.width // 2))  # the row of the filler comes first


def test_short_jets_fall_short_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With two variables a jet has no product of three tokens, and no score of two."""
    monkeypatch.setattr(tokens, "MOST_VARIABLES", 2)
    report = algatt.dimension(NET, points=Copies())
    assert report.status == "probable"
    assert report.lower < report.upper == 140  # what random points prove


def test_pieces_have_each_parameter_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TokenCut, "fillers", 7)
    monkeypatch.setattr(tokens, "MOST_VARIABLES", 2)
    with pytest.raises(ConditionFailed, match="each parameter once"):
        attempt_of_tokens(Question(NET, Options()), TokenCut(NET, 2), algatt.PrimeField())


BARE = layers.Residual(layers.Heads(2, width=2, mask=layers.Causal()))


def with_another_epsilon() -> algatt.Network:
    first, *others, _, end = NET.layers.layers
    return algatt.Network(layers.Chain((first, *others, layers.RMSNorm(0.25), end)), tokens=4)


@pytest.mark.parametrize(
    ("net", "said"),
    [
        (transformer(heads=4, key_heads=2, vocabulary=20), "shares keys"),
        (transformer(hidden=3), "no multiples"),
        (transformer(vocabulary=4), "no multiples"),
        (transformer(biases="Q"), "has Heads"),
        (with_another_epsilon(), "several eps"),
        (algatt.Network(layers.Embedding(9, 4) >> BARE >> layers.Unembedding(9), tokens=4), "no norm"),
        (algatt.Network(layers.Embedding(9, 4) >> NET.layers.layers[1], tokens=4), "end with an unembedding"),
    ],
)
def test_other_networks_are_refused(net: Any, said: str) -> None:
    assert said in str(tokens.why_no_token_parts(net))
    with pytest.raises(InvalidArgument, match="points was Copies"):
        algatt.dimension(net, points=Copies())


@pytest.mark.parametrize("options", [{"points": Copies(3)}, {"field": Elementary()}, {"field": Balls()}], ids=str)
def test_other_numbers_and_fields_are_refused(options: dict) -> None:
    with pytest.raises(InvalidArgument, match=r"Copies\(2\)|with "):
        algatt.dimension(NET, **{"points": Copies(), **options})
