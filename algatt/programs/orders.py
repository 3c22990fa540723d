"""Permutations of rows and columns, written outside of what they permute: f(P A Q) = P f(A) Q for entrywise functions,
(P A Q) (Q^T B R) = P (A B) R, P E = E if all rows of E are equal.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from algatt.programs.parts import ENTRYWISE, TOGETHER, taken

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

Order = tuple[int, ...]
"""Row number i of the result is row number ``order[i]``."""

Orders = tuple[Order | None, Order | None]
"""Orders of rows and columns; None where they stay."""

STAY: Orders = (None, None)

BY_ROWS = ("centre", "largest")
"""Operations on columns, whose rows are in the order of those of the operand."""


def orders_of(made: Rewriting, number: int) -> tuple[int, Orders]:
    """Return the result of which another one is a permutation, with the orders; of others the result itself.

    The places that are taken are different: as many as there are is all of them.
    """
    one = made[number]
    if one.operation == "transpose":
        inner, (rows, columns) = orders_of(made, one.operands[0])
        return (number, STAY) if (rows, columns) == STAY else (made.transposed(inner), (columns, rows))
    inner, factor = made.without_factor(number)
    if factor != 1:
        inner, orders = orders_of(made, inner)
        return (number, STAY) if orders == STAY else (made.scaled(inner, factor), orders)
    if one.operation != "take" or made[one.operands[0]].shape != one.shape:
        return number, STAY
    stay = (tuple(range(size)) for size in one.shape)
    rows, columns = (None if order == places else order for order, places in zip(one.argument, stay, strict=True))
    return one.operands[0], (rows, columns)


def ordered(made: Rewriting, number: int, orders: Orders) -> int:
    """Write a result with its rows and columns in orders."""
    if orders == STAY:
        return number
    rows, columns = (
        tuple(range(size)) if order is None else order for order, size in zip(orders, made[number].shape, strict=True)
    )
    return taken(made, number, rows, columns)


def has_equal(made: Rewriting, number: int, axis: int) -> bool:
    """Return whether a result has equal rows or columns, in whatever order: if it has one alone, which is spread over
    those of others, or is a constant with equal ones, or is made of what has them.
    """
    while len(made.equal) <= number:  # from the first one on: programs are deep
        made.equal.append((is_equal_along(made, len(made.equal), 0), is_equal_along(made, len(made.equal), 1)))
    return made.equal[number][axis]


def is_equal_along(made: Rewriting, number: int, axis: int) -> bool:
    """Return the same of a result, if it is known of all before."""
    one, entries = made[number], made.entries(number)
    if len(one.shape) < 2 or one.shape[axis] == 1:
        return True
    if entries is not None:
        return bool((entries == np.take(entries, [0], axis=axis)).all())
    if one.operation == "product":
        return made.equal[one.operands[axis]][axis]
    keeps_equal = one.operation in (*ENTRYWISE, "centre") or one.operation not in TOGETHER
    return keeps_equal and bool(one.operands) and all(made.equal[operand][axis] for operand in one.operands)


def keeps(made: Rewriting, number: int, orders: Orders) -> bool:
    """Return whether a result is a constant that orders do not change."""
    entries = made.entries(number)
    if entries is None or entries.ndim < 2:
        return entries is not None
    after = entries
    for axis, order in enumerate(orders):
        if order is not None and entries.shape[axis] > 1:
            after = np.take(after, order, axis=axis)
    return bool((after == entries).all())


def orders_outside(made: Rewriting, operation: str, operands: tuple[int, ...], argument: Any) -> int | None:
    """Return the result of an operation with the permutations of its operands outside; None if there are none."""
    found = [orders_of(made, operand) for operand in operands]
    if all(orders == STAY for _, orders in found):
        return None

    def write(*inside: int) -> int:
        return made.write(operation, *inside, argument=argument)

    if operation == "product":
        return of_product(made, found, write)
    if operation == "column_products":
        (left, one), (right, two) = found
        return ordered(made, write(left, right), (None, one[1])) if one == two else None
    if operation in ENTRYWISE:
        return of_entries(made, operands, found, (0, 1), write)
    if operation == "concatenate":
        across = of_entries(made, operands, found, (1 - argument,), write)
        return of_stacked(made, operands, found, write) if across is None and argument == 0 else across
    (inside, orders), *_ = found
    if operation in BY_ROWS:
        rows = (orders[0], None)
        return None if rows == STAY else ordered(made, write(ordered(made, inside, (None, orders[1]))), rows)
    if len(operands) == 1 and operation not in TOGETHER:
        return ordered(made, write(inside), orders)
    return None


def of_product(made: Rewriting, found: list[tuple[int, Orders]], write: Callable[..., int]) -> int | None:
    """Write the product of permuted matrices; a constant takes up the order of what it multiplies."""
    (left, (rows, inner)), (right, (other, columns)) = found
    first, second = made.entries(left), made.entries(right)
    if other is not None and first is not None:
        left, inner = made.constant(first[:, np.argsort(other)]), other
    elif inner is not None and second is not None:
        right, other = made.constant(second[np.argsort(inner)]), inner
    elif inner is not None and has_equal(made, right, 0):
        other = inner
    elif other is not None and has_equal(made, left, 1):
        inner = other
    if inner != other:
        if rows is columns is None:
            return None
        left, right = ordered(made, left, (None, inner)), ordered(made, right, (other, None))
    return ordered(made, write(left, right), (rows, columns))


def of_entries(
    made: Rewriting,
    operands: tuple[int, ...],
    found: list[tuple[int, Orders]],
    axes: tuple[int, ...],
    write: Callable[..., int],
) -> int | None:
    """Write a sum or an entrywise product of matrices in one order, or matrices side by side with rows in one order;
    constants that it does not change have any.
    """
    common: list[Order | None] = [None, None]
    for axis in axes:
        own = {
            orders[axis]
            for operand, (_, orders) in zip(operands, found, strict=True)
            if not has_equal(made, operand, axis) and made.entries(operand) is None
        }
        if len(own) > 1:
            return None
        common[axis] = own.pop() if own else None
    outside = (common[0], common[1])
    if outside == STAY or not all(
        made.entries(operand) is None or keeps(made, operand, outside) for operand in operands
    ):
        return None
    left = [tuple(None if axis in axes else order for axis, order in enumerate(orders)) for _, orders in found]
    inside = [ordered(made, number, (rows, columns)) for (number, _), (rows, columns) in zip(found, left, strict=True)]
    return ordered(made, write(*inside), outside)


def of_stacked(
    made: Rewriting, operands: tuple[int, ...], found: list[tuple[int, Orders]], write: Callable[..., int]
) -> int | None:
    """Write matrices below each other: [P A; R B] is a permutation of [A; B]."""
    rows: list[int] = []
    inside: list[int] = []
    for operand, (number, (order, columns)) in zip(operands, found, strict=True):
        alone = order if columns is None else None
        start = len(rows)
        rows += [start + row for row in alone or range(made[operand].shape[0])]
        inside.append(operand if alone is None else number)
    return None if inside == list(operands) else ordered(made, write(*inside), (tuple(rows), None))
