"""Graphs of torch as programs."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from algatt.architectures import Network
from algatt.errors import InvalidArgument
from algatt.frontends.arrays import Array, Tokens, is_spread, shape_of
from algatt.frontends.choices import Options, Picked, Places, largest_places
from algatt.frontends.circles import circle, frequencies_in, stored_circle
from algatt.frontends.functions import convert
from algatt.frontends.lowered import Lowered
from algatt.frontends.products import embed
from algatt.frontends.refusals import of_tokens, refused, without_rule
from algatt.frontends.torch_rules import MOVES, RULES, SAME

DEPENDENT = (Array, Options, Picked, Places, Tokens)
"""What depends on weights or inputs."""

__all__ = ["Reading", "named", "rows_of", "shapes_of"]

BY_ROWS = (
    "_to_copy",
    "add",
    "bmm",
    "div",
    "elu",
    "erf",
    "exp",
    "gelu",
    "mul",
    "relu",
    "sigmoid",
    "silu",
    "sub",
    "tanh",
)
"""Operations on arrays with equal numbers of axes that see the first axis place by place."""

VIEWS = ("_unsafe_view", "view")
"""Operations that change the shape alone."""

IGNORED = ("aten._assert_tensor_metadata.default", "aten.sym_constrain_range_for_size.default")
"""Operations without a result."""


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


class Reading:
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
                kept = exported.state_dict[target] if target in exported.state_dict else exported.constants[target]
                if turns(node):
                    found = stored_circle(self.lowered.operations, numbers(kept), self.frequencies)
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
        if any(isinstance(one, Options | Picked) for one in flattened(arguments)):
            return self.by_options(node, name, arguments, keywords)
        if name in SAME:
            return arguments[0]
        if name == "topk":
            return list(largest_places(self.lowered.operations, *arguments, **keywords))
        if name == "eq" and isinstance(arguments[0], Places):
            return arguments[0].equals(numbers(arguments[1]))
        if name == "index" and len(arguments[1]) == 1 and isinstance(arguments[1][0], Places):
            return arguments[1][0].of(self.lowered.operations, numbers(arguments[0]))
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
        if name not in ("getitem", *MOVES) and any(isinstance(one, Places) for one in flattened(arguments)):
            raise InvalidArgument(
                "it", "of places of largest entries", "a comparison, or a look-up of one axis of places"
            )
        if name not in ("cat", "getitem") and any(isinstance(one, Tokens) for one in flattened(arguments)):
            raise of_tokens()
        rule = RULES.get(name)
        if rule is None:
            raise without_rule()
        return rule(self.lowered.operations, *plain(arguments), **plain(keywords))

    def by_options(self, node: Any, name: str, arguments: Any, keywords: dict[str, Any]) -> Any:
        """Return the result of an operation on what is chosen: of each option if it sees rows one by one."""
        found = self.postponed(node, name, arguments, keywords)
        if found is not None:
            return found
        given = [one for one in flattened(arguments) if isinstance(one, Options)]
        if given and self.sees_rows(node, name, arguments, keywords, given):
            return given[0].joined(self.by_unique_rows(node, name, arguments, keywords, given))
        settled = {
            id(one): one.settled(self.lowered.operations)
            for one in flattened(arguments)
            if isinstance(one, Options | Picked)
        }
        return self.by_rule(node, replaced(arguments, settled), keywords)

    def postponed(self, node: Any, name: str, arguments: Any, keywords: dict[str, Any]) -> Any:
        """Return what is chosen after an operation that need not know which option that is, or None."""
        operations, first, rest = self.lowered.operations, arguments[0], list(arguments[1:])
        if name == "getitem":
            return first[rest[0]]
        if name in SAME or (name == "_to_copy" and not is_whole(keywords.get("dtype"))):
            return first
        if name == "mul" and isinstance(rest[0], Options):
            first, rest = rest[0], [first]
        if name == "sum" and rest and rest[0] and len(rest[0]) == 1:
            axis = rest[0][0] % len(first.shape)
            if isinstance(first, Options) and axis >= len(first.places.shape):
                return None
            made = first.settled(operations, axis)
            return made.view(lambda entries: np.expand_dims(entries, axis)) if rest[1:] and rest[1] else made
        if isinstance(first, Options):
            if name == "mul" and isinstance(rest[0], Picked):
                return first.times(rest[0])
            return first.reshaped(rest[0]) if name in VIEWS else None
        if not isinstance(first, Picked):
            return None
        if name in MOVES:
            return self.moved(self.torch.ops.aten.reshape.default if name in VIEWS else node.target, *arguments)
        if name in ("mul", "div") and not keywords and not isinstance(rest[0], Options | Picked | Places | Tokens):
            return first.computed(operations.multiply if name == "mul" else operations.divide, numbers(rest[0]))
        return None

    def by_unique_rows(
        self, node: Any, name: str, arguments: Any, keywords: dict[str, Any], given: list[Options]
    ) -> list[Any]:
        """Return the results of an operation that sees rows one by one, of rows that are there more than once once."""
        made = []
        for place in range(len(given[0].arrays)):
            options = replaced(arguments, {id(one): one.arrays[place] for one in given})
            count = given[0].shape[0]
            first, back = unique_rows(plain(options) if name in BY_ROWS else (np.arange(count),), count)
            if len(first) == count:
                made.append(self.of_rows(node, name, options, keywords))
                continue
            some = self.of_rows(node, name, with_rows(plain(options), first, count), keywords)
            made.append(some.view(lambda entries, back=back: entries[back]))
        return made

    def of_rows(self, node: Any, name: str, arguments: Any, keywords: dict[str, Any]) -> Any:
        """Return the result of an operation on rows: products with one matrix for all rows are one product."""
        if name == "bmm" and all(isinstance(one, Array) for one in arguments):
            left, right = arguments
            if is_spread(left.entries, 0):
                made = self.lowered.operations.contract(left[0], right, ((), (1,)), ((), (1,)))
                return made.view(lambda entries: np.moveaxis(entries, 1, 0))
            if is_spread(right.entries, 0):
                return self.lowered.operations.contract(left, right[0], ((), (2,)), ((), (0,)))
        return self.by_rule(node, arguments, keywords)

    def sees_rows(self, node: Any, name: str, arguments: Any, keywords: dict[str, Any], given: list[Options]) -> bool:
        """Return whether an operation sees rows, the first axis, one by one."""
        first = given[0]
        if any(one.places is not first.places or one.factor or len(one.places.shape) > 1 for one in given):
            return False
        if any(isinstance(one, Picked) for one in flattened(arguments)):
            return False
        if name in MOVES:
            rows = np.arange(first.shape[0]).reshape(-1, *(1,) * (len(first.shape) - 1))
            marked = Array(np.broadcast_to(rows, first.shape))
            made = self.by_rule(node, replaced(arguments, {id(first): marked}), keywords)
            parts = made if isinstance(made, list) else [made]
            return all(
                one.shape[:1] == first.shape[:1]
                and bool((one.entries == np.arange(len(rows)).reshape(-1, *(1,) * (one.ndim - 1))).all())
                for one in parts
            )
        axes = {len(shape_of(one)) for one in flattened(plain(arguments)) if not isinstance(one, int | float)}
        return name in (*BY_ROWS, *SAME) and axes == {len(first.shape)}

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
        circle.
        """
        name = str(node.target)
        if name in ("aten.cos.default", "aten.sin.default"):
            found = circle(self.lowered.operations, numbers(arguments[0]), name[5:8])
            if found is not None:
                return found
        return node.target(*arguments, **keywords)


