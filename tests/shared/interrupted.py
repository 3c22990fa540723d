"""Computations that end before they are done."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Killed", "until"]


class Killed(Exception):
    """The end of a process."""


def until(rank: int) -> Callable[[int, int], None]:
    """Return a progress that ends the computation when this rank is reached, as a signal would."""

    def progress(reached: int, upper: int) -> None:
        if reached >= rank:
            raise Killed

    return progress
