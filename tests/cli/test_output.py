"""``-o``: one name in every command, stdout as ``-``, formats by suffix or by name, and tables without
trailing blanks.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import algatt
from algatt.cli.main import build_parser, main
from algatt.dynamics import load_trajectory
from algatt.views import network_files

SIZES = ["--dims", "4,3,4", "--ranks", "2,2", "--tokens", "3"]
DIMENSION = ["dimension", *SIZES]
SPECTRUM = ["jacobian-spectrum", *SIZES]
TREE = ["tree", "--layers", "2"]
FLOW = ["flow", "--heads", "1,0.5", "--tokens", "6", "--until", "0.1"]
ATTENTION = ["attention-spectrum", "--tokens", "60", "--beta", "0.5", "--draws", "1"]
FIBER = ["fiber", "theta.npz", "--tokens", "3"]

WRITING = {
    "dimension": DIMENSION,
    "jacobian-spectrum": SPECTRUM,
    "tree": TREE,
    "flow": FLOW,
    "attention-spectrum": ATTENTION,
    "fiber": FIBER,
    "canonical": ["canonical", "theta.npz", "--tokens", "3"],
    "move": ["move", "drawn"],
    "draw": ["draw", "drawn.json"],
    "program": ["program", "drawn.json"],
    "certify": ["certify", *DIMENSION[1:]],
    "export": ["export", "--dims", "2,1", "--ranks", "1", "--tokens", "2", "--to", "sympy"],
}

READING = (
    "verify", "compare", "align", "methods", "layers", "symmetries", "conservation-laws", "equations",
    "degree", "identify", "hilbert-function", "invariants", "drift", "parameters",
    "transform", "sweep", "table", "report", "fit-formula",
)  # fmt: skip
"""Commands whose result is an answer, with a picture perhaps, or the folder that they name as their second argument."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder but for a file of weights and one of a network."""
    monkeypatch.chdir(tmp_path)
    network_files.write(algatt.Network(algatt.layers.Heads(2), tokens=3, width=4), "drawn.json")
    algatt.sample(algatt.Lightning((4, 3, 4), (2, 2), 3), algatt.Weights, seed=0).save("theta.npz")
    return tmp_path


def test_the_option_has_one_name_everywhere() -> None:
    commands = next(action for action in build_parser()._actions if action.metavar == "COMMAND").choices
    assert set(commands) == {*WRITING, *READING}
    for name, parser in commands.items():
        assert {"-o", "--output"} <= set(parser._option_string_actions) or name in READING


@pytest.mark.parametrize("alias", ["-o", "--output", "--save"])
def test_a_certificate(alias: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DIMENSION, alias, "certificate"]) == 0
    assert "33 (proven)" in capsys.readouterr().out
    assert algatt.verify("certificate").ok


@pytest.mark.parametrize("alias", ["-o", "--output", "--sample"])
def test_a_point_of_a_fibre(alias: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*FIBER, alias, "member.npz"]) == 0
    assert "one orbit (proven)" in capsys.readouterr().out
    assert main(["compare", "theta.npz", "member.npz", "--tokens", "3"]) == 0


def test_a_certificate_on_stdout_is_all_that_is_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*DIMENSION, "-o", "-"]) == 0
    out = capsys.readouterr().out
    assert main([*DIMENSION, "-o", "file.json"]) == 0
    assert out == Path("file.json").read_text()
    assert json.loads(out)["format"] == "algatt certificate"
    assert main([*DIMENSION, "--save", "-", "--require-proof"]) == 0


PICTURES = [
    *((command, kind) for command in ("tree", "draw") for kind in ("svg", "png", "pdf")),
    *(("attention-spectrum", "svg"), ("jacobian-spectrum", "png"), ("flow", "pdf")),
]
"""Trees and networks have writers of their own for each format; the figures of the others have one writer together."""


