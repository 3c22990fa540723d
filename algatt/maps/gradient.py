"""Single rows of the Jacobian, one for each input, by adjoints."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import InvalidArgument
from algatt.fields import Adjoint, AdjointArray, Elements
from algatt.fields.adjoint import pull_back
from algatt.parameters import Parameters

BLOCK = 2**19
"""About this many derivatives are computed at a time, so that they stay in the processor's cache."""


@verbs.gradients.method
def gradients_by_adjoints(arch: Architecture, theta: Parameters, inputs: Elements, *, outputs: np.ndarray) -> Elements:
    rows_of_one = arch.outputs
    if len(inputs.shape) != 3 or np.shape(outputs) != inputs.shape[:1]:
        raise InvalidArgument("outputs", f"of shape {np.shape(outputs)}", "one entry for each input of a batch")
    if len(outputs) and not (np.min(outputs) >= 0 and np.max(outputs) < rows_of_one):
        raise InvalidArgument("outputs", f"from {np.min(outputs)} to {np.max(outputs)}", f"entries 0..{rows_of_one - 1} of the value")
    base = theta.field
    field = Adjoint(base)
    size = sum(element.raw.size for element in theta.elements)
    matrix = np.zeros((len(outputs), size), dtype=inputs.raw.dtype)
    step = max(1, BLOCK // size)
    for start in range(0, len(outputs), step):
        block = slice(start, start + step)
        leaves = [AdjointArray(element.raw) for element in theta.elements]
        lifted = theta.replaced([Elements(field, leaf) for leaf in leaves])
        value = verbs.evaluate(arch, lifted, Elements(field, AdjointArray(inputs.raw[block]))).raw
        chosen = outputs[block]
        units = np.zeros((len(chosen), rows_of_one), dtype=np.int64)
        units[np.arange(len(chosen)), chosen] = 1
        cotangent = verbs.encode(base, units.reshape(value.shape))
        first = 0
        for element, part in zip(theta.elements, pull_back(base, value, cotangent, leaves), strict=True):
            if part is not None:
                matrix[block, first : first + element.raw.size] = part.reshape(len(chosen), -1)
            first += element.raw.size
    return Elements(base, matrix)
