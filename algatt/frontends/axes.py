"""Operations along axes: sums, largest entries, norms, joins, and what surrounds arrays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from algatt.frontends.arrays import Array, Tokens, shape_of
from algatt.frontends.functions import FUNCTIONS
from algatt.frontends.operations import Operations


def total(operations: Operations, terms: Sequence[Array]) -> Array:
    """Return a sum of arrays."""
    found = terms[0]
    for term in terms[1:]:
        found = operations.add(found, term)
    return found


def pad(operations: Operations, x: Any, widths: Sequence[tuple[int, int]], value: Any = 0) -> Array:
    """Return an array with a number around it."""
    x = operations.results.lift(x)
    for axis, (before, after) in enumerate(widths):
        for count, place in ((before, 0), (after, 1)):
            if count < 0:
                cut = slice(-count, None) if place == 0 else slice(None, count)
                x = x[(slice(None),) * axis + (cut,)]
            elif count:
                shape = (*x.shape[:axis], count, *x.shape[axis + 1 :])
                parts = [np.full(shape, value), x]
                x = join(operations, parts if place == 0 else parts[::-1], axis)
    return x


def join(operations: Operations, parts: Sequence[Any], axis: int) -> Any:
    """Return arrays joined along an axis, or numbers of tokens."""
    if all(isinstance(part, Tokens) for part in parts):
        return Tokens(np.concatenate([part.columns for part in parts], axis))
    given = [operations.results.lift(part) for part in parts]
    entries, truth = np.concatenate([part.entries for part in given], axis=axis), all(part.truth for part in given)
    if all(part.hidden is None for part in given):
        return Array(entries, truth=truth)
    masks = [np.zeros(part.shape, dtype=bool) if part.hidden is None else part.hidden for part in given]
    return Array(entries, np.concatenate(masks, axis=axis))


def squares(operations: Operations, x: Array) -> Array:
    """Return the squares of all entries."""
    return operations.apply(FUNCTIONS["square"], x)


def largest(operations: Operations, x: Array, axes: Sequence[int]) -> Array:
    """Return the largest entries along axes, which go."""
    for axis in sorted(axes, reverse=True):
        x = operations.maximum(x, axis)
    return x


def product(operations: Operations, x: Array, axes: Sequence[int]) -> Array:
    """Return the products of entries along axes, which go."""
    for axis in sorted(axes, reverse=True):
        x = cumulative_product(operations, x, axis)[(slice(None),) * axis + (-1,)]
    return x


def log_sum_exp(operations: Operations, x: Array, axes: Sequence[int]) -> Array:
    """Return the logarithms of sums of exponentials."""
    return operations.apply(FUNCTIONS["log"], operations.sum(operations.exp(x), axes))


REDUCTIONS: dict[str, Callable[[Operations, Array, Sequence[int]], Array]] = {
    "largest": largest,
    "length": lambda o, x, axes: o.apply(FUNCTIONS["sqrt"], o.sum(squares(o, x), axes)),
    "log_sum_exp": log_sum_exp,
    "mean": lambda o, x, axes: o.mean(x, axes),
    "product": product,
    "smallest": lambda o, x, axes: o.multiply(largest(o, o.multiply(x, -1), axes), -1),
    "squares": lambda o, x, axes: o.sum(squares(o, x), axes),
    "sum": lambda o, x, axes: o.sum(x, axes),
}
"""Functions of the entries along axes, which go."""


def reduce(operations: Operations, x: Array, name: str, axes: Any = None, *, keep: bool = False) -> Array:
    """Return a function of the entries along axes, all unless given, which go, or stay with length 1."""
    given = range(x.ndim) if axes is None or np.size(axes) == 0 else np.ravel(axes).tolist()
    chosen = [int(axis) % x.ndim for axis in given]
    made = REDUCTIONS[name](operations, x, chosen)
    return made.reshape(*(1 if axis in chosen else size for axis, size in enumerate(x.shape))) if keep else made


def variance(operations: Operations, x: Array, axes: Any, *, correction: Any = None, keep: bool = False) -> Array:
    """Return the variance along axes: squares of distances from means, by their number less a correction, or 1."""
    centred = operations.subtract(x, reduce(operations, x, "mean", axes, keep=True))
    sums = reduce(operations, centred, "squares", axes, keep=keep)
    count = math.prod(x.shape) // math.prod(sums.shape)
    return operations.divide(sums, count - (1 if correction is None else correction))


def softmax(operations: Operations, x: Array, axis: int = -1, half: Any = None) -> Array:
    """Return exponentials divided by their sums along an axis."""
    return operations.softmax(x, axis)


def log_softmax(operations: Operations, x: Array, axis: int = -1, half: Any = None) -> Array:
    """Return the logarithms of a softmax."""
    return operations.subtract(x, reduce(operations, x, "log_sum_exp", [axis], keep=True))


def cumulative_sum(
    operations: Operations, x: Array, axis: Any, *, exclusive: Any = False, reverse: Any = False, **_: Any
) -> Array:
    """Return the sums of all entries up to each, or before it, from one end of an axis or the other."""
    axis = int(np.ravel(axis)[0]) % x.ndim
    ones = np.tri(x.shape[axis], k=-1 if exclusive else 0)
    made = operations.contract(x, ones.T if reverse else ones, ((), (axis,)), ((), (1,)))
    return made.view(lambda entries: np.moveaxis(entries, -1, axis))


def cumulative_product(operations: Operations, x: Array, axis: int) -> Array:
    """Return the products of all entries up to each along an axis."""
    lines = x.view(lambda entries: np.moveaxis(entries, axis, 0))
    made = [lines[0]]
    for place in range(1, x.shape[axis]):
        made.append(operations.multiply(made[-1], lines[place]))
    return Array(np.moveaxis(np.stack([one.entries for one in made]), 0, axis))


def triangle(operations: Operations, x: Any, diagonal: int = 0, *, upper: bool) -> Array:
    """Return an array with zeros on one side of a diagonal of its last two axes."""
    keep = np.triu if upper else np.tril
    return operations.where(keep(np.ones(x.shape[-2:], dtype=bool), diagonal), x, 0.0)


def layer_norm(operations: Operations, x: Array, axis: int, eps: float, gain: Any = None, bias: Any = None) -> Array:
    """Return the entries from an axis on less their mean, by the root of their variance plus a constant."""
    made = operations.layer_norm(x.reshape(*x.shape[: axis % x.ndim], -1), -1, eps).reshape(*x.shape)
    made = made if gain is None else operations.multiply(made, gain)
    return made if bias is None else operations.add(made, bias)


def rms_norm(operations: Operations, x: Array, axis: int, eps: float, gain: Any = None) -> Array:
    """Return the entries from an axis on by the root of the mean of their squares plus a constant."""
    means = reduce(operations, squares(operations, x), "mean", range(axis % x.ndim, x.ndim), keep=True)
    made = operations.divide(x, operations.apply(FUNCTIONS["sqrt"], operations.add(means, eps)))
    return made if gain is None else operations.multiply(made, gain)


def by_channels(operations: Operations, made: Array, gain: Any, bias: Any) -> Array:
    """Return channels, the second axis, each times a gain and with a bias."""
    shape = (-1, *(1,) * (made.ndim - 2))
    made = made if gain is None else operations.multiply(made, gain.reshape(*shape))
    return made if bias is None else operations.add(made, bias.reshape(*shape))


def group_norm(operations: Operations, x: Any, groups: int, eps: float, gain: Any = None, bias: Any = None) -> Array:
    """Return channels, the second axis, normalised in groups."""
    shape = shape_of(x)
    flat = operations.results.lift(x).reshape(shape[0] * groups, -1)
    return by_channels(operations, operations.layer_norm(flat, -1, eps).reshape(*shape), gain, bias)


def batch_norm(
    operations: Operations, x: Array, gain: Any, bias: Any, mean: Any, variance: Any, *, eps: float
) -> Array:
    """Return channels, the second axis, less a mean, by the root of a variance plus a constant."""
    shape = (-1, *(1,) * (x.ndim - 2))
    spread: Any
    if isinstance(variance, Array):
        spread = operations.apply(FUNCTIONS["rsqrt"], operations.add(variance, eps)).reshape(*shape)
    else:
        spread = 1 / np.sqrt(np.asarray(variance, dtype=np.float64) + eps).reshape(shape)
    return by_channels(
        operations, operations.multiply(operations.subtract(x, mean.reshape(*shape)), spread), gain, bias
    )
