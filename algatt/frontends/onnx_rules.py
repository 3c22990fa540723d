"""Rules for the operations of ONNX: how their operands and attributes are read."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.frontends import axes, functions, products
from algatt.frontends.arrays import Array, shape_of
from algatt.frontends.operations import Operations
from algatt.frontends.table import ONNX, Rule, reductions_of, rules_of

EPSILON, SLOPE, FIFTH = (float(np.float32(number)) for number in (1e-5, 0.01, 0.2))
"""Numbers that attributes have unless given, in single precision as all attributes."""

SELU = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
"""Numbers of the scaled exponential linear unit."""


def reduced(name: str) -> Rule:
    """Return the rule of a function along axes."""

    def rule(
        operations: Operations,
        x: Array,
        given: Any = None,
        *,
        keepdims: int = 1,
        noop_with_empty_axes: int = 0,
        **old: Any,
    ) -> Array:
        given = old.get("axes") if given is None else given
        if noop_with_empty_axes and (given is None or np.size(given) == 0):
            return x
        return axes.reduce(operations, x, name, given, keep=bool(keepdims))

    return rule


def gemm(
    operations: Operations, x: Any, y: Any, total: Any = None, *, transA: int = 0, transB: int = 0, **factors: float
) -> Array:
    x, y = operations.results.lift(x), operations.results.lift(y)
    x, y = x.transpose((1, 0)) if transA else x, y.transpose((1, 0)) if transB else y
    return products.matmul_and_add(operations, x, y, total, **factors)


def layer_norm(
    operations: Operations,
    x: Array,
    gain: Any = None,
    bias: Any = None,
    *,
    axis: int = -1,
    epsilon: float = EPSILON,
    **_: Any,
) -> Array:
    return axes.layer_norm(operations, x, axis, epsilon, gain, bias)


def rms_norm(
    operations: Operations, x: Array, gain: Any = None, *, axis: int = -1, epsilon: float = EPSILON, **_: Any
) -> Array:
    return axes.rms_norm(operations, x, axis, epsilon, gain)


def group_norm(
    operations: Operations, x: Array, gain: Any, bias: Any, *, num_groups: int = 0, epsilon: float = EPSILON, **_: Any
) -> Array:
    groups = num_groups or x.shape[1]
    if shape_of(gain) != (x.shape[1],):  # one for each group, before opset 21
        lift, size = operations.results.lift, x.shape[1] // groups
        gain, bias = (lift(one).view(lambda entries: np.repeat(entries, size)) for one in (gain, bias))
    return axes.group_norm(operations, x, groups, epsilon, gain, bias)


def batch_norm(operations: Operations, x: Array, *weights: Any, epsilon: float = EPSILON, **_: Any) -> Array:
    return axes.batch_norm(operations, x, *weights, eps=epsilon)


def pads_of(count: int, options: Any) -> list[tuple[int, int]]:
    """Return how much is around each axis of an image."""
    if options.get("auto_pad", "NOTSET") not in ("NOTSET", "VALID"):
        raise InvalidArgument("it", f"with auto_pad={options['auto_pad']}", "with pads")
    pads = options.get("pads", [0] * (2 * count))
    return list(zip(pads[:count], pads[count:], strict=True))


def pool(name: str) -> Rule:
    """Return the rule of a function of windows."""

    def rule(operations: Operations, x: Array, *, kernel_shape: Any, count_include_pad: int = 0, **options: Any) -> Any:
        if options.get("ceil_mode"):
            raise InvalidArgument("it", "with windows that are cut", "of whole windows: ceil_mode=0")
        count = len(kernel_shape)
        return products.pool(
            operations,
            x,
            name,
            kernel_shape,
            stride=options.get("strides", [1] * count),
            padding=pads_of(count, options),
            dilation=options.get("dilations", [1] * count),
            counts_padding=bool(count_include_pad),
        )

    return rule


def convolution(operations: Operations, x: Array, kernel: Any, bias: Any = None, **options: Any) -> Array:
    count = x.ndim - 2
    return products.convolve(
        operations,
        x,
        kernel,
        bias,
        stride=options.get("strides", [1] * count),
        padding=pads_of(count, options),
        dilation=options.get("dilations", [1] * count),
        groups=options.get("group", 1),
    )


def padded(
    operations: Operations, x: Any, pads: Any, value: Any = None, given: Any = None, *, mode: str = "constant"
) -> Array:
    if mode != "constant":
        raise InvalidArgument("it", f"with the mode {mode}", "with constants")
    chosen = range(x.ndim) if given is None else [int(axis) % x.ndim for axis in np.ravel(given)]
    ends = [int(one) for one in np.ravel(pads)]
    widths = [(0, 0)] * x.ndim
    for place, axis in enumerate(chosen):
        widths[axis] = (ends[place], ends[place + len(chosen)])
    return axes.pad(operations, x, widths, 0 if value is None else float(np.ravel(value)[0]))


def folded(rule: Rule) -> Rule:
    """Return the rule of an operation on any number of arrays, two by two."""
    return lambda operations, *operands: functools.reduce(functools.partial(rule, operations), operands)


def triangle(operations: Operations, x: Any, diagonal: Any = 0, *, upper: int = 1) -> Array:
    return axes.triangle(operations, x, int(np.ravel(diagonal)[0]), upper=bool(upper))


def attention(
    operations: Operations,
    query: Any,
    key: Any,
    value: Any,
    mask: Any = None,
    *earlier: Any,
    q_num_heads: int = 0,
    kv_num_heads: int = 0,
    softcap: float = 0.0,
    **options: Any,
) -> Array:
    if softcap or any(one is not None for one in earlier):
        raise InvalidArgument("it", "with a cap, or with earlier keys and values", "without")
    heads = [q_num_heads, kv_num_heads, kv_num_heads]
    q, k, v = (products.apart(one, count) for one, count in zip((query, key, value), heads, strict=True))
    known = {name: options[name] for name in ("is_causal", "scale") if name in options}
    made = products.attend(operations, q, k, v, mask, **known)
    if len(shape_of(query)) == 4:
        return made
    return made.transpose((0, 2, 1, 3)).reshape(*shape_of(query)[:2], -1)


def elu(operations: Operations, x: Array, *, alpha: float = 1.0) -> Array:
    return operations.apply(functions.elu(alpha), x)


def selu(operations: Operations, x: Array, *, alpha: float = SELU[0], gamma: float = SELU[1]) -> Array:
    return operations.apply(functions.elu(alpha, gamma), x)


def leaky_relu(operations: Operations, x: Array, *, alpha: float = SLOPE) -> Array:
    return operations.apply(functions.leaky_relu(alpha), x)


def hard_sigmoid(operations: Operations, x: Array, *, alpha: float = FIFTH, beta: float = 0.5) -> Array:
    return functions.hard_sigmoid(operations, x, alpha=alpha, beta=beta)


def mean(operations: Operations, *operands: Any) -> Array:
    return operations.divide(folded(Operations.add)(operations, *operands), len(operands))


RULES: dict[str, Rule] = {
    **rules_of(ONNX),
    **reductions_of(ONNX, reduced),
    "Attention": attention,
    "AveragePool": pool("mean"),
    "BatchNormalization": batch_norm,
    "Concat": lambda operations, *parts, axis: axes.join(operations, parts, axis),
    "Conv": convolution,
    "Einsum": lambda operations, x, y, *, equation: products.einsum(operations, equation, x, y),
    "Elu": elu,
    "Gemm": gemm,
    "GlobalAveragePool": lambda operations, x: axes.reduce(operations, x, "mean", range(2, x.ndim), keep=True),
    "GroupNormalization": group_norm,
    "HardSigmoid": hard_sigmoid,
    "InstanceNormalization": group_norm,
    "LayerNormalization": layer_norm,
    "LeakyRelu": leaky_relu,
    "Max": folded(functions.maximum),
    "MaxPool": pool("largest"),
    "Mean": mean,
    "Min": folded(functions.minimum),
    "Pad": padded,
    "RMSNormalization": rms_norm,
    "Selu": selu,
    "Sum": folded(Operations.add),
    "Swish": functions.swish,
    "Trilu": triangle,
}
"""How each operation is written, by its name."""

CHOICES: dict[str, Callable[..., tuple[str, tuple[Any, ...]]]] = {
    "ArgMax": lambda x, *, axis=0, keepdims=1, **_: ("argmax", (x, axis, bool(keepdims))),
    "Equal": lambda x, y: ("eq", (x, y)),
    "GatherElements": lambda x, places, *, axis=0: ("gather", (x, axis, places)),
    "Greater": lambda x, y: ("gt", (x, y)),
    "GreaterOrEqual": lambda x, y: ("ge", (x, y)),
    "Less": lambda x, y: ("lt", (x, y)),
    "LessOrEqual": lambda x, y: ("le", (x, y)),
    "ScatterElements": lambda x, places, source, *, axis=0, **_: ("scatter", (x, axis, places, source)),
    "Softmax": lambda x, *, axis=-1: ("_softmax", (x, axis)),
    "TopK": lambda x, count, *, axis=-1, largest=1, **_: ("topk", (x, int(np.ravel(count)[0]), axis, bool(largest))),
    "Where": lambda condition, x, y: ("where", (condition, x, y)),
}
"""How operations that make or read places of largest entries are called in `places`, and their arguments there."""
