"""Whether the value of a program moves along directions, by its gradient at a random point: no words are compared."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from algatt.certificates.verifier.families import Directions
from algatt.certificates.verifier.fields import NoValue, RealBalls, Residues, Undecided, precision
from algatt.certificates.verifier.kinds import is_real
from algatt.certificates.verifier.network import Interpreter, Network

BITS = 192


def moves(network: Network, family: Directions, key: str = "oracle") -> bool | None:
    """Return whether the value moves at a random point along one of the directions; None if nothing is known there."""
    field: Any = RealBalls() if is_real(network) else Residues(2**62 - 57)
    with precision(BITS):
        try:
            return moved_at(network, family, field, key)
        except (NoValue, Undecided):
            return None


def moved_at(network: Network, family: Directions, field: Any, key: str) -> bool:
    """Return whether one of the directions moves the value at one point."""
    tensors = {name: field.random(f"{key}/{name}", *shape, 0) for name, shape in network.tensors.items()}
    (height, width), (rows, columns) = network.input_shape, network.units
    if network.reads_tokens:
        tokens = [(3 * j + 1) % (height - rows) for j in range(width - columns)]
        X = network.input_of(field, [*range(1, rows * columns + 1), *tokens])
    else:
        X = field.random(f"{key}/input", height, width)
    interpreter = Interpreter(network.program, field, tensors)
    results = interpreter.forward(X)
    directions = list(directions_at(network, family, field, tensors))
    height, width = network.output_shape
    for output in range(height * width):
        by = interpreter.backward(
            results, field.matrix(height, width, [int(k == output) for k in range(height * width)])
        )
        for direction in directions:
            parts = [
                x * y
                for name, moved in direction.items()
                if name in by
                for x, y in zip(by[name].entries(), moved.entries(), strict=True)
            ]
            if is_zero(sum(parts, field.number(0)), field) is False:
                return True
    return False


def directions_at(network: Network, family: Directions, field: Any, tensors: Any) -> Iterator[dict[str, Any]]:
    """Iterate over how tensors move, one entry of the free matrix after the other being one."""
    height, width = family.free or (1, 1)
    for place in family.entries:
        S = field.matrix(height, width, [int((i, j) == place) for i in range(height) for j in range(width)])
        moved = {}
        for name, words in family.words.items():
            terms = (value(factors, field, tensors, S) * field.number(Fraction(c)) for c, factors in words)
            moved[name] = sum(terms, tensors[name] * 0)
        yield moved


def value(factors: Any, field: Any, tensors: Any, S: Any) -> Any:
    """Return the product of factors as a file has them."""
    return functools.reduce(operator.mul, (factor_of(one, field, tensors, S) for one in factors))


def factor_of(one: Any, field: Any, tensors: Any, S: Any) -> Any:
    """Return a factor."""
    match one:
        case ["tensor" | "turned" as kind, name]:
            return tensors[name].transpose() if kind == "turned" else tensors[name]
        case ["free" | "free turned" as kind]:
            return S.transpose() if kind == "free turned" else S
        case ["ones", height, width]:
            return field.matrix(height, width, [1] * (height * width))
        case ["constant", height, width, listed]:
            entries = [field.number(0)] * (height * width)
            for k in range(0, len(listed), 3):
                entries[listed[k] * width + listed[k + 1]] = field.number(Fraction(listed[k + 2]))
            return field.matrix(height, width, entries)
    column = value(one[1], field, tensors, S).entries()
    inverse = [field.function("reciprocal", x) for x in column] if one[2] < 0 else column
    entries = [field.number(0)] * len(column) ** 2
    for k, x in enumerate(inverse):
        entries[k * (len(column) + 1)] = x ** abs(one[2])
    return field.matrix(len(column), len(column), entries)


def is_zero(value: Any, field: Any) -> bool:
    """Return whether a number is zero, or so near to it that it is taken for zero."""
    return abs(float(value.mid())) < 1e-30 if field.real else value == 0
