"""Configs of published models are read as networks with the published numbers of parameters."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Capped, Heads, Probabilities, Window
from algatt.layers.base import layout
from algatt.published import model_types, read, scaled
from configs import NAMES, config, model


def heads_of(fields: dict[str, Any]) -> list[Heads]:
    """Return the attention of each block."""
    return [node.layer for node in layout(read(fields).layers).walk() if isinstance(node.layer, Heads)]


@pytest.mark.parametrize("name", NAMES)
def test_totals_are_the_published_ones(name: str) -> None:
    """The transformers library counts as many, on a device without memory."""
    assert read(config(name)).parameters == model(name)["parameters"]


def test_every_family_has_a_config() -> None:
    assert {config(name)["model_type"] for name in NAMES} == set(model_types())


def test_a_config_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config("gpt2")), encoding="utf-8")
    assert read(path) == read(str(path)) == read(config("gpt2"))


def test_symmetries_of_llama_at_full_size_by_the_formulas_of_its_components() -> None:
    rotary, values, gates, gains = 32 * 128, 32 * 128**2, 11008, 2 * 4096
    stream = 4096 * 4095 // 2
    redundant = 32 * (rotary + values + gates + gains) + 4096 + stream
    found = algatt.symmetry.symbolic_symmetries(read(config("llama_2_7b")))
    assert found.complete
    assert (found.orbit, found.upper) == (redundant, model("llama_2_7b")["parameters"] - redundant)


def test_tied_qwen2_keeps_the_gauges_of_its_layers_alone() -> None:
    """Biases of keys are seen through rotary positions, those of values as the output has none."""
    layer = 2 * 64 + 2 * 64**2 + 4864 + 2 * 896
    assert algatt.symmetry.symbolic_symmetries(read(config("qwen2_0_5b"))).orbit == 24 * layer


def test_symmetries_of_t5_at_full_size_by_the_formulas_of_its_components() -> None:
    """Two tokens of a source have 3 distances of 32 buckets, two of a target have 2, and softmax does not see what is
    added to all of a head; one gain is folded into what reads the memory, and that of the logits is seen, as they are
    tied.
    """
    bases, neurons, gain = 8 * 2 * 64**2, 2048, 512
    encoder = bases + neurons + 2 * gain
    decoder = 2 * bases + neurons + 3 * gain
    tables = 8 * (32 - 3 + 1) + 8 * (32 - 2 + 1)
    found = algatt.symmetry.symbolic_symmetries(read(config("t5_small")))
    assert found.orbit == 6 * (encoder + decoder) + gain + tables


def test_an_encoder_and_a_decoder_read_two_tokens_each() -> None:
    assert (read(config("t5_small")).tokens, read(config("gpt2")).tokens) == (4, 2)
    assert read(config("t5_small"), tokens=7).output_shape == (32128, 4)


def test_t5_has_one_matrix_of_tokens_or_two() -> None:
    tied, apart = repr(read(config("t5_small"))), repr(read(config("flan_t5_small")))
    assert "'unembedding.U': 'embedding.E'" in tied
    assert f"scale={512**-0.5!r}" in tied
    assert "Feedforward(2048, activation=ReLU())" in tied
    assert "unembedding.U" not in apart
    assert "scale" not in apart
    assert "TanhGELU(), gated=True" in apart


def test_windows_of_the_layers_that_have_one() -> None:
    assert {one.mask for one in heads_of(config("mistral_7b_v0_1"))} == {Window(4096)}
    fields = config("qwen2_0_5b") | {"use_sliding_window": True, "max_window_layers": 20, "sliding_window": 5}
    assert [isinstance(one.mask, Window) for one in heads_of(fields)] == [False] * 20 + [True] * 4


def test_positions_have_the_base_of_the_config_wherever_it_stands() -> None:
    fields = config("llama_3_8b")
    assert heads_of(fields)[0].position.base == 500000
    theta = fields.pop("rope_theta")
    newer = fields | {"rope_parameters": {"rope_type": "default", "rope_theta": theta}}
    assert heads_of(newer) == heads_of(config("llama_3_8b"))
    assert heads_of(config("pythia_160m"))[0].position.width == 16


def test_a_reading_is_passed_on() -> None:
    net = read(scaled(config("gpt2")), reading=Probabilities())
    assert "Probabilities()" in repr(net)
    with pytest.raises(InvalidArgument, match="reading was 3"):
        read(config("gpt2"), reading=3)  # type: ignore[arg-type]
    assert "Capped(30)" in repr(read(scaled(config("gpt2")), reading=Capped(30)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model_type": "mamba"}, "model_type was 'mamba'; it should be one of gemma, gpt2, gpt_neox, llama"),
        ({"model_type": None}, "model_type was missing from the config; it should be one of"),
        ({"model_type": ["llama"]}, "model_type was "),
        ({"hidden_size": None}, "hidden_size was missing from the config, whose model_type is 'llama'; it should be"),
        ({"hidden_size": "4096"}, "hidden_size was '4096'; it should be an integer >= 1"),
        ({"hidden_size": 4097}, "num_attention_heads was 32; it should be a divisor of hidden_size, which is 4097"),
        ({"num_key_value_heads": 5}, "num_key_value_heads was 5; it should be a divisor of num_attention_heads"),
        ({"head_dim": 7}, "partial_rotary_factor was 1.0, which turns 7 of 7 rows of a head; it should be of pairs"),
        ({"hidden_act": "quick_gelu"}, "hidden_act was 'quick_gelu'; it should be one of gelu"),
        ({"rms_norm_eps": float("nan")}, "rms_norm_eps was nan; it should be a finite number >= 0"),
        ({"tie_word_embeddings": "false"}, "tie_word_embeddings was 'false'; it should be True or False"),
        ({"rope_scaling": {"rope_type": "llama3"}}, "rope_scaling.rope_type was 'llama3'; it should be 'default'"),
        ({"rope_scaling": 2.0}, "rope_scaling was 2.0; it should be a mapping"),
        ({"architectures": ["LlamaModel"]}, "architectures was .*; it should be a list with a ForCausalLM"),
    ],
)
@pytest.mark.parametrize("verb", [read, scaled])
def test_bad_fields_are_refused_in_one_line(verb: Any, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        verb(config("llama_2_7b") | changes)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("gpt2", {"scale_attn_by_inverse_layer_idx": True}, "scale_attn_by_inverse_layer_idx was True"),
        ("gpt2", {"n_head": 5}, "n_head was 5; it should be a divisor of n_embd"),
        ("mixtral_8x7b_v0_1", {"num_experts_per_tok": 9}, "num_experts_per_tok was 9; it should be at most"),
        ("qwen3_0_6b", {"use_sliding_window": True, "layer_types": ["full_attention"]}, "layer_types was "),
        ("phi_3_mini_4k", {"attention_bias": True}, "attention_bias was True; it should be False"),
        ("t5_small", {"feed_forward_proj": "gated-quick"}, "feed_forward_proj was 'quick'; it should be one of gelu"),
        ("t5_small", {"feed_forward_proj": 3}, "feed_forward_proj was 3; it should be one of gelu"),
        ("t5_small", {"relative_attention_num_buckets": 7}, "buckets was 7; it should be even"),
        ("t5_small", {"num_decoder_layers": 0}, "num_decoder_layers was 0; it should be an integer >= 1"),
        ("t5_small", {"d_kv": None}, "d_kv was missing from the config"),
        ("t5_small", {"architectures": ["T5EncoderModel"]}, "architectures was .*ForConditionalGeneration"),
    ],
)
def test_what_layers_cannot_say_is_refused(name: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        read(config(name) | changes)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "which is not JSON; it should be the config.json of a published model"),
        (b"\xff\xfe\x00", "which is not JSON"),
        (b"[" * 100_000, "which is not JSON"),
        (b"[]", "which is JSON of a list"),
    ],
)
def test_files_that_are_no_configs(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(content)
    with pytest.raises(InvalidArgument, match=message):
        read(path)


def test_a_file_that_is_not_there_and_what_is_no_config(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="which cannot be read"):
        read(tmp_path / "none.json")
    with pytest.raises(InvalidArgument, match="config was 3; it should be"):
        read(3)  # type: ignore[arg-type]
    with pytest.raises(InvalidArgument, match="tokens was 0"):
        read(config("gpt2"), tokens=0)
