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
    target = Path(path)
    if target.is_dir():
        raise OutputError(str(target), "it is a directory")
    temporary = None
    try:
        descriptor, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(temporary, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~current_umask())
        os.replace(temporary, target)
    except OSError as error:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)
        raise OutputError(str(target), error.strerror or str(error)) from error


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise `OutputError` now if `write_atomically` could not write `path` later."""
    target = Path(path)
    if target.is_dir():
        raise OutputError(str(target), "it is a directory")
    try:
        descriptor, probe = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise OutputError(str(target), error.strerror or str(error)) from error
    os.close(descriptor)
    os.unlink(probe)


def current_umask() -> int:
    """Return the process's umask, which can only be read by setting it."""
    mask = os.umask(0)
    os.umask(mask)
    return mask
