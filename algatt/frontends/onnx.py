"""Graphs of ONNX files as networks."""

from __future__ import annotations

import functools
import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from algatt.architectures import Network
from algatt.errors import InvalidArgument, MissingExtra
from algatt.files import shorten, told
from algatt.frontends.arrays import Array, Tokens
from algatt.frontends.circles import circle
from algatt.frontends.functions import convert
from algatt.frontends.lowered import Lowered, lowered_with, matrix_shape
from algatt.frontends.onnx_rules import CHOICES, RULES
from algatt.frontends.operations import Operations
from algatt.frontends.places import FROM_INPUT, by_readers, refuse_places
from algatt.frontends.products import embed
from algatt.frontends.refusals import of_tokens, refused, without_rule
from algatt.parameters import Weights

OLDEST = 13
"""The oldest opset that is read."""

MOVES = (
    "DepthToSpace",
    "Expand",
    "Flatten",
    "Gather",
    "GatherElements",
    "GatherND",
    "Identity",
    "Reshape",
    "Slice",
    "SpaceToDepth",
    "Split",
    "Squeeze",
    "Tile",
    "Transpose",
    "Unsqueeze",
)
"""Operations that move entries of their first operand."""


def from_onnx(
    path: str | os.PathLike[str],
    *,
    sizes: Mapping[str, int] | None = None,
    constants: Mapping[str, Any] | None = None,
    fixed: Iterable[str] = (),
    least: float | None = None,
) -> Network:
    """Return the network of the graph of an ONNX file.

    Parameters
    ----------
    path : path
        The file, of opset 13 or newer. Its initialisers that are floats, and more than one number, are the tensors.
    sizes : mapping of str to int, optional
        Sizes of axes of inputs that have a name in the place of a size.
    constants : mapping of str to array, optional
        Inputs that stay as they are, as masks.
    fixed : iterable of str, optional
        Initialisers that are constants, as tables of positions that were not trained.
    least : float, optional
        As for `algatt.from_torch`.

    Returns
    -------
    Network
        Of the first output. Inputs of floats are vectors, the last axis, of tokens, and those of integers numbers of
        tokens, which are looked up in tables alone.

    Raises
    ------
    InvalidArgument
        If the file cannot be read, a size is not given, or an operation has no rule; with the name of the node.
    MissingExtra
        If the package onnx is not installed.
    """
    onnx, model = read_model(path)
    constants, fixed = dict(constants or {}), set(fixed)
    initialisers = initialisers_of(onnx, model, path)
    trained = {name: one for name, one in initialisers.items() if is_trained(one) and name not in fixed}
    names = {name: tensor_name(name) for name in trained}
    lowered = lowered_with({names[name]: tuple(one.shape) for name, one in trained.items()}, least)
    values: dict[str, Any] = {"": None, **{name: one for name, one in initialisers.items() if name not in trained}}
    rows = kernels_of(model)
    for name, own in names.items():
        values[name] = functools.partial(lowered.parameter, own, rows=rows.get(own))
    for one in model.graph.input:
        if one.name in constants:
            values[one.name] = np.asarray(constants[one.name])
        elif one.name not in initialisers:
            values[one.name] = read_input(onnx, lowered, one, dict(sizes or {}))
    OnnxReading(onnx, model, lowered, values).run()
    value = values[model.graph.output[0].name]
    return lowered.network(value() if callable(value) else value, shorten(Path(path).name))


def weights_of_file(path: str | os.PathLike[str]) -> Weights:
    """Return the initialisers of an ONNX file as weights of its network."""
    onnx, model = read_model(path)
    rows = kernels_of(model)
    arrays = {tensor_name(name): one for name, one in initialisers_of(onnx, model, path).items() if is_trained(one)}
    return Weights.of({name: one.reshape(matrix_shape(one.shape, rows.get(name))) for name, one in arrays.items()})


