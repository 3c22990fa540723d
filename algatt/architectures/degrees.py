"""The degrees of a network as a map of rational functions, read off its own code."""

from __future__ import annotations

from algatt import verbs
from algatt.architectures.base import Architecture
from algatt.errors import MethodError
from algatt.fields import Degree, Degrees, Elements
from algatt.parameters import Weights

__all__ = ["degrees_of_values"]


def degrees_of_values(arch: Architecture) -> tuple[Degree, Degrees] | None:
    """Return the degrees of the values, and the field, which has collected those of all that is divided by; None if the
    values are no quotients of polynomials.
    """
    degrees, shapes = Degrees(), verbs.coordinates(arch)
    theta = Weights(tuple(Elements(degrees, Degree(1, 0, shape)) for shape in shapes.values()), tuple(shapes))
    try:
        value: Degree = verbs.evaluate(arch, theta, Elements(degrees, Degree(0, 1, arch.input_shape))).raw
    except MethodError:
        return None
    return value, degrees
