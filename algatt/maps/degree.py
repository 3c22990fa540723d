"""The degrees of a network as a map of rational functions, read off its own code."""

from __future__ import annotations

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import InvalidArgument, MethodError
from algatt.fields import Degree, Degrees, Elements
from algatt.parameters import Weights

__all__ = ["degrees_of_values", "turns_by_circles"]


def degrees_of_values(arch: Architecture, degrees: Degrees) -> Degree:
    """Return the degrees of the values, and have the field collect those of all that is divided by; raise `MethodError`
    if there are none.
    """
    shapes = verbs.coordinates(arch)
    theta = Weights(tuple(Elements(degrees, Degree(1, 0, shape)) for shape in shapes.values()), tuple(shapes))
    value: Degree = verbs.evaluate(arch, theta, Elements(degrees, Degree(0, 1, arch.input_shape))).raw
    return value


def turns_by_circles(arch: Architecture) -> bool:
    """Say whether a network rotates by points of a circle: over GF(p) these are random, and no degree bounds what they
    may hide.
    """
    degrees = Degrees()
    try:
        degrees_of_values(arch, degrees)
    except MethodError:
        return False
    return bool(degrees.circles)


@verbs.degree.method
def degree_of_architecture(arch: Architecture) -> Degree:
    """Bound the degrees of N and D, the entries of the value being N / D with all factors multiplied out.

    A derivative times D^2 is a polynomial of degree at most deg N + deg D.

    Points at which something that is divided by vanishes are drawn again: this conditions the probability of a zero,
    which adds at most the degrees of all of it.
    """
    degrees = Degrees()
    try:
        value = degrees_of_values(arch, degrees).cleared
    except MethodError:
        raise InvalidArgument(
            "arch", f"{arch}, whose values are no quotients of polynomials", "a network with degrees"
        ) from None
    weights, inputs = (sum(getattr(one, name) for one in degrees.denominators) for name in ("weights", "inputs"))
    return Degree(value.weights + weights, value.inputs + inputs, value.shape)
