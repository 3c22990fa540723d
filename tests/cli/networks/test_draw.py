"""Networks from files on the command line: draw, and what it writes."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import algatt
from algatt.cli.main import main
from algatt.views import network_files
from networks_in_files import NETWORK, report


def test_text_is_printed_without_an_output(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "net.json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert out == algatt.architectures.outline(NETWORK)


@pytest.mark.parametrize("suffix", network_files.SUFFIXES)
def test_each_suffix(suffix: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "net.json", "-o", f"picture.{suffix}"]) == 0
    assert capsys.readouterr() == ("", "")
    path = Path(f"picture.{suffix}")
    assert path.stat().st_size > 50
    if suffix in ("svg", "graphml"):
        ElementTree.parse(path)
    if suffix not in ("pdf", "png"):
        assert main(["draw", "net.json", "-o", "-", "--format", suffix]) == 0
        assert capsys.readouterr().out == path.read_text()


def test_a_description_is_read_back(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["draw", "net.py:lightning", "-o", "lightning.json"]) == 0
    assert main(["draw", "lightning.json"]) == 0
    assert "1.heads.Q_1" in capsys.readouterr().out
    assert report(capsys, "dimension", "lightning.json")["lower"] == 33  # HMK Corollary 3.8


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: NETWORK, or --dims, --ranks, --tokens"),
        (
            ["net.json", "-o", "net.doc"],
            "output was 'net.doc', with the suffix .doc; it should be a file that ends in .svg, .pdf",
        ),
        (["net.json", "-o", "missing/net.svg"], "cannot write missing/net.svg: No such file or directory"),
        (["net.json", "-o", "-"], "output was stdout; it should be given with --format"),
        (["net.json", "--format", "svg"], "--format was given without -o"),
        (["missing.json"], "network was 'missing.json', which cannot be read"),
        (["net.json", "--seed", "1"], "unrecognized arguments: --seed"),
    ],
)
def test_bad_input_to_draw(
    arguments: list[str],
    message: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["draw", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err


def test_a_missing_matplotlib_is_told_in_one_line(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["draw", "net.json", "-o", "net.svg"]) == 2
    told = "algatt: matplotlib is not installed; python -m pip install '.[plot]' in the folder of the clone brings it\n"
    assert capsys.readouterr().err == told
    assert main(["draw", "net.json", "-o", "net.html"]) == 0  # needs none
