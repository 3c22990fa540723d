"""Writing files: whole or not at all."""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType

import numpy as np
import pytest

import algatt.files
from algatt.errors import InvalidArgument, OutputError
from algatt.files import check_writable, checked_suffix, read_arrays, write_atomically
from forged_files import write_anew


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_content_arrives_and_nothing_else_is_left(tmp_path: Path) -> None:
    target = tmp_path / "cert.json"
    write_atomically(target, b"first")
    write_atomically(str(target), b"second")
    assert target.read_bytes() == b"second"
    assert names(tmp_path) == ["cert.json"]


def test_a_new_file_gets_the_permissions_of_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "new", b"")
        assert os.umask(0o027) == 0o027
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new").stat().st_mode) == 0o640


def test_an_old_file_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "old"
    target.write_bytes(b"old")
    target.chmod(0o604)
    write_atomically(target, b"new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o604


def test_a_failure_half_way_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "cert.json"
    target.write_bytes(b"old")

    def full_disk(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OutputError, match=r"cannot write .*cert\.json: No space left on device"):
        write_atomically(target, b"new")
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["cert.json"]


@pytest.mark.parametrize("check", [check_writable, lambda path: write_atomically(path, b"")])
def test_a_path_that_cannot_be_written_is_named(check: object, tmp_path: Path) -> None:
    assert callable(check)
    with pytest.raises(OutputError, match=r"cannot write .*absent.*: No such file or directory"):
        check(tmp_path / "absent" / "cert.json")
    with pytest.raises(OutputError, match="it is a directory"):
        check(tmp_path)
    (tmp_path / "file").write_bytes(b"kept")
    with pytest.raises(OutputError, match="Not a directory"):
        check(tmp_path / "file" / "cert.json")
    assert (tmp_path / "file").read_bytes() == b"kept"


def test_the_check_touches_nothing(tmp_path: Path) -> None:
    target = tmp_path / "cert.json"
    check_writable(target)
    assert names(tmp_path) == []
    target.write_bytes(b"old")
    check_writable(target)
    assert target.read_bytes() == b"old"
    assert names(tmp_path) == ["cert.json"]


def interrupted_at(step: int, work: Callable[[], None]) -> bool:
    """Do some work, with an interrupt before one of the steps of the bytecode that writes files; return whether it came
    so far.
    """
    watched, left = {algatt.files.__file__, contextlib.__file__}, step

    def trace(frame: FrameType, event: str, argument: object) -> Callable[..., object] | None:
        nonlocal left
        if frame.f_code.co_filename not in watched:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


@pytest.mark.filterwarnings("ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning")  # of open files
@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize("check", [False, True])
def test_an_interrupt_at_any_step_leaves_the_old_file_or_the_new_one(
    check: bool, old: bytes | None, tmp_path: Path
) -> None:
    target = tmp_path / "cert.json"
    work = partial(check_writable, target) if check else partial(write_atomically, target, b"new")
    for step in itertools.count():
        target.unlink(missing_ok=True)
        if old is not None:
            target.write_bytes(old)
        interrupted = interrupted_at(step, work)
        there = {name: (tmp_path / name).read_bytes() for name in names(tmp_path)}
        assert there in [{} if old is None else {"cert.json": old}, *([] if check else [{"cert.json": b"new"}])]
        if not interrupted:
            break
    assert step > 100


KILLED = """
import os, signal, sys
from algatt.files import write_atomically

def parts():
    yield b"begun"
    os.kill(os.getpid(), signal.SIGKILL)

write_atomically(sys.argv[1], parts())
"""


def test_what_a_killed_process_leaves_is_removed_by_the_next(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint"
    for _ in range(2):
        subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
        assert names(tmp_path) == [".checkpoint.part"]
    check_writable(path)
    assert list(tmp_path.iterdir()) == []
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    write_atomically(path, b"whole")
    assert names(tmp_path) == ["checkpoint"]
    assert path.read_bytes() == b"whole"


@pytest.mark.parametrize("locks", [True, False])
def test_two_writers_at_one_time_both_write_all(locks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second begins and ends while the first is writing; then the first ends."""
    if not locks:
        monkeypatch.setitem(sys.modules, "fcntl", None)
    path = tmp_path / "checkpoint"
    seen = []

    def parts() -> Iterator[bytes]:
        yield b"first"
        check_writable(path)
        write_atomically(path, b"second")
        seen.append(path.read_bytes())
        yield b", whole"

    write_atomically(path, parts())
    assert seen == [b"second"]
    assert path.read_bytes() == b"first, whole"
    assert names(tmp_path) == ["checkpoint"]


def test_what_has_the_name_of_a_temporary_file_and_is_none_is_left_alone(tmp_path: Path) -> None:
    """A link is not followed, and a pipe that nobody reads is not waited for."""
    other = tmp_path / "other"
    other.write_bytes(b"kept")
    (tmp_path / ".linked.part").symlink_to(other)
    os.mkfifo(tmp_path / ".piped.part")
    (tmp_path / ".folder.part").mkdir()
    for name in ("linked", "piped", "folder"):
        write_atomically(tmp_path / name, b"whole")
        assert (tmp_path / name).read_bytes() == b"whole"
    assert other.read_bytes() == b"kept"
    assert len(list(tmp_path.iterdir())) == 7


def test_who_reads_the_old_file_reads_it_to_the_end(tmp_path: Path) -> None:
    target = tmp_path / "cert.json"
    target.write_bytes(b"old and long")
    with target.open("rb") as reader:
        write_atomically(target, b"new")
        assert reader.read() == b"old and long"
    assert target.read_bytes() == b"new"


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    target, link = tmp_path / "folder" / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to(target)
    check_writable(link)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert names(tmp_path) == ["folder", "link"]
    assert names(tmp_path / "folder") == ["target"]


def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        check_writable(pipe)
        write_atomically(pipe, b"data")
        assert stat.S_ISFIFO(pipe.stat().st_mode)
        assert os.read(reader, 4) == b"data"
    finally:
        os.close(reader)


class Trap:
    """An object that makes a folder where it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (str(self.path),)


def test_arrays_are_read_by_name(tmp_path: Path) -> None:
    np.savez(tmp_path / "file.npz", one=np.arange(3), two=np.eye(2))
    arrays = read_arrays(tmp_path / "file.npz", "")
    assert list(arrays) == ["one", "two"]
    assert arrays["one"].tolist() == [0, 1, 2]
    assert arrays["two"].tolist() == [[1, 0], [0, 1]]


def test_pickled_objects_are_not_loaded(tmp_path: Path) -> None:
    np.savez(tmp_path / "file.npz", one=np.array(Trap(tmp_path / "sprung"), dtype=object))
    with pytest.raises(
        InvalidArgument, match=r"^path was '.*file\.npz', which cannot be read \(.*\); it should be a proper file$"
    ):
        read_arrays(tmp_path / "file.npz", "a proper file")
    assert not (tmp_path / "sprung").exists()


def test_a_file_with_any_byte_changed_is_read_or_refused(tmp_path: Path) -> None:
    """What zipfile, zlib and numpy raise for damaged files is told as one error."""
    path = tmp_path / "file.npz"
    np.savez_compressed(path, one=np.arange(50), two=np.eye(3))
    whole = path.read_bytes()
    refused = 0
    for place in range(len(whole)):
        for changed in (0, 255 - whole[place]):
            write_anew(path, whole[:place] + bytes([changed]) + whole[place + 1 :])
            try:
                read_arrays(path, "a proper file")
            except InvalidArgument:
                refused += 1
    assert refused > len(whole) / 2


def test_a_suffix_is_one_that_is_known() -> None:
    assert checked_suffix(Path("a.b", "picture.SVG"), ("svg", "png")) == "svg"
    for name, told in (
        ("a.txt", ", with the suffix .txt"),
        ("svg", ", without a suffix"),
        ("a.svg.", ", without a suffix"),
    ):
        with pytest.raises(InvalidArgument) as caught:
            checked_suffix(name, ("svg", "png"))
        assert str(caught.value) == f"output was {name!r}{told}; it should be a file that ends in .svg, .png"
