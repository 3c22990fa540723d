"""Files of safetensors: the length of a header, the header in JSON, and the numbers."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from algatt.checkpoints.files.mapped import map_bytes, refusal
from algatt.checkpoints.tensors import FLOATS, FileTensor, FileTensors
from algatt.errors import InvalidArgument
from algatt.files import parse_json, shorten, write_atomically

SHOULD = "a file of safetensors"

MOST_HEADER_BYTES = 10**8
"""The header may take so many bytes, as in the library of that name."""

KINDS = {"float64": "F64", "float32": "F32", "float16": "F16"}
"""The names of the types of numpy."""


def read_safetensors(path: str | os.PathLike[str]) -> FileTensors:
    """Return the tensors of a file.

    Raises
    ------
    InvalidArgument
        If the file cannot be read, or its bytes are not what its header says; tensors of other types than floats of 16
        bits or more are refused when they are asked for.
    """
    data = map_bytes(path, SHOULD)
    length = int.from_bytes(data[:8].tobytes(), "little")
    if len(data) < 8 or length > min(MOST_HEADER_BYTES, len(data) - 8):
        raise refusal(path, f"whose header has {length} bytes in a file of {len(data)}", f"{SHOULD}, whole")
    header = parse(path, data[8 : 8 + length].tobytes())
    metadata = header.pop("__metadata__", {})
    body, members, places = data[8 + length :], {}, []
    for name, described in header.items():
        kind, shape, first, last = checked(path, name, described, len(body))
        members[name] = member_of(name, kind, shape, body[first:last])
        places.append((first, last, name))
    check_places(path, places, len(body))
    return FileTensors(os.fspath(path), members, metadata if isinstance(metadata, dict) else {})


def parse(path: str | os.PathLike[str], text: bytes) -> dict[str, Any]:
    """Return the header."""
    try:
        header = parse_json(text)
    except ValueError as error:
        raise refusal(path, f"whose header {error}", SHOULD) from error
    if not isinstance(header, dict):
        raise refusal(path, f"whose header is JSON of a {type(header).__name__}", SHOULD)
    return header


def checked(
    path: str | os.PathLike[str], name: str, described: Any, size: int
) -> tuple[str, tuple[int, ...], int, int]:
    """Return the type and the shape of a tensor, and where it begins and ends."""
    try:
        kind, shape, (first, last) = described["dtype"], tuple(described["shape"]), described["data_offsets"]
        sound = isinstance(kind, str) and all(type(number) is int and number >= 0 for number in (*shape, first, last))
    except (TypeError, KeyError, ValueError):
        sound = False
    if not sound or first > last:
        raise refusal(path, f"which does not say where {shorten(repr(name))} is", SHOULD)
    if last > size:
        was = f"which is truncated: {shorten(name)} ends at byte {last} of {size}"
        raise refusal(path, was, f"{SHOULD}, whole")
    if kind in FLOATS and FLOATS[kind].size(shape) != last - first:
        was = f"where {shorten(name)} of the type {kind} and the shape {shape} has {last - first} bytes"
        raise refusal(path, was, f"{SHOULD} with {FLOATS[kind].size(shape)} bytes for it")
    return kind, shape, first, last


def check_places(path: str | os.PathLike[str], places: list[tuple[int, int, str]], size: int) -> None:
    """Raise `InvalidArgument` unless tensors follow each other without overlaps or gaps, as the library of that name
    asks for, the first and the last byte of each and its name being given.
    """
    end, should = 0, f"{SHOULD}, whose tensors follow each other without overlaps or gaps, to its end"
    for first, last, name in sorted(places):
        if first != end:
            how = "overlaps the tensor before it" if first < end else "leaves a gap before it"
            raise refusal(path, f"where {shorten(name)} begins at byte {first} and not {end}, which {how}", should)
        end = last
    if end != size:
        raise refusal(path, f"where tensors end at byte {end} of {size}", should)


def member_of(name: str, kind: str, shape: tuple[int, ...], data: np.ndarray) -> FileTensor:
    """Return a tensor, its bytes being known."""
    if kind in FLOATS:
        return FileTensor(shape, kind, FLOATS[kind].precision, functools.partial(FLOATS[kind].view, data, shape))

    def refuse() -> np.ndarray:
        raise InvalidArgument(name, f"of the type {shorten(kind)}", f"of one of the types {', '.join(FLOATS)}")

    return FileTensor(shape, kind, FLOATS["F64"].precision, refuse)


def write_safetensors(path: str | os.PathLike[str], tensors: Mapping[str, np.ndarray]) -> None:
    """Write arrays of floats by name to a file, whole or not at all.

    Raises
    ------
    InvalidArgument
        If an array is none of float64, float32 or float16.
    OutputError
        If the file cannot be written.
    """
    header: dict[str, Any] = {}
    end = 0
    for name, array in tensors.items():
        if str(array.dtype) not in KINDS:
            raise InvalidArgument(name, f"of {array.dtype}", f"of one of the types {', '.join(KINDS)}")
        first, end = end, end + array.nbytes
        header[name] = {
            "dtype": KINDS[str(array.dtype)],
            "shape": list(array.shape),
            "data_offsets": [first, end],
        }
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    numbers = (np.ascontiguousarray(array, array.dtype.newbyteorder("<")).tobytes() for array in tensors.values())
    write_atomically(path, b"".join((len(text).to_bytes(8, "little"), text, *numbers)))
