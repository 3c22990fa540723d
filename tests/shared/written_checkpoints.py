"""Small checkpoints, written by hand: tensors by name, and the bytes of files."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

LLAMA = {
    "model_type": "llama",
    "hidden_size": 8,
    "intermediate_size": 6,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "vocab_size": 10,
    "rms_norm_eps": 1e-5,
    "rope_theta": 500.0,
    "tie_word_embeddings": False,
}

GPT2 = {
    "model_type": "gpt2",
    "n_embd": 4,
    "n_layer": 1,
    "n_head": 2,
    "n_inner": 3,
    "vocab_size": 6,
    "n_positions": 3,
}


def drawn(shapes: Mapping[str, tuple[int, ...]], seed: int) -> dict[str, np.ndarray]:
    generator = np.random.default_rng(seed)
    return {name: generator.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def llama(seed: int = 0) -> dict[str, np.ndarray]:
    """Return tensors by the names that transformers has for those of the config above."""
    d, m, keys = LLAMA["hidden_size"], LLAMA["intermediate_size"], 4
    shapes: dict[str, tuple[int, ...]] = {
        "model.embed_tokens.weight": (10, d),
        "model.norm.weight": (d,),
        "lm_head.weight": (10, d),
    }
    for layer in range(2):
        own = {
            "input_layernorm": (d,),
            "post_attention_layernorm": (d,),
            "self_attn.q_proj": (d, d),
            "self_attn.k_proj": (keys, d),
            "self_attn.v_proj": (keys, d),
            "self_attn.o_proj": (d, d),
            "mlp.gate_proj": (m, d),
            "mlp.up_proj": (m, d),
            "mlp.down_proj": (d, m),
        }
        shapes |= {f"model.layers.{layer}.{name}.weight": shape for name, shape in own.items()}
    return drawn(shapes, seed)


def gpt2(seed: int = 0) -> dict[str, np.ndarray]:
    """Return tensors by the names that transformers has for those of the config above, which is tied."""
    d, m = 4, 3
    shapes: dict[str, tuple[int, ...]] = {
        "transformer.wte.weight": (6, d),
        "transformer.wpe.weight": (3, d),
        "transformer.ln_f.weight": (d,),
        "transformer.ln_f.bias": (d,),
    }
    for name, shape in {
        "attn.c_attn": (d, 3 * d),
        "attn.c_proj": (d, d),
        "mlp.c_fc": (d, m),
        "mlp.c_proj": (m, d),
    }.items():
        shapes |= {f"transformer.h.0.{name}.weight": shape, f"transformer.h.0.{name}.bias": shape[1:]}
    for name in ("ln_1", "ln_2"):
        shapes |= {f"transformer.h.0.{name}.weight": (d,), f"transformer.h.0.{name}.bias": (d,)}
    return drawn(shapes, seed)


GGUF_NAMES = {
    "model.embed_tokens": "token_embd",
    "model.norm": "output_norm",
    "lm_head": "output",
    "input_layernorm": "attn_norm",
    "post_attention_layernorm": "ffn_norm",
    "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v",
    "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate",
    "mlp.up_proj": "ffn_up",
    "mlp.down_proj": "ffn_down",
}


def in_gguf(tensors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return tensors by the names of GGUF, with the rows of queries and keys of width 4 in its order, as
    convert_hf_to_gguf.py of llama.cpp writes them.
    """
    written = {}
    for name, array in tensors.items():
        *_, part = name.removesuffix(".weight").split("layers.")
        layer, _, own = part.partition(".") if "layers." in name else ("", "", part)
        short = GGUF_NAMES[own if layer else part]
        if short in ("attn_q", "attn_k"):
            array = np.concatenate([head[[0, 2, 1, 3]] for head in np.split(array, len(array) // 4)])
        written[f"blk.{layer}.{short}.weight" if layer else f"{short}.weight"] = array
    return written


def safetensors_bytes(header: Any, body: bytes = b"", length: int | None = None) -> bytes:
    """Return a file of safetensors: a header, or its text, and what follows."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + body


GGUF_METADATA = {
    "general.architecture": "llama",
    "llama.context_length": 64,
    "llama.embedding_length": 8,
    "llama.block_count": 2,
    "llama.feed_forward_length": 6,
    "llama.rope.dimension_count": 4,
    "llama.attention.head_count": 2,
    "llama.attention.head_count_kv": 1,
    "llama.attention.layer_norm_rms_epsilon": 1e-5,
    "llama.rope.freq_base": 500.0,
}


def gguf_text(text: str) -> bytes:
    return struct.pack("<Q", len(text)) + text.encode()


def gguf_value(value: Any) -> bytes:
    """Return a value with its type before it: a text, a number, or a list of numbers or texts."""
    if isinstance(value, str):
        return struct.pack("<I", 8) + gguf_text(value)
    if isinstance(value, list):
        kind = 8 if isinstance(value[0], str) else 5
        entries = b"".join(gguf_text(one) if kind == 8 else struct.pack("<i", one) for one in value)
        return struct.pack("<IIQ", 9, kind, len(value)) + entries
    return struct.pack("<If", 6, value) if isinstance(value, float) else struct.pack("<II", 4, value)


def gguf_bytes(
    metadata: Mapping[str, Any], tensors: Mapping[str, np.ndarray], kinds: Mapping[str, int] | None = None
) -> bytes:
    """Return a GGUF file of floats; the types of some may be given by number, whatever their bytes are."""
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(metadata))
    head += b"".join(gguf_text(name) + gguf_value(value) for name, value in metadata.items())
    body = b""
    for name, array in tensors.items():
        kind = (kinds or {}).get(name, {"float32": 0, "float16": 1, "float64": 28}[str(array.dtype)])
        head += gguf_text(name) + struct.pack("<I", array.ndim)
        head += struct.pack(f"<{array.ndim}Q", *array.shape[::-1]) + struct.pack("<IQ", kind, len(body))
        body += array.tobytes() + bytes(-array.nbytes % 32)
    return head + bytes(-len(head) % 32) + body


def ctranslate2_bytes(
    variables: Mapping[str, np.ndarray],
    aliases: Mapping[str, str] | None = None,
    specification: str = "WhisperSpec",
    version: int = 6,
) -> bytes:
    """Return a file of CTranslate2; complex numbers stand for a type that is not known."""

    def text(name: str) -> bytes:
        return struct.pack("<H", len(name) + 1) + name.encode() + b"\0"

    kinds = {"float32": 0, "int8": 1, "int16": 2, "int32": 3, "float16": 4, "complex64": 9}
    content = struct.pack("<I", version) + text(specification) + struct.pack("<II", 3, len(variables))
    for name, array in variables.items():
        content += text(name) + struct.pack(f"<B{array.ndim}I", array.ndim, *array.shape)
        content += struct.pack("<BI", kinds[str(array.dtype)], array.nbytes) + array.tobytes()
    content += struct.pack("<I", len(aliases or {}))
    return content + b"".join(text(name) + text(other) for name, other in (aliases or {}).items())


WHISPER = {
    "model_type": "whisper",
    "vocab_size": 7,
    "d_model": 4,
    "num_mel_bins": 3,
    "encoder_layers": 1,
    "decoder_layers": 2,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 1,
    "encoder_ffn_dim": 5,
    "decoder_ffn_dim": 6,
    "max_source_positions": 3,
    "max_target_positions": 4,
    "tie_word_embeddings": True,
}


def whisper(seed: int = 0) -> dict[str, np.ndarray]:
    """Return tensors by the names that transformers has for those of the config above, which is tied."""
    d, positions = WHISPER["d_model"], np.arange(3)[:, None] * [1.0, 1e-4]
    shapes: dict[str, tuple[int, ...]] = {
        "encoder.conv1.weight": (d, 3, 3),
        "encoder.conv1.bias": (d,),
        "encoder.conv2.weight": (d, d, 3),
        "encoder.conv2.bias": (d,),
        "decoder.embed_tokens.weight": (7, d),
        "decoder.embed_positions.weight": (4, d),
    }
    for stack, layers, hidden, names in (
        ("encoder", 1, 5, ("self_attn",)),
        ("decoder", 2, 6, ("self_attn", "encoder_attn")),
    ):
        shapes |= {f"{stack}.layer_norm.{kind}": (d,) for kind in ("weight", "bias")}
        for layer in range(layers):
            own: dict[str, tuple[int, ...]] = {}
            for name in names:
                own |= {f"{name}.{part}_proj.weight": (d, d) for part in ("q", "k", "v", "out")}
                own |= {f"{name}.{part}_proj.bias": (d,) for part in ("q", "v", "out")}
            norms = [f"{name}_layer_norm" for name in (*names, "final")]
            own |= {f"{norm}.{kind}": (d,) for norm in norms for kind in ("weight", "bias")}
            own |= {"fc1.weight": (hidden, d), "fc1.bias": (hidden,), "fc2.weight": (d, hidden), "fc2.bias": (d,)}
            shapes |= {f"{stack}.layers.{layer}.{name}": shape for name, shape in own.items()}
    state = drawn({f"model.{name}": shape for name, shape in shapes.items()}, seed)
    state["model.encoder.embed_positions.weight"] = np.hstack([np.sin(positions), np.cos(positions)]).astype("f4")
    return state


def in_ctranslate2(tensors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return tensors of Whisper by the names of CTranslate2, with matrices below each other that are fused there, zeros
    for the biases of keys, and its numbers, as its converter of models of transformers writes them.
    """
    written: dict[str, np.ndarray] = {}

    def put(there: str, here: Sequence[str], ends: Mapping[str, str]) -> None:
        for new, old in ends.items():
            found = [tensors.get(f"model.{one}.{old}", np.zeros(WHISPER["d_model"], np.float32)) for one in here]
            written[f"{there}/{new}"] = np.concatenate(found)

    linear, norm = {"weight": "weight", "bias": "bias"}, {"gamma": "weight", "beta": "bias"}
    for number in (1, 2):
        put(f"encoder/conv{number}", [f"encoder.conv{number}"], linear)
    put("decoder/embeddings", ["decoder.embed_tokens"], {"weight": "weight"})
    for stack in ("encoder", "decoder"):
        put(f"{stack}/position_encodings", [f"{stack}.embed_positions"], {"encodings": "weight"})
        put(f"{stack}/layer_norm", [f"{stack}.layer_norm"], norm)
        written[f"{stack}/num_heads"] = np.array(WHISPER[f"{stack}_attention_heads"], np.int16)
        for layer in range(WHISPER[f"{stack}_layers"]):
            there, here = f"{stack}/layer_{layer}", f"{stack}.layers.{layer}"
            put(f"{there}/self_attention/linear_0", [f"{here}.self_attn.{one}_proj" for one in "qkv"], linear)
            put(f"{there}/self_attention/linear_1", [f"{here}.self_attn.out_proj"], linear)
            put(f"{there}/self_attention/layer_norm", [f"{here}.self_attn_layer_norm"], norm)
            if stack == "decoder":
                put(f"{there}/attention/linear_0", [f"{here}.encoder_attn.q_proj"], linear)
                put(f"{there}/attention/linear_1", [f"{here}.encoder_attn.{one}_proj" for one in "kv"], linear)
                put(f"{there}/attention/linear_2", [f"{here}.encoder_attn.out_proj"], linear)
                put(f"{there}/attention/layer_norm", [f"{here}.encoder_attn_layer_norm"], norm)
            put(f"{there}/ffn/linear_0", [f"{here}.fc1"], linear)
            put(f"{there}/ffn/linear_1", [f"{here}.fc2"], linear)
            put(f"{there}/ffn/layer_norm", [f"{here}.final_layer_norm"], norm)
    numbers = {"activation": 3, "alibi": 0, "pre_norm": 1, "scale_embeddings": 0, "start_from_zero_embedding": 0}
    written |= {f"decoder/{name}": np.array(number, np.int8) for name, number in numbers.items()}
    return dict(sorted(written.items()))


TIED = {"decoder/projection/weight": "decoder/embeddings/weight"}
"""The other name that a model of Whisper has for its embedding."""
