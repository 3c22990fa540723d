"""Writing files so that nothing is ever lost or half-written, and reading files that may hold anything."""

from __future__ import annotations

import errno
import io
import json
import math
import os
import stat
import tokenize
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath
from typing import IO, TYPE_CHECKING, Any

from algatt.display import printable
from algatt.errors import InvalidArgument, OutputError

if TYPE_CHECKING:
    import numpy as np

MOST_ARRAY_BYTES = 2**34
"""The arrays of a file may take so many bytes: weights of some gigabytes are honest."""

MOST_EXPANSION = 100
"""Packed arrays may take so many times the bytes of their file; small residues in 64-bit integers are packed to a
fiftieth.
"""

SMALL_ARRAY_BYTES = 2**26
"""Packed arrays may take so many bytes however small their file is."""

MOST_MEMBER_LIST_BYTES = 2**20
"""The list of what is in an archive may take so many bytes: names and sizes of ten thousand arrays."""

DEEPEST = 200
"""Maximum number of lists and objects of JSON within each other."""

MOST_HEADER_BYTES = 1000
"""The header of an array in a file, which Python parses, may take so many bytes; that of a matrix takes 128."""

UNREADABLE = (
    OSError,
    ValueError,
    EOFError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    SyntaxError,
    tokenize.TokenError,
    zipfile.BadZipFile,
    zlib.error,
)
"""What zipfile and numpy raise for a file that is missing, cut off, encrypted, packed in another way, or no archive of
plain arrays.
"""


class SparingReader(io.BufferedReader):
    """A file of which little is read at a time: zipfile reads the list of what is in an archive at once, however long
    the archive says that it is.
    """

    def read(self, size: int | None = -1, /) -> bytes:
        """Read at most so many bytes, or all that are left; `ValueError` if these are too many."""
        wanted = size if size is not None and size >= 0 else os.fstat(self.fileno()).st_size - self.tell()
        if wanted > MOST_MEMBER_LIST_BYTES:
            raise ValueError(f"{wanted} bytes are to be read at once, at most {MOST_MEMBER_LIST_BYTES} are")
        return super().read(wanted)


@contextmanager
def opened(
    path: str | os.PathLike[str], reader: type[io.BufferedReader] = io.BufferedReader
) -> Iterator[io.BufferedReader]:
    """Open a regular file, or one behind links, for reading; `OSError` for pipes, devices and directories, which are
    not even waited for.
    """
    check_regular(Path(path).stat().st_mode)  # opening alone makes some devices act
    with reader(io.FileIO(path, opener=without_waiting)) as stream:
        check_regular(os.fstat(stream.fileno()).st_mode)
        yield stream


