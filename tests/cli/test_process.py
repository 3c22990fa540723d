"""Ctrl-C ends a command wherever it is, with exit code 130 and one line; what it had to finish is finished."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import algatt
from algatt.cli.process import ChildWatch

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere work is done in the same process")

LONG_ENOUGH = 120
"""Seconds after which a process that should have ended is given up."""

HOURS = "sum(itertools.chain(map(os.write, [1], [b'begun\\n']), range(10**13)))"
"""One call of C, which says that it has begun and looks at no signal before its end."""

BEGIN = """
import itertools, os, signal, sys, time
from algatt.cli import process
process.PATIENCE = float(sys.argv.pop(1))
def work():
"""

END = """
sys.exit(process.run_watched(work))
"""


def with_interrupts() -> None:
    """Let a process be interrupted, also if a shell runs these tests in its background and has them ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def started(body: str, *arguments: str, patience: float = 0.05, **options: object) -> Iterator[subprocess.Popen[str]]:
    """Run a program that watches over some work, with some patience, and kill it in the end if it still runs."""
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    environment = {**os.environ, "PYTHONPATH": str(Path(algatt.__file__).parents[1])}
    command = [sys.executable, "-c", f"{BEGIN}{lines}{END}", str(patience), *arguments]
    options = {"preexec_fn": with_interrupts} | options
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, **options
    )  # type: ignore[call-overload]
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def line_of(process: subprocess.Popen[str]) -> str:
    """Wait for a line of its output, with which the work says how far it is."""
    assert process.stdout is not None
    return process.stdout.readline().strip()


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for the end and return the exit code and what is on stderr."""
    _, err = process.communicate(timeout=LONG_ENOUGH)
    return process.returncode, err


def test_a_call_that_looks_at_no_signal_is_ended() -> None:
    with started(f"return {HOURS}") as process:
        assert line_of(process) == "begun"
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, "algatt: interrupted\n")


def test_work_that_has_seen_the_signal_ends_in_its_own_time(tmp_path: Path) -> None:
    """As a checkpoint is written: longer than the parent waits for what has seen nothing. A terminal sends the signal
    to both processes.
    """
    body = """
try:
    print('begun', flush=True)
    time.sleep(1000)
except KeyboardInterrupt:
    time.sleep(3)
    open(sys.argv[1], 'w').write('whole')
    return 5
"""
    path = tmp_path / "checkpoint"
    with started(body, str(path), patience=2, start_new_session=True) as process:
        assert line_of(process) == "begun"
        os.killpg(process.pid, signal.SIGINT)
        assert ended(process) == (5, "")
    assert path.read_text() == "whole"


def test_the_second_interrupt_waits_for_nothing() -> None:
    body = f"""
try:
    print('waiting', flush=True)
    time.sleep(1000)
except KeyboardInterrupt:
    {HOURS}
"""
    with started(body, patience=LONG_ENOUGH) as process:
        assert line_of(process) == "waiting"
        process.send_signal(signal.SIGINT)
        assert line_of(process) == "begun"
        process.send_signal(signal.SIGINT)
        assert ended(process) == (130, "algatt: interrupted\n")


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("body", "code", "message"),
    [
        ("return 7", 7, ""),
        ("sys.stderr.write('told\\n')\nreturn 0", 0, "told\n"),
        (
            "os.kill(os.getpid(), signal.SIGKILL)",
            3,
            "algatt: the system ended the process, as it does where memory is short\n",
        ),
        ("os.kill(os.getpid(), signal.SIGSEGV)", 4, "algatt: the process was ended by SIGSEGV\n"),
    ],
)
def test_the_end_of_the_work_is_the_end_of_the_program(body: str, code: int, message: str) -> None:
    with started(body) as process:
        assert ended(process) == (code, message)


def has_ended(pid: int) -> bool:
    """Return whether a process has ended; one that nobody has waited for may still be listed."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state in "ZX"


@pytest.mark.sample(2)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_no_work_outlives_the_program(number: signal.Signals) -> None:
    with started(f"print(os.getpid(), flush=True)\nreturn {HOURS}") as process:
        child = int(line_of(process))
        assert child != process.pid
        assert not has_ended(child)
        process.send_signal(number)
        assert ended(process) == (-number, "")  # which waits until nobody has its stderr, and the child is about to end
        while not has_ended(child):
            pass


def test_before_there_is_a_child_no_signal_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process number 0 would be everybody in the group."""
    sent: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *call: sent.append(call))
    monkeypatch.setattr(signal, "setitimer", lambda *call: None)
    watch = ChildWatch(seen=0)
    for _ in range(2):
        watch.interrupt(signal.SIGINT, None)
    watch.check(signal.SIGALRM, None)
    assert sent == []
    assert watch.interrupted
    watch.child = 12345
    watch.pass_on()
    watch.interrupt(signal.SIGINT, None)
    assert sent == [(12345, signal.SIGINT), (12345, signal.SIGKILL)]


def test_where_interrupts_are_ignored_they_stay_so() -> None:
    """As after nohup, or in the background of a script."""
    with started(
        "print(os.getpid(), flush=True)\nreturn 0", preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)
    ) as process:
        assert int(line_of(process)) == process.pid
        assert ended(process) == (0, "")


def test_an_interrupted_command_leaves_nothing(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(algatt.__file__).parents[1])}
    sizes = ["--dims", "64,64,64", "--ranks", "32,32", "--tokens", "4"]
    command = [sys.executable, "-m", "algatt", "dimension", *sizes, "-o", "certificate.json"]
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=tmp_path,
        preexec_fn=with_interrupts,
    )
    try:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while process.poll() is None and not children.read_text():  # until the work has begun
            pass
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=LONG_ENOUGH)
    finally:
        process.kill()
    assert (process.returncode, out) == (130, "")
    assert err.splitlines()[-1] == "algatt: interrupted"
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []
