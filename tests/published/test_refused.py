"""Configs with fields that are missing, at odds, or beyond the layers are refused in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from algatt.errors import InvalidArgument
from algatt.published import read, scaled
from configs import config


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
        (b"[" * 100_000, "which has more than 200 lists"),
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
