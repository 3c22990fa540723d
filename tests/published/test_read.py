"""Configs of published models are read as networks with the published numbers of parameters."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import (
    Capped,
    Exponential,
    Heads,
    LatentHeads,
    LearnedPosition,
    Probabilities,
    Repeat,
    Rotary,
    SoftCap,
    Window,
)
from algatt.layers.base import layout
from algatt.published import model_types, parameters, read, scaled
from configs import NAMES, config, model


def heads_of(fields: dict[str, Any]) -> list[Heads]:
    """Return the attention of each block."""
    return [node.layer for node in layout(read(fields).layers).walk() if isinstance(node.layer, Heads)]


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


def test_symmetries_of_latent_attention_at_full_width_by_the_formulas_of_its_components() -> None:
    """A block of DeepSeek V2 with fewer heads and experts: what is derived in the paper's notation, component by
    component. Rotations of both latent vectors with their gains, changes of basis of each head's keys and values, one
    complex number for each pair of the shared key, neurons, gains, a row of the router, and the stream's rotations.
    """
    fields = config("deepseek_v2") | {"num_attention_heads": 4, "num_key_value_heads": 4, "first_k_dense_replace": 0}
    net = read(fields | {"num_hidden_layers": 1, "n_routed_experts": 6, "n_group": 3, "num_experts_per_tok": 2})
    latent = sum(rank * (rank + 1) // 2 for rank in (1536, 512))
    heads = 4 * (128**2 + 128**2) + 64
    mixture = 6 * 1536 + 2 * 1536 + 5120
    stream = 5120 * 5119 // 2 + 3 * 5120
    found = algatt.symmetry.symbolic_symmetries(net)
    assert found.complete
    assert found.orbit == latent + heads + mixture + stream


def test_angles_of_deepseek_are_those_of_the_formula() -> None:
    """YaRN (arXiv 2309.00071, section 3.2), as the reference code of the model has it: pairs up to number 10 are as
    without, those from number 23 on are 40 times slower, and scores are multiplied by the square of 1 + 0.1 ln 40.
    """
    heads = next(
        node.layer for node in layout(read(config("deepseek_v3")).layers).walk() if isinstance(node.layer, LatentHeads)
    )
    plain = [10000 ** (-pair / 32) for pair in range(32)]
    ratios = [one / two for one, two in zip(plain, heads.position.frequencies, strict=True)]
    assert ratios[:11] == pytest.approx([1] * 11)
    assert ratios[23:] == pytest.approx([40] * 9)
    assert all(1 < one < two < 40 for one, two in pairwise(ratios[11:23]))
    assert float(heads.score.temperature) == pytest.approx(192**0.5 / (1 + 0.1 * math.log(40)) ** 2)


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("deepseek_v2", {"scoring_func": "sigmoid"}, "scoring_func was 'sigmoid'; it should be 'softmax'"),
        ("deepseek_v2", {"topk_method": "noaux_tc"}, "topk_method was 'noaux_tc'; it should be 'greedy' or"),
        ("deepseek_v2", {"norm_topk_prob": True}, "norm_topk_prob was True; it should be False"),
        ("deepseek_v2", {"n_group": 7}, "n_group was 7; it should be a divisor of n_routed_experts, which is 160"),
        ("deepseek_v2", {"topk_group": 9}, "topk_group was 9; it should be at most n_group, which is 8"),
        ("deepseek_v2_lite", {"num_experts_per_tok": 65}, "num_experts_per_tok was 65; it should be at most 64"),
        ("deepseek_v2_lite", {"num_key_value_heads": 2}, "num_key_value_heads was 2; it should be num_attention_heads"),
        ("deepseek_v2_lite", {"qk_rope_head_dim": 63}, "qk_rope_head_dim was 63; it should be even"),
        ("deepseek_v2_lite", {"moe_layer_freq": 2}, "moe_layer_freq was 2; it should be 1"),
        ("deepseek_v2_lite", {"q_lora_rank": 0}, "q_lora_rank was 0; it should be an integer >= 1"),
        ("deepseek_v3", {"n_group": 256, "topk_group": 8}, "n_group was 256; .* with at least 2 in each group"),
        ("deepseek_v3", {"num_experts_per_tok": 129}, "num_experts_per_tok was 129; it should be at most 128"),
        ("deepseek_v3", {"first_k_dense_replace": -1}, "first_k_dense_replace was -1; it should be an integer >= 0"),
        ("deepseek_v3", {"rope_scaling": {"type": "linear"}}, "rope_scaling.type was 'linear'; it should be 'default'"),
        ("deepseek_v3", {"rope_scaling": {"type": "yarn", "factor": 4}}, "rope_scaling.mscale was None, with"),
    ],
)
def test_fields_of_deepseek_that_are_refused(name: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        read(config(name) | changes)
    assert "\n" not in str(caught.value)


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


def test_symmetries_of_t5_where_all_positions_are_reached_by_the_formulas_of_its_components() -> None:
    """As above; but 129 tokens of a source and of a target reach all 32 buckets, except the one of the encoder that is
    of keys behind the query at the distance 0.
    """
    bases, neurons, gain = 8 * 2 * 64**2, 2048, 512
    encoder = bases + neurons + 2 * gain
    decoder = 2 * bases + neurons + 3 * gain
    tables = 8 * (32 - 31 + 1) + 8 * (32 - 32 + 1)
    report = parameters(config("t5_small"))
    assert report.redundant == 6 * (encoder + decoder) + gain + tables
    assert report.complete
    assert report.network.tokens == 258


def test_symmetries_of_whisper_at_full_size_by_the_formulas_of_its_components() -> None:
    """Norms that are not the last one fold a gain and a bias, and each attention a bias of values. LayerNorm sees no
    mean: not what is added to all columns of what reads a norm, nor to all rows of what writes to the stream, nor to a
    vector of a position. As probabilities, the vectors of tokens and positions may exchange a vector.
    """
    d, m, heads, blocks, positions = 384, 1536, 6, 4, 448
    bases = 2 * heads * (d // heads) ** 2
    encoder = bases + 2 * 2 * d + d + (3 * d + d + 1) + (m + m + 1)
    decoder = 2 * bases + 3 * 2 * d + 2 * d + 2 * (3 * d + d + 1) + (m + m + 1)
    expected = blocks * (encoder + decoder) + 2 * d + positions
    report = parameters(config("whisper_tiny"), reading=Probabilities())
    assert (report.redundant, report.complete) == (expected + d, True)
    assert (report.network.source, report.network.tokens) == ((80, 3000), 3448)
    assert "from 3,000 vectors of 80 numbers and 448 tokens" in report.functions


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


def test_positions_have_the_base_of_the_config_wherever_it_stands() -> None:
    fields = config("llama_3_8b")
    assert heads_of(fields)[0].position.base == 500000
    theta = fields.pop("rope_theta")
    newer = fields | {"rope_parameters": {"rope_type": "default", "rope_theta": theta}}
    assert heads_of(newer) == heads_of(config("llama_3_8b"))
    assert heads_of(config("pythia_160m"))[0].position.width == 16


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
        ({"model_type": "rwkv"}, "model_type was 'rwkv'; it should be one of albert, bert, d"),
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
        ("bert_base_uncased", {"is_decoder": True}, "is_decoder was True; it should be False"),
        (
            "bert_base_uncased",
            {"position_embedding_type": "relative_key"},
            "position_embedding_type was 'relative_key'",
        ),
        ("bert_base_uncased", {"architectures": ["BertForPreTraining"]}, "a list with a BertForMaskedLM or BertModel"),
        ("roberta_base", {"pad_token_id": -1}, "pad_token_id was -1; it should be an integer >= 0"),
        ("roberta_base", {"max_position_embeddings": 3}, "given 2 tokens; it should be given at most 1"),
        ("albert_base_v2", {"inner_group_num": 2}, "inner_group_num was 2; it should be 1"),
        ("albert_base_v2", {"num_hidden_groups": 13}, "num_hidden_groups was 13; it should be at most"),
        ("vit_base_patch16_224", {"image_size": 225}, "image_size was 225 x 225; it should be of whole patches"),
        ("vit_base_patch16_224", {"patch_size": [16]}, r"patch_size was \[16\]; it should be an integer >= 1, or two"),
        ("vit_base_patch16_224", {"id2label": {"0": "cat"}}, "num_labels was 1000; it should be 1, as there are names"),
        ("dinov2_small", {"mlp_ratio": 0}, "mlp_ratio was 0"),
        ("t5_small", {"feed_forward_proj": "gated-quick"}, "feed_forward_proj was 'quick'; it should be one of gelu"),
        ("t5_small", {"feed_forward_proj": 3}, "feed_forward_proj was 3; it should be one of gelu"),
        ("t5_small", {"relative_attention_num_buckets": 7}, "buckets was 7; it should be even"),
        ("t5_small", {"num_decoder_layers": 0}, "num_decoder_layers was 0; it should be an integer >= 1"),
        ("t5_small", {"d_kv": None}, "d_kv was missing from the config"),
        ("t5_small", {"architectures": ["T5EncoderModel"]}, "architectures was .*ForConditionalGeneration"),
        ("whisper_tiny", {"scale_embedding": True}, "scale_embedding was True; it should be False"),
        ("whisper_tiny", {"decoder_attention_heads": 5}, "decoder_attention_heads was 5; it should be a divisor"),
        ("whisper_tiny", {"activation_function": "quick_gelu"}, "activation_function was 'quick_gelu'"),
        ("whisper_tiny", {"architectures": ["WhisperForAudioClassification"]}, "architectures was .*Generation"),
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
