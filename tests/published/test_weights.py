"""Weights of checkpoints: the values are those of the transformers library."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.published import read, scaled, weights
from configs import NAMES, config

TOKENS = [[3, 1, 4, 1], [2, 0, 3, 2]]


def state_of(fields: dict[str, Any], seed: int) -> dict[str, np.ndarray]:
    """Return tensors by the names and of the shapes that checkpoints of a small GPT-2 have, written by hand."""
    d, m, generator = fields["n_embd"], fields["n_inner"], np.random.default_rng(seed)
    shapes: dict[str, tuple[int, ...]] = {
        "transformer.wte.weight": (fields["vocab_size"], d),
        "transformer.wpe.weight": (fields["n_positions"], d),
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
    return {name: generator.standard_normal(shape) for name, shape in shapes.items()}


def test_matrices_of_gpt2_are_cut_and_transposed() -> None:
    fields = scaled(config("gpt2"))
    state = state_of(fields, 0)
    theta = weights(fields, state)
    assert theta.names() == tuple(algatt.coordinates(read(fields)))
    fused, out = state["transformer.h.0.attn.c_attn.weight"], state["transformer.h.0.attn.c_proj.weight"]
    np.testing.assert_array_equal(theta["1.heads.Q_2"], fused[:, 2:4].T)
    np.testing.assert_array_equal(theta["1.heads.V_1"], fused[:, 8:10].T)
    np.testing.assert_array_equal(theta["1.heads.b_K_1"][:, 0], state["transformer.h.0.attn.c_attn.bias"][4:6])
    np.testing.assert_array_equal(theta["1.heads.O_2"], out[2:4].T)


def test_missing_tensors_and_other_shapes_are_named() -> None:
    fields = scaled(config("gpt2"))
    state = state_of(fields, 0)
    bias = state.pop("transformer.h.0.mlp.c_fc.bias")
    with pytest.raises(InvalidArgument, match=r"without 'transformer.h.0.mlp.c_fc.bias'; it should be with all"):
        weights(fields, state)
    with pytest.raises(InvalidArgument, match=r"c_fc.bias was of shape \(2,\); it should be of shape \(3,\)"):
        weights(fields, state | {"transformer.h.0.mlp.c_fc.bias": bias[:2]})
    state["transformer.h.0.mlp.c_fc.bias"] = bias
    with pytest.raises(InvalidArgument, match=r"c_fc.weight was of shape \(3, 4\); it should be of shape \(4, 3\)"):
        weights(fields, state | {"transformer.h.0.mlp.c_fc.weight": np.ones((3, 4))})


@pytest.mark.parametrize("name", NAMES)
def test_values_are_those_of_transformers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    transformers = pytest.importorskip(
        "transformers", reason="transformers is not installed; the extra torch brings it"
    )
    for attribute, value in (("float32", torch.float64), ("float", torch.float64)):
        monkeypatch.setattr(torch, attribute, value)
    monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)
    fields = scaled(config(name), layers=2, vocabulary=12, tokens=4)
    options = {key: value for key, value in fields.items() if key not in ("model_type", "pad_token_id")}
    made = transformers.AutoConfig.for_model(
        fields["model_type"], **options, pad_token_id=None, attn_implementation="eager"
    )
    made._experts_implementation = "eager"
    two = made.is_encoder_decoder
    kind = transformers.AutoModelForSeq2SeqLM if two else transformers.AutoModelForCausalLM
    model = kind.from_config(made).double().eval()
    if fields.get("tie_word_embeddings") is False:  # of T5, the library takes what a config says for something else
        model.get_output_embeddings().weight = torch.nn.Parameter(model.get_output_embeddings().weight.clone())
    generator = torch.Generator().manual_seed(0)
    tokens = torch.tensor(TOKENS)
    source, target = tokens.split(2, dim=1)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) / 3)
        output = model(source, decoder_input_ids=target) if two else model(tokens)
        expected = output.logits.numpy()
    state = {key: tensor.detach().numpy() for key, tensor in model.state_dict().items()}
    value = np.swapaxes(algatt.evaluate(read(fields, tokens=4), weights(fields, state), TOKENS), -1, -2)
    assert np.ptp(expected) > 0.1
    assert np.abs(value - expected).max() <= 1e-11 * np.abs(expected).max()
