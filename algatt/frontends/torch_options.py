"""Operations of torch on what is chosen at places that depend on the input: experts of a router."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from algatt.frontends.arrays import Array, Tokens, is_spread, shape_of
from algatt.frontends.choices import ChosenArrays, Picked, Places
from algatt.frontends.torch_rules import MOVES, SAME
from algatt.frontends.torch_values import flattened, is_whole, numbers, plain, replaced, unique_rows, with_rows

if TYPE_CHECKING:
    from algatt.frontends.torch_reading import TorchReading

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


def by_options(reading: TorchReading, node: Any, name: str, arguments: Any, keywords: dict[str, Any]) -> Any:
    """Return the result of an operation on what is chosen: of each option if it sees rows one by one."""
    found = postponed(reading, node, name, arguments, keywords)
    if found is not None:
        return found
    given = [one for one in flattened(arguments) if isinstance(one, ChosenArrays)]
    if given and sees_rows(reading, node, name, arguments, keywords, given):
        return given[0].joined(by_unique_rows(reading, node, name, arguments, keywords, given))
    settled = {
        id(one): one.settled(reading.lowered.operations)
        for one in flattened(arguments)
        if isinstance(one, ChosenArrays | Picked)
    }
    return reading.by_rule(node, replaced(arguments, settled), keywords)


def postponed(reading: TorchReading, node: Any, name: str, arguments: Any, keywords: dict[str, Any]) -> Any:
    """Return what is chosen after an operation that need not know which option that is, or None."""
    operations, first, rest = reading.lowered.operations, arguments[0], list(arguments[1:])
    if name == "getitem":
        return first[rest[0]]
    if name in SAME or (name == "_to_copy" and not is_whole(keywords.get("dtype"))):
        return first
    if name == "mul" and isinstance(rest[0], ChosenArrays):
        first, rest = rest[0], [first]
    if name == "sum" and rest and rest[0] and len(rest[0]) == 1:
        axis = rest[0][0] % len(first.shape)
        if isinstance(first, ChosenArrays) and axis >= len(first.places.shape):
            return None
        made = first.settled(operations, axis)
        return made.view(lambda entries: np.expand_dims(entries, axis)) if rest[1:] and rest[1] else made
    if isinstance(first, ChosenArrays):
        if name == "mul" and isinstance(rest[0], Picked):
            return first.times(rest[0])
        return first.reshaped(rest[0]) if name in VIEWS else None
    if not isinstance(first, Picked):
        return None
    if name in MOVES:
        return reading.moved(reading.torch.ops.aten.reshape.default if name in VIEWS else node.target, *arguments)
    if name in ("mul", "div") and not keywords and not isinstance(rest[0], ChosenArrays | Picked | Places | Tokens):
        return first.computed(operations.multiply if name == "mul" else operations.divide, numbers(rest[0]))
    return None


def by_unique_rows(
    reading: TorchReading, node: Any, name: str, arguments: Any, keywords: dict[str, Any], given: list[ChosenArrays]
) -> list[Any]:
    """Return the results of an operation that sees rows one by one, of rows that are there more than once once."""
    made = []
    for place in range(len(given[0].arrays)):
        options = replaced(arguments, {id(one): one.arrays[place] for one in given})
        count = given[0].shape[0]
        first, back = unique_rows(plain(options) if name in BY_ROWS else (np.arange(count),), count)
        if len(first) == count:
            made.append(of_rows(reading, node, name, options, keywords))
            continue
        some = of_rows(reading, node, name, with_rows(plain(options), first, count), keywords)
        made.append(some.view(lambda entries, back=back: entries[back]))
    return made


def of_rows(reading: TorchReading, node: Any, name: str, arguments: Any, keywords: dict[str, Any]) -> Any:
    """Return the result of an operation on rows: products with one matrix for all rows are one product."""
    if name == "bmm" and all(isinstance(one, Array) for one in arguments):
        left, right = arguments
        if is_spread(left.entries, 0):
            made = reading.lowered.operations.contract(left[0], right, ((), (1,)), ((), (1,)))
            return made.view(lambda entries: np.moveaxis(entries, 1, 0))
        if is_spread(right.entries, 0):
            return reading.lowered.operations.contract(left, right[0], ((), (2,)), ((), (0,)))
    return reading.by_rule(node, arguments, keywords)


def sees_rows(
    reading: TorchReading, node: Any, name: str, arguments: Any, keywords: dict[str, Any], given: list[ChosenArrays]
) -> bool:
    """Return whether an operation sees rows, the first axis, one by one."""
    first = given[0]
    if any(one.places is not first.places or one.factor or len(one.places.shape) > 1 for one in given):
        return False
    if any(isinstance(one, Picked) for one in flattened(arguments)):
        return False
    if name in MOVES:
        rows = np.arange(first.shape[0]).reshape(-1, *(1,) * (len(first.shape) - 1))
        marked = Array(np.broadcast_to(rows, first.shape))
        made = reading.by_rule(node, replaced(arguments, {id(first): marked}), keywords)
        parts = made if isinstance(made, list) else [made]
        return all(
            one.shape[:1] == first.shape[:1]
            and bool((one.entries == np.arange(len(rows)).reshape(-1, *(1,) * (one.ndim - 1))).all())
            for one in parts
        )
    axes = {len(shape_of(one)) for one in flattened(plain(arguments)) if not isinstance(one, int | float)}
    return name in (*BY_ROWS, *SAME) and axes == {len(first.shape)}
