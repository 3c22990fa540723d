"""What a process does for a sweep: one question at a time, with an end to each; it ends with its parent."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

from algatt.architectures import Architecture
from algatt.errors import AlgattError
from algatt.sweeps.answer import Answer
from algatt.sweeps.questions import Question, ask

__all__ = ["Outcome", "Task", "do", "prepare"]

REFUSALS = (AlgattError, ArithmeticError, MemoryError, TypeError, ValueError, RecursionError)
"""What a question may raise of an architecture that it is not for: the record says so, and the sweep goes on."""


@dataclass(frozen=True)
class Task:
    """A question to ask.

    Parameters
    ----------
    question : str or callable
        What is asked.
    architecture : Architecture
        Of what.
    seed : int
        Names the random points.
    limit : float or None
        Seconds that it may take.
    """

    question: str | Question
    architecture: Architecture
    seed: int
    limit: float | None


@dataclass(frozen=True)
class Outcome:
    """How a question ended.

    Parameters
    ----------
    answer : Answer or None
        What was answered.
    error : str or None
        Why nothing was.
    seconds : float
        Wall time.
    host : str
        The machine.
    """

    answer: Answer | None
    error: str | None
    seconds: float
    host: str


class TooLongError(Exception):
    """The time of a question is over."""


def prepare() -> None:
    """Make a process one that works for another: it leaves Ctrl-C to its parent, and ends when that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=end_with, args=(parent.sentinel,), daemon=True).start()


def end_with(sentinel: int) -> None:
    """Wait for the end of the parent, and end at once."""
    multiprocessing.connection.wait([sentinel])
    os._exit(1)


def do(task: Task) -> Outcome:
    """Ask a question; an error becomes part of the outcome."""
    began = time.perf_counter()
    answer, error = None, None
    try:
        with at_most(task.limit):
            answer = ask(task.question, task.architecture, task.seed)
    except TooLongError:
        error = f"no answer within {task.limit:g} s"
    except REFUSALS as raised:
        error = " ".join(f"{type(raised).__name__}: {raised}".split())
    return Outcome(answer, error, time.perf_counter() - began, socket.gethostname())


@contextlib.contextmanager
def at_most(seconds: float | None) -> Iterator[None]:
    """Raise `TooLongError` when so many seconds are over, as soon as Python sees it; where there are no alarms, or in
    another thread than the first, time has no end.
    """
    if seconds is None or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def end(*_: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
