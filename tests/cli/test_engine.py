"""``algatt dimension --engine``."""

from __future__ import annotations

import sys

import pytest

from algatt.cli.commands.dimension import engine_of
from algatt.cli.main import main
from algatt.linalg import Blas, Gpu

SIZES = ["dimension", "--dims", "4,4,4", "--ranks", "2,2", "--tokens", "3"]


def test_names_of_engines() -> None:
    assert [engine_of(text) for text in (None, "blas", "gpu", "gpu:cpu", "gpu:cuda:1")] == [
        None,
        Blas(),
        Gpu(),
        Gpu("cpu"),
        Gpu("cuda:1"),
    ]


def test_a_dimension_on_a_device(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("torch", reason="the extra gpu is not installed")
    assert main([*SIZES, "--engine", "gpu:cpu"]) == 0
    assert "38 (proven)" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "cuda", "gpu:", "blas:cpu", "flint"])
def test_other_engines_are_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SIZES, "--engine", text]) == 2
    assert "--engine was" in capsys.readouterr().err


def test_a_missing_package_is_told_with_its_extra(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    assert main([*SIZES, "--engine", "gpu"]) == 2
    assert "'.[gpu]'" in capsys.readouterr().err


def test_balls_have_no_engine(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SIZES, "--engine", "blas", "--bits", "64"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
