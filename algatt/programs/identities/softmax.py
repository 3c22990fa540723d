"""Identities of exponentials that are divided by the sums of their columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.programs.identities.looking import factors, is_row, is_sum_of, is_total, pairs, terms

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

__all__ = ["mask_before_exponential", "normalised_values", "shift_before_softmax"]


def shift_before_softmax(made: Rewriting, left: int, right: int) -> int | None:
    """E / 1^T E, with E = exp(A + 1 r) * M, is the same without r, for every row r; and with E = e * r without r, if r
    is a row of exponentials.
    """
    for columns, below in ((left, right), (right, left)):
        if made[below].operation != "reciprocal" or not is_sum_of(made, made[below].operands[0], columns):
            continue
        kept = [without_rows(made, factor, made[columns].shape) for factor in factors(made, columns)]
        if [number for number in kept if number is not None] == factors(made, columns):
            continue
        left_over = [number for number in kept if number is not None]
        if not left_over:
            continue
        found = made.product_of(left_over)
        if made[found].shape != made[columns].shape:
            continue
        sums = made.multiplied(made.ones(1, made[columns].shape[0]), found)
        return made.combined("multiply", found, made.write("reciprocal", sums))
    return None


def without_rows(made: Rewriting, factor: int, shape: tuple[int, ...]) -> int | None:
    """Return a factor without the rows that a softmax of a shape drops; None if all of it is dropped."""
    one = made[factor]
    if one.operation != "exp" or shape[0] < 2:
        return factor
    if is_row(made, factor) and is_total(made, one.operands[0]):
        return None
    given = terms(made, one.operands[0])
    kept = [uncentred(made, term) for term in given if not (is_row(made, term) and is_total(made, term))]
    return factor if not kept or kept == given else made.write("exp", made.sum_of(kept))


def uncentred(made: Rewriting, number: int) -> int:
    """Return a result to which its means are added again, if they were taken off."""
    inner, factor = made.without_factor(number)
    return made.scaled(made[inner].operands[0], factor) if made[inner].operation == "centre" else number


def normalised_values(made: Rewriting, left: int, right: int) -> int | None:
    """(V E) * (1 / 1^T E) = V (E * (1 / 1^T E)), as columns are divided."""
    for values, below in ((left, right), (right, left)):
        one = made[values]
        if made[below].operation == "reciprocal" and one.operation == "product":
            mixed, columns = one.operands
            if is_sum_of(made, made[below].operands[0], columns):
                return made.multiplied(mixed, made.combined("multiply", columns, below))
    return None


def mask_before_exponential(made: Rewriting, left: int, right: int) -> int | None:
    """exp(A * M) * M = exp(A) * M for a matrix M of zeros and ones, as both are 0 where M is."""
    for mask, exponential in ((left, right), (right, left)):
        entries, one = made.entries(mask), made[exponential]
        if entries is None or one.operation != "exp" or not all(entry in (0, 1) for entry in entries.flat):
            continue
        for other, masked in pairs(made, one.operands[0], "multiply"):
            if other == mask and made[masked].shape == one.shape and is_total(made, masked):
                return made.combined("multiply", made.write("exp", masked), mask)
    return None
