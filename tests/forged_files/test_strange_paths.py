"""Paths at which there is no file are refused without waiting for it."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.cli.main import main
from algatt.dynamics import load_trajectory
from algatt.files import read_arrays
from forged_files import MATRIX, MEGABYTE, memory, refusal


def readers() -> dict[str, Callable[[Path], Any]]:
    """Everything that reads a file of a user's."""
    return {
        "verify": algatt.verify,
        "Certificate.load": algatt.certificates.Certificate.load,
        "load": algatt.load,
        "parameters.load": algatt.parameters.load,
        "load_trajectory": load_trajectory,
        "read_arrays": lambda path: read_arrays(path, "a proper file"),
    }


COMMANDS = {
    "verify": lambda path: ["verify", path],
    "compare": lambda path: ["compare", path, path, "--tokens", "2"],
    "fiber": lambda path: ["fiber", path, "--tokens", "2"],
    "canonical": lambda path: ["canonical", path, "--tokens", "2", "-o", "-"],
    "flow": lambda path: ["flow", "--resume", path],
    "attention-spectrum": lambda path: [*MATRIX, path],
}


@pytest.fixture
def strange(tmp_path: Path) -> Iterator[dict[str, Path]]:
    """Paths at which there is no regular file, behind links or not."""
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    address = socket.socket(socket.AF_UNIX)
    address.bind(str(tmp_path / "socket"))
    places = {
        "a directory": tmp_path / "folder",
        "a pipe": tmp_path / "pipe",
        "a device": Path("/dev/zero"),
        "a socket": tmp_path / "socket",
    }
    for what, place in list(places.items()):
        link = tmp_path / f"link to {what}"
        link.symlink_to(place)
        places[f"a link to {what}"] = link
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    yield places | {"a circle": tmp_path / "circle", "a link to nothing": tmp_path / "nowhere"}
    address.close()


def writing_to(pipe: Path) -> threading.Thread:
    """Whoever opens the pipe for reading, and waits, is given something."""

    def write() -> None:
        with pipe.open("wb") as stream:
            stream.write(b"something")

    thread = threading.Thread(target=write)
    thread.start()
    return thread


def release(pipe: Path, thread: threading.Thread) -> None:
    """Let a writer go for whom nobody waited."""
    descriptor = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    thread.join()
    os.close(descriptor)


@pytest.mark.parametrize("name", readers())
def test_what_is_no_file_is_refused_without_waiting_for_it(name: str, strange: dict[str, Path]) -> None:
    folders = ("a directory", "a link to a directory") if name == "load" else ()  # which it takes
    allowed = ("a circle", "a link to nothing", *folders)
    for what, path in strange.items():
        writer = writing_to(strange["a pipe"]) if "pipe" in what else None
        with memory(MEGABYTE):
            message = refusal(path, readers()[name])
        if writer is not None:
            release(strange["a pipe"], writer)
            assert "cannot be read (it is a pipe, not a file)" in message
        assert "cannot be read (it is a" in message or what in allowed, what


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_line_refuses_what_is_no_file(
    command: str, strange: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    for what in ("a directory", "a pipe", "a device", "a link to a pipe"):
        writer = writing_to(strange["a pipe"]) if "pipe" in what else None
        assert main(COMMANDS[command](str(strange[what]))) == 2
        if writer is not None:
            release(strange["a pipe"], writer)
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        # compare and canonical take a directory for a checkpoint, and say what is wrong with it as one
        of_checkpoint = command == "canonical" or (command == "compare" and what == "a directory")
        assert "cannot be read (it is a" in err or (of_checkpoint and err.startswith("algatt: "))


def test_a_link_to_a_file_is_read(tmp_path: Path) -> None:
    """As caches of models have them."""
    theta = algatt.sample(algatt.Lightning((3, 2), (2,), 2), algatt.Weights)
    theta.save(tmp_path / "blob")
    (tmp_path / "theta.npz").symlink_to("blob")
    assert algatt.parameters.load(tmp_path / "theta.npz") == theta


def test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the path and its opening."""
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    regular = (tmp_path / "file").stat()
    monkeypatch.setattr(Path, "stat", lambda path: regular)
    assert "it is a pipe" in refusal(tmp_path / "pipe")
