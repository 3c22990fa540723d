"""The degrees of a network as a map of rational functions, read off its own code."""

from __future__ import annotations

from algatt.architectures import Architecture
from algatt.architectures.recording import degrees_of_values
from algatt.errors import InvalidArgument
from algatt.fields import Degree

__all__ = ["degree", "turns_by_circles"]


def turns_by_circles(arch: Architecture) -> bool:
    """Return whether a network rotates by points of a circle: over GF(p) these are random, and no degree bounds what
    they may hide.
    """
    found = degrees_of_values(arch)
    return found is not None and bool(found[1].circles)


def degree(arch: Architecture) -> Degree:
    """Return bounds `Degree` of the degrees of the network's values in the weights and in the inputs, read off the
    architecture itself: those of N and D, the entries of the value being N / D with all factors multiplied out.

    A derivative times D^2 is a polynomial of degree at most deg N + deg D.

    Points at which something that is divided by vanishes are drawn again: this conditions the probability of a zero,
    which adds at most the degrees of all of it.
    """
    found = degrees_of_values(arch)
    if found is None:
        raise InvalidArgument("arch", f"{arch}, whose values are no quotients of polynomials", "a network with degrees")
    value, degrees = found[0].cleared, found[1]
    weights, inputs = (sum(getattr(one, name) for one in degrees.denominators) for name in ("weights", "inputs"))
    return Degree(value.weights + weights, value.inputs + inputs, value.shape)
