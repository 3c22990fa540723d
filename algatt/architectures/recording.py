"""The program of a network, recorded by evaluating it."""

from __future__ import annotations

import functools

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Elements
from algatt.parameters import Weights
from algatt.programs import Program, Trace


@functools.lru_cache(maxsize=64)
def program(arch: Architecture) -> Program:
    """Return the straight-line `Program` of a network, recorded by evaluating it.

    Common subexpressions are in it once, and nothing that the value does not need. Printed, it has a line for each
    instruction, with the shape of its result. Cost: one evaluation without numbers, the
    first time: who asks again gets the same program, with its table of uses.

    Parameters
    ----------
    arch : Architecture
        The network.
    """
    trace = Trace()
    shapes = verbs.coordinates(arch)
    theta = Weights(tuple(Elements(trace, trace.tensor(name, shape)) for name, shape in shapes.items()), tuple(shapes))
    value = verbs.evaluate(arch, theta, Elements(trace, trace.input(arch.input_shape)))
    return trace.program(value.raw)
