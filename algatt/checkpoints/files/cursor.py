"""A place in the bytes of a file that is read from its beginning."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np


class Truncated(Exception):
    """The bytes end before what they begin to say."""


@dataclass
class Cursor:
    """A place in the bytes of a file.

    Parameters
    ----------
    data : array
        The bytes.
    place : int
        How many of them have been read.
    """

    data: np.ndarray
    place: int = 0

    def take(self, count: int) -> np.ndarray:
        """Return the next so many bytes, as a view."""
        if count > len(self.data) - self.place:
            raise Truncated
        self.place += count
        return self.data[self.place - count : self.place]

    def number(self, code: str) -> Any:
        """Return the next number of a type of `struct`, last byte first."""
        (value,) = struct.unpack(f"<{code}", self.take(struct.calcsize(f"<{code}")).tobytes())
        return value
