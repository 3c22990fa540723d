"""Types of the results of a program, checked: how each of them moves when the weights do.

A result M has the type (L, R) along a vector field if its derivative is L M + M R for all weights and inputs. The rules
are those of docs/theory/types.md, read in the direction in which they are proved: from types of operands to that of the
result. The value has to stay.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from .actions import (
    Action,
    conjugated,
    is_diagonal,
    is_moving,
    is_unmarked,
    multiple_of,
    plus,
    row_sum_of,
    still,
    times,
    transposed,
)
from .constants import Rows, Sparse, centring, known_constants, selection, sparse, turning
from .families import Element, TypedFamily, action_of
from .limits import Refused
from .program import Instruction, sizes

__all__ = ["MOST_TYPED_TOGETHER", "Untyped", "check_types"]

MOST_TYPED = 5 * 10**7
"""So many steps are taken at most, of which a million takes about two seconds: a result along one vector field is one,
and so is an entry of its type.
"""

MOST_TYPED_TOGETHER = 2 * 10**8
"""So many steps all families of a certificate take at most."""

Type = tuple[Action, Action]


class Untyped(Exception):
    """No rule gives a result a type, or the value moves."""


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
    induction = Induction(program, family)
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


class Induction:
    """The types of all results along one vector field after another.

    Parameters
    ----------
    program : sequence of Instruction
        The program.
    family : TypedFamily
        The vector fields.
    """

    def __init__(self, program: Sequence[Instruction], family: TypedFamily) -> None:
        self.program, self.family = program, family
        self.constants = known_constants(program)
        self.zeros = {number for number, rows in self.constants.items() if not any(map(any, rows))}
        self.matrices: dict[tuple[int, str], Sparse] = {}  # constants that were asked for
        self.asked: set[tuple[int, str]] = set()  # images
        self.imaged = {number for number, _ in family.images}
        self.element: Element = {}
        self.steps = 0

    def follow(self, element: Element) -> None:
        """Give every result a type, and require that the value does not move.

        Raises
        ------
        Untyped
            If a rule does not allow it.
        """
        self.element = element
        family, types = self.family, list[Type | None]()
        for number, one in enumerate(self.program):
            found = None
            if one.operation == "tensor":
                height, width = sizes(one.shape)
                parts = [family.axes.get((one.argument, side), ()) for side in ("rows", "columns")]
                found = (
                    action_of(parts[0], height, family.spaces, element),
                    action_of(parts[1], width, family.spaces, element),
                )
            elif number in self.constants:  # rules that read its entries rely on its type being that of what stays
                found = None
            elif number in self.imaged or any(types[operand] is not None for operand in one.operands):
                operands = [types[operand] or unmoved(self.program[operand]) for operand in one.operands]
                found = self.rule(number, one, operands)
            self.steps += 1
            if found is not None:
                self.count(len(found[0].entries) + len(found[1].entries))
                found = found if any(map(is_moving, found)) else None
            types.append(found)
        self.count(0)
        if types[-1] is not None and not is_fixed(types[-1]):
            raise Untyped("the value moves")

    def rule(self, number: int, one: Instruction, operands: Sequence[Type]) -> Type | None:
        """Return the type of a result; None if it does not move, its L and R being zero."""
        rule = TYPE_RULES.get(one.operation)
        if rule is None:
            raise Untyped(f"there is no rule for {one.operation}, instruction {number}")
        return rule(self, number, one, operands)

    def count(self, steps: int) -> None:
        """Count steps."""
        self.steps += steps
        if self.steps > MOST_TYPED:
            raise Refused("a family by types", f"one that takes more than {MOST_TYPED} steps", "smaller")

    def require(self, condition: bool, number: int, what: str) -> None:
        """Raise `Untyped` unless a condition holds."""
        if not condition:
            raise Untyped(f"instruction {number}, {self.program[number].operation}: {what}")

    def shape(self, number: int) -> tuple[int, int]:
        """Return the numbers of rows and columns of a result."""
        return sizes(self.program[number].shape)

    def image(self, number: int, side: str, make: Callable[[], Sparse], action: Action) -> Action:
        """Return T with T C = C L for a constant C: a multiple of the identity, plus what the family says, if it does.

        On the columns C, L and T are transposed: R C = C T.
        """
        claimed = self.family.images.get((number, side), ())
        height = self.shape(number)[0 if side == "rows" else 1]
        if not claimed and not action.entries:
            return still(height, action.multiple)
        if (number, side) not in self.matrices:
            self.matrices[number, side] = make()
        C = self.matrices[number, side]
        T = action_of(claimed, height, self.family.spaces, self.element)
        T = Action(height, 0, (T if side == "rows" else transposed(T)).entries)
        if claimed:
            self.asked.add((number, side))
        self.require(is_unmarked(action) and is_unmarked(T), number, f"gains do not cancel, {side}")
        s = factor_of(self.difference(T, C, action), C)
        self.require(s is not None, number, f"{'another' if claimed else 'no'} image is claimed, {side}")
        return plus(T, still(height, (s or 0) + action.multiple))

    def difference(self, left: Action, C: Sparse, right: Action) -> dict[tuple[int, int], Any]:
        """Return the entries of C L - T C that are not zero, for the entries of actions T and L without markers."""
        self.count(
            sum(len(C.columns[j]) for j, _, _ in right.entries) + sum(len(C.rows[j]) for _, j, _ in left.entries)
        )
        found: dict[tuple[int, int], Any] = {}
        for (j, k, _), entry in right.entries.items():
            for i, value in C.columns[j]:
                found[i, k] = found.get((i, k), 0) + value * entry
        for (i, j, _), entry in left.entries.items():
            for k, value in C.rows[j]:
                found[i, k] = found.get((i, k), 0) - entry * value
        return {place: value for place, value in found.items() if value}


def factor_of(entries: Mapping[tuple[int, int], Any], C: Sparse) -> Fraction | None:
    """Return s with entries s C, or None if there is none."""
    if not entries:
        return Fraction(0)
    (first, column), value = next(iter(entries.items()))
    divisor = dict(C.rows[first]).get(column)
    if divisor is None or len(entries) != sum(map(len, C.rows)):
        return None
    s = Fraction(value) / divisor
    multiples = (entries.get((i, k)) == s * entry for i, row in enumerate(C.rows) for k, entry in row)
    return s if all(multiples) else None


def unmoved(one: Instruction) -> Type:
    """Return the type of a result that does not move."""
    height, width = sizes(one.shape)
    return still(height), still(width)


def is_fixed(one: Type) -> bool:
    """Return whether an array does not move: L and R are multiples of the identity that cancel."""
    left, right = multiple_of(one[0]), multiple_of(one[1])
    return left is not None and right is not None and left + right == 0


def turned_over(one: Type) -> Type:
    """Return the type of the transposed array."""
    return transposed(one[1]), transposed(one[0])


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
