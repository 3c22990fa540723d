"""Weights of checkpoints: the values are those of the transformers library."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.published import checkpoint_tensors, read, scaled, weights
from configs import NAMES, config

TOKENS = [[3, 5, 4, 5], [2, 0, 3, 2]]
"""Without the number 1, which is padding in some models."""

TYPES = [[0, 0, 1, 1], [1, 0, 1, 0]]


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


def inputs_of(fields: dict[str, Any], torch: Any) -> tuple[dict[str, Any], Any]:
    """Return inputs of a model as transformers has them, and as its network has: pairs of a token and a type have one
    number, an image is the matrix whose columns are its patches, channel by channel and row by row, and sound stands
    beside tokens.
    """
    if "image_size" in fields:
        pixels = np.random.default_rng(1).standard_normal((2, fields["num_channels"], *fields["image_size"]))
        side = fields["patch_size"]
        grid = pixels.reshape(2, pixels.shape[1], pixels.shape[2] // side, side, pixels.shape[3] // side, side)
        patches = grid.transpose(0, 1, 3, 5, 2, 4).reshape(2, pixels.shape[1] * side**2, -1)
        return {"pixel_values": torch.tensor(pixels)}, patches
    if fields["model_type"] == "t5":
        source, target = torch.tensor(TOKENS).split(2, dim=1)
        return {"input_ids": source, "decoder_input_ids": target}, np.array(TOKENS)
    if fields["model_type"] == "whisper":
        sound = np.random.default_rng(1).standard_normal(
            (2, fields["num_mel_bins"], 2 * fields["max_source_positions"])
        )
        return {"input_features": torch.tensor(sound), "decoder_input_ids": torch.tensor(TOKENS)}, (
            sound,
            np.array(TOKENS),
        )
    given = {"input_ids": torch.tensor(TOKENS)}
    if fields.get("type_vocab_size", 1) == 1:
        return given, np.array(TOKENS)
    return given | {"token_type_ids": torch.tensor(TYPES)}, np.array(TOKENS) + fields["vocab_size"] * np.array(TYPES)


def value_of(output: Any, torch: Any) -> np.ndarray:
    """Return the value of a model with or without a head, tokens below each other."""
    if (logits := getattr(output, "logits", None)) is not None:
        return (logits if logits.ndim == 3 else logits[:, None]).numpy()
    pooled, tokens = output.pooler_output, output.last_hidden_state
    read_off = torch.equal(pooled, tokens[:, 0])  # then it is one of the tokens
    return tokens.numpy() if read_off else torch.cat([tokens, pooled[:, None]], dim=1).numpy()


LLAMA3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 16}
LONG = {"short_factor": [1.0, 1.5, 2.0, 2.5], "long_factor": [1.0, 2.0, 3.0, 5.0]}
WINDOWS = {"sliding_window": 2}

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("gemma_2_2b", {**WINDOWS, "query_pre_attn_scalar": 3}),
    (
        "gemma_2_2b",
        {"attn_logit_softcapping": None, "final_logit_softcapping": None, "layer_types": ["full_attention"]},
    ),
    ("gemma_3_1b", {**WINDOWS, "rope_scaling": {"rope_type": "linear", "factor": 8.0}, "final_logit_softcapping": 3.0}),
    (
        "gemma_3_1b",
        {
            "layer_types": ["sliding_attention", "full_attention"],
            "rope_parameters": {
                "full_attention": {"rope_type": "yarn", "rope_theta": 500.0, "factor": 8.0},
                "sliding_attention": {"rope_type": "default", "rope_theta": 20.0},
            },
            "rope_theta": None,
            "rope_local_base_freq": None,
            "max_position_embeddings": 64,
        },
    ),
    ("gpt_j_6b", {"tie_word_embeddings": True}),
    ("llama_3_1_8b", {"rope_scaling": {"rope_type": "llama3", **LLAMA3}}),
    ("llama_3_1_8b", {"rope_scaling": {"rope_type": "linear", "factor": 4.0}}),
    ("llama_3_1_8b", {"rope_scaling": {"type": "dynamic", "factor": 4.0}, "max_position_embeddings": 3}),
    ("llama_3_1_8b", {"rope_scaling": {"type": "dynamic", "factor": 4.0}, "max_position_embeddings": 4}),
    (
        "llama_3_1_8b",
        {
            "rope_scaling": None,
            "rope_theta": None,
            "rope_parameters": {"rope_type": "llama3", "rope_theta": 100.0, **LLAMA3},
        },
    ),
    ("mistral_7b_v0_1", WINDOWS),
    ("mixtral_8x7b_v0_1", {"rope_theta": None}),
    ("olmo_2_7b", {"num_key_value_heads": 1, "attention_bias": True}),
    ("opt_125m", {"enable_bias": False, "layer_norm_elementwise_affine": False, "_remove_final_layer_norm": True}),
    ("phi_2", {"qk_layernorm": True, "num_key_value_heads": 1, "partial_rotary_factor": None}),
    ("phi_3_mini_4k", {"rope_scaling": {"type": "longrope", **LONG}, "max_position_embeddings": 64}),
    (
        "phi_3_mini_4k",
        {
            "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.5], "long_factor": [1.0, 4.0]},
            "partial_rotary_factor": 0.5,
            "original_max_position_embeddings": 3,
            "max_position_embeddings": 12,
        },
    ),
    (
        "pythia_160m",
        {"rope_scaling": {"rope_type": "yarn", "factor": 4.0, "truncate": False}, "max_position_embeddings": 20},
    ),
    (
        "qwen2_5_7b",
        {
            "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "mscale": 1.0, "mscale_all_dim": 0.5},
            "max_position_embeddings": 40,
        },
    ),
    (
        "qwen2_5_7b",
        {**WINDOWS, "use_sliding_window": True, "layer_types": ["sliding_attention", "full_attention"]},
    ),
    ("qwen2_5_7b", {"use_sliding_window": True, "sliding_window": None, "max_window_layers": 0}),
    (
        "qwen3_0_6b",
        {
            "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "attention_factor": 0.5, "beta_fast": 3.0},
            "max_position_embeddings": 50,
        },
    ),
]
"""Models of which fields are others, after they are made small: windows that hide tokens, angles that are scaled."""


@pytest.mark.parametrize(("name", "changes"), [*((name, {}) for name in NAMES), *VARIANTS])
def test_values_are_those_of_transformers(name: str, changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    transformers = pytest.importorskip(
        "transformers", reason="transformers is not installed; the extra torch brings it"
    )
    for attribute, value in (("float32", torch.float64), ("float", torch.float64)):
        monkeypatch.setattr(torch, attribute, value)
    monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)
    width = {"head_width": 8} if "layer_types" not in changes and changes else {}
    fields = scaled(config(name), layers=2, vocabulary=12, tokens=4, **width)
    for key, value in changes.items():
        fields[key] = value if key != "layer_types" else (value * 2)[:2]
    if "patch_size" in fields:  # more than one pixel in a patch, and more than one row of patches
        fields |= {"image_size": [4, 4], "patch_size": 2}
    nullable = ("sliding_window", "attn_logit_softcapping", "final_logit_softcapping", "q_lora_rank")
    fields = {key: value for key, value in fields.items() if value is not None or key in nullable}
    options = {key: value for key, value in fields.items() if key != "model_type"}
    if fields["model_type"] != "roberta":  # whose positions begin behind that of padding
        options["pad_token_id"] = None
    usual = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        made = transformers.AutoConfig.for_model(
            fields["model_type"], **copy.deepcopy(options), attn_implementation="eager"
        )
        made._experts_implementation = "eager"
        model = getattr(transformers, fields["architectures"][0])(made).double().eval()
        if fields["model_type"] == "t5" and fields.get("tie_word_embeddings") is False:  # which the library ignores
            model.get_output_embeddings().weight = torch.nn.Parameter(model.get_output_embeddings().weight.clone())
        generator = torch.Generator().manual_seed(0)
        given, inputs = inputs_of(fields, torch)
        with torch.no_grad():
            corrections = [one for name, one in model.named_buffers() if name.endswith("correction_bias")]
            trained = [one for one in model.parameters() if one.requires_grad]  # and not the fixed positions of Whisper
            for parameter in (*trained, *corrections):
                parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) / 3)
            expected = value_of(model(**given), torch)
    finally:
        torch.set_default_dtype(usual)
    state = {key: tensor.detach().numpy() for key, tensor in model.state_dict().items()}
    columns = 2 * fields.get("max_source_positions", 0)  # of sound, before the tokens
    net = read(fields, tokens=None if "image_size" in fields else columns + 4)
    value = np.swapaxes(algatt.evaluate(net, weights(fields, state), inputs), -1, -2)
    assert np.ptp(expected) > 0.1
    assert np.abs(value - expected).max() <= 1e-11 * np.abs(expected).max()
    again = checkpoint_tensors(fields, weights(fields, state), {name: array.shape for name, array in state.items()})
    for name, array in again.items():  # the tensors that the library has, in the shapes that they have there
        np.testing.assert_allclose(array, state[name], rtol=0, atol=1e-15)


@pytest.mark.parametrize("name", NAMES)
def test_tensors_are_the_inverse_of_weights(name: str) -> None:
    fields = scaled(config(name), layers=2)
    theta = algatt.sample(read(fields), algatt.Weights, field=algatt.Reals(), seed=1)
    again = weights(fields, checkpoint_tensors(fields, theta))
    for key in theta.names():
        np.testing.assert_allclose(again[key], theta[key], rtol=0, atol=1e-15)


def test_weights_of_another_network_are_refused() -> None:
    fields = scaled(config("mamba_130m"))
    theta = algatt.sample(read(fields), algatt.Weights, field=algatt.Reals(), seed=1)
    with pytest.raises(InvalidArgument, match="weights of the network of the config"):
        checkpoint_tensors(scaled(config("gpt2")), theta)
