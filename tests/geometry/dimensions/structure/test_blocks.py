"""Bounds from pieces of blocks of transformers, beside random points."""

from __future__ import annotations

from typing import Any

import pytest

import algatt
from algatt import layers
from algatt.errors import ConditionFailed, InvalidArgument
from algatt.fields import PrimeField, Reals
from algatt.geometry import Copies, RandomPoints
from algatt.geometry.dimensions import question
from algatt.geometry.dimensions.structure import dimension as choice
from algatt.geometry.dimensions.structure.cut import cut_blocks


def block(hidden: int, heads: int = 2, keys: int = 1, eps: float = 1e-6, **of_heads: Any) -> Any:
    attention = layers.Heads(heads, key_heads=keys, mask=layers.Causal(), position=layers.Rotary(), **of_heads)
    neurons = layers.Feedforward(hidden, layers.SiLU(), gated=True)
    return layers.Residual(layers.RMSNorm(eps) >> attention) >> layers.Residual(layers.RMSNorm(eps) >> neurons)


NET = algatt.Network(block(6), tokens=2, width=4)

WIDER = algatt.Network(block(18), tokens=2, width=12)

BIASED = algatt.Network(block(18, biases="QKV", norm=layers.RMSNorm()), tokens=2, width=12)


SMALL_BIASED = algatt.Network(block(4, 1, width=2, biases="QKV", norm=layers.RMSNorm()), tokens=2, width=4)


HEADS = layers.Heads(2, key_heads=1, mask=layers.Causal())

GATED = layers.Feedforward(12, layers.SiLU(), gated=True)


def network_of(layer: Any) -> Any:
    return algatt.Network(layers.Residual(layer), tokens=3, width=8)


OTHERS = {
    "neurons with GELU": network_of(layers.RMSNorm() >> layers.Feedforward(12, layers.TanhGELU())),
    "heads beside neurons": network_of(layers.RMSNorm() >> layers.Parallel(HEADS, GATED)),
    "one head as wide as the stream": network_of(layers.RMSNorm() >> layers.Heads(1)),
    "norms without gains and eps": network_of(layers.RMSNorm(0, gain=False) >> GATED >> layers.RMSNorm(gain=False)),
    "few neurons": network_of(layers.RMSNorm() >> layers.Feedforward(3, layers.SiLU())),
    "linear attention": algatt.Network(
        2 * layers.Residual(layers.Heads(1, width=2, score=layers.Unnormalized())), tokens=4, width=8
    ),
    "a bias behind all": network_of(layers.RMSNorm() >> layers.Heads(2, biases="O")),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_blocks_by_pieces_are_those_at_random_points(name: str) -> None:
    """What is proven by pieces is the dimension that is proven at random points, and a certificate."""
    by_pieces = algatt.dimension(OTHERS[name], points=Copies(2))
    at_random = algatt.dimension(OTHERS[name], points=RandomPoints())
    assert (by_pieces.value, by_pieces.status) == (at_random.value, "proven")
    assert algatt.verify(algatt.certify(by_pieces)).ok


@pytest.mark.parametrize("net", [NET, SMALL_BIASED], ids=["plain", "biases and norms of queries and keys"])
def test_a_block_by_pieces_is_the_block_at_random_points(net: Any) -> None:
    by_pieces = algatt.dimension(net, points=Copies(2))
    at_random = algatt.dimension(net, points=RandomPoints())
    assert (by_pieces.value, by_pieces.status) == (at_random.value, "proven")
    assert set(by_pieces.symmetries) == set(at_random.symmetries)
    assert by_pieces.pieces is not None
    assert by_pieces.conditions is not None


def test_large_blocks_are_looked_at_at_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "MANY_PARAMETERS", 0)
    net = algatt.Network(block(60, 4, 2), tokens=2, width=24)
    monkeypatch.setattr(choice, "attempt_by_pieces", failing)
    assert choice.pays(choice.cuts_of(net)[0])
    assert not choice.cuts_of(NET)
    assert algatt.dimension(NET).pieces is None
    with pytest.raises(ConditionFailed, match="planted"):
        algatt.dimension(net, points=Copies())


def failing(*arguments: Any) -> Any:
    raise ConditionFailed("planted")


@pytest.mark.parametrize(
    ("net", "reason"),
    [
        (network_of(layers.LayerNorm() >> layers.Heads(2)), "has centre along"),
        (network_of(layers.Heads(2, biases="O") >> layers.RMSNorm()), "has a sum over an axis"),
        (network_of(layers.Feedforward(8, layers.SiLU(), bias=True)), "has a sum over an axis"),
        (network_of(layers.Heads(1, position=layers.Rotary())), "has rotate along"),
        (network_of(layers.Feedforward(8, layers.ReLU())), "has gates"),
        (algatt.Network(layers.Embedding(4, 8) >> layers.Heads(2), tokens=3), "reads tokens"),
        (algatt.Network(block(12), tokens=8, width=8), "has input along"),
    ],
    ids=str,
)
def test_layers_that_are_not_cut_are_refused(net: Any, reason: str) -> None:
    with pytest.raises(InvalidArgument, match=reason):
        algatt.dimension(net, points=Copies(2))


def test_numbers_and_fields_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="n from 1 to 2"):
        algatt.dimension(NET, points=Copies(3))
    for field in (PrimeField(), algatt.Balls(), Reals()):
        with pytest.raises(InvalidArgument, match="points was"):
            algatt.dimension(NET, points=Copies(2), field=field)
    with pytest.raises(InvalidArgument, match="with a checkpoint"):
        algatt.dimension(NET, points=Copies(2), checkpoint="never-written")


def test_pieces_have_every_parameter_once() -> None:
    cut = cut_blocks(algatt.Network(2 * block(13, 4, 2), tokens=3, width=16), 5, 2, [13])
    assert sum(times * int(cut.own(piece).sum()) for piece, times in cut.pieces()) == cut.arch.parameters
