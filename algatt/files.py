"""Writing files so that nothing is ever lost or half-written."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from algatt.errors import OutputError

__all__ = ["check_writable", "write_atomically"]


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
        descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(content)
                stream.flush()
                os.fsync(stream.fileno())
            os.chmod(temporary, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~current_umask())
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
        descriptor, probe = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise OutputError(os.fspath(path), error.strerror or str(error)) from error
    os.close(descriptor)
    os.unlink(probe)


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


def current_umask() -> int:
    """Return the process's umask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
