"""``algatt compare`` of checkpoints, and the page that it writes."""

from __future__ import annotations

import json

import numpy as np
import pytest

import algatt
from algatt import Reals, Weights, checkpoints
from algatt.cli.main import main
from algatt.geometry.equality.large.difference import fit_weights
from algatt.geometry.equality.large.verdict import compare_weights

CONFIG = {
    "model_type": "gpt2",
    "n_embd": 8,
    "n_layer": 1,
    "n_head": 2,
    "n_inner": 8,
    "vocab_size": 10,
    "n_positions": 4,
}


def written(folder, config, tensors):
    """Write a checkpoint, and return its path."""
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    checkpoints.write_safetensors(folder / "model.safetensors", tensors)
    return str(folder)


@pytest.fixture
def paths(tmp_path):
    """A checkpoint, one with negated values and outputs of all heads, and one with negated values alone."""
    net = algatt.published.read(CONFIG)
    theta = algatt.sample(net, Weights, field=Reals(), seed=1)
    tensors = {n: W.astype("float32") for n, W in checkpoints.to_transformer_lens(net, theta).items()}
    moved, broken = dict(tensors), dict(tensors)
    for name, W in tensors.items():
        if name.endswith(("W_V", "b_V", "W_O")):
            moved[name] = -W
        if name.endswith("W_V"):
            broken[name] = -W
    parts = (("one", tensors), ("moved", moved), ("broken", broken))
    return {name: written(tmp_path / name, CONFIG, arrays) for name, arrays in parts} | {
        "other": written(tmp_path / "other", CONFIG | {"activation_function": "relu"}, tensors),
        "eps": written(tmp_path / "eps", CONFIG | {"layer_norm_epsilon": 1e-3}, moved),
    }


def test_equal_checkpoints(paths, tmp_path, capsys):
    report = tmp_path / "report.html"
    assert main(["compare", paths["one"], paths["moved"], "--report", str(report)]) == 0
    assert "one function" in capsys.readouterr().out
    text = report.read_text(encoding="utf-8")
    assert "One function, up to rounding" in text
    assert "default-src 'none'" in text


