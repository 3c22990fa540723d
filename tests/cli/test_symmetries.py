"""The command ``algatt symmetries``."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

import algatt
from algatt.cli.main import main
from algatt.layers import Feedforward, Heads, Power, Residual
from algatt.symmetry import FamilyOrbit, SymmetryReport
from algatt.views import network_files
from algatt.views.tables import print_symmetries


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    network_files.write(algatt.Network(Residual(Feedforward(3, Power(2))), tokens=2, width=4), "net.json")
    return tmp_path


def test_a_row_for_each_space(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["symmetries", "net.json"]) == 0
    printed = capsys.readouterr().out
    assert "feedforward.hidden T(3) 3 feedforward.up, feedforward.down equivariant" in " ".join(printed.split())
    assert "together 3, of 24 parameters" in printed


def test_what_families_do_alone_is_told_where_they_share_directions() -> None:
    families = (FamilyOrbit("a", None, 3, 1, ("W",), "quotient"), FamilyOrbit("b", "O(2)", 4, 2, ("W",), "equivariant"))
    report = SymmetryReport(algatt.Lightning((4, 3, 4), (2, 2), 3), 52, 5, families, 0)
    stream = io.StringIO()
    print_symmetries(report, stream)
    printed = " ".join(stream.getvalue().split())
    assert "a 3 1 W quotient b O(2) 4 2 W equivariant" in printed
    assert "alone: directions in which no other family moves the weights" in printed


def test_many_families_are_counted_by_blocks_and_heads(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Five blocks of three heads have two families for each head, and one for neurons of each: 35."""
    block = Residual(Heads(3, width=2)) >> Residual(Feedforward(3, Power(2)))
    network_files.write(algatt.Network(5 * block, tokens=3, width=4), "deep.json")
    assert main(["symmetries", "deep.json"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "1.heads.score_1 GL(2) 15 times 4" in printed
    assert "1.feedforward.hidden T(3) 5 times 3" in printed
    assert "k times n: n in each of k blocks or heads" in printed
    assert main(["symmetries", "deep.json", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["symmetries"]) == 5 * (3 + 3 + 1)
    assert main(["dimension", "deep.json", "--prime", "8388593"]) == 0
    assert "- 1.heads.value_1 15 times 4" in " ".join(capsys.readouterr().out.split())


def test_networks_are_named_as_for_their_dimension(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["symmetries", "--dims", "4,3,4", "--ranks", "2,2", "--tokens", "3", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["dimension"] == 9 + 8 + 2  # HMK Corollary 3.8: 52 parameters, dimension 33


def test_a_model_at_full_size_is_counted_by_symbols(capsys: pytest.CaptureFixture[str]) -> None:
    """GPT-2: 144 heads with GL(64) for scores and for values, whose 2 * 144 * 64^2 directions are the most of them."""
    assert main(["symmetries", "gpt2", "--tokens", "2", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    groups = [one for one in printed["symmetries"] if one["group"] == "GL(64)"]
    assert sum(one["copies"] * one["dimension"] for one in groups) == 2 * 144 * 64**2
    assert printed["parameters"] == 124439808
    assert main(["symmetries", "gpt2", "--tokens", "2"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert "1.heads.score_2 132 times GL(64), dimension 4,096" in printed
    assert "GL(n) all invertible n x n matrices" in printed


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["absent.json"], "absent.json"),
        (["net.json", "--tokens", "3"], "--tokens was given with a network; it should be given with a layer only"),
        (["--dims", "4,3"], "required: --ranks, --tokens"),
        (["net.json", "--seed", "-1"], "seed was -1"),
    ],
)
def test_bad_input_is_told_in_a_line(
    arguments: list[str], told: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["symmetries", *arguments]) == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    assert told in printed.err
