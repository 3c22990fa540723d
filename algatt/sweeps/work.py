"""What a process does for a sweep: one question at a time, with an end to each; it ends with its parent."""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import functools
import multiprocessing
import multiprocessing.connection
import os
import platform
import signal
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from algatt.architectures import Architecture
from algatt.sweeps.answer import Answer
from algatt.sweeps.questions import Question, ask
from algatt.version import __version__

COMPUTES = ("numpy", "python-flint", "galois", "numba")

HARD = 2.0, 1.0
"""A process whose question did not end in time ends after so many times its limit, and so many seconds."""


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
    version : str, optional
        Of the package that asks.
    """

    question: str | Question
    architecture: Architecture
    seed: int
    limit: float | None
    version: str = __version__


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
    software : dict of str to str
        The versions of Python and of what computes there.
    """

    answer: Answer | None
    error: str | None
    seconds: float
    host: str
    software: dict[str, str] = field(default_factory=dict)


class TooLongError(Exception):
    """The time of a question is over."""


expendable = threading.Event()
"""Whether this process works for a sweep alone, and is replaced if it ends."""


@functools.cache
def software() -> dict[str, str]:
    """Return the versions of Python and of what computes."""
    return {"python": platform.python_version(), **{name: metadata.version(name) for name in COMPUTES}}


def prepare() -> None:
    """Make a process one that works for another: it leaves Ctrl-C to its parent, and ends when that ends, or when a
    question goes on long after its time.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    expendable.set()
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
        if task.version != __version__:
            raise ValueError(f"the worker has algatt {__version__}, and algatt {task.version} asks")
        with ending(task.limit), at_most(task.limit):
            answer = ask(task.question, task.architecture, task.seed)
    except TooLongError:
        answer, error = None, f"no answer within {task.limit:g} s"
    except Exception as raised:  # whatever it is, the record says so, and the sweep goes on
        error = " ".join(f"{type(raised).__name__}: {raised}".split())
    return Outcome(answer, error, time.perf_counter() - began, socket.gethostname(), software())


@contextlib.contextmanager
def ending(seconds: float | None) -> Iterator[None]:
    """End the process, if it may end, some time after so many seconds: what runs in C is not seen by Python, and
    `faulthandler` has a thread that waits for nobody.
    """
    if seconds is None or not expendable.is_set():
        yield
        return
    factor, more = HARD
    with Path(os.devnull).open("w") as nowhere:
        faulthandler.dump_traceback_later(factor * seconds + more, exit=True, file=nowhere)
        try:
            yield
        finally:
            faulthandler.cancel_dump_traceback_later()


@contextlib.contextmanager
def at_most(seconds: float | None) -> Iterator[None]:
    """Raise `TooLongError` when so many seconds are over, as soon as Python is between two of its steps.

    In the main thread by an alarm, which ends waiting too. Other threads, as those of a Dask worker, get no signals:
    what watches them sets the error in them.
    """
    if seconds is None:
        yield
    elif hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
        with alarm(seconds):
            yield
    else:
        with watched(seconds):
            yield


@contextlib.contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise `TooLongError` in the main thread after so many seconds."""

    def end(*_: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def watched(seconds: float) -> Iterator[None]:
    """Raise `TooLongError` in this thread after so many seconds.

    An error that was set is always let happen, in here: Python 3.11 does not take back that there is one when it is
    replaced by none, looks for it at each step from then on, and never ends a step that is traced.
    """
    own, lock = ctypes.c_ulong(threading.get_ident()), threading.Lock()
    over, sent, raised = threading.Event(), threading.Event(), False

    def end() -> None:
        with lock:
            if not over.is_set():
                sent.set()
                ctypes.pythonapi.PyThreadState_SetAsyncExc(own, ctypes.py_object(TooLongError))

    watch = threading.Timer(seconds, end)
    watch.daemon = True
    watch.start()
    try:
        yield
    except TooLongError:
        raised = True
        raise
    finally:
        watch.cancel()
        with lock:
            over.set()
        if sent.is_set() and not raised:
            for _ in range(100):  # one step of a loop will do; if the question caught the error, there is none left
                time.sleep(0)
