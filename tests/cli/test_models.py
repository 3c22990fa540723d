"""``--model``: attention matrices and heads of checkpoints in spectra and flows, and bad input in one line."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

import algatt
from algatt import Weights, checkpoints, published
from algatt.cli.command import CommandAnswer
from algatt.cli.main import main
from algatt.dynamics import load_trajectory
from algatt.spectra import attention_matrix, matrix_report
from configs import config


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    fields = published.scaled(config("gpt2"), layers=2, tokens=40)
    net = published.read(fields)
    folder = tmp_path_factory.mktemp("models") / "gpt2"
    theta = algatt.sample(net, Weights, field=algatt.Reals(), seed=1)
    checkpoints.save(folder, checkpoints.Checkpoint(net, theta, fields))
    return folder


@pytest.mark.filterwarnings("ignore::algatt.spectra.FiniteSizeWarning")
def test_spectra_of_a_layer_are_those_of_its_matrices(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ids = [number % 6 for number in range(30)]
    text = ",".join(map(str, ids))
    command = ["attention-spectrum", "--model", str(model), "--layer", "2", "--unmasked", "--inputs", text, "--json"]
    command += ["--beta", "0.5"]
    assert main(command) == 0
    printed = json.loads(capsys.readouterr().out)["reports"]
    matrices = attention_matrix(checkpoints.load(model), ids, layer=2, masked=False)
    assert len(printed) == len(matrices) == 2
    for one, A in zip(printed, matrices, strict=True):
        assert one["wasserstein"] == matrix_report(A, key_dim=2, beta=0.5).wasserstein
    drawn = ["--tokens", "30", "--seed", "1", "--head", "2"]
    assert main([*command, *drawn]) == 2
    assert "--tokens was given with --inputs" in capsys.readouterr().err
    assert main([*command[:6], *drawn, "--beta", "0.5"]) == 0
    assert "1 attention matrix of 30 tokens, 2 key dimensions" in capsys.readouterr().out


def test_a_layer_with_a_causal_mask_has_the_causal_law(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The matrices that are compared are those of the layer with its mask, which reports compare with that law."""
    shown = []
    compared = "algatt.cli.commands.attention_spectrum.compared"
    monkeypatch.setattr(compared, lambda matrices, *_: shown.append(matrices) or CommandAnswer())
    ids = [number % 6 for number in range(20)]
    text = ",".join(map(str, ids))
    assert main(["attention-spectrum", "--model", str(model), "--layer", "2", "--inputs", text]) == 0
    (matrices,) = shown
    assert np.array_equal(matrices, attention_matrix(checkpoints.load(model), ids, layer=2))
    report = matrix_report(matrices[0], key_dim=2, beta=0.4)
    assert algatt.spectra.limit_law(report.ensemble) == algatt.spectra.CausalLaw(0.4, 10.0, 20)


def test_a_layer_with_another_mask_has_no_law(
    model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from algatt.checkpoints import attention

    (key, heads), window = attention.layer_of_heads(checkpoints.load(model).network, 1), algatt.layers.Window(3)
    monkeypatch.setattr(attention, "layer_of_heads", lambda *_: (key, dataclasses.replace(heads, mask=window)))
    banded = np.tri(20) - np.tri(20, k=-3)
    matrix = banded / banded.sum(axis=1, keepdims=True)
    monkeypatch.setattr("algatt.spectra.attention_matrix", lambda *_, **__: matrix)
    assert main(["attention-spectrum", "--model", str(model), "--tokens", "20"]) == 2
    expected = (
        f"whose layer 1 has the mask {window!r}; it should be with --unmasked: there are laws of tokens that see all"
    )
    assert expected in capsys.readouterr().err


def test_a_flow_of_a_layer(model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "run.npz"
    command = ["flow", "--model", str(model), "--head", "2", "--tokens", "5", "--until", "0.5", "--beta", "2"]
    assert main([*command, "-o", str(path)]) == 0
    error = capsys.readouterr().err
    assert "algatt: warning: the flow leaves out the biases of QKVO of layer 1\n" in error
    run = load_trajectory(path)
    one = checkpoints.load(model)
    assert run.flow.heads == (checkpoints.heads_of(one)[1],)
    assert (run.flow.beta, run.flow.weights) == (2.0, algatt.layers.Exponential(np.sqrt(2)))
    assert run.states.shape[1:] == (4, 5)
    assert main(["flow", "--resume", str(path), "--until", "0.6"]) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["attention-spectrum", "--tokens", "9"], "tokens was 9; it should be at least 16"),
        (["attention-spectrum", "--unmasked"], "--tokens was not given; it should be given with --model, or --inputs"),
        (["attention-spectrum", "--unmasked", "--inputs", "1,x"], "--inputs was '1,x'; it should be integers"),
        (["attention-spectrum", "--unmasked", "--inputs", "1,999"], "inputs was with numbers from 1 to 999"),
        (["attention-spectrum", "--unmasked", "--inputs", "no.npy"], "--inputs was 'no.npy', which holds no array"),
        (["attention-spectrum", "--unmasked", "--inputs", "1,2", "--seed", "1"], "--seed was given with --inputs"),
        (["attention-spectrum", "--unmasked", "--tokens", "9", "--layer", "3"], "layer was 3; it should be from 1 to"),
        (["attention-spectrum", "--unmasked", "--tokens", "9", "--head", "0"], "head was 0; it should be an integer"),
        (["attention-spectrum", "--tokens", "9", "--key-dim", "3"], "--key-dim was given with --model"),
        (["flow", "--dim", "4"], "--dim was given with --model"),
        (["flow", "--heads", "1,2"], "--heads was given with --model"),
        (["flow", "--layer", "0"], "layer was 0; it should be an integer >= 1"),
        (["flow", "--head", "7"], "head was 7; it should be from 1 to 2"),
    ],
)
def test_bad_input_is_one_line(
    model: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "--model", str(model)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len(err.splitlines()) == 1


def test_options_of_models_without_one(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (
        ["attention-spectrum", "--tokens", "9", "--layer", "1"],
        ["attention-spectrum", "--tokens", "9", "--unmasked"],
        ["flow", "--heads", "1", "--head", "1"],
    ):
        assert main(arguments) == 2
        assert "given without --model; it should be given with it" in capsys.readouterr().err
    assert main(["flow", "--model", "there-is-none"]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
