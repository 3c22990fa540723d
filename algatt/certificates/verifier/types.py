"""Types of the results of a program, checked: how each of them moves when the weights do.

A result M has the type (L, R) along a vector field if its derivative is L M + M R for all weights and inputs. The rules
are those of docs/theory/types.md, read in the direction in which they are proved: from types of operands to that of the
result. The value has to stay.
"""

from __future__ import annotations

from collections.abc import Sequence

from .families import TypedFamily
from .induction import MOST_TYPED, Induction, Untyped
from .limits import Refused
from .program import Instruction
from .type_rules import TYPE_RULES

__all__ = ["MOST_TYPED_TOGETHER", "check_types"]

MOST_TYPED_TOGETHER = 2 * 10**7
"""So many steps all families of a certificate take at most."""


def check_types(program: Sequence[Instruction], family: TypedFamily, budget: list[int] | None = None) -> str | None:
    """Say why the vector fields of a family may move the value of a program, or return None if they do not.

    Parameters
    ----------
    program : sequence of Instruction
        The program.
    family : TypedFamily
        The vector fields.
    budget : list of int, optional
        A single number, how many steps may be taken with other families together; those that are taken are subtracted.

    Raises
    ------
    Refused
        If this takes too many steps.
    """
    count = family.spaces[0] ** 2 if family.basis is None else len(family.basis)
    if count * len(program) > MOST_TYPED:
        raise Refused("a family by types", f"one that takes {count * len(program)} steps", f"of at most {MOST_TYPED}")
    induction = Induction(program, family, TYPE_RULES)
    try:
        for element in family.elements():
            induction.follow(element)
    except Untyped as error:
        return str(error)
    if budget is not None:
        budget[0] -= induction.steps
        if budget[0] < 0:
            raise Refused("families by types", f"such that take more than {MOST_TYPED_TOGETHER} steps", "fewer")
    for number, side in family.images:
        if (number, side) not in induction.asked:
            return f"nothing asks for the image of instruction {number}, {side}"
    return None
