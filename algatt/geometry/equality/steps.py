"""Steps of long work, counted for whoever waits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from algatt.geometry.dimensions.question import Progress

__all__ = ["Steps"]

T = TypeVar("T")


class Steps:
    """Steps that are told to a progress callback as they are done; call it after each.

    Parameters
    ----------
    progress : callable or None
        Called with the number of steps done and `total`.
    total : int
        At least about so many steps there will be; more are counted as the last one.
    """

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def __call__(self) -> None:
        """Count a step."""
        self._done = min(self._done + 1, self._total)
        if self._progress is not None:
            self._progress(self._done, self._total)

    def after_each(self, results: Iterable[T]) -> Iterator[T]:
        """Iterate, and count a step after each result is there."""
        for result in results:
            self()
            yield result
