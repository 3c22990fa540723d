"""The one way in: each kind of what is read, and errors that say what is taken."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.certificates import Certificate
from algatt.checkpoints import write_safetensors
from algatt.errors import CertificateError, InvalidArgument, MethodError, MissingPart
from algatt.layers import Feedforward, Heads, LearnedPosition, Linear, Residual, SelectTokens
from plain_llama import logits
from written_checkpoints import GPT2, LLAMA, in_gguf, llama

TOKENS = [3, 1, 4, 1]
NETWORK = algatt.Network(Residual(Heads(2)) >> Residual(Feedforward(6)), tokens=3, width=4)
ARCH = algatt.Lightning(dims=(4, 3, 4), ranks=(2, 2), tokens=3)
LLAMA_PARAMETERS = 2 * 80 + 8 + 2 * (2 * 8 + 2 * 64 + 2 * 32 + 3 * 48)
"""Embedding and unembedding, the last norm, and two blocks: norms, queries and outputs, keys and values, neurons."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config.json").write_text(json.dumps(LLAMA))
    return tmp_path


def test_a_checkpoint_by_its_folder_and_by_its_file(folder: Path) -> None:
    state = llama()
    write_safetensors(folder / "model.safetensors", state)
    expected = logits(in_gguf(state), TOKENS, layers=2, heads=2, key_heads=1, eps=1e-5, base=500.0)
    for source in (folder, str(folder), folder / "model.safetensors"):
        found = algatt.load(source, tokens=4)
        assert (found.kind, found.lengths, found.network.parameters) == ("checkpoint", (1, None), LLAMA_PARAMETERS)
        value = algatt.evaluate(found.network, found.weights, TOKENS)
        np.testing.assert_allclose(value.T, expected, rtol=0, atol=1e-11)
    again = algatt.load(found.checkpoint)
    assert (again.weights, again.network, again.lengths) == (found.weights, found.network, found.lengths)
    (folder / "config.json").unlink()
    assert algatt.load(folder / "model.safetensors", config=LLAMA, tokens=4).weights == found.weights


def test_a_config_by_its_folder_its_file_its_fields_and_its_name(folder: Path) -> None:
    for source in (folder, folder / "config.json", LLAMA):
        found = algatt.load(source, tokens=5)
        assert (found.kind, hasattr(found, "weights"), found.network.tokens) == ("config", False, 5)
        assert found.network.parameters == LLAMA_PARAMETERS
    found = algatt.load("openai-community/GPT2")
    assert (found.kind, found.network.parameters, found.lengths) == ("config", 124439808, (1, 1024))


def test_an_image_has_one_number_of_patches() -> None:
    """ViT-B/16 reads 14 x 14 patches."""
    found = algatt.load("vit-base-patch16-224")
    assert found.lengths == (196, 196)


def test_a_network_by_its_description(tmp_path: Path) -> None:
    path = tmp_path / "net.json"
    path.write_text(json.dumps(NETWORK.description()))
    for source in (path, NETWORK.description(), NETWORK):
        found = algatt.load(source)
        assert (found.kind, found.network, found.lengths) == ("network", NETWORK, (1, None))
    found = algatt.load(Residual(Heads(2)), tokens=3, width=4)
    assert found.network == algatt.Network(Residual(Heads(2)), tokens=3, width=4)


@pytest.mark.parametrize(
    ("layers", "tokens", "lengths"),
    [
        (LearnedPosition(5) >> Heads(1), 2, (1, 5)),
        (Heads(1) >> SelectTokens(1, 3), 4, (3, None)),
        (Linear(2), 1, (1, None)),
    ],
)
def test_lengths_are_those_for_which_the_layers_are_a_network(layers: Any, tokens: int, lengths: Any) -> None:
    assert algatt.load(layers, tokens=tokens, width=2).lengths == lengths
    for count in range(1, 8):
        if lengths[0] <= count <= (lengths[1] or count):
            algatt.Network(layers, tokens=count, width=2)
        else:
            with pytest.raises(InvalidArgument):
                algatt.Network(layers, tokens=count, width=2)


