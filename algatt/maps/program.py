"""The program of a network, recorded by evaluating it."""

from __future__ import annotations

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Elements
from algatt.parameters import Weights
from algatt.programs import Program, Trace


@verbs.program.method
def program_of_architecture(arch: Architecture) -> Program:
    trace = Trace()
    shapes = verbs.coordinates(arch)
    theta = Weights(tuple(Elements(trace, trace.tensor(name, shape)) for name, shape in shapes.items()), tuple(shapes))
    value = verbs.evaluate(arch, theta, Elements(trace, trace.input(arch.input_shape)))
    return trace.program(value.raw)
