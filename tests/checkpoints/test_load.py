"""Checkpoints as networks with weights: names, configs, and what is wrong with them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.checkpoints import Checkpoint, load, read_tensors, save, write_safetensors
from algatt.errors import InvalidArgument
from configs import config as published_config
from plain_llama import logits
from written_checkpoints import GPT2, LLAMA, gpt2, in_gguf, llama

TOKENS = [3, 1, 4, 1]

ATTENTION = "model.layers.0.self_attn"


def written(folder: Path, state: dict[str, np.ndarray], config: dict[str, Any] = LLAMA) -> Path:
    (folder / "config.json").write_text(json.dumps(config))
    write_safetensors(folder / "model.safetensors", state)
    return folder


def test_a_folder_is_a_network_with_weights(tmp_path: Path) -> None:
    state = llama()
    found = load(written(tmp_path, state), tokens=4)
    expected = logits(in_gguf(state), TOKENS, layers=2, heads=2, key_heads=1, eps=1e-5, base=500.0)
    assert found.network == algatt.published.read(LLAMA, tokens=4)
    np.testing.assert_allclose(algatt.evaluate(found.network, found.weights, TOKENS).T, expected, rtol=0, atol=1e-11)
    assert found.precision == 24
    assert found.source == str(tmp_path / "model.safetensors")
    assert found.config == LLAMA
    again = load(tmp_path / "model.safetensors", tokens=4)
    assert again.weights == found.weights
    assert load(tmp_path / "model.safetensors", LLAMA).weights == found.weights


def test_weights_are_the_numbers_of_the_file(tmp_path: Path) -> None:
    state = llama()
    theta = load(written(tmp_path, state)).weights
    np.testing.assert_array_equal(theta["1.heads.Q_2"], state[f"{ATTENTION}.q_proj.weight"][4:])
    np.testing.assert_array_equal(theta["2.heads.O_1"], state["model.layers.1.self_attn.o_proj.weight"][:, :4])
    assert theta["norm.g"].dtype == np.float64


def test_half_precision_is_remembered(tmp_path: Path) -> None:
    state = {name: array.astype(np.float16) for name, array in llama().items()}
    assert load(written(tmp_path, state)).weights.field.precision == 11


@pytest.mark.parametrize(
    "renamed",
    [
        lambda name: f"module.{name}",
        lambda name: f"_orig_mod.module.{name}",
        lambda name: name.removeprefix("model."),
        lambda name: f"base_model.model.{name}",
        lambda name: name if name == "lm_head.weight" else f"language_model.{name}",
    ],
)
def test_words_before_the_names_do_not_matter(tmp_path: Path, renamed: Callable[[str], str]) -> None:
    state = llama()
    expected = load(written(tmp_path, state)).weights
    assert load(written(tmp_path, {renamed(name): array for name, array in state.items()})).weights == expected


def test_a_base_model_without_its_head_where_both_are_tied(tmp_path: Path) -> None:
    state = gpt2()
    expected = load(written(tmp_path, state, GPT2)).weights
    bare = {name.removeprefix("transformer."): array for name, array in state.items()}
    assert load(written(tmp_path, bare, GPT2)).weights == expected
    old = {name.replace("ln_f.weight", "ln_f.gamma").replace("ln_f.bias", "ln_f.beta"): bare[name] for name in bare}
    assert set(old) != set(bare)
    assert load(written(tmp_path, old, GPT2)).weights == expected


def test_masks_and_angles_are_not_looked_at(tmp_path: Path) -> None:
    state = gpt2()
    expected = load(written(tmp_path, state, GPT2)).weights
    buffers = {
        "transformer.h.0.attn.bias": np.ones((1, 1, 3, 3), np.float32),
        "transformer.h.0.attn.masked_bias": np.array(-1e4, np.float32),
    }
    assert load(written(tmp_path, {**state, **buffers}, GPT2)).weights == expected
    angles = {f"{ATTENTION}.rotary_emb.inv_freq": np.ones(2, np.float32)}
    assert load(written(tmp_path, {**llama(), **angles})).precision == 24


def test_what_is_tied_may_be_there_twice_and_has_to_be_equal(tmp_path: Path) -> None:
    state = gpt2()
    expected = load(written(tmp_path, state, GPT2)).weights
    head = state["transformer.wte.weight"]
    assert load(written(tmp_path, {**state, "lm_head.weight": head}, GPT2)).weights == expected
    changed = head.copy()
    changed[0, 0] = np.nextafter(changed[0, 0], np.float32(2))
    message = "lm_head.weight was not equal to transformer.wte.weight; it should be equal, as they are one in the net"
    with pytest.raises(InvalidArgument, match=message):
        load(written(tmp_path, {**state, "lm_head.weight": changed}, GPT2))


def change(name: str, new: np.ndarray | None) -> dict[str, np.ndarray]:
    """Return the tensors of Llama with one replaced, added or left out."""
    state = llama()
    state.pop(name, None)
    return state if new is None else {**state, name: new}


NAN = np.full(8, np.nan, np.float32)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (change(f"{ATTENTION}.k_proj.weight", None), "tensors was without 'model.layers.0.self_attn.k_proj.weight'"),
        (
            change(f"{ATTENTION}.k_proj.bias", np.ones(4, np.float32)),
            "tensors was with 'model.layers.0.self_attn.k_proj.bias'; it should be without what the config does not",
        ),
        (
            change(f"{ATTENTION}.k_proj.weight", np.ones((8, 8), np.float32)),
            r"k_proj.weight was of shape \(8, 8\); it should be of shape \(4, 8\), as the config says",
        ),
        (change("model.norm.weight", NAN), "model.norm.weight was with NaN or infinity; it should be with finite"),
        (
            change("model.norm.weight", np.full(8, -np.inf, np.float32)),
            "with NaN or infinity",
        ),
        (
            gpt2(),
            "tensors was named 'transformer.wte.weight', .* others; it should be those of the family of the config",
        ),
        (
            {**llama(), "embed_tokens.weight": np.ones((10, 8), np.float32)},
            "tensors was with 'embed_tokens.weight'; it should be without what the config does not ask for",
        ),
        (
            {**{f"module.{name}": array for name, array in llama().items()}, "model.norm.weight": np.ones(8, "f4")},
            "tensors was with 'module.model.norm.weight' and 'model.norm.weight', both of which are model.norm.weight",
        ),
    ],
)
def test_tensors_that_do_not_fit_are_named_in_one_line(tmp_path: Path, state: Any, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        load(written(tmp_path, state))
    assert "\n" not in str(caught.value)


def test_a_mask_in_place_of_a_bias_is_none(tmp_path: Path) -> None:
    """A vector that ends as a mask does is a bias of a linear map."""
    state = {**gpt2(), "transformer.h.0.attn.bias": np.ones(4, np.float32)}
    with pytest.raises(InvalidArgument, match=r"tensors was with 'transformer.h.0.attn.bias'"):
        load(written(tmp_path, state, GPT2))


def test_a_checkpoint_without_a_config(tmp_path: Path) -> None:
    write_safetensors(tmp_path / "model.safetensors", llama())
    with pytest.raises(InvalidArgument, match=r"config was not given; it should be given, as there is no config.json"):
        load(tmp_path)
    with pytest.raises(InvalidArgument, match="model_type was 'rwkv'"):
        load(tmp_path, {"model_type": "rwkv"})
    with pytest.raises(InvalidArgument, match="tokens was 0"):
        load(tmp_path, LLAMA, tokens=0)


def test_models_of_images_read_all_patches(tmp_path: Path) -> None:
    fields = algatt.published.scaled(published_config("dinov2_small_imagenet1k"), layers=1)
    net = algatt.published.read(fields)
    theta = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=1)
    save(tmp_path / "out", Checkpoint(net, theta, fields))
    found = load(tmp_path / "out")
    assert (found.network, found.weights) == (net, theta)


def test_tensors_that_were_chosen_and_renamed(tmp_path: Path) -> None:
    """Of a file in which the network is a part of another one."""
    state = llama()
    expected = load(written(tmp_path, state)).weights
    changed = {f"language_{name}": array for name, array in state.items()} | {"vision.weight": np.ones(3, "f4")}
    written(tmp_path, changed)
    with pytest.raises(InvalidArgument, match="tensors was with"):
        load(tmp_path)
    found = read_tensors(tmp_path)
    chosen = found.replace(
        {name.removeprefix("language_"): one for name, one in found.members.items() if name != "vision.weight"}
    )
    assert load(chosen).weights == expected
