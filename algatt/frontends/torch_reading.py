"""Graphs of torch as programs."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np

from algatt.architectures import Network
from algatt.errors import InvalidArgument
from algatt.frontends.arrays import Array, Tokens
from algatt.frontends.choices import ChosenArrays, Picked, Places
from algatt.frontends.circles import circle, frequencies_in, stored_circle
from algatt.frontends.complexes import Complex, complex_result, rotations, stored_rotations
from algatt.frontends.functions import convert
from algatt.frontends.lowered import Lowered
from algatt.frontends.places import FROM_INPUT, DynamicallyMasked, by_places, refuse_places
from algatt.frontends.products import embed
from algatt.frontends.refusals import of_tokens, refused, without_rule
from algatt.frontends.torch_options import by_options
from algatt.frontends.torch_rules import MOVES, RULES, SAME
from algatt.frontends.torch_values import flattened, is_whole, numbers, plain

DEPENDENT = (*FROM_INPUT, Complex, ChosenArrays)
"""What depends on weights or inputs."""

IGNORED = ("aten._assert_tensor_metadata.default", "aten.sym_constrain_range_for_size.default")
"""Operations without a result."""


UNITS = ("eq", "ge", "lt")
"""Comparisons that `one_hot` makes of numbers of tokens."""

UNWRITTEN = ("aten.empty.", "aten.empty_like.", "aten.empty_strided.", "aten.new_empty.")
"""Operations whose result is memory that is not written yet."""


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


class TorchReading:
    """A graph of torch that is being written as a program."""

    def __init__(self, torch: Any, module: Any, exported: Any, lowered: Lowered) -> None:
        self.torch, self.exported, self.lowered = torch, exported, lowered
        self.text = f"{type(module).__name__} of torch"
        self.names = {id(one): name for name, one in named(module).items()}
        self.rows = rows_of(torch, module)
        self.frequencies = [one for _, table in module.named_buffers() for one in frequencies_in(numbers(table))]
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
                return self.lowered.network(self.settled(self.value_of(node.args[0][0])), self.text)
            elif str(node.target) not in IGNORED:
                self.values[node] = self.result(node)
            for before in node.all_input_nodes:
                if lasts[before] is node:
                    del self.values[before]
        raise AssertionError("a graph has an output")

    def settled(self, value: Any) -> Any:
        """Return the value of the module as an array: of what is picked the entries."""
        if isinstance(value, ChosenArrays | Picked):
            return value.settled(self.lowered.operations)
        if isinstance(value, Complex | DynamicallyMasked | Places | Tokens):
            was = "with a value of complex numbers, of places or tokens, or that is minus infinity in places"
            raise InvalidArgument("module", was, "with a value of real numbers")
        return value

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
                kept = exported.state_dict[target] if target in exported.state_dict else exported.constants[target]
                if turns(node):
                    table = numbers(kept)
                    found = (
                        stored_rotations(self.lowered.operations, table)
                        if np.iscomplexobj(table)
                        else stored_circle(self.lowered.operations, table, self.frequencies)
                    )
                    return kept if found is None else found
                return kept
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
        if not any(isinstance(one, DEPENDENT) for one in flattened((arguments, tuple(keywords.values())))):
            return self.constant(node, arguments, keywords)
        try:
            return self.by_rule(node, arguments, keywords)
        except InvalidArgument as error:
            raise refused(error, node.meta.get("stack_trace"), f"with the operation {node.target}") from error

    def by_rule(self, node: Any, arguments: Any, keywords: dict[str, Any]) -> Any:
        """Return the result of an operation on arrays."""
        name = str(node.target).removeprefix("aten.").split(".")[0].removeprefix("<built-in function ").rstrip(">")
        found = by_places(self.lowered.operations, name, plain(arguments), keywords)
        if found is not None:
            return found
        if any(isinstance(one, ChosenArrays | Picked) for one in flattened(arguments)):
            return by_options(self, node, name, arguments, keywords)
        if name in SAME:
            return arguments[0]
        if name == "_to_copy":
            return convert(arguments[0], is_whole(keywords.get("dtype")))
        if name in ("embedding", "index"):
            places = arguments[1] if name == "embedding" else arguments[1][0]
            if isinstance(places, Tokens) and (name == "embedding" or len(arguments[1]) == 1):
                table = self.lowered.operations.results.lift(numbers(arguments[0]))
                return embed(self.lowered.operations, table, self.lowered.units(table.shape[0]), places.columns)
        if name == "embedding":
            return self.moved(self.torch.ops.aten.index.Tensor, arguments[0], [arguments[1]])
        if name in MOVES:
            target = self.torch.ops.aten.reshape.default if "view" in name else node.target
            return self.moved(target, *arguments, **keywords)
        if name == "view_as_complex" or any(isinstance(one, Complex) for one in flattened(arguments)):
            return complex_result(self.lowered.operations, name, *plain(arguments))
        if name != "getitem":
            refuse_places(flattened(arguments))
        if name in UNITS and isinstance(arguments[0], Tokens):
            return self.compared_tokens(name, arguments[0], numbers(arguments[1]))
        if name not in ("cat", "getitem") and any(isinstance(one, Tokens) for one in flattened(arguments)):
            raise of_tokens()
        rule = RULES.get(name)
        if rule is None:
            raise without_rule()
        return rule(self.lowered.operations, *plain(arguments), **plain(keywords))

    def compared_tokens(self, name: str, tokens: Tokens, others: Any) -> Any:
        """Return the unit vectors of tokens, which are compared with all numbers of tokens, as `one_hot` does; that
        they are such numbers is known.
        """
        size = np.size(others)
        if np.ndim(others) == 0 and (name == "lt" or (name == "ge" and others == 0)):
            return np.ones(tokens.shape, dtype=bool)
        if name != "eq" or tokens.shape[-1:] != (1,) or not np.array_equal(np.ravel(others), np.arange(size)):
            raise of_tokens()
        units = self.lowered.units(size)
        made = units.view(lambda entries: np.moveaxis(entries[:, tokens.columns[..., 0]], 0, -1))
        return Array(made.entries, truth=True)

    def moved(self, moves: Any, first: Any, *rest: Any, **options: Any) -> Any:
        """Return the result of an operation that moves entries: as it moves references to them."""
        if any(isinstance(one, DEPENDENT) for one in flattened((rest, tuple(options.values())))):
            raise InvalidArgument("it", "at places that depend on the input", "at constant ones")

        def function(entries: np.ndarray) -> Any:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # arrays that are spread cannot be written to
                found = moves(self.torch.from_numpy(entries), *rest, **options)
            return [one.numpy() for one in found] if isinstance(found, list | tuple) else found.numpy()

        first = first if isinstance(first, DEPENDENT) else self.lowered.operations.results.lift(numbers(first))
        parts = function(np.broadcast_to(np.int64(0), first.shape))
        if not isinstance(parts, list):
            return first.view(function)
        return [first.view(lambda entries, place=place: function(entries)[place]) for place in range(len(parts))]

    def constant(self, node: Any, arguments: Any, keywords: Any) -> Any:
        """Return the result of an operation on constants; cosines and sines of angles times positions are points of a
        circle, and memory that torch has not written is zero.
        """
        name, operations = str(node.target), self.lowered.operations
        found: Any = None
        if name in ("aten.cos.default", "aten.sin.default"):
            found = circle(operations, numbers(arguments[0]), name[5:8])
        elif name == "aten.polar.default":
            found = rotations(operations, *plain(arguments))
        elif name.startswith(UNWRITTEN):
            return node.target(*arguments, **keywords).zero_()
        return node.target(*self.tensors(arguments), **keywords) if found is None else found

    def tensors(self, value: Any) -> Any:
        """Return a value with tensors in the place of arrays of numbers in it, which rules return."""
        if isinstance(value, list | tuple):
            return type(value)(self.tensors(one) for one in value)
        return self.torch.from_numpy(value) if isinstance(value, np.ndarray) else value


def turns(node: Any) -> bool:
    """Return whether entries of a constant are moved and multiplied, and nothing else: as tables of rotations are."""
    moved = (*MOVES, *SAME, "_to_copy", "cat", "<built-in function getitem>")
    for user in node.users:
        name = str(user.target).removeprefix("aten.").split(".")[0]
        if str(user.target) not in IGNORED and name != "mul" and not (name in moved and turns(user)):
            return False
    return True
