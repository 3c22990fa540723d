"""Expressions of a plan: a network with names of sizes in it, or a condition on sizes. Nothing else is evaluated."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from algatt import architectures, layers
from algatt.errors import AlgattError, InvalidArgument

LONGEST = 10_000
"""An expression has so many characters at most."""

MOST_TIMES = 1000
"""A stack has so many blocks at most, and a power such an exponent."""

MOST_BITS = 256
"""Maximum number of bits of a product or a power of integers."""

FUNCTIONS: dict[str, Any] = {"min": min, "max": max, "sum": sum, "len": len}

NOUNS: dict[str, Any] = {
    **{name: getattr(layers, name) for name in vars(layers)["__all__"] if isinstance(getattr(layers, name), type)},
    **{name: getattr(architectures, name) for name in ("Lightning", "Network", "Normalized", "Softmax")},
}

OPERATORS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.RShift: operator.rshift,
}

COMPARISONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}

HAS = "numbers, names of sizes, nouns of algatt with arguments, tuples, + - * // % ** >>, comparisons, and, or, not"
"""What stands in an expression."""


@dataclass(frozen=True)
class Expression:
    """A text of Python of which only networks and numbers are evaluated: no attributes, no imports, no other calls.

    Parameters
    ----------
    text : str
        The text.
    argument : str
        What it is called in errors.

    Raises
    ------
    InvalidArgument
        If it is no expression, or has something else in it.

    Examples
    --------
    >>> from algatt.sweeps import Expression
    >>> Expression("Lightning((d, d + 1), (a,), 3)", "network").value({"d": 2, "a": 1})
    Lightning(dims=(2, 3), ranks=(1,), tokens=3)
    >>> sorted(Expression("a <= min(d, e)", "where").names)
    ['a', 'd', 'e']
    """

    text: str
    argument: str = field(compare=False)

    def __post_init__(self) -> None:
        check(self.tree, self.argument)

    @cached_property
    def tree(self) -> ast.expr:
        """The text as Python's parser sees it."""
        if not isinstance(self.text, str) or len(self.text) > LONGEST:
            raise InvalidArgument(self.argument, repr(self.text), f"an expression of at most {LONGEST} characters")
        try:
            return ast.parse(self.text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            was = f"{self.text!r}, which cannot be read ({str(error).splitlines()[0]})"
            raise InvalidArgument(self.argument, was, "an expression") from None

    @cached_property
    def names(self) -> frozenset[str]:
        """The names in it that are no nouns and no functions: those of sizes."""
        found = {node.id for node in ast.walk(self.tree) if isinstance(node, ast.Name)}
        return frozenset(found - NOUNS.keys() - FUNCTIONS.keys())

    def value(self, sizes: Mapping[str, int]) -> Any:
        """Return its value for sizes.

        Raises
        ------
        InvalidArgument
            If a name has no size, a noun refuses its arguments, or a sum is one of things that have none.
        """
        try:
            return value_of(self.tree, {**NOUNS, **FUNCTIONS, **sizes})
        except AlgattError:
            raise
        except KeyError as error:
            raise InvalidArgument(self.argument, f"{self.text!r}, with {error}", "of names that have sizes") from None
        except (TypeError, ValueError, ArithmeticError, RecursionError) as error:
            given = ", ".join(f"{name} = {size}" for name, size in sizes.items())
            was = f"{self.text!r} at {given or 'no sizes'}, which has no value ({error})"
            raise InvalidArgument(self.argument, was, "an expression with a value") from None


def check(node: ast.expr, argument: str) -> None:
    """Raise an error unless all parts of an expression are of those that are evaluated."""
    for part in ast.walk(node):
        if isinstance(part, ast.Constant):
            good = part.value is None or isinstance(part.value, bool | int | float | str)
        elif isinstance(part, ast.BinOp):
            good = type(part.op) in OPERATORS
        elif isinstance(part, ast.UnaryOp):
            good = isinstance(part.op, ast.USub | ast.Not)
        elif isinstance(part, ast.Compare):
            good = all(type(one) in COMPARISONS for one in part.ops)
        elif isinstance(part, ast.Call):
            good = isinstance(part.func, ast.Name) and (part.func.id in NOUNS or part.func.id in FUNCTIONS)
            good = good and all(keyword.arg is not None for keyword in part.keywords)
        else:
            leaves = (ast.Name, ast.Tuple, ast.List, ast.BoolOp, ast.keyword, ast.expr_context)
            good = isinstance(part, (*leaves, ast.operator, ast.cmpop, ast.boolop, ast.unaryop))
        if not good:
            raise InvalidArgument(argument, f"with {ast.unparse(part)!r} in it", f"made of {HAS}")


def value_of(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """Return the value of a part of an expression."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.Tuple | ast.List):
        return tuple(value_of(part, names) for part in node.elts)
    if isinstance(node, ast.UnaryOp):
        value = value_of(node.operand, names)
        return -value if isinstance(node.op, ast.USub) else not value
    if isinstance(node, ast.BoolOp):
        wanted = isinstance(node.op, ast.Or)
        return next((wanted for part in node.values if bool(value_of(part, names)) == wanted), not wanted)
    if isinstance(node, ast.BinOp):
        return combine(type(node.op), value_of(node.left, names), value_of(node.right, names))
    if isinstance(node, ast.Compare):
        values = [value_of(part, names) for part in (node.left, *node.comparators)]
        compared = zip(node.ops, values, values[1:], strict=False)
        return all(COMPARISONS[type(one)](left, right) for one, left, right in compared)
    if not isinstance(node, ast.Call):
        raise TypeError(f"{ast.unparse(node)} has no value")  # `check` lets nothing else through
    function = value_of(node.func, names)
    options = {str(keyword.arg): value_of(keyword.value, names) for keyword in node.keywords}
    return function(*(value_of(part, names) for part in node.args), **options)


def combine(kind: type, left: Any, right: Any) -> Any:
    """Return what an operator makes of two values; a plan is no place for numbers of a million digits, nor for tuples
    that fill memory.
    """
    sides = (right,) if kind is ast.Pow else (left, right) if kind is ast.Mult else ()
    if isinstance(left, str) or isinstance(right, str):
        raise TypeError("texts are not combined")  # a format of a text may be as long as memory
    networks = kind is ast.Pow or not all(isinstance(side, int | float) for side in (left, right))
    if networks and any(isinstance(side, int) and abs(side) > MOST_TIMES for side in sides):
        raise ValueError(f"more than {MOST_TIMES} times")
    if isinstance(left, int) and isinstance(right, int):
        bits = 0
        if kind is ast.Pow and left:
            bits = (abs(left) - 1).bit_length() * right
        elif kind is ast.Mult:
            bits = left.bit_length() + right.bit_length()
        if bits > MOST_BITS:
            raise ValueError(f"an integer of more than {MOST_BITS} bits")
    if kind is ast.Mult:
        for some, count in ((left, right), (right, left)):
            if isinstance(some, tuple) and isinstance(count, int) and len(some) * count > MOST_TIMES:
                raise ValueError(f"a tuple of more than {MOST_TIMES} entries")
    return OPERATORS[kind](left, right)
