"""Questions of tests' own, in a module that other processes can import."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

from algatt import Lightning
from algatt.errors import InvalidArgument
from algatt.sweeps import Answer

__all__ = [
    "MARKS",
    "count",
    "count_once",
    "end_at_two",
    "exhaust_at_two",
    "hang_at_two",
    "loop_at_two",
    "raise_at_two",
    "wrong_at_two",
]

MARKS = "ALGATT_TEST_MARKS"
"""The environment variable with the folder in which `count_once` leaves marks."""


def count(arch: Lightning, *, seed: int = 0) -> int:
    """How many parameters there are."""
    return arch.parameters + seed


def raise_at_two(arch: Lightning, *, seed: int = 0) -> int:
    """The first width, unless it is two."""
    if arch.dims[0] == 2:
        raise InvalidArgument("width", "2", "another")
    return arch.dims[0]


def end_at_two(arch: Lightning, *, seed: int = 0) -> int:
    """The first width; at two the process is killed."""
    if arch.dims[0] == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return arch.dims[0]


def count_once(arch: Lightning, *, seed: int = 0) -> int:
    """The first width; the first process that is asked for each is killed."""
    mark = Path(os.environ[MARKS], str(arch.dims))
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return arch.dims[0]


def loop_at_two(arch: Lightning, *, seed: int = 0) -> int:
    """The first width; at two it has no end."""
    while arch.dims[0] == 2:
        pass
    return arch.dims[0]


def hang_at_two(arch: Lightning, *, seed: int = 0) -> int:
    """The first width; at two it waits where no alarm is heard, as a library in C may compute."""
    if arch.dims[0] == 2:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
        threading.Event().wait(3600)
    return arch.dims[0]


def exhaust_at_two(arch: Lightning, *, seed: int = 0) -> int:
    """The first width; at two more memory is asked for than there is."""
    return len(bytearray(2**62)) if arch.dims[0] == 2 else arch.dims[0]


def wrong_at_two(arch: Lightning, *, seed: int = 0) -> Answer:
    """Equation 7 for rank one and two rows of V; at two a value above what is proven to be its bound."""
    value = 4 * arch.dims[0] - 2
    return Answer(value + (arch.dims[0] == 2), "proven", value, value)
