"""A progress bar for work that takes longer than people like to wait without one, on a terminal only."""

from __future__ import annotations

import math
import sys
import threading
from types import TracebackType
from typing import Self

PATIENCE = 2.0
"""Seconds before the bar appears."""


class ProgressBar:
    """A bar on stderr that appears after two seconds and is gone at the end; call it with what is done and what there
    is to do.

    Where stderr is no terminal, nothing is written: a file or a pipe gets only what was meant for it, however long the
    work takes.

    Parameters
    ----------
    title : str
        What grows.
    patience : float, optional
        Seconds before it appears.
    """

    def __init__(self, title: str, patience: float = PATIENCE) -> None:
        # not the console's is_terminal, which FORCE_COLOR makes true of a file; without a stderr there is no terminal
        # either
        self._seen = sys.stderr is not None and sys.stderr.isatty()
        if not self._seen:
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        left = TextColumn("{task.fields[left]}")  # the time that is left, and what came of the work, if somebody knows
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), left)
        self._progress = Progress(*columns, console=Console(file=sys.stderr), transient=True)
        self._task = self._progress.add_task(title, total=None, left="")
        self._timer = threading.Timer(patience, self._progress.start)
        self._timer.daemon = True

    def __call__(self, done: int, total: int, seconds: float | None = None, told: str = "") -> None:
        """Move the bar, and tell how many seconds are left, and what came of the work, if that is known."""
        if not self._seen:
            return
        import datetime

        left = "" if seconds is None else f"about {datetime.timedelta(seconds=math.ceil(seconds))} left"
        left = ", ".join(text for text in (left, told) if text)
        self._progress.update(self._task, completed=done, total=total, left=left)

    def __enter__(self) -> Self:
        if self._seen:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._seen:
            return
        self._timer.cancel()
        self._timer.join()
        if self._progress.live.is_started:  # rich ends its line even if there was none
            self._progress.stop()
