"""Models of other types than Llama in GGUF files, written as convert_hf_to_gguf.py of llama.cpp does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Weights, published
from algatt.checkpoints import load
from algatt.errors import InvalidArgument
from written_checkpoints import gguf_bytes

TOKENS = [3, 1, 4, 1]

GPT2 = {"model_type": "gpt2", "n_embd": 4, "n_layer": 2, "n_head": 2, "n_inner": 6, "vocab_size": 7, "n_positions": 5}

SHARED = {"hidden_size": 8, "intermediate_size": 6, "num_hidden_layers": 2, "vocab_size": 7, "rms_norm_eps": 1e-5}

GEMMA = {"model_type": "gemma", "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 6, **SHARED}

PHI3 = {"model_type": "phi3", "num_attention_heads": 2, "num_key_value_heads": 1, "rope_theta": 500.0, **SHARED}
PHI3 |= {"sliding_window": 3, "tie_word_embeddings": False, "partial_rotary_factor": 0.5}
PHI3 |= {"original_max_position_embeddings": 64, "max_position_embeddings": 64}

NUMBERS: dict[str, dict[str, Any]] = {
    "gpt2": {
        "context_length": 5,
        "embedding_length": 4,
        "feed_forward_length": 6,
        "block_count": 2,
        "attention.head_count": 2,
        "attention.layer_norm_epsilon": 1e-5,
    },
    "gemma": {
        "embedding_length": 8,
        "feed_forward_length": 6,
        "block_count": 2,
        "attention.head_count": 2,
        "attention.head_count_kv": 1,
        "attention.key_length": 6,
        "attention.value_length": 6,
        "attention.layer_norm_rms_epsilon": 1e-5,
    },
    "phi3": {
        "context_length": 64,
        "rope.scaling.original_context_length": 64,
        "embedding_length": 8,
        "feed_forward_length": 6,
        "block_count": 2,
        "attention.head_count": 2,
        "attention.head_count_kv": 1,
        "attention.layer_norm_rms_epsilon": 1e-5,
        "rope.dimension_count": 2,
        "rope.freq_base": 500.0,
        "attention.sliding_window": 3,
    },
}
"""What the converter writes of each."""

NAMES = {
    "gpt2": {
        "transformer.wte": "token_embd",
        "transformer.wpe": "position_embd",
        "transformer.ln_f": "output_norm",
        "ln_1": "attn_norm",
        "ln_2": "ffn_norm",
        "attn.c_attn": "attn_qkv",
        "attn.c_proj": "attn_output",
        "mlp.c_fc": "ffn_up",
        "mlp.c_proj": "ffn_down",
    },
    "gemma": {
        "model.embed_tokens": "token_embd",
        "model.norm": "output_norm",
        "lm_head": "output",
        "input_layernorm": "attn_norm",
        "post_attention_layernorm": "ffn_norm",
        "self_attn.q_proj": "attn_q",
        "self_attn.k_proj": "attn_k",
        "self_attn.v_proj": "attn_v",
        "self_attn.qkv_proj": "attn_qkv",
        "self_attn.o_proj": "attn_output",
        "mlp.gate_proj": "ffn_gate",
        "mlp.up_proj": "ffn_up",
        "mlp.gate_up_proj": "ffn_up",
        "mlp.down_proj": "ffn_down",
    },
}
NAMES["phi3"] = NAMES["gemma"]


def converted(kind: str, tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return tensors as the converter writes them: GPT-2's matrices transposed, gains of Gemma more by one."""
    written = {}
    for name, array in tensors.items():
        path, _, end = name.rpartition(".")
        before, _, number = path.partition(".h." if kind == "gpt2" else ".layers.")
        block, _, own = number.partition(".")
        short = NAMES[kind][own if number else before]
        if kind == "gpt2" and number and array.ndim == 2:
            array = np.ascontiguousarray(array.T)
        if kind == "gemma" and short.endswith("norm"):
            array = array + np.float32(1)
        written[f"blk.{block}.{short}.{end}" if number else f"{short}.{end}"] = array
    return written


def drawn(config: dict[str, Any]) -> dict[str, np.ndarray]:
    """Return random tensors in single precision by the names of transformers; gains such that 1 can be added."""
    theta = algatt.sample(published.read(config), Weights, field=algatt.Reals(), seed=1)
    fused = {f"model.layers.{number}.self_attn.qkv_proj.weight": (16, 8) for number in (0, 1)}
    state = published.checkpoint_tensors(config, theta, fused)
    return {
        name: np.round(array * 2**12).astype(np.float32) / np.float32(2**12) if "norm" in name else array.astype("f4")
        for name, array in state.items()
    }


def written(folder: Path, kind: str, tensors: dict[str, np.ndarray], **changes: Any) -> Path:
    path = folder / "model.gguf"
    metadata = {f"{kind}.{name}": value for name, value in NUMBERS[kind].items()}
    metadata |= {f"{kind}.{name}": value for name, value in changes.items()}
    path.write_bytes(gguf_bytes({"general.architecture": kind, **metadata}, tensors))
    return path


