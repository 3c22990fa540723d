"""Files that may hold anything are refused before they cost memory: certificates, archives of arrays, and single
arrays.
"""

from __future__ import annotations

import io
import json
import os
import socket
import struct
import threading
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import files
from algatt.certificates import certificate as certificates
from algatt.cli.main import main
from algatt.dynamics import load_trajectory
from algatt.files import read_array, read_arrays

MEGABYTE = 2**20

MATRIX = ["attention-spectrum", "--key-dim", "2", "--matrix"]


@contextmanager
def memory(most: int) -> Iterator[None]:
    """Require that what is done inside takes at most so many bytes at a time, those of numpy's arrays included."""
    tracemalloc.start()
    try:
        yield
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak <= most, f"{peak / MEGABYTE:.1f} MB"


def certificate_text(claims: str) -> str:
    return (
        f'{{"format": {json.dumps(certificates.FORMAT)}, "version": 1, "stream": '
        f"{json.dumps(certificates.STREAM)}, "
        f'"claims": {{"rows": {claims}}}}}'
    )


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


# Certificates.


def test_a_certificate_is_refused_by_its_size_before_it_is_read(tmp_path: Path) -> None:
    """A terabyte that is not on the disk."""
    path = tmp_path / "certificate.json"
    path.touch()
    os.truncate(path, 2**40)
    with memory(MEGABYTE):
        message = refusal(path, algatt.verify)
    assert f"which cannot be read (it has {2**40} bytes, at most {2**23} are read)" in message


@pytest.mark.parametrize(
    "part",
    ["[],", "{},", "[[],[[]]],", '{"a":1},', '[{"a":[{}]}],'],
    ids=["lists", "objects", "nested lists", "names", "nested objects"],
)
def test_a_certificate_of_many_lists_is_refused_before_it_is_parsed(part: str, tmp_path: Path) -> None:
    """Eight megabytes, which would become hundreds."""
    path = tmp_path / "certificate.json"
    path.write_text(certificate_text(f"[{part * (8 * 10**6 // len(part))}0]"))
    with memory(40 * MEGABYTE):
        message = refusal(path, algatt.verify)
    assert "lists, objects and names, where at most 500 are parsed" in message


@pytest.mark.parametrize("sign", ["[", '{"a":', '[{"a":'])
def test_a_certificate_that_is_nested_too_deep_is_refused(sign: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    for depth in (100, 400, 10**5):
        path.write_text(certificate_text(sign * depth))
        assert "which is not JSON" in refusal(path, algatt.verify) or depth > 150


def test_what_a_certificate_says_is_quoted_in_a_line(tmp_path: Path) -> None:
    """However long it is, and without what steers a terminal."""
    path = tmp_path / "certificate.json"
    made = json.loads(algatt.certify(algatt.Lightning((2, 1), (1,), 2)).to_json())
    for place, entry in [
        (("architecture", "name"), "Lightning\x1b[2J\r\n" * 10**5),
        (("status",), "proven\x1b[2J"),
        (("upper_bound", "symmetries"), {str(number): 1 for number in range(100)}),
        (("upper_bound", "symmetries"), "x" * 10**6),
        (("upper_bound", "symmetries", 0, "name"), "\x1b]0;" + "x" * 10**6),
        (("architecture", "dims"), [1] * 10**6),
        (("architecture", "dims"), list(range(10**5))),
        (("seed",), "\ud800"),
        (("upper_bound",), {f"\x1b{number}": number for number in range(100)}),
    ]:
        document = json.loads(json.dumps(made))
        at = document["claims"]
        for key in place[:-1]:
            at = at[key]
        at[place[-1]] = entry
        path.write_text(json.dumps(document))
        try:
            told = "".join(algatt.verify(path).reasons)
        except algatt.errors.CertificateError as error:
            told = str(error)
        assert told.isprintable(), place
        assert 0 < len(told) < 1000, place


def test_honest_certificates_are_far_below_the_limits(tmp_path: Path) -> None:
    """A network of 528 dimensions has a fiftieth of what is read; all its lists and names are a seventh."""
    path = tmp_path / "certificate.json"
    algatt.certify(algatt.Lightning((16, 16, 16), (8, 8), 3)).save(path)
    assert algatt.verify(path).ok
    assert path.stat().st_size < 2**23 / 50
    assert sum(path.read_text().count(sign) for sign in "[{:") < 500 / 7


def test_a_certificate_that_would_not_be_read_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "MOST_BYTES", 500)
    with pytest.raises(
        algatt.errors.InvalidArgument,
        match=r"no certificate can be made of \(its file would have [0-9]+ bytes, at most 500 are read\)",
    ):
        algatt.certify(algatt.Lightning((2, 1), (1,), 2))


# What is no file.


