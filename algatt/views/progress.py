"""Progress of work that takes longer than people like to wait without: a bar on a terminal, and lines elsewhere."""

from __future__ import annotations

import math
import sys
import threading
from types import TracebackType
from typing import Any, Self

PATIENCE = 2.0
"""Seconds before the bar appears."""

SILENCE = 10.0
"""Seconds between two lines where stderr is no terminal."""


class ProgressBar:
    """A bar on stderr that appears after two seconds and is gone at the end; call it with what is done and what there
    is to do.

    Where stderr is no terminal, nothing is written: a file or a pipe gets only what was meant for it, however long the
    work takes; unless lines are asked for.

    Parameters
    ----------
    title : str
        What grows.
    patience : float, optional
        Seconds before it appears.
    silence : float, optional
        Seconds between two lines where stderr is no terminal; no lines unless given.
    """

    def __init__(self, title: str, patience: float = PATIENCE, silence: float | None = None) -> None:
        self.title = title
        # not the console's is_terminal, which FORCE_COLOR makes true of a file; without a stderr there is no terminal
        # either
        self._seen = sys.stderr is not None and sys.stderr.isatty()
        self._silence = silence
        self._state: dict[str, Any] = {"completed": 0, "total": None, "left": ""}
        self._progress: Any = None
        self._ended = threading.Event()
        work = (patience, self._draw) if self._seen else (silence or 0.0, self._tell)
        self._timer = threading.Timer(*work)
        self._timer.daemon = True

    def __call__(self, done: int, total: int, seconds: float | None = None, told: str = "") -> None:
        """Move the bar, and tell how many seconds are left, and what came of the work, if that is known."""
        import datetime

        left = "" if seconds is None else f"about {datetime.timedelta(seconds=math.ceil(seconds))} left"
        self._state = {"completed": done, "total": total, "left": ", ".join(text for text in (left, told) if text)}
        if self._progress is not None:
            self._progress.update(self._task, description=self.title, **self._state)

    def _draw(self) -> None:
        """Show the bar; what others print stays where they print it."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        left = TextColumn("{task.fields[left]}")  # the time that is left, and what came of the work, if somebody knows
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), left)
        console = Console(file=sys.stderr)
        progress = Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
        self._task = progress.add_task(self.title, **self._state)
        progress.start()
        self._progress = progress

    def _tell(self) -> None:
        """Write lines until the end."""
        seconds = 0.0
        while True:
            seconds += self._silence or 0.0
            done = f", {self._state['completed']} of {self._state['total']}" if self._state["total"] else ""
            sys.stderr.write(f"algatt: {self.title}{done}, {seconds:.0f} s\n")
            sys.stderr.flush()
            if self._ended.wait(self._silence):
                return

    def __enter__(self) -> Self:
        if self._seen or (self._silence is not None and sys.stderr is not None):
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self._timer.ident is None:
            return
        self._timer.cancel()
        self._timer.join()
        if self._progress is not None:  # rich ends its line even if there was none
            self._progress.stop()
