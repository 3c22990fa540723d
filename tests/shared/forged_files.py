"""Files of arrays that lie, and the memory that reading them takes."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.files import read_arrays
from algatt.loading import load_methods

MEGABYTE = 2**20

MATRIX = ["attention-spectrum", "--key-dim", "2", "--matrix"]


@contextmanager
def memory(most: int) -> Iterator[None]:
    """Require that what is done inside takes at most so many bytes at a time, those of numpy's arrays included."""
    load_methods()  # which is imported once, by whichever test comes first
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= most, f"{peak / MEGABYTE:.1f} MB"


def write_anew(path: Path, content: bytes) -> None:
    """Write a file again, for loops that do so thousands of times: some file systems write a file that is cut to
    nothing and filled to the disk at once, and none that is deleted before that.
    """
    path.unlink(missing_ok=True)
    path.write_bytes(content)


def npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array)
    return buffer.getvalue()


def npy_of(header: str, data: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    """An .npy file with a header of one's choice."""
    length = struct.pack("<H" if version == b"\x01\x00" else "<I", len(header))
    return b"\x93NUMPY" + version + length + header.encode("latin1") + data


def header_of(shape: str, descr: str = "'<f8'") -> str:
    return f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}"


def archive(path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", method) as written:
        for name, content in members.items():
            written.writestr(name, content)
    return path


def refusal(path: Path, read: Callable[[Path], Any] = lambda path: read_arrays(path, "a proper file")) -> str:
    with pytest.raises(algatt.errors.InvalidArgument) as caught:
        read(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1000
    return str(caught.value)
