"""Rules for the core operations of torch: how their arguments are read."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.frontends import axes, functions, products
from algatt.frontends.arrays import Array, shape_of
from algatt.frontends.operations import Operations
from algatt.frontends.table import TORCH, Rule, reductions_of, rules_of

SAME = ("alias", "clone", "contiguous", "detach", "lift_fresh_copy")
"""Operations that change nothing."""

MOVES = (
    "_unsafe_view",
    "diagonal",
    "expand",
    "flip",
    "index",
    "index_select",
    "permute",
    "repeat",
    "roll",
    "select",
    "slice",
    "split",
    "split_with_sizes",
    "squeeze",
    "t",
    "transpose",
    "unbind",
    "unfold",
    "unsqueeze",
    "view",
)
"""Operations that move entries of their first operand."""


def reduced(name: str) -> Rule:
    """Return the rule of a function along axes."""

    def rule(operations: Operations, x: Array, given: Any = None, keepdim: bool = False, **_: Any) -> Array:
        return axes.reduce(operations, x, name, given, keep=keepdim)

    return rule


def vector_norm(
    operations: Operations, x: Array, order: float = 2, given: Any = None, keepdim: bool = False, **_: Any
) -> Array:
    names = {1: "sum", 2: "length", np.inf: "largest"}
    if order not in names:
        raise InvalidArgument("it", f"with the exponent {order}", "of the exponents 1, 2 and inf")
    entries = x if order == 2 else operations.apply(functions.FUNCTIONS["abs"], x)
    return axes.reduce(operations, entries, names[order], given, keep=keepdim)


def joined(operations: Operations, parts: Any, axis: int = 0) -> Any:
    return axes.join(operations, [part for part in parts if shape_of(part) != (0,)], axis)


def stacked(operations: Operations, parts: Any, axis: int = 0) -> Any:
    lifted = [operations.results.lift(part).view(lambda entries: np.expand_dims(entries, axis)) for part in parts]
    return axes.join(operations, lifted, axis)


def linear(operations: Operations, x: Any, weight: Any, bias: Any = None) -> Array:
    made = products.matmul(operations, x, weight.transpose((1, 0)))
    return made if bias is None else operations.add(made, bias)


def layer_norm(
    operations: Operations, x: Any, shape: Any, gain: Any = None, bias: Any = None, eps: float = 1e-5
) -> list[Array]:
    return [axes.layer_norm(operations, x, x.ndim - len(shape), eps, gain, bias)]


def group_norm(
    operations: Operations, x: Any, gain: Any, bias: Any, batch: int, channels: int, size: int, groups: int, eps: float
) -> list[Array]:
    return [axes.group_norm(operations, x, groups, eps, gain, bias)]


def batch_norm(operations: Operations, x: Any, *weights: Any) -> list[Array]:
    *given, _, eps = weights
    return [axes.batch_norm(operations, x, *given, eps=eps)]


def norm_of_batch(operations: Operations, x: Any, gain: Any, bias: Any, *given: Any) -> list[Array]:
    """Return channels, the second axis, normalised over all other axes, as of instances that are channels."""
    if len(given) != 3:
        raise InvalidArgument("it", "with statistics of the batch", "in evaluation: module.eval()")
    channels = x.view(lambda entries: np.swapaxes(entries, 0, 1))
    made = axes.layer_norm(operations, channels, 1, given[-1]).view(lambda entries: np.swapaxes(entries, 0, 1))
    return [axes.by_channels(operations, made, gain, bias)]


def variance(
    operations: Operations, x: Any, given: Any = None, *, correction: Any = None, keepdim: bool = False
) -> Any:
    return axes.variance(operations, x, given, correction=correction, keep=keepdim)


def variance_and_mean(operations: Operations, x: Any, given: Any = None, **options: Any) -> list[Array]:
    mean = axes.reduce(operations, x, "mean", given, keep=options.get("keepdim", False))
    return [variance(operations, x, given, **options), mean]


def attention(
    operations: Operations,
    query: Any,
    key: Any,
    value: Any,
    mask: Any = None,
    dropout: float = 0.0,
    is_causal: bool = False,
    *,
    enable_gqa: bool = False,
    **options: Any,
) -> Array:
    if dropout:
        raise InvalidArgument("it", "with dropout", "in evaluation: module.eval()")
    return products.attend(operations, query, key, value, mask, is_causal=is_causal, **options)


def convolution(
    operations: Operations,
    x: Any,
    kernel: Any,
    bias: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    is_transposed: bool,
    output_padding: Any,
    groups: int,
) -> Array:
    if is_transposed:
        raise InvalidArgument("it", "transposed", "not transposed")
    sides = [(one, one) for one in padding]
    return products.convolve(
        operations, x, kernel, bias, stride=stride, padding=sides, dilation=dilation, groups=groups
    )


def means_of_windows(
    operations: Operations,
    x: Any,
    sizes: Any,
    stride: Any = (),
    padding: Any = 0,
    cut: bool = False,
    counts_padding: bool = True,
    divisor: Any = None,
) -> Array:
    if divisor is not None:
        raise InvalidArgument("it", "with another divisor than the number of entries", "without divisor_override")
    return pooled(operations, x, "mean", sizes, stride, padding, 1, cut, counts_padding=counts_padding)


def largest_of_windows(
    operations: Operations,
    x: Any,
    sizes: Any,
    stride: Any = (),
    padding: Any = 0,
    dilation: Any = 1,
    cut: bool = False,
) -> list[Array]:
    return [pooled(operations, x, "largest", sizes, stride, padding, dilation, cut)]


def pooled(
    operations: Operations,
    x: Any,
    name: str,
    sizes: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    cut: bool,
    **options: bool,
) -> Array:
    if cut:
        raise InvalidArgument("it", "with windows that are cut", "of whole windows: ceil_mode=False")
    steps, sides, apart = (np.broadcast_to(one, len(sizes)).tolist() for one in (stride or sizes, padding, dilation))
    pairs = [(one, one) for one in sides]
    return products.pool(operations, x, name, sizes, stride=steps, padding=pairs, dilation=apart, **options)


def bilinear(operations: Operations, x: Any, W: Any, y: Any, *given: Any) -> Array:
    if [list(one) for one in given[:4]] != [[1, 3], [0], [1, 2], [2, 3]]:
        raise InvalidArgument("it", "with other axes than those of a bilinear layer", "with those")
    made = operations.contract(x, W, ((), (1,)), ((), (1,)))
    return operations.sum(operations.multiply(made, operations.results.lift(y)[:, None]), (-1,))


def padded(operations: Operations, x: Any, widths: Any, value: Any = 0) -> Array:
    sides = [(0, 0)] * (x.ndim - len(widths) // 2)
    pairs = [(widths[place], widths[place + 1]) for place in range(0, len(widths), 2)]
    return axes.pad(operations, x, sides + pairs[::-1], 0 if value is None else value)


def put(operations: Operations, x: Any, source: Any, index: Any) -> Array:
    """Return an array in which a part is another one, as in-place updates are written."""
    x, source = operations.results.lift(x), operations.results.lift(source)
    operations.refuse_hidden(x, "updated")
    operations.refuse_hidden(source, "written into another array")
    entries = np.array(x.entries)
    entries[index] = source.entries
    return Array(entries)


def put_slice(
    operations: Operations, x: Any, source: Any, axis: int = 0, start: Any = None, stop: Any = None, step: int = 1
) -> Array:
    end = None if stop is None else min(stop, 2**62)
    return put(operations, x, source, (slice(None),) * (axis % x.ndim) + (slice(start, end, step),))


def put_place(operations: Operations, x: Any, source: Any, axis: int, place: int) -> Array:
    return put(operations, x, source, (slice(None),) * (axis % x.ndim) + (place,))


def put_places(operations: Operations, x: Any, places: Any, source: Any, adds: bool = False) -> Array:
    if adds or any(isinstance(one, Array) for one in places):
        raise InvalidArgument("it", "at places that depend on the input, or added", "put at constant places")
    return put(operations, x, source, tuple(slice(None) if one is None else one for one in places))


def dropped(operations: Operations, x: Any, probability: float, training: bool) -> list[Any]:
    if training and probability:
        raise InvalidArgument("it", "with dropout", "in evaluation: module.eval()")
    return [x]


RULES: dict[str, Rule] = {
    **rules_of(TORCH),
    **reductions_of(TORCH, reduced),
    "_native_batch_norm_legit": norm_of_batch,
    "_native_batch_norm_legit_no_training": batch_norm,
    "_trilinear": bilinear,
    **dict.fromkeys(("avg_pool1d", "avg_pool2d", "avg_pool3d"), means_of_windows),
    **dict.fromkeys(("max_pool2d_with_indices", "max_pool3d_with_indices"), largest_of_windows),
    "addmm": lambda operations, added, x, y, **options: products.matmul_and_add(operations, x, y, added, **options),
    "baddbmm": lambda operations, added, x, y, **options: products.matmul_and_add(operations, x, y, added, **options),
    "cat": joined,
    "constant_pad_nd": padded,
    "convolution": convolution,
    "copy": lambda operations, x, source, *_: operations.results.lift(source).spread(tuple(x.shape)),
    "elu": lambda operations, x, *given: operations.apply(functions.elu(*(given or (1,))), x),
    "full_like": lambda operations, x, value, **_: np.full(x.shape, value),
    "getitem": lambda operations, x, place: x[place],
    "index_put": put_places,
    "hardtanh": lambda operations, x, low=-1, high=1: functions.between(operations, x, low, high),
    "leaky_relu": lambda operations, x, slope=0.01: operations.apply(functions.leaky_relu(slope), x),
    "linalg_vector_norm": vector_norm,
    "linear": linear,
    "masked_fill": lambda operations, x, mask, value: operations.where(mask, value, x),
    "max": lambda operations, x: axes.reduce(operations, x, "largest"),
    "min": lambda operations, x: axes.reduce(operations, x, "smallest"),
    "native_dropout": dropped,
    "native_group_norm": group_norm,
    "native_layer_norm": layer_norm,
    "ones_like": lambda operations, x, **_: np.ones(x.shape),
    "scaled_dot_product_attention": attention,
    "select_scatter": put_place,
    "slice_scatter": put_slice,
    "stack": stacked,
    "tril": functools.partial(axes.triangle, upper=False),
    "triu": functools.partial(axes.triangle, upper=True),
    "var": variance,
    "var_mean": variance_and_mean,
    "zeros_like": lambda operations, x, **_: np.zeros(x.shape),
}
"""How each operation is written, by its name."""