def readers() -> dict[str, Callable[[Path], Any]]:
    """Everything that reads a file of a user's."""
    return {
        "verify": algatt.verify,
        "Certificate.load": algatt.certificates.Certificate.load,
        "load": algatt.load,
        "load_trajectory": load_trajectory,
        "read_arrays": lambda path: read_arrays(path, "a proper file"),
    }


COMMANDS = {
    "verify": lambda path: ["verify", path],
    "compare": lambda path: ["compare", path, path, "--tokens", "2"],
    "fiber": lambda path: ["fiber", path, "--tokens", "2"],
    "flow": lambda path: ["flow", "--resume", path],
    "attention-spectrum": lambda path: [*MATRIX, path],
}


@pytest.fixture
def strange(tmp_path: Path) -> Iterator[dict[str, Path]]:
    """Paths at which there is no regular file, behind links or not."""
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    address = socket.socket(socket.AF_UNIX)
    address.bind(str(tmp_path / "socket"))
    places = {
        "a directory": tmp_path / "folder",
        "a pipe": tmp_path / "pipe",
        "a device": Path("/dev/zero"),
        "a socket": tmp_path / "socket",
    }
    for what, place in list(places.items()):
        link = tmp_path / f"link to {what}"
        link.symlink_to(place)
        places[f"a link to {what}"] = link
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "nowhere").symlink_to(tmp_path / "missing")
    yield places | {"a circle": tmp_path / "circle", "a link to nothing": tmp_path / "nowhere"}
    address.close()


def writing_to(pipe: Path) -> threading.Thread:
    """Whoever opens the pipe for reading, and waits, is given something."""

    def write() -> None:
        with pipe.open("wb") as stream:
            stream.write(b"something")

    thread = threading.Thread(target=write)
    thread.start()
    return thread


def release(pipe: Path, thread: threading.Thread) -> None:
    """Let a writer go for whom nobody waited."""
    descriptor = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    thread.join()
    os.close(descriptor)


