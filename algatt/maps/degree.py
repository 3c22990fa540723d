"""The degrees of a network as a polynomial map, read off its own code."""

from __future__ import annotations

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Degree, Degrees, Elements
from algatt.parameters import Weights


@verbs.degree.method
def degree_of_architecture(arch: Architecture) -> Degree:
    degrees = Degrees()
    theta = Weights(tuple(Elements(degrees, Degree(1, 0, shape)) for shape in verbs.shapes(arch, Weights)))
    inputs = Elements(degrees, Degree(0, 1, (arch.dims[0], arch.tokens)))
    value: Degree = verbs.evaluate(arch, theta, inputs).raw
    return value