def test_different_checkpoints(paths, capsys):
    assert main(["compare", paths["one"], paths["broken"], "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["equal"], found["status"]) == (False, "numerical")
    assert found["comparison"]["broken"][0].startswith("blocks.0.attn.W_V (1.heads.V_1)")
    assert np.shape(found["separating_input"]) == (2,)


def test_another_epsilon_is_a_difference_and_its_name(paths, capsys):
    assert main(["compare", paths["one"], paths["eps"], "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert (found["equal"], found["status"], found["comparison"]["broken"]) == (False, "numerical", [])
    assert found["comparison"]["hypothesis"] == "layer_norm_epsilon is 0.001 and not None"
    first, second = (checkpoints.load(paths[name], tokens=2) for name in ("one", "eps"))
    X = np.array(found["separating_input"])
    values = [np.asarray(algatt.evaluate(one.network, one.weights, X)) for one in (first, second)]
    assert np.abs(values[0] - values[1]).max() > 1e-5 * np.abs(values[0]).max()


def test_positions_that_more_tokens_reach_are_compared(tmp_path, capsys):
    """Of 2 tokens nothing is seen of the third position, and all of it of 3."""
    net = algatt.published.read(CONFIG, tokens=4)
    theta = algatt.sample(net, Weights, field=Reals(), seed=1)
    tensors = {n: W.astype("float32") for n, W in checkpoints.to_transformer_lens(net, theta).items()}
    positions = tensors["pos_embed.W_pos"].copy()
    positions[2, 0] += 1.0
    one = written(tmp_path / "one", CONFIG, tensors)
    two = written(tmp_path / "two", CONFIG, tensors | {"pos_embed.W_pos": positions})
    first, second = (checkpoints.load(path, tokens=4) for path in (one, two))
    X = np.array([1, 2, 3, 4])
    values = [np.asarray(algatt.evaluate(found.network, found.weights, X)) for found in (first, second)]
    assert np.abs(values[0] - values[1]).max() > 1e-3 * np.abs(values[0]).max()
    assert main(["compare", one, two, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["equal"], told["comparison"]["broken"]) == (False, ["pos_embed.W_pos (position.P)"])
    assert told["comparison"]["hypothesis"] == "3 tokens see what 2 do not"
    X = np.array(told["separating_input"])
    values = [
        np.asarray(algatt.evaluate(checkpoints.load(path, tokens=3).network, found.weights, X))
        for path, found in ((one, first), (two, second))
    ]
    assert np.abs(values[0] - values[1]).max() > 1e-3 * np.abs(values[0]).max()
    assert main(["compare", one, two, "--tokens", "3"]) == 1
    assert "two functions" in capsys.readouterr().out
    assert main(["compare", one, one]) == 0


def test_positions_of_networks_whose_unseen_entries_are_not_listed(tmp_path, capsys, monkeypatch):
    """Those of large ones are not, so that two tokens leave a third position undecided, and three tell it."""
    monkeypatch.setattr("algatt.symmetry.quotients.members.MOST_ENTRIES", 0)
    config = CONFIG | {"vocab_size": 11}  # another network than that of which they are known
    net = algatt.published.read(config, tokens=4)
    theta = algatt.sample(net, Weights, field=Reals(), seed=1)
    tensors = {n: W.astype("float32") for n, W in checkpoints.to_transformer_lens(net, theta).items()}
    positions = tensors["pos_embed.W_pos"].copy()
    positions[2] *= np.float32(1.01)
    one = written(tmp_path / "one", config, tensors)
    two = written(tmp_path / "two", config, tensors | {"pos_embed.W_pos": positions})
    assert not algatt.verbs.members(algatt.symmetry.UnseenSymmetry, checkpoints.load(one).network)
    assert main(["compare", one, two, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["equal"], told["comparison"]["broken"]) == (False, ["pos_embed.W_pos (position.P)"])
    assert len(told["separating_input"]) == 3


def test_a_checkpoint_is_proven_equal_to_itself(paths, capsys):
    for first, second in (("one", "one"), ("moved", "moved")):
        assert main(["compare", paths[first], paths[second]]) == 0
        assert capsys.readouterr().out.startswith("one function (proven)\n")
    assert main(["compare", paths["one"], paths["moved"]]) == 0
    assert capsys.readouterr().out.startswith("one function (numerical)\n")


def test_values_far_beyond_rounding_decide_though_all_tensors_fit(monkeypatch):
    """Bounds that are too wide explain any tensor, and no value."""
    net = algatt.published.read(CONFIG, tokens=2)
    theta = algatt.sample(net, Weights, field=Reals(), seed=1)
    arrays = {name: one.raw.copy() for name, one in theta.tensors.items()}
    arrays["1.heads.V_1"] = 1.5 * arrays["1.heads.V_1"]
    monkeypatch.setattr("algatt.geometry.equality.large.difference.SAFETY", 1e20)
    found = compare_weights(net, theta, Weights.of(arrays))
    assert not fit_weights(net, theta, Weights.of(arrays)).beyond
    assert (found.equal, found.effect > 1e-3, found.rounding < 1e-10) == (False, True, True)
    values = [np.asarray(algatt.evaluate(net, point, found.separating_input)) for point in (theta, Weights.of(arrays))]
    assert np.abs(values[0] - values[1]).max() > 1e-3 * np.abs(values[0]).max()


def test_an_undecided_comparison_says_so_and_has_its_page(paths, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("algatt.geometry.equality.large.verdict.COARSEST", 0.0)
    report = tmp_path / "report.html"
    assert main(["compare", paths["one"], paths["moved"], "--json", "--report", str(report)]) == 5
    told = json.loads(capsys.readouterr().out)
    assert (told["equal"], told["status"], told["comparison"]["equal"]) == (None, "undecided", None)
    assert told["reason"].startswith("undecided: a group element carries the first weights to the second up to")
    assert "Undecided" in report.read_text(encoding="utf-8")
    assert main(["compare", paths["one"], paths["moved"]]) == 5
    assert capsys.readouterr().out.startswith("undecided\n")


def test_another_activation_is_a_difference(paths, capsys):
    """The tensors have the same names and shapes, so values tell."""
    assert main(["compare", paths["one"], paths["other"]]) == 1
    assert "activation_function is 'relu' and not None" in capsys.readouterr().out


def test_tensors_of_other_shapes_are_refused(paths, tmp_path, capsys):
    config = CONFIG | {"vocab_size": 9, "n_layer": 2}
    net = algatt.published.read(config)
    theta = algatt.sample(net, Weights, field=Reals(), seed=1)
    tensors = {n: W.astype("float32") for n, W in checkpoints.to_transformer_lens(net, theta).items()}
    assert main(["compare", paths["one"], written(tmp_path / "narrow", config, tensors)]) == 2
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert "n_layer is 2 and not 1" in error


def test_a_checkpoint_and_parameters_are_refused(paths, tmp_path, capsys):
    assert main(["compare", paths["one"], str(tmp_path / "theta.npz")]) == 2
    assert "a checkpoint; it should be a file of parameters, as the other is" in capsys.readouterr().err