def read_model(path: str | os.PathLike[str]) -> tuple[Any, Any]:
    """Return the package onnx, and the model of a file, its functions being written out."""
    try:
        import onnx
        import onnx.inliner
    except ImportError as error:
        raise MissingExtra("onnx", "onnx") from error
    try:
        model = onnx.load(os.fspath(path))
        if model.functions:
            model = onnx.inliner.inline_local_functions(model)
    except Exception as error:  # whatever a damaged message makes protobuf raise
        raise InvalidArgument(
            "path", f"{shorten(str(path))}, which onnx does not read ({told(error)})", "an ONNX file"
        ) from error
    version = max((one.version for one in model.opset_import if one.domain in ("", "ai.onnx")), default=0)
    if version < OLDEST:
        raise InvalidArgument("path", f"of opset {version}", f"of opset {OLDEST} or newer")
    return onnx, model


def initialisers_of(onnx: Any, model: Any, path: str | os.PathLike[str]) -> dict[str, np.ndarray]:
    """Return the initialisers of a model."""
    folder = str(Path(path).parent)
    return {one.name: onnx.numpy_helper.to_array(one, folder) for one in model.graph.initializer}


def is_trained(array: np.ndarray) -> bool:
    """Return whether an initialiser is a tensor: floats, more than one, and none that stands for minus infinity."""
    if array.size < 2 or not (array.dtype.kind == "f" or "float" in str(array.dtype)):
        return False
    return bool((array.astype(np.float64) > Operations().least).all())


def tensor_name(name: str) -> str:
    """Return a name in which all letters are those of names of tensors."""
    return re.sub(r"[^\w.]+", "_", name).strip("_")


def kernels_of(model: Any) -> dict[str, int]:
    """Return the initialisers that are kernels of convolutions, of which the first axis alone is rows."""
    return {tensor_name(node.input[1]): 1 for node in model.graph.node if node.op_type == "Conv"}


def read_input(onnx: Any, lowered: Lowered, one: Any, sizes: Mapping[str, int]) -> Array | Tokens:
    """Return an input."""
    shape = []
    for axis in one.type.tensor_type.shape.dim:
        if axis.HasField("dim_value"):
            shape.append(int(axis.dim_value))
        elif axis.dim_param in sizes:
            shape.append(int(sizes[axis.dim_param]))
        else:
            raise InvalidArgument("sizes", f"without {axis.dim_param!r} of the input {one.name}", "with all sizes")
    kind = onnx.helper.tensor_dtype_to_np_dtype(one.type.tensor_type.elem_type)
    return lowered.read_tokens(tuple(shape)) if kind.kind in "iu" else lowered.read_numbers(tuple(shape))


def named_sizes(path: str | os.PathLike[str]) -> list[str]:
    """Return the names of axes of inputs that have one in the place of a size."""
    _, model = read_model(path)
    stored = {one.name for one in model.graph.initializer}
    axes = [axis for one in model.graph.input if one.name not in stored for axis in one.type.tensor_type.shape.dim]
    return [str(axis.dim_param) for axis in axes if not axis.HasField("dim_value")]


