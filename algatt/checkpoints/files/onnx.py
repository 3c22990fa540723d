"""Initialisers of ONNX files by the names of the parameters that they were exported from."""

from __future__ import annotations

import dataclasses
import functools
import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from algatt.checkpoints.files.mapped import map_bytes, refusal
from algatt.checkpoints.tensors import FLOATS, FileTensor, FileTensors
from algatt.errors import InvalidArgument, MissingExtra
from algatt.files import shorten, told

SHOULD = "an ONNX file"

KINDS = {1: "F32", 10: "F16", 11: "F64", 16: "BF16"}
"""The types of floats, by the numbers that ONNX has for them."""

INTEGER_BITS = 8
"""How many bits the integers have."""

INTEGERS = {2: "U8", 3: "I8"}
"""The types of integers of matrices that were quantised, each with a scale and a zero beside it."""

PRODUCTS = ("MatMul", "MatMulInteger")
"""The nodes that multiply by a matrix."""

ANONYMOUS = re.compile(r"onnx::\w+")
"""What an exporter calls a matrix that it transposed; the node that multiplies by it has the path of the module."""


def read_onnx(path: str | os.PathLike[str]) -> FileTensors:
    """Return the initialisers of a file.

    A matrix without a name of its own, by which a node /a/b/MatMul multiplies, is the transpose of a.b.weight. Integers
    a_quantized with a_scale and a_zero_point are the numbers that they stand for, of the name a.

    Raises
    ------
    InvalidArgument
        If the file cannot be read.
    MissingExtra
        If the package onnx is not installed.
    """
    map_bytes(path, SHOULD)
    try:
        import onnx
    except ImportError as error:
        raise MissingExtra("onnx", "onnx") from error
    try:
        model = onnx.load(os.fspath(path), load_external_data=False)
    except Exception as error:  # whatever a damaged message makes protobuf raise
        raise refusal(path, f"which onnx does not read ({told(error)})", SHOULD) from error
    if not model.graph.node:
        raise refusal(path, "without a graph", SHOULD)
    products = [node for node in model.graph.node if node.op_type in PRODUCTS]
    names = [one.name for one in (*model.graph.initializer, *products)]
    if any(isinstance(name, bytes) for name in (*names, *(name for node in products for name in node.input))):
        raise refusal(path, "with a name that is no text", SHOULD)  # which protobuf returns as bytes
    modules = dict(modules_of(model.graph))
    members: dict[str, FileTensor] = {}
    stored = {tensor.name: tensor for tensor in model.graph.initializer}
    scales = {name for bare in map(quantised, stored) if bare for name in (f"{bare}_scale", f"{bare}_zero_point")}
    for tensor in stored.values():
        if tensor.name in scales:
            continue
        bare = quantised(tensor.name)
        name = modules.get(tensor.name, bare or tensor.name)
        if name in members:
            raise refusal(path, f"with two tensors {shorten(name)}", SHOULD)
        member = member_of(name, tensor, tensor.name in modules, Path(path).parent)
        if bare:
            beside = [stored.get(f"{bare}_{one}") for one in ("scale", "zero_point")]
            member = dequantised(name, member, beside)
        members[name] = member
    return FileTensors(os.fspath(path), members)


def quantised(name: str) -> str:
    """Return what integers are called without the word for them; nothing for other tensors."""
    return name.removesuffix("_quantized") if name.endswith("_quantized") else ""


def dequantised(name: str, member: FileTensor, beside: list[Any]) -> FileTensor:
    """Return integers as the numbers that they stand for: their difference to the zero, times the scale.

    Raises
    ------
    InvalidArgument
        If there is no scale or no zero, or one for each row.
    """
    if any(one is None or math.prod(one.dims) != 1 for one in beside):
        raise InvalidArgument(name, "of integers without one scale and one zero", "with them")

    def read() -> np.ndarray:
        import onnx

        scale, zero = (onnx.numpy_helper.to_array(one).reshape(()) for one in beside)
        numbers: np.ndarray = (member.read().astype(np.int32) - np.int32(zero)) * np.float32(scale)
        return numbers.astype(np.float32)

    return dataclasses.replace(member, precision=INTEGER_BITS, read=read)


def modules_of(graph: Any) -> Iterator[tuple[str, str]]:
    """Iterate over the anonymous matrices, each with the name of the weight of which it is the transpose."""
    for node in graph.node:
        if node.op_type not in PRODUCTS or len(node.input) < 2:
            continue
        path = node.name.strip("/").split("/")
        if len(path) > 1 and ANONYMOUS.fullmatch(node.input[1]):
            yield node.input[1], f"{'.'.join(path[:-1])}.weight"


def member_of(name: str, tensor: Any, transposed: bool, folder: Path) -> FileTensor:
    """Return an initialiser."""
    shape = tuple(tensor.dims)
    kind = (KINDS | INTEGERS).get(tensor.data_type, f"number {tensor.data_type}")
    precision = FLOATS[kind].precision if kind in FLOATS else FLOATS["F64"].precision
    read = functools.partial(array_of, name, tensor, kind, transposed, folder)
    return FileTensor(shape[::-1] if transposed else shape, kind, precision, read)


def array_of(name: str, tensor: Any, kind: str, transposed: bool, folder: Path) -> np.ndarray:
    """Return the array of an initialiser; one of bfloat16 as float32."""
    import onnx

    if kind not in (*FLOATS, *INTEGERS.values()) or (kind in INTEGERS.values() and not quantised(tensor.name)):
        raise InvalidArgument(name, f"of the type {kind} of ONNX", f"of one of the types {', '.join(KINDS.values())}")
    try:
        array: np.ndarray = onnx.numpy_helper.to_array(tensor, str(folder))
    except Exception as error:  # bytes that are missing here or in another file
        raise InvalidArgument(name, f"without its numbers ({told(error)})", "with all of them") from error
    array = array.astype(np.float32) if kind == "BF16" else array
    return array.T if transposed else array