def turns(node: Any) -> bool:
    """Return whether entries of a constant are moved and multiplied, and nothing else: as tables of rotations are."""
    moved = (*MOVES, *SAME, "_to_copy", "cat", "<built-in function getitem>")
    for user in node.users:
        name = str(user.target).removeprefix("aten.").split(".")[0]
        if str(user.target) not in IGNORED and name != "mul" and not (name in moved and turns(user)):
            return False
    return True


def replaced(value: Any, others: dict[int, Any]) -> Any:
    """Return a value with others in the place of some in it, which are named by their identity."""
    if isinstance(value, list | tuple):
        return type(value)(replaced(one, others) for one in value)
    return others.get(id(value), value)


def is_whole(kind: Any) -> bool:
    """Return whether a type of torch, or None if it stays, is one of integers or truth values."""
    return kind is not None and not kind.is_floating_point


def unique_rows(arguments: Any, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the first of each kind of rows, in which all arguments with so many rows agree, and the kind of each."""
    lines = [np.zeros((count, 1), dtype=np.int64)]
    for one in flattened(arguments):
        if len(shape_of(one)) and shape_of(one)[0] == count:
            parts = [one.entries, one.hidden] if isinstance(one, Array) else [np.asarray(one)]
            for part in parts:
                if part is not None:
                    kinds = np.unique(part.reshape(count, -1), axis=0, return_inverse=True)[1]
                    lines.append(kinds.reshape(count, 1))
    _, first, back = np.unique(np.hstack(lines), axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    return first[order], np.argsort(order)[back.reshape(-1)]


def with_rows(value: Any, rows: np.ndarray, count: int) -> Any:
    """Return arguments with some rows of each array that has so many."""
    if isinstance(value, list | tuple):
        return type(value)(with_rows(one, rows, count) for one in value)
    return value[rows] if len(shape_of(value)) and shape_of(value)[0] == count else value


def numbers(value: Any) -> Any:
    """Return a tensor of numbers as an array of numpy; other values as they are."""
    if not hasattr(value, "detach"):
        return value
    value = value.detach().cpu()
    return (value.float() if value.dtype.itemsize == 2 and value.is_floating_point() else value).numpy()


def plain(value: Any) -> Any:
    """Return a value with arrays of numpy in the place of tensors in it."""
    if isinstance(value, list | tuple):
        return type(value)(plain(one) for one in value)
    return {key: plain(one) for key, one in value.items()} if isinstance(value, dict) else numbers(value)


def flattened(value: Any) -> Iterator[Any]:
    """Iterate over the values in sequences within sequences."""
    if isinstance(value, list | tuple):
        for one in value:
            yield from flattened(one)
    else:
        yield value
