"""What the function of a network sees of its weights: the content of its value in the virtual form."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar, cast

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import InvalidArgument, MethodError
from algatt.fields import Elements, Rationals, Virtual
from algatt.fields.virtual.forms import Form
from algatt.parameters import Parameters, Weights
from algatt.programs.interpret import interpret

__all__ = ["exactly", "have_one_form", "virtual_content", "virtual_value"]

P = TypeVar("P", bound=Parameters)


def virtual_value(field: Virtual, arch: Architecture, theta: Parameters) -> Form | None:
    """Return the value of a network as a virtual form; None if an operation has no form.

    Raises
    ------
    DivisionByZero
        If a denominator is zero for every input: there is no function.
    """
    elements = [Elements(field, field.tensor(element)) for element in theta.elements]
    X = Elements(field, field.input(arch.input_shape, tokens=arch.vocabulary is not None and arch.source is None))
    try:
        if isinstance(theta, Weights):
            tensors = dict(zip(verbs.coordinates(arch), elements, strict=True))
            value = interpret(verbs.program(arch), field, tensors, X)
        else:
            value = verbs.evaluate(arch, theta.replace(elements), X)
    except (MethodError, InvalidArgument):
        return None
    return cast(Form, value.raw)


def virtual_content(field: Virtual, arch: Architecture, theta: Parameters) -> Hashable | None:
    """Return the content of the value of a network; None if an operation has no form.

    Raises
    ------
    DivisionByZero
        If a denominator is zero for every input: there is no function.
    """
    value = virtual_value(field, arch, theta)
    return None if value is None else field.content(value)


def have_one_form(arch: Architecture, one: Weights, two: Weights) -> bool:
    """Return whether two points over an exact field have values of one content, so that they are one function.

    The converse does not hold: functions may be equal for reasons that no rule knows.
    """
    field = Virtual(one.field)
    first = virtual_content(field, arch, one)
    return first is not None and first == virtual_content(field, arch, two)


def exactly(theta: P) -> P:
    """Return floats as the rational numbers that they are; other points as they are."""
    if theta.field.exact:
        return theta
    field = Rationals()
    return theta.replace([Elements(field, verbs.encode(field, one.raw)) for one in theta.elements])
