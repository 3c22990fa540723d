"""Arguments of operations of torch: tensors of numbers, and sequences of values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from algatt.frontends.arrays import Array, shape_of


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
