"""The balanced form, random moves and invariants, on the published families at small sizes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import checkpoints
from algatt.cli.main import main
from algatt.errors import InvalidArgument, NoNormalForm, SymmetryError
from algatt.fields import Elements, Reals
from algatt.published.known import CONFIGS

MODELS = CONFIGS

FAMILIES = (
    *("bert_base_uncased", "deepseek_v2", "gemma_2b", "gpt2", "phi_2", "llama_3_1_8b", "smollm2_135m", "mamba_130m"),
    *("olmo_2_7b", "opt_125m", "qwen2_0_5b", "t5_small", "vit_base_patch16_224"),
)

TURNED_NORMS = ("gemma_3_1b", "qwen3_0_6b", "qwen3_30b_a3b")
"""Gains of norms before turns: those of a pair have to be multiplied by one number."""


def config(name: str) -> dict[str, Any]:
    fields = json.loads((MODELS / f"{name}.json").read_text(encoding="utf-8"))["config"]
    return algatt.published.scaled(fields)


def network(name: str) -> algatt.Network:
    patches = name.startswith(("dinov2", "vit"))
    return algatt.published.read(config(name), tokens=None if patches or name == "t5_small" else 2)


def weights(net: algatt.Network, seed: int = 1) -> algatt.Weights:
    return algatt.sample(net, algatt.Weights, field=Reals(), seed=seed)


def values(net: algatt.Network, theta: algatt.Weights) -> np.ndarray:
    inputs = algatt.sample_inputs(net, field=Reals(), seed=7, count=2)
    found: np.ndarray = np.asarray(algatt.evaluate(net, theta, inputs))
    return found


def apart(one: algatt.Weights, two: algatt.Weights) -> float:
    """The largest difference of two entries, beside the largest entry of their tensor."""
    pairs = zip(one.elements, two.elements, strict=True)
    return max(float(np.abs(a.raw - b.raw).max() / np.abs(b.raw).max()) for a, b in pairs if np.any(b.raw))


def changed(theta: algatt.Weights, arrays: dict[str, np.ndarray]) -> algatt.Weights:
    return theta.replace([Elements(one.field, arrays.get(name, one.raw)) for name, one in theta.tensors.items()])


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", FAMILIES)
def test_one_form_for_each_orbit(name: str) -> None:
    net = network(name)
    theta = weights(net)
    form, moved = checkpoints.balanced_form(net, theta), checkpoints.move(net, theta, seed=2, condition=10.0)
    before = values(net, theta)
    for other in (form, moved):
        assert np.abs(values(net, other) - before).max() <= 1e-11 * np.abs(before).max()
        assert apart(other, theta) > 1e-3
    assert apart(checkpoints.balanced_form(net, moved), form) <= 1e-10
    assert apart(checkpoints.balanced_form(net, form), form) <= 1e-10
    one, two = checkpoints.invariants(net, theta), checkpoints.invariants(net, moved)
    assert one.distance(two) <= 1e-11


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", TURNED_NORMS)
def test_what_changes_values_is_not_returned(name: str) -> None:
    net = network(name)
    theta = weights(net)
    try:
        found = [checkpoints.balanced_form(net, theta), checkpoints.move(net, theta, seed=2)]
    except SymmetryError:
        return
    before = values(net, theta)
    assert all(np.abs(values(net, one) - before).max() <= 1e-11 * np.abs(before).max() for one in found)


def test_what_the_form_is_like() -> None:
    net = network("llama_3_1_8b")
    form = checkpoints.balanced_form(net, weights(net))
    for group in (1, 2):
        V = form[f"1.heads.V_{group}"]
        assert np.allclose(V @ V.T, np.eye(len(V)), atol=1e-13)
        readers = np.concatenate([form[f"1.heads.O_{head}"] for head in (2 * group - 1, 2 * group)])
        gram = readers.T @ readers
        assert np.allclose(gram, np.diag(np.sort(np.diag(gram))[::-1]), atol=1e-12 * gram.max())
        queries = np.concatenate([form[f"1.heads.Q_{head}"] for head in (2 * group - 1, 2 * group)], axis=1)
        assert np.isclose(np.linalg.norm(queries), np.linalg.norm(form[f"1.heads.K_{group}"]), rtol=1e-13)
    E = form["embedding.E"]
    gram = E.T @ E
    assert np.allclose(gram, np.diag(np.sort(np.diag(gram))[::-1]), atol=1e-12 * gram.max())
    assert np.all(E[np.argmax(np.abs(E), axis=0), np.arange(E.shape[1])] > 0)
    up, down, gate = (form[f"1.feedforward.{name}"] for name in ("up", "down", "gate"))
    assert np.allclose(np.linalg.norm(up, axis=1), np.linalg.norm(down, axis=0), rtol=1e-13)
    sizes = np.linalg.norm(np.concatenate([up, down.T, gate], axis=1), axis=1)
    assert np.all(np.diff(sizes) < 0)


def test_singular_values_of_products_are_invariants() -> None:
    net = network("gpt2")
    theta = weights(net)
    found = checkpoints.invariants(net, theta)
    sizes = [its for name, its in found.numbers.items() if name.startswith("rows of 1.heads.V")]
    ours = sorted(tuple(one.tolist()) for one in sizes)
    # the gain of the norm is taken up by the values; what is left of a bias of them goes to that of the output
    gain = np.diag(theta["1.norm_1.g"].ravel())
    d = len(gain)
    centre = np.eye(d) - 1 / d
    products = (centre @ theta[f"1.heads.O_{h}"] @ theta[f"1.heads.V_{h}"] @ gain @ centre for h in (1, 2))
    theirs = sorted(tuple(np.linalg.svd(one, compute_uv=False)[: len(ours[0])].tolist()) for one in products)
    assert np.allclose(ours, theirs, rtol=1e-12)


def test_experts_are_sorted() -> None:
    net = network("mixtral_8x7b_v0_1")
    theta = weights(net)
    order = [2, 0, 1]
    arrays = {"1.experts.router": theta["1.experts.router"][order]}
    for kind in ("up", "gate", "down"):
        for place, source in enumerate(order):
            arrays[f"1.experts.{place + 1}.{kind}"] = theta[f"1.experts.{source + 1}.{kind}"]
    other = changed(theta, arrays)
    assert np.allclose(values(net, other), values(net, theta), rtol=1e-12)
    assert apart(checkpoints.balanced_form(net, other), checkpoints.balanced_form(net, theta)) <= 1e-11


@pytest.mark.parametrize(
    ("same", "told"),
    [
        ({"Q_2": "Q_1", "K_2": "K_1", "V_2": "V_1", "O_2": "O_1"}, "terms with 1.heads"),
        ({"V_1": None}, "rows of 1.heads.V_1"),
        ({"Q_1": None}, "rows of 1.heads.Q_1"),
    ],
)
def test_what_floats_do_not_decide_is_named(same: dict[str, str | None], told: str) -> None:
    net = network("phi_3_mini_4k")
    theta = weights(net)
    arrays = {}
    for one, other in same.items():
        name = f"1.heads.{one}"
        arrays[name] = np.zeros_like(theta[name]) if other is None else theta[f"1.heads.{other}"]
    with pytest.raises(NoNormalForm, match=told):
        checkpoints.balanced_form(net, changed(theta, arrays))


def test_equal_neurons_are_named() -> None:
    net = network("phi_3_mini_4k")
    theta = weights(net)
    arrays = {}
    for name, axis in (("up", 0), ("gate", 0), ("down", 1)):
        W = theta[f"1.feedforward.{name}"]
        arrays[f"1.feedforward.{name}"] = np.take(W, [0, 0, 2], axis=axis)
    with pytest.raises(NoNormalForm, match=r"norms of rows of 1\.feedforward\.up are equal"):
        checkpoints.balanced_form(net, changed(theta, arrays))


def test_bad_input() -> None:
    net, other = network("gpt2"), network("smollm2_135m")
    theta = weights(net)
    with pytest.raises(InvalidArgument, match="weights was"):
        checkpoints.balanced_form(other, theta)
    with pytest.raises(InvalidArgument, match="over GF"):
        checkpoints.move(net, algatt.sample(net, algatt.Weights, field=algatt.PrimeField(), seed=1))
    with pytest.raises(InvalidArgument, match=r"condition was 0\.5"):
        checkpoints.move(net, theta, condition=0.5)
    with pytest.raises(InvalidArgument, match="of another network"):
        checkpoints.invariants(net, theta).distances(checkpoints.invariants(other, weights(other)))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    fields = config("smollm2_135m")
    net = algatt.published.read(fields)
    checkpoints.save("one", checkpoints.Checkpoint(net, weights(net), fields))
    checkpoints.save("two", checkpoints.Checkpoint(net, weights(net, seed=2), fields))
    return tmp_path


def test_a_checkpoint_is_read_as_it_was_saved(folder: Path) -> None:
    found = checkpoints.load("one")
    assert found.weights == weights(found.network)
    known = found.weights.replace([Elements(Reals().known_to(24), one.raw) for one in found.weights.elements])
    checkpoints.save("single", checkpoints.Checkpoint(found.network, known, found.config))
    single = checkpoints.load("single")
    assert single.precision == 24
    assert apart(single.weights, found.weights) <= 2.0**-24


def test_the_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["move", "one", "--seed", "3", "--condition", "10", "-o", "moved"]) == 0
    for name in ("one", "moved"):
        assert main(["canonical", name, "-o", f"{name}_form"]) == 0
    one, moved, form, other = (checkpoints.load(name).weights for name in ("one", "moved", "one_form", "moved_form"))
    assert apart(moved, one) > 1e-3
    assert apart(other, form) <= 1e-11
    distances = []
    for name in ("moved", "two"):
        assert main(["invariants", "one", name, "--json"]) == 0
        distances.append(json.loads(capsys.readouterr().out)["distance"])
    assert distances[0] <= 1e-12 < 1e-2 < distances[1]
    assert main(["invariants", "one"]) == 0
    assert "rows of 1.heads.V_1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["move", "one"], "required: -o"),
        (["move", "one", "-o", "one/config.json"], "output was the file one/config.json"),
        (["move", "missing", "-o", "x"], "missing"),
        (["move", "one", "--condition", "nan", "-o", "x"], "condition was nan"),
        (["canonical", "one", "--tokens", "3", "-o", "x"], "--tokens was given with a checkpoint"),
        (["invariants", "one", "missing"], "missing"),
    ],
)
def test_bad_arguments(arguments: list[str], told: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    error = capsys.readouterr().err
    assert told in error
    assert error.count("\n") == 1 or "required" in error
    assert not Path("x").exists()


@pytest.mark.sample(1)
@pytest.mark.parametrize("made", [checkpoints.move, checkpoints.balanced_form])
def test_positions_that_more_tokens_reach_are_kept(made: Any) -> None:
    """Another checkpoint of the same function is one of as many tokens as there are positions."""
    fields = {"model_type": "gpt2", "n_embd": 8, "n_layer": 1, "n_head": 2, "n_inner": 8, "vocab_size": 10}
    few, all_tokens = (algatt.published.read(fields | {"n_positions": 5}, tokens=count) for count in (2, 5))
    theta = algatt.sample(few, algatt.Weights, field=Reals(), seed=1)
    X = algatt.sample_inputs(all_tokens, field=Reals(), seed=2, count=3)
    values = [np.asarray(algatt.evaluate(all_tokens, point, X)) for point in (theta, made(few, theta))]
    assert np.abs(values[0] - values[1]).max() < 1e-9 * np.abs(values[0]).max()


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["gpt2", "opt_125m"])
def test_invariants_are_those_of_all_positions(name: str) -> None:
    """Of few tokens: positions that further tokens have count, and moved copies keep what is made of them; rows that no
    token has, as the first two of OPT, do not count.
    """
    published = json.loads((MODELS / f"{name}.json").read_text(encoding="utf-8"))["config"]
    fields = algatt.published.scaled(published, tokens=6)
    net = algatt.published.read(fields)
    theta = weights(net)
    table = next(name for name in theta.names() if name.endswith("position.P"))
    found = checkpoints.invariants(net, theta)
    assert found.distance(checkpoints.invariants(net, checkpoints.move(net, theta, seed=2, condition=10.0))) <= 1e-11
    P = theta[table].copy()
    P[-1] += np.resize([1, -1], P.shape[1])
    assert found.distance(checkpoints.invariants(net, changed(theta, {table: P}))) > 1e-2
    if name == "opt_125m":
        P = theta[table].copy()
        P[:2] += np.linspace(1, 2, P.shape[1])
        assert found.distance(checkpoints.invariants(net, changed(theta, {table: P}))) <= 1e-13
