"""The table of operations: what each is called in each library, and its rule.

A rule takes the operations of arrays and the operands. Here are those whose operands stand in the same order in all
libraries; the others have readers of their arguments in `torch_rules`, `jax_rules` and `onnx_rules`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from algatt.frontends import axes, functions, products
from algatt.frontends.arrays import Array
from algatt.frontends.functions import FUNCTIONS
from algatt.frontends.operations import Operations

Rule = Callable[..., Any]
"""A function of `Operations`, operands and options."""

TORCH, JAX, ONNX = range(3)
"""Columns of the table."""

Names = tuple[str, str, str]
"""Names of an operation in torch, JAX and ONNX, with spaces between."""

OF_ONE_VARIABLE: dict[str, Names] = {
    "abs": ("abs", "abs", "Abs"),
    "cosh": ("cosh", "cosh", "Cosh"),
    "erf": ("erf", "erf", "Erf"),
    "exp2": ("exp2", "exp2", ""),
    "expm1": ("expm1", "expm1", ""),
    "hard_sigmoid": ("hardsigmoid", "", ""),
    "hard_swish": ("hardswish", "", "HardSwish"),
    "log": ("log", "log", "Log"),
    "log1p": ("log1p", "log1p", ""),
    "log_sigmoid": ("log_sigmoid", "", ""),
    "mish": ("mish", "", "Mish"),
    "neg": ("neg", "neg", "Neg"),
    "relu": ("relu", "", "Relu"),
    "rsqrt": ("rsqrt", "rsqrt", ""),
    "sigmoid": ("sigmoid", "logistic", "Sigmoid"),
    "sign": ("sign", "sign", "Sign"),
    "silu": ("silu", "", ""),
    "sinh": ("sinh", "sinh", "Sinh"),
    "softsign": ("", "", "Softsign"),
    "sqrt": ("sqrt", "sqrt", "Sqrt"),
    "square": ("", "square", ""),
    "tanh": ("tanh", "tanh", "Tanh"),
}
"""Functions of one variable."""

REDUCTIONS: dict[str, Names] = {
    "largest": ("amax", "reduce_max", "ReduceMax"),
    "length": ("", "", "ReduceL2"),
    "log_sum_exp": ("logsumexp", "", "ReduceLogSumExp"),
    "mean": ("mean", "", "ReduceMean"),
    "product": ("prod", "reduce_prod", "ReduceProd"),
    "smallest": ("amin", "reduce_min", "ReduceMin"),
    "squares": ("", "", "ReduceSumSquare"),
    "sum": ("sum", "reduce_sum", "ReduceSum"),
}
"""Functions along axes."""

COMPARISONS: dict[tuple[bool, bool], Names] = {
    (False, False): ("gt", "gt", "Greater"),
    (True, False): ("lt", "lt", "Less"),
    (True, True): ("ge", "ge", "GreaterOrEqual"),
    (False, True): ("le", "le", "LessOrEqual"),
}
"""Comparisons, by whether operands are exchanged and whether the result is negated."""

OTHERS: tuple[tuple[Rule, Names], ...] = (
    (functions.add, ("add", "add add_any", "Add")),
    (functions.subtract, ("sub", "sub", "Sub")),
    (Operations.multiply, ("mul", "mul", "Mul")),
    (functions.divide, ("div", "div", "Div")),
    (lambda operations, x: operations.divide(1, x), ("reciprocal", "", "Reciprocal")),
    (Operations.exp, ("exp", "exp", "Exp")),
    (functions.power, ("pow", "pow", "Pow")),
    (functions.maximum, ("maximum", "max", "")),
    (functions.minimum, ("minimum", "min", "")),
    (functions.between, ("clamp", "", "Clip")),
    (functions.both, ("logical_and bitwise_and", "and", "And")),
    (functions.negate, ("logical_not bitwise_not", "not", "Not")),
    (functions.never, ("isnan isinf", "", "IsNaN IsInf")),
    (Operations.where, ("where", "", "Where")),
    (functions.gelu, ("gelu", "", "Gelu")),
    (functions.softplus, ("softplus", "", "Softplus")),
    (products.matmul, ("mm bmm mv", "", "MatMul")),
    (axes.softmax, ("_softmax _safe_softmax", "", "Softmax")),
    (axes.log_softmax, ("_log_softmax", "", "LogSoftmax")),
    (axes.cumulative_product, ("cumprod", "", "")),
    (axes.cumulative_sum, ("cumsum", "", "CumSum")),
)
"""Operations on several arrays."""


def rules_of(library: int) -> dict[str, Rule]:
    """Return the rules of the table by their names in a library."""
    rows: list[tuple[Rule, Names]] = [*OTHERS]
    rows += [(functools.partial(apply, FUNCTIONS[name]), names) for name, names in OF_ONE_VARIABLE.items()]
    for (swapped, negated), names in COMPARISONS.items():
        rows.append((functools.partial(functions.compare, swapped=swapped, negated=negated), names))
    return {name: rule for rule, names in rows for name in names[library].split()}


def apply(function: Callable[[Any], Any], operations: Operations, x: Array) -> Array:
    """Return a function of one variable of all entries."""
    return operations.apply(function, x)


def reductions_of(library: int, read: Callable[[str], Rule]) -> dict[str, Rule]:
    """Return the rules of functions along axes, whose arguments are read by the rule that a library makes of a name."""
    return {name: read(one) for one, names in REDUCTIONS.items() for name in names[library].split()}
