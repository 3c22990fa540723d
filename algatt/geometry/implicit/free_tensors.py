"""Tensors that the function does not depend on while others are zero."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.parameters import Weights
from algatt.programs import Program

MOST_CHOICES = 2**10
"""Maximum number of choices of tensors that stay zero."""

OF_ANY_ZERO = {"multiply", "product", "column_products"}
"""Operations whose result is zero where one operand is."""

OF_ALL_ZERO = {"add", "concatenate", "negate", "transpose", "take", "centre", "rotate", "erf"}
"""Operations whose result is zero where all operands are."""


def free_tensors(arch: Architecture, theta: Weights) -> Iterator[frozenset[str]]:
    """Iterate over sets of tensors that may be anything near a point without a change of the function, since other
    tensors are zero there: values and outputs, where all queries of a head are.

    Read off the program: a product with a factor that is zero is zero. Nothing that the value does not need any more
    changes it, wherever it has a value.
    """
    zero = [
        name
        for name, element in zip(theta.names(), theta.elements, strict=True)
        if all(entry == 0 for entry in element.raw.flat)
    ]
    choices = itertools.chain.from_iterable(itertools.combinations(zero, count) for count in range(1, len(zero) + 1))
    sets = (unread(program(arch), chosen) for chosen in itertools.islice(choices, MOST_CHOICES))
    yield from {one for one in sets if one}


def unread(of: Program, zero: Iterable[str]) -> frozenset[str]:
    """Return the tensors that the value does not need while some are zero."""
    zero = frozenset(zero)
    vanishes: list[bool] = []
    for one in of.instructions:
        operands = [vanishes[operand] for operand in one.operands]
        vanishes.append(
            (one.operation == "tensor" and one.argument in zero)
            or (one.operation == "constant" and not any(one.argument))
            or (one.operation in OF_ANY_ZERO and any(operands))
            or (one.operation in OF_ALL_ZERO and all(operands))
        )
    needed = [False] * len(vanishes)
    needed[-1] = True
    for number in reversed(range(len(vanishes))):
        if needed[number] and not vanishes[number]:
            for operand in of.instructions[number].operands:
                needed[operand] = True
    read = {one.argument for one, yes in zip(of.instructions, needed, strict=True) if yes and one.operation == "tensor"}
    return frozenset(of.tensors) - read - zero
