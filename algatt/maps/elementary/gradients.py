"""Rows of the Jacobian at places modulo p."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Adjoint, AdjointArray, Elements
from algatt.fields.adjoint import pull_back
from algatt.maps.elementary.drawing import Drawing
from algatt.maps.elementary.tokens.places import TokenPlace
from algatt.parameters import Parameters
from algatt.programs.interpret import Results

__all__ = ["gradients_at_places", "pull_back_at_places"]

BLOCK = 2**19
"""About this many derivatives are computed at a time, so that they stay in the processor's cache."""


def gradients_at_places(
    theta: Parameters,
    drawing: Drawing | TokenPlace,
    which: np.ndarray,
    outputs: np.ndarray,
    number: int | None = None,
) -> Elements:
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
    number : int, optional
        Another instruction whose result is taken for the value.

    Returns
    -------
    Elements
        Of shape (places, parameters). By adjoints, as `algatt.maps.gradients`, along the recorded program.
    """
    shape = drawing.reading.program.instructions[-1 if number is None else number].shape

    def units(block: slice) -> Any:
        chosen = outputs[block]
        entries = np.zeros((len(chosen), int(np.prod(shape))), dtype=np.int64)
        entries[np.arange(len(chosen)), chosen] = 1
        return verbs.encode(theta.field, entries.reshape(-1, *shape))

    return pull_back_at_places(theta, drawing, which, units, number)


def pull_back_at_places(
    theta: Parameters,
    drawing: Drawing | TokenPlace,
    which: np.ndarray,
    cotangents: Callable[[slice], Any],
    number: int | None = None,
) -> Elements:
    """Return the derivatives of one linear form of the value, or of another result, at each of some places;
    `cotangents` gives the coefficients of those of a block, raw.
    """
    base, reading = theta.field, drawing.reading
    field = Adjoint(base)
    size = sum(element.raw.size for element in theta.elements)
    matrix = np.zeros((len(which), size), dtype=drawing.field.dtype)
    functions = drawing.functions()
    step = max(1, BLOCK // size)
    for start in range(0, len(which), step):
        block = which[start : start + step]
        leaves = [AdjointArray(element.raw) for element in theta.elements]
        tensors = {name: Elements(field, leaf) for name, leaf in zip(theta.names(), leaves, strict=True)}
        given = {number: function.part(block) for number, function in functions.items()}
        X = None if reading.input is None else Elements(field, AdjointArray(drawing.results[reading.input][block]))
        results = Results(reading.program, field, tensors, X, given)
        value: AdjointArray = results[len(reading.program) - 1 if number is None else number].raw
        first = 0
        parts = pull_back(base, value, cotangents(slice(start, start + step)), leaves)
        for element, part in zip(theta.elements, parts, strict=True):
            if part is not None:
                matrix[start : start + step, first : first + element.raw.size] = part.reshape(len(part), -1)
            first += element.raw.size
    return Elements(base, matrix)
