"""``algatt tree``: files by their suffix, text without one, and bad input in one line."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from algatt.cli.main import main


def test_text_is_printed_without_an_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tree", "--layers", "3"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines()[-1] == "factors: M_1 M_1^T M_2 M_1 M_1^T M_2^T M_1 M_1^T M_3 M_1 M_1^T M_2 M_1"
    assert main(["tree", "--layers", "12", "--dag"]) == 0
    assert capsys.readouterr().out.splitlines()[1] == "P_11 = P_10 M_11 P_10 M_11^T P_10"


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png", "html", "tex", "txt", "dot", "graphml", "json"])
@pytest.mark.parametrize("options", [[], ["--dag"]])
def test_each_suffix(suffix: str, options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"tree.{suffix}"
    assert main(["tree", "--layers", "2", *options, "-o", str(path)]) == 0
    assert capsys.readouterr() == ("", "")
    assert path.stat().st_size > 50
    if suffix in ("svg", "graphml"):
        ElementTree.parse(path)
    if suffix == "json":
        assert json.loads(path.read_text())["graph"]["kind"] == ("dag" if options else "tree")


def test_a_reflection(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with_slot, without = tmp_path / "with.svg", tmp_path / "without.svg"
    assert main(["tree", "--layers", "3", "--slot", "6", "--output", str(with_slot)]) == 0
    assert main(["tree", "--layers", "3", "--output", str(without)]) == 0
    assert "Reflection at slot 6" in with_slot.read_text()
    assert "Reflection" not in without.read_text()
    assert main(["tree", "--layers", "3", "--slot", "6"]) == 0
    assert "j_4 <-> j_9" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: NETWORK, --dims, or --layers"),
        (["--layers", "x"], "argument --layers: invalid int value: 'x'"),
        (["--layers", "0"], "layers was 0; it should be an integer >= 1"),
        (["--layers", "-2"], "layers was -2; it should be an integer >= 1"),
        (
            ["--layers", "30"],
            "layers was 30, whose tree has 257,363,915,118,298 nodes; it should be at most 10 for kind='tree'; "
            'kind="dag"',
        ),
        (
            ["--layers", "7", "-o", "tree.svg"],
            'tree was one of 7 layers with 1,093 factors; it should be of at most 6 layers; draw kind="dag"',
        ),
        (
            ["--layers", "3", "-o", "tree.xyz"],
            "output was 'tree.xyz', with the suffix .xyz; it should be a file that ends in .svg, .pdf",
        ),
        (["--layers", "3", "-o", "tree"], "output was 'tree', without a suffix"),
        (["--layers", "3", "-o", "missing/tree.svg"], "cannot write missing/tree.svg: No such file or directory"),
        (["--layers", "3", "--slot", "14"], "slot was 14; it should be an integer from 1 to 13"),
        (["--layers", "3", "--slot", "9", "-o", "tree.svg"], "slot was 9, that of M_3"),
        (["--layers", "3", "--slot", "3", "-o", "tree.json"], "slot was 3, for a .json file"),
        (["--layers", "3", "--dag", "--slot", "3", "-o", "tree.svg"], "window was 3, for a dag"),
    ],
)
def test_bad_input(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tree", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_missing_matplotlib_is_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["tree", "--layers", "2", "-o", str(tmp_path / "tree.svg")]) == 2
    assert (
        capsys.readouterr().err
        == "algatt: matplotlib is not installed; python -m pip install '.[plot]' in the folder of the clone brings it\n"
    )
    assert not list(tmp_path.iterdir())
    assert main(["tree", "--layers", "2", "-o", str(tmp_path / "tree.tex")]) == 0  # needs none


def test_the_help_lists_the_formats() -> None:
    from algatt.cli.main import build_parser
    from algatt.views.trees.files import SUFFIXES

    commands = next(action for action in build_parser()._actions if action.metavar == "COMMAND")
    assert isinstance(commands.choices, dict)
    assert all(suffix in commands.choices["tree"].format_help() for suffix in SUFFIXES)
