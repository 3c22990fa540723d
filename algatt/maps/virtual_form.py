"""What the function of a network sees of its weights: the content of its value in the virtual form."""

from __future__ import annotations

from collections.abc import Hashable

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import InvalidArgument, MethodError
from algatt.fields import Elements, Virtual
from algatt.parameters import Weights
from algatt.programs.interpret import interpret

__all__ = ["have_one_form", "virtual_content"]


def virtual_content(field: Virtual, arch: Architecture, theta: Weights) -> Hashable | None:
    """Return the content of the value of a network; None if an operation has no form.

    Raises
    ------
    DivisionByZero
        If a denominator is zero for every input: there is no function.
    """
    program = verbs.program(arch)
    names = verbs.coordinates(arch)
    tensors = {
        name: Elements(field, field.tensor(element)) for name, element in zip(names, theta.elements, strict=True)
    }
    X = Elements(field, field.input(arch.input_shape, tokens=arch.vocabulary is not None and arch.source is None))
    try:
        return field.content(interpret(program, field, tensors, X).raw)
    except (MethodError, InvalidArgument):
        return None


def have_one_form(arch: Architecture, one: Weights, two: Weights) -> bool:
    """Return whether two points over an exact field have values of one content, so that they are one function.

    The converse does not hold: functions may be equal for reasons that no rule knows.
    """
    field = Virtual(one.field)
    first = virtual_content(field, arch, one)
    return first is not None and first == virtual_content(field, arch, two)
