"""Models in GGUF files: their numbers as the fields of a config, and their tensors by the names of transformers."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from algatt.checkpoints.rotary import to_halves
from algatt.checkpoints.tensors import Member, Tensors
from algatt.errors import InvalidArgument, in_words

__all__ = ["config_of_gguf", "tensors_of_gguf"]

TURNED = MappingProxyType({"llama": True, "qwen2": False, "qwen3": False})
"""The architectures that are known, and whether the rows of queries and keys have been interleaved for the file."""

FIELDS = MappingProxyType(
    {
        "embedding_length": "hidden_size",
        "feed_forward_length": "intermediate_size",
        "block_count": "num_hidden_layers",
        "attention.head_count": "num_attention_heads",
        "attention.head_count_kv": "num_key_value_heads",
        "attention.key_length": "head_dim",
        "attention.layer_norm_rms_epsilon": "rms_norm_eps",
        "context_length": "max_position_embeddings",
        "rope.freq_base": "rope_theta",
    }
)
"""The fields of a config, by the names that the file has for them behind that of its architecture."""

OTHERS = frozenset({"vocab_size", "rope.dimension_count", "attention.value_length", "rope.scaling.type"})
"""The numbers that are looked at besides."""

OUTSIDE = MappingProxyType({"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"})
"""The tensors outside of the blocks."""

INSIDE = MappingProxyType(
    {
        "attn_norm": "input_layernorm",
        "ffn_norm": "post_attention_layernorm",
        "attn_q": "self_attn.q_proj",
        "attn_k": "self_attn.k_proj",
        "attn_v": "self_attn.v_proj",
        "attn_output": "self_attn.o_proj",
        "attn_q_norm": "self_attn.q_norm",
        "attn_k_norm": "self_attn.k_norm",
        "ffn_gate": "mlp.gate_proj",
        "ffn_up": "mlp.up_proj",
        "ffn_down": "mlp.down_proj",
    }
)
"""The tensors of a block."""

NAME = re.compile(r"(?:blk\.(?P<block>\d+)\.)?(?P<part>\w+)\.(?P<kind>weight|bias)")


def architecture_of(tensors: Tensors) -> str:
    """Return the name of the architecture of a GGUF file."""
    name = tensors.metadata.get("general.architecture")
    if name not in TURNED:
        raise InvalidArgument("general.architecture", in_words(name), f"one of {', '.join(TURNED)}")
    return str(name)


def config_of_gguf(tensors: Tensors) -> dict[str, Any]:
    """Return the fields of the config that the numbers of a GGUF file say.

    A number in single precision is the shortest decimal that is rounded to it: 1e-05, not 9.999999747378752e-06.

    Raises
    ------
    InvalidArgument
        If the architecture is not known, or the file says something of it that is not.
    """
    name = architecture_of(tensors)
    given = {
        key.removeprefix(f"{name}."): decimal(value)
        for key, value in tensors.metadata.items()
        if key.startswith(f"{name}.")
    }
    for key, value in given.items():
        if key not in FIELDS and key not in OTHERS and value not in (0, "", False):
            raise InvalidArgument(f"{name}.{key}", in_words(value), "not in the file: the layers do not know it")
    config = {"model_type": name, **{FIELDS[key]: value for key, value in given.items() if key in FIELDS}}
    embedding = tensors.members.get("token_embd.weight")
    if embedding is None or len(embedding.shape) != 2:
        raise InvalidArgument("tensors", "without the matrix 'token_embd.weight'", f"those of a {name}")
    config |= {
        "vocab_size": embedding.shape[0],
        "tie_word_embeddings": "output.weight" not in tensors,
        "attention_bias": "blk.0.attn_output.bias" in tensors,
        "mlp_bias": "blk.0.ffn_down.bias" in tensors,
    }
    if given.get("rope.scaling.type") not in (None, "none"):
        config["rope_scaling"] = {"rope_type": given["rope.scaling.type"]}
    check_widths(name, config, given)
    return config


def decimal(value: Any) -> Any:
    """Return a number in single precision as the shortest decimal that is rounded to it."""
    return float(str(np.float32(value))) if isinstance(value, float) else value


def check_widths(name: str, config: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` where values are not as wide as keys, or not all rows of a head are turned."""
    heads, stream = config.get("num_attention_heads"), config.get("hidden_size")
    if type(heads) is not int or type(stream) is not int or heads < 1:
        return  # what reads the config refuses it
    width = config.get("head_dim", stream // heads)
    for key in ("attention.value_length", "rope.dimension_count"):
        if given.get(key, width) != width:
            raise InvalidArgument(f"{name}.{key}", in_words(given[key]), f"{width}, the width of a head")


def tensors_of_gguf(tensors: Tensors, config: Mapping[str, Any]) -> Tensors:
    """Return the tensors of a GGUF file by the names of transformers, with the rows of queries and keys in its order;
    names that are not known stay as they are.
    """
    turned = TURNED[architecture_of(tensors)]
    heads = {"attn_q": config.get("num_attention_heads"), "attn_k": None}
    heads["attn_k"] = config.get("num_key_value_heads", heads["attn_q"])
    members: dict[str, Member] = {}
    for name, member in tensors.members.items():
        found = NAME.fullmatch(name)
        block, part = (found["block"], found["part"]) if found else (None, "")
        known = (OUTSIDE if block is None else INSIDE).get(part)
        count = heads.get(part) if turned else None
        if count is not None and known is not None:
            member = dataclasses.replace(member, read=halved(member.read, count))
        prefix = "" if block is None else f"model.layers.{block}."
        members[name if found is None or known is None else f"{prefix}{known}.{found['kind']}"] = member
    return tensors.replace(members)


def halved(read: Callable[[], np.ndarray], heads: int) -> Callable[[], np.ndarray]:
    """Return what reads the rows of heads in the order of transformers."""
    return lambda: to_halves(read(), heads)
