"""The Jacobian of a network by its parameters, by dual numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import check_fits, entered_inputs, functions_only
from algatt.fields import Dual, DualArray, Elements, PublicArray
from algatt.parameters import Parameters

BLOCK = 2**18
"""About this many numbers of one tangent array are computed at a time, so that they stay in the processor's cache."""


@verbs.jacobian.method
def jacobian_public(arch: Architecture, theta: Parameters, inputs: PublicArray) -> Any:
    check_fits(arch, theta)
    elements = entered_inputs(arch, theta.field, inputs)
    with functions_only(arch, theta):
        return verbs.jacobian(arch, theta, elements).public()


@verbs.jacobian.method
def jacobian_by_duals(arch: Architecture, theta: Parameters, inputs: Elements) -> Elements:
    field = theta.field
    dual = Dual(field)
    raw_inputs = inputs.raw.reshape(-1, *inputs.shape[-2:])
    constants = [Elements(dual, DualArray(element.raw)) for element in theta.elements]
    lifted_inputs = Elements(dual, DualArray(raw_inputs))
    widest = max(arch.input_shape[0], *(element.shape[0] for element in theta.elements if element.shape))
    per_direction = len(raw_inputs) * arch.input_shape[1] * widest
    rows = len(raw_inputs) * arch.outputs
    matrix = np.zeros((rows, sum(element.raw.size for element in theta.elements)), dtype=raw_inputs.dtype)
    first = 0
    for position, element in enumerate(theta.elements):
        for start, stop in blocks(element.raw.size, max(1, BLOCK // max(1, per_direction))):
            seeded = list(constants)
            seeded[position] = Elements(dual, DualArray(element.raw, directions(field, element.shape, start, stop)))
            value = verbs.evaluate(arch, theta.replace(seeded), lifted_inputs).raw
            if value.tangent is not None:
                matrix[:, first + start : first + stop] = value.tangent.reshape(stop - start, rows).T
        first += element.raw.size
    return Elements(field, matrix)


def blocks(count: int, size: int) -> Iterator[tuple[int, int]]:
    """Cut ``range(count)`` into pieces of at most `size`."""
    for start in range(0, count, size):
        yield start, min(start + size, count)


def directions(field: Any, shape: tuple[int, ...], start: int, stop: int) -> Any:
    """Return the unit tangents number `start` to `stop - 1` of a matrix of the given shape."""
    units = np.zeros((stop - start, int(np.prod(shape))), dtype=np.int64)
    units[np.arange(stop - start), np.arange(start, stop)] = 1
    return verbs.encode(field, units.reshape(stop - start, *shape))
