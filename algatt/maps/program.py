"""The program of a network, recorded by evaluating it."""

from __future__ import annotations

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Elements, Program, Trace
from algatt.parameters import Weights


@verbs.program.method
def program_of_architecture(arch: Architecture) -> Program:
    trace = Trace()
    shapes = verbs.coordinates(arch)
    theta = Weights(tuple(Elements(trace, trace.tensor(name, shape)) for name, shape in shapes.items()), tuple(shapes))
    value = verbs.evaluate(arch, theta, Elements(trace, trace.input(arch.input_shape)))
    return trace.program(value.raw)
