"""Small checkpoints that are compared, and their values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

import algatt
from algatt import Reals, Weights, checkpoints, published

LLAMA = {
    "model_type": "llama",
    "hidden_size": 8,
    "intermediate_size": 6,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "vocab_size": 11,
    "max_position_embeddings": 6,
}


PHI = {**LLAMA, "model_type": "phi3", "original_max_position_embeddings": 3}


GPT2 = {"model_type": "gpt2", "n_embd": 8, "n_layer": 1, "n_head": 2, "n_inner": 8, "vocab_size": 10, "n_positions": 16}


def dynamic(factor: float) -> dict[str, Any]:
    return {**LLAMA, "rope_scaling": {"type": "dynamic", "factor": factor}}


def longrope(*long: float) -> dict[str, Any]:
    return {**PHI, "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.0], "long_factor": list(long)}}


def point(fields: dict[str, Any]) -> Weights:
    """Return weights of a config that every length of inputs shares."""
    net = published.read(fields, tokens=2)
    found = algatt.sample(net, Weights, field=Reals(), seed=1)
    assert isinstance(found, Weights)
    return found


def written(folder: Path, fields: dict[str, Any], theta: Weights) -> str:
    """Write a checkpoint, and return its path."""
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(fields), encoding="utf-8")
    arrays = {n: W.astype("float32") for n, W in published.checkpoint_tensors(fields, theta).items()}
    checkpoints.write_safetensors(folder / "model.safetensors", arrays)
    return str(folder)


def values_of(fields: dict[str, Any], theta: Weights, X: Any) -> np.ndarray:
    """Return the values at an input of the network that reads as many tokens as it has."""
    return np.asarray(algatt.evaluate(published.read(fields, tokens=len(X)), theta, np.asarray(X)))
