"""Which entries of results are the same functions of the weights, for several sequences of tokens: by the code alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from algatt.errors import ConditionFailed
from algatt.fields import Erf, Exp, Instruction, Sigmoid
from algatt.maps.elementary.reading import Reading

__all__ = ["Draw", "Node", "Numbering", "number_entries"]

ZERO, ONE = 0, 1
"""The numbers of these constants."""

PAIR = 2**31
"""There are fewer functions, so that two numbers fit into one."""

Draw = tuple[str, Any, int]
"""What has a residue of its own: an entry of a tensor, by the tensor's name and its position; an exponential, by the
factor of its exponent and the number of that; or an error function, by the number of its argument.
"""


@dataclass(frozen=True)
class Node:
    """A function of the weights: an entry of a result.

    Parameters
    ----------
    kind : str
        The operation that makes it of others, in the language of programs; ``sum``, or ``multiply`` of two numbers.
    parameter : object
        What else the operation takes.
    children : tuple of int
        The numbers of what it is made of.
    """

    kind: str
    parameter: Any
    children: tuple[int, ...]


class Numbering:
    """Functions of the weights, numbered in the order in which they are met; equal ones by the code have one number.

    Sums and products know that they are commutative, and what zero and one do. So a token that sees the same tokens in
    another order, or none of those that differ, has the same entries.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.numbers: dict[Node, int] = {}
        self.constant(Fraction(0))
        self.constant(Fraction(1))

    def number(self, kind: str, parameter: Any, children: Iterable[int]) -> int:
        """Return the number of a function."""
        node = Node(kind, parameter, tuple(children))
        found = self.numbers.setdefault(node, len(self.nodes))
        if found == len(self.nodes):
            self.nodes.append(node)
        return found

    def constant(self, value: Fraction) -> int:
        """Return the number of a constant."""
        return self.number("constant", value, ())

    def value(self, number: int) -> Fraction | None:
        """Return the value of a constant, None of other functions."""
        node = self.nodes[number]
        return node.parameter if node.kind == "constant" else None

    def sum_of(self, terms: Iterable[int]) -> int:
        """Return a sum of functions, which are given in order."""
        parts = [term for term in terms if term != ZERO]
        if len(parts) < 2:
            return parts[0] if parts else ZERO
        values = [self.value(part) for part in parts]
        known = [value for value in values if value is not None]
        return self.constant(sum(known, Fraction(0))) if len(known) == len(parts) else self.number("sum", None, parts)

    def product_of(self, left: int, right: int) -> int:
        """Return a product of two functions, of which the left one has the smaller number."""
        if left == ZERO:
            return ZERO
        if left == ONE:
            return right
        one, two = self.value(left), self.value(right)
        if one is not None and two is not None:
            return self.constant(one * two)
        return self.number("multiply", None, (left, right))

    def of_one(self, kind: str, parameter: Any, child: int) -> int:
        """Return a function of one other; that of a constant is one if it is rational."""
        value = self.value(child)
        if value is not None and kind == "negate":
            return self.constant(-value)
        if value is not None and kind == "reciprocal" and value:
            return self.constant(1 / value)
        if child == ZERO and kind in ("exp", "erf"):
            return ONE if kind == "exp" else ZERO
        return self.number(kind, parameter, (child,))

    def each(self, kind: str, parameter: Any, numbers: np.ndarray) -> np.ndarray:
        """Return a function of each entry."""
        different, where = np.unique(numbers, return_inverse=True)
        found = np.array([self.of_one(kind, parameter, int(one)) for one in different], dtype=np.int64)
        return found[where].reshape(numbers.shape)

    def products(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Return the products of entries."""
        pairs = np.minimum(left, right) * PAIR + np.maximum(left, right)
        different, where = np.unique(pairs, return_inverse=True)
        found = np.array([self.product_of(*divmod(int(pair), PAIR)) for pair in different], dtype=np.int64)
        return found[where].reshape(pairs.shape)

    def sums(self, terms: np.ndarray) -> np.ndarray:
        """Return the sums over the last axis."""
        rows = np.sort(terms.reshape(-1, terms.shape[-1]), axis=1)
        return self.of_rows(rows, lambda row: self.sum_of(row)).reshape(terms.shape[:-1])

    def of_rows(self, rows: np.ndarray, function: Callable[[list[int]], int]) -> np.ndarray:
        """Return a function of each row."""
        different, where = np.unique(rows, axis=0, return_inverse=True)
        found = np.array([function(row) for row in different.tolist()], dtype=np.int64)
        return found[where.ravel()]

    def reached(self, ends: Iterable[int]) -> set[int]:
        """Return all functions of which some are made, and these; exponentials are made of their exponents."""
        found: set[int] = set()
        asked = list(ends)
        while asked:
            one = asked.pop()
            if one not in found:
                found.add(one)
                asked += self.nodes[one].children
        return found

    def draw(self, number: int) -> Draw | None:
        """Return what has a residue of its own, if this function has one or is a power of it."""
        node = self.nodes[number]
        if node.kind == "tensor":
            return ("tensor", *node.parameter)
        if node.kind in ("exp", "sigmoid"):
            return ("exp", node.parameter[0], node.children[0])
        return ("erf", None, node.children[0]) if node.kind == "erf" else None


@dataclass(frozen=True, eq=False)
class Numbered:
    """The entries of all results for some sequences of tokens.

    Parameters
    ----------
    numbering : Numbering
        Names the functions.
    results : list of ndarray
        For each instruction the numbers of its entries, for each sequence if its result depends on the input.
    reading : Reading
        The program.
    """

    numbering: Numbering
    results: list[np.ndarray]
    reading: Reading

    @cached_property
    def reached(self) -> set[int]:
        """The functions of which the values of the network are made."""
        return self.numbering.reached(np.unique(self.results[-1]).tolist())


def number_entries(reading: Reading, inputs: np.ndarray, gates: Mapping[int, np.ndarray]) -> Numbered:
    """Return the entries of all results as functions of the weights.

    Parameters
    ----------
    reading : Reading
        The program.
    inputs : ndarray
        The inputs, of zeros and ones.
    gates : mapping of int to ndarray
        The values of the gates, by the numbers of their instructions, for each input.
    """
    numbering = Numbering()
    results: list[np.ndarray] = []
    for number, one in enumerate(reading.program.instructions):
        if one.operation == "input":
            results.append(inputs.astype(np.int64))  # the numbers of zero and one
        elif number in reading.gates:
            results.append(np.asarray(gates[number]).astype(np.int64))
        else:
            results.append(entries_of(numbering, reading, number, [results[operand] for operand in one.operands]))
            if number in reading.exponents:
                exponent = reading.exponents[number]
                name = "sigmoid" if isinstance(reading.functions[number], Sigmoid) else "exp"
                parameter = (exponent.scale, exponent.power)
                results[number] = numbering.each(name, parameter, results[exponent.base])
    return Numbered(numbering, results, reading)


def entries_of(numbering: Numbering, reading: Reading, number: int, operands: list[np.ndarray]) -> np.ndarray:
    """Return the entries of a result, those of its operands being known."""
    one: Instruction = reading.program.instructions[number]
    function = reading.functions.get(number)
    if isinstance(function, Exp | Sigmoid):
        return operands[0]  # which is not looked at
    if function is not None:
        return numbering.each("erf" if isinstance(function, Erf) else one.operation, None, operands[0])
    if one.operation == "tensor":
        count = int(np.prod(one.shape))
        named = [numbering.number("tensor", (one.argument, entry), ()) for entry in range(count)]
        return np.array(named, dtype=np.int64).reshape(one.shape)
    if one.operation == "constant":
        return np.array([numbering.constant(value) for value in one.argument], dtype=np.int64).reshape(one.shape)
    if one.operation not in RULES:
        raise ConditionFailed(f"{one.operation} has no rule for several sequences of tokens together")
    return RULES[one.operation](numbering, one.argument, *operands)


def add(numbering: Numbering, _: Any, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return a sum of two results."""
    return numbering.sums(np.stack(np.broadcast_arrays(left, right), axis=-1))


def product(numbering: Numbering, _: Any, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return a product of matrices."""
    return numbering.sums(numbering.products(left[..., :, None, :], np.swapaxes(right, -1, -2)[..., None, :, :]))


def column_products(numbering: Numbering, _: Any, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the products of columns."""
    return numbering.sums(np.swapaxes(numbering.products(left, right), -1, -2))[..., None, :]


def of_columns(
    numbering: Numbering, X: np.ndarray, function: Callable[[int, int, list[int]], int], unordered: bool
) -> np.ndarray:
    """Return a function of the row, the place of the column, and the column, for each entry."""
    columns = np.swapaxes(X, -1, -2)
    entries = []
    for row in range(X.shape[-2]):
        of_row = []
        for place in range(X.shape[-1]):
            column = columns[..., place, :].reshape(-1, X.shape[-2])
            rows = np.concatenate([column[:, [row]], np.sort(column, axis=1) if unordered else column], axis=1)
            found = numbering.of_rows(rows, lambda entry, row=row, place=place: function(row, place, entry))
            of_row.append(found.reshape(X.shape[:-2]))
        entries.append(np.stack(of_row, axis=-1))
    return np.stack(entries, axis=-2)


def centre(numbering: Numbering, _: Any, X: np.ndarray) -> np.ndarray:
    """Return columns less their means: an entry is known by itself and the others in any order."""
    return of_columns(numbering, X, lambda row, place, entry: numbering.number("centre", None, entry), True)


def rotate(numbering: Numbering, argument: Any, X: np.ndarray) -> np.ndarray:
    """Return rotated columns: an entry is known by its row, the position, and the column."""
    angles, positions = argument
    return of_columns(
        numbering,
        X,
        lambda row, place, entry: numbering.number("rotate", (angles, positions[place], row), entry[1:]),
        False,
    )


def take(numbering: Numbering, argument: Any, X: np.ndarray) -> np.ndarray:
    """Return a submatrix."""
    rows, columns = argument
    return X[..., list(rows), :][..., list(columns)]


def concatenate(numbering: Numbering, axis: Any, *parts: np.ndarray) -> np.ndarray:
    """Put matrices below each other or side by side."""
    shape = np.broadcast_shapes(*(part.shape[:-2] for part in parts))
    return np.concatenate([np.broadcast_to(part, (*shape, *part.shape[-2:])) for part in parts], axis=axis - 2)


RULES: dict[str, Callable[..., np.ndarray]] = {
    "add": add,
    "negate": lambda numbering, _, X: numbering.each("negate", None, X),
    "multiply": lambda numbering, _, left, right: numbering.products(left, right),
    "transpose": lambda numbering, _, X: np.swapaxes(X, -1, -2),
    "product": product,
    "column_products": column_products,
    "centre": centre,
    "rotate": rotate,
    "take": take,
    "concatenate": concatenate,
    "reciprocal": lambda numbering, _, X: numbering.each("reciprocal", None, X),
}
"""What the operations of programs do with the numbers of entries."""
