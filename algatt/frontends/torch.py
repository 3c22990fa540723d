"""Modules of torch as networks, by `torch.export`."""

from __future__ import annotations

import contextlib
import logging
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from algatt.architectures import Network
from algatt.errors import InvalidArgument, MissingExtra, in_words
from algatt.frontends.arrays import Array
from algatt.frontends.aten import RULES, numbers
from algatt.frontends.functions import circle
from algatt.frontends.lowered import Lowered, Tokens, lowered_with, matrix_shape
from algatt.frontends.refusals import refused
from algatt.parameters import Weights

__all__ = ["from_torch", "load_into_module", "weights_of_module"]

WHOLE = ("aten.scaled_dot_product_attention.default",)
"""Operations that are not taken apart by torch."""

IGNORED = ("aten._assert_tensor_metadata.default", "aten.sym_constrain_range_for_size.default")
"""Operations without a result."""


def from_torch(
    module: Any,
    example: Any,
    *,
    constants: Mapping[str, Any] | None = None,
    value: Callable[[Any], Any] | None = None,
    least: float | None = None,
) -> Network:
    """Return the network that a module of torch is.

    Parameters
    ----------
    module : torch.nn.Module
        The module, in evaluation; its parameters are the tensors, with the names of its state dict, vectors being
        matrices with one column, and its buffers are constants.
    example : torch.Tensor, or tuple or mapping of these
        What it is called with; its shapes are those of the network. Floats are vectors, the last axis, of tokens, and
        integers are numbers of tokens, which are read by embeddings alone.
    constants : mapping of str to object, optional
        Other arguments by name, which stay as they are.
    value : callable, optional
        What is the value of what the module returns; the first tensor unless given.
    least : float, optional
        Numbers that are at most this large, as the least float16, float32 or bfloat16, stand for minus infinity where
        they are added to scores or chosen in their place; the least float16 unless given.

    Returns
    -------
    Network
        With one layer, which computes what the program of the module says. Numbers of the module stand for exactly what
        they are, and results are not rounded.

    Raises
    ------
    InvalidArgument
        If torch cannot export the module, or an operation has no rule; with the operation and its line.
    MissingExtra
        If torch is not installed.
    """
    torch = imported()
    if not isinstance(module, torch.nn.Module):
        raise InvalidArgument("module", in_words(module), "a torch.nn.Module")
    exported = export(torch, module, example, dict(constants or {}), value)
    lowered = lowered_with(shapes_of(module), least)
    return Reading(torch, module, exported, lowered).network()


def weights_of_module(module: Any) -> Weights:
    """Return the parameters of a module as weights; those that it has twice are there once."""
    rows, tensors = rows_of(imported(), module), named(module)
    return Weights.of(
        {name: one.detach().reshape(matrix_shape(tuple(one.shape), rows.get(name))) for name, one in tensors.items()}
    )


def load_into_module(module: Any, theta: Weights) -> None:
    """Put weights into the parameters of a module, rounded to their types."""
    torch = imported()
    parameters = named(module)
    if tuple(parameters) != theta.names():
        raise InvalidArgument("theta", f"{theta!r}", "weights of the network of the model")
    for name, one in parameters.items():
        array = np.array(theta[name], dtype=np.float64)
        if array.size != one.numel():
            raise InvalidArgument(
                "theta", f"{name} of shape {array.shape}", f"of as many numbers as {tuple(one.shape)}"
            )
        with torch.no_grad():
            one.copy_(torch.from_numpy(array.reshape(tuple(one.shape))))


def example_of(module: Any, tokens: int, width: int | None) -> Any:
    """Return an input of a module: vectors of a width, of the type of its parameters, or numbers of tokens."""
    torch = imported()
    if width is None:
        return torch.zeros(1, tokens, dtype=torch.int64)
    kinds = [one.dtype for one in module.parameters() if one.is_floating_point()]
    return torch.zeros(1, tokens, width, dtype=kinds[0] if kinds else None)


def imported() -> Any:
    """Return torch."""
    try:
        import torch
        import torch.export
    except ImportError as error:
        raise MissingExtra("torch", "torch") from error
    return torch


