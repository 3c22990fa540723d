"""The precision of FLINT, which belongs to the process: one thread at a time has its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar, TypeVarTuple

Arguments = TypeVarTuple("Arguments")
Result = TypeVar("Result")

LOCK = threading.RLock()
"""Held by the thread that FLINT's precision is set for. It may set another one inside, and gets the first one back."""


def with_precision(bits: int, function: Callable[[*Arguments], Result], *arguments: *Arguments) -> Result:
    """Return ``function(*arguments)``, in which FLINT computes with so many bits; afterwards it has those that it had.

    The lock is held until the function returns: what may wait for another thread, such as a progress bar, is called
    elsewhere. This is a function and no context manager because an interrupt from the keyboard can strike between any
    two steps of Python, and so in the ``__exit__`` of a class. Those of the lock and of FLINT are compiled: one step.
    """
    import flint

    with LOCK, flint.ctx.workprec(bits):
        return function(*arguments)