@pytest.mark.parametrize("config", [GPT2, GEMMA, PHI3], ids=["gpt2", "gemma", "phi3"])
def test_weights_are_those_that_were_converted(tmp_path: Path, config: dict[str, Any]) -> None:
    state = drawn(config)
    found = load(written(tmp_path, config["model_type"], converted(config["model_type"], state)), tokens=4)
    assert found.network == published.read(config, tokens=4)
    assert found.weights == published.weights(config, state)
    assert found.precision == 24


def test_a_second_embedding_of_gpt2_is_the_unembedding(tmp_path: Path) -> None:
    """Older converters write it twice."""
    tensors = converted("gpt2", drawn(GPT2))
    found = load(written(tmp_path, "gpt2", {**tensors, "output.weight": tensors["token_embd.weight"]}))
    assert found.config["tie_word_embeddings"] is False
    np.testing.assert_array_equal(found.weights["unembedding.U"], tensors["token_embd.weight"])


@pytest.mark.parametrize(
    ("kind", "changes", "extra", "message"),
    [
        ("gpt2", {"attention.key_length": 4}, {}, "gpt2.attention.key_length was 4; it should be not in the file"),
        ("gemma", {"rope.dimension_count": 2}, {}, "gemma.rope.dimension_count was 2; it should be 6"),
        ("phi3", {"attention.value_length": 2}, {}, "phi3.attention.value_length was 2; it should be 4"),
        ("phi3", {"rope.scaling.attn_factor": 1.5}, {}, "phi3.rope.scaling.attn_factor was 1.5; it should be not in"),
        ("phi3", {}, {"rope_factors_long.weight": np.ones(1, "f4")}, "tensors was with 'rope_factors_long.weight'"),
        ("phi3", {}, {"blk.0.attn_q.weight": np.ones((8, 8), "f4")}, "tensors was with 'blk.0.attn_q.weight'"),
        ("gpt2", {}, {"blk.0.attn_qkv.weight": np.ones((4, 12), "f4")}, r"of shape \(12, 4\)"),
        ("gpt2", {}, {"position_embd.weight": None}, "without 'transformer.wpe.weight'"),
    ],
)
def test_what_does_not_fit_is_named(
    tmp_path: Path, kind: str, changes: dict[str, Any], extra: dict[str, Any], message: str
) -> None:
    config = {"gpt2": GPT2, "gemma": GEMMA, "phi3": PHI3}[kind]
    tensors = {**converted(kind, drawn(config)), **extra}
    tensors = {name: array for name, array in tensors.items() if array is not None}
    with pytest.raises(InvalidArgument, match=message) as caught:
        load(written(tmp_path, kind, tensors, **changes))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", ["gpt2", "gemma", "phi3"])
def test_values_are_those_of_transformers(tmp_path: Path, kind: str) -> None:
    """By files of the writer of the package gguf, with the names that it has for those of transformers."""
    torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    gguf = pytest.importorskip("gguf", reason="gguf is not installed; the extra gguf brings it")
    transformers: Any = pytest.importorskip(
        "transformers", reason="transformers is not installed; the extra torch brings it"
    )
    config = {"gpt2": GPT2, "gemma": GEMMA, "phi3": PHI3}[kind]
    padding = {"pad_token_id": 0} if kind == "phi3" else {}
    made = transformers.AutoConfig.for_model(**config, **padding, attn_implementation="eager")
    torch.manual_seed(0)
    model = transformers.AutoModelForCausalLM.from_config(made).eval()
    for tensor in model.parameters():
        tensor.data.normal_()
    names = gguf.get_tensor_name_map(gguf.MODEL_ARCH[kind.upper()], 2)
    writer = gguf.GGUFWriter(tmp_path / "model.gguf", kind)
    for name, value in NUMBERS[kind].items():
        (writer.add_float32 if isinstance(value, float) else writer.add_uint32)(f"{kind}.{name}", value)
    for name, tensor in model.state_dict().items():
        if name == "lm_head.weight" and kind != "phi3":
            continue
        array = tensor.numpy()
        if kind == "gpt2" and name.endswith((".c_attn.weight", ".c_proj.weight", ".c_fc.weight")):
            array = np.ascontiguousarray(array.T)
        if kind == "gemma" and name.endswith("norm.weight"):
            array = array + 1
        writer.add_tensor(names.get_name(name, try_suffixes=(".weight", ".bias")), array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    with torch.no_grad():
        expected = model.double()(torch.tensor([TOKENS])).logits[0].numpy()
    found = load(tmp_path / "model.gguf", tokens=4)
    value = algatt.evaluate(found.network, found.weights, TOKENS).T
    assert np.abs(value - expected).max() <= 1e-5 * np.abs(expected).max()
