"""Configs of published models are read as networks with the published numbers of parameters."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from algatt.errors import InvalidArgument
from algatt.layers import (
    Capped,
    Exponential,
    LearnedPosition,
    Probabilities,
    Repeat,
    SoftCap,
    Window,
)
from algatt.layers.base import layout
from algatt.published import model_types, read, scaled
from configs import NAMES, config, heads_of, model


@pytest.mark.parametrize("name", NAMES)
def test_totals_are_the_published_ones(name: str) -> None:
    """The transformers library counts as many, on a device without memory; the corrections of DeepSeek V3, 256 for
    each of 58 mixtures, it keeps as buffers, which it does not count, and the published checkpoint has.
    """
    assert read(config(name)).parameters == model(name)["parameters"]


def test_every_family_has_a_config() -> None:
    assert {config(name)["model_type"] for name in NAMES} == set(model_types())


def test_a_config_is_read_from_its_file(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config("gpt2")), encoding="utf-8")
    assert read(path) == read(str(path)) == read(config("gpt2"))


def test_sound_stands_before_two_tokens_unless_there_are_more() -> None:
    net = read(config("whisper_base"))
    assert (net.source, net.tokens, net.vocabulary, net.output_shape) == ((80, 3000), 3002, 51865, (51865, 2))
    assert read(config("whisper_tiny"), tokens=3448).output_shape == (51865, 448)
    with pytest.raises(InvalidArgument, match="given 3000 tokens; it should be given more than 3000"):
        read(config("whisper_tiny"), tokens=3000)
    with pytest.raises(InvalidArgument, match="given 449 tokens; it should be given at most 448"):
        read(config("whisper_tiny"), tokens=3449)


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


def test_positions_of_roberta_begin_behind_that_of_padding() -> None:
    positions = [node.layer for node in layout(read(config("roberta_base")).layers).walk()]
    assert LearnedPosition(514, first=2) in positions


def test_blocks_of_albert_are_one_block_for_each_group() -> None:
    fields = config("albert_base_v2")
    assert "Repeat(" in repr(read(fields))
    per_block = read(fields | {"num_hidden_groups": 2}).parameters - read(fields).parameters
    assert per_block == 4 * 768**2 + 4 * 768 + 2 * 768 * 3072 + 3072 + 768 + 4 * 768
    uneven = read(fields | {"num_hidden_groups": 5}).layers
    counts = [node.layer.count for node in layout(uneven).walk() if isinstance(node.layer, Repeat)]
    assert counts == [3, 2, 3, 2, 2]  # of int(i / (12 / 5)) for i = 0, ..., 11


def test_images_have_as_many_tokens_as_patches() -> None:
    net = read(config("vit_base_patch16_224"))
    assert (net.input_shape, net.output_shape) == ((768, 196), (1000, 1))
    assert read(config("dinov2_base")).output_shape == (768, 1370)
    with pytest.raises(InvalidArgument, match="tokens was 2; it should be 196, the patches of an image, or not given"):
        read(config("vit_base_patch16_224"), tokens=2)


def test_models_without_a_head_have_no_logits() -> None:
    assert read(config("minilm_l6_v2"), tokens=3).output_shape == (384, 4)  # all tokens, and the pooled one
    with pytest.raises(InvalidArgument, match="a model without a head has no logits"):
        read(config("minilm_l6_v2"), reading=Probabilities())


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
