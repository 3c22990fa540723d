"""Rows of the Jacobian and combinations of them, one for each input, by adjoints."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import InvalidArgument
from algatt.fields import Adjoint, AdjointArray, Elements, adjoint
from algatt.parameters import Parameters

BLOCK = 2**19
"""About this many derivatives are computed at a time, so that they stay in the processor's cache."""


def gradients(arch: Architecture, theta: Parameters, inputs: Elements, *, outputs: np.ndarray) -> Elements:
    """Return one row of the Jacobian for each input: row k is the derivative of entry ``outputs[k]`` of the value at
    input k.

    Entries are numbered row by row, so this is row ``k * d_l * t + outputs[k]`` of `jacobian`. It takes and returns
    `Elements`. Exact over GF(p). Cost: a few evaluations for each row, where `jacobian` takes a few evaluations for
    each parameter and gives all rows of an input.

    Raises
    ------
    InvalidArgument
        If there is not one entry of the value for each input.
    """
    rows_of_one = arch.outputs
    if len(inputs.shape) != 3 or np.shape(outputs) != inputs.shape[:1]:
        raise InvalidArgument("outputs", f"of shape {np.shape(outputs)}", "one entry for each input of a batch")
    if len(outputs) and not (np.min(outputs) >= 0 and np.max(outputs) < rows_of_one):
        raise InvalidArgument(
            "outputs", f"from {np.min(outputs)} to {np.max(outputs)}", f"entries 0..{rows_of_one - 1} of the value"
        )

    def units(block: slice) -> Any:
        chosen = outputs[block]
        entries = np.zeros((len(chosen), rows_of_one), dtype=np.int64)
        entries[np.arange(len(chosen)), chosen] = 1
        return verbs.encode(theta.field, entries.reshape(-1, *arch.output_shape))

    return rows_by_adjoints(arch, theta, inputs, units)


def pull_back(arch: Architecture, theta: Parameters, inputs: Elements, cotangents: Elements) -> Elements:
    """Return the derivative of one linear form of the value for each input: row k is ``cotangents[k]``, as a row, times
    the Jacobian at input k.

    So a single row shows whether anything of the value changes along a direction: if it does, all but a few cotangents
    see it. It takes and returns `Elements`. Exact over GF(p). Cost: that of `gradients`.

    Parameters
    ----------
    cotangents : Elements
        Shape (batch, d_l, t): the coefficients of the entries of the value.

    Raises
    ------
    InvalidArgument
        If there is not one matrix of coefficients for each input.
    """
    shape = arch.output_shape
    if len(inputs.shape) != 3 or cotangents.shape != (inputs.shape[0], *shape):
        raise InvalidArgument(
            "cotangents",
            f"of shape {cotangents.shape}",
            f"of shape (batch, {shape[0]}, {shape[1]}), for a batch of inputs",
        )
    if cotangents.field != theta.field:
        raise InvalidArgument("cotangents", f"over {cotangents.field}", f"over {theta.field}")
    return rows_by_adjoints(arch, theta, inputs, lambda block: cotangents.raw[block])


def rows_by_adjoints(
    arch: Architecture, theta: Parameters, inputs: Elements, cotangents: Callable[[slice], Any]
) -> Elements:
    """Return the derivatives of one linear form of the value for each input; `cotangents` gives the coefficients of
    those of a block, raw.
    """
    base = theta.field
    field = Adjoint(base)
    count = inputs.shape[0]
    size = sum(element.raw.size for element in theta.elements)
    matrix = np.empty((count, size), dtype=inputs.raw.dtype)
    step = max(1, BLOCK // size)
    for start in range(0, count, step):
        block = slice(start, start + step)
        leaves = [AdjointArray(element.raw) for element in theta.elements]
        lifted = theta.replace([Elements(field, leaf) for leaf in leaves])
        value = verbs.evaluate(arch, lifted, Elements(field, AdjointArray(inputs.raw[block]))).raw
        first = 0
        for element, part in zip(
            theta.elements, adjoint.pull_back(base, value, cotangents(block), leaves), strict=True
        ):
            if part is None:  # the zeros of the field, which are no integers for balls
                part = verbs.encode(base, np.zeros((len(value.value), *element.shape), dtype=np.int64))
            matrix[block, first : first + element.raw.size] = part.reshape(len(part), -1)
            first += element.raw.size
    return Elements(base, matrix)
