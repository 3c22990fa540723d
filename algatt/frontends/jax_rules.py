"""Rules for the operations of JAX: how their operands and parameters are read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.frontends import axes, functions, products
from algatt.frontends.arrays import Array
from algatt.frontends.operations import Operations
from algatt.frontends.table import JAX, Rule, reductions_of, rules_of

MOVES = (
    "broadcast_in_dim",
    "copy",
    "copy_p",
    "dynamic_slice",
    "expand_dims",
    "gather",
    "reshape",
    "rev",
    "slice",
    "split",
    "squeeze",
    "transpose",
)
"""Operations that move entries."""


def entrywise(rule: Rule) -> Rule:
    """Return the rule of an operation whose parameters are about types and accuracy."""
    return lambda operations, *operands, **options: rule(operations, *operands)


def dot_general(operations: Operations, x: Any, y: Any, *, dimension_numbers: Any, **options: Any) -> Array:
    ((one, two), (first, second)) = dimension_numbers
    return operations.contract(x, y, (first, one), (second, two))


def reduced(name: str) -> Rule:
    """Return the rule of a function along axes."""
    return lambda operations, x, **given: axes.reduce(operations, x, name, given["axes"]) if given["axes"] else x


def padded(operations: Operations, x: Any, value: Any, *, padding_config: Any) -> Array:
    if any(inner for _, _, inner in padding_config):
        raise InvalidArgument("it", "between entries", "around arrays")
    return axes.pad(operations, x, [sides[:2] for sides in padding_config], float(value))


def convolution(operations: Operations, x: Array, kernel: Any, **options: Any) -> Array:
    numbers, lift = options["dimension_numbers"], operations.results.lift
    if options["batch_group_count"] != 1 or any(one != 1 for one in options["lhs_dilation"]):
        raise InvalidArgument("it", "transposed, or with groups of batches", "a plain convolution")
    made = products.convolve(
        operations,
        lift(x).transpose(numbers.lhs_spec),
        lift(kernel).transpose(numbers.rhs_spec),
        stride=options["window_strides"],
        padding=options["padding"],
        dilation=options["rhs_dilation"],
        groups=options["feature_group_count"],
    )
    return made.transpose([int(place) for place in np.argsort(numbers.out_spec)])


def chosen(operations: Operations, which: Any, *cases: Any) -> Array:
    if len(cases) != 2:
        raise InvalidArgument("it", f"between {len(cases)} arrays", "between two")
    return operations.where(which if isinstance(which, Array) else which.astype(bool), cases[1], cases[0])


def converted(operations: Operations, x: Array, *, new_dtype: Any, **options: Any) -> Array:
    kind = np.dtype(new_dtype).kind
    if kind == "c":
        raise InvalidArgument("it", "to complex numbers", "of real numbers: write real and imaginary parts")
    return functions.convert(x, kind in "biu")


RULES: dict[str, Rule] = {
    **{name: entrywise(rule) for name, rule in rules_of(JAX).items()},
    **reductions_of(JAX, reduced),
    "clamp": lambda operations, low, x, high: functions.between(operations, x, low, high),
    "concatenate": lambda operations, *parts, dimension: axes.join(operations, parts, dimension),
    "conv_general_dilated": convolution,
    "convert_element_type": converted,
    "cumsum": axes.cumulative_sum,
    "dot_general": dot_general,
    "erfc": lambda operations, x: operations.subtract(1, operations.apply(functions.FUNCTIONS["erf"], x)),
    "integer_pow": lambda operations, x, *, y: functions.power(operations, x, y),
    "is_finite": lambda operations, x: ~functions.never(operations, x),
    "pad": padded,
    "reduce_precision": lambda operations, x, **options: x,
    "select_n": chosen,
    "stop_gradient": lambda operations, x, **options: x,
}
"""How each operation is written, by its name."""

CHOICES: dict[str, Callable[..., tuple[str, tuple[Any, ...]]]] = {
    **{
        name: lambda x, y, name=name, **_: (name, (x, y))
        for name in ("div", "eq", "ge", "gt", "le", "lt", "mul", "ne", "sub")
    },
    "argmax": lambda x, *, axes, **_: ("argmax", (x, axes[0])),
    "exp": lambda x, **_: ("exp", (x,)),
    "reduce_max": lambda x, *, axes, **_: ("amax", (x, axes)),
    "select_n": lambda which, x, y: ("where", (which, y, x)),
    "top_k": lambda x, *, k, axis=-1, **_: ("topk", (x, k, axis)),
}
"""How operations that make or read places of largest entries are called in `places`, and their arguments there."""
