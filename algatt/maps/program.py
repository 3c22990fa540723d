"""The program of a network, recorded by evaluating it."""

from __future__ import annotations

import functools

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Elements
from algatt.parameters import Weights
from algatt.programs import Program, Trace


@verbs.program.method
def program_of_architecture(arch: Architecture) -> Program:
    return recorded(arch)


@functools.lru_cache(maxsize=64)
def recorded(arch: Architecture) -> Program:
    """Record the program of an architecture; who asks again gets the same one, with its table of uses."""
    trace = Trace()
    shapes = verbs.coordinates(arch)
    theta = Weights(tuple(Elements(trace, trace.tensor(name, shape)) for name, shape in shapes.items()), tuple(shapes))
    value = verbs.evaluate(arch, theta, Elements(trace, trace.input(arch.input_shape)))
    return trace.program(value.raw)
