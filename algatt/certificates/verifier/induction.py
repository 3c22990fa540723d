"""The induction over a program that gives each of its results a type, along one vector field after another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from .actions import Action, is_moving, is_unmarked, multiple_of, plus, still, transposed
from .constants import Sparse, known_constants
from .families import Element, TypedFamily, action_of
from .limits import Refused
from .program import Instruction, sizes

__all__ = ["MOST_TYPED", "Induction", "Type", "Untyped", "is_fixed", "turned_over", "unmoved"]

MOST_TYPED = 10**7
"""So many steps are taken at most, of which a million takes about two seconds: a result along one vector field is one,
and so is an entry of its type.
"""

Type = tuple[Action, Action]
"""(L, R): the derivative of a result M is L M + M R."""


class Untyped(Exception):
    """No rule gives a result a type, or the value moves."""


class Induction:
    """The types of all results along one vector field after another.

    Parameters
    ----------
    program : sequence of Instruction
        The program.
    family : TypedFamily
        The vector fields.
    rules : mapping of str to callable
        What gives the result of an instruction its type, for each operation.
    """

    def __init__(
        self, program: Sequence[Instruction], family: TypedFamily, rules: Mapping[str, Callable[..., Type | None]]
    ) -> None:
        self.program, self.family, self.rules = program, family, rules
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
        rule = self.rules.get(one.operation)
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
