"""Every key of a config is read, known to be without effect, or refused by its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import GELU, Entrywise, Feedforward, Logits, ReLU, RMSNorm, Window
from algatt.layers.base import layout
from algatt.published import checkpoint_tensors, read, scaled, weights
from algatt.published.base import opened
from algatt.published.fields import Fields
from algatt.published.keys import WITHOUT_EFFECT
from configs import NAMES, config, heads_of

SMALL = {
    "hidden_size": 64,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
    "vocab_size": 50,
}


@pytest.mark.parametrize(
    ("fields", "parameters"),
    [
        ({"model_type": "qwen2", **SMALL, "num_key_value_heads": None}, 58304),
        ({"model_type": "qwen3", **SMALL, "num_key_value_heads": None}, 57984),
        (
            {
                "model_type": "qwen3_moe",
                **SMALL,
                "num_local_experts": 4,
                "moe_intermediate_size": 24,
                "num_experts_per_tok": 2,
            },
            68736,
        ),
        ({"model_type": "mixtral", **SMALL, "num_experts": 3}, 86976),
        ({"model_type": "olmoe", **SMALL, "num_local_experts": 5, "num_experts_per_tok": 2}, 124288),
        (
            {
                "model_type": "gpt2",
                "hidden_size": 8,
                "num_attention_heads": 2,
                "num_hidden_layers": 1,
                "vocab_size": 10,
                "max_position_embeddings": 6,
            },
            1016,
        ),
    ],
)
def test_totals_are_those_of_transformers(fields: dict[str, Any], parameters: int) -> None:
    """``from_config(...).num_parameters()`` of transformers 5.23 on the device meta."""
    assert read(fields).parameters == parameters


@pytest.mark.parametrize(("model_type", "eps"), [("phi3", 1e-5), ("mixtral", 1e-5), ("olmoe", 1e-5), ("llama", 1e-6)])
def test_epsilon_is_that_of_the_type(model_type: str, eps: float) -> None:
    net = read({"model_type": model_type, **SMALL})
    norms = {node.layer for node in layout(net.layers).walk() if isinstance(node.layer, RMSNorm)}
    assert norms == {RMSNorm(eps)}


def test_deepseek_v2_has_64_experts_unless_its_config_says_how_many() -> None:
    """The default of transformers 5.24; that of V3 is 256."""
    fields = {name: value for name, value in config("deepseek_v2").items() if name != "n_routed_experts"}
    small = scaled(fields | {"n_routed_experts": 64}) | {"n_routed_experts": 64, "n_group": 2}
    theta = algatt.sample(read(small), algatt.Weights, field=algatt.Reals(), seed=1)
    tensors = checkpoint_tensors(small, theta)
    assert weights({name: one for name, one in small.items() if name != "n_routed_experts"}, tensors) == theta


def test_the_convolutions_of_whisper_have_one_activation() -> None:
    """In transformers 5.24 the other activation is that of feedforward networks alone."""
    net = read(config("whisper_tiny") | {"activation_function": "relu", "encoder_layers": 1, "decoder_layers": 1})
    nouns = [node.layer for node in layout(net.layers).walk()]
    assert {one.activation for one in nouns if isinstance(one, Entrywise)} == {GELU()}
    assert {one.activation for one in nouns if isinstance(one, Feedforward)} == {ReLU()}


def test_a_window_that_is_null_is_none() -> None:
    fields = config("qwen3_30b_a3b") | {"use_sliding_window": True, "num_hidden_layers": 1}
    assert {one.mask for one in heads_of(fields | {"sliding_window": 7})} == {Window(7)}
    assert not any(isinstance(one.mask, Window) for one in heads_of(fields | {"sliding_window": None}))


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("llama_2_7b", {"is_causal": False}, "is_causal was False; it should be True"),
        (
            "llama_2_7b",
            {"mm_vision_tower": "clip"},
            "mm_vision_tower was 'clip'; it should be not in the config: of",
        ),
        ("llama_2_7b", {"auto_map": {"AutoModel": "x.Other"}}, "auto_map was .*of classes of models of type 'llama'"),
        ("llama_2_7b", {"auto_map": 3}, "auto_map was 3; it should be of classes"),
        ("llama_2_7b", {"attention_chunk_size": 4}, "attention_chunk_size was 4"),
        ("llama_2_7b", {"hidden_act": None}, "hidden_act was null; it should be one of gelu"),
        (
            "llama_2_7b",
            {"rope_scaling": {"type": "linear", "factor": 2, "short_mscale": 1}},
            "rope_scaling.short_mscale",
        ),
        ("bert_base_uncased", {"pruned_heads": {"0": [1]}}, "pruned_heads was .*; it should be {}"),
        ("qwen2_0_5b", {"attention_bias": True}, "attention_bias was True; it should be False"),
        ("qwen2_0_5b", {"rms_norm_eps": None}, "rms_norm_eps was null; it should be a finite number >= 0, or not in"),
        ("gemma_2b", {"hidden_act": "relu"}, "hidden_act was 'relu'; it should be the name of hidden_activation"),
        ("mixtral_8x7b_v0_1", {"num_experts": 4}, "num_experts was 4; it should be 8, as num_local_experts is"),
        (
            "deepseek_v3",
            {"rope_scaling": {"type": "yarn", "other": 1}},
            "rope_scaling.other was 1; it should be one",
        ),
        # values of transformers 5.24 that our layers did not have, as scripts/config_keys.py found
        ("mamba_130m", {"hidden_act": "relu"}, "hidden_act was 'relu'; it should be silu"),
        ("olmoe_1b_7b", {"sliding_window": 3}, "sliding_window was 3; it should be not in the config"),
        ("deepseek_v3", {"head_dim": 2}, "head_dim was 2; it should be 64, as qk_rope_head_dim is"),
        ("deepseek_v2", {"head_dim": 2}, "head_dim was 2; it should be 64, as qk_rope_head_dim is"),
        ("t5_small", {"is_gated_act": True}, "is_gated_act was True; it should be False"),
        ("t5_small", {"dense_act_fn": "silu"}, "dense_act_fn was 'silu'; it should be 'relu'"),
        ("t5_small", {"scale_decoder_outputs": False}, "scale_decoder_outputs was False; it should be True"),
        ("whisper_tiny", {"is_encoder_decoder": False}, "is_encoder_decoder was False; it should be True"),
        # sequences of which transformers 5.23 computes other values with this key
        *(
            (name, {"is_causal": True}, "is_causal was True; it should be False")
            for name in ("bert_base_uncased", "roberta_base", "albert_base_v2", "vit_base_patch16_224", "dinov2_base")
        ),
        *(
            (name, {"is_causal": value}, f"is_causal was {value}; it should be None")
            for name in ("t5_small", "whisper_tiny")
            for value in (True, False)
        ),
    ],
)
@pytest.mark.parametrize("verb", [read, scaled, lambda fields: weights(fields, {})])
def test_keys_that_are_refused(verb: Any, name: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        verb(config(name) | changes)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("phi_3_mini_4k", {"auto_map": {"AutoConfig": "configuration_phi3.Phi3Config"}}),
        ("deepseek_v3", {"auto_map": {"AutoModelForCausalLM": "modeling_deepseek.DeepseekV3ForCausalLM"}}),
        ("deepseek_v3", {"quantization_config": {"quant_method": "fp8"}}),
        ("bert_base_uncased", {"pruned_heads": {}, "mm_vision_tower": None}),
        ("gpt2", {"attn_pdrop": 0.5, "summary_type": "mean", "torch_dtype": "bfloat16", "id2label": {"0": "cat"}}),
        ("smollm2_135m", {"is_llama_config": True, "rope_interleaved": False}),
        ("smollm2_135m", {"is_causal": True}),
        ("bert_base_uncased", {"is_causal": False}),
        ("vit_base_patch16_224", {"is_causal": False}),
    ],
)
def test_keys_without_effect(name: str, changes: dict[str, Any]) -> None:
    assert read(config(name) | changes) == read(config(name))


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("llama_2_7b", {"num_hidden_layers": 10**9}, "num_hidden_layers was 1000000000; it should be at most 4096"),
        ("llama_2_7b", {"num_hidden_layers": 4097}, "num_hidden_layers was 4097; it should be at most 4096"),
        ("gpt2", {"n_layer": 10**30}, "n_layer was 10+; it should be at most 4096"),
        ("t5_small", {"num_decoder_layers": 10**9}, "num_decoder_layers was 1000000000; it should be at most 4096"),
        ("deepseek_v3", {"num_hidden_layers": 10**9}, "num_hidden_layers was 1000000000"),
        (
            "deepseek_v3",
            {"n_routed_experts": 2**16},
            "n_routed_experts was 65536; it should be at most 1074 in each",
        ),
        ("qwen3_30b_a3b", {"num_local_experts": 10**9, "num_experts": None}, "num_experts was 1000000000"),
        ("llama_2_7b", {"num_attention_heads": 10**9}, "num_attention_heads was 1000000000; it should be at most 2048"),
        ("llama_2_7b", {"head_dim": 10**9}, "head_dim was 1000000000; it should be at most 262144"),
        ("llama_2_7b", {"hidden_size": 10**9}, "hidden_size was 1000000000; it should be at most 262144"),
        ("vit_base_patch16_224", {"image_size": 16 * 2**11}, "image_size was 32768 x 32768; it should be of at most"),
        ("t5_small", {"relative_attention_num_buckets": 10**9}, "relative_attention_num_buckets was 1000000000"),
        ("whisper_tiny", {"encoder_layers": 10**9}, "encoder_layers was 1000000000"),
        ("albert_base_v2", {"num_hidden_layers": 10**9}, "num_hidden_layers was 1000000000"),
    ],
)
def test_sizes_that_no_model_has_are_refused_before_the_work(name: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        read(config(name) | changes)


class Recorded(Mapping[str, Any]):
    """The fields of a config, with the names that were asked for."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values_of, self.asked = dict(values), set[str]()

    def __getitem__(self, name: str) -> Any:
        self.asked.add(name)
        return self.values_of[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_of)

    def __len__(self) -> int:
        return len(self.values_of)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_family_asks_for_is_among_its_keys(name: str) -> None:
    fields, family = opened(config(name))
    recorded = Recorded(fields.values)
    family.layers(Fields(recorded), Logits())
    known = {"model_type", "architectures", *family.sizes.values(), *(family.keys or ())}
    assert recorded.asked <= known | WITHOUT_EFFECT
