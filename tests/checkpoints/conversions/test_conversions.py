"""Conversions of checkpoints: values stay, each does what it says, and what would change a function is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import algatt
from algatt import checkpoints, published
from algatt.checkpoints import (
    Balance,
    Checkpoint,
    FoldValueBiases,
    RotaryLayout,
    Rotate,
    SeparateKeys,
    transform,
)
from algatt.errors import InvalidArgument
from algatt.layers import GELU, Entrywise, Layer, LayerNorm, RMSNorm
from configs import config
from converted_checkpoints import checkpoint_of, converted, of_layers, values

ROTATED = ("smollm2_135m", "qwen2_0_5b", "gemma_2b", "mixtral_8x7b_v0_1", "deepseek_v2_lite", "mamba_130m", "gpt2")


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", [*ROTATED, "pythia_160m"])
def test_a_rotated_stream_has_other_embeddings(name: str) -> None:
    one = checkpoint_of(name)
    after = converted(Rotate(seed=3), one)
    E, moved = one.weights["embedding.E"], after.weights["embedding.E"]
    np.testing.assert_allclose(moved @ moved.T, E @ E.T, atol=1e-12)
    assert np.abs(moved - E).max() > 0.1
    assert not after.config.get("tie_word_embeddings", False)
    if name == "gpt2":  # the ones are fixed
        np.testing.assert_allclose(moved.sum(axis=1), E.sum(axis=1), atol=1e-12)


@pytest.mark.parametrize("norm", [RMSNorm(), RMSNorm(gain=False), LayerNorm()])
def test_streams_of_any_layers_are_rotated(norm: Layer) -> None:
    one = of_layers(norm, norm)
    W, moved = (each.weights["linear_1.W"] for each in (one, converted(Rotate(seed=3), one)))
    np.testing.assert_allclose(moved.T @ moved, W.T @ W, atol=1e-12)
    assert np.abs(moved - W).max() > 0.1
    with pytest.raises(InvalidArgument, match="one whose stream no rotation leaves alone; it should be"):
        transform(Rotate(), of_layers(RMSNorm(gain=False), Entrywise(GELU())))


def test_rotations_are_given_or_made_of_signs() -> None:
    one = checkpoint_of("llama_3_1_8b")
    E = one.weights["embedding.E"]
    moved = converted(Rotate("hadamard"), one).weights["embedding.E"]
    R = np.linalg.lstsq(E, moved, rcond=None)[0]
    np.testing.assert_allclose(np.abs(R), 1 / np.sqrt(8), atol=1e-12)
    given = np.eye(8)[::-1]
    np.testing.assert_allclose(converted(Rotate(given), one).weights["embedding.E"], E[:, ::-1], atol=1e-15)
    with pytest.raises(InvalidArgument, match="orthogonal, of shape"):
        transform(Rotate(2 * given), one)
    with pytest.raises(InvalidArgument, match="one that fixes the vector of ones"):
        transform(Rotate("hadamard"), checkpoint_of("pythia_160m"))
    with pytest.raises(InvalidArgument, match="random, hadamard"):
        Rotate("hadamar")


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["gemma_2_2b", "olmo_2_7b", "bert_base_uncased", "albert_base_v2"])
def test_rotations_are_refused_beside_gains_of_norms_behind_layers(name: str) -> None:
    with pytest.raises(InvalidArgument, match=r"no rotation leaves alone, with the gains .*norm"):
        transform(Rotate(), checkpoint_of(name))


def test_biases_of_values_are_moved_to_the_output() -> None:
    one = checkpoint_of("gpt2")
    after = converted(FoldValueBiases(), one).weights
    np.testing.assert_array_equal(after["2.heads.b_V_1"], 0)
    expected = one.weights["2.heads.b_O"] + sum(
        one.weights[f"2.heads.O_{n}"] @ one.weights[f"2.heads.b_V_{n}"] for n in (1, 2)
    )
    np.testing.assert_allclose(after["2.heads.b_O"], expected, atol=1e-12)
    with pytest.raises(InvalidArgument, match=r"nothing can take up 1.heads.b_V_1"):
        transform(FoldValueBiases(), checkpoint_of("qwen2_0_5b"))


@pytest.mark.parametrize("name", ["gpt2", "llama_3_1_8b", "phi_2", "gpt_j_6b"])
def test_balanced_keys_and_queries_have_equal_norms(name: str) -> None:
    one = checkpoint_of(name)
    after = converted(Balance(), one)
    shapes = algatt.coordinates(one.network)
    for letter in ("Q", "K"):
        assert any(np.abs(after.weights[key] - one.weights[key]).max() > 0.01 for key in shapes if f".{letter}_" in key)
    count = {letter: sum(f"1.heads.{letter}_" in key for key in shapes) for letter in "QK"}
    share = count["Q"] // count["K"]
    sums = {
        letter: sum((after.weights[f"1.heads.{prefix}{letter}_{n}"] ** 2).sum() for prefix in prefixes for n in numbers)
        for letter, numbers in (("Q", range(1, share + 1)), ("K", [1]))
        for prefixes in [[prefix for prefix in ("", "b_") if f"1.heads.{prefix}{letter}_1" in shapes]]
    }
    assert sums["Q"] == pytest.approx(sums["K"], rel=1e-12)
    again = transform(Balance(), after).weights
    for key in shapes:
        np.testing.assert_allclose(again[key], after.weights[key], rtol=1e-12)


def test_keys_that_are_read_off_latent_vectors_are_balanced() -> None:
    one = checkpoint_of("deepseek_v2")
    after = converted(Balance(), one).weights
    own = [(after[f"1.heads.{letter}_2"] ** 2).sum(axis=1) for letter in "QK"]
    np.testing.assert_allclose(*own, rtol=1e-12)
    heads = sum("1.heads.R_" in name for name in after.names()) - 1
    shared = (after["1.heads.R_K"] ** 2).sum(axis=1)
    queries = sum((after[f"1.heads.R_{n}"] ** 2).sum(axis=1) for n in range(1, heads + 1))
    np.testing.assert_allclose(*(one[::2] + one[1::2] for one in (shared, queries)), rtol=1e-12)
    assert np.abs(after["1.heads.R_K"] - one.weights["1.heads.R_K"]).max() > 0.01


def test_normalised_keys_are_not_balanced() -> None:
    with pytest.raises(InvalidArgument, match=r"with 1.heads.key_norm"):
        transform(Balance(), checkpoint_of("qwen3_0_6b"))


OTHER_LAYOUTS = {
    "llama_3_1_8b": ("interleaved", {"model_type": "llama:interleaved"}),
    "phi_2": ("interleaved", {"model_type": "phi:interleaved"}),
    "qwen3_0_6b": ("interleaved", {"model_type": "qwen3:interleaved"}),
    "olmoe_1b_7b": ("interleaved", {"model_type": "olmoe:interleaved"}),
    "gpt_j_6b": ("halves", {"model_type": "gptj:halves"}),
    "deepseek_v2": ("halves", {"model_type": "deepseek_v2:halves"}),
    "deepseek_v3": ("halves", {"model_type": "deepseek_v3", "rope_interleave": False}),
}
"""The layouts that models do not have, and what configs say of them."""


PAIRS = {"qk_rope_head_dim": 4}
"""Of one pair both layouts are the same."""


@pytest.mark.sample(6)
@pytest.mark.parametrize("name", OTHER_LAYOUTS)
def test_rotary_layouts_are_isomorphic(name: str, tmp_path: Path) -> None:
    one = checkpoint_of(name, **PAIRS) if "deepseek" in name else checkpoint_of(name)
    layout, fields = OTHER_LAYOUTS[name]
    usual = "halves" if layout == "interleaved" else "interleaved"
    other = converted(RotaryLayout(layout), one)
    assert other.network != one.network
    assert other.config.items() >= fields.items()
    checkpoints.save(tmp_path / "other", other)
    read = checkpoints.load(tmp_path / "other", tokens=3)
    assert (read.network, read.weights) == (other.network, other.weights)
    back = converted(RotaryLayout(usual), read)
    assert (back.network, back.weights) == (one.network, one.weights)
    assert back.config["model_type"] == one.config["model_type"]
    with pytest.raises(InvalidArgument, match=f"without heads whose rotary positions are {layout}"):
        transform(RotaryLayout(usual), one)


def test_rows_in_another_layout_are_another_function() -> None:
    one = checkpoint_of("deepseek_v3", **PAIRS)
    other = transform(RotaryLayout("halves"), one)
    assert np.abs(values(Checkpoint(one.network, other.weights)) - values(one)).max() > 1e-3


@pytest.mark.parametrize("kind", ["llama:rows", "llama:", ":halves", "lama:halves"])
def test_other_words_behind_a_model_type_are_refused(kind: str) -> None:
    with pytest.raises(InvalidArgument, match=f"model_type was '{kind}'"):
        published.read({**config("llama_2_7b"), "model_type": kind})


def test_shared_keys_become_those_of_each_head() -> None:
    one = checkpoint_of("llama_3_1_8b")
    after = converted(SeparateKeys(), one)
    assert after.config["num_key_value_heads"] == 4
    assert after.network == published.read(after.config, tokens=3)
    np.testing.assert_array_equal(after.weights["1.heads.K_4"], one.weights["1.heads.K_2"])
    with pytest.raises(InvalidArgument, match="with keys and values for each head"):
        transform(SeparateKeys(), after)
    with pytest.raises(InvalidArgument, match=r"heads that read latent vectors; .* R_K, which all share"):
        transform(SeparateKeys(), checkpoint_of("deepseek_v2"))
