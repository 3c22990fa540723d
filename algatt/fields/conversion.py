"""Arrays written into arrays of other types."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["convert"]

IN_CACHE = 2**16
"""About so many numbers are written at a time."""

LARGE = 2**21
"""From so many numbers on, all cores write: what is slow is memory that is touched for the first time."""


def convert(source: np.ndarray, target: np.ndarray, check: Callable[[np.ndarray], Any] | None = None) -> None:
    """Write the numbers of an array, which has an axis at least, into one of its shape and of another type.

    What is written is handed to `check`, some at a time, while it is in the cache.
    """
    step = max(1, IN_CACHE // max(1, source[:1].size))

    def convert_rows(start: int, stop: int) -> None:
        for first in range(start, stop, step):
            some = target[first : min(first + step, stop)]
            some[...] = source[first : min(first + step, stop)]
            if check is not None:
                check(some)

    if source.size < LARGE:
        convert_rows(0, len(source))
        return
    cores = os.cpu_count() or 1
    bounds = [len(source) * core // cores for core in range(cores + 1)]
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(convert_rows, bounds[:-1], bounds[1:]))
