"""Rules for the core operations of torch."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.frontends import functions
from algatt.frontends.arrays import Array, shape_of
from algatt.frontends.functions import FUNCTIONS
from algatt.frontends.lowered import Lowered, Tokens

__all__ = ["RULES", "numbers"]

Rule = Callable[..., Any]


def numbers(value: Any) -> Any:
    """Return a tensor of numbers as an array of numpy; other values as they are."""
    if not hasattr(value, "detach"):
        return value
    value = value.detach().cpu()
    return (value.float() if value.dtype.itemsize == 2 and value.is_floating_point() else value).numpy()


def constant(value: Any) -> Any:
    """Return an array, or a tensor as an array of numpy; tokens are refused."""
    if isinstance(value, Tokens):
        raise InvalidArgument(
            "it", "computed of numbers of tokens", "given as a constant, as tokens are looked up alone"
        )
    return numbers(value)


def viewed(function: Callable[..., np.ndarray]) -> Rule:
    """Return the rule of an operation that moves entries."""

    def rule(lowered: Lowered, x: Any, *arguments: Any, **keywords: Any) -> Any:
        return x.view(lambda entries: function(entries, *arguments, **keywords))

    return rule


def unary(name: str) -> Rule:
    """Return the rule of a function of one variable."""
    return lambda lowered, x: lowered.operations.apply(FUNCTIONS[name], constant(x))


def axes_of(x: Any, axes: Any) -> list[int]:
    """Return the axes of an argument that may be one, several, or none for all."""
    given = range(x.ndim) if axes is None or axes == [] else [axes] if isinstance(axes, int) else axes
    return [axis % x.ndim for axis in given]


def reduced(method: Callable[..., Array]) -> Rule:
    """Return the rule of an operation on axes that go, or have length 1."""

    def rule(lowered: Lowered, x: Array, axes: Any = None, keepdim: bool = False, **options: Any) -> Array:
        chosen = axes_of(constant(x), axes)
        made = method(lowered, x, chosen)
        shape = [1 if axis in chosen else size for axis, size in enumerate(x.shape)]
        return made.reshape(*shape) if keepdim else made

    return rule


def add(lowered: Lowered, x: Any, y: Any, *, alpha: Any = 1) -> Array:
    x, y = constant(x), constant(y)
    return lowered.operations.add(x, y if alpha == 1 else scaled(lowered, y, alpha))


def subtract(lowered: Lowered, x: Any, y: Any, *, alpha: Any = 1) -> Array:
    x, y = constant(x), constant(y)
    return lowered.operations.subtract(x, y if alpha == 1 else scaled(lowered, y, alpha))


def scaled(lowered: Lowered, x: Any, factor: Any) -> Any:
    return lowered.operations.multiply(x, factor) if isinstance(x, Array) else np.asarray(x) * factor


def multiply(lowered: Lowered, x: Any, y: Any) -> Array:
    return lowered.operations.multiply(constant(x), constant(y))


def divide(lowered: Lowered, x: Any, y: Any, *, rounding_mode: Any = None) -> Array:
    if rounding_mode is not None:
        raise InvalidArgument("it", "rounded", "not rounded")
    return lowered.operations.divide(constant(x), constant(y))


def slice_axis(x: np.ndarray, axis: int = 0, start: int | None = None, stop: int | None = None, step: int = 1) -> Any:
    return x[(slice(None),) * (axis % x.ndim) + (slice(start, None if stop is None else min(stop, 2**62), step),)]


def transposed(x: np.ndarray, one: int, other: int) -> np.ndarray:
    return np.swapaxes(x, one, other)


def squeezed(x: np.ndarray, axes: Any = None) -> np.ndarray:
    given = range(x.ndim) if axes is None else [axes] if isinstance(axes, int) else axes
    return np.squeeze(x, tuple(axis for axis in given if x.shape[axis] == 1))


def expanded(x: np.ndarray, sizes: Any, *, implicit: bool = False) -> np.ndarray:
    extra = len(sizes) - x.ndim
    return np.broadcast_to(x, [x.shape[k - extra] if size == -1 else size for k, size in enumerate(sizes)])


def indexed(lowered: Lowered, x: Any, indices: Any) -> Any:
    given = tuple(slice(None) if one is None else numbers(one) for one in indices)
    if any(isinstance(one, Array | Tokens) for one in given):
        if len(given) == 1 and isinstance(given[0], Tokens) and isinstance(x, Array):
            return embedding(lowered, x, given[0])
        raise InvalidArgument("it", "with indices that depend on the input", "with constant ones")
    return lowered.operations.results.lift(numbers(x)).view(lambda entries: entries[given])


def embedding(lowered: Lowered, table: Any, indices: Any, *options: Any) -> Any:
    if not isinstance(indices, Tokens):
        places = numbers(indices)
        return table.view(lambda entries: entries[places])
    table = lowered.operations.results.lift(numbers(table))
    return functions.embed(lowered.operations, table, lowered.units(table.shape[0]), indices.columns)


def joined(lowered: Lowered, parts: Any, axis: int = 0) -> Any:
    if all(isinstance(part, Tokens) for part in parts):
        return Tokens(np.concatenate([part.columns for part in parts], axis))
    kept = [constant(part) for part in parts if shape_of(part) != (0,)]
    return functions.join(lowered.operations, kept, axis)


def chunks(x: np.ndarray, size: int, axis: int) -> list[tuple[int, int]]:
    return [(start, min(start + size, x.shape[axis])) for start in range(0, x.shape[axis], size)]


def split(lowered: Lowered, x: Any, sizes: Any, axis: int = 0) -> list[Any]:
    if isinstance(sizes, int):
        ends = chunks(x, sizes, axis)
    else:
        ends = list(itertools.pairwise(np.cumsum([0, *sizes]).tolist()))
    return [x.view(lambda entries, ends=ends: slice_axis(entries, axis, *ends)) for ends in ends]


def product(lowered: Lowered, x: Any, y: Any) -> Array:
    return functions.matmul(lowered.operations, constant(x), constant(y))


def product_and_sum(lowered: Lowered, total: Any, x: Any, y: Any, *, beta: Any = 1, alpha: Any = 1) -> Array:
    made = scaled(lowered, product(lowered, x, y), alpha)
    return lowered.operations.add(made, scaled(lowered, constant(total), beta))


def linear(lowered: Lowered, x: Any, weight: Any, bias: Any = None) -> Array:
    weight = constant(weight)
    made = product(lowered, x, weight.transpose((1, 0)))
    return made if bias is None else lowered.operations.add(made, constant(bias))


def softmax(lowered: Lowered, x: Any, axis: int, half: Any = None) -> Array:
    return lowered.operations.softmax(x, axis)


def log_softmax(lowered: Lowered, x: Any, axis: int, half: Any = None) -> Array:
    total = reduced(log_sum_exp)(lowered, x, axis, True)
    return lowered.operations.subtract(x, total)


def log_sum_exp(lowered: Lowered, x: Any, axes: list[int]) -> Array:
    total = lowered.operations.sum(lowered.operations.exp(x), axes)
    return lowered.operations.apply(FUNCTIONS["log"], total)


def layer_norm(lowered: Lowered, x: Any, shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    operations, before = lowered.operations, x.shape[: x.ndim - len(shape)]
    flat = x.reshape(*before, -1)
    made = operations.layer_norm(flat, -1, eps).reshape(*x.shape)
    made = made if weight is None else operations.multiply(made, constant(weight))
    return [made if bias is None else operations.add(made, constant(bias))]


def group_norm(
    lowered: Lowered, x: Any, weight: Any, bias: Any, batch: int, channels: int, size: int, groups: int, eps: float
) -> Any:
    operations = lowered.operations
    made, shape = functions.group_norm(operations, x, groups, eps), (-1, *(1,) * (x.ndim - 2))
    made = (
        made if weight is None else operations.multiply(made, operations.results.lift(constant(weight)).reshape(*shape))
    )
    return [made if bias is None else operations.add(made, operations.results.lift(constant(bias)).reshape(*shape))]


def batch_norm(
    lowered: Lowered, x: Any, weight: Any, bias: Any, mean: Any, variance: Any, momentum: float, eps: float
) -> Any:
    operations, shape = lowered.operations, (-1, *(1,) * (x.ndim - 2))
    mean, variance = (numbers(one).astype(np.float64).reshape(shape) for one in (mean, variance))
    made = operations.multiply(operations.subtract(x, mean), 1 / np.sqrt(variance + eps))
    lift = operations.results.lift
    made = made if weight is None else operations.multiply(made, lift(constant(weight)).reshape(*shape))
    return [made if bias is None else operations.add(made, lift(constant(bias)).reshape(*shape))]


def variance(lowered: Lowered, x: Any, axes: Any = None, *, correction: Any = None, keepdim: bool = False) -> Array:
    operations, chosen = lowered.operations, axes_of(x, axes)
    centred = operations.subtract(x, reduced(mean)(lowered, x, chosen, True))
    total = reduced(lambda low, y, given: low.operations.sum(y, given))(
        lowered, operations.multiply(centred, centred), chosen, keepdim
    )
    count = math.prod(x.shape[axis] for axis in chosen)
    return operations.divide(total, count - (1 if correction is None else correction))


def variance_and_mean(
    lowered: Lowered, x: Any, axes: Any = None, *, correction: Any = None, keepdim: bool = False
) -> list[Array]:
    found = variance(lowered, x, axes, correction=correction, keepdim=keepdim)
    return [found, reduced(mean)(lowered, x, axes, keepdim)]


def mean(lowered: Lowered, x: Any, axes: list[int]) -> Array:
    return lowered.operations.mean(x, axes)


def attention(
    lowered: Lowered,
    query: Any,
    key: Any,
    value: Any,
    mask: Any = None,
    dropout: float = 0.0,
    is_causal: bool = False,
    *,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Array:
    if dropout:
        raise InvalidArgument("it", "with dropout", "in evaluation: module.eval()")
    query, key, value, mask = map(constant, (query, key, value, mask))
    return functions.attend(lowered.operations, query, key, value, mask=mask, causal=is_causal, scale=scale)


def convolution(
    lowered: Lowered,
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
    x, kernel = lowered.operations.results.lift(constant(x)), lowered.operations.results.lift(constant(kernel))
    return functions.convolve(
        lowered.operations,
        x,
        kernel,
        constant(bias),
        stride=stride,
        padding=sides,
        dilation=dilation,
        groups=groups,
    )


def bilinear(lowered: Lowered, x: Any, W: Any, y: Any, *axes: Any) -> Array:
    if [list(one) for one in axes[:4]] != [[1, 3], [0], [1, 2], [2, 3]]:
        raise InvalidArgument("it", "with other axes than those of a bilinear layer", "with those")
    operations = lowered.operations
    x, W, y = (operations.results.lift(constant(one)) for one in (x, W, y))
    made = operations.contract(x, W, ((), (1,)), ((), (1,)))
    return operations.sum(operations.multiply(made, y[:, None]), (-1,))


def padded(lowered: Lowered, x: Any, widths: Any, value: Any = 0) -> Array:
    sides = [(0, 0)] * (x.ndim - len(widths) // 2)
    pairs = [(widths[place], widths[place + 1]) for place in range(0, len(widths), 2)]
    return functions.pad(lowered.operations, constant(x), sides + pairs[::-1], 0 if value is None else value)


def where(lowered: Lowered, condition: Any, x: Any, y: Any) -> Array:
    return lowered.operations.where(constant(condition), constant(x), constant(y))


def filled(lowered: Lowered, x: Any, mask: Any, value: Any) -> Array:
    return lowered.operations.where(constant(mask), constant(value), constant(x))


def triangle(keep: Callable[..., np.ndarray]) -> Rule:
    """Return the rule of an operation that keeps one side of a diagonal."""

    def rule(lowered: Lowered, x: Any, diagonal: int = 0) -> Array:
        mask = keep(np.ones(x.shape[-2:], dtype=bool), diagonal)
        return lowered.operations.where(mask, x, 0.0)

    return rule


def compared(swapped: bool, negated: bool) -> Rule:
    """Return the rule of a comparison, whose entries are 0 and 1."""

    def rule(lowered: Lowered, x: Any, y: Any) -> Array:
        one, other = (constant(y), constant(x)) if swapped else (constant(x), constant(y))
        found = lowered.operations.apply(FUNCTIONS["positive"], lowered.operations.subtract(one, other))
        return lowered.operations.subtract(1, found) if negated else found

    return rule


def cumulative_sum(lowered: Lowered, x: Any, axis: int, **options: Any) -> Array:
    x = constant(x)
    axis %= x.ndim
    ones = np.tri(x.shape[axis])
    made = lowered.operations.contract(x, ones, ((), (axis,)), ((), (1,)))
    return made.view(lambda entries: np.moveaxis(entries, -1, axis))


def largest(lowered: Lowered, x: Any, axes: list[int]) -> Array:
    for axis in sorted(axes, reverse=True):
        x = lowered.operations.maximum(x, axis)
    return x


def leaky(lowered: Lowered, x: Any, slope: float = 0.01) -> Array:
    return lowered.operations.apply(functions.leaky_relu(slope), x)


def exponential_linear(lowered: Lowered, x: Any, alpha: float = 1, scale: float = 1, inner: float = 1) -> Array:
    return lowered.operations.apply(functions.elu(alpha, scale, inner), x)


def gelu(lowered: Lowered, x: Any, *, approximate: str = "none") -> Array:
    return lowered.operations.apply(FUNCTIONS["gelu" if approximate == "none" else "gelu_tanh"], x)


def softplus(lowered: Lowered, x: Any, beta: float = 1, threshold: float = 20) -> Array:
    operations = lowered.operations
    return operations.divide(operations.apply(FUNCTIONS["softplus"], operations.multiply(x, beta)), beta)


def put(lowered: Lowered, x: Any, source: Any, index: Any) -> Array:
    """Return an array in which a part is another one, as in-place updates are written."""
    lift = lowered.operations.results.lift
    x, source = lift(constant(x)), lift(constant(source))
    lowered.operations.refuse_hidden(x, "updated")
    lowered.operations.refuse_hidden(source, "written into another array")
    entries = np.array(x.entries)
    entries[index] = source.entries
    return Array(entries)


def put_slice(
    lowered: Lowered, x: Any, source: Any, axis: int = 0, start: Any = None, stop: Any = None, step: int = 1
) -> Array:
    end = None if stop is None else min(stop, 2**62)
    return put(lowered, x, source, (slice(None),) * (axis % x.ndim) + (slice(start, end, step),))


def put_place(lowered: Lowered, x: Any, source: Any, axis: int, place: int) -> Array:
    return put(lowered, x, source, (slice(None),) * (axis % x.ndim) + (place,))


def copied(lowered: Lowered, x: Any, source: Any, *options: Any) -> Array:
    return lowered.operations.results.lift(constant(source)).spread(tuple(x.shape))


def same(lowered: Lowered, x: Any, *arguments: Any, **options: Any) -> Any:
    return x


def dropped(lowered: Lowered, x: Any, probability: float, training: bool) -> Any:
    if training and probability:
        raise InvalidArgument("it", "with dropout", "in evaluation: module.eval()")
    return x


def nowhere(lowered: Lowered, x: Array) -> np.ndarray:
    """Results are numbers: what is behind a softmax is never infinite or none."""
    lowered.operations.refuse_hidden(x, "asked for")
    return np.zeros(x.shape, dtype=bool)


def filled_like(lowered: Lowered, x: Any, *arguments: Any, **options: Any) -> np.ndarray:
    return np.full(x.shape, arguments[0] if arguments else 0)


def ones_like(lowered: Lowered, x: Any, *arguments: Any, **options: Any) -> np.ndarray:
    return np.ones(x.shape)


RULES: dict[str, Rule] = {
    "_log_softmax": log_softmax,
    "_native_batch_norm_legit_no_training": batch_norm,
    "_safe_softmax": softmax,
    "_softmax": softmax,
    "_to_copy": same,
    "_trilinear": bilinear,
    "_unsafe_view": viewed(lambda x, shape: x.reshape(shape)),
    "abs": unary("abs"),
    "add": add,
    "addmm": product_and_sum,
    "alias": same,
    "amax": reduced(largest),
    "baddbmm": product_and_sum,
    "bitwise_and": multiply,
    "bmm": product,
    "cat": joined,
    "clamp": lambda lowered, x, low=None, high=None: functions.between(lowered.operations, x, low, high),
    "clone": same,
    "constant_pad_nd": padded,
    "contiguous": same,
    "convolution": convolution,
    "copy": copied,
    "cosh": unary("cosh"),
    "cumsum": cumulative_sum,
    "detach": same,
    "diagonal": viewed(np.diagonal),
    "div": divide,
    "elu": exponential_linear,
    "embedding": embedding,
    "erf": unary("erf"),
    "exp": lambda lowered, x: lowered.operations.exp(x),
    "exp2": unary("exp2"),
    "expand": viewed(expanded),
    "expm1": unary("expm1"),
    "flip": viewed(np.flip),
    "full_like": filled_like,
    "ge": compared(True, True),
    "gelu": gelu,
    "getitem": lambda lowered, x, place: x[place],
    "gt": compared(False, False),
    "hardtanh": lambda lowered, x, low=-1, high=1: functions.between(lowered.operations, x, low, high),
    "hardsigmoid": unary("hard_sigmoid"),
    "hardswish": unary("hard_swish"),
    "index": indexed,
    "index_select": lambda lowered, x, axis, places: viewed(np.take)(lowered, x, numbers(places), axis),
    "isinf": nowhere,
    "isnan": nowhere,
    "le": compared(False, True),
    "leaky_relu": leaky,
    "lift_fresh_copy": same,
    "linear": linear,
    "log": unary("log"),
    "log1p": unary("log1p"),
    "logical_and": multiply,
    "logical_not": lambda lowered, x: lowered.operations.subtract(1, x),
    "logsumexp": reduced(log_sum_exp),
    "lt": compared(True, False),
    "masked_fill": filled,
    "max": reduced(largest),
    "maximum": lambda lowered, x, y: functions.maximum(lowered.operations, constant(x), constant(y)),
    "mean": reduced(mean),
    "mish": unary("mish"),
    "mm": product,
    "mul": multiply,
    "mv": product,
    "native_dropout": lambda lowered, x, probability, training: [dropped(lowered, x, probability, training)],
    "native_group_norm": group_norm,
    "native_layer_norm": layer_norm,
    "neg": unary("neg"),
    "ones_like": ones_like,
    "permute": viewed(lambda x, axes: x.transpose(axes)),
    "pow": lambda lowered, x, y: functions.power(lowered.operations, numbers(x), numbers(y)),
    "reciprocal": lambda lowered, x: lowered.operations.divide(1, x),
    "relu": unary("relu"),
    "repeat": viewed(lambda x, sizes: np.tile(x, sizes)),
    "roll": viewed(lambda x, steps, axes=(): np.roll(x, steps, tuple(axes) or None)),
    "rsqrt": unary("rsqrt"),
    "scaled_dot_product_attention": attention,
    "select_scatter": put_place,
    "select": viewed(lambda x, axis, place: x.take(place, axis)),
    "sigmoid": unary("sigmoid"),
    "sign": unary("sign"),
    "silu": unary("silu"),
    "sinh": unary("sinh"),
    "slice_scatter": put_slice,
    "slice": viewed(slice_axis),
    "softplus": softplus,
    "split": split,
    "split_with_sizes": split,
    "sqrt": unary("sqrt"),
    "squeeze": viewed(squeezed),
    "stack": lambda lowered, parts, axis=0: joined(
        lowered,
        [lowered.operations.results.lift(constant(part)).view(lambda x: np.expand_dims(x, axis)) for part in parts],
        axis,
    ),
    "sub": subtract,
    "sum": reduced(lambda lowered, x, axes: lowered.operations.sum(x, axes)),
    "t": viewed(lambda x: x.T),
    "tanh": unary("tanh"),
    "transpose": viewed(transposed),
    "tril": triangle(np.tril),
    "triu": triangle(np.triu),
    "unbind": lambda lowered, x, axis=0: [
        x.view(lambda entries, place=place: entries.take(place, axis)) for place in range(x.shape[axis])
    ],
    "unfold": viewed(
        lambda x, axis, size, step: np.lib.stride_tricks.sliding_window_view(x, size, axis)[
            (slice(None),) * (axis % x.ndim) + (slice(None, None, step),)
        ]
    ),
    "unsqueeze": viewed(lambda x, axis: np.expand_dims(x, axis)),
    "var": variance,
    "var_mean": variance_and_mean,
    "view": viewed(lambda x, shape: x.reshape(shape)),
    "where": where,
    "zeros_like": filled_like,
}
"""How each operation is written, by its name."""
