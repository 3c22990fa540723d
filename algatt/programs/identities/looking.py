"""What identities ask of results."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

__all__ = [
    "factors",
    "fills",
    "is_ones",
    "is_row",
    "is_sum_of",
    "is_total",
    "is_weights_column",
    "pairs",
    "same_shape",
    "spans",
    "terms",
]

PARTIAL = {"reciprocal", "sqrt", "log"}
"""Operations of this package without a value at some numbers."""


def pairs(made: Rewriting, number: int, operation: str) -> list[tuple[int, int]]:
    """Return the operands of a sum or an entrywise product in both orders; nothing of other results."""
    one = made[number]
    return [one.operands, one.operands[::-1]] if one.operation == operation else []  # type: ignore[list-item]


def factors(made: Rewriting, number: int) -> list[int]:
    """Return what is multiplied entry by entry, products of products being taken apart."""
    one = made[number]
    return [each for part in one.operands for each in factors(made, part)] if one.operation == "multiply" else [number]


def terms(made: Rewriting, number: int) -> list[int]:
    """Return what is added, sums of sums being taken apart."""
    one = made[number]
    return [each for part in one.operands for each in terms(made, part)] if one.operation == "add" else [number]


def same_shape(made: Rewriting, one: int, other: int) -> bool:
    """Return whether two results have one shape, so that neither is spread."""
    return made[one].shape == made[other].shape


def fills(made: Rewriting, whole: int, part: int) -> bool:
    """Return whether a part of a sum is not spread in it."""
    return made[whole].shape == made[part].shape


def is_row(made: Rewriting, number: int) -> bool:
    """Return whether all rows of a result are one where it is spread over more: it has one row, or no axes."""
    shape = made[number].shape
    return len(shape) < 2 or shape[0] == 1


def is_weights_column(made: Rewriting, number: int) -> bool:
    """Return whether a result is a column of weights."""
    shape = made[number].shape
    return len(shape) == 2 and shape[1] == 1 and shape[0] > 1 and made.is_weights(number)


def spans(made: Rewriting, number: int) -> bool:
    """Return whether a result is a matrix with tokens as columns and more than one row."""
    return made.axes[number] == (False, True) and made[number].shape[0] > 1


def is_sum_of(made: Rewriting, sums: int, columns: int) -> bool:
    """Return whether a result is the row of the sums of columns."""
    one = made[sums]
    return one.operation == "product" and one.operands[1] == columns and is_ones(made, one.operands[0])


def is_ones(made: Rewriting, number: int) -> bool:
    """Return whether a result is a row of ones."""
    return made[number].shape[0] == 1 and made.number_in(number) == 1


def is_total(made: Rewriting, number: int) -> bool:
    """Return whether a result has a value at all weights and inputs: it is made without quotients, roots, logarithms,
    and functions that are not of this package.
    """
    pending, seen = [number], set()
    while pending:
        one = made[pending.pop()]
        if one.operation in PARTIAL or "." in one.operation:
            return False
        new = [operand for operand in one.operands if operand not in seen]
        seen.update(new)
        pending += new
    return True