def test_weights_with_a_number_of_tokens_and_without(tmp_path: Path) -> None:
    theta = algatt.sample(ARCH, algatt.Weights, seed=1)
    theta.save(tmp_path / "theta.npz")
    for source in (tmp_path / "theta.npz", theta):
        found = algatt.load(source)
        assert (found.kind, found.weights, hasattr(found, "network")) == ("weights", theta, False)
        found = algatt.load(source, tokens=3)
        assert (found.network, found.weights, found.lengths) == (ARCH, theta, (1, None))
    with pytest.raises(InvalidArgument, match="tokens was given with weights that do not tell their layers"):
        algatt.load(algatt.convert(theta, algatt.VirtualWeights), tokens=3)
    with pytest.raises(InvalidArgument, match="should be weights Q_1, K_1, V_1"):
        algatt.load(algatt.sample(NETWORK, algatt.Weights, seed=1), tokens=3)


def test_names_of_another_library_and_reports_take_what_was_loaded() -> None:
    config = {"model_type": "gpt2", "n_embd": 4, "n_layer": 1, "n_head": 2, "vocab_size": 5, "n_positions": 3}
    found = algatt.load(config)
    theta = algatt.sample(found, algatt.Weights, field=algatt.Reals(), seed=1)
    tensors = algatt.checkpoints.to_transformer_lens(found, theta)
    assert algatt.checkpoints.from_transformer_lens(found, tensors) == theta
    assert algatt.symmetry.SymmetryReport.of(found) == algatt.symmetry.SymmetryReport.of(found.network)


def test_a_certificate(tmp_path: Path) -> None:
    made = algatt.certify(ARCH)
    made.save(tmp_path / "cert.json")
    for source in (tmp_path / "cert.json", made):
        found = algatt.load(source)
        assert found.kind == "certificate"
        with pytest.raises(MissingPart, match=r"certificate without network: algatt.load found certificate"):
            _ = found.network
        assert isinstance(found.certificate, Certificate)
        assert algatt.verify(found).ok
        assert "claim='a dimension of 33'" in repr(found)
    (tmp_path / "cert.json").write_text('{"format": "algatt certificate", "version": 1}')
    with pytest.raises(CertificateError, match="another format or version"):
        algatt.load(tmp_path / "cert.json")


def test_a_module_of_torch() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    module = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2)).double()
    x = torch.randn(5, 3, dtype=torch.float64)
    for found in (algatt.load(module, example=x), algatt.load((module, x)), algatt.load(lambda: (module, x))):
        assert (found.kind, found.network.parameters, found.lengths) == ("model", 26, (5, 5))
        value = algatt.evaluate(found.network, found.weights, x.numpy().T)
        np.testing.assert_allclose(value.T, module(x).detach().numpy(), rtol=0, atol=1e-14)
    assert algatt.load(module, tokens=7, width=3).lengths == (7, 7)
    assert algatt.compare(found, algatt.load(module, example=x)).equal
    with pytest.raises(InvalidArgument, match="tokens was not given"):
        algatt.load(module)


def test_a_config_and_a_model_of_transformers() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    transformers = pytest.importorskip("transformers", reason="the extra torch brings transformers")
    config = transformers.GPT2Config(**{name: value for name, value in GPT2.items() if name != "model_type"})
    config.bos_token_id = config.eos_token_id = 0
    model = transformers.GPT2LMHeadModel(config).double().eval()
    assert algatt.load(config).network.parameters == sum(one.numel() for one in model.parameters())
    found = algatt.load(model)
    assert (found.kind, found.lengths, found.network.tokens) == ("checkpoint", (1, 3), 3)
    with torch.no_grad():
        expected = model(torch.tensor([[3, 1, 4]])).logits[0].numpy()
    value = algatt.evaluate(found.network, found.weights, [3, 1, 4])
    np.testing.assert_allclose(value.T, expected, rtol=0, atol=1e-12)


