"""Which entries of results are the same functions of the weights for several sequences of tokens, by the code alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from algatt.errors import ConditionFailed
from algatt.fields import Erf, Exp, Sigmoid
from algatt.maps.elementary.reading import Reading
from algatt.programs import Instruction

__all__ = ["Draw", "Node", "Numbering", "number_entries"]

ZERO, ONE, IMAGINARY = 0, 1, 2
"""The numbers of these constants."""

MOST_SUMMANDS = 6
"""Sums of more results are not distributed over products."""

PAIR = 2**31
"""There are fewer functions, so that two numbers fit into one."""

Draw = tuple[str, Any, int]
"""What has a residue of its own: an entry of a tensor, by the tensor's name and its position; an exponential, by the
factor of its exponent and the number of that; or an error function, by the number of its argument.
"""

Number = int | Fraction
"""What functions are multiplied by."""

Powers = tuple[tuple[int, int], ...]
"""A product of powers of functions: their numbers, in order, each with an exponent that is not zero."""


@dataclass(frozen=True)
class Node:
    """A function of the weights: an entry of a result.

    Parameters
    ----------
    kind : str
        The operation that makes it of others, in the language of programs; ``sum``, a linear combination; or
        ``product``, a product of powers times a number. A ``circle`` is the number of length one that belongs to an
        angle.
    parameter : object
        What else the operation takes: of a sum the coefficients, of which the first is one; of a product the number,
        and the exponents.
    children : tuple of int
        The numbers of what it is made of, in order.
    """

    kind: str
    parameter: Any
    children: tuple[int, ...]


def plain_number(value: Number) -> Number:
    """Return a number as an integer if it is one: with these one computes faster."""
    return value.numerator if value.denominator == 1 else value


def merged(left: Powers, right: Powers) -> tuple[int, Powers]:
    """Return the product of two products of powers, with its sign: the square of the imaginary unit is -1."""
    if len(left) == len(right) == 1 and left[0][0] > right[0][0] > IMAGINARY:
        return 1, right + left
    powers = dict(left)
    for number, exponent in right:
        powers[number] = powers.get(number, 0) + exponent
    turns = powers.get(IMAGINARY, 0) % 4
    powers[IMAGINARY] = turns % 2
    return (-1 if turns >= 2 else 1), tuple(sorted((number, k) for number, k in powers.items() if k))


class Numbering:
    """Functions of the weights, numbered in the order in which they are met; equal ones by the code have one number.

    Sums and products are commutative here, like terms are added, and equal factors cancel. So a token that sees the
    same tokens in another order, or none of those that differ, or equal ones only, has the same entries.
    """

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.numbers: dict[Node, int] = {}
        self.factors: list[Number] = []  # of each function, that of `units`
        self.units: list[int] = []
        self.constant(0)
        self.constant(1)
        self.number("imaginary", None, ())

    def number(self, kind: str, parameter: Any, children: Iterable[int]) -> int:
        """Return the number of a function."""
        node = Node(kind, parameter, tuple(children))
        found = self.numbers.get(node)
        if found is not None:
            return found
        factor, unit = 1, None
        if kind == "constant":
            factor, unit = parameter, ONE
        elif kind == "product" and parameter[0] != 1:
            factor, unit = parameter[0], self.of_parts(1, tuple(zip(node.children, parameter[1], strict=True)))
        found = self.numbers[node] = len(self.nodes)
        self.nodes.append(node)
        self.factors.append(factor)
        self.units.append(found if unit is None else unit)
        return found

    def constant(self, value: Number) -> int:
        """Return the number of a constant."""
        return self.number("constant", plain_number(value), ())

    def parts(self, number: int) -> tuple[Number, Powers]:
        """Return a function as a number times a product of powers of others."""
        node = self.nodes[number]
        if node.kind == "constant":
            return node.parameter, ()
        if node.kind == "product":
            return node.parameter[0], tuple(zip(node.children, node.parameter[1], strict=True))
        return 1, ((number, 1),)

    def of_parts(self, value: Number, powers: Powers) -> int:
        """Return a number times a product of powers."""
        if not value or not powers:
            return self.constant(value)
        if value == 1 and len(powers) == 1 and powers[0][1] == 1:
            return powers[0][0]
        exponents = tuple(k for _, k in powers)
        return self.number("product", (plain_number(value), exponents), (number for number, _ in powers))

    def scaled(self, unit: int, value: Number) -> int:
        """Return a multiple of a function whose own factor is one."""
        if value == 1:
            return unit
        return self.constant(value) if unit == ONE else self.of_parts(value, self.parts(unit)[1])

    def sum_of(self, terms: Iterable[int]) -> int:
        """Return a sum of functions."""
        coefficients: dict[int, Number] = {}
        for term in terms:
            unit = self.units[term]
            coefficients[unit] = coefficients.get(unit, 0) + self.factors[term]
        children = sorted(unit for unit, value in coefficients.items() if value)
        if not children:
            return ZERO
        first = coefficients[children[0]]
        if len(children) == 1:
            return self.scaled(children[0], first)
        if first == 1:
            return self.number("sum", tuple(plain_number(coefficients[child]) for child in children), children)
        ratios = (plain_number(Fraction(coefficients[child]) / first) for child in children)
        return self.scaled(self.number("sum", tuple(ratios), children), first)

    def product_of(self, left: int, right: int) -> int:
        """Return a product of two functions, of which the left one has the smaller number."""
        if left == ZERO:
            return ZERO
        if left == ONE:
            return right
        (one, factors), (other, others) = self.parts(left), self.parts(right)
        sign, powers = merged(factors, others)
        return self.of_parts(sign * one * other, powers)

    def of_one(self, kind: str, parameter: Any, child: int) -> int:
        """Return a function of one other."""
        if kind in ("negate", "reciprocal"):
            value, powers = self.parts(child)
            if kind == "negate":
                return self.of_parts(-value, powers)
            if value:
                return self.of_parts(1 / Fraction(value), tuple((number, -k) for number, k in powers))
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

    def part(self, kept: np.ndarray) -> Numbered:
        """Return the entries for some of the sequences."""
        results = [
            entries[kept] if number in self.reading.varying else entries for number, entries in enumerate(self.results)
        ]
        return Numbered(self.numbering, results, self.reading)

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
        The inputs, of integers.
    gates : mapping of int to ndarray
        The values of the gates, by the numbers of their instructions, for each input.
    """
    numbering = Numbering()
    results: list[np.ndarray] = []
    summands: dict[int, list[np.ndarray]] = {}
    for number, one in enumerate(reading.program.instructions):
        if one.operation == "input":
            results.append(numbers_of_constants(numbering, inputs))
        elif number in reading.gates:
            results.append(gates[number].astype(np.int64))
        else:
            parts = summands_of(numbering, one, results, summands)
            if 1 < len(parts) <= MOST_SUMMANDS:
                summands[number] = parts
                results.append(numbering.sums(np.stack(np.broadcast_arrays(*parts), axis=-1)))
                continue
            results.append(entries_of(numbering, reading, number, [results[operand] for operand in one.operands]))
            if number in reading.exponents:
                exponent = reading.exponents[number]
                name = "sigmoid" if isinstance(reading.functions[number], Sigmoid) else "exp"
                parameter = (exponent.scale, exponent.power)
                results[number] = numbering.each(name, parameter, results[exponent.base])
    return Numbered(numbering, results, reading)


