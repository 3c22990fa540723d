"""Configs of published models are read as networks with the published numbers of parameters."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Capped, Exponential, Heads, Probabilities, Rotary, SoftCap, Window
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


def test_angles_of_llama_3_1_are_divided_by_8_where_they_turn_less_than_once_in_the_old_context() -> None:
    """Angle 29 turns 8192 * 500000^(-58/128) / (2 pi) = 3.41 times: 0.80 of the way from 1 to 4."""
    angles = heads_of(config("llama_3_1_8b"))[0].position.frequencies
    before = [500000 ** (-pair / 64) for pair in range(64)]
    turns = 8192 * before[29] / (2 * math.pi)
    assert 3.41 < turns < 3.42
    share = (turns - 1) / 3
    assert angles[:29] == pytest.approx(before[:29], rel=1e-15)
    assert angles[29] == pytest.approx(before[29] * (share + (1 - share) / 8), rel=1e-13)
    assert angles[40:] == pytest.approx([angle / 8 for angle in before[40:]], rel=1e-15)


def scaled_position(name: str, tokens: int = 2, context: int = 4096, **rule: Any) -> Rotary:
    """Return the rotary positions of a model whose angles are scaled by a rule; it has one block."""
    changes = {"rope_scaling": rule, "max_position_embeddings": context, "num_hidden_layers": 1}
    net = read(config(name) | changes, tokens=tokens)
    return next(node.layer.position for node in layout(net.layers).walk() if isinstance(node.layer, Heads))


def test_yarn_leaves_the_first_angles_and_divides_the_last() -> None:
    """Its factor is 0.1 ln 4 + 1 = 1.1386 (arXiv 2309.00071, below equation 22)."""
    position = scaled_position("llama_2_7b", type="yarn", factor=4.0)
    before = [10000 ** (-pair / 64) for pair in range(64)]
    assert position.factor == pytest.approx(1.138629436111989, rel=1e-15)
    assert position.frequencies[:5] == pytest.approx(before[:5], rel=1e-15)
    assert position.frequencies[60:] == pytest.approx([angle / 4 for angle in before[60:]], rel=1e-15)
    assert scaled_position("llama_2_7b", type="yarn", factor=4.0, attention_factor=2.5).factor == 2.5


def test_angles_are_those_of_inputs_of_as_many_tokens_as_the_network_reads() -> None:
    """Inputs of twice the context have the base 10000 (2 factor - (factor - 1))^(128 / 126) = 10000 * 5^(128 / 126)."""
    short, long = (scaled_position("llama_2_7b", tokens, 3, type="dynamic", factor=4.0) for tokens in (3, 6))
    base = 10000 * 5 ** (128 / 126)
    assert short.frequencies == pytest.approx([10000 ** (-pair / 64) for pair in range(64)], rel=1e-13)
    assert long.frequencies == pytest.approx([base ** (-pair / 64) for pair in range(64)], rel=1e-13)


def test_longrope_has_a_list_for_short_inputs_and_one_for_long_ones() -> None:
    """Its factor is the root of 1 + ln 16 / ln 4 = 3, where the context grows from 4 to 64 tokens."""
    lists = {"short_factor": [1.0] * 48, "long_factor": [2.0] * 48, "original_max_position_embeddings": 4}
    fields = config("phi_3_mini_4k") | {"original_max_position_embeddings": 4}
    parts = [{"rope_scaling": {"type": kind, **lists}} for kind in ("su", "longrope")]
    nets = [
        read(fields | part | {"max_position_embeddings": 64, "num_hidden_layers": 1}, tokens=tokens).layers
        for part, tokens in zip(parts, (4, 5), strict=True)
    ]
    short, long = (
        next(node.layer.position for node in layout(one).walk() if isinstance(node.layer, Heads)) for one in nets
    )
    assert short.frequencies == pytest.approx([2 * angle for angle in long.frequencies], rel=1e-15)
    assert short.factor == long.factor == pytest.approx(math.sqrt(3), rel=1e-15)


def test_linear_scaling_divides_all_angles() -> None:
    position = scaled_position("pythia_160m", type="linear", factor=4.0)
    assert position.width == 16
    assert position.frequencies == pytest.approx([10000 ** (-pair / 8) / 4 for pair in range(8)], rel=1e-15)


def test_a_config_without_a_base_has_the_one_of_its_model_type() -> None:
    for name, base in (("mixtral_8x7b_v0_1", 1e6), ("llama_2_7b", 1e4), ("gemma_3_1b", 1e4)):
        fields = {key: value for key, value in scaled(config(name), layers=6).items() if not key.startswith("rope")}
        assert heads_of(fields)[0].position.base == base
    assert heads_of(fields)[1].position.base == 1e6


def test_blocks_of_gemma_with_windows_and_without() -> None:
    second, third = heads_of(config("gemma_2_9b")), heads_of(config("gemma_3_1b"))
    assert [isinstance(one.mask, Window) for one in second] == [True, False] * 21
    assert [isinstance(one.mask, Window) for one in third] == ([True] * 5 + [False]) * 4 + [True] * 2
    assert [one.position.base for one in third[4:6]] == [10000, 1000000]
    assert {one.score for one in second} == {SoftCap(50.0, Exponential(16.0))}
    assert {one.score for one in third} == {Exponential(16.0)}


def test_a_reading_is_passed_on() -> None:
    net = read(scaled(config("gpt2")), reading=Probabilities())
    assert "Probabilities()" in repr(net)
    with pytest.raises(InvalidArgument, match="reading was 3"):
        read(config("gpt2"), reading=3)  # type: ignore[arg-type]
    assert "Capped(30)" in repr(read(scaled(config("gpt2")), reading=Capped(30)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"model_type": "mamba"}, "model_type was 'mamba'; it should be one of .*gemma, .*llama, .*qwen3"),
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
        (
            {"rope_scaling": {"rope_type": "mrope"}},
            "rope_scaling.rope_type was 'mrope'; it should be one of default, linear",
        ),
        ({"rope_parameters": {"type": 3}}, "rope_parameters.type was 3; it should be one of default, linear"),
        (
            {"rope_scaling": {"type": "linear"}},
            "rope_scaling.factor was missing from the config; it should be a positive",
        ),
        (
            {"rope_scaling": {"type": "linear", "factor": 0}},
            "rope_scaling.factor was 0; it should be a positive number",
        ),
        ({"rope_scaling": {"full_attention": {}}}, "rope_scaling.full_attention was {}; it should be a number: all"),
        (
            {"partial_rotary_factor": 0.5},
            "partial_rotary_factor was 0.5; it should be 1.0: models of this type turn all",
        ),
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
        ("qwen2_5_7b", {"layer_types": ["sliding_attention"] * 28}, "layer_types was with 'sliding_attention'"),
        ("gemma_2_2b", {"use_bidirectional_attention": True}, "use_bidirectional_attention was True"),
        ("gemma_2_2b", {"attn_logit_softcapping": 0}, "attn_logit_softcapping was 0; it should be a positive number"),
        ("gemma_3_1b", {"attn_logit_softcapping": 50.0}, "attn_logit_softcapping was 50.0; it should be null"),
        (
            "gemma_3_1b",
            {"rope_parameters": {"rope_theta": 1e4}},
            "rope_parameters.rope_theta was 10000.0; it should be a",
        ),
        ("gpt_j_6b", {"rotary_dim": 512}, "rotary_dim was 512; it should be even, and at most the 256 rows of a head"),
        ("gpt_j_6b", {"rotary_dim": 3}, "rotary_dim was 3; it should be even"),
        ("opt_125m", {"word_embed_proj_dim": -1}, "word_embed_proj_dim was -1; it should be an integer >= 1"),
        ("phi_2", {"partial_rotary_factor": 0.01}, "partial_rotary_factor was 0.01, which turns 0 of 80 rows"),
        (
            "phi_3_mini_4k",
            {"rope_scaling": {"type": "su", "long_factor": [1]}},
            "rope_scaling.short_factor was missing",
        ),
        ("phi_3_mini_4k", {"attention_bias": True}, "attention_bias was True; it should be False"),
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
