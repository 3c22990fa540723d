"""What is read off a network by evaluating it over another field: its program, and the degrees of its values."""

from __future__ import annotations

import functools

from algatt import verbs
from algatt.architectures.base import Architecture
from algatt.errors import InvalidArgument, MethodError
from algatt.fields import Degree, Degrees, Elements
from algatt.parameters import Weights
from algatt.programs import Program, Trace
from algatt.programs.passes import rewritten


@functools.lru_cache(maxsize=64)
def program(arch: Architecture) -> Program:
    """Return the straight-line `Program` of a network, recorded by evaluating it, in normal form: rewritten by the
    identities of docs/theory/normal_form.md.

    Common subexpressions are in it once, and nothing that the value does not need. Printed, it has a line for each
    instruction, with the shape of its result. Cost: one evaluation without numbers, the first time; who asks again gets
    the same program, with its table of uses.

    Parameters
    ----------
    arch : Architecture
        The network.
    """
    trace = Trace()
    shapes = verbs.coordinates(arch)
    theta = Weights(tuple(Elements(trace, trace.tensor(name, shape)) for name, shape in shapes.items()), tuple(shapes))
    value = verbs.evaluate(arch, theta, Elements(trace, trace.input(arch.input_shape)))
    return rewritten(trace.program(value.raw))


@functools.lru_cache(maxsize=256)
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
