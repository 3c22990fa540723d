"""Places of the largest entries of columns, which a router chooses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.programs.identities.entries import factors, is_row

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting


def largest_of_exponentials(made: Rewriting, operand: int, argument: int) -> int | None:
    """The largest entries of a column of exp(A) are where those of A are; also of exp(A) / 1^T exp(A), whose columns
    are those of exp(A) times positive numbers.
    """
    exponentials = [one for one in factors(made, operand) if made[one].operation == "exp"]
    if len(exponentials) != 1 or made[exponentials[0]].shape != made[operand].shape:
        return None
    (found,) = exponentials
    if not all(one == found or is_positive_row(made, one) for one in factors(made, operand)):
        return None
    return made.write("largest", made[found].operands[0], argument=argument)


def is_positive_row(made: Rewriting, number: int) -> bool:
    """Return whether a result is a row of reciprocals of sums of exponentials."""
    if made[number].operation != "reciprocal" or not is_row(made, number):
        return False
    inside = made[made[number].operands[0]]
    if inside.operation != "product":
        return False
    entries = made.entries(inside.operands[0])
    return made[inside.operands[1]].operation == "exp" and entries is not None and bool((entries == 1).all())