def without_waiting(path: str, flags: int) -> int:
    """Open a path that may have become a pipe."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def check_regular(mode: int) -> None:
    """Raise `OSError` unless a mode is that of a regular file."""
    if not stat.S_ISREG(mode):
        what = "a directory" if stat.S_ISDIR(mode) else "a pipe" if stat.S_ISFIFO(mode) else "a device or a socket"
        raise OSError(errno.EINVAL, f"it is {what}, not a file")


def read_bytes(path: str | os.PathLike[str], most: int) -> bytes:
    """Return what is in a regular file.

    Raises
    ------
    OSError
        If it cannot be read, is no regular file, or has more than `most` bytes.
    """
    with opened(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > most:
            raise OSError(errno.EFBIG, f"it has {size} bytes, at most {most} are read")
        return stream.read(size)


def parse_json(content: bytes) -> Any:
    """Return what the JSON of a file says.

    Raises
    ------
    ValueError
        If it is not JSON, or has too many lists and objects within each other; the text says what follows ``which``.
    """
    try:
        found = json.loads(content)
        level = [found]
        for _ in range(DEEPEST):
            level = [part for one in level if isinstance(one, dict | list) for part in parts_of(one)]
        if level:
            raise RecursionError
    except RecursionError:
        raise ValueError(f"has more than {DEEPEST} lists and objects within each other") from None
    except ValueError as error:
        raise ValueError("is not JSON") from error
    return found


def parts_of(value: dict[str, Any] | list[Any]) -> Iterable[Any]:
    """Return what is in a list or an object of JSON."""
    return value.values() if isinstance(value, dict) else value


def read_arrays(path: str | os.PathLike[str], should: str) -> dict[str, np.ndarray]:
    """Return the arrays of an .npz file by name; no pickled object is loaded, and memory is only taken for what the
    file has room for.

    Raises
    ------
    InvalidArgument
        If the file cannot be read; `should` is what it should have been.
    """
    try:
        with opened(path, SparingReader) as stream, zipfile.ZipFile(stream) as archive:
            return dict(arrays_of(archive, os.fstat(stream.fileno()).st_size))
    except UNREADABLE as error:
        raise InvalidArgument("path", f"{os.fspath(path)!r}, which cannot be read ({told(error)})", should) from error


def read_array(path: str | os.PathLike[str]) -> np.ndarray:
    """Return the array of an .npy file; no pickled object is loaded, and memory is only taken for what is in the file.

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it does not hold one array of plain values.
    """
    with opened(path) as stream:
        size = os.fstat(stream.fileno()).st_size
        if size > MOST_ARRAY_BYTES:
            raise OSError(errno.EFBIG, f"it has {size} bytes, at most {MOST_ARRAY_BYTES} are read")
        try:
            return array_of(stream, size)
        except (EOFError, OverflowError, SyntaxError, tokenize.TokenError) as error:
            raise ValueError(told(error)) from error


def told(error: BaseException) -> str:
    """Return what an exception tells about a file, in a line."""
    return shorten(" ".join(str(getattr(error, "strerror", None) or error).split()), 200)


def shorten(text: str, most: int = 60) -> str:
    """Return the beginning of a text that a file holds, with what would not be seen, or steer a terminal, written as
    escapes.
    """
    return printable(text if len(text) <= most else f"{text[: most - 3]}...")


def arrays_of(archive: zipfile.ZipFile, size: int) -> Iterator[tuple[str, np.ndarray]]:
    """Iterate over the names and arrays of an archive in a file of so many bytes; `ValueError` if it holds more than it
    can honestly.
    """
    members = archive.infolist()
    names = [member.filename.removesuffix(".npy") for member in members]
    if len(set(names)) < len(names):
        raise ValueError("two of its arrays have one name")
    if any(member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) for member in members):
        raise ValueError("it is packed in another way than numpy packs")
    total, most = (
        sum(member.file_size for member in members),
        min(MOST_ARRAY_BYTES, max(SMALL_ARRAY_BYTES, MOST_EXPANSION * size)),
    )
    if total > most:
        raise ValueError(f"its arrays take {total} bytes, at most {most} are read from a file of {size} bytes")
    for name, member in zip(names, members, strict=True):
        with archive.open(member) as stream:
            yield name, array_of(stream, member.file_size)


def array_of(stream: IO[bytes], size: int) -> np.ndarray:
    """Return the array of an .npy stream of so many bytes; `ValueError` unless they are what its header declares."""
    import numpy as np

    version = np.lib.format.read_magic(stream)
    if version != (1, 0):
        raise ValueError(f"its header has version {version}, that of arrays of numbers has version (1, 0)")
    field = stream.read(2)
    length = int.from_bytes(field, "little")
    if length > MOST_HEADER_BYTES:
        raise ValueError(f"its header has {length} bytes, at most {MOST_HEADER_BYTES} are parsed")
    shape, _, dtype = np.lib.format.read_array_header_1_0(io.BytesIO(field + stream.read(length)))
    if dtype.hasobject:
        raise ValueError("it holds objects, which are not loaded")
    declared = dtype.itemsize * math.prod(shape)
    if (
        any(type(count) is not int or count < 0 for count in shape)
        or not dtype.itemsize
        or np.lib.format.MAGIC_LEN + 2 + length + declared != size
    ):
        raise ValueError(f"its header declares {declared} bytes of shape {shape}, which are not what follows")
    stream.seek(0)
    array: np.ndarray = np.lib.format.read_array(stream, allow_pickle=False)
    return array


def write_atomically(path: str | os.PathLike[str], content: bytes | Iterable[bytes]) -> None:
    """Write `content`, or parts of it one after another, to a temporary file beside `path` and rename it there.

    Raises
    ------
    OutputError
        If the path cannot be written; a file that was there before is unchanged.
    """
    target = checked_target(path)
    parts = (content,) if isinstance(content, bytes) else content
    try:
        if is_special(target):
            with target.open("wb") as stream:
                stream.writelines(parts)
            return
        present = target.stat().st_mode & 0o777 if target.exists() else None
        with created_beside(target, 0o666 if present is None else present) as (descriptor, temporary):
            with os.fdopen(descriptor, "wb") as stream:
                stream.writelines(parts)
                stream.flush()
                os.fsync(stream.fileno())
            if present is not None:
                os.chmod(temporary, present)
            os.replace(temporary, target)
    except OSError as error:
        raise OutputError(os.fspath(path), error.strerror or str(error)) from error


def check_writable(path: str | os.PathLike[str]) -> None:
    """Raise `OutputError` now if `write_atomically` could not write `path` later."""
    target = checked_target(path)
    if is_special(target):
        return
    try:
        with created_beside(target, 0o600) as (descriptor, probe):
            os.close(descriptor)
            os.unlink(probe)
    except OSError as error:
        raise OutputError(os.fspath(path), error.strerror or str(error)) from error


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
    """Return whether a path is a pipe or a device, which is written to and never replaced."""
    return target.exists() and not target.is_file()


@contextmanager
def created_beside(target: Path, permissions: int) -> Iterator[tuple[int, str]]:
    """Create an empty file beside `target`, with these permissions less the umask; give its descriptor and its path. An
    exception, from its creation on, removes it.

    Its name is always the same, so that what a killed process leaves is found and removed by the next one. It is locked
    before it has that name; while one process writes it, others take names of their own.

    The system applies the umask. It is the process's, and can only be read by setting it: another thread would write
    its files without one meanwhile.
    """
    beginning = f"{target.parent / f'.{target.name}.'}"
    usual, temporary = f"{beginning}part", f"{beginning}{os.urandom(6).hex()}"
    remove_abandoned(usual)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    path, held = temporary, None
    try:
        descriptor = os.open(temporary, flags, permissions)
        held = locked(descriptor, temporary)
        if held is not None:
            with suppress(OSError):  # another process writes there, or the file system gives no second name
                os.link(temporary, usual)
                os.unlink(temporary)
                path = usual
        yield descriptor, path
    except BaseException:  # an interrupt, which can come between any two lines, leaves nothing behind either
        with suppress(OSError):
            os.unlink(temporary)
        if held is not None and is_at(held, usual):
            os.unlink(usual)
        raise
    finally:
        if held is not None:
            os.close(held)


def locked(descriptor: int, path: str) -> int | None:
    """Lock the open file at a path until what is returned is closed; return None if it is locked, if another one is
    there now, or where nothing can be locked.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    held = os.dup(descriptor)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if is_at(held, path):
            return held
    except OSError:
        pass
    os.close(held)
    return None


def is_at(descriptor: int, path: str) -> bool:
    """Return whether the open file is the one at a path."""
    try:
        there, here = Path(path).lstat(), os.fstat(descriptor)
    except OSError:
        return False
    return (there.st_dev, there.st_ino) == (here.st_dev, here.st_ino)


def remove_abandoned(path: str) -> None:
    """Remove what a process that was killed left, unless another one is writing it."""
    try:
        descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return
    held = locked(descriptor, path)
    os.close(descriptor)
    if held is not None:
        os.unlink(path)
        os.close(held)