def numbers_of_constants(numbering: Numbering, inputs: np.ndarray) -> np.ndarray:
    """Return the numbers of integers."""
    different, where = np.unique(inputs, return_inverse=True)
    found = np.array([numbering.constant(int(one)) for one in different], dtype=np.int64)
    return found[where].reshape(inputs.shape)


def summands_of(
    numbering: Numbering, one: Instruction, results: list[np.ndarray], summands: Mapping[int, list[np.ndarray]]
) -> list[np.ndarray]:
    """Return the results whose sum a result is, if it is one: a linear map of a sum is the sum of its values.

    So an entry of a product knows the vectors of a token and of a position apart, and relations of scores are short.
    """
    if one.operation == "add":
        if any(results[operand].ndim < 2 for operand in one.operands):
            return []
        return [part for operand in one.operands for part in summands.get(operand, [results[operand]])]
    split = [operand for operand in one.operands if operand in summands]
    if len(split) != 1 or one.operation not in ("product", "transpose", "take", "negate"):
        return []
    parts = [np.broadcast_to(part, results[split[0]].shape) for part in summands[split[0]]]  # biases have one column
    others = [[part if operand == split[0] else results[operand] for operand in one.operands] for part in parts]
    return [RULES[one.operation](numbering, one.argument, *operands) for operands in others]


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


def centre(numbering: Numbering, _: Any, X: np.ndarray) -> np.ndarray:
    """Return columns less their means."""
    part = numbering.constant(Fraction(-1, X.shape[-2]))
    columns = np.swapaxes(numbering.products(X, np.array(part)), -1, -2)
    rows = [np.concatenate([X[..., row, :, None], columns], axis=-1) for row in range(X.shape[-2])]
    return np.stack([numbering.sums(terms) for terms in rows], axis=-2)


def rotate(numbering: Numbering, argument: Any, X: np.ndarray) -> np.ndarray:
    """Return columns turned by powers of numbers of length one: the cosine of the power k is (z^k + z^-k) / 2."""
    angles, positions = argument
    rows = []
    for pair, angle in enumerate(angles):
        z = numbering.number("circle", angle, ())
        turns = [circle_point(numbering, z, position) for position in positions]
        cosines, sines, negative = (np.array(part, dtype=np.int64) for part in zip(*turns, strict=True))
        first, second = X[..., 2 * pair, :], X[..., 2 * pair + 1, :]
        for one, two, factor in ((first, second, negative), (second, first, sines)):
            terms = [numbering.products(one, cosines), numbering.products(two, factor)]
            rows.append(numbering.sums(np.stack(terms, axis=-1)))
    return np.stack(rows, axis=-2)


def circle_point(numbering: Numbering, z: int, position: int) -> tuple[int, int, int]:
    """Return the cosine and the sine of a power of a number of length one, and the negative of this."""
    half = Fraction(1, 2)

    def combination(*terms: tuple[Fraction, int, int]) -> int:
        return numbering.sum_of(
            numbering.of_parts(value, tuple((one, k) for one, k in ((IMAGINARY, unit), (z, power)) if k))
            for value, unit, power in terms
        )

    return (
        combination((half, 0, position), (half, 0, -position)),
        combination((-half, 1, position), (half, 1, -position)),
        combination((half, 1, position), (-half, 1, -position)),
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
