"""Proofs at small sizes: what comes with the package, and how it is found."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from algatt.layers import Heads, Probabilities, RMSNorm, Rotary
from algatt.published import ScaledProof, parameters, prove_scaled, scaled_proofs, worth
from algatt.published.scaled_proofs import (
    SIZES,
    pattern_of,
    proofs_of,
    shipped_proofs,
    sizes_of,
    small_network,
    without_numbers,
)
from configs import NAMES, config, model

MODELS = {model(name)["model"]: name for name in NAMES}


@pytest.fixture
def record(monkeypatch: pytest.MonkeyPatch) -> list[ScaledProof]:
    """A record of one proof, of the smallest Llama."""
    net = small_network(config("llama_2_7b"), SIZES[0], None, None)
    row = ScaledProof("a model", "llama", SIZES[0], "logits", None, 160, 127, 127, 127, 0, "0.2.0", pattern_of(net))
    rows = [row]
    monkeypatch.setattr(scaled_proofs, "shipped_proofs", lambda: tuple(rows))
    return rows


def test_rows_that_come_with_the_package_are_bounds_that_fit() -> None:
    rows = shipped_proofs()
    for one in rows:
        assert 0 < one.lower <= one.upper <= one.symbols <= one.parameters
        assert one.model in MODELS
    assert len({(one.pattern, one.reading, one.eps) for one in rows}) == len(rows)


@pytest.mark.sample(1)
@pytest.mark.parametrize("model_type", ["gemma", "llama"])
def test_the_smallest_rows_are_proven_again(model_type: str) -> None:
    """Redundant are by hand, of gemma: one pair of keys and values, 3 gates, 2 gains of 4; of llama: two such pairs of
    which each has keys of its own, and O(4) and the last gain, as nothing is tied.
    """
    by_hand = {"gemma": 2 + 2**2 + 3 + 2 * 4, "llama": 2 * (2 + 2**2) + 3 + 2 * 4 + 4 + 4 * 3 // 2}
    (row,) = [
        one
        for one in shipped_proofs()
        if (one.model_type, one.sizes, one.reading, one.eps) == (model_type, SIZES[0], "logits", None)
        and one.parameters <= 240
    ]
    again = prove_scaled(config(MODELS[row.model]), model=row.model, sizes=row.sizes, seed=row.seed)
    assert dataclasses.replace(again, version=row.version, seconds=row.seconds) == row
    assert again.proven
    assert again.parameters - again.lower == by_hand[model_type]


def test_proofs_are_those_of_the_architecture(record: list[ScaledProof]) -> None:
    llama = config("llama_2_7b")
    assert proofs_of(llama, None, None) == tuple(record)
    constants: dict[str, Any] = {"rope_theta": 5e5, "rms_norm_eps": 1e-6, "num_hidden_layers": 3, "vocab_size": 99}
    assert proofs_of(llama | constants, None, None) == tuple(record)
    for changes in (
        {"tie_word_embeddings": True},
        {"num_key_value_heads": 8},
        {"rms_norm_eps": 0.0},
        {"attention_bias": True},
    ):
        assert proofs_of(llama | changes, None, None) == ()
    assert proofs_of(llama, Probabilities(), None) == proofs_of(llama, None, 0) == ()
    assert proofs_of(config("phi_3_mini_4k"), None, None) == ()


def test_a_pattern_has_no_numbers_and_no_fields_that_are_as_by_default() -> None:
    small = config("llama_2_7b")
    assert without_numbers(RMSNorm(1e-6)) == without_numbers(RMSNorm()) == {"name": "RMSNorm"}
    assert without_numbers(RMSNorm(0)) == {"name": "RMSNorm", "eps": 0}
    assert without_numbers(Heads(2, position=Rotary(5.0))) == {
        "name": "Heads",
        "heads": 1,
        "position": {"name": "Rotary"},
    }
    other = small_network(small | {"rope_theta": 7.0}, SIZES[0], None, None)
    assert pattern_of(other) == pattern_of(small_network(small, SIZES[0], None, None))


def test_some_are_proven_with_more_tokens_in_the_vocabulary_or_more_neurons() -> None:
    assert sizes_of(config("llama_2_7b")) == SIZES
    assert sizes_of(config("phi_2")) == tuple({**sizes, "vocabulary": 24} for sizes in SIZES)
    assert sizes_of(config("deepseek_v2")) == tuple({**sizes, "hidden": 3} for sizes in SIZES)


def test_behind_a_narrow_embedding_two_blocks_are_proven() -> None:
    wide = config("opt_125m")
    assert sizes_of(wide) == SIZES
    assert sizes_of({name: value for name, value in wide.items() if name != "word_embed_proj_dim"}) == SIZES
    for name in ("albert_base_v2", "opt_350m"):
        small, large = sizes_of(config(name))
        assert small["layers"] == large["layers"] == 2
    assert sizes_of(config("albert_base_v2") | {"embedding_size": 768}) == sizes_of(config("bert_base_uncased"))


def test_equality_is_conjectured_from_proofs_that_agree_alone(record: list[ScaledProof]) -> None:
    few = {"vocab_size": 100}  # too few tokens for the theorem about blocks side by side
    assert parameters(config("llama_2_7b")).equality == "proven"
    assert parameters(config("llama_2_7b") | few).equality == "conjectured"
    assert parameters(config("llama_3_8b") | few).equality == "unknown"
    record[0] = dataclasses.replace(record[0], lower=126, upper=126)
    assert parameters(config("llama_2_7b") | few).equality == "unknown"
    assert not record[0].proven


def test_proofs_are_made_anew_if_asked(monkeypatch: pytest.MonkeyPatch, record: list[ScaledProof]) -> None:
    calls: list[dict[str, Any]] = []

    def prove(values: Any, **options: Any) -> ScaledProof:
        calls.append(options)
        return record[0]

    monkeypatch.setattr(worth, "prove_scaled", prove)
    report = parameters(config("llama_2_7b"), prove=True, eps=0, reading=Probabilities())
    assert report.proofs == (record[0], record[0])
    assert [one["sizes"] for one in calls] == list(SIZES)
    assert all((one["eps"], one["reading"]) == (0, Probabilities()) for one in calls)


def test_a_report_as_json(record: list[ScaledProof]) -> None:
    found = parameters(config("llama_2_7b")).to_dict()
    assert found["proofs"][0]["lower"] == 127
    assert (found["equality"], found["tokens"]) == ("proven", 7)
    assert sum(part["times"] * part["lower"] for part in found["parts"]) == found["dimension"]
