"""Writing files so that nothing is ever lost or half-written, and reading arrays from files that may hold anything."""

from __future__ import annotations

import io
import os
import secrets
import zipfile
import zlib
from collections.abc import Iterable
from pathlib import Path, PurePath

import numpy as np

from algatt.errors import InvalidArgument, OutputError

__all__ = ["check_writable", "checked_suffix", "read_arrays", "write_atomically"]

UNREADABLE = (OSError, ValueError, EOFError, NotImplementedError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What zipfile and numpy raise for a file that is missing, cut off, encrypted, packed in another way, or no archive of plain arrays."""


def read_arrays(path: str | os.PathLike[str], should: str) -> dict[str, np.ndarray]:
    """Return the arrays of an .npz file by name; no pickled object is loaded.

    Raises
    ------
    InvalidArgument
        If the file cannot be read; `should` is what it should have been.
    """
    try:
        content = io.BytesIO(Path(path).read_bytes())
        with zipfile.ZipFile(content), np.load(content, allow_pickle=False) as stored:
            return dict(stored)
    except UNREADABLE as error:
        was = f"{os.fspath(path)!r}, which cannot be read ({getattr(error, 'strerror', None) or error})"
        raise InvalidArgument("path", was, should) from error


def write_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write `content` to a temporary file beside `path` and rename it there.

    Raises
    ------
    OutputError
        If the path cannot be written; a file that was there before is unchanged.
    """
    target = checked_target(path)
    try:
        if is_special(target):
            target.write_bytes(content)
            return
        present = target.stat().st_mode & 0o777 if target.exists() else None
        descriptor, temporary = create_beside(target, 0o666 if present is None else present)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            if present is not None:
                os.chmod(temporary, present)
            os.replace(temporary, target)
        except BaseException:  # an interrupt too leaves nothing behind
            os.unlink(temporary)
            raise
    except OSError as error:
        raise OutputError(os.fspath(path), error.strerror or str(error)) from error


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise `OutputError` now if `write_atomically` could not write `path` later."""
    target = checked_target(path)
    if is_special(target):
        return
    try:
        descriptor, probe = create_beside(target, 0o600)
    except OSError as error:
        raise OutputError(os.fspath(path), error.strerror or str(error)) from error
    os.close(descriptor)
    os.unlink(probe)


def checked_suffix(path: str | os.PathLike[str], known: Iterable[str]) -> str:
    """Return the format of a file to be written, its suffix in small letters without the dot.

    Raises
    ------
    InvalidArgument
        If it is none of those that are known.
    """
    suffix = PurePath(path).suffix.removeprefix(".").lower()
    if suffix not in known:
        was = f"{os.fspath(path)!r}, {f'with the suffix .{suffix}' if suffix else 'without a suffix'}"
        raise InvalidArgument("output", was, f"a file that ends in {', '.join(f'.{one}' for one in known)}")
    return suffix


def checked_target(path: str | os.PathLike[str]) -> Path:
    """Return the file behind a path and its links, or raise `OutputError` if it is a directory."""
    if "\0" in os.fspath(path):
        raise OutputError(repr(os.fspath(path)), "it contains a null character")
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise OutputError(os.fspath(path), "it is a directory")
    return target


def is_special(target: Path) -> bool:
    """Say whether a path is a pipe or a device, which is written to and never replaced."""
    return target.exists() and not target.is_file()


def create_beside(target: Path, permissions: int) -> tuple[int, str]:
    """Create an empty file beside `target`, with these permissions less the umask; return its descriptor and its path.

    The system applies the umask. It is the process's, and can only be read by setting it: another thread would write
    its files without one meanwhile.
    """
    temporary = f"{target.parent / f'.{target.name}.'}{secrets.token_urlsafe(6)}"
    return os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), permissions), temporary
