"""Rows of the Jacobian at places modulo p."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Adjoint, AdjointArray, Elements
from algatt.fields.adjoint import pull_back
from algatt.maps.elementary.drawing import Drawing
from algatt.maps.interpret import interpret
from algatt.parameters import Parameters

__all__ = ["gradients_at_places"]

BLOCK = 2**19
"""About this many derivatives are computed at a time, so that they stay in the processor's cache."""


def gradients_at_places(theta: Parameters, drawing: Drawing, which: np.ndarray, outputs: np.ndarray) -> Elements:
    """Return the derivatives of one entry of the value by all parameters at each of some places.

    Parameters
    ----------
    theta : Parameters
        The weights, over the prime field of the places.
    drawing : Drawing
        The places.
    which : ndarray
        Positions of places among those of the drawing.
    outputs : ndarray
        For each the number of an entry of the value.

    Returns
    -------
    Elements
        Of shape (places, parameters). By adjoints, as `algatt.maps.gradients`, along the recorded program.
    """
    base, reading = theta.field, drawing.reading
    field = Adjoint(base)
    shape = reading.program.instructions[-1].shape
    size = sum(element.raw.size for element in theta.elements)
    matrix = np.zeros((len(which), size), dtype=base.dtype)
    inputs = next((n for n, one in enumerate(reading.program.instructions) if one.operation == "input"), None)
    functions = drawing.functions()
    step = max(1, BLOCK // size)
    for start in range(0, len(which), step):
        block = which[start : start + step]
        leaves = [AdjointArray(element.raw) for element in theta.elements]
        tensors = {name: Elements(field, leaf) for name, leaf in zip(theta.names(), leaves, strict=True)}
        given = {number: function.part(block) for number, function in functions.items()}
        X = None if inputs is None else Elements(field, AdjointArray(drawing.results[inputs][block]))
        value: AdjointArray = interpret(reading.program, field, tensors, X, given).raw
        units = np.zeros((len(block), int(np.prod(shape))), dtype=np.int64)
        units[np.arange(len(block)), outputs[start : start + step]] = 1
        cotangents: Any = verbs.encode(base, units.reshape(-1, *shape))
        first = 0
        for element, part in zip(theta.elements, pull_back(base, value, cotangents, leaves), strict=True):
            if part is not None:
                matrix[start : start + step, first : first + element.raw.size] = part.reshape(len(part), -1)
            first += element.raw.size
    return Elements(base, matrix)
