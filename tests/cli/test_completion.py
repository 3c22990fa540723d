"""Completion in shells, asked for as bash asks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import algatt
from algatt.cli.commands import COMMANDS

pytest.importorskip("argcomplete")


def completed(line: str, folder: Path) -> list[str]:
    """Return what may follow a line."""
    answer = folder / "answer"
    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(algatt.__file__).parents[1]),
        "_ARGCOMPLETE": "1",
        "_ARGCOMPLETE_SHELL": "bash",
        "_ARGCOMPLETE_IFS": "\n",
        "_ARGCOMPLETE_STDOUT_FILENAME": str(answer),
        "COMP_LINE": line,
        "COMP_POINT": str(len(line)),
        "COMP_TYPE": "9",
    }
    done = subprocess.run(
        [sys.executable, "-m", "algatt"], capture_output=True, check=True, env=environment, cwd=folder
    )
    assert (done.stdout, done.stderr) == (b"", b"")
    return sorted(entry.strip() for entry in answer.read_text().split("\n"))


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("algatt di", ["dimension"]),
        ("algatt dimension --d", ["--dims"]),
        ("algatt dimension --dims 4,3,4 --s", ["--save", "--score", "--seed"]),
        ("algatt jacobian-spectrum --draw ", ["normal", "uniform"]),
        ("algatt tree --format s", ["svg"]),
        ("algatt methods dimen", ["dimension"]),
        ("algatt verify cert", ["certificate.json"]),
        ("algatt dimension -o cert", ["certificate.json"]),
        ("algatt dimension --dims cert", [""]),  # no file is a list of widths
    ],
)
def test_what_may_follow(line: str, expected: list[str], tmp_path: Path) -> None:
    (tmp_path / "certificate.json").write_text("{}")
    assert completed(line, tmp_path) == expected


def test_commands(tmp_path: Path) -> None:
    assert set(COMMANDS) <= set(completed("algatt ", tmp_path))


@pytest.mark.parametrize(("line", "imported"), [("algatt di", []), ("algatt tree --l", ["algatt.cli.commands.tree"])])
def test_only_commands_on_the_line_are_imported(line: str, imported: list[str], tmp_path: Path) -> None:
    code = """
import sys, argcomplete
from algatt.cli.main import main
argcomplete.autocomplete = lambda parser, **options: print([name for name in sys.modules if "cli.commands." in name])
main([])
"""
    root = str(Path(algatt.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": root, "_ARGCOMPLETE": "1", "COMP_LINE": line}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=tmp_path)
    assert done.stdout.splitlines()[0] == str(imported)


def test_nothing_is_imported_for_it_unless_a_shell_asks(tmp_path: Path) -> None:
    code = "import sys; from algatt.cli.main import main; main(['--help']); sys.exit('argcomplete' in sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(Path(algatt.__file__).parents[1])}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, cwd=tmp_path, stdout=subprocess.DEVNULL)


def test_shells_find_the_mark(tmp_path: Path) -> None:
    """Global completion looks for it at the beginning of the module that the console script names."""
    main = Path(algatt.__file__).with_name("cli") / "main.py"
    assert "PYTHON_ARGCOMPLETE_OK" in main.read_text()[:1024]


def test_without_argcomplete_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    from algatt.cli.completion import complete
    from algatt.cli.main import build_parser

    monkeypatch.setenv("_ARGCOMPLETE", "1")
    monkeypatch.setattr("algatt.cli.completion.find_spec", lambda name: None)
    complete(build_parser())