@pytest.mark.parametrize("name", readers())
def test_what_is_no_file_is_refused_without_waiting_for_it(name: str, strange: dict[str, Path]) -> None:
    for what, path in strange.items():
        writer = writing_to(strange["a pipe"]) if "pipe" in what else None
        with memory(MEGABYTE):
            message = refusal(path, readers()[name])
        if writer is not None:
            release(strange["a pipe"], writer)
            assert "cannot be read (it is a pipe, not a file)" in message
        assert "cannot be read (it is a" in message or what in ("a circle", "a link to nothing"), what


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_line_refuses_what_is_no_file(
    command: str, strange: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    for what in ("a directory", "a pipe", "a device", "a link to a pipe"):
        writer = writing_to(strange["a pipe"]) if "pipe" in what else None
        assert main(COMMANDS[command](str(strange[what]))) == 2
        if writer is not None:
            release(strange["a pipe"], writer)
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert "cannot be read (it is a" in err


def test_a_link_to_a_file_is_read(tmp_path: Path) -> None:
    """As caches of models have them."""
    theta = algatt.sample(algatt.Lightning((3, 2), (2,), 2), algatt.Weights)
    theta.save(tmp_path / "blob")
    (tmp_path / "theta.npz").symlink_to("blob")
    assert algatt.load(tmp_path / "theta.npz") == theta


def test_a_pipe_that_takes_the_place_of_a_file_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the path and its opening."""
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    regular = (tmp_path / "file").stat()
    monkeypatch.setattr(Path, "stat", lambda path: regular)
    assert "it is a pipe" in refusal(tmp_path / "pipe")


# Archives.


def test_an_archive_that_expands_too_much_is_refused(tmp_path: Path) -> None:
    """A gigabyte of zeros in one megabyte; and the same in many members."""
    chunk = npy(np.zeros(8 * MEGABYTE, dtype=np.uint8))
    path = archive(tmp_path / "bomb.npz", {f"array_{number}.npy": chunk for number in range(128)}, zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < 2 * MEGABYTE
    with memory(4 * MEGABYTE):
        message = refusal(path)
    assert (
        f"its arrays take {128 * len(chunk)} bytes, at most {100 * path.stat().st_size} are read from a file of "
        f"{path.stat().st_size} bytes" in message
    )


def test_an_archive_that_declares_less_than_it_holds_is_unpacked_up_to_there(tmp_path: Path) -> None:
    """A header that says 800 bytes, and a compressed stream that gives a gigabyte."""
    content = npy(np.zeros(100))
    path = archive(tmp_path / "liar.npz", {"one.npy": content}, zipfile.ZIP_DEFLATED)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    stream = packer.compress(content)
    for _ in range(256):
        stream += packer.compress(bytes(4 * MEGABYTE))
    stream += packer.flush()
    true = path.read_bytes()
    name, size, crc = b"one.npy", len(content), zlib.crc32(content)
    local = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 8, 0, 33, crc, len(stream), size, len(name), 0) + name
    central = (
        struct.pack(
            "<4s6H3L5H2L", b"PK\x01\x02", 20, 20, 0, 8, 0, 33, crc, len(stream), size, len(name), 0, 0, 0, 0, 0, 0
        )
        + name
    )
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(central), len(local) + len(stream), 0)
    assert true[:4] == local[:4]
    path.write_bytes(local + stream + central + end)
    with memory(4 * MEGABYTE):
        assert read_arrays(path, "a proper file")["one"].tolist() == [0.0] * 100
    path.write_bytes(local + stream + central.replace(struct.pack("<L", crc), struct.pack("<L", crc ^ 1)) + end)
    with memory(4 * MEGABYTE):
        assert "which cannot be read (Bad CRC-32" in refusal(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
@pytest.mark.parametrize(
    "shape",
    [
        "(10000000000,)",
        "(100000, 100000)",
        "(-1,)",
        "(-1, -1)",
        "(2, True)",
        "(0, 1000000000000000000000000)",
        "(3,)",
        "(1, 1)",
    ],
)
def test_an_array_that_declares_another_size_than_it_has_is_refused(shape: str, method: int, tmp_path: Path) -> None:
    for data in (b"", bytes(16)):
        content = npy_of(header_of(shape), data)
        path = archive(tmp_path / "liar.npz", {"one.npy": content}, method)
        (tmp_path / "liar.npy").write_bytes(content)
        with memory(MEGABYTE):
            message = refusal(path)
        assert "are not what follows" in message or "cannot be read" in message
        with memory(MEGABYTE), pytest.raises(ValueError, match=r"which are not what follows|int too large"):
            read_array(tmp_path / "liar.npy")


def test_a_member_that_is_stored_and_declares_more_than_there_is(tmp_path: Path) -> None:
    """The size of a member in the list of the archive is as much a claim as the shape in its header."""
    content = npy_of(header_of("(5000000,)"))
    path = archive(tmp_path / "liar.npz", {"one.npy": content})
    forged = path.read_bytes().replace(
        struct.pack("<LL", len(content), len(content)), struct.pack("<LL", len(content), len(content) + 4 * 10**7)
    )
    path.write_bytes(forged)
    with memory(files.SMALL_ARRAY_BYTES):
        assert "which cannot be read" in refusal(path)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (npy_of(header_of("(3,)"), bytes(24), b"\x02\x00"), "its header has version (2, 0)"),
        (npy_of(header_of("(3,)"), bytes(24), b"\x03\x00"), "its header has version (3, 0)"),
        (b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1) + b"{" * 1000, "its header has version (2, 0)"),
        (npy_of(header_of("(3,)").ljust(60000), bytes(24)), "its header has 60000 bytes, at most 1000 are parsed"),
        (npy_of(header_of("()", "'|O'"), b"cos\nsystem\n(S'true'\ntR."), "it holds objects, which are not loaded"),
        (npy_of(header_of("(2,)", "[('a', '|O')]"), bytes(16)), "it holds objects, which are not loaded"),
        (npy_of(header_of("(5,)", "'<U0'")), "are not what follows"),
        (npy_of(header_of("(1000000000000,)", "'|S0'")), "are not what follows"),
        (npy_of("{'descr': '<f8', 'fortran_order': False, 'shape': (3,"), "cannot be read"),
        (npy_of("(" * 900), "cannot be read"),
        (npy_of("-" * 900 + "1"), "cannot be read"),
        (npy_of("'''abc"), "cannot be read"),
        (npy_of("\tx\n y"), "cannot be read"),
        (npy_of("__import__('os').system('true')"), "cannot be read"),
        (npy_of("9" * 900), "cannot be read"),
        (npy(np.zeros(3)) + b"more", "are not what follows"),
        (b"", "cannot be read"),
        (b"\x93NUMPY", "cannot be read"),
        (b"no array", "cannot be read"),
    ],
    ids=range(19),
)
def test_headers_of_arrays(content: bytes, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """In an archive, alone, and from the command line."""
    path, alone = archive(tmp_path / "file.npz", {"one.npy": content}), tmp_path / "file.npy"
    alone.write_bytes(content)
    with memory(MEGABYTE):
        assert told in refusal(path)
        with pytest.raises(ValueError):  # noqa: PT011
            read_array(alone)
    assert main([*MATRIX, str(alone)]) == 2
    err = capsys.readouterr().err
    assert "which holds no array of numbers" in err
    assert err.count("\n") == 1


def test_a_large_header_in_a_small_archive_is_not_unpacked(tmp_path: Path) -> None:
    """Fifty megabytes of blanks before a header's end, packed to fifty kilobytes."""
    content = b"\x93NUMPY\x02\x00" + struct.pack("<I", 50 * MEGABYTE) + b" " * (50 * MEGABYTE)
    path = archive(tmp_path / "file.npz", {"one.npy": content}, zipfile.ZIP_DEFLATED)
    with memory(2 * MEGABYTE):
        assert "its header has version (2, 0)" in refusal(path)


def test_a_long_list_of_members_is_not_read(tmp_path: Path) -> None:
    """An archive of nothing but names; zipfile would make an object of each."""
    path = tmp_path / "names.npz"
    archive(path, {f"{number:060}": b"" for number in range(12000)})
    with memory(2 * MEGABYTE):
        message = refusal(path)
    assert f"bytes are to be read at once, at most {2**20} are" in message


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archives_that_are_packed_in_other_ways_are_refused(method: int, tmp_path: Path) -> None:
    """Whoever packs says how much memory unpacking takes."""
    path = archive(tmp_path / "file.npz", {"one.npy": npy(np.zeros(10**6))}, method)
    with memory(MEGABYTE):
        assert "it is packed in another way than numpy packs" in refusal(path)


@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
def test_two_arrays_of_one_name_are_refused(tmp_path: Path) -> None:
    for second in ("one.npy", "one"):
        with zipfile.ZipFile(tmp_path / "file.npz", "w") as written:
            written.writestr("one.npy", npy(np.zeros(1)))
            written.writestr(second, npy(np.ones(1)))
        assert "two of its arrays have one name" in refusal(tmp_path / "file.npz")


def test_a_file_of_arrays_is_refused_by_its_size_before_it_is_read(tmp_path: Path) -> None:
    """A terabyte that is not on the disk, as an archive and as an array that declares just that."""
    header = header_of(f"({2**37},)").ljust(118)
    path = tmp_path / "file.npy"
    path.write_bytes(npy_of(header))
    os.truncate(path, 128 + 2**40)
    with memory(MEGABYTE), pytest.raises(OSError, match=f"it has {128 + 2**40} bytes, at most {2**34} are read"):
        read_array(path)
    with memory(2 * MEGABYTE):
        assert "which cannot be read" in refusal(path)


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_honest_arrays_are_read(save: Callable[..., None], tmp_path: Path) -> None:
    """Large ones, small residues, zeros, in both orders, texts, numbers, and arrays of nothing."""
    rng = np.random.default_rng(0)
    arrays = {
        "large": rng.standard_normal((1000, 700)),
        "residues": rng.integers(0, 2, (500, 1500)),
        "zeros": np.zeros((1000, 1000)),
        "columns": np.asfortranarray(rng.standard_normal((30, 20))),
        "single": rng.standard_normal(7).astype(np.float32),
        "text": np.array("Weights"),
        "texts": np.array(["a", "bcd"]),
        "number": np.int64(5),
        "truth": np.array([True, False]),
        "nothing": np.zeros((0, 3)),
    }
    save(tmp_path / "file.npz", **arrays)
    found = read_arrays(tmp_path / "file.npz", "")
    assert list(found) == list(arrays)
    for name, array in arrays.items():
        assert found[name].dtype == np.asarray(array).dtype
        assert np.array_equal(found[name], array)
        np.save(tmp_path / "one.npy", array)
        assert np.array_equal(read_array(tmp_path / "one.npy"), array)


def test_any_header_is_read_or_refused(tmp_path: Path) -> None:
    """Every byte of a header, changed in several ways: nothing but a refusal comes out, in bounded memory."""
    whole = npy(np.arange(6.0).reshape(2, 3))
    path = tmp_path / "file.npy"
    refused = 0
    for place in range(128):
        for changed in (0, 9, 10, 39, 40, 48, 57, 91, 123, 255, whole[place] ^ 1):
            path.write_bytes(whole[:place] + bytes([changed]) + whole[place + 1 :])
            with memory(MEGABYTE):
                try:
                    read_array(path)
                except ValueError:
                    refused += 1
    assert refused > 128


def test_names_in_a_file_are_quoted_in_a_line(tmp_path: Path) -> None:
    theta = algatt.sample(algatt.Lightning((3, 2), (2,), 2), algatt.Weights)
    theta.save(tmp_path / "theta.npz")
    with np.load(tmp_path / "theta.npz") as stored:
        arrays = dict(stored)
    for name in ("\x1b[2J", "x" * 10**4):
        members = {f"{name if key == 'V_1' else key}.npy": npy(array) for key, array in arrays.items()}
        message = refusal(archive(tmp_path / "file.npz", members), algatt.load)
        assert "with the name '" in message
        assert message.isprintable()