@pytest.mark.sample(2)
@pytest.mark.parametrize(("command", "kind"), PICTURES)
def test_a_picture_on_stdout_is_that_of_the_file(
    command: str, kind: str, folder: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main([*WRITING[command], "-o", "-", "--format", kind]) == 0
    out = capsysbinary.readouterr().out
    assert main([*WRITING[command], "-o", f"file.{kind}"]) == 0
    assert out == Path(f"file.{kind}").read_bytes()
    if kind == "svg":
        ElementTree.fromstring(out)


def test_what_other_programs_read_on_stdout(folder: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main([*FLOW, "-o", "-", "--format", "npz"]) == 0
    Path("run.npz").write_bytes(capsysbinary.readouterr().out)
    assert load_trajectory("run.npz").ending == "until"
    assert main([*FIBER, "-o", "-"]) == 0
    with np.load(io.BytesIO(capsysbinary.readouterr().out)) as arrays:
        assert str(arrays["kind"]) == "Weights"
    for kind in ("json", "dot", "graphml", "tex", "txt", "html"):
        assert main([*TREE, "-o", "-", "--format", kind]) == 0
        assert main([*TREE, "-o", f"tree.{kind}"]) == 0
        assert capsysbinary.readouterr().out == Path(f"tree.{kind}").read_bytes()


def test_a_format_that_is_named_counts(folder: Path) -> None:
    assert main([*TREE, "-o", "picture.txt", "--format", "svg"]) == 0
    ElementTree.parse("picture.txt")
    assert main([*TREE, "-o", "./-", "--format", "json"]) == 0
    assert json.loads(Path("./-").read_text())["graph"]["layers"] == 2


class Terminal(io.StringIO):
    """A stdout that somebody looks at."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            [*TREE, "-o", "-"],
            "output was stdout; it should be given with --format: one of svg, pdf, png, tex, txt, html, dot, graphml, "
            "json",
        ),
        ([*SPECTRUM, "-o", "-"], "output was stdout; it should be given with --format: one of svg, pdf, png"),
        (
            [*FLOW, "-o", "-", "--format", "png", "--json"],
            "--json was given with -o -; it should be given without: stdout holds one thing",
        ),
        ([*DIMENSION, "-o", "-", "--json"], "--json was given with -o -"),
        (
            [*DIMENSION, "-o", "-", "--float"],
            "--output was given with --float; it should be given without: floating point proves nothing",
        ),
        ([*TREE, "--format", "svg"], "--format was given without -o; it should be given with it"),
        ([*TREE, "-o", "tree.svg", "--slot", "1", "--format", "json"], "slot was 1, for a .json file"),
        ([*FIBER, "-o", "missing/member.npz"], "cannot write missing/member.npz"),
    ],
)
def test_what_cannot_be_written_is_told_before_the_work(
    arguments: list[str],
    message: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(algatt.dynamics, "integrate", None)
    for verb in ("dimension", "jacobian_spectrum", "unroll", "fiber"):
        monkeypatch.setattr(algatt, verb, None)
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"algatt: {message}")
    assert err.count("\n") == 1
    assert sorted(path.name for path in folder.iterdir()) == ["drawn.json", "theta.npz"]


def test_a_terminal_shows_no_bytes(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert main([*TREE, "-o", "-", "--format", "png"]) == 2
    assert main([*FIBER, "-o", "-"]) == 2
    assert main([*TREE, "-o", "-", "--format", "txt"]) == 0
    assert sys.stdout.getvalue().startswith("phi\n")
    err = capsys.readouterr().err
    assert err.splitlines() == [
        f"algatt: output was a terminal, for {kind}; it should be a file or a pipe" for kind in ("png", "npz")
    ]


def test_a_full_disk_behind_stdout_is_told(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(algatt.__file__).parents[1])}
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "algatt", *TREE, "-o", "-", "--format", "svg"]
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, check=False, env=environment, cwd=tmp_path
        )
    assert (done.returncode, done.stderr) == (3, "algatt: [Errno 28] No space left on device\n")


@pytest.mark.parametrize(
    "command",
    [
        DIMENSION,
        [*DIMENSION, "--score", "exp"],
        SPECTRUM,
        FLOW,
        ATTENTION,
        FIBER,
        ["compare", "theta.npz", "theta.npz", "--tokens", "3"],
        ["methods", "convert"],
        TREE,
        ["--help"],
        ["flow", "--help"],
    ],
    ids=lambda command: " ".join(command[:1] + command[-1:]),
)
def test_no_line_ends_in_blanks(command: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(command) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines
    assert [line for line in lines if line != line.rstrip()] == []
    assert len({len(line) for line in lines}) > 1
