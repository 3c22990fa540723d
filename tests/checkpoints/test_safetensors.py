"""Files of safetensors, and folders of shards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from algatt.checkpoints import read_tensors, write_safetensors
from algatt.errors import InvalidArgument
from written_checkpoints import safetensors_bytes

ARRAYS = {
    "a": np.arange(6, dtype=np.float32).reshape(2, 3) / 7,
    "half": np.array([1.5, -2.0], dtype=np.float16),
    "double": np.array(np.pi),
}

ONE = {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}

TWO = np.array([1, 2], dtype="<f4").tobytes()


def written(folder: Path, content: bytes) -> Path:
    path = folder / "model.safetensors"
    path.write_bytes(content)
    return path


def test_the_library_of_that_name_writes_what_is_read(tmp_path: Path) -> None:
    library = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    path = tmp_path / "other_name.safetensors"
    library.save_file(ARRAYS, path, metadata={"format": "np"})
    found = read_tensors(path)
    assert set(found) == set(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)
    assert found.metadata == {"format": "np"}
    assert found.precision == 11


def test_the_library_reads_what_is_written(tmp_path: Path) -> None:
    library = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    path = tmp_path / "a.safetensors"
    write_safetensors(path, {**ARRAYS, "transposed": ARRAYS["a"].T})
    read = library.load_file(path)
    for name, array in {**ARRAYS, "transposed": ARRAYS["a"].T}.items():
        np.testing.assert_array_equal(read[name], array)
    with pytest.raises(InvalidArgument, match="a was of int64; it should be of one of"):
        write_safetensors(path, {"a": np.arange(2)})
    np.testing.assert_array_equal(read_tensors(path)["a"], ARRAYS["a"])


def test_bfloat16_is_the_upper_half_of_float32(tmp_path: Path) -> None:
    """0x3F80 is 1, 0xC0A0 is -5, 0x3DCD is 205 / 2048, to which 0.1 is rounded."""
    body = np.array([0x3F80, 0xC0A0, 0x3DCD], dtype="<u2").tobytes()
    header = {"a": {"dtype": "BF16", "shape": [3], "data_offsets": [0, 6]}}
    found = read_tensors(written(tmp_path, safetensors_bytes(header, body)))
    assert found["a"].tolist() == [1, -5, 205 / 2048]
    assert found.precision == 8


def test_numbers_are_mapped_wherever_they_begin(tmp_path: Path) -> None:
    header = safetensors_bytes(json.dumps(ONE).encode() + b" " * 3, TWO)
    found = read_tensors(written(tmp_path, header))
    assert found["a"].tolist() == [1, 2]
    assert not found["a"].flags.writeable
    assert not found["a"].flags.owndata


def test_a_header_may_begin_like_a_pickle(tmp_path: Path) -> None:
    for length in (0x80, 0x280):  # the first byte of a pickle is 0x80
        header = json.dumps(ONE).encode().ljust(length)
        path = written(tmp_path, length.to_bytes(8, "little") + header + TWO)
        np.testing.assert_array_equal(read_tensors(path)["a"], [1, 2])


def test_numbers_of_other_types_are_refused_when_they_are_asked_for(tmp_path: Path) -> None:
    header = {**ONE, "b": {"dtype": "F8_E4M3", "shape": [2], "data_offsets": [8, 10]}}
    found = read_tensors(written(tmp_path, safetensors_bytes(header, TWO + b"ab")))
    assert found["a"].tolist() == [1, 2]
    with pytest.raises(InvalidArgument, match="b was of the type F8_E4M3; it should be of one of the types F64, F32"):
        found["b"]


def entry(**changes: Any) -> dict[str, Any]:
    return {"a": {**ONE["a"], **changes}}


def half(first: int) -> dict[str, Any]:
    return {"dtype": "F32", "shape": [1], "data_offsets": [first, first + 4]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "which is empty"),
        (b"\x08\x00", "whose header has 8 bytes in a file of 2"),
        (safetensors_bytes(ONE, length=10**15), "whose header has 1000000000000000 bytes"),
        (safetensors_bytes(b"{nothing"), "whose header is not JSON"),
        (safetensors_bytes(b"{" + b'"a":[' * 10**5), "whose header is not JSON"),
        (safetensors_bytes([1]), "whose header is JSON of a list"),
        (safetensors_bytes(ONE, TWO[:7]), "which is truncated: a ends at byte 8 of 7"),
        (safetensors_bytes(entry(shape=[3]), TWO), r"where a of the type F32 and the shape \(3,\) has 8 bytes"),
        (safetensors_bytes(entry(shape=[-2]), TWO), "which does not say where 'a' is"),
        (safetensors_bytes(entry(shape=[2.0]), TWO), "which does not say where 'a' is"),
        (safetensors_bytes(entry(data_offsets=[8, 0]), TWO), "which does not say where 'a' is"),
        (safetensors_bytes(entry(data_offsets=[8]), TWO), "which does not say where 'a' is"),
        (safetensors_bytes({"a": 3}), "which does not say where 'a' is"),
        (safetensors_bytes({**ONE, "b": ONE["a"]}, TWO), "where b begins at byte 0 and not 8, which overlaps"),
        (safetensors_bytes({**ONE, "b": half(4)}, TWO * 2), "where b begins at byte 4 and not 8, which overlaps"),
        (safetensors_bytes({**ONE, "b": half(12)}, TWO * 2), "where b begins at byte 12 and not 8, which leaves a gap"),
        (safetensors_bytes({"a": half(4)}, TWO), "where a begins at byte 4 and not 0, which leaves a gap"),
        (safetensors_bytes(ONE, TWO * 2), "where tensors end at byte 8 of 16"),
    ],
)
def test_damaged_files_are_refused_in_one_line(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as caught:
        read_tensors(written(tmp_path, content))
    assert "\n" not in str(caught.value)


def test_the_library_refuses_the_same_offsets(tmp_path: Path) -> None:
    library = pytest.importorskip("safetensors.numpy", reason="safetensors is not installed")
    headers = [({**ONE, "b": half(first)}, TWO * 2) for first in (4, 12)] + [({"a": half(4)}, TWO), (ONE, TWO * 2)]
    for header, body in headers:
        with pytest.raises(Exception, match="Error while deserializing header"):
            library.load_file(written(tmp_path, safetensors_bytes(header, body)))


def test_empty_tensors_stand_anywhere_between_others(tmp_path: Path) -> None:
    empty = {"dtype": "F32", "shape": [0, 3]}
    header = {name: {**empty, "data_offsets": [at, at]} for name, at in (("first", 0), ("last", 8))}
    found = read_tensors(written(tmp_path, safetensors_bytes({**header, **ONE}, TWO)))
    assert [found[name].shape for name in ("first", "a", "last")] == [(0, 3), (2,), (0, 3)]


def test_a_file_that_is_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    content = safetensors_bytes(ONE, TWO)
    for length in range(len(content)):
        with pytest.raises(InvalidArgument, match=r"^path was"):
            read_tensors(written(tmp_path, content[:length]))


def shards(folder: Path, places: dict[str, Any]) -> Path:
    write_safetensors(folder / "one.safetensors", {"a": ARRAYS["a"]})
    write_safetensors(folder / "two.safetensors", {"b": ARRAYS["a"] + 1})
    index = folder / "model.safetensors.index.json"
    index.write_text(json.dumps({"weight_map": places}))
    return index


def test_shards_are_read_by_their_index(tmp_path: Path) -> None:
    index = shards(tmp_path, {"a": "one.safetensors", "b": "two.safetensors"})
    for path in (index, tmp_path):
        found = read_tensors(path)
        assert list(found) == ["a", "b"]
        np.testing.assert_array_equal(found["b"], ARRAYS["a"] + 1)


@pytest.mark.parametrize(
    ("places", "message"),
    [
        ({"a": "one.safetensors", "b": "three.safetensors"}, "whose shard three.safetensors is not there"),
        ({"a": "one.safetensors", "c": "two.safetensors"}, "where c is not in two.safetensors"),
        ({"a": "../one.safetensors"}, "with the shard '../one.safetensors'"),
        ({"a": "/etc/passwd"}, "with the shard '/etc/passwd'"),
        ({"a": 3}, "with the shard '3'"),
        ({}, "without a weight_map"),
    ],
)
def test_shards_that_are_not_there(tmp_path: Path, places: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        read_tensors(shards(tmp_path, places))


def test_folders_and_paths_without_a_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match=r"a folder without one; it should be a folder with model.safetensors"):
        read_tensors(tmp_path)
    write_safetensors(tmp_path / "one.safetensors", {"a": ARRAYS["a"]})
    assert list(read_tensors(tmp_path)) == ["a"]
    write_safetensors(tmp_path / "two.safetensors", {"a": ARRAYS["a"]})
    with pytest.raises(InvalidArgument, match=r"with 2 files that may be one \(one.safetensors, two.safetensors\)"):
        read_tensors(tmp_path)
    with pytest.raises(InvalidArgument, match="which cannot be read"):
        read_tensors(tmp_path / "none.safetensors")
    (tmp_path / "text.txt").write_text("a text of some length")
    with pytest.raises(InvalidArgument, match="which begins as none of them; it should be a file of safetensors, Py"):
        read_tensors(tmp_path / "text.txt")
    with pytest.raises(InvalidArgument, match="path was 3; it should be a file of safetensors"):
        read_tensors(3)  # type: ignore[arg-type]
    (tmp_path / "x.index.json").write_text("[")
    with pytest.raises(InvalidArgument, match="which is not JSON; it should be an index of shards"):
        read_tensors(tmp_path / "x.index.json")