def named(module: Any) -> dict[str, Any]:
    """Return the parameters of a module by the names that tensors have."""
    return {tensor_name(name): one for name, one in module.named_parameters()}


def tensor_name(name: str) -> str:
    """Return a name in which all letters are those of names of tensors."""
    return re.sub(r"[^\w.]", "_", name)


def shapes_of(module: Any) -> dict[str, tuple[int, ...]]:
    """Return the shapes of the parameters of a module."""
    return {name: tuple(one.shape) for name, one in named(module).items()}


def rows_of(torch: Any, module: Any) -> dict[str, int]:
    """Return how many axes of a parameter are rows where it is not all but the last: kernels of convolutions."""
    kinds = (torch.nn.Conv1d, torch.nn.Conv2d, torch.nn.Conv3d)
    return {
        tensor_name(f"{path}.weight" if path else "weight"): 1
        for path, one in module.named_modules()
        if isinstance(one, kinds)
    }


def export(torch: Any, module: Any, example: Any, constants: dict[str, Any], value: Any) -> Any:
    """Return the graph of a module in the core operations of torch.

    Raises
    ------
    InvalidArgument
        If it is in training, or torch cannot export it.
    """
    for path, one in module.named_modules():
        drops = getattr(one, "p", 0) or getattr(one, "dropout", 0)
        if one.training and isinstance(drops, float) and drops > 0:
            raise InvalidArgument("module", f"in training, with dropout in {path or 'it'}", "module.eval()")
    arguments = example if isinstance(example, tuple) else ()
    keywords = dict(example) if isinstance(example, Mapping) else {}
    if not isinstance(example, tuple | Mapping):
        arguments = (example,)
    call = wrapped(torch, module, constants, value)
    try:
        with quiet():
            exported = torch.export.export(call, arguments, keywords, strict=False)
            table = torch.export.default_decompositions()
            for operation in [one for one in table if str(one) in WHOLE]:
                table.pop(operation)
            return exported.run_decompositions(table)
    except Exception as error:
        raise refused(error, None, "which torch.export does not take") from error


