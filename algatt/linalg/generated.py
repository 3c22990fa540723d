"""Matrices modulo p whose rows are computed when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PrimeField
from algatt.linalg.arithmetic import bytes_of_entry
from algatt.linalg.engines import Engine, RowSpace, checked_engine
from algatt.linalg.tiled import Tiled, rank_on_workers
from algatt.memory import available_memory

LEAST = 2**22
"""A batch has so many entries at least."""


@dataclass(frozen=True, eq=False)
class GeneratedMatrix:
    """A matrix over GF(p) whose rows a function computes, so that no machine has to hold all of it.

    Parameters
    ----------
    field : PrimeField
        The field.
    shape : (int, int)
        The numbers of rows and columns.
    rows : callable
        ``rows(start, stop)`` returns the rows from `start` to before `stop`, as a galois array, integers
        0, ..., p - 1 or `Elements`. It has to return the same each time, and to be picklable if workers call it.

    Raises
    ------
    InvalidArgument
        If the field is not a prime field, or the shape not two integers >= 0.

    Examples
    --------
    >>> import algatt, numpy
    >>> field = algatt.PrimeField(31)
    >>> ones = lambda start, stop: numpy.ones((stop - start, 3), dtype=int)
    >>> algatt.rank(algatt.linalg.GeneratedMatrix(field, (5, 3), ones))
    1
    """

    field: PrimeField
    shape: tuple[int, int]
    rows: Callable[[int, int], Any]

    def __post_init__(self) -> None:
        if not isinstance(self.field, PrimeField):
            raise InvalidArgument("field", str(self.field), "a PrimeField")
        if not isinstance(self.shape, tuple) or len(self.shape) != 2:
            raise InvalidArgument("shape", repr(self.shape), "two integers >= 0")
        for size in self.shape:
            whole("shape", size, 0)
        if not callable(self.rows):
            raise InvalidArgument("rows", repr(self.rows), "a function of two integers")

    def __call__(self, start: int, stop: int) -> np.ndarray:
        """Return rows as raw residues.

        Raises
        ------
        InvalidArgument
            If they are not as many rows as were asked for, with residues.
        """
        rows = self.rows(start, stop)
        if isinstance(rows, Elements) and rows.field != self.field:
            raise InvalidArgument("rows", f"over {rows.field}", f"over {self.field}")
        raw: np.ndarray = rows.raw if isinstance(rows, Elements) else verbs.encode(self.field, rows, argument="rows")
        if raw.shape != (stop - start, self.shape[1]):
            raise InvalidArgument("rows", f"of shape {raw.shape}", f"of shape {(stop - start, self.shape[1])}")
        return raw


@verbs.rank.method
def rank_of_generated(matrix: GeneratedMatrix, *, engine: Engine | None = None, gap: float | None = None) -> int:
    engine = checked_engine(engine)
    if isinstance(engine, Tiled):
        return rank_on_workers(engine, matrix.field, matrix.shape, matrix).rank
    height, width = matrix.shape
    space = RowSpace(matrix.field, width)
    entries = (available_memory() or LEAST) // 8 // bytes_of_entry(matrix.field, height * width * min(matrix.shape))
    step = max(1, max(LEAST, entries) // max(1, width))
    for start in range(0, height, step):
        space.add(Elements(matrix.field, matrix(start, min(start + step, height))))
    return space.rank
