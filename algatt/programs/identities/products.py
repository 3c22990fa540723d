"""Identities of products of matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

__all__ = [
    "keys_of_products",
    "permuted_rows",
    "permuted_sum",
    "product_from_the_right",
    "rows_joined",
    "values_before_queries",
]


def permuted_sum(made: Rewriting, left: int, right: int) -> int | None:
    """A^T B = (P A)^T (P B) for a permutation P, as rows are added in any order."""
    turned = made[left].operation == "transpose"
    first, second = made[made[left].operands[0] if turned else left], made[right]
    if first.operation != "take" or second.operation != "take":
        return None
    rows, columns = first.argument
    order, others = (rows, columns) if turned else (columns, rows)
    shape = made[first.operands[0]].shape
    whole, beside = (shape[0], shape[1]) if turned else (shape[1], shape[0])
    given = made[second.operands[0]].shape
    if order != second.argument[0] or sorted(order) != list(range(whole)) or others != tuple(range(beside)):
        return None
    if given[0] != whole or second.argument[1] != tuple(range(given[1])):
        return None
    factor = made.transposed(first.operands[0]) if turned else first.operands[0]
    return made.multiplied(factor, second.operands[0])


def permuted_rows(made: Rewriting, left: int, right: int) -> int | None:
    """(P W) A = P (W A) for a permutation P of the rows of weights W."""
    one = made[left]
    if one.operation != "take" or made[one.operands[0]].shape != one.shape or not made.is_weights(left):
        return None
    rows, columns = one.argument
    if columns != tuple(range(one.shape[1])):
        return None
    return made.taken(made.multiplied(one.operands[0], right), rows, tuple(range(made[right].shape[1])))


def product_from_the_right(made: Rewriting, left: int, right: int) -> int | None:
    """(A B) C = A (B C) for weights A and B."""
    one = made[left]
    if one.operation != "product" or not made.is_weights(left):
        return None
    outer, inner = one.operands
    return made.multiplied(outer, made.multiplied(inner, right))


def values_before_queries(made: Rewriting, left: int, right: int) -> int | None:
    """V (K^T Q) = (V K^T) Q, where nothing else is done to the scores."""
    one = made[right]
    if one.operation != "product" or not all(made.axes[right]) or made.axes[left] != (False, True):
        return None
    keys, queries = one.operands
    return made.multiplied(made.multiplied(left, keys), queries)


def keys_of_products(made: Rewriting, left: int, right: int) -> int | None:
    """A^T (B (C A)) = (B^T A)^T (C A) for weights B and C, A having tokens as columns."""
    first, second = made[left], made[right]
    if first.operation != "transpose" or second.operation != "product" or made.axes[left] != (True, False):
        return None
    weights, inner = second.operands
    last = made[inner]
    if last.operation != "product" or last.operands[1] != first.operands[0]:
        return None
    if not all(made.is_weights(one) for one in (weights, last.operands[0])):
        return None
    return made.multiplied(made.transposed(made.multiplied(made.transposed(weights), made.transposed(left))), inner)


def rows_joined(made: Rewriting, left: int, right: int) -> int | None:
    """[A; B] C = [A C; B C] and [A, B] [C; D] = A C + B D for weights A and B."""
    one = made[left]
    if one.operation != "concatenate" or not made.is_weights(left):
        return None
    if one.argument == 0:
        return made.joined(tuple(made.multiplied(part, right) for part in one.operands), 0)
    start, found = 0, []
    columns = tuple(range(made[right].shape[1]))
    for part in one.operands:
        stop = start + made[part].shape[1]
        found.append(made.multiplied(part, made.taken(right, tuple(range(start, stop)), columns)))
        start = stop
    return made.sum_of(found)
