"""Ranks near weights at which blocks stand side by side, beside ranks at random points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt import memory, verbs
from algatt.fields.float_ball import balls_around
from algatt.geometry import RandomPoints
from algatt.geometry.dimensions import dimension
from algatt.geometry.dimensions.evidence import Parts
from algatt.geometry.dimensions.side_by_side import ranks
from algatt.geometry.dimensions.side_by_side.ranks import changes_of_unembedding, parts_by_ranks
from algatt.geometry.dimensions.side_by_side.transformer import NotCovered
from algatt.layers import (
    AcrossHeads,
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LearnedPosition,
    Parallel,
    Probabilities,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftCap,
    SoftmaxRouter,
    TanhGELU,
    Tie,
    Unembedding,
    Window,
)


def heads(count: int = 2, **options: Any) -> Residual:
    return Residual(RMSNorm() >> Heads(count, **{"width": 2, "mask": Causal(), "position": Rotary(), **options}))


def neurons(hidden: int = 2, activation: Layer | None = None, **options: Any) -> Residual:
    return Residual(RMSNorm() >> Feedforward(hidden, activation or SiLU(), **{"gated": True, **options}))


def transformer(*blocks: Layer, vocabulary: int = 12, width: int = 4, tokens: int = 3, **last: Any) -> algatt.Network:
    chain = Embedding(vocabulary, width)
    for block in (*blocks, RMSNorm()):
        chain = chain >> block
    return algatt.Network(chain >> Unembedding(vocabulary, **last), tokens=tokens)


def shown(net: algatt.Network, seed: int = 0) -> Parts:
    """Return the parts of a network."""
    return parts_by_ranks(net, seed, verbs.symbolic_symmetries(net).upper, None)[0]


LLAMA = transformer(heads(), neurons(5))


@pytest.mark.parametrize(
    "net",
    [
        LLAMA,
        transformer(heads(), neurons(), heads(), neurons(3)),
        transformer(heads(), heads(2, value_width=3), neurons(gated=False)),
        transformer(heads(2, key_heads=1), heads(2, key_heads=1), width=5),
        transformer(heads(norm=RMSNorm(), width=4), heads(norm=RMSNorm(), width=4), vocabulary=16),
        transformer(
            heads(position=None),
            Residual(RMSNorm() >> Parallel(Heads(1, width=3, mask=Causal()), Feedforward(3, SiLU()))),
        ),
        transformer(heads(biases="QK"), heads(biases="QK", mask=Window(2))),
        transformer(heads(score=SoftCap(3)), neurons(activation=TanhGELU())),
        transformer(heads(1)),
    ],
    ids=["Llama", "two blocks", "wide values", "groups", "norms", "parallel", "biases", "capped", "heads alone"],
)
def test_ranks_add_up_to_the_exact_rank_at_random_points(net: algatt.Network) -> None:
    report = algatt.dimension(net, points=RandomPoints())
    assert (report.status, report.value) == ("proven", shown(net).value)


def of_vectors(*blocks: Layer, tokens: int = 3, width: int = 4) -> algatt.Network:
    chain = blocks[0]
    for block in blocks[1:]:
        chain = chain >> block
    return algatt.Network(chain, tokens=tokens, width=width)


@pytest.mark.parametrize(
    "net",
    [
        of_vectors(heads(), neurons(5)),
        of_vectors(neurons(3, gated=False), heads(2, key_heads=1), tokens=2),
        of_vectors(heads(value_width=3), heads(position=None), width=5),
        of_vectors(Residual(RMSNorm(gain=False) >> Feedforward(6, SiLU()))),
        of_vectors(heads(biases="QK", norm=None), neurons(activation=TanhGELU()), tokens=4),
        of_vectors(Residual(RMSNorm() >> Parallel(Heads(1, width=3, mask=Causal()), Feedforward(3, SiLU())))),
    ],
    ids=["Llama", "groups", "wide values", "neurons alone", "biases", "parallel"],
)
def test_ranks_add_up_to_the_exact_rank_of_networks_that_read_vectors(net: algatt.Network) -> None:
    report = algatt.dimension(net, points=RandomPoints())
    assert (report.status, report.value) == ("proven", shown(net).value)


def test_two_blocks_of_vectors_are_looked_at_side_by_side() -> None:
    net = of_vectors(heads(4, width=4), neurons(25), heads(4, width=4), neurons(25), width=12)
    report = algatt.dimension(net)
    assert net.parameters > 2**11
    assert isinstance(report.pieces, Parts)
    # matrices, less 4 turns and 16 changes of values of each head, and one factor of each neuron
    assert report.value == 2 * (4 * 4 * (4 * 12 - 1 - 4) + 25 * (3 * 12 - 1))
    assert report.status == "proven"


CONSTANT = transformer(heads(biases="O"), neurons(bias=True))


def test_constants_that_blocks_add_show_less_than_at_random_points() -> None:
    report = algatt.dimension(CONSTANT, points=RandomPoints())
    assert report.status == "proven"
    assert shown(CONSTANT).value < report.value


def test_few_sequences_show_less() -> None:
    """Two tokens have as many sequences of two as there are rows for 16 values: fewer than the dimension."""
    net = transformer(heads(), neurons(5), vocabulary=4, tokens=1)
    assert shown(net).value <= algatt.dimension(net, points=RandomPoints()).value


TINY = transformer(heads(1), neurons(1), vocabulary=6, width=3)

LARGE = transformer(heads(position=Rotary(base=2)), neurons(40), vocabulary=70, width=9, tokens=4)


def test_large_networks_are_looked_at_side_by_side_unless_random_points_are_asked_for() -> None:
    told: list[tuple[int, int]] = []
    report = algatt.dimension(LARGE, progress=lambda *numbers: told.append(numbers))  # type: ignore[arg-type]
    assert LARGE.parameters > 2**11
    assert isinstance(report.pieces, Parts)
    assert report.status == "proven"
    assert report.value == report.lower == report.upper == report.pieces.value
    assert report.value == algatt.dimension(LARGE, points=RandomPoints()).value
    assert told == sorted(told)
    assert told[-1][0] < told[-1][1] == report.upper
    assert "RR (balls in float64)" in str(report.to_dict())


def test_a_report_by_ranks_is_certified_at_random_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dimension, "MANY_SIDE_BY_SIDE", 0)
    report = algatt.dimension(TINY)
    assert isinstance(report.pieces, Parts)
    assert (report.status, report.value) == ("proven", algatt.dimension(TINY, points=RandomPoints()).value)
    certificate = algatt.certify(report)
    assert algatt.verify(certificate).ok
    assert certificate.claim == f"a dimension of {report.value}"


@pytest.mark.parametrize(
    ("net", "reason"),
    [
        (transformer(neurons()), "first block is not heads alone"),
        (algatt.Network(RMSNorm() >> Feedforward(2, SiLU()), tokens=2, width=3), "not residual"),
        (transformer(Residual(RMSNorm() >> Parallel(Heads(1, mask=Causal()), Feedforward(2, SiLU())))), "heads alone"),
        (transformer(heads(), vocabulary=3), "fewer tokens than coordinates"),
        (transformer(heads(), bias=True), "ties, biases or differences"),
        (transformer(heads(), reading=Probabilities()), "ties, biases or differences"),
        (algatt.Network(Tie(LLAMA.layers, {"unembedding.U": "embedding.E"}), tokens=3), "ties, biases or differences"),
        (transformer(heads(), neurons(activation=ReLU())), "ReLU"),
        (transformer(heads(), heads(norm=AcrossHeads(RMSNorm()))), "AcrossHeads"),
        (transformer(heads(), Residual(RMSNorm() >> Feedforward(2, SiLU()) >> RMSNorm())), "a norm behind it"),
        (
            transformer(heads(), Residual(RMSNorm() >> Experts(2, Feedforward(2, SiLU()), SoftmaxRouter(2)))),
            "Experts",
        ),
        (
            algatt.Network(
                Embedding(12, 4) >> Residual(LayerNorm() >> Heads(1, mask=Causal())) >> LayerNorm() >> Unembedding(12),
                tokens=3,
            ),
            "LayerNorm",
        ),
    ],
)
def test_what_is_not_covered_says_why(net: algatt.Network, reason: str) -> None:
    with pytest.raises(NotCovered, match=reason):
        shown(net)


def test_what_needs_too_much_memory_is_not_begun(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available_memory", lambda: 2**10)
    with pytest.raises(NotCovered, match="memory"):
        shown(LLAMA)


def test_what_floats_do_not_prove_is_not_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranks, "SMALL", 0.0)  # rounding is taken for pivots
    with pytest.raises(NotCovered, match=r"floats do not prove|not told from a singular"):
        shown(LLAMA)


def test_positions_that_are_learned_have_columns_of_their_own() -> None:
    """They move together with the embedding, by a vector, and where no block adds a constant nothing else is lost."""
    net = transformer(LearnedPosition(), heads(position=None), vocabulary=16)
    assert shown(net).value == algatt.dimension(net, points=RandomPoints()).value


def test_changes_of_the_unembedding_are_seen_through_the_inverse_of_the_last_norm() -> None:
    """The derivative of the norm is inverted by numpy."""
    y = np.array([0.3, -1.1, 0.7])
    norm = y / np.sqrt(1 + y @ y)
    derivative = (np.eye(3) - np.outer(norm, norm)) / np.sqrt(1 + y @ y)
    for i in range(3):
        found = changes_of_unembedding(balls_around(y[None], 0.0), i)["mid"][0]
        seen = [
            np.linalg.solve(derivative, np.eye(3)[r] * norm[c])[i] for r, c in zip(*np.triu_indices(3), strict=True)
        ]
        assert found == pytest.approx(seen)
