"""The progress bar is seen on a terminal, for long work, and nowhere else."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import algatt
from algatt.cli.main import main
from algatt.views.progress import ProgressBar

HANGS = 600
"""Seconds after which a test that waits for something that never comes ends: no test passes or fails by it
otherwise.
"""


class Stream(io.StringIO):
    """A stream that may say that it is a terminal, and tells when some text has been written to it."""

    def __init__(self, terminal: bool, awaited: str = "") -> None:
        super().__init__()
        self.terminal, self.awaited, self.arrived = terminal, awaited, threading.Event()

    def isatty(self) -> bool:
        return self.terminal

    def write(self, text: str) -> int:
        written = super().write(text)
        if self.awaited and self.awaited in self.getvalue():
            self.arrived.set()
        return written


@pytest.fixture
def no_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every bar start as its work begins, as if two seconds had gone by."""

    class Timer(threading.Timer):
        def __init__(self, interval: float, function: Callable[[], object]) -> None:
            super().__init__(0.0, function)

        def start(self) -> None:
            super().start()
            self.join(HANGS)

    monkeypatch.setattr(threading, "Timer", Timer)
    monkeypatch.setenv("TERM", "xterm-256color")


def test_short_work_prints_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Stream(terminal=True)
    monkeypatch.setattr("sys.stderr", terminal)
    with ProgressBar("rank", patience=10 * HANGS) as progress:
        progress(1, 2)
    assert terminal.getvalue() == ""


@pytest.mark.usefixtures("no_patience")
def test_long_work_is_shown_on_a_terminal_and_erased(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Stream(terminal=True, awaited="17/33")
    monkeypatch.setattr("sys.stderr", terminal)
    with ProgressBar("rank") as progress:
        progress(17, 33)
        assert terminal.arrived.wait(HANGS)
        assert "rank" in terminal.getvalue()
    assert terminal.getvalue().endswith("\x1b[2K")  # the line is erased
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("variables", [{}, {"FORCE_COLOR": "1"}, {"TTY_COMPATIBLE": "1"}, {"TTY_INTERACTIVE": "1"}])
@pytest.mark.usefixtures("no_patience")
def test_long_work_prints_nothing_where_there_is_no_terminal(
    variables: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    file = Stream(terminal=False)
    monkeypatch.setattr("sys.stderr", file)
    with ProgressBar("rank") as progress:
        progress(17, 33)
    assert file.getvalue() == ""


def test_long_work_prints_lines_where_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    file = Stream(terminal=False, awaited="algatt: rank, 17 of 33, ")
    monkeypatch.setattr("sys.stderr", file)
    with ProgressBar("rank", silence=0.001) as progress:
        progress(17, 33)
        assert file.arrived.wait(HANGS)
    written = file.getvalue()
    assert written.endswith(" s\n")
    assert file.getvalue() == written


@pytest.mark.usefixtures("no_patience")
def test_long_work_without_a_stderr(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr", None)
    with ProgressBar("rank") as progress:
        progress(17, 33)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "command",
    [
        "dimension --dims 2,2 --ranks 1 --tokens 2",
        "jacobian-spectrum --dims 2,2 --ranks 1 --tokens 2",
        "flow --heads 1 --tokens 4 --until 1",
        "attention-spectrum --tokens 40 --draws 1 --beta 0.5",
    ],
)
@pytest.mark.usefixtures("no_patience")
def test_slow_commands_print_nothing_on_a_stderr_that_is_no_terminal(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(command.split()) == 0
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("no_patience")
def test_a_slow_verification_prints_nothing_on_a_stderr_that_is_no_terminal(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = str(tmp_path / "certificate.json")
    algatt.certify(algatt.Lightning((2, 2), (1,), 2)).save(path)
    assert main(["verify", path]) == 0
    assert capsys.readouterr().err == ""


def test_errors_pass_through() -> None:
    with pytest.raises(ZeroDivisionError), ProgressBar("rank"):
        raise ZeroDivisionError
