"""Arrays whose headers may say anything are refused before they cost memory, and honest ones are read."""

from __future__ import annotations

import os
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from algatt.cli.main import main
from algatt.files import read_array, read_arrays
from forged_files import MATRIX, MEGABYTE, archive, header_of, memory, npy, npy_of, refusal, write_anew


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
            write_anew(path, whole[:place] + bytes([changed]) + whole[place + 1 :])
            with memory(MEGABYTE):
                try:
                    read_array(path)
                except ValueError:
                    refused += 1
    assert refused > 128
