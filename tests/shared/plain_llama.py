"""Llama in plain numpy, one token and one head at a time, by the names and in the order of GGUF files: pairs of rows
that are turned together stand beside each other. It shares no code with the package.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def normed(x: np.ndarray, gain: np.ndarray, eps: float) -> np.ndarray:
    return x / np.sqrt(np.mean(x * x) + eps) * gain


def turned(rows: np.ndarray, position: int, base: float) -> np.ndarray:
    """Turn the pair number f as a complex number."""
    pairs = rows[0::2] + 1j * rows[1::2]
    frequencies = base ** (-np.arange(len(pairs)) / len(pairs))
    pairs = pairs * np.exp(1j * position * frequencies)
    return np.stack([pairs.real, pairs.imag], axis=1).ravel()


def logits(
    tensors: Mapping[str, np.ndarray],
    tokens: list[int],
    *,
    layers: int,
    heads: int,
    key_heads: int,
    eps: float,
    base: float = 10000.0,
) -> np.ndarray:
    """Return the logits of each token, as rows; without an output matrix the embedding is it."""
    t: dict[str, Any] = {name: np.asarray(array, dtype=np.float64) for name, array in tensors.items()}
    stream = [t["token_embd.weight"][token].copy() for token in tokens]
    for layer in range(layers):
        own = {
            name.removeprefix(f"blk.{layer}."): array for name, array in t.items() if name.startswith(f"blk.{layer}.")
        }
        width = own["attn_q.weight"].shape[0] // heads
        normal = [normed(x, own["attn_norm.weight"], eps) for x in stream]
        queries = [(own["attn_q.weight"] @ x).reshape(heads, width) for x in normal]
        keys = [(own["attn_k.weight"] @ x).reshape(key_heads, width) for x in normal]
        values = [(own["attn_v.weight"] @ x).reshape(key_heads, width) for x in normal]
        for i in range(len(stream)):
            seen = []
            for head in range(heads):
                shared = head * key_heads // heads
                query = turned(queries[i][head], i, base)
                scores = np.array([query @ turned(keys[j][shared], j, base) for j in range(i + 1)]) / np.sqrt(width)
                shares = np.exp(scores - scores.max())
                shares /= shares.sum()
                seen.append(sum(share * values[j][shared] for j, share in enumerate(shares)))
            stream[i] = stream[i] + own["attn_output.weight"] @ np.concatenate(seen)
        for i, x in enumerate(stream):
            y = normed(x, own["ffn_norm.weight"], eps)
            gate = own["ffn_gate.weight"] @ y
            stream[i] = x + own["ffn_down.weight"] @ (gate / (1 + np.exp(-gate)) * (own["ffn_up.weight"] @ y))
    read = t.get("output.weight", t["token_embd.weight"])
    return np.array([read @ normed(x, t["output_norm.weight"], eps) for x in stream])
