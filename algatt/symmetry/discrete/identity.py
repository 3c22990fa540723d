"""Whether a program with its tensors moved is the same program: a proof by normal forms.

Every result of the moved program is written as a result of the program with rows and columns in another order. Sums and
entrywise products do not depend on the order of their terms, and an order of the columns of A and the same one of the
rows of B cancel in A B. What does not cancel is kept as an operation of its own. So equal normal forms are equal
functions, whatever the functions of one variable are.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from algatt.programs import Program
from algatt.programs.trace import Instruction
from algatt.symmetry.discrete.moves import Move, Moves, Order

Shape = tuple[int, ...]

KEEPS_ORDER = ("negate", "reciprocal", "largest", "centre")
"""Besides functions of one variable, operations whose results have their rows in the order of those of the operand."""

ORDERED = ("take", "concatenate", "rotate", "column_products", "product", "transpose", "add", "multiply")


@dataclass(frozen=True)
class Moved:
    """A result with its rows and columns in another order.

    Parameters
    ----------
    number : int
        The normal form.
    shape : tuple of int
        Its shape.
    orders : tuple
        The orders of its rows and columns; None where it stays.
    """

    number: int
    shape: Shape
    orders: tuple[Order | None, Order | None] = (None, None)


@dataclass
class NormalForms:
    """Normal forms, numbered: equal ones have one number."""

    numbers: dict[Hashable, int] = field(default_factory=dict)
    terms: dict[int, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    constants: dict[int, np.ndarray] = field(default_factory=dict)

    def number(self, *form: Hashable) -> int:
        """Return the number of a normal form."""
        return self.numbers.setdefault(form, len(self.numbers))

    def constant(self, entries: np.ndarray) -> Moved:
        """Return a constant, which takes up every order."""
        number = self.number("constant", entries.shape, tuple(entries.ravel().tolist()))
        self.constants[number] = entries
        return Moved(number, entries.shape)

    def settle(self, one: Moved) -> Moved:
        """Return a result as it stands: its order becomes an operation."""
        if one.orders == (None, None):
            return one
        if one.number in self.constants:
            return self.constant(ordered(self.constants[one.number], one.orders))
        return Moved(self.number("order", one.number, one.orders), one.shape)

    def ordered_by(self, one: Moved, orders: tuple[Order | None, Order | None]) -> Moved:
        """Return a constant as one in the given order."""
        back = tuple(None if order is None else inverse_order(order) for order in orders)
        return self.constant(ordered(self.constants[one.number], (back[0], back[1])))


def ordered(entries: np.ndarray, orders: tuple[Order | None, Order | None]) -> np.ndarray:
    """Return a matrix with other orders of its rows and columns."""
    for axis, order in zip((-2, -1), orders, strict=True):
        if order is not None and entries.ndim == 2 and entries.shape[axis] > 1:
            entries = np.take(entries, order, axis=axis)
    return entries


def inverse_order(order: Order) -> Order:
    """Return the order that leads back."""
    return tuple(int(place) for place in np.argsort(order))


def proper(order: Order | None) -> Order | None:
    """Return an order, or None if it changes nothing."""
    return None if order is None or order == tuple(range(len(order))) else order


def is_same_program(program: Program, moves: Moves) -> bool:
    """Return whether a program with its tensors moved has the normal form of the program."""
    forms = NormalForms()
    return normal_form(forms, program, {}) == normal_form(forms, program, moves)


def normal_form(forms: NormalForms, program: Program, moves: Moves) -> int:
    """Return the number of the normal form of a program with its tensors moved."""
    results: list[Moved] = []
    for one in program.instructions:
        results.append(moved_result(forms, one, [results[operand] for operand in one.operands], moves))
    return forms.settle(results[-1]).number


def moved_result(forms: NormalForms, one: Instruction, operands: list[Moved], moves: Moves) -> Moved:
    """Return the result of an instruction for operands in other orders."""
    if one.operation == "tensor":
        move = moves.get(one.argument, Move(one.argument))
        orders = (proper(move.rows), proper(move.columns))
        return Moved(forms.number("tensor", move.source, one.shape), one.shape, orders)
    if one.operation == "input":
        return Moved(forms.number("input"), one.shape)
    if one.operation == "constant":
        return forms.constant(np.array(one.argument, dtype=object).reshape(one.shape))
    if len(one.shape) == 2:
        if one.operation in ("add", "multiply"):
            return moved_terms(forms, one, operands)
        if one.operation == "product":
            return moved_product(forms, one, *operands)
        if one.operation == "column_products":
            return moved_column_products(forms, one, *operands)
        if one.operation == "transpose":
            return Moved(forms.number("transpose", operands[0].number), one.shape, operands[0].orders[::-1])
        if one.operation == "take":
            return moved_part(forms, one, *operands)
        if one.operation == "concatenate":
            return moved_concatenation(forms, one, operands)
        keeps_order = one.operation in KEEPS_ORDER or one.operation not in ORDERED
        if keeps_order and len(operands) == 1 and operands[0].shape == one.shape:
            number = forms.number(one.operation, one.argument, operands[0].number)
            return Moved(number, one.shape, operands[0].orders)
    settled = tuple(forms.settle(operand).number for operand in operands)
    return Moved(forms.number(one.operation, one.argument, one.shape, settled), one.shape)


def spread(orders: tuple[Order | None, Order | None], shape: Shape) -> tuple[Order | None, Order | None]:
    """Return the orders of the axes along which an array of a shape is not spread."""
    rows, columns = ((1, 1) + shape)[-2:]
    return (orders[0] if rows > 1 else None, orders[1] if columns > 1 else None)


def moved_terms(forms: NormalForms, one: Instruction, operands: list[Moved]) -> Moved:
    """Return a sum or an entrywise product, its terms sorted; constants take the order of the others."""
    places = [[o.orders[axis] for o in operands if not fixed(forms, o, axis)] for axis in (0, 1)]
    orders = (places[0][0] if places[0] else None, places[1][0] if places[1] else None)
    terms: list[int] = []
    fitting = []
    for operand in operands:
        wanted = spread(orders, operand.shape)
        if operand.number in forms.constants:
            fitting.append(forms.ordered_by(forms.settle(operand), wanted))
        elif operand.orders == wanted:
            fitting.append(operand)
        else:
            orders = (None, None)
            fitting = [forms.settle(other) for other in operands]
            break
    for operand in fitting:
        kind, inner = forms.terms.get(operand.number, ("", ()))
        terms += inner if kind == one.operation and operand.shape == one.shape else (operand.number,)
    terms.sort()
    number = forms.number(one.operation, one.shape, tuple(terms))
    forms.terms[number] = (one.operation, tuple(terms))
    return Moved(number, one.shape, orders)


def fixed(forms: NormalForms, one: Moved, axis: int) -> bool:
    """Return whether an operand has no say in the order along an axis: it is a constant, or spread."""
    return one.number in forms.constants or ((1, 1) + one.shape)[-2:][axis] == 1


def moved_product(forms: NormalForms, one: Instruction, left: Moved, right: Moved) -> Moved:
    if left.number in forms.constants:
        left = forms.ordered_by(forms.settle(left), (None, right.orders[0]))
    elif right.number in forms.constants:
        right = forms.ordered_by(forms.settle(right), (left.orders[1], None))
    elif left.orders[1] != right.orders[0]:
        left, right = forms.settle(left), forms.settle(right)
    outer = left.orders[0], right.orders[1]
    return Moved(forms.number("product", left.number, right.number), one.shape, outer)


def moved_column_products(forms: NormalForms, one: Instruction, left: Moved, right: Moved) -> Moved:
    if left.orders != right.orders or {left.number, right.number} & forms.constants.keys():
        left, right = forms.settle(left), forms.settle(right)
    pair = tuple(sorted((left.number, right.number)))
    return Moved(forms.number("column_products", pair), one.shape, (None, left.orders[1]))


def moved_part(forms: NormalForms, one: Instruction, whole: Moved) -> Moved:
    """Return some rows and columns: all rows, or all columns, keep their order, and others are looked up in theirs."""
    chosen, orders = [], []
    for part, order, size in zip(one.argument, whole.orders, whole.shape, strict=True):
        keeps = part == tuple(range(size))
        chosen.append(part if keeps or order is None else tuple(order[place] for place in part))
        orders.append(order if keeps else None)
    return Moved(forms.number("take", whole.number, *chosen), one.shape, (orders[0], orders[1]))


def moved_concatenation(forms: NormalForms, one: Instruction, operands: list[Moved]) -> Moved:
    """Return parts below each other or side by side, whose columns or rows are in one order."""
    across = 1 - one.argument
    order = next((part.orders[across] for part in operands if not fixed(forms, part, across)), None)
    orders = (order, None) if across == 0 else (None, order)
    fitting = []
    for part in operands:
        if part.number in forms.constants:
            fitting.append(forms.ordered_by(forms.settle(part), orders))
        elif part.orders == orders:
            fitting.append(part)
        else:
            orders = (None, None)
            fitting = [forms.settle(other) for other in operands]
            break
    numbers = tuple(part.number for part in fitting)
    return Moved(forms.number("concatenate", one.argument, one.shape, numbers), one.shape, orders)
