"""What the function of a network sees of its weights: the content of its value in the virtual form."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeVar, cast

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.errors import DivisionByZero, InvalidArgument, MethodError, NoValue
from algatt.fields import Elements, PrimeField, Rationals, Virtual
from algatt.fields.prime import residues_of_floats
from algatt.fields.real import precision_of
from algatt.fields.virtual.forms import VirtualForm
from algatt.fields.virtual.rounded import Rounded, within_rounding
from algatt.parameters import Parameters, Weights
from algatt.programs.interpret import interpret

P = TypeVar("P", bound=Parameters)

SCREEN = 2**31 - 1
"""The prime modulo which floats are compared first: their rational numbers grow with each product, residues do not."""


def virtual_value(field: Virtual, arch: Architecture, theta: Parameters) -> VirtualForm | None:
    """Return the value of a network as a virtual form; None if an operation has no form.

    Raises
    ------
    DivisionByZero
        If a denominator is zero for every input: there is no function.
    """
    elements = [Elements(field, field.tensor(element)) for element in theta.elements]
    X = virtual_input(field, arch)
    try:
        if isinstance(theta, Weights):
            tensors = dict(zip(verbs.coordinates(arch), elements, strict=True))
            value = interpret(program(arch), field, tensors, X)
        else:
            value = verbs.evaluate(arch, theta.replace(elements), X)
    except (MethodError, InvalidArgument):
        return None
    return cast(VirtualForm, value.raw)


def virtual_input(field: Virtual, arch: Architecture) -> Elements:
    """Return the input of a network in the field of virtual forms."""
    return Elements(field, field.input(arch.input_shape, tokens=arch.vocabulary is not None and arch.source is None))


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


def floats_have_one_form(arch: Architecture, one: Weights, two: Weights) -> bool:
    """Return whether two points of floats have values of one content, as the rational numbers that they are.

    Contents that differ modulo a prime are taken to differ; so an answer may be missed, and none is wrong.
    """
    field = PrimeField(SCREEN)
    try:
        if not have_one_form(arch, reduce(field, one), reduce(field, two)):
            return False
    except DivisionByZero:  # perhaps modulo the prime alone
        pass
    return have_one_form(arch, exactly(one), exactly(two))


def have_one_form_within_rounding(arch: Architecture, one: Weights, two: Weights, tolerance: float) -> bool:
    """Return whether two points of floats have values of one content within rounding. That is no proof.

    Atoms of the second point are matched to those of the first one in the order of the program.
    """
    try:
        return have_one_form(arch, rounded(one, tolerance), rounded(two, tolerance))
    except NoValue:  # a denominator that may be zero, or numbers that fit two others
        return False


def rounded(theta: P, tolerance: float) -> P:
    """Return a point of floats as numbers that are known within rounding."""
    field = Rounded(tolerance=tolerance)
    return theta.replace([within_rounding(field, one.raw, precision_of(one.field)) for one in theta.elements])


def reduce(field: PrimeField, theta: P) -> P:
    """Return a real point, its floats as what they are, modulo a prime: what is not zero there is not zero."""
    residues = [residues_of_floats(element.raw, field.p) for element in theta.elements]
    return theta.replace([Elements(field, raw.astype(field.dtype)) for raw in residues])


def exactly(theta: P) -> P:
    """Return floats as the rational numbers that they are; other points as they are."""
    if theta.field.exact:
        return theta
    field = Rationals()
    return theta.replace([Elements(field, verbs.encode(field, one.raw)) for one in theta.elements])
