"""Weights by the names of TransformerLens, whose forward pass is written down here as in its documentation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

import algatt
from algatt.checkpoints import from_transformer_lens, load, to_transformer_lens, write_safetensors
from algatt.errors import InvalidArgument
from written_checkpoints import GPT2, LLAMA, gpt2, llama

TOKENS = [3, 1, 4]


def gpt2_in_lens_names(w: Mapping[str, np.ndarray], tokens: list[int], eps: float = 1e-5) -> np.ndarray:
    """The forward pass of HookedTransformer for a block of GPT-2: tokens are rows, heads the first axis of weights."""

    def norm(x: np.ndarray, name: str) -> np.ndarray:
        x = x - x.mean(-1, keepdims=True)
        return x / np.sqrt((x**2).mean(-1, keepdims=True) + eps) * w[f"{name}.w"] + w[f"{name}.b"]

    x = w["embed.W_E"][tokens] + w["pos_embed.W_pos"][: len(tokens)]
    normal = norm(x, "blocks.0.ln1")
    read = {
        letter: np.einsum("td,hda->tha", normal, w[f"blocks.0.attn.W_{letter}"]) + w[f"blocks.0.attn.b_{letter}"]
        for letter in "QKV"
    }
    scores = np.einsum("qha,kha->hqk", read["Q"], read["K"]) / np.sqrt(read["Q"].shape[-1])
    scores = np.where(np.tril(np.ones(scores.shape[1:], bool)), scores, -np.inf)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    z = np.einsum("hqk,kha->qha", shares, read["V"])
    x = x + np.einsum("qha,had->qd", z, w["blocks.0.attn.W_O"]) + w["blocks.0.attn.b_O"]
    hidden = norm(x, "blocks.0.ln2") @ w["blocks.0.mlp.W_in"] + w["blocks.0.mlp.b_in"]
    hidden = 0.5 * hidden * (1 + np.tanh(np.sqrt(2 / np.pi) * (hidden + 0.044715 * hidden**3)))
    x = x + hidden @ w["blocks.0.mlp.W_out"] + w["blocks.0.mlp.b_out"]
    return norm(x, "ln_final") @ w["unembed.W_U"] + w["unembed.b_U"]


def loaded(folder: Path, config: dict, state: dict) -> tuple[algatt.Network, algatt.Weights]:
    write_safetensors(folder / "model.safetensors", state)
    found = load(folder, config, tokens=3)
    return found.network, found.weights


def test_values_are_those_of_the_forward_pass_of_transformer_lens(tmp_path: Path) -> None:
    net, theta = loaded(tmp_path, GPT2, gpt2())
    value = gpt2_in_lens_names(to_transformer_lens(net, theta), TOKENS)
    np.testing.assert_allclose(value, algatt.evaluate(net, theta, TOKENS).T, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("config", "state"), [(GPT2, gpt2()), (LLAMA, llama())], ids=["gpt2", "llama"])
def test_there_and_back(tmp_path: Path, config: dict, state: dict) -> None:
    net, theta = loaded(tmp_path, config, state)
    lens = to_transformer_lens(net, theta)
    assert from_transformer_lens(net, lens) == theta
    write_safetensors(tmp_path / "model.safetensors", {name: array.astype(np.float32) for name, array in lens.items()})
    again = load(tmp_path, config, tokens=3)
    assert again.weights == theta
    assert again.precision == 24


def test_names_and_shapes_of_llama(tmp_path: Path) -> None:
    """Of one head of keys for two queries an underscore tells that it is shared; biases are there, and zero."""
    lens = to_transformer_lens(*loaded(tmp_path, LLAMA, llama()))
    shapes = {name: array.shape for name, array in lens.items() if not name.startswith("blocks.1")}
    assert shapes == {
        "embed.W_E": (10, 8),
        "blocks.0.attn.W_Q": (2, 8, 4),
        "blocks.0.attn._W_K": (1, 8, 4),
        "blocks.0.attn._W_V": (1, 8, 4),
        "blocks.0.attn.W_O": (2, 4, 8),
        "blocks.0.attn.b_Q": (2, 4),
        "blocks.0.attn._b_K": (1, 4),
        "blocks.0.attn._b_V": (1, 4),
        "blocks.0.attn.b_O": (8,),
        "blocks.0.mlp.W_in": (8, 6),
        "blocks.0.mlp.W_gate": (8, 6),
        "blocks.0.mlp.W_out": (6, 8),
        "blocks.0.mlp.b_in": (6,),
        "blocks.0.mlp.b_out": (8,),
        "blocks.0.ln1.w": (8,),
        "blocks.0.ln2.w": (8,),
        "ln_final.w": (8,),
        "unembed.W_U": (8, 10),
        "unembed.b_U": (10,),
    }
    assert not any(lens[name].any() for name in lens if ".b_" in name or "._b_" in name)


def test_what_the_network_does_not_have_is_named(tmp_path: Path) -> None:
    net, theta = loaded(tmp_path, LLAMA, llama())
    lens = to_transformer_lens(net, theta)
    masks = {"blocks.0.attn.mask": np.ones((4, 4)), "blocks.1.attn.rotary_sin": np.ones((4, 4))}
    assert from_transformer_lens(net, {**lens, **masks}) == theta
    with pytest.raises(InvalidArgument, match=r"tensors was with 'unembed.b_U', which is not zero"):
        from_transformer_lens(net, {**lens, "unembed.b_U": np.ones(10)})
    with pytest.raises(InvalidArgument, match=r"tensors was without 'blocks.0.attn._W_K'"):
        from_transformer_lens(net, {name: lens[name] for name in lens if name != "blocks.0.attn._W_K"})
    with pytest.raises(InvalidArgument, match=r"W_Q was of shape \(2, 4, 8\); it should be of shape \(2, 8, 4\)"):
        from_transformer_lens(net, {**lens, "blocks.0.attn.W_Q": lens["blocks.0.attn.W_Q"].swapaxes(1, 2)})
    with pytest.raises(InvalidArgument, match=r"ln_final.w was with NaN"):
        from_transformer_lens(net, {**lens, "ln_final.w": np.full(8, np.nan)})


def test_an_unembedding_that_is_not_the_embedding_is_refused_where_both_are_tied(tmp_path: Path) -> None:
    net, theta = loaded(tmp_path, GPT2, gpt2())
    lens = to_transformer_lens(net, theta)
    np.testing.assert_array_equal(lens["unembed.W_U"], lens["embed.W_E"].T)
    with pytest.raises(InvalidArgument, match=r"unembed.W_U was not equal to what it is tied to"):
        from_transformer_lens(net, {**lens, "unembed.W_U": 2 * lens["unembed.W_U"]})


def test_networks_without_such_names_are_refused() -> None:
    net = algatt.Network(algatt.layers.Embedding(3, 2) >> algatt.layers.Linear(2), tokens=2)
    theta = algatt.sample(net, algatt.Weights, field=algatt.Reals())
    with pytest.raises(InvalidArgument, match=r"network was with the tensor linear.W, which TransformerLens does not"):
        to_transformer_lens(net, theta)
