"""Dimensions by the sum of what parts show, beside exact ranks at random points."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest

import algatt
from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Balls
from algatt.geometry import Copies, RandomPoints, SideBySide
from algatt.geometry.dimensions.evidence import Parts
from algatt.geometry.dimensions.side_by_side import dimension as module
from algatt.geometry.dimensions.side_by_side.dimension import NotCovered, parts_shown
from algatt.geometry.dimensions.side_by_side.encoder import model_of
from algatt.geometry.dimensions.side_by_side.parts import parts_of
from algatt.layers import (
    GELU,
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
    Tanh,
    Tie,
    Unembedding,
    Window,
)
from algatt.published.known import CONFIGS
from algatt.published.scaled_proofs import shipped_proofs, small_network


def heads(count: int = 2, norm: Layer | None = None, **options: Any) -> Residual:
    slots = {"width": 2, "mask": Causal(), **options}
    return Residual((norm or RMSNorm()) >> Heads(count, **slots))


def neurons(hidden: int = 2, norm: Layer | None = None, activation: Layer | None = None, **options: Any) -> Residual:
    return Residual((norm or RMSNorm()) >> Feedforward(hidden, activation or SiLU(), **options))


def transformer(
    *blocks: Layer, vocabulary: int = 12, width: int = 4, tokens: int = 2, norm: Layer | None = None, **of: Any
) -> algatt.Network:
    chain = Embedding(vocabulary, width)
    for block in (*blocks, norm or RMSNorm()):
        chain = chain >> block
    layers = chain >> Unembedding(vocabulary, **of.get("unembedding", {}))
    return algatt.Network(Tie(layers, {"unembedding.U": "embedding.E"}) if of.get("tied") else layers, tokens=tokens)


LLAMA = transformer(heads(position=Rotary()), neurons(gated=True))

AT_SIZE = transformer(heads(width=4, position=Rotary()), neurons(gated=True), vocabulary=50, width=8, tokens=7)
"""Of the sizes that the theorem asks for."""


def described(model: str) -> dict[str, Any]:
    """Return the config of a published model by its whole name."""
    found = (json.loads(path.read_text(encoding="utf-8")) for path in CONFIGS.glob("*.json"))
    config: dict[str, Any] = next(one["config"] for one in found if one["model"] == model)
    return config


def shown(net: Any) -> int:
    """Return the sum of the parts of a network, whatever its sizes are."""
    return parts_of(model_of(net)).value


@pytest.mark.parametrize(
    "net",
    [
        LLAMA,
        transformer(heads(key_heads=1, position=Rotary(), biases="QKV"), neurons(gated=True), tied=True),
        transformer(
            LearnedPosition(),
            heads(norm=LayerNorm(), biases="QKVO"),
            neurons(norm=LayerNorm(), activation=ReLU(), bias=True),
            norm=LayerNorm(),
            tied=True,
            tokens=3,
        ),
        transformer(
            heads(position=Rotary(), norm=None), neurons(3, gated=True), unembedding={"reading": Probabilities()}
        ),
    ],
    ids=["Llama", "Qwen2, tied", "OPT", "probabilities"],
)
def test_parts_add_up_to_the_exact_rank(net: Any) -> None:
    report = algatt.dimension(net, points=RandomPoints())
    assert (report.status, report.value) == ("proven", shown(net))


@pytest.mark.parametrize(
    "net",
    [
        transformer(heads(position=Rotary()), neurons(gated=True), tokens=1),
        transformer(heads(1, width=4, position=Rotary(frequencies=(0.5, 0.5))), vocabulary=10),
        transformer(heads(1, width=4, position=Rotary(frequencies=(0.5, 0.0))), vocabulary=10),
        transformer(
            heads(1, width=4, norm=None) >> Residual(RMSNorm() >> Feedforward(1, SiLU(), gated=True) >> RMSNorm()),
            vocabulary=10,
        ),
    ],
    ids=["one token", "equal angles", "an angle of zero", "few neurons before a norm"],
)
def test_without_a_hypothesis_random_points_show_less(net: Any) -> None:
    assert algatt.dimension(net, points=RandomPoints()).value < shown(net)
    with pytest.raises(NotCovered):
        parts_shown(net)


def test_at_the_sizes_of_the_theorem() -> None:
    report = algatt.dimension(AT_SIZE, points=SideBySide())
    assert (report.value, report.status) == (1034, "proven")  # by random points, in 12 s
    assert isinstance(report.pieces, Parts)
    assert report.pieces.value == report.lower == report.upper
    assert "sum of what parts show = 1,034" in str(verbs.summarize(report).rows)
    assert report.to_dict()["pieces"][-1] == {"name": "neurons", "times": 1, "lower": 46}


def wide(*blocks: Layer, **of: Any) -> algatt.Network:
    return transformer(*blocks, **{"width": 8, "tokens": 7, **of})


ROTARY = {"width": 8, "position": Rotary()}

WITH_MEANS = {"width": 9, "norm": LayerNorm(), "tied": True}


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "net",
    [
        wide(heads(key_heads=1, width=4, position=Rotary()), vocabulary=19),
        wide(heads(1, **ROTARY), vocabulary=64, tied=True),
        wide(heads(1, **ROTARY), neurons(gated=True), vocabulary=48),
        wide(heads(1, biases="QKV", **ROTARY), vocabulary=64),
        wide(
            heads(1, **ROTARY) >> neurons(1, gated=True) >> heads(position=Rotary()) >> neurons(1, gated=True),
            vocabulary=48,
        ),
        wide(
            LearnedPosition(),
            heads(1, LayerNorm(), width=8, biases="QKVO"),
            neurons(1, LayerNorm(), GELU(), bias=True),
            vocabulary=92,
            **WITH_MEANS,
        ),
        wide(
            LearnedPosition(),
            heads(1, LayerNorm(), width=8, biases="QKVO"),
            neurons(1, LayerNorm(), ReLU(), bias=True),
            vocabulary=92,
            **WITH_MEANS,
        ),
        wide(Residual(RMSNorm() >> Heads(1, mask=Causal(), norm=RMSNorm(), **ROTARY)), vocabulary=55),
        wide(
            Residual(RMSNorm() >> Heads(1, mask=Causal(), **ROTARY) >> RMSNorm()), vocabulary=73, tied=True, tokens=11
        ),
        wide(
            Residual(LayerNorm() >> Parallel(Heads(1, mask=Causal(), **ROTARY), Feedforward(1, GELU(), bias=True))),
            vocabulary=74,
            norm=LayerNorm(),
            width=9,
            unembedding={"bias": True},
        ),
        wide(
            heads(1, width=4, value_width=8, position=Rotary()),
            Residual(RMSNorm() >> Experts(2, Feedforward(1, SiLU(), gated=True), SoftmaxRouter(2))),
            vocabulary=85,
            width=10,
        ),
        wide(heads(width=4, position=Rotary()), vocabulary=19),
    ],
    ids=[
        "grouped",
        "tied",
        "Llama",
        "Qwen2",
        "blocks",
        "GPT-2",
        "OPT",
        "Qwen3",
        "Gemma 2",
        "Phi-2",
        "Mixtral",
        "heads",
    ],
)
def test_parts_add_up_to_the_exact_rank_at_the_smallest_sizes_of_the_theorem(net: Any) -> None:
    report = algatt.dimension(net, points=RandomPoints())
    assert (report.status, report.value) == ("proven", parts_shown(net).value)


def test_parts_add_up_to_the_exact_ranks_of_published_architectures_at_small_sizes() -> None:
    """Those that come with the package, of 98 small networks."""
    checked = 0
    for proof in shipped_proofs():
        reading = {"logits": None, "probabilities": Probabilities()}.get(proof.reading, proof)
        if reading is proof or proof.eps is not None:
            continue
        with suppress(NotCovered):
            assert shown(small_network(described(proof.model), proof.sizes, reading, None)) == proof.lower
            checked += 1
    assert checked >= 98


@pytest.mark.parametrize(
    ("model", "tokens", "dimension"),
    [
        ("gpt2", 1024, 123_093_224),
        ("llama-3-8b", 7, 8_016_922_624),
        ("phi-2", 7, 2_765_997_791),
        ("qwen2.5-7b", 7, 7_606_611_712),
        ("gemma-2-2b", 632, 2_607_140_096),
        ("mixtral-8x7b-v0.1", 7, 46_686_111_744),
    ],
)
def test_published_models_are_proven_at_full_size(model: str, tokens: int, dimension: int) -> None:
    """The numbers are those of docs/published_parameters.md, which symbols have counted."""
    assert parts_shown(algatt.published.read(model, tokens=tokens)).value == dimension
    with pytest.raises(NotCovered, match=f"fewer than {min(tokens, 7) if tokens != 632 else 632} tokens"):
        parts_shown(algatt.published.read(model, tokens=tokens - 1 if tokens < 1024 else 6))


@pytest.mark.parametrize(
    ("net", "reason"),
    [
        (transformer(Residual(Heads(1))), "is not one layer behind a norm"),
        (transformer(heads() >> RMSNorm()), "is not residual"),
        (transformer(neurons(activation=Tanh())), "Tanh"),
        (transformer(heads(1), norm=RMSNorm(0)), "with different eps"),
        (transformer(heads(1, norm=RMSNorm(0.5))), "with different eps"),
        (transformer(heads(1), norm=LayerNorm()), "two kinds"),
        (transformer(Residual(RMSNorm() >> Experts(3, Feedforward(1), SoftmaxRouter(1)))), "Experts"),
        (transformer(heads(1, norm=None, mask=None)), "Heads"),
        (transformer(), "no heads in its first block"),
        (
            transformer(Residual(RMSNorm() >> Parallel(Heads(1, width=4, mask=Causal()), Feedforward(40)))),
            "beside the heads of its first block",
        ),
        (
            transformer(heads(), Residual(RMSNorm() >> Parallel(Feedforward(2), Feedforward(3)) >> RMSNorm())),
            "behind a layer",
        ),
        (
            transformer(Residual(RMSNorm() >> Heads(1, width=2, mask=Causal(), biases="O") >> RMSNorm())),
            "a norm behind Heads",
        ),
        (transformer(heads(mask=Window(6)), width=8, tokens=9), "sees, fewer than 7 tokens"),
        (transformer(heads(8), width=8, tokens=7), "less 2 heads in all"),
        (transformer(heads(1, width=10), width=8, tokens=7), "widths too small or larger"),
        (transformer(heads(1, width=8, norm=None, score=SoftCap(3)), width=8, tokens=7, vocabulary=40), None),
        (
            transformer(
                Residual(RMSNorm() >> Heads(1, width=8, mask=Causal(), norm=AcrossHeads(RMSNorm()))), width=8, tokens=7
            ),
            "not all coordinates turned",
        ),
        (transformer(heads(width=4), neurons(), width=8, tokens=7, vocabulary=44), "too small for its neurons"),
    ],
)
def test_what_is_not_covered_says_why(net: Any, reason: str | None) -> None:
    if reason is None:
        parts_shown(net)
        return
    with pytest.raises(InvalidArgument, match=reason):
        algatt.dimension(net, points=SideBySide())


@pytest.mark.parametrize("options", [{"field": Balls()}, {"checkpoint": "file"}])
def test_nothing_is_computed_over_a_field(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument, match="SideBySide"):
        algatt.dimension(AT_SIZE, points=SideBySide(), **options)
    with pytest.raises(InvalidArgument, match="no network of layers"):
        algatt.dimension(algatt.Lightning((2, 1), (1,), 2), points=SideBySide())
    with pytest.raises(InvalidArgument, match="points"):
        algatt.dimension(AT_SIZE, points=Copies())


def test_tokens_that_are_read_and_written_are_the_same() -> None:
    layers = Embedding(12, 4) >> heads() >> RMSNorm() >> Unembedding(8)
    with pytest.raises(NotCovered, match="other tokens"):
        parts_shown(algatt.Network(layers, tokens=2))


def test_of_neurons_beside_the_first_heads_a_table_is_seen_alone() -> None:
    """40 neurons of 8 numbers show at most 12 * 4 numbers: less than symmetries say, and than the sum of the parts."""
    block = Residual(RMSNorm() >> Parallel(Heads(1, width=4, mask=Causal()), Feedforward(40)))
    net = transformer(block)
    neurons, table = 40 * 8, 12 * 4
    assert net.parameters - neurons + table < shown(net) == verbs.symbolic_symmetries(net).upper


def test_more_than_symmetries_leave_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "parts_of", lambda model: Parts((*parts_of(model).parts, parts_of(model).parts[0])))
    with pytest.raises(AssertionError, match="symmetries leave 1034"):
        algatt.dimension(AT_SIZE, points=SideBySide())
