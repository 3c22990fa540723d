r"""How a change of a tensor goes through a program.

Three kinds of change of a result n are followed: ``rows``, :math:`n + 1 r^T`, the same row added to all rows;
``columns``, :math:`n + c 1^T`, the same column added to all columns; and ``scale``, :math:`n\, \mathrm{diag}(s)`,
columns multiplied by positive numbers. The vectors may depend on all weights and inputs. What comes out of an operation
is one of them again, or no change at all, or nothing that is known; docs/theory/arrows.md has the rules with their
proofs.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from algatt.fields import Elements, concatenate
from algatt.maps.interpret import Results
from algatt.symmetry.arrows.uses import Uses

__all__ = ["Absorbed", "Change", "Flow", "Recipe", "Sum", "UnknownChange"]

Recipe = Callable[[Results], Elements]
"""What returns a matrix M, given the results that are quotients of polynomials in the weights: the vector of a change
is M v.
"""

FLIPPED = {"rows": "columns", "columns": "rows"}


class UnknownChange(Exception):
    """A result changes in no way that is followed."""


@dataclass(frozen=True)
class Change:
    """How a result changes.

    Parameters
    ----------
    kind : str
        ``rows``, ``columns`` or ``scale``.
    parts : dict of int to Fraction
        The vector as a combination of vectors by their numbers; of scales the exponents.
    recipe : Recipe or None
        The vector as a linear function of that of the tensor at the beginning, if it is one that does not depend on
        the input.
    """

    kind: str
    parts: Mapping[int, Fraction]
    recipe: Recipe | None = None

    def times(self, factor: Fraction) -> Change | None:
        """Return the change of a multiple; of scales, that of a power."""
        if not factor:
            return None
        recipe = self.recipe
        parts = {number: factor * value for number, value in self.parts.items()}
        return Change(self.kind, parts, None if recipe is None else lambda results: recipe(results) * factor)

    def plus(self, other: Change) -> Change | None:
        """Return the change of a sum; of scales, that of a product.

        Raises
        ------
        UnknownChange
            If they are of different kinds.
        """
        if self.kind != other.kind:
            raise UnknownChange
        parts = dict(self.parts)
        for number, value in other.parts.items():
            parts[number] = parts.get(number, Fraction(0)) + value
        parts = {number: value for number, value in parts.items() if value}
        return Change(self.kind, parts, summed(self.recipe, other.recipe)) if parts else None


def summed(one: Recipe | None, two: Recipe | None) -> Recipe | None:
    """Return the recipe of a sum, None if one is not known."""
    return None if one is None or two is None else lambda results: one(results) + two(results)


@dataclass(frozen=True)
class Absorbed:
    """A tensor that takes a change up, so that a sum does not change.

    Parameters
    ----------
    tensor : str
        Its name.
    kind : str
        ``rows`` or ``columns``: how it changes.
    recipe : Recipe
        The vector that is subtracted.
    """

    tensor: str
    kind: str
    recipe: Recipe


@dataclass(frozen=True)
class Sum:
    """A number that does not depend on the input.

    Parameters
    ----------
    number : Fraction
        A constant.
    of : dict of int to Fraction
        Results with one column whose sums are added to it, with factors.
    """

    number: Fraction = Fraction(0)
    of: Mapping[int, Fraction] = field(default_factory=dict)

    def times(self, factor: Fraction) -> Sum:
        """Return a multiple."""
        return Sum(self.number * factor, {one: value * factor for one, value in self.of.items()} if factor else {})

    def plus(self, other: Sum) -> Sum:
        """Return a sum."""
        of = dict(self.of)
        for one, value in other.of.items():
            of[one] = of.get(one, Fraction(0)) + value
        return Sum(self.number + other.number, {one: value for one, value in of.items() if value})

    def value(self, results: Results) -> Elements | Fraction:
        """Return its value, a number or a 1 x 1 matrix."""
        total: Elements | Fraction = self.number
        for one, factor in self.of.items():
            total = results[one].sum(axis=0) * factor + total
        return total


@dataclass
class Flow:
    """The changes of the results of a program.

    Parameters
    ----------
    uses : Uses
        The program.
    one_hot : bool
        Whether the columns of the input add up to one.
    sums : dict of int to Sum or None
        The sums of columns that are known already; they are those of the program, whatever changes.
    """

    uses: Uses
    one_hot: bool
    sums: dict[int, Sum | None] = field(default_factory=dict, repr=False)
    changes: dict[int, Change] = field(default_factory=dict)
    absorbed: list[Absorbed] = field(default_factory=list)
    count: int = 0

    def run(self, start: int, kind: str) -> bool:
        """Change a tensor by any rows or columns, let others absorb what they can, and return whether the value stays.

        Parameters
        ----------
        start : int
            The number of the tensor.
        kind : str
            ``rows`` or ``columns``.
        """
        shape = self.uses[start].shape
        size = shape[-1] if kind == "rows" else shape[0]
        self.changes[start] = self.fresh(kind, lambda results: unit(results, size))
        pending = list(self.uses.users[start])
        heapq.heapify(pending)
        done = {start}
        while pending:
            number = heapq.heappop(pending)
            if number in done:
                continue
            done.add(number)
            try:
                change = self.after(number)
            except UnknownChange:
                return False
            if change is not None:
                if number == len(self.uses) - 1:
                    return False
                self.changes[number] = change
                for user in self.uses.users[number]:
                    heapq.heappush(pending, user)
        return start != len(self.uses) - 1

    def after(self, number: int) -> Change | None:
        """Return the change of a result, given those of what it is made of; None if it does not change.

        Raises
        ------
        UnknownChange
            If it is none that is followed.
        """
        one = self.uses[number]
        changed = [self.changes.get(operand) for operand in one.operands]
        if not any(changed):
            return None
        if one.operation not in RULES:
            raise UnknownChange
        return RULES[one.operation](self, number, changed)

    def fresh(self, kind: str, recipe: Recipe | None = None) -> Change:
        """Return a change by a new vector."""
        self.count += 1
        return Change(kind, {self.count: Fraction(1)}, recipe)

    def known(self, change: Change, number: int) -> Recipe | None:
        """Return the recipe of a change if a factor is a matrix that it may be made of, else None."""
        return change.recipe if self.uses.is_rational(number) and len(self.uses[number].shape) == 2 else None

    def height(self, number: int) -> int:
        """Return the number of rows of a result."""
        shape = self.uses[number].shape
        return shape[-2] if len(shape) > 1 else 1

    def width(self, number: int) -> int:
        """Return the number of columns of a result."""
        shape = self.uses[number].shape
        return shape[-1] if shape else 1

    def constant(self, number: int) -> Fraction | None:
        """Return the number that all entries of a constant are, or None."""
        one = self.uses[number]
        if one.operation == "reciprocal":
            below = self.constant(one.operands[0])
            return 1 / below if below else None
        return one.argument[0] if one.operation == "constant" and len(set(one.argument)) == 1 else None

    def column_sum(self, number: int) -> Sum | None:
        """Return the sum that all columns of a result have whatever the input is, or None.

        Centred columns add up to zero; unit vectors, and what was divided by its sums, to one; and one column to its
        sum.
        """
        for earlier in range(len(self.sums), number + 1):  # without recursion, which long programs are too deep for
            self.sums[earlier] = self.sum_of_columns(earlier)
        return self.sums[number]

    def sum_of_columns(self, number: int) -> Sum | None:
        """Compute what `column_sum` keeps, given those of all results before."""
        one = self.uses[number]
        if one.operation == "centre":
            return Sum()
        if one.operation == "input":
            return Sum(Fraction(1)) if self.one_hot else None
        if one.shape[1:] == (1,) and self.uses.is_rational(number):
            return Sum(of={number: Fraction(1)})
        parts = [self.sums[operand] for operand in one.operands]
        if one.operation == "negate" and parts[0] is not None:
            return parts[0].times(Fraction(-1))
        if one.operation == "add" and all(self.height(operand) == self.height(number) for operand in one.operands):
            return None if parts[0] is None or parts[1] is None else parts[0].plus(parts[1])
        if one.operation == "product" and parts[0] is not None and not parts[0].of:
            # 1^T L R is c 1^T R if 1^T L is c 1^T
            return Sum() if not parts[0].number else None if parts[1] is None else parts[1].times(parts[0].number)
        if one.operation == "multiply":
            for part, other, total in zip(one.operands, one.operands[::-1], parts, strict=True):
                if self.is_sum(other, part):
                    return Sum(Fraction(1))
                if total == Sum() and self.height(other) == 1 and self.uses[part].shape == one.shape:
                    return total
        return None

    def is_sum(self, number: int, part: int) -> bool:
        """Return whether a result is made of the reciprocals of the sums of the columns of another."""
        if self.uses[number].operation != "reciprocal":
            return False
        (below,) = self.uses[number].operands
        total = self.uses[below]
        if total.operation != "product" or total.operands[1] != part or total.shape[0] != 1:
            return False
        return self.constant(total.operands[0]) == 1

    def absorb(self, change: Change, number: int, user: int) -> bool:
        """Let a tensor take up a change of the other operand of a sum, and return whether it does: it is used for
        nothing else.
        """
        kind, recipe = change.kind, change.recipe
        if kind == "scale" or recipe is None:
            return False
        size = self.height(user) if kind == "columns" else self.width(user)
        while self.uses.is_used_by(number, user) and number not in self.changes:
            one = self.uses[number]
            if len(one.shape) != 2 or one.shape[kind == "rows"] != size:
                return False
            if one.operation == "tensor":
                if any(one.argument == other.tensor for other in self.absorbed):
                    return False
                self.absorbed.append(Absorbed(one.argument, kind, recipe))
                return True
            if one.operation == "add":  # a bias in a sum that is used here alone, but not twice
                return len(set(one.operands)) == 2 and any(
                    self.absorb(Change(kind, change.parts, recipe), other, number) for other in one.operands
                )
            if one.operation == "transpose":
                kind = FLIPPED[kind]
            elif one.operation != "take" or tuple(one.argument[kind == "rows"]) != tuple(range(size)):
                return False
            user, (number,) = number, one.operands
        return False


def unit(results: Results, size: int) -> Elements:
    """Return the identity matrix over the field of results."""
    return Elements.of(results.field, np.eye(size, dtype=np.int64))


def broadcast(recipe: Recipe | None, size: int, result_size: int) -> Recipe | None:
    """Return the recipe of a vector of one entry that stands for as many equal ones."""
    if recipe is None or size == result_size:
        return recipe
    return lambda results: np.ones((result_size, 1), dtype=np.int64) @ recipe(results)


def through_add(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    """A vector of a row or a column that is spread is spread alike. Scales are those of a sum if they are equal."""
    operands = flow.uses[number].operands
    spread = []
    for operand, change in zip(operands, changed, strict=True):
        if change is not None:
            along = flow.width if change.kind == "rows" else flow.height
            recipe = broadcast(change.recipe, along(operand), along(number))
            spread.append(Change(change.kind, change.parts, recipe))
    if len(spread) == 2:
        if spread[0].kind == spread[1].kind == "scale":
            if spread[0].parts != spread[1].parts:
                raise UnknownChange
            return spread[0]
        return spread[0].plus(spread[1])
    (change,) = spread
    other = operands[1] if changed[0] is not None else operands[0]
    if flow.absorb(change, other, number):
        return None
    if change.kind == "scale":
        raise UnknownChange
    return change


def through_negate(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    change = only(changed)
    return change if change.kind == "scale" else change.times(Fraction(-1))


def only(changed: list[Change | None]) -> Change:
    """Return the one change of the operands.

    Raises
    ------
    UnknownChange
        If there are two.
    """
    found = [change for change in changed if change is not None]
    if len(found) != 1:
        raise UnknownChange
    return found[0]


def through_multiply(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    """Products of scaled results are scaled by the products. An added row may be multiplied by a row, and an added
    column by a column.
    """
    one, two = changed
    if one is not None and two is not None:
        if one.kind != "scale":
            raise UnknownChange
        return one.plus(two)
    change = only(changed)
    operands = flow.uses[number].operands
    other = operands[1] if one is not None else operands[0]
    if change.kind == "scale":
        return change
    factor = flow.constant(other)
    if factor is not None:
        along, operand = (flow.width if change.kind == "rows" else flow.height), operands[one is None]
        recipe = broadcast(change.recipe, along(operand), along(number))
        return Change(change.kind, change.parts, recipe).times(factor)
    if (flow.height(other) if change.kind == "rows" else flow.width(other)) != 1:
        raise UnknownChange
    recipe = flow.known(change, other)
    if recipe is None:
        return flow.fresh(change.kind)
    if change.kind == "rows":
        return flow.fresh("rows", lambda results: recipe(results) * results[other].T)
    return flow.fresh("columns", lambda results: recipe(results) * results[other])


def through_transpose(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    change = only(changed)
    if change.kind == "scale":
        raise UnknownChange
    return Change(FLIPPED[change.kind], change.parts, change.recipe)


def through_product(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    change = only(changed)
    left, right = flow.uses[number].operands
    return of_left(flow, change, right) if changed[0] is not None else of_right(flow, change, left)


def of_left(flow: Flow, change: Change, right: int) -> Change | None:
    """The products (L + 1 r^T) R and (L + c 1^T) R = L R + c (1^T R), in which all entries of 1^T R are equal."""
    if change.kind == "rows":
        recipe = flow.known(change, right)
        return flow.fresh("rows", None if recipe is None else lambda results: results[right].T @ recipe(results))
    total = flow.column_sum(right) if change.kind == "columns" else None
    if total is None:
        raise UnknownChange
    if not total.of:
        return change.times(total.number)
    return flow.fresh("columns", multiplied(change.recipe, total))


def multiplied(recipe: Recipe | None, total: Sum) -> Recipe | None:
    """Return the recipe of a vector that is multiplied by a number."""
    return None if recipe is None else lambda results: recipe(results) * total.value(results)


def of_right(flow: Flow, change: Change, left: int) -> Change | None:
    """The products L R diag(s), L (R + c 1^T) and L (R + 1 r^T), in the last one L being a constant with equal sums of
    rows.
    """
    if change.kind == "scale":
        return change
    if change.kind == "columns":
        recipe = flow.known(change, left)
        return flow.fresh("columns", None if recipe is None else lambda results: results[left] @ recipe(results))
    factor = flow.constant(left)
    if factor is None:
        raise UnknownChange
    return change.times(factor * flow.width(left))


def through_column_products(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    """Scales multiply. A row that is added to all rows is not seen by columns that add up to zero."""
    one, two = changed
    if one is not None and two is not None:
        if one.kind != "scale":
            raise UnknownChange
        return one.plus(two)
    change = only(changed)
    if change.kind == "scale":
        return change
    operands = flow.uses[number].operands
    if change.kind == "rows" and flow.column_sum(operands[1] if one is not None else operands[0]) == Sum():
        return None
    raise UnknownChange


def through_centre(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    change = only(changed)
    if change.kind == "rows":
        return None
    if change.kind == "scale":
        return change
    recipe = change.recipe
    return flow.fresh("columns", None if recipe is None else lambda results: recipe(results).centre())


def through_rotate(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    change = only(changed)
    if change.kind != "scale":
        raise UnknownChange
    return change


def through_take(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    change = only(changed)
    (operand,) = flow.uses[number].operands
    rows, columns = flow.uses[number].argument
    along, full = (columns, flow.width(operand)) if change.kind in ("rows", "scale") else (rows, flow.height(operand))
    if tuple(along) == tuple(range(full)):
        return change
    if change.kind == "scale":
        raise UnknownChange
    recipe = change.recipe
    return flow.fresh(change.kind, None if recipe is None else lambda results: recipe(results)[along, :])


def through_concatenate(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    """Parts that change alike; or columns that are put below each other, zeros where nothing changes."""
    first = next(change for change in changed if change is not None)
    below = flow.uses[number].argument == 0
    kinds = {change.kind for change in changed if change is not None}
    if below and kinds == {"columns"}:
        return flow.fresh("columns", stacked(flow, flow.uses[number].operands, changed))
    if (first.kind == "columns") == below or any(
        change is None or (change.kind, change.parts) != (first.kind, first.parts) for change in changed
    ):
        raise UnknownChange
    return first


def stacked(flow: Flow, operands: Sequence[int], changed: Sequence[Change | None]) -> Recipe | None:
    """Return the recipe of columns that are put below each other, None standing for no change; None if one is not
    known.
    """
    known = [None if change is None else change.recipe for change in changed]
    recipes = [recipe for recipe in known if recipe is not None]
    if len(recipes) < sum(change is not None for change in changed):
        return None

    def recipe(results: Results) -> Elements:
        zero = recipes[0](results)[[0]] * 0
        return concatenate(
            [
                np.ones((flow.height(operand), 1), dtype=np.int64) @ zero if one is None else one(results)
                for operand, one in zip(operands, known, strict=True)
            ]
        )

    return recipe


def through_reciprocal(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    return powered(changed, Fraction(-1))


def through_sqrt(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    return powered(changed, Fraction(1, 2))


def powered(changed: list[Change | None], exponent: Fraction) -> Change | None:
    """Return the change of powers of scaled results."""
    change = only(changed)
    if change.kind != "scale":
        raise UnknownChange
    return change.times(exponent)


def through_exp(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    """Exponentials of x + 1 r^T are those of x, their columns multiplied by those of r."""
    change = only(changed)
    if change.kind != "rows":
        raise UnknownChange
    return Change("scale", change.parts)


def through_positive(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    """Signs do not change with positive factors."""
    if only(changed).kind != "scale":
        raise UnknownChange
    return None


def through_largest(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    """The order in a column changes neither with positive factors nor with a number that is added to all of it."""
    if only(changed).kind == "columns":
        raise UnknownChange
    return None


RULES: dict[str, Callable[[Flow, int, list[Any]], Change | None]] = {
    "add": through_add,
    "negate": through_negate,
    "multiply": through_multiply,
    "transpose": through_transpose,
    "product": through_product,
    "column_products": through_column_products,
    "centre": through_centre,
    "rotate": through_rotate,
    "take": through_take,
    "concatenate": through_concatenate,
    "reciprocal": through_reciprocal,
    "sqrt": through_sqrt,
    "exp": through_exp,
    "positive": through_positive,
    "largest": through_largest,
}
"""What becomes of a change, by operation; where there is no rule, nothing is known."""
