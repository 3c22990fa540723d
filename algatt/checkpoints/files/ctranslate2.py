"""Files of CTranslate2: variables by name, among them integers with scales, and other names of the same variables."""

from __future__ import annotations

import functools
import math
import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from algatt.checkpoints.files.cursor import Cursor, Truncated
from algatt.checkpoints.files.mapped import map_bytes, refusal
from algatt.checkpoints.tensors import FLOATS, FileTensor, FileTensors
from algatt.errors import InvalidArgument
from algatt.files import shorten

SHOULD = "a model.bin of CTranslate2, of version 4 to 6"

VERSIONS = (4, 5, 6)
"""Before them types were not written."""

BEGINNING = re.compile(rb"[\x01-\x0f]\0\0\0[^\0]\0[A-Za-z]")
"""The first bytes: the version, the length of a name, and the name."""

SPECIFICATION = "ctranslate2.specification"
"""Under which name the metadata have what kind of model it is."""

KINDS = ("F32", "I8", "I16", "I32", "F16", "BF16")
"""The types in the order of their numbers."""

INTEGERS = {"I8": "i1", "I16": "<i2", "I32": "<i4"}
"""The types of integers, as numpy has them."""

QUANTISED = {"I8": 8, "I16": 11}
"""The bits of the integers that stand for other numbers; those of 16 bits are 1024 at most."""


class CTranslate2Header(Cursor):
    """A place in the bytes of a file."""

    def text(self) -> str:
        """Return the next text, which has its length before it, and ends with a zero."""
        return self.take(self.number("H")).tobytes().rstrip(b"\0").decode("utf-8", "replace")


class Variable(NamedTuple):
    """A variable: its type, its shape and its bytes."""

    kind: str
    shape: tuple[int, ...]
    data: np.ndarray

    def array(self) -> np.ndarray:
        """Return it as an array; one of bfloat16 as float32."""
        if self.kind in FLOATS:
            return FLOATS[self.kind].view(self.data, self.shape)
        return self.data.view(INTEGERS[self.kind]).reshape(self.shape)


def read_ctranslate2(path: str | os.PathLike[str]) -> FileTensors:
    """Return the variables of a file that are arrays; what kind of model it is, and its numbers, are their metadata.

    Integers with scales are the numbers that they stand for, each divided by the scale of its row, or by that of all.

    Raises
    ------
    InvalidArgument
        If the file cannot be read, is truncated, or has more bytes than it says, variables of a type that is not known,
        or integers without scales.
    """
    cursor = CTranslate2Header(map_bytes(path, SHOULD))
    try:
        version = cursor.number("I")
        if version not in VERSIONS:
            raise refusal(path, f"of version {version}", SHOULD)
        metadata: dict[str, Any] = {SPECIFICATION: cursor.text(), "ctranslate2.revision": cursor.number("I")}
        variables: dict[str, Variable] = {}
        for _ in range(cursor.number("I")):
            name = cursor.text()
            if name in variables:
                raise refusal(path, f"with two variables {shorten(name)}", SHOULD)
            variables[name] = variable(path, name, cursor)
        aliases = [(cursor.text(), cursor.text()) for _ in range(cursor.number("I"))]
    except Truncated as error:
        raise refusal(path, "which is truncated", f"{SHOULD}, whole") from error
    if cursor.place < len(cursor.data):
        raise refusal(path, f"with {len(cursor.data) - cursor.place} bytes behind its end", SHOULD)
    scalars = {name: one.array()[()].item() for name, one in variables.items() if not one.shape}
    members = {
        name: member_of(path, name, one, variables)
        for name, one in variables.items()
        if one.shape and not is_scale(name, variables)
    }
    for alias, name in aliases:
        if name not in variables or alias in variables:
            was = f"where {shorten(alias)} is another name of {shorten(name)}"
            raise refusal(path, was, f"{SHOULD}, with other names of variables that are there")
        if name in members:
            members[alias] = members[name]
    return FileTensors(os.fspath(path), members, scalars | metadata)


def variable(path: str | os.PathLike[str], name: str, cursor: CTranslate2Header) -> Variable:
    """Return the next variable, its name being read."""
    shape = tuple(cursor.number("I") for _ in range(cursor.number("B")))
    number, size = cursor.number("B"), cursor.number("I")
    if number >= len(KINDS):
        raise refusal(path, f"where {shorten(name)} is of the unknown type {number}", SHOULD)
    kind = KINDS[number]
    expected = FLOATS[kind].size(shape) if kind in FLOATS else math.prod(shape) * np.dtype(INTEGERS[kind]).itemsize
    if size != expected:
        was = f"where {shorten(name)} of the type {kind} and the shape {shape} has {size} bytes"
        raise refusal(path, was, f"{SHOULD} with {expected} bytes for it")
    return Variable(kind, shape, cursor.take(size))


def is_scale(name: str, variables: Mapping[str, Variable]) -> bool:
    """Return whether a variable has the scales of integers."""
    base = name.removesuffix("_scale")
    return base != name and base in variables and variables[base].kind in QUANTISED


def member_of(path: str | os.PathLike[str], name: str, one: Variable, variables: Mapping[str, Variable]) -> FileTensor:
    """Return a variable that is an array; integers as the numbers that they stand for."""
    if one.kind in FLOATS:
        return FileTensor(one.shape, one.kind, FLOATS[one.kind].precision, one.array)
    if one.kind not in QUANTISED:

        def refuse() -> np.ndarray:
            raise InvalidArgument(name, f"of the type {one.kind}", f"of one of the types {', '.join(KINDS[:3])}")

        return FileTensor(one.shape, one.kind, FLOATS["F64"].precision, refuse)
    scale = variables.get(f"{name}_scale")
    if scale is None or scale.kind not in FLOATS or scale.shape not in ((), (1,), one.shape[:1]):
        has = "no scales" if scale is None else f"scales of the type {scale.kind} and the shape {scale.shape}"
        was = f"where {shorten(name)} of integers has {has}"
        raise refusal(path, was, f"{SHOULD}, with a scale for each row, or one")
    return FileTensor(one.shape, one.kind, QUANTISED[one.kind], functools.partial(divided, one, scale))


def divided(integers: Variable, scale: Variable) -> np.ndarray:
    """Return integers divided by their scales, which are one for each row or one for all."""
    rows = scale.array().astype(np.float32).reshape(-1, *[1] * (len(integers.shape) - 1))
    numbers: np.ndarray = integers.array().astype(np.float32) / rows
    return numbers
