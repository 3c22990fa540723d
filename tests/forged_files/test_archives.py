"""Archives of arrays that may hold anything are refused before they cost memory."""

from __future__ import annotations

import struct
import zipfile
import zlib
from pathlib import Path

import numpy as np
import pytest

import algatt
from algatt import files
from algatt.files import read_arrays
from forged_files import MEGABYTE, archive, header_of, memory, npy, npy_of, refusal


def test_an_archive_that_expands_too_much_is_refused(tmp_path: Path) -> None:
    """A hundred megabytes of zeros in a hundred kilobytes, in many members, beside as much as cannot be compressed."""
    chunk = npy(np.zeros(8 * MEGABYTE, dtype=np.uint8))
    noise = npy(np.random.default_rng(0).integers(256, size=7 * MEGABYTE // 10, dtype=np.uint8))
    members = {"noise.npy": noise, **{f"array_{number}.npy": chunk for number in range(16)}}
    path = archive(tmp_path / "bomb.npz", members, zipfile.ZIP_DEFLATED)
    assert path.stat().st_size < MEGABYTE
    with memory(4 * MEGABYTE):
        message = refusal(path)
    size, held = path.stat().st_size, 16 * len(chunk) + len(noise)
    assert f"its arrays take {held} bytes, at most {100 * size} are read from a file of {size} bytes" in message


def test_an_archive_that_declares_less_than_it_holds_is_unpacked_up_to_there(tmp_path: Path) -> None:
    """A header that says 800 bytes, and a compressed stream that gives a hundred megabytes."""
    content = npy(np.zeros(100))
    path = archive(tmp_path / "liar.npz", {"one.npy": content}, zipfile.ZIP_DEFLATED)
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    stream = packer.compress(content)
    for _ in range(32):
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
