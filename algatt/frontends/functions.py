"""Functions of one variable, and operations that are made of others, for all front ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Erf, Log, Positive, Sigmoid
from algatt.frontends.arrays import Array, shape_of
from algatt.frontends.operations import Operations
from algatt.layers import GELU, ReLU, SiLU, Softplus, TanhGELU
from algatt.layers.activations import tanh

__all__ = [
    "FUNCTIONS",
    "apart",
    "attend",
    "between",
    "circle",
    "convolve",
    "einsum",
    "elu",
    "embed",
    "group_norm",
    "leaky_relu",
    "matmul",
    "maximum",
    "power",
]

FUNCTIONS: dict[str, Callable[[Elements], Elements]] = {
    "abs": lambda x: x * (2 * x.entrywise(Positive()) - 1),
    "cosh": lambda x: (x.exp() + (-x).exp()) * Fraction(1, 2),
    "erf": lambda x: x.entrywise(Erf()),
    "exp2": lambda x: (x * Fraction(math.log(2))).exp(),
    "expm1": lambda x: x.exp() - 1,
    "gelu": lambda x: verbs.activate(GELU(), x),
    "gelu_tanh": lambda x: verbs.activate(TanhGELU(), x),
    "hard_sigmoid": lambda x: cut(x * Fraction(1, 6) + Fraction(1, 2)),
    "hard_swish": lambda x: x * cut(x * Fraction(1, 6) + Fraction(1, 2)),
    "log": lambda x: x.entrywise(Log()),
    "log1p": lambda x: (x + 1).entrywise(Log()),
    "log_sigmoid": lambda x: -verbs.activate(Softplus(), -x),
    "mish": lambda x: x * tanh(verbs.activate(Softplus(), x)),
    "neg": lambda x: -x,
    "positive": lambda x: x.entrywise(Positive()),
    "reciprocal": lambda x: x.reciprocal(),
    "relu": lambda x: verbs.activate(ReLU(), x),
    "rsqrt": lambda x: x.sqrt().reciprocal(),
    "sigmoid": lambda x: x.entrywise(Sigmoid()),
    "sign": lambda x: 2 * x.entrywise(Positive()) - 1,
    "silu": lambda x: verbs.activate(SiLU(), x),
    "sinh": lambda x: (x.exp() - (-x).exp()) * Fraction(1, 2),
    "softplus": lambda x: verbs.activate(Softplus(), x),
    "softsign": lambda x: x / (FUNCTIONS["abs"](x) + 1),
    "sqrt": lambda x: x.sqrt(),
    "square": lambda x: x * x,
    "tanh": tanh,
}
"""Functions of one variable by their usual names."""


MOST_POSITIONS = 2**31
"""Maximum position of a token that is turned."""


def rectified(x: Elements) -> Elements:
    """Return the positive parts."""
    return verbs.activate(ReLU(), x)


def cut(x: Elements) -> Elements:
    """Return entries cut to the numbers between 0 and 1."""
    return 1 - rectified(1 - rectified(x))


def leaky_relu(slope: float) -> Callable[[Elements], Elements]:
    """Return the function that is x where x > 0, and a multiple of x elsewhere."""
    return lambda x: x * (x.entrywise(Positive()) * (1 - Fraction(slope)) + Fraction(slope))


def elu(alpha: float, scale: float = 1, inner: float = 1) -> Callable[[Elements], Elements]:
    """Return the function that is x where x > 0, and alpha (exp(x) - 1) elsewhere, times a scale."""

    def function(x: Elements) -> Elements:
        gate = x.entrywise(Positive())
        below = ((x * Fraction(inner)).exp() - 1) * Fraction(alpha)
        return (gate * x + (1 - gate) * below) * Fraction(scale)

    return function


def maximum(operations: Operations, left: Any, right: Any) -> Array:
    """Return the larger entries of two arrays."""
    difference = operations.apply(rectified, operations.subtract(left, right))
    return operations.add(difference, right)


def between(operations: Operations, x: Array, low: Any = None, high: Any = None) -> Array:
    """Return an array whose entries are cut to those between two numbers."""
    if low is not None and low != -math.inf:
        x = maximum(operations, x, low)
    if high is not None and high != math.inf:
        x = operations.subtract(high, operations.apply(rectified, operations.subtract(high, x)))
    return x


def power(operations: Operations, base: Any, exponent: Any) -> Array:
    """Return a power with a constant exponent that is an integer, or half of one."""
    if isinstance(exponent, Array):
        if isinstance(base, Array) or np.size(base) != 1 or not np.all(np.asarray(base) > 0):
            raise InvalidArgument("module", "with an exponent that depends on weights or inputs", "with constant ones")
        factor = Fraction(math.log(float(np.asarray(base).ravel()[0])))
        return operations.exp(operations.apply(lambda x: x * factor, exponent))
    values = {float(value) for value in np.asarray(exponent).ravel()}
    twice = 2 * values.pop() if len(values) == 1 else math.nan
    if not twice.is_integer():
        raise InvalidArgument("module", f"with the exponent {exponent}", "with integers, or halves of integers")

    def function(x: Elements) -> Elements:
        return x ** int(twice // 2) if twice % 2 == 0 else x.sqrt() ** int(twice)

    return operations.apply(function, base)


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
    operations: Operations, query: Any, key: Any, value: Any, *, mask: Any = None, causal: bool, scale: float | None
) -> Array:
    """Return softmax attention; a mask of truth values shows entries, another one is added."""
    lengths = shape_of(query)[-2], shape_of(key)[-2]
    groups = shape_of(query)[-3] // shape_of(key)[-3] if len(shape_of(query)) > 2 else 1
    key, value = (repeat(one, groups) for one in (key, value))
    order = [*range(len(shape_of(key)) - 2), -1, -2]
    scores = matmul(operations, query, operations.results.lift(key).transpose(order))
    factor = 1 / math.sqrt(shape_of(query)[-1]) if scale is None else scale
    scores = operations.multiply(scores, factor)
    if causal:
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


def circle(operations: Operations, angles: np.ndarray, name: str) -> Array | None:
    """Return the cosines or sines of numbers that are frequencies, the last axis, times whole positions, up to their
    rounding: as points of the circle, which rotations are made of; None if they are others.
    """
    if angles.ndim < 2 or angles.dtype.kind != "f" or not angles.any():
        return None
    rows = angles.reshape(-1, angles.shape[-1]).astype(np.float64)
    sizes = np.abs(rows).sum(axis=1)
    first = rows[np.argmin(np.where(sizes > 0, sizes, np.inf))]
    places = np.rint(rows[:, np.argmax(np.abs(first))] / first[np.argmax(np.abs(first))]).astype(np.int64)
    rounding = 4 * np.finfo(angles.dtype).eps * np.abs(rows)
    if not (np.abs(np.outer(places, first) - rows) <= rounding).all() or places.max() > MOST_POSITIONS:
        return None
    distinct, column = np.unique(places, return_inverse=True)
    frequencies, row = np.unique(first, return_inverse=True)
    trace = operations.results.trace
    tables = verbs.circle_points(trace, angles=tuple(frequencies.tolist()), positions=tuple(distinct.tolist()))
    table = operations.results.entries_of(Elements(trace, tables[name == "sin"]))
    return table.view(lambda entries: entries[row[None, :], column[:, None]].reshape(angles.shape))


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
    return operations.add(made, operations.results.lift(bias).reshape(-1, *(1,) * count))


def windows(x: Array, sizes: Sequence[int], stride: Sequence[int], dilation: Sequence[int]) -> Array:
    """Return what a kernel of some sizes sees at each place: its offsets are the last axes."""

    def seen(entries: np.ndarray) -> np.ndarray:
        for axis, (size, step, apart) in enumerate(zip(sizes, stride, dilation, strict=True), start=2):
            starts = np.arange(0, entries.shape[axis] - apart * (size - 1), step)
            entries = np.moveaxis(entries.take(starts[:, None] + apart * np.arange(size), axis=axis), axis + 1, -1)
        return entries

    return x.view(seen)


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


def join(operations: Operations, parts: Sequence[Any], axis: int) -> Array:
    """Return arrays joined along an axis."""
    given = [operations.results.lift(part) for part in parts]
    entries = np.concatenate([part.entries for part in given], axis=axis)
    if all(part.hidden is None for part in given):
        return Array(entries)
    masks = [np.zeros(part.shape, dtype=bool) if part.hidden is None else part.hidden for part in given]
    return Array(entries, np.concatenate(masks, axis=axis))


def group_norm(operations: Operations, x: Any, groups: int, eps: float) -> Array:
    """Return channels normalised in groups."""
    shape = shape_of(x)
    flat = operations.results.lift(x).reshape(shape[0] * groups, -1)
    return operations.layer_norm(flat, -1, eps).reshape(*shape)
