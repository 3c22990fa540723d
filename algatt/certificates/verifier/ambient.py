"""Spaces in which all functions of a network lie, compared with values at random weights."""

from __future__ import annotations

from collections.abc import Iterator

from .degree import prime_of_hash
from .dimension_claim import DimensionClaim
from .gradients import input_of
from .interpreter import Interpreter
from .limits import MOST_ORDER, MOST_STEPS, Refused
from .modular import Residues
from .program import cost_of

__all__ = ["wrong_ambient_space"]

SPARE = 8
"""Values at so many more weights than the ambient space has dimensions are looked at."""


def wrong_ambient_space(claim: DimensionClaim) -> Iterator[str]:
    """Compare the span of the values at random weights with the dimension of the space in which all are claimed to lie,
    up to one of them.

    Raises
    ------
    Refused
        If this takes too many steps.
    """
    network, dimension = claim.network, int(claim.claims["upper_bound"]["value"])
    field = Residues(prime_of_hash(network.sha256))
    start = int(network.sha256[:15], 16)  # weights that nobody chose
    count = dimension + SPARE
    inputs = -(-count // network.outputs) + 1
    steps = (count + 1) * (inputs * cost_of(network.program) + network.parameters)
    if count > MOST_ORDER or steps > MOST_STEPS:
        raise Refused("the ambient space", f"one that takes {steps} steps", f"one of at most {MOST_STEPS} steps")
    shapes = list(network.tensors.values())
    rows: list[list[int]] = []
    for number in range(count + 1):
        tensors = dict(zip(network.tensors, field.weights(start + number, shapes), strict=True))
        interpreter = Interpreter(network.program, field, tensors)
        values: list[int] = []
        for k in range(inputs):
            results = interpreter.forward(input_of(network, field, start, k))
            values += [int(entry) for entry in results[len(network.program) - 1].entries()]
        rows.append(values)
    differences = [entry - first for row in rows[1:] for entry, first in zip(row, rows[0], strict=True)]
    rank = field.matrix(count, len(rows[0]), differences).rank()
    if rank > dimension:
        yield f"values at random weights span {rank} dimensions, more than the ambient space of {dimension}"