class OnnxReading:
    """A graph of ONNX that is being written as a program."""

    def __init__(self, onnx: Any, model: Any, lowered: Lowered, values: dict[str, Any]) -> None:
        from onnx.reference import ReferenceEvaluator

        self.onnx, self.model, self.lowered, self.values = onnx, model, lowered, values
        self.evaluator: Callable[..., Any] = ReferenceEvaluator
        self.opsets = {one.domain: one.version for one in model.opset_import}
        kinds = onnx.TensorProto
        self.floats = (kinds.FLOAT, kinds.DOUBLE, kinds.FLOAT16, kinds.BFLOAT16)

    def run(self) -> None:
        """Compute the values of all nodes."""
        for node in self.model.graph.node:
            operands = [self.values.get(name) for name in node.input]
            results = self.results(node, operands)
            self.values.update(zip(node.output, results, strict=False))

    def results(self, node: Any, operands: list[Any]) -> Sequence[Any]:
        """Return the results of a node; of constants they are computed by onnx."""
        kind = node.op_type
        if kind == "Shape":
            shape = operands[0]().shape if callable(operands[0]) else np.shape(operands[0])
            shape = operands[0].shape if isinstance(operands[0], FROM_INPUT) else shape
            options = self.options_of(node)
            return [np.array(shape[slice(options.get("start"), options.get("end"))], dtype=np.int64)]
        if not any(isinstance(one, FROM_INPUT) or callable(one) for one in operands):
            return self.constants(node, operands)
        operands = [one() if callable(one) else one for one in operands]
        where = f'node "{node.name or kind}"'
        try:
            return self.by_rule(node, operands)
        except InvalidArgument as error:
            raise refused(error, None, f"with the operation {kind} of the {where}") from error

    def by_rule(self, node: Any, operands: list[Any]) -> Sequence[Any]:
        """Return the results of a node that depends on weights or on the input."""
        kind = node.op_type
        if kind == "Gather" and isinstance(operands[1], Tokens):
            return [self.looked_up(operands, self.options_of(node).get("axis", 0))]
        if kind == "Cast":
            return [convert(operands[0], self.options_of(node)["to"] not in self.floats)]
        if kind == "Dropout" and len(operands) > 2 and np.any(operands[2]):
            raise InvalidArgument("it", "with dropout", "exported in evaluation: training_mode false")
        if kind in ("CastLike", "Dropout", "Identity"):
            return [operands[0]]
        if any(isinstance(one, Tokens) for one in operands) and kind not in MOVES:
            raise of_tokens()
        if kind in MOVES and not any(isinstance(one, FROM_INPUT) for one in operands[1:]):
            return self.moved(node, operands)
        found, operands = by_readers(self.lowered.operations, CHOICES, kind, operands, self.options_of(node))
        if found is not None:
            return found if isinstance(found, list) else [found]
        refuse_places(operands)
        if kind in MOVES:
            raise InvalidArgument("it", "at places that depend on the input", "at constant ones")
        rule = RULES.get(kind)
        if rule is None or node.domain not in ("", "ai.onnx"):
            raise without_rule()
        made = rule(self.lowered.operations, *operands, **self.options_of(node))
        return made if isinstance(made, list) else [made]

    def options_of(self, node: Any) -> dict[str, Any]:
        """Return the attributes of a node."""
        found = {one.name: self.onnx.helper.get_attribute_value(one) for one in node.attribute}
        return {name: one.decode() if isinstance(one, bytes) else one for name, one in found.items()}

    def evaluate(self, node: Any, operands: Sequence[Any]) -> list[Any]:
        """Return the results of a node on arrays of numpy."""
        named = {name: one for name, one in zip(node.input, operands, strict=True) if name}
        evaluator = self.evaluator(node, opsets=self.opsets)
        return list(evaluator.run(None, named))

    def constants(self, node: Any, operands: list[Any]) -> list[Any]:
        """Return the results of a node on constants; cosines and sines may be points of a circle."""
        if node.op_type in ("Cos", "Sin"):
            found = circle(self.lowered.operations, operands[0], node.op_type.lower())
            if found is not None:
                return [found]
        return self.evaluate(node, operands)

    def moved(self, node: Any, operands: list[Any]) -> list[Any]:
        """Return the results of a node that moves entries: as it moves their places."""
        first, *rest = operands
        places = np.arange(math.prod(first.shape), dtype=np.int64).reshape(first.shape)
        found = self.evaluate(node, [places, *rest])
        return [first.view(lambda entries, to=one: entries.reshape(-1)[to]) for one in map(np.asarray, found)]

    def looked_up(self, operands: list[Any], axis: int) -> Array:
        """Return the rows of a table."""
        table = self.lowered.operations.results.lift(operands[0])
        if axis != 0 or table.ndim != 2:
            raise InvalidArgument("it", f"along axis {axis}", "of rows of a table")
        return embed(self.lowered.operations, table, self.lowered.units(table.shape[0]), operands[1].columns)
