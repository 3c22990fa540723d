"""Files of GGUF: numbers and texts by name, and tensors, many of them in blocks of integers with a scale."""

from __future__ import annotations

import functools
import importlib
import math
import os
import re
import struct
from typing import Any

import numpy as np

from algatt.checkpoints.files.cursor import Cursor, Truncated
from algatt.checkpoints.files.mapped import map_bytes, refusal
from algatt.checkpoints.tensors import FLOATS, FileTensor, FileTensors
from algatt.errors import InvalidArgument, MissingExtra
from algatt.files import shorten

SHOULD = "a GGUF file of version 2 or 3"

MAGIC = b"GGUF"

SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""The types of numbers, as `struct` has them; 8 is a text and 9 an array."""

TEXT, ARRAY = 8, 9

FLOAT_KINDS = {0: "F32", 1: "F16", 28: "F64", 30: "BF16"}
"""The types of tensors that are no blocks."""


class GGUFHeader(Cursor):
    """A place in the header of a file."""

    def text(self) -> str:
        """Return the next text, which has its length before it."""
        return self.take(self.number("Q")).tobytes().decode("utf-8", "replace")

    def value(self, kind: int) -> Any:
        """Return the next value of a type; of an array only how long it is: those are of tokens."""
        if kind in SCALARS:
            return self.number(SCALARS[kind])
        if kind == TEXT:
            return self.text()
        if kind != ARRAY:
            raise ValueError(f"a value of the type {kind}")
        inner, count = self.number("I"), self.number("Q")
        if inner in SCALARS:
            self.take(count * struct.calcsize(f"<{SCALARS[inner]}"))
        else:
            for _ in range(count):
                self.value(inner)
        return f"an array of {count}"


def read_gguf(path: str | os.PathLike[str]) -> FileTensors:
    """Return the tensors of a file; its numbers and texts are their metadata.

    Raises
    ------
    InvalidArgument
        If the file cannot be read, is truncated, or has tensors of a type that is not known.
    MissingExtra
        If the package gguf, which knows the blocks of integers, is needed and not installed.
    """
    cursor = GGUFHeader(map_bytes(path, SHOULD))
    try:
        metadata, tensors = header(path, cursor)
        step = metadata.get("general.alignment", 32)
        if type(step) is not int or step < 1:
            raise refusal(path, f"with the alignment {step!r}", SHOULD)
        body = cursor.data[cursor.place + -cursor.place % step :]
        members = {name: member_of(path, name, kind, shape, body[place:]) for name, kind, shape, place in tensors}
    except (Truncated, RecursionError) as error:
        raise refusal(path, "which is truncated", f"{SHOULD}, whole") from error
    except (ValueError, struct.error) as error:
        if isinstance(error, InvalidArgument):
            raise
        raise refusal(path, f"with {shorten(str(error))}", SHOULD) from error
    if len(members) < len(tensors):
        raise refusal(path, "with two tensors of one name", SHOULD)
    return FileTensors(os.fspath(path), members, metadata)


def header(path: str | os.PathLike[str], cursor: GGUFHeader) -> tuple[dict[str, Any], list[Any]]:
    """Return the metadata, and name, type, shape and place of each tensor."""
    if cursor.take(4).tobytes() != MAGIC or cursor.number("I") not in (2, 3):
        raise refusal(path, "which does not begin as one", SHOULD)
    count, values = cursor.number("Q"), cursor.number("Q")
    metadata = {}
    for _ in range(values):
        name = cursor.text()
        metadata[name] = cursor.value(cursor.number("I"))
    tensors = []
    for _ in range(count):
        name = cursor.text()
        sizes = [cursor.number("Q") for _ in range(cursor.number("I"))]
        tensors.append((name, cursor.number("I"), tuple(reversed(sizes)), cursor.number("Q")))
    return metadata, tensors


def member_of(
    path: str | os.PathLike[str], name: str, kind: int, shape: tuple[int, ...], data: np.ndarray
) -> FileTensor:
    """Return a tensor, its bytes being the first of those that are given."""
    label = FLOAT_KINDS.get(kind) or name_of_blocks(path, name, kind)
    if label in FLOATS:
        size, precision = FLOATS[label].size(shape), FLOATS[label].precision
        read = functools.partial(FLOATS[label].view, data[:size], shape)
    else:
        entries, per_block = package("constants").GGML_QUANT_SIZES[kind]
        if not shape or shape[-1] % entries:
            raise refusal(path, f"where {shorten(name)} of the shape {shape} is of blocks of {entries}", SHOULD)
        size = math.prod(shape) // entries * per_block
        precision = max(2, *map(int, re.findall(r"\d+", label)[:1]))
        read = functools.partial(numbers_of_blocks, name, data[:size], kind, shape)
    if size > len(data):
        was = f"which is truncated: {shorten(name)} has {size} bytes, of which {len(data)} are there"
        raise refusal(path, was, f"{SHOULD}, whole")
    return FileTensor(shape, label, precision, read)


def name_of_blocks(path: str | os.PathLike[str], name: str, kind: int) -> str:
    """Return the name of a type of blocks."""
    try:
        return str(package("constants").GGMLQuantizationType(kind).name)
    except ValueError as error:
        was = f"where {shorten(name)} is of blocks of the unknown type {kind}"
        raise refusal(path, was, f"{SHOULD}, with types that the package gguf knows") from error


def numbers_of_blocks(name: str, data: np.ndarray, kind: int, shape: tuple[int, ...]) -> np.ndarray:
    """Return the numbers that blocks of integers with a scale stand for."""
    known = package("constants").GGMLQuantizationType(kind)
    try:
        numbers: np.ndarray = package("quants").dequantize(data.reshape(math.prod(shape[:-1]), -1), known)
    except NotImplementedError as error:
        raise InvalidArgument(
            name, f"of the type {known.name}", "of one that the package gguf makes floats of"
        ) from error
    return numbers.reshape(shape)


def package(name: str) -> Any:
    """Return a module of the package gguf."""
    try:
        return importlib.import_module(f"gguf.{name}")
    except ImportError as error:
        raise MissingExtra("gguf", "gguf") from error
