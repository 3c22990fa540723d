"""Initialisers of ONNX files by the names of the parameters that they were exported from."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from algatt.checkpoints.files.mapped import map_bytes, refusal
from algatt.checkpoints.tensors import FLOATS, Member, Tensors
from algatt.errors import InvalidArgument, MissingExtra
from algatt.files import shorten, told

__all__ = ["read_onnx"]

SHOULD = "an ONNX file"

KINDS = {1: "F32", 10: "F16", 11: "F64", 16: "BF16"}
"""The types of floats, by the numbers that ONNX has for them."""

ANONYMOUS = re.compile(r"onnx::\w+")
"""What an exporter calls a matrix that it transposed; the node that multiplies by it has the path of the module."""


def read_onnx(path: str | os.PathLike[str]) -> Tensors:
    """Return the initialisers of a file.

    A matrix without a name of its own, by which a node /a/b/MatMul multiplies, is the transpose of a.b.weight.

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
    modules = dict(modules_of(model.graph))
    members: dict[str, Member] = {}
    for tensor in model.graph.initializer:
        name = modules.get(tensor.name, tensor.name)
        if name in members:
            raise refusal(path, f"with two tensors {shorten(name)}", SHOULD)
        members[name] = member_of(name, tensor, tensor.name in modules, Path(path).parent)
    return Tensors(os.fspath(path), members)


def modules_of(graph: Any) -> Iterator[tuple[str, str]]:
    """Iterate over the anonymous matrices, each with the name of the weight of which it is the transpose."""
    for node in graph.node:
        path = node.name.strip("/").split("/")
        if node.op_type == "MatMul" and len(path) > 1 and ANONYMOUS.fullmatch(node.input[1]):
            yield node.input[1], f"{'.'.join(path[:-1])}.weight"


def member_of(name: str, tensor: Any, transposed: bool, folder: Path) -> Member:
    """Return an initialiser."""
    shape = tuple(tensor.dims)
    kind = KINDS.get(tensor.data_type, f"number {tensor.data_type}")
    precision = FLOATS[kind].precision if kind in FLOATS else FLOATS["F64"].precision
    read = functools.partial(array_of, name, tensor, kind, transposed, folder)
    return Member(shape[::-1] if transposed else shape, kind, precision, read)


def array_of(name: str, tensor: Any, kind: str, transposed: bool, folder: Path) -> np.ndarray:
    """Return the array of an initialiser; one of bfloat16 as float32."""
    import onnx

    if kind not in FLOATS:
        raise InvalidArgument(name, f"of the type {kind} of ONNX", f"of one of the types {', '.join(KINDS.values())}")
    try:
        array: np.ndarray = onnx.numpy_helper.to_array(tensor, str(folder))
    except Exception as error:  # bytes that are missing here or in another file
        raise InvalidArgument(name, f"without its numbers ({told(error)})", "with all of them") from error
    array = array.astype(np.float32) if kind == "BF16" else array
    return array.T if transposed else array
