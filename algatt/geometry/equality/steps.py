"""Steps of long work, counted for whoever waits."""

from __future__ import annotations

from algatt.geometry.dimensions.question import Progress

__all__ = ["Steps"]


class Steps:
    """Steps that are reported to a progress callback as they are done; call it after each.

    Parameters
    ----------
    progress : callable or None
        Called with the number of steps done and `total`.
    total : int
        Expected number of steps; further ones are counted as the last one.
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
