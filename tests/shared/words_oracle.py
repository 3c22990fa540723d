"""Whether the value of a program moves along directions, by its gradient at a random point: no words are compared."""

from __future__ import annotations

from typing import Any

from algatt.certificates.verifier.directions import Directions
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
    tensors = {name: field.random(f"{key}/{name}", *shape) for name, shape in network.tensors.items()}
    (height, width), (rows, columns) = network.input_shape, network.units
    if network.reads_tokens:
        tokens = [(3 * j + 1) % (height - rows) for j in range(width - columns)]
        X = network.input_of(field, [*range(1, rows * columns + 1), *tokens])
    else:
        X = field.random(f"{key}/input", height, width)
    interpreter = Interpreter(network.program, field, tensors)
    results = interpreter.forward(X)
    directions = list(family.at(field, tensors))
    height, width = network.program[-1].sizes
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


def is_zero(value: Any, field: Any) -> bool:
    """Return whether a number is zero, or so near to it that it is taken for zero."""
    return abs(float(value.mid())) < 1e-30 if isinstance(field, RealBalls) else value == 0
