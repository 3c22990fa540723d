"""The encoder of Whisper has the values of a network with its weights."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.layers import GELU, Convolution, Feedforward, Heads, LayerNorm, Residual, SinusoidalPosition
from published_models import arrays, below, heads_of, mlp_of, norm_of, randomised

torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
transformers = pytest.importorskip("transformers", reason="transformers is not installed; the extra torch brings it")

MEL, WIDTH, FRAMES = 5, 8, 6


def test_the_encoder_of_whisper_with_convolutions_and_fixed_positions() -> None:
    sizes = {"ffn_dim": 12, "layers": 2, "attention_heads": 2}
    both = {f"{part}_{name}": size for part in ("encoder", "decoder") for name, size in sizes.items()}
    config = transformers.WhisperConfig(**both, d_model=WIDTH, num_mel_bins=MEL, max_source_positions=FRAMES // 2)
    config._attn_implementation = "eager"
    encoder = transformers.WhisperModel(config).encoder
    positions = encoder.embed_positions.weight.detach().clone()
    randomised(encoder)
    with torch.no_grad():
        encoder.embed_positions.weight.copy_(positions)
    state = arrays(encoder)
    tensors = norm_of(state, "layer_norm", "norm")
    for number in (1, 2):
        kernel = state[f"conv{number}.weight"]
        tensors |= {f"convolution_{number}.W_{place + 1}": kernel[:, :, place] for place in range(3)}
        tensors[f"convolution_{number}.b"] = state[f"conv{number}.bias"][:, None]
        prefix = f"layers.{number - 1}"
        renamed = {name.replace("out_proj", "o_proj"): tensor for name, tensor in state.items()}
        block = heads_of(renamed, f"{prefix}.self_attn", counts="2222")
        block |= mlp_of(state, f"{prefix}.fc1", f"{prefix}.fc2")
        block |= norm_of(state, f"{prefix}.self_attn_layer_norm", "norm_1")
        tensors |= below(str(number), block | norm_of(state, f"{prefix}.final_layer_norm", "norm_2"))
    norm = LayerNorm()
    block = Residual(norm >> Heads(2, biases="QVO")) >> Residual(norm >> Feedforward(12, GELU(), bias=True))
    start = Convolution(WIDTH, bias=True) >> GELU() >> Convolution(WIDTH, stride=2, bias=True) >> GELU()
    net = algatt.Network(start >> SinusoidalPosition() >> 2 * block >> norm, tokens=FRAMES, width=MEL)
    theta = algatt.Weights.of({name: tensors[name] for name in algatt.coordinates(net)})
    X = np.random.default_rng(0).standard_normal((MEL, FRAMES))
    with torch.no_grad():
        expected = encoder(torch.tensor(X)[None]).last_hidden_state[0].numpy().T
    assert set(tensors) == set(algatt.coordinates(net))
    assert np.abs(algatt.evaluate(net, theta, X) - expected).max() <= 1e-11 * np.abs(expected).max()
