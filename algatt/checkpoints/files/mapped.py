"""Files whose bytes are mapped, so that what is not looked at takes no memory."""

from __future__ import annotations

import os

import numpy as np

from algatt.errors import InvalidArgument
from algatt.files import opened, shorten, told


def refusal(path: str | os.PathLike[str], was: str, should: str) -> InvalidArgument:
    """Return the error for a file."""
    return InvalidArgument("path", f"{shorten(os.fspath(path), 100)!r}, {was}", should)


def map_bytes(path: str | os.PathLike[str], should: str) -> np.ndarray:
    """Return the bytes of a regular file, mapped.

    Raises
    ------
    InvalidArgument
        If it cannot be read, or is empty; `should` is what it should have been.
    """
    try:
        with opened(path) as stream:
            if not os.fstat(stream.fileno()).st_size:
                raise refusal(path, "which is empty", should)
            return np.memmap(stream, np.uint8, mode="r").view(np.ndarray)
    except OSError as error:
        raise refusal(path, f"which cannot be read ({told(error)})", should) from error
