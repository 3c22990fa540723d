"""How llama.cpp writes models of the architectures that are known: their numbers, their tensors, and what it does to
these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True)
class GGUFArchitecture:
    """The models of one architecture in GGUF files.

    Parameters
    ----------
    fields : mapping of str to str
        The fields of a config, by the names that the file has for them behind that of its architecture.
    outside, inside : mapping of str to str
        The tensors outside of the blocks and in them, by the names that the file has for them, as transformers calls
        them; the first part is that of a block.
    block : str
        What transformers has before the number of a block.
    biases : mapping of str to str, optional
        Truth values of the config, by the biases that are there if they are true.
    turned : bool, optional
        Whether the rows of queries and keys have been interleaved for the file.
    transposed : frozenset of str, optional
        The matrices in blocks that are transposes of those of transformers.
    gain_offset : float, optional
        What has been added to the gains of norms.
    """

    fields: Mapping[str, str]
    outside: Mapping[str, str]
    inside: Mapping[str, str]
    block: str = "model.layers"
    biases: Mapping[str, str] = field(default_factory=dict)
    turned: bool = False
    transposed: frozenset[str] = frozenset()
    gain_offset: float = 0


LLAMA_FIELDS = {
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

PHI3_FIELDS = {
    **LLAMA_FIELDS,
    "attention.sliding_window": "sliding_window",
    "rope.scaling.original_context_length": "original_max_position_embeddings",
}

GPT2_FIELDS = {
    "embedding_length": "n_embd",
    "feed_forward_length": "n_inner",
    "block_count": "n_layer",
    "attention.head_count": "n_head",
    "attention.layer_norm_epsilon": "layer_norm_epsilon",
    "context_length": "n_positions",
}

LLAMA_OUTSIDE = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}

LLAMA_INSIDE = {
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

PHI3_INSIDE = {
    "attn_norm": "input_layernorm",
    "ffn_norm": "post_attention_layernorm",
    "attn_qkv": "self_attn.qkv_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_up": "mlp.gate_up_proj",
    "ffn_down": "mlp.down_proj",
}

GPT2_OUTSIDE = {
    "token_embd": "transformer.wte",
    "position_embd": "transformer.wpe",
    "output_norm": "transformer.ln_f",
    "output": "lm_head",
}

GPT2_INSIDE = {
    "attn_norm": "ln_1",
    "ffn_norm": "ln_2",
    "attn_qkv": "attn.c_attn",
    "attn_output": "attn.c_proj",
    "ffn_up": "mlp.c_fc",
    "ffn_down": "mlp.c_proj",
}

LLAMA_BIASES = {"blk.0.attn_output.bias": "attention_bias", "blk.0.ffn_down.bias": "mlp_bias"}

ARCHITECTURES: Mapping[str, GGUFArchitecture] = MappingProxyType(
    {
        "llama": GGUFArchitecture(LLAMA_FIELDS, LLAMA_OUTSIDE, LLAMA_INSIDE, biases=LLAMA_BIASES, turned=True),
        "qwen2": GGUFArchitecture(LLAMA_FIELDS, LLAMA_OUTSIDE, LLAMA_INSIDE, biases=LLAMA_BIASES),
        "qwen3": GGUFArchitecture(LLAMA_FIELDS, LLAMA_OUTSIDE, LLAMA_INSIDE, biases=LLAMA_BIASES),
        "gemma": GGUFArchitecture(LLAMA_FIELDS, LLAMA_OUTSIDE, LLAMA_INSIDE, gain_offset=1),
        "phi3": GGUFArchitecture(PHI3_FIELDS, LLAMA_OUTSIDE, PHI3_INSIDE),
        "gpt2": GGUFArchitecture(
            GPT2_FIELDS,
            GPT2_OUTSIDE,
            GPT2_INSIDE,
            block="transformer.h",
            transposed=frozenset({"attn_qkv", "attn_output", "ffn_up", "ffn_down"}),
        ),
    }
)
"""The architectures that are known."""
