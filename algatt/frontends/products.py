"""Operations that are made of products of matrices: attention, tables of tokens, convolutions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from algatt.frontends.arrays import Array, shape_of
from algatt.frontends.axes import join, pad, reduce, total
from algatt.frontends.operations import Operations


def matmul(operations: Operations, left: Any, right: Any) -> Array:
    """Return the product of matrices on the last two axes, the others being spread; vectors are rows or columns."""
    left, right = operations.results.lift(left), operations.results.lift(right)
    one, two = left.ndim == 1, right.ndim == 1
    left = left.reshape(1, -1) if one else left
    right = right.reshape(-1, 1) if two else right
    outer = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    if right.ndim == 2:  # then the axes before belong to the left one
        made = operations.contract(left, right, ((), (left.ndim - 1,)), ((), (0,)))
    else:
        left, right = (x.spread((*outer, *x.shape[-2:])) for x in (left, right))
        shared = tuple(range(len(outer)))
        made = operations.contract(left, right, (shared, (len(outer) + 1,)), (shared, (len(outer),)))
    shape = list(made.shape)
    if two:
        del shape[-1]
    if one:
        del shape[-1 if two else -2]
    return made.reshape(*shape)


def matmul_and_add(
    operations: Operations, x: Any, y: Any, added: Any = None, *, alpha: float = 1, beta: float = 1
) -> Array:
    """Return a multiple of a product of matrices plus a multiple of another array."""
    made = operations.multiply(matmul(operations, x, y), alpha)
    return made if added is None else operations.add(made, operations.multiply(operations.results.lift(added), beta))


def einsum(operations: Operations, equation: str, left: Any, right: Any) -> Array:
    """Return the sum of products that an equation says, as ``bthd,bshd->bhts``."""
    terms, _, wanted = equation.replace(" ", "").partition("->")
    one, two = terms.split(",")
    shared = [letter for letter in one if letter in two and letter in wanted]
    summed = [letter for letter in one if letter in two and letter not in wanted]
    axes = [
        ([term.index(letter) for letter in shared], [term.index(letter) for letter in summed]) for term in (one, two)
    ]
    made = operations.contract(left, right, *axes)
    rest = [letter for term in (one, two) for letter in term if letter not in (*shared, *summed)]
    order = [*shared, *rest]
    return made.transpose([order.index(letter) for letter in wanted])


def attend(
    operations: Operations,
    query: Any,
    key: Any,
    value: Any,
    mask: Any = None,
    *,
    is_causal: Any = False,
    scale: float | None = None,
) -> Array:
    """Return softmax attention; a mask of truth values shows entries, another one is added."""
    lengths = shape_of(query)[-2], shape_of(key)[-2]
    groups = shape_of(query)[-3] // shape_of(key)[-3] if len(shape_of(query)) > 2 else 1
    key, value = (repeat(one, groups) for one in (key, value))
    order = [*range(len(shape_of(key)) - 2), -1, -2]
    scores = matmul(operations, query, operations.results.lift(key).transpose(order))
    factor = 1 / math.sqrt(shape_of(query)[-1]) if scale is None else scale
    scores = operations.multiply(scores, factor)
    if is_causal:
        scores = operations.add(scores, np.where(np.tri(*lengths, dtype=bool), 0.0, -np.inf))
    if mask is not None:
        if not isinstance(mask, Array) and np.asarray(mask).dtype == bool:
            mask = np.where(mask, 0.0, -np.inf)
        scores = operations.add(scores, mask)
    return matmul(operations, operations.softmax(scores, -1), value)


def apart(x: Any, heads: int) -> Any:
    """Return vectors of all heads beside each other as those of each head; what has an axis of heads as it is."""
    if len(shape_of(x)) == 4:
        return x
    batch, tokens, _ = shape_of(x)
    return x.view(lambda entries: entries.reshape(batch, tokens, heads, -1).transpose(0, 2, 1, 3))


def repeat(x: Any, groups: int) -> Any:
    """Return heads that several heads of queries share, each as often as it is shared."""
    if groups == 1:
        return x
    return x.view(lambda entries: np.repeat(entries, groups, axis=-3))


def embed(operations: Operations, table: Array, units: Array, tokens: np.ndarray) -> Array:
    """Return the rows of a table that tokens have, whose unit vectors are the columns of a matrix."""
    made = operations.contract(units, table, ((), (0,)), ((), (0,)))
    return made.view(lambda entries: entries[tokens])


def convolve(
    operations: Operations,
    x: Any,
    kernel: Array,
    bias: Any = None,
    *,
    stride: Sequence[int],
    padding: Sequence[tuple[int, int]],
    dilation: Sequence[int],
    groups: int = 1,
) -> Array:
    """Return a convolution of channels, the second axis, over the axes behind."""
    count, sizes, channels = len(stride), kernel.shape[2:], kernel.shape[1]
    seen = windows(pad(operations, x, [(0, 0), (0, 0), *padding]), sizes, stride, dilation)
    if channels == 1 and groups == kernel.shape[0]:  # each channel by itself
        taps = kernel[:, 0]
        terms = [
            operations.multiply(seen[(..., *offset)], taps[(..., *offset)].reshape(-1, *(1,) * count))
            for offset in np.ndindex(*sizes)
        ]
        made = total(operations, terms)
    else:
        out, parts = kernel.shape[0] // groups, []
        overlap = any(step < size for step, size in zip(stride, sizes, strict=True))
        for group in range(groups):
            own = seen[:, group * channels : (group + 1) * channels]
            mine = kernel[group * out : (group + 1) * out]
            last = tuple(range(2 + count, 2 + 2 * count))
            if overlap:
                parts.append(
                    total(
                        operations,
                        [
                            operations.contract(own[(..., *offset)], mine[(..., *offset)], ((), (1,)), ((), (1,)))
                            for offset in np.ndindex(*sizes)
                        ],
                    )
                )
            else:
                parts.append(operations.contract(own, mine, ((), (1, *last)), ((), tuple(range(1, 2 + count)))))
        made = join(operations, parts, -1).view(lambda entries: np.moveaxis(entries, -1, 1))
    if bias is None:
        return made
    beside = made.reshape(*made.shape[:2], -1)  # places are columns beside each other
    return operations.add(beside, operations.results.lift(bias).reshape(-1, 1)).reshape(*made.shape)


def pool(
    operations: Operations,
    x: Any,
    name: str,
    sizes: Sequence[int],
    *,
    stride: Sequence[int],
    padding: Sequence[tuple[int, int]],
    dilation: Sequence[int],
    counts_padding: bool = False,
) -> Array:
    """Return the largest entries, or the means, of what windows see at each place of the last axes; they see zeros
    around these if `counts_padding`, and nothing there otherwise.
    """
    count = len(sizes)
    around = [(0, 0)] * (x.ndim - count) + list(padding)
    inside = Array(np.pad(np.ones(x.shape, dtype=bool), around, constant_values=counts_padding))
    seen, shown = (
        windows(one, sizes, stride, dilation, x.ndim - count).entries for one in (pad(operations, x, around), inside)
    )
    shape = seen.shape[:-count]
    seen, shown = (one.reshape(math.prod(shape), -1) for one in (seen, shown))
    made = np.empty(len(seen), dtype=np.int64)
    for kind in np.unique(shown, axis=0):
        rows = (shown == kind).all(axis=1)
        made[rows] = reduce(operations, Array(seen[rows][:, kind]), name, [-1]).entries
    return Array(made.reshape(shape))


def windows(x: Array, sizes: Sequence[int], stride: Sequence[int], dilation: Sequence[int], first: int = 2) -> Array:
    """Return what a kernel sees at each place of the axes from a first one on: its offsets are the last axes."""

    def seen(entries: np.ndarray) -> np.ndarray:
        for axis, (size, step, apart) in enumerate(zip(sizes, stride, dilation, strict=True), start=first):
            starts = np.arange(0, entries.shape[axis] - apart * (size - 1), step)
            entries = np.moveaxis(entries.take(starts[:, None] + apart * np.arange(size), axis=axis), axis + 1, -1)
        return entries

    return x.view(seen)