def wrapped(torch: Any, module: Any, constants: dict[str, Any], value: Any) -> Any:
    """Return a module whose arguments are those of the example alone, and whose value is one tensor."""

    class Call(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.module = module

        def forward(self, *arguments: Any, **keywords: Any) -> Any:
            output = self.module(*arguments, **keywords, **constants)
            return first_tensor(torch, output) if value is None else value(output)

    return Call().train(module.training)


def first_tensor(torch: Any, output: Any) -> Any:
    """Return the first tensor of what a module returns."""
    if isinstance(output, torch.Tensor):
        return output
    parts = output.values() if isinstance(output, Mapping) else output if isinstance(output, tuple | list) else ()
    for part in parts:
        found = first_tensor(torch, part)
        if found is not None:
            return found
    return None


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep what torch says while it exports to itself."""
    logger = logging.getLogger("torch")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


class Reading:
    """A graph of torch that is being written as a program."""

    def __init__(self, torch: Any, module: Any, exported: Any, lowered: Lowered) -> None:
        self.torch, self.exported, self.lowered = torch, exported, lowered
        self.text = f"{type(module).__name__} of torch"
        self.names = {id(one): name for name, one in named(module).items()}
        self.rows = rows_of(torch, module)
        self.values: dict[Any, Any] = {}

    def network(self) -> Network:
        """Return the network."""
        graph = self.exported.graph
        lasts = {}
        for node in graph.nodes:
            for before in node.all_input_nodes:
                lasts[before] = node
        for node in graph.nodes:
            if node.op == "placeholder":
                self.values[node] = self.placeholder(node)
            elif node.op == "output":
                return self.lowered.network(self.value_of(node.args[0][0]), self.text)
            elif str(node.target) not in IGNORED:
                self.values[node] = self.result(node)
            for before in node.all_input_nodes:
                if lasts[before] is node:
                    del self.values[before]
        raise AssertionError("a graph has an output")

    def value_of(self, argument: Any) -> Any:
        """Return what an argument stands for; parameters are read when they are used."""
        if isinstance(argument, self.torch.fx.Node):
            found = self.values[argument]
            return found() if callable(found) else found
        if isinstance(argument, list | tuple):
            return type(argument)(self.value_of(one) for one in argument)
        return argument

    def placeholder(self, node: Any) -> Any:
        """Return a parameter, a constant, or an input."""
        signature, exported = self.exported.graph_signature, self.exported
        if node.name in signature.inputs_to_parameters:
            target = signature.inputs_to_parameters[node.name]
            name = (
                self.names[id(exported.state_dict[target])]
                if id(exported.state_dict[target]) in self.names
                else tensor_name(target.removeprefix("module."))
            )
            return lambda: self.lowered.parameter(name, rows=self.rows.get(name))
        for table in (signature.inputs_to_buffers, signature.inputs_to_lifted_tensor_constants):
            if node.name in table:
                target = table[node.name]
                return exported.state_dict[target] if target in exported.state_dict else exported.constants[target]
        given = node.meta["val"]
        if not isinstance(given, self.torch.Tensor):
            return given
        shape = tuple(given.shape)
        if not given.is_floating_point():
            return self.lowered.read_tokens(shape)
        return self.image(node, shape) or self.lowered.read_numbers(shape)

    def image(self, node: Any, shape: tuple[int, ...]) -> Array | None:
        """Return an input that convolutions alone read: channels are rows, or the entries of patches are, where these
        are disjoint; None if it is another.
        """
        users = [user for user in node.users if str(user.target) not in IGNORED]
        while len(users) == 1 and "_to_copy" in str(users[0].target):
            users = [user for user in users[0].users if str(user.target) not in IGNORED]
        if not users or len(shape) < 3 or any("convolution" not in str(user.target) for user in users):
            return None
        kernel, stride = tuple(users[0].args[1].meta["val"].shape)[2:], tuple(users[0].args[3])
        sizes = shape[2:]
        counts = [size // step for size, step in zip(sizes, stride, strict=True)]
        if kernel != stride or any(
            step * count != size for step, count, size in zip(stride, counts, sizes, strict=True)
        ):
            kernel, counts = (1,) * len(sizes), list(sizes)
        width = shape[1] * int(np.prod(kernel))
        read = self.lowered.read_matrix(width, shape[0] * int(np.prod(counts)))
        axes = [len(kernel) + 1, 0]
        for place in range(len(kernel)):
            axes += [len(kernel) + 2 + place, 1 + place]
        return read.reshape(shape[1], *kernel, shape[0], *counts).transpose(axes).reshape(*shape)

    def result(self, node: Any) -> Any:
        """Return the result of an operation; of constants it is computed by torch."""
        arguments, keywords = self.value_of(tuple(node.args)), {k: self.value_of(v) for k, v in node.kwargs.items()}
        if not any(isinstance(one, Array | Tokens) for one in flattened((arguments, tuple(keywords.values())))):
            return self.constant(node, arguments, keywords)
        name = str(node.target).removeprefix("aten.").split(".")[0].removeprefix("<built-in function ").rstrip(">")
        rule = RULES.get(name)
        where = node.meta.get("stack_trace") or ""
        if rule is None:
            raise refused(None, where, f"with the operation {node.target}, which has no rule")
        try:
            return rule(self.lowered, *arguments, **keywords)
        except InvalidArgument as error:
            raise refused(error, where, f"with the operation {node.target}") from error

    def constant(self, node: Any, arguments: Any, keywords: Any) -> Any:
        """Return the result of an operation on constants; cosines and sines of angles times positions are points of a
        circle.
        """
        name = str(node.target)
        if name in ("aten.cos.default", "aten.sin.default"):
            found = circle(self.lowered.operations, numbers(arguments[0]), name[5:8])
            if found is not None:
                return found
        return node.target(*arguments, **keywords)


def flattened(value: Any) -> Iterator[Any]:
    """Iterate over the values in sequences within sequences."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from flattened(one)
    else:
        yield value
