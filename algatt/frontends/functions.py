"""Functions of one variable, and operations entry by entry, for all front ends."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import GuardWarning, InvalidArgument
from algatt.fields import Elements, Erf, Log, Positive, Sigmoid
from algatt.frontends.arrays import Array
from algatt.frontends.operations import Operations
from algatt.layers import GELU, ReLU, SiLU, Softplus, TanhGELU
from algatt.layers.activations import tanh

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
    "sign": lambda x: x.entrywise(Positive()) - (-x).entrywise(Positive()),
    "silu": lambda x: verbs.activate(SiLU(), x),
    "sinh": lambda x: (x.exp() - (-x).exp()) * Fraction(1, 2),
    "softplus": lambda x: verbs.activate(Softplus(), x),
    "softsign": lambda x: x / (FUNCTIONS["abs"](x) + 1),
    "sqrt": lambda x: x.sqrt(),
    "square": lambda x: x * x,
    "tanh": tanh,
}
"""Functions of one variable by their usual names."""


GUARD = 1e-8
"""Maximum number that is read as a guard: a least length, so that nothing is divided by zero."""


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


def scaled(operations: Operations, x: Any, factor: Any) -> Any:
    """Return a multiple of an array or of a constant."""
    return operations.multiply(x, factor) if isinstance(x, Array) else np.asarray(x) * factor


def add(operations: Operations, x: Any, y: Any, *, alpha: Any = 1) -> Array:
    """Return the sum of an array and a multiple of another one."""
    if all(truth_of(one) for one in (x, y)):
        raise InvalidArgument("it", "on two arrays of truth values", "on numbers, or with a logical operation")
    return operations.add(x, y if alpha == 1 else scaled(operations, y, alpha))


def subtract(operations: Operations, x: Any, y: Any, *, alpha: Any = 1) -> Array:
    """Return an array less a multiple of another one."""
    return operations.subtract(x, y if alpha == 1 else scaled(operations, y, alpha))


def divide(operations: Operations, x: Any, y: Any, *, rounding_mode: str | None = None) -> Array:
    """Return a quotient, which has to stay as it is."""
    if rounding_mode is not None:
        raise InvalidArgument("it", "rounded", "not rounded")
    return operations.divide(x, y)


def maximum(operations: Operations, left: Any, right: Any) -> Array:
    """Return the larger entries of two arrays."""
    for one, other in ((left, right), (right, left)):
        if isinstance(other, Array) and is_guard(operations, one, other):
            message = f"lengths are read as they are, and not as at least {np.max(np.asarray(one)):g}"
            warnings.warn(message, GuardWarning, stacklevel=2)
            return other.spread(np.broadcast_shapes(np.shape(one), other.shape))
        if isinstance(other, Array) and not isinstance(one, Array) and (np.asarray(one) == -math.inf).all():
            return other.spread(np.broadcast_shapes(np.shape(one), other.shape))
    difference = operations.apply(rectified, operations.difference(left, right))
    return operations.add(difference, right)


def is_guard(operations: Operations, least: Any, x: Array) -> bool:
    """Return whether numbers are small, and do no more to lengths, which are roots, than to keep them from zero."""
    if isinstance(least, Array) or not (np.asarray(least) <= GUARD).all():
        return False
    return all(operations.results.operation_of(one) == "sqrt" for one in np.unique(x.entries))


def minimum(operations: Operations, left: Any, right: Any) -> Array:
    """Return the smaller entries of two arrays."""
    return operations.subtract(left, operations.apply(rectified, operations.difference(left, right)))


def between(operations: Operations, x: Array, low: Any = None, high: Any = None) -> Array:
    """Return an array whose entries are cut to those between two numbers."""
    if low is not None:
        x = maximum(operations, x, low)
    if high is not None and not np.all(np.asarray(high) == math.inf):
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


def softplus(operations: Operations, x: Array, beta: float = 1, threshold: float = 20) -> Array:
    """Return log(1 + exp(beta x)) / beta."""
    return operations.divide(operations.apply(FUNCTIONS["softplus"], operations.multiply(x, beta)), beta)


def gelu(operations: Operations, x: Array, *, approximate: str = "none") -> Array:
    """Return x times the distribution function of the normal distribution, or its approximation by tanh."""
    return operations.apply(FUNCTIONS["gelu" if approximate == "none" else "gelu_tanh"], x)


def swish(operations: Operations, x: Array, *, alpha: float = 1.0) -> Array:
    """Return x times the sigmoid function of a multiple of x."""
    return operations.multiply(x, operations.apply(FUNCTIONS["sigmoid"], operations.multiply(x, alpha)))


def hard_sigmoid(operations: Operations, x: Array, *, alpha: float, beta: float) -> Array:
    """Return alpha x + beta, cut to the numbers between 0 and 1."""
    return operations.apply(cut, operations.add(operations.multiply(x, alpha), beta))


def truth_of(value: Any) -> bool:
    """Return whether an array, or a constant, is one of truth values."""
    return value.truth if isinstance(value, Array) else np.asarray(value).dtype == bool


def truths(value: Any) -> Any:
    """Return an array of truth values; others are refused, as no rule says which of their entries are 0."""
    if not truth_of(value):
        raise InvalidArgument("it", "with numbers in the place of truth values", "with comparisons")
    return value


def convert(value: Any, to_integers: bool) -> Any:
    """Return an array in another type; of numbers it cannot be one of integers or truth values."""
    return truths(value) if to_integers and isinstance(value, Array) else value


def compare(operations: Operations, x: Any, y: Any, *, swapped: bool, negated: bool) -> Array:
    """Return whether x > y, entry by entry, or y > x, or the negation of these."""
    one, other = (y, x) if swapped else (x, y)
    found = operations.apply(FUNCTIONS["positive"], operations.difference(one, other))
    return Array((operations.subtract(1, found) if negated else found).entries, truth=True)


def both(operations: Operations, x: Any, y: Any) -> Array:
    """Return where both of two truth values hold."""
    return Array(operations.multiply(truths(x), truths(y)).entries, truth=True)


def negate(operations: Operations, x: Array) -> Array:
    """Return where a truth value does not hold."""
    return Array(operations.subtract(1, truths(x)).entries, truth=True)


def never(operations: Operations, x: Array, **options: Any) -> np.ndarray:
    """Return that no entry is infinite or undefined: what is hidden may only be read by a softmax."""
    operations.refuse_hidden(x, "asked for")
    return np.zeros(x.shape, dtype=bool)
