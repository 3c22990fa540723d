"""Models of other libraries on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import algatt
from algatt.cli.main import main
from algatt.cli.networks import import_network
from algatt.errors import InvalidArgument
from algatt.frontends.models import network_of_model

MODEL = """
import torch
from torch import nn

torch.manual_seed(0)
block = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))

def with_example():
    return block, torch.randn(2, 3)

def with_neurons_exchanged():
    other = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))
    order = torch.tensor([2, 0, 3, 1])
    with torch.no_grad():
        other[0].weight.copy_(block[0].weight[order])
        other[0].bias.copy_(block[0].bias[order])
        other[2].weight.copy_(block[2].weight[:, order])
        other[2].bias.copy_(block[2].bias)
    return other, torch.randn(2, 3)

def changed():
    other, example = with_neurons_exchanged()
    nn.init.ones_(other[2].bias)
    return other, example
"""


def test_modules_of_torch(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A perceptron with one hidden layer, of 26 parameters, has no symmetries but signs and permutations."""
    pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    for words in ([f"{path}:block", "--tokens", "2", "--width", "3"], [f"{path}:with_example"]):
        assert main(["dimension", *words, "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert (answer["value"], answer["status"]) == (26, "proven")
    assert main(["symmetries", f"{path}:with_example"]) == 0
    capsys.readouterr()
    assert main(["dimension", f"{path}:block"]) == 2
    assert "tokens was not given; it should be the number of tokens" in capsys.readouterr().err


def test_modules_of_torch_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neurons in another order are the same function, another bias of the output is not."""
    pytest.importorskip("torch", reason="torch is not installed; the extra torch brings it")
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    first = f"{path}:with_example"
    assert main(["compare", first, f"{path}:with_neurons_exchanged", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["equal"] is True
    assert main(["compare", first, f"{path}:changed", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["equal"] is False
    assert main(["compare", first, f"{path}:missing"]) == 2
    assert "there is no missing in" in capsys.readouterr().err
    assert algatt.compare(import_network(first), import_network(f"{path}:with_neurons_exchanged")).equal


def test_graphs_of_onnx(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A product of matrices of rank 2 has the dimension of matrices of rank 2, 2 (3 + 4 - 2)."""
    onnx = pytest.importorskip("onnx", reason="onnx is not installed; the extra onnx brings it")
    text = '<ir_version: 10, opset_import: ["": 18]>\ng (double[batch, n, 3] x) => (double[batch, n, 4] y)'
    model = onnx.parser.parse_model(f"{text} {{ h = MatMul (x, A)\n y = MatMul (h, B) }}")
    for name, shape in (("A", (3, 2)), ("B", (2, 4))):
        model.graph.initializer.append(onnx.numpy_helper.from_array(np.ones(shape), name))
    path = tmp_path / "model.onnx"
    onnx.save(model, path)
    assert main(["dimension", str(path), "--tokens", "2", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["value"], answer["status"]) == (10, "proven")
    assert main(["symmetries", str(path), "--tokens", "2"]) == 0
    assert "GL(2)" in capsys.readouterr().out
    assert main(["dimension", str(path)]) == 2


def test_networks_are_what_they_are() -> None:
    net = algatt.Lightning(dims=(4, 3), ranks=(2,), tokens=3)
    assert network_of_model(net) is net
    assert network_of_model(lambda: net) is net


def test_classes_of_modules_are_refused() -> None:
    torch = pytest.importorskip("torch")
    with pytest.raises(
        InvalidArgument, match=r"Linear, a class of modules; it should be an instance of it, as Linear\(\)"
    ):
        network_of_model(torch.nn.Linear, 3, 4)


@pytest.mark.parametrize(
    "command", [["align", "model.py:make", "model.py:make"], ["move", "model.py:make", "-o", "moved"]]
)
def test_modules_are_no_checkpoints(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(command) == 2
    assert "checkpoint was model.py:make, an object of Python; it should be a folder" in capsys.readouterr().err


def test_functions_that_raise_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="broken, which raised ZeroDivisionError: division by zero; it should be"):
        network_of_model(broken)


def broken() -> float:
    return 1 / 0
