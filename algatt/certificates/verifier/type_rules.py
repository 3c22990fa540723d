"""The rules for types: how the result of an instruction moves, from how its operands do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from .actions import (
    Action,
    conjugated,
    is_diagonal,
    is_unmarked,
    multiple_of,
    plus,
    row_sum_of,
    still,
    times,
    transposed,
)
from .constants import Rows, Sparse, centring, selection, sparse, turning
from .induction import Induction, Type, Untyped, is_fixed, turned_over, unmoved
from .program import Instruction, sizes

__all__ = ["TYPE_RULES"]


def type_of_product(induction: Induction, number: int, one: Instruction, operands: Sequence[Type]) -> Type:
    left, right = (induction.constants.get(operand) for operand in one.operands)
    return type_of_factors(induction, number, (operands[0], left), (operands[1], right))


Factor = tuple[Type, Rows | None]
"""A type, and the entries of a constant."""


def type_of_factors(induction: Induction, number: int, left: Factor, right: Factor) -> Type:
    """C B: (T, R_B) with T C = C L_B; A C: (L_A, T) with R_A C = C T; A B: (L_A + s I, R_B) with R_A + L_B = s I."""
    (A, first), (B, second) = left, right
    if first is not None:
        return induction.image(number, "rows", lambda: sparse(first), B[0]), B[1]
    if second is not None:
        return A[0], transposed(induction.image(number, "columns", lambda: sparse(second).T, transposed(A[1])))
    s = multiple_of(plus(A[1], B[0]))
    if s is None:
        raise Untyped(f"instruction {number}, product: what acts between the factors does not cancel")
    return plus(A[0], still(A[0].size, s)), B[1]


def type_of_sum(induction: Induction, number: int, one: Instruction, operands: Sequence[Type]) -> Type | None:
    height, width = sizes(one.shape)
    first, second = one.operands
    for zero, place in ((first, 1), (second, 0)):
        if zero in induction.zeros and induction.shape(one.operands[place]) == (height, width):
            return operands[place]
    A, B = operands
    if induction.shape(first) != (height, width):
        first, second, A, B = second, first, B, A
    if induction.shape(first) != (height, width):
        induction.require(is_fixed(A) and is_fixed(B), number, "a row and a column are added, and one of them moves")
        return None
    rows, columns = induction.shape(second)
    left, right = B
    if rows < height:
        total = row_sum_of(A[0])
        induction.require(total is not None, number, "a row is spread, and rows of what acts have different sums")
        left, right = A[0], plus(right, still(columns, left.multiple - (total or 0)))
    if columns < width:
        total = row_sum_of(transposed(A[1]))
        induction.require(total is not None, number, "a column is spread, and columns of what acts have different sums")
        left, right = plus(left, still(height, right.multiple - (total or 0))), A[1]
    s = multiple_of(plus(A[0], left, -1))
    induction.require(s is not None, number, "the summands move differently, on the rows")
    opposite = multiple_of(plus(A[1], right, -1))
    induction.require(opposite is not None and opposite + (s or 0) == 0, number, "the summands move differently")
    return A


def type_of_entrywise_product(
    induction: Induction, number: int, one: Instruction, operands: Sequence[Type]
) -> Type | None:
    if not induction.zeros.isdisjoint(one.operands):
        return None
    sides = []
    for axis, size in enumerate(sizes(one.shape)):
        actions = [pair[axis] for pair in operands]
        if all(varies(induction, operand, axis) for operand in one.operands) and not all(map(is_diagonal, actions)):
            sides.append(type_beside_gain(induction, number, one, operands, axis))
        else:
            first, second = (action if action.size == size else still(size, action.multiple) for action in actions)
            sides.append(plus(first, second))
    return sides[0], sides[1]


def type_beside_gain(
    induction: Induction, number: int, one: Instruction, operands: Sequence[Type], axis: int
) -> Action:
    """Where a factor is a column g, a tensor that does not move, L becomes D L D^-1 with D = diag(g); where it is a
    row, R becomes D^-1 R D.
    """
    for gain, other in ((0, 1), (1, 0)):
        tensor = one.operands[gain]
        is_tensor = induction.program[tensor].operation == "tensor" and induction.shape(tensor)[1 - axis] == 1
        if is_tensor and is_fixed(operands[gain]):
            found = conjugated(operands[other][axis], tensor, 1 if axis == 0 else -1)
            return plus(found, still(found.size, multiple_of(operands[gain][axis]) or 0))
    raise Untyped(f"instruction {number}, multiply: what acts on a factor is not diagonal")


def varies(induction: Induction, number: int, axis: int) -> bool:
    """Return whether entries of a result may differ along an axis."""
    if induction.shape(number)[axis] == 1:
        return False
    rows = induction.constants.get(number)
    if rows is None:
        return True
    return any(row != rows[0] for row in rows) if axis == 0 else any(entry != row[0] for row in rows for entry in row)


def type_of_column_products(
    induction: Induction, number: int, one: Instruction, operands: Sequence[Type]
) -> Type | None:
    A, B = operands
    first, second = one.operands
    (height, width), (rows, columns) = induction.shape(first), induction.shape(second)
    if height != rows:  # a row is spread: entrywise products are summed
        spread = Instruction("multiply", one.operands, None, (max(height, rows), max(width, columns)))
        found = type_of_entrywise_product(induction, number, spread, operands)
        left, right = found or unmoved(spread)
        ones = [[Fraction(1)] * max(height, rows)]
        return induction.image(number, "rows", lambda: sparse(ones), left), right
    if width != columns:  # a column is spread: it is transposed and multiplied
        if columns == 1:
            first, second, A, B = second, first, B, A
        column = induction.constants.get(first)
        over = None if column is None else [list(entries) for entries in zip(*column, strict=True)]
        return type_of_factors(induction, number, (turned_over(A), over), (B, induction.constants.get(second)))
    induction.require(is_diagonal(A[1]) and is_diagonal(B[1]), number, "what acts on columns is not diagonal")
    s = multiple_of(plus(transposed(A[0]), B[0]))
    induction.require(s is not None, number, "what acts between the factors does not cancel")
    return still(1, s or 0), plus(A[1], B[1])


def type_of_centred(induction: Induction, number: int, one: Instruction, operands: Sequence[Type]) -> Type:
    height = induction.shape(number)[0]

    def make() -> Sparse:
        induction.count(10 * height**2)  # its entries take much memory
        return centring(height)

    return induction.image(number, "rows", make, operands[0][0]), operands[0][1]


def type_of_turned(induction: Induction, number: int, one: Instruction, operands: Sequence[Type]) -> Type:
    angles, positions = one.argument
    ((left, right),) = operands
    height, width = induction.shape(one.operands[0])
    if height > 2 * len(angles):  # these rows are dropped
        left = induction.image(number, "rows", lambda: selection(height, range(2 * len(angles))), left)
    if width < len(positions):  # the column is spread
        right = still(len(positions), right.multiple)
    if len(set(positions)) > 1:
        induction.require(
            is_diagonal(right), number, "columns are turned differently, and what acts on them is not diagonal"
        )
    if any(positions) and multiple_of(left) is None:
        induction.require(
            is_unmarked(left) and not induction.difference(left, turning(angles), left),
            number,
            "what acts on the rows does not commute with turns",
        )
    return left, right


def type_of_part(induction: Induction, number: int, one: Instruction, operands: Sequence[Type]) -> Type:
    ((left, right),) = operands
    height, width = induction.shape(one.operands[0])
    rows, columns = one.argument
    if rows != tuple(range(height)):
        left = induction.image(number, "rows", lambda: selection(height, rows), left)
    if columns != tuple(range(width)):
        right = transposed(induction.image(number, "columns", lambda: selection(width, columns), transposed(right)))
    return left, right


def type_of_joined(induction: Induction, number: int, one: Instruction, operands: Sequence[Type]) -> Type:
    if one.argument == 1:
        return turned_over(joined_below(induction, number, [turned_over(pair) for pair in operands]))
    return joined_below(induction, number, operands)


def joined_below(induction: Induction, number: int, operands: Sequence[Type]) -> Type:
    """Parts below each other: (T, R_1) where T has the blocks L_k + s_k I, R_1 - R_k = - s_k I."""
    common = operands[0][1]
    entries: dict[Any, Any] = {}
    start, first = 0, operands[0][0].multiple
    for left, right in operands:
        negative = multiple_of(plus(common, right, -1))
        induction.require(negative is not None and is_unmarked(left), number, "the parts move differently")
        multiple = left.multiple - (negative or 0) - first
        block = Action(left.size, 0, {(k, k, ()): multiple for k in range(left.size)} if multiple else {})
        for (i, j, marker), value in plus(block, left).entries.items():
            entries[start + i, start + j, marker] = value
        start += left.size
    return Action(start, first, entries), common


def type_of_reciprocal(induction: Induction, number: int, one: Instruction, operands: Sequence[Type]) -> Type:
    left, right = diagonal_operand(induction, number, operands)
    return times(left, -1), times(right, -1)


def type_of_root(induction: Induction, number: int, one: Instruction, operands: Sequence[Type]) -> Type:
    left, right = diagonal_operand(induction, number, operands)
    return times(left, Fraction(1, 2)), times(right, Fraction(1, 2))


def type_of_gate(induction: Induction, number: int, one: Instruction, operands: Sequence[Type]) -> None:
    diagonal_operand(induction, number, operands)


def diagonal_operand(induction: Induction, number: int, operands: Sequence[Type]) -> Type:
    """Return the type of the only operand, which has to be diagonal."""
    (pair,) = operands
    induction.require(all(map(is_diagonal, pair)), number, "what acts on the operand is not diagonal")
    return pair


def type_of_largest(induction: Induction, number: int, one: Instruction, operands: Sequence[Type]) -> None:
    ((left, right),) = operands
    induction.require(multiple_of(left) is not None, number, "the entries of a column are multiplied differently")
    induction.require(is_diagonal(right), number, "what acts on columns is not diagonal")


def type_of_function(induction: Induction, number: int, one: Instruction, operands: Sequence[Type]) -> None:
    induction.require(is_fixed(operands[0]), number, "the operand moves")


TYPE_RULES: dict[str, Callable[..., Type | None]] = {
    "product": type_of_product,
    "transpose": lambda induction, number, one, operands: turned_over(operands[0]),
    "negate": lambda induction, number, one, operands: operands[0],
    "add": type_of_sum,
    "multiply": type_of_entrywise_product,
    "column_products": type_of_column_products,
    "centre": type_of_centred,
    "rotate": type_of_turned,
    "take": type_of_part,
    "concatenate": type_of_joined,
    "reciprocal": type_of_reciprocal,
    "sqrt": type_of_root,
    "positive": type_of_gate,
    "largest": type_of_largest,
    **dict.fromkeys(("exp", "log", "erf", "sigmoid"), type_of_function),
}
"""The type of a result, given those of its operands."""
