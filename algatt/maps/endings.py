"""Where differences of weights end: the operations of a program whose results are the same although what they take is
not. Where a dimension or an equality is not proven, these are what no rule explains.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.errors import MethodError, NoValue
from algatt.fields import Elements
from algatt.parameters import Weights
from algatt.programs.interpret import Program, Results
from algatt.programs.uses import RATIONAL

RING = RATIONAL - {"reciprocal"}
"""Operations that are made of sums and products: what they take says more than they do."""


def results_of(arch: Architecture, tensors: Iterable[Elements], X: Elements) -> Results:
    """Return the results of the program of a network at a point, given by its tensors, and at one input."""
    return Results(program(arch), X.field, dict(zip(verbs.coordinates(arch), tensors, strict=True)), X)


def endings(found: Program, differ: Collection[int]) -> list[int]:
    """Return the instructions whose results do not differ although that of an operand does."""
    return [
        number
        for number, one in enumerate(found.instructions)
        if number not in differ and any(operand in differ for operand in one.operands)
    ]


def in_words(found: Program, number: int, differ: Collection[int]) -> str:
    """Return an instruction with its number, and of which functions, and tensors that differ, it takes sums and
    products.
    """
    one = found.instructions[number]
    sources: dict[str, None] = {}
    asked = list(one.operands)
    for operand in asked:
        given = found.instructions[operand]
        if given.operation == "tensor" and operand in differ:
            sources[given.argument] = None
        elif given.operation in RING:
            asked += [further for further in given.operands if further not in asked]
        elif given.operation != "input":
            sources[f"{given.operation} (%{operand})"] = None
    return f"{one.operation} (%{number}) of {', '.join(sources) or 'the input'}"


def first_without_value(arch: Architecture, theta: Weights, X: Elements) -> str | None:
    """Return the first operation that has no value at a point and an input, in words; None if all have one, or if some
    have no rule over the field.
    """
    results = results_of(arch, theta.elements, X)
    try:
        for number in range(len(results.program)):
            results[number]
    except NoValue:
        return in_words(results.program, number, range(number))
    except MethodError:
        return None
    return None
