"""The command ``algatt conservation-laws``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import algatt
from algatt.cli.main import main
from algatt.layers import Feedforward, ReLU
from algatt.views import network_files

SIZES = ["--dims", "3,3", "--ranks", "2", "--tokens", "2"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    network_files.write(algatt.Network(Feedforward(3, ReLU()), tokens=1, width=4), "net.json")
    return tmp_path


def test_a_row_for_each_quantity(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conservation-laws", "net.json"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "3 conserved quantities of 24 parameters (proven)" in printed
    assert "feedforward.up feedforward.up^T - feedforward.down^T feedforward.down its diagonal, 3" in printed
    assert "further quantities none" in printed


def test_coefficients_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conservation-laws", *SIZES, "--score", "exp", "--laws-only", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["rank"], found["missing"], found["status"]) == (None, None, "probable")
    # (Q Q^T - K K^T)[0, 1], with Q before K, row by row
    assert found["laws"][1]["products"] == [[0, 3, 1], [1, 4, 1], [2, 5, 1], [6, 9, -1], [7, 10, -1], [8, 11, -1]]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["absent.json"], "absent.json"),
        ([*SIZES, "--seed", "-1"], "seed was -1"),
        (["--dims", "3,3"], "required: --ranks, --tokens"),
    ],
)
def test_bad_input_is_told_in_a_line(
    arguments: list[str], told: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["conservation-laws", *arguments]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert told in printed.err
