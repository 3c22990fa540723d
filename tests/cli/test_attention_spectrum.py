"""``algatt attention-spectrum``: a table, JSON, a picture by its suffix, and bad input in one line."""

from __future__ import annotations

import json
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import algatt
from algatt.cli.main import main
from algatt.spectra import chain_reports

SMALL = ["attention-spectrum", "--tokens", "60", "--key-dim", "40", "--beta", "0.5", "--draws", "2"]


def test_the_table_has_a_row_for_each_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(SMALL) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert "60 tokens, 40 key dimensions, beta 0.5, 2 draws (numerical)" in out
    names = ["Attention", "Exponential", "Entrywise", "Polynomial", "LinearPolynomial", "Linear"]
    first_words = [(line.split() or [""])[0] for line in out.splitlines()]
    assert [word for word in first_words if word in names] == names
    assert f"edge {algatt.edge(algatt.AttentionLaw(0.5, 1.5)):.6g}" in out


def test_json_is_that_of_the_reports(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SMALL, "--seed", "3", "--degree", "4", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    reports = chain_reports(algatt.AttentionEnsemble(60, 60, 40, 0.5), draws=2, seed=3, degree=4)
    expected = [{**report.to_dict(), "wasserstein_attention": algatt.wasserstein_distance(report.values, reports[0].values)} for report in reports]
    for one in (*printed, *expected):
        del one["seconds"]
    assert printed == expected


@pytest.mark.parametrize("suffix", ["svg", "pdf", "png"])
def test_each_suffix(suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"figure.{suffix}"
    assert main([*SMALL, "-o", str(path)]) == 0
    assert capsys.readouterr().err == ""
    assert path.stat().st_size > 5000
    if suffix == "svg":
        ElementTree.parse(path)  # noqa: S314 (our own file)


def test_too_few_tokens_are_warned_of_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attention-spectrum", "--tokens", "30", "--beta", "1.5", "--draws", "1"]) == 0
    out, err = capsys.readouterr()
    assert "Attention" in out
    assert err == "algatt: warning: beta 1.5 is large for 30 tokens: about exp(4 beta^2) = 8,104 are needed before the limit law is near\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: --tokens"),
        (["--tokens", "0"], "tokens was 0; it should be an integer >= 1"),
        (["--tokens", "20", "--width", "10"], "tokens was 20, more than the width 10; it should be at most the width"),
        (["--tokens", "20", "--key-dim", "0"], "key_dim was 0"),
        (["--tokens", "20", "--beta", "-1"], "beta was -1.0; it should be a finite number >= 0"),
        (["--tokens", "20", "--beta", "0"], "beta was 0, for which the limit is the point mass at 0"),
        (["--tokens", "20", "--beta", "30"], "beta was 30; it should be at most 18"),
        (["--tokens", "20", "--draws", "0"], "draws was 0"),
        (["--tokens", "20", "--beta", "0.1", "--seed", "-1"], "seed was -1"),
        (["--tokens", "20", "--degree", "0"], "degree was 0"),
        (["--tokens", "20", "-o", "figure.xyz"], "output was 'figure.xyz'; it should be a file that ends in .svg, .pdf or .png"),
        (["--tokens", "20", "-o", "missing/figure.svg"], "cannot write missing/figure.svg"),
    ],
)
def test_bad_input(arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["attention-spectrum", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert message in err
    assert len([line for line in err.splitlines() if "warning" not in line]) == 1
    assert not list(tmp_path.iterdir())


def test_sizes_beyond_any_memory_are_told_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attention-spectrum", "--tokens", "20", "--key-dim", str(10**24), "--beta", "0.1"]) == 3
    assert capsys.readouterr().err == "algatt: there is not enough memory for this\n"


def test_a_missing_matplotlib_is_told_before_the_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert main(["attention-spectrum", "--tokens", "5000", "-o", str(tmp_path / "figure.svg")]) == 2
    assert capsys.readouterr().err == "algatt: matplotlib is not installed; pip install 'algatt[plot]' brings it\n"
