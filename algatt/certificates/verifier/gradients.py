"""Rows of the Jacobian of a program at the inputs of a certificate."""

from __future__ import annotations

from typing import Any

from .balls import RealBalls
from .claims import Network
from .inputs import constant_entries
from .interpreter import Interpreter
from .modular import Matrix

__all__ = ["evaluated", "gradient_of", "input_of"]


def evaluated(interpreter: Interpreter, network: Network, field: Any, seed: int, number: int, places: Any) -> Any:
    """Return the results at an input, and the derivatives of functions there."""
    if places is not None:
        return places.at(number)
    results = interpreter.forward(input_of(network, field, seed, number))
    return results, interpreter.slopes(results) if isinstance(field, RealBalls) else {}


def input_of(network: Network, field: Any, seed: int, number: int) -> Matrix | None:
    """Return the input of a number: random vectors, or unit vectors of random tokens, perhaps beside integers."""
    if network.input_shape is None:
        return None
    height, width = network.input_shape
    if not network.tokens:
        return field.vectors(seed, number, height, width)
    return field.matrix(height, width, constant_entries(network, seed, number))


def gradient_of(
    interpreter: Interpreter, network: Network, field: Any, results: Any, slopes: Any, output: int
) -> list[Any]:
    """Return the derivative of one entry of the value by all parameters."""
    height, width = network.output_shape
    unit = field.matrix(height, width, [int(k == output) for k in range(height * width)])
    by = interpreter.backward(results, unit, slopes)
    gradient: list[Any] = []
    for name, (rows, columns) in network.tensors.items():
        gradient += by[name].entries() if name in by else [0] * (rows * columns)
    return gradient
