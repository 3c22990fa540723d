"""Questions of tests' own, in a module that other processes can import."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from algatt import Lightning
from algatt.errors import InvalidArgument

__all__ = ["MARKS", "count", "count_once", "end_at_two", "raise_at_two"]

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
