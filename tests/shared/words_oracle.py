"""Whether the value of a program moves along directions, by its gradient at a random point: no words are compared."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from algatt.certificates.verifier.claims import Directions, Evaluator, Network
from algatt.certificates.verifier.fields import NoValue, RealBalls, Residues, Undecided, precision
from algatt.certificates.verifier.interpreter import Interpreter
from algatt.certificates.verifier.kinds import is_real

BITS = 192

SMALL = Fraction(1, 2**100)


class RealPoint(RealBalls):
    """Real numbers, for the evaluation of directions: integers times entries are balls."""


def moves(network: Network, family: Directions, key: str = "oracle") -> bool | None:
    """Return whether the value moves at a random point along one of the directions; None if nothing is known there."""
    field: Any = RealPoint() if is_real(network) else Residues(2**62 - 57)
    with precision(BITS):
        try:
            return moved_at(network, family, field, key)
        except (NoValue, Undecided):
            return None


def moved_at(network: Network, family: Directions, field: Any, key: str) -> bool:
    """Return whether one of the directions moves the value at one point."""
    tensors = {name: field.random(f"{key}/{name}", *shape, 0) for name, shape in network.tensors.items()}
    X = None
    if network.units is not None and network.input_shape is not None:
        (height, width), (rows, columns) = network.input_shape, network.units
        tokens = [(3 * j + 1) % (height - rows) for j in range(width - columns)]
        X = network.input_of(field, [*range(1, rows * columns + 1), *tokens])
    elif network.input_shape is not None:
        X = field.random(f"{key}/input", *network.input_shape)
    interpreter = Interpreter(network.program, field, tensors)
    results = interpreter.forward(X)
    evaluator = Evaluator(network, field, tensors, family)
    place, columns_of = 0, {}
    for name, (height, width) in network.tensors.items():
        columns_of[name] = [(place + k, k // width, k % width) for k in range(height * width)]
        place += height * width
    directions = list(evaluator.rows(columns_of))
    height, width = network.output_shape
    for output in range(height * width):
        by = interpreter.backward(
            results, field.matrix(height, width, [int(k == output) for k in range(height * width)])
        )
        gradient: list[Any] = []
        for name, (rows, columns) in network.tensors.items():
            gradient += by[name].entries() if name in by else [0] * (rows * columns)
        for direction in directions:
            total = sum((gradient[k] * x for k, x in direction.items()), field.number(0))
            if is_zero(total, field) is False:
                return True
    return False


def is_zero(value: Any, field: Any) -> bool:
    """Return whether a number is zero, or so near to it that it is taken for zero."""
    return abs(float(value.mid())) < 1e-30 if field.real else value == 0
