"""Rules for the operations of ONNX."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.frontends import functions
from algatt.frontends.arrays import Array, shape_of
from algatt.frontends.functions import FUNCTIONS
from algatt.frontends.lowered import Lowered

__all__ = ["RULES"]

Rule = Callable[..., Any]

EPSILON, SLOPE, FIFTH = (float(np.float32(number)) for number in (1e-5, 0.01, 0.2))
"""Numbers that attributes have unless given, in single precision as all attributes."""


def unary(name: str) -> Rule:
    """Return the rule of a function of one variable."""
    return lambda lowered, x, **options: lowered.operations.apply(FUNCTIONS[name], x)


def binary(name: str) -> Rule:
    """Return the rule of an operation on two arrays."""
    return lambda lowered, x, y, **options: getattr(lowered.operations, name)(x, y)


def axes_of(x: Any, axes: Any) -> list[int]:
    """Return the axes of an argument that may be missing."""
    given = range(x.ndim) if axes is None or np.size(axes) == 0 else np.ravel(axes).tolist()
    return [int(axis) % x.ndim for axis in given]


def reduced(method: Callable[[Lowered, Array, list[int]], Array]) -> Rule:
    """Return the rule of an operation on axes that go, or have length 1."""

    def rule(lowered: Lowered, x: Array, axes: Any = None, *, keepdims: int = 1, **options: Any) -> Array:
        if axes is None and options.get("noop_with_empty_axes"):
            return x
        chosen = axes_of(x, options.pop("axes", axes) if axes is None else axes)
        made = method(lowered, x, chosen)
        return made.reshape(*(1 if axis in chosen else size for axis, size in enumerate(x.shape))) if keepdims else made

    return rule


def sum_of(lowered: Lowered, x: Array, axes: list[int]) -> Array:
    return lowered.operations.sum(x, axes)


def mean_of(lowered: Lowered, x: Array, axes: list[int]) -> Array:
    return lowered.operations.mean(x, axes)


def largest_of(lowered: Lowered, x: Array, axes: list[int]) -> Array:
    for axis in sorted(axes, reverse=True):
        x = lowered.operations.maximum(x, axis)
    return x


def squares_of(lowered: Lowered, x: Array, axes: list[int]) -> Array:
    return lowered.operations.sum(lowered.operations.apply(FUNCTIONS["square"], x), axes)


def length_of(lowered: Lowered, x: Array, axes: list[int]) -> Array:
    return lowered.operations.apply(FUNCTIONS["sqrt"], squares_of(lowered, x, axes))


def log_sum_exp(lowered: Lowered, x: Array, axes: list[int]) -> Array:
    total = lowered.operations.sum(lowered.operations.exp(x), axes)
    return lowered.operations.apply(FUNCTIONS["log"], total)


def matmul(lowered: Lowered, x: Any, y: Any, **options: Any) -> Array:
    return functions.matmul(lowered.operations, x, y)


def gemm(
    lowered: Lowered,
    x: Any,
    y: Any,
    total: Any = None,
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    transA: int = 0,
    transB: int = 0,
) -> Array:
    operations, lift = lowered.operations, lowered.operations.results.lift
    x, y = lift(x), lift(y)
    made = functions.matmul(operations, x.transpose((1, 0)) if transA else x, y.transpose((1, 0)) if transB else y)
    made = operations.multiply(made, alpha)
    return made if total is None else operations.add(made, operations.multiply(lift(total), beta))


def einsum(lowered: Lowered, x: Any, y: Any, *, equation: str) -> Array:
    return functions.einsum(lowered.operations, equation, x, y)


def softmax(lowered: Lowered, x: Array, *, axis: int = -1) -> Array:
    return lowered.operations.softmax(x, axis)


def log_softmax(lowered: Lowered, x: Array, *, axis: int = -1) -> Array:
    return lowered.operations.subtract(x, reduced(log_sum_exp)(lowered, x, [axis]))


def layer_norm(
    lowered: Lowered,
    x: Array,
    gain: Any = None,
    bias: Any = None,
    *,
    axis: int = -1,
    epsilon: float = EPSILON,
    **_: Any,
) -> Array:
    operations, cut = lowered.operations, axis % x.ndim
    made = operations.layer_norm(x.reshape(*x.shape[:cut], -1), -1, epsilon).reshape(*x.shape)
    made = made if gain is None else operations.multiply(made, gain)
    return made if bias is None else operations.add(made, bias)


def rms_norm(
    lowered: Lowered, x: Array, gain: Any = None, *, axis: int = -1, epsilon: float = EPSILON, **_: Any
) -> Array:
    operations, axes = lowered.operations, list(range(axis % x.ndim, x.ndim))
    squares = reduced(mean_of)(lowered, operations.apply(FUNCTIONS["square"], x), axes)
    made = operations.divide(x, operations.apply(FUNCTIONS["sqrt"], operations.add(squares, epsilon)))
    return made if gain is None else operations.multiply(made, gain)


def along_channels(lowered: Lowered, value: Any, count: int) -> Any:
    return lowered.operations.results.lift(value).reshape(-1, *(1,) * (count - 2))


def group_norm(
    lowered: Lowered, x: Array, gain: Any, bias: Any, *, num_groups: int = 0, epsilon: float = EPSILON, **_: Any
) -> Array:
    operations = lowered.operations
    made = functions.group_norm(operations, x, num_groups or x.shape[1], epsilon)
    made = operations.multiply(made, along_channels(lowered, gain, x.ndim))
    return operations.add(made, along_channels(lowered, bias, x.ndim))


def batch_norm(
    lowered: Lowered, x: Array, gain: Any, bias: Any, mean: Any, variance: Any, *, epsilon: float = EPSILON, **_: Any
) -> Array:
    operations = lowered.operations
    gain, bias, mean, variance = (along_channels(lowered, one, x.ndim) for one in (gain, bias, mean, variance))
    spread = operations.apply(FUNCTIONS["rsqrt"], operations.add(variance, epsilon))
    return operations.add(operations.multiply(operations.multiply(operations.subtract(x, mean), spread), gain), bias)


def convolution(lowered: Lowered, x: Array, kernel: Any, bias: Any = None, **options: Any) -> Array:
    if options.get("auto_pad", "NOTSET") not in ("NOTSET", "VALID"):
        raise InvalidArgument("it", f"with auto_pad={options['auto_pad']}", "with pads")
    count = x.ndim - 2
    pads = options.get("pads", [0] * (2 * count))
    return functions.convolve(
        lowered.operations,
        x,
        lowered.operations.results.lift(kernel),
        bias,
        stride=options.get("strides", [1] * count),
        padding=list(zip(pads[:count], pads[count:], strict=True)),
        dilation=options.get("dilations", [1] * count),
        groups=options.get("group", 1),
    )


def padded(
    lowered: Lowered, x: Any, pads: Any, value: Any = None, axes: Any = None, *, mode: str = "constant"
) -> Array:
    if mode != "constant":
        raise InvalidArgument("it", f"with the mode {mode}", "with constants")
    chosen = axes_of(x, axes)
    ends = [int(one) for one in np.ravel(pads)]
    widths = [(0, 0)] * x.ndim
    for place, axis in enumerate(chosen):
        widths[axis] = (ends[place], ends[place + len(chosen)])
    return functions.pad(lowered.operations, x, widths, 0 if value is None else float(np.ravel(value)[0]))


def folded(method: Callable[[Any, Any, Any], Array]) -> Rule:
    """Return the rule of an operation on any number of arrays, two by two."""

    def rule(lowered: Lowered, *operands: Any) -> Any:
        found = operands[0]
        for one in operands[1:]:
            found = method(lowered.operations, found, one)
        return found

    return rule


def minimum(operations: Any, x: Any, y: Any) -> Array:
    return operations.subtract(x, operations.apply(FUNCTIONS["relu"], operations.difference(x, y)))


def clipped(lowered: Lowered, x: Array, low: Any = None, high: Any = None) -> Array:
    ends = (None if one is None else float(np.ravel(one)[0]) for one in (low, high))
    return functions.between(lowered.operations, x, *ends)


def triangle(lowered: Lowered, x: Any, diagonal: Any = 0, *, upper: int = 1) -> Array:
    keep = np.triu if upper else np.tril
    mask = keep(np.ones(x.shape[-2:], dtype=bool), int(np.ravel(diagonal)[0]))
    return lowered.operations.where(mask, x, 0.0)


def cumulative_sum(lowered: Lowered, x: Array, axis: Any, *, exclusive: int = 0, reverse: int = 0) -> Array:
    place = int(np.ravel(axis)[0]) % x.ndim
    ones = np.tri(x.shape[place], k=-1 if exclusive else 0)
    made = lowered.operations.contract(x, ones.T if reverse else ones, ((), (place,)), ((), (1,)))
    return made.view(lambda entries: np.moveaxis(entries, -1, place))


def compared(swapped: bool, negated: bool) -> Rule:
    """Return the rule of a comparison, whose entries are 0 and 1."""

    def rule(lowered: Lowered, x: Any, y: Any) -> Array:
        one, other = (y, x) if swapped else (x, y)
        found = lowered.operations.apply(FUNCTIONS["positive"], lowered.operations.difference(one, other))
        return lowered.operations.subtract(1, found) if negated else found

    return rule


def chosen(lowered: Lowered, condition: Any, x: Any, y: Any) -> Array:
    return lowered.operations.where(condition, x, y)


def gelu(lowered: Lowered, x: Array, *, approximate: str = "none") -> Array:
    return lowered.operations.apply(FUNCTIONS["gelu" if approximate == "none" else "gelu_tanh"], x)


def hard_sigmoid(lowered: Lowered, x: Array, *, alpha: float = FIFTH, beta: float = 0.5) -> Array:
    line = lowered.operations.add(lowered.operations.multiply(x, alpha), beta)
    return functions.between(lowered.operations, line, 0.0, 1.0)


def swish(lowered: Lowered, x: Array, *, alpha: float = 1.0) -> Array:
    gate = lowered.operations.apply(FUNCTIONS["sigmoid"], lowered.operations.multiply(x, alpha))
    return lowered.operations.multiply(x, gate)


def attention(
    lowered: Lowered,
    query: Any,
    key: Any,
    value: Any,
    mask: Any = None,
    *others: Any,
    is_causal: int = 0,
    scale: float | None = None,
    q_num_heads: int = 0,
    kv_num_heads: int = 0,
    softcap: float = 0.0,
    **options: Any,
) -> Array:
    if softcap or any(one is not None for one in others):
        raise InvalidArgument("it", "with a cap, or with earlier keys and values", "without")
    heads = [q_num_heads, kv_num_heads, kv_num_heads]
    parts = [functions.apart(one, count) for one, count in zip((query, key, value), heads, strict=True)]
    made = functions.attend(lowered.operations, *parts, mask=mask, causal=bool(is_causal), scale=scale)
    if len(shape_of(query)) == 4:
        return made
    return made.transpose((0, 2, 1, 3)).reshape(*shape_of(query)[:2], -1)


def averaged(lowered: Lowered, x: Array, **options: Any) -> Array:
    return reduced(mean_of)(lowered, x, list(range(2, x.ndim)))


def nowhere(lowered: Lowered, x: Array, **options: Any) -> np.ndarray:
    """Results are numbers: exporters ask for others behind a softmax, which is never without a score that is shown."""
    lowered.operations.refuse_hidden(x, "asked for")
    return np.zeros(x.shape, dtype=bool)


def joined(lowered: Lowered, *parts: Any, axis: int) -> Array:
    return functions.join(lowered.operations, parts, axis)


def elu(scale: float, alpha: float) -> Rule:
    """Return the rule of an exponential linear unit with a scale."""

    def rule(lowered: Lowered, x: Array, **options: Any) -> Array:
        function = functions.elu(options.get("alpha", alpha), options.get("gamma", scale))
        return lowered.operations.apply(function, x)

    return rule


def leaky(lowered: Lowered, x: Array, *, alpha: float = SLOPE) -> Array:
    return lowered.operations.apply(functions.leaky_relu(alpha), x)


def mean(lowered: Lowered, *operands: Any) -> Array:
    total: Sequence[Any] = operands
    return lowered.operations.divide(folded(lambda o, x, y: o.add(x, y))(lowered, *total), len(total))


SELU = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717

RULES: dict[str, Rule] = {
    "Abs": unary("abs"),
    "Add": binary("add"),
    "And": binary("multiply"),
    "Attention": attention,
    "BatchNormalization": batch_norm,
    "Clip": clipped,
    "Concat": joined,
    "Conv": convolution,
    "Cosh": unary("cosh"),
    "CumSum": cumulative_sum,
    "Div": binary("divide"),
    "Einsum": einsum,
    "Elu": elu(1.0, 1.0),
    "Erf": unary("erf"),
    "Exp": lambda lowered, x: lowered.operations.exp(x),
    "Gelu": gelu,
    "Gemm": gemm,
    "GlobalAveragePool": averaged,
    "Greater": compared(False, False),
    "GreaterOrEqual": compared(True, True),
    "GroupNormalization": group_norm,
    "HardSigmoid": hard_sigmoid,
    "HardSwish": unary("hard_swish"),
    "InstanceNormalization": group_norm,
    "IsInf": nowhere,
    "IsNaN": nowhere,
    "LayerNormalization": layer_norm,
    "LeakyRelu": leaky,
    "Less": compared(True, False),
    "LessOrEqual": compared(False, True),
    "Log": unary("log"),
    "LogSoftmax": log_softmax,
    "MatMul": matmul,
    "Max": folded(functions.maximum),
    "Mean": mean,
    "Min": folded(minimum),
    "Mish": unary("mish"),
    "Mul": binary("multiply"),
    "Neg": unary("neg"),
    "Not": lambda lowered, x: lowered.operations.subtract(1, x),
    "Pad": padded,
    "Pow": lambda lowered, x, y: functions.power(lowered.operations, x, y),
    "RMSNormalization": rms_norm,
    "Reciprocal": lambda lowered, x: lowered.operations.divide(1, x),
    "ReduceL2": reduced(length_of),
    "ReduceLogSumExp": reduced(log_sum_exp),
    "ReduceMax": reduced(largest_of),
    "ReduceMean": reduced(mean_of),
    "ReduceSum": reduced(sum_of),
    "ReduceSumSquare": reduced(squares_of),
    "Relu": unary("relu"),
    "Selu": elu(*SELU),
    "Sigmoid": unary("sigmoid"),
    "Sign": unary("sign"),
    "Sinh": unary("sinh"),
    "Softmax": softmax,
    "Softplus": unary("softplus"),
    "Softsign": unary("softsign"),
    "Sqrt": unary("sqrt"),
    "Sub": binary("subtract"),
    "Sum": folded(lambda operations, x, y: operations.add(x, y)),
    "Swish": swish,
    "Tanh": unary("tanh"),
    "Trilu": triangle,
    "Where": chosen,
}
"""How each operation is written, by its name."""