def test_an_onnx_file(tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="onnx is not installed; the extra onnx brings it")
    text = '<ir_version: 10, opset_import: ["": 18]>\ng (double[n, 3] x) => (double[n, 2] y) { y = MatMul (x, A) }'
    graph = onnx.parser.parse_model(text)
    A = np.arange(6.0).reshape(3, 2)
    graph.graph.initializer.append(onnx.numpy_helper.from_array(A, "A"))
    onnx.save(graph, tmp_path / "model.onnx")
    found = algatt.load(tmp_path / "model.onnx", tokens=4)
    assert (found.kind, found.lengths) == ("model", (4, 4))
    X = np.arange(12.0).reshape(4, 3)
    np.testing.assert_allclose(algatt.evaluate(found.network, found.weights, X.T).T, X @ A, rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    ("source", "options", "message"),
    [
        (
            "llama-3-8",
            {},
            r"source was 'llama-3-8', which is no file, and no name of a known model \(similar: llama-3-8b",
        ),
        (3, {}, "source was 3; it should be the path of a checkpoint"),
        ({"name": "Hads"}, {}, "source.name was 'Hads'; did you mean Heads"),
        ([1, 2], {}, r"source was \[1, 2\]; it should be the path"),
        (Linear(2), {}, "tokens was not given; it should be given: a layer"),
        (NETWORK, {"tokens": 3}, "tokens was given with a network; it should be not given"),
        (LLAMA, {"width": 3}, "width was given with a config; it should be not given; tokens may be"),
        ({"model_type": "nope"}, {}, "model_type was 'nope'"),
    ],
)
def test_errors_say_what_was_given_and_what_is_taken(source: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        algatt.load(source, **options)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("cut.json", '{"name": ', "which is not JSON; it should be"),
        ("list.json", "[1, 2]", "which is JSON of something else; it should be the path"),
        ("strange.dat", "abc", "which begins as none of them"),
    ],
)
def test_files_of_something_else(tmp_path: Path, name: str, text: str, message: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(InvalidArgument, match=message):
        algatt.load(tmp_path / name)


SMALL = algatt.Lightning(dims=(2, 1), ranks=(1,), tokens=2)
THETA = algatt.sample(SMALL, algatt.Weights, seed=0)
REAL = algatt.sample(SMALL, algatt.Weights, field=algatt.Reals(), seed=0)
TAKING: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(["conservation_laws", "coordinates", "degree", "degree_of_closure", "dimension", "draw"], ()),
    **dict.fromkeys(["expected_dimension", "expression", "jacobian_spectrum", "sample_inputs", "span", "unroll"], ()),
    **dict.fromkeys(["certify", "symmetries"], ()),
    **dict.fromkeys(
        ["canonical", "coefficients", "fiber", "is_boundary", "is_singular", "unexplained_kernel"], (THETA,)
    ),
    **dict.fromkeys(["extremal", "learning_coefficient"], (REAL,)),
    **dict.fromkeys(["evaluate", "jacobian"], (THETA, algatt.sample_inputs(SMALL))),
    **dict.fromkeys(["equations", "hilbert_function"], (3,)),
    **dict.fromkeys(["align", "compare"], (REAL, REAL)),
    **dict.fromkeys(["parametrization", "sample"], (algatt.Weights,)),
    "export": ("macaulay2",),
    "same_function": (THETA, THETA),
    "unflatten": (algatt.Weights, algatt.flatten(THETA)),
}
"""Functions of the front that take a network first, with what else they take."""


@pytest.mark.parametrize("name", TAKING)
def test_what_was_loaded_is_taken_where_a_network_is(name: str) -> None:
    function, more = getattr(algatt, name), TAKING[name]
    assert type(function(algatt.load(SMALL), *more)) is type(function(SMALL, *more))


def test_no_function_takes_networks_alone() -> None:
    functions = {one: getattr(algatt, one) for one in algatt.__all__ if not isinstance(getattr(algatt, one), type)}
    takes = {name: str(inspect.signature(one)) for name, one in functions.items() if callable(one)}
    assert [name for name, one in takes.items() if re.search(r"\bArchitecture\b", one)] == []
    assert {name for name, one in takes.items() if "NetworkLike" in one} - {"identify", "sweep"} <= set(TAKING)


def test_a_model_where_a_network_is_asked_for() -> None:
    with pytest.raises(MethodError, match=r"arch was of type int; it should be a network: .* algatt.load"):
        algatt.symmetries(3)
    with pytest.raises(InvalidArgument, match=r"arch was 3; it should be a network: .* algatt.load"):
        algatt.dimension(3)


def test_it_is_shown_in_few_lines() -> None:
    found = algatt.load("gpt2")
    assert len(repr(found)) < 400
    assert "1 to 1,024 tokens" in found._repr_html_()
