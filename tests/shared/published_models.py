"""Models of transformers, built from a configuration, and their weights as the tensors of networks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Network, Weights
from algatt.layers import Layer

torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
transformers = pytest.importorskip("transformers", reason="transformers is not installed; the extra torch brings it")

WIDTH, HIDDEN, VOCABULARY, TOKENS = 16, 24, 11, 7
TOKEN_NUMBERS = [[3, 1, 4, 1, 5, 9, 2], [6, 5, 3, 5, 8, 10, 0]]
LLAMA = {
    "hidden_size": WIDTH,
    "intermediate_size": HIDDEN,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "vocab_size": VOCABULARY,
    "max_position_embeddings": 32,
    "pad_token_id": None,
    "tie_word_embeddings": False,
}


def built(kind: str, /, **options: Any) -> Any:
    """Build a model without a download, with random weights of size 1/3."""
    config = getattr(transformers, f"{kind}Config")(**options)
    names = {"T5": "T5EncoderModel", "GPT2": "GPT2LMHeadModel"}
    cls = getattr(transformers, names.get(kind, f"{kind}ForCausalLM"))
    config._experts_implementation = "eager"
    return randomised(cls._from_config(config, attn_implementation="eager"))


def randomised(model: Any) -> Any:
    """Give a module random weights."""
    generator = torch.Generator().manual_seed(0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) / 3)
    return model.double().eval()


def arrays(model: Any) -> dict[str, np.ndarray]:
    """Return the weights of a module by name."""
    return {name: tensor.detach().numpy() for name, tensor in model.state_dict().items()}


def split(letter: str, W: np.ndarray, count: int, b: np.ndarray | None = None) -> dict[str, np.ndarray]:
    """Cut a matrix, and its bias, into those of heads; for O along its columns."""
    pieces = np.split(W, count, axis=1 if letter == "O" else 0)
    named = {f"{letter}_{number}": piece for number, piece in enumerate(pieces, start=1)}
    if b is None:
        return named
    biases = (
        {"b_O": b[:, None]}
        if letter == "O"
        else {f"b_{letter}_{n}": x[:, None] for n, x in enumerate(np.split(b, count), start=1)}
    )
    return named | biases


def heads_of(
    state: dict[str, np.ndarray], prefix: str, letters: str = "QKVO", counts: str = "4224", names: Any = None
) -> dict[str, np.ndarray]:
    """Return the tensors of heads, from four linear maps."""
    result: dict[str, np.ndarray] = {}
    names = names or [f"{letter.lower()}_proj" for letter in letters]
    for letter, count, name in zip(letters, counts, names, strict=True):
        b = state.get(f"{prefix}.{name}.bias")
        result |= split(letter, state[f"{prefix}.{name}.weight"], int(count), b)
    return {f"heads.{name}": array for name, array in result.items()}


def gated_of(state: dict[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    """Return the tensors of a gated feedforward network."""
    return {f"feedforward.{name}": state[f"{prefix}.{name}_proj.weight"] for name in ("up", "gate", "down")}


def norm_of(state: dict[str, np.ndarray], prefix: str, name: str) -> dict[str, np.ndarray]:
    """Return gain and bias of a norm."""
    tensors = {f"{name}.g": state[f"{prefix}.weight"][:, None]}
    return tensors | ({f"{name}.b": state[f"{prefix}.bias"][:, None]} if f"{prefix}.bias" in state else {})


def mlp_of(state: dict[str, np.ndarray], up: str, down: str, turn: Callable = np.asarray) -> dict[str, np.ndarray]:
    """Return the tensors of a feedforward network with biases."""
    tensors = {}
    for name, prefix in (("up", up), ("down", down)):
        tensors |= {
            f"feedforward.{name}": turn(state[f"{prefix}.weight"]),
            f"feedforward.b_{name}": state[f"{prefix}.bias"][:, None],
        }
    return tensors


def below(path: str, tensors: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Put tensors into a part of a network."""
    return {f"{path}.{name}": tensor for name, tensor in tensors.items()}


def check(
    model: Any, layers: Layer, tensors: dict[str, np.ndarray], read: Callable = lambda output: output.logits
) -> None:
    """Compare the values of a model with those of a network."""
    net = Network(layers, tokens=TOKENS)
    theta = Weights.of({name: tensors[name] for name in algatt.coordinates(net)})
    assert set(tensors) == set(theta.names())
    with torch.no_grad():
        expected = read(model(torch.tensor(TOKEN_NUMBERS))).numpy()
    assert expected.dtype == np.float64
    value = np.swapaxes(algatt.evaluate(net, theta, TOKEN_NUMBERS), -1, -2)
    assert np.abs(value - expected).max() <= 1e-12 * np.abs(expected).max()
    assert np.ptp(expected) > 0.1  # numbers that differ, and not by rounding


def llama_blocks(
    state: dict[str, np.ndarray], norms: tuple[str, str] = ("input_layernorm", "post_attention_layernorm")
) -> dict[str, np.ndarray]:
    """Return the tensors that a network of the kind of Llama has, with two norms in a block."""
    tensors = {"embedding.E": state["model.embed_tokens.weight"], "unembedding.U": state["lm_head.weight"]}
    for number in (1, 2):
        prefix = f"model.layers.{number - 1}"
        block = heads_of(state, f"{prefix}.self_attn")
        block |= gated_of(state, f"{prefix}.mlp") if f"{prefix}.mlp.up_proj.weight" in state else {}
        for place, name in enumerate(norms, start=1):
            block |= norm_of(state, f"{prefix}.{name}", f"norm_{place}")
        tensors |= below(str(number), block)
    return tensors | norm_of(state, "model.norm", "norm")
