"""Commands that read weights of networks of layers, with the network in a file."""

from __future__ import annotations

from pathlib import Path

import pytest

import algatt
from algatt.cli.main import main
from algatt.layers import GELU, Feedforward, Heads, LayerNorm, Residual
from algatt.views import network_files

NET = algatt.Network(Residual(LayerNorm() >> Heads(2)) >> Residual(LayerNorm() >> Feedforward(3, GELU())), 3, 4)

MODULE = """
from algatt.layers import GELU, Feedforward, Heads, LayerNorm, Residual
block = Residual(LayerNorm() >> Heads(2)) >> Residual(LayerNorm() >> Feedforward(3, GELU()))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    network_files.write(NET, "net.json")
    Path("net.py").write_text(MODULE)
    theta = algatt.sample(NET, algatt.Weights, field=algatt.PrimeField(), seed=1)
    theta.save("one.npz")
    algatt.fiber(NET, theta).sample(seed=2).save("moved.npz")
    real = algatt.sample(NET, algatt.Weights, field=algatt.Reals(), seed=1)
    real.save("real.npz")
    algatt.fiber(NET, real).sample(seed=2).save("real_moved.npz")
    algatt.sample(NET, algatt.Weights, field=algatt.Reals(), seed=2).save("other.npz")
    return tmp_path


@pytest.mark.parametrize(
    "network", [["--network", "net.json"], ["--network", "net.py:block", "--tokens", "3", "--width", "4"]]
)
def test_compare_reads_networks(network: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "real.npz", "real_moved.npz", *network]) == 0
    assert "one function (numerical)" in capsys.readouterr().out
    assert main(["compare", "real.npz", "other.npz", *network]) == 1
    assert "two functions (proven)" in capsys.readouterr().out


def test_canonical_writes_one_form_of_both(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("one", "moved", "real"):
        assert main(["canonical", f"{name}.npz", "--network", "net.json", "-o", f"{name}_form.npz"]) == 0
        assert ("no bound for its error is known" in capsys.readouterr().out) == (name == "real")
    assert (
        algatt.parameters.load("one_form.npz")
        == algatt.parameters.load("moved_form.npz")
        != algatt.parameters.load("one.npz")
    )


def test_fiber_reads_networks(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fiber", "real.npz", "--network", "net.json"]) == 0
    assert "36" in capsys.readouterr().out  # dimension: 2 x 4 gains, 8 of norm biases, 4 of key biases, 16 of heads


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["one.npz", "-o", "x.npz"], "required: --tokens, or --network"),
        (["one.npz", "--network", "net.json"], "required: -o"),
        (["one.npz", "--network", "net.json", "--dims", "4,4", "-o", "x.npz"], "--dims was given with --network"),
        (["one.npz", "--tokens", "3", "--width", "4", "-o", "x.npz"], "--width was given without --network"),
        (["one.npz", "--network", "net.py:bloc", "-o", "x.npz"], "did you mean block?"),
        (["one.npz", "--tokens", "3", "-o", "x.npz"], "theta was Weights"),
    ],
)
def test_mistakes(arguments: list[str], told: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["canonical", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert told in err
    assert not Path("x.npz").exists()
