"""What becomes of a change in each operation; docs/theory/arrows.md has the proofs."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from algatt.fields import Elements, concatenate
from algatt.programs.interpret import Results
from algatt.symmetry.arrows.changes.change import FLIPPED, Change, Recipe, UnknownChange
from algatt.symmetry.arrows.changes.column_sums import Sum
from algatt.symmetry.arrows.changes.flow import Flow

__all__ = ["RULES"]


def broadcast(recipe: Recipe | None, size: int, result_size: int) -> Recipe | None:
    """Return the recipe of a vector of one entry that stands for as many equal ones."""
    if recipe is None or size == result_size:
        return recipe
    return lambda results, V: np.ones((result_size, 1), dtype=np.int64) @ recipe(results, V)


def through_add(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    """A vector of a row or a column that is spread is spread alike. Scales are those of a sum if they are equal."""
    operands = flow.uses[number].operands
    spread = []
    for operand, change in zip(operands, changed, strict=True):
        if change is not None:
            along = flow.uses.width if change.kind == "rows" else flow.uses.height
            recipe = broadcast(change.recipe, along(operand), along(number))
            spread.append(change if recipe is change.recipe else dataclasses.replace(change, recipe=recipe))
    if len(spread) == 2:
        if spread[0].kind == spread[1].kind == "scale":
            if spread[0].parts != spread[1].parts:
                raise UnknownChange
            return spread[0]
        return spread[0].plus(spread[1])
    (change,) = spread
    other = operands[1] if changed[0] is not None else operands[0]
    flow.absorb(change, other, number)
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
    factor = flow.uses.constant(other)
    if factor is not None:
        along, operand = (flow.uses.width if change.kind == "rows" else flow.uses.height), operands[one is None]
        recipe = broadcast(change.recipe, along(operand), along(number))
        return dataclasses.replace(change, recipe=recipe).times(factor)
    if (flow.uses.height(other) if change.kind == "rows" else flow.uses.width(other)) != 1:
        raise UnknownChange
    recipe = flow.known(change, other)
    if recipe is None:
        return flow.fresh(change.kind)
    if change.kind == "rows":
        return flow.fresh("rows", lambda results, V: recipe(results, V) * results[other].T, flow.uses.width(number))
    return flow.fresh("columns", lambda results, V: recipe(results, V) * results[other], flow.uses.height(number))


def through_transpose(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    change = only(changed)
    if change.kind == "scale":
        raise UnknownChange
    return dataclasses.replace(change, kind=FLIPPED[change.kind])


def through_product(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    change = only(changed)
    left, right = flow.uses[number].operands
    return of_left(flow, change, right) if changed[0] is not None else of_right(flow, change, left)


def of_left(flow: Flow, change: Change, right: int) -> Change | None:
    """The products (L + 1 r^T) R and (L + c 1^T) R = L R + c (1^T R), in which all entries of 1^T R are equal; or, of
    what is weighted, (L + c (1/g)^T) R = L R + c ((1/g)^T R).
    """
    if change.kind == "rows":
        total = flow.sums.over(right, flow.gain) if flow.is_ray(change) else None
        if total is not None:
            return of_ray(flow, change, total)
        recipe = flow.known(change, right)
        matrix = None if recipe is None else lambda results, V: results[right].T @ recipe(results, V)
        return flow.fresh("rows", matrix, flow.uses.width(right))
    if change.kind == "weighted":
        total, change = flow.sums.over(right, flow.gain), dataclasses.replace(change, kind="columns")
    else:
        total = flow.sums[right] if change.kind == "columns" else None
    if total is None:
        raise UnknownChange
    if not total.of:
        return change.times(total.number)
    return flow.fresh_multiple(change, total)


def of_ray(flow: Flow, change: Change, total: Sum) -> Change | None:
    """The product (L + c 1 (1/g)^T) R = L R + c 1 ((1/g)^T R): the same number is added to all entries."""
    if total == Sum():
        return None
    height, (factor,) = flow.uses.height(flow.place[0]), change.parts.values()

    def recipe(results: Results, V: Elements) -> Elements:
        return Elements.of(results.field, np.ones((height, 1), dtype=np.int64)) * factor * total.value(results) @ V

    return flow.fresh("columns", recipe, 1)


def of_right(flow: Flow, change: Change, left: int) -> Change | None:
    """The products L R diag(s), L (R + c 1^T) and L (R + 1 r^T), in the last one L being a constant with equal sums of
    rows.
    """
    if change.kind == "scale":
        return change
    if change.kind == "columns":
        recipe = flow.known(change, left)
        matrix = None if recipe is None else lambda results, V: results[left] @ recipe(results, V)
        return flow.fresh("columns", matrix, flow.uses.height(left))
    factor = flow.uses.constant(left)
    if factor is None:
        raise UnknownChange
    return change.times(factor * flow.uses.width(left))


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
    if change.kind == "rows" and flow.sums[operands[1] if one is not None else operands[0]] == Sum():
        return None
    raise UnknownChange


def through_centre(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    change = only(changed)
    if change.kind == "rows":
        return None
    if change.kind == "scale":
        return change
    recipe = change.recipe
    matrix = None if recipe is None else lambda results, V: recipe(results, V).centre()
    return flow.fresh("columns", matrix, flow.uses.height(number) - 1)


def through_rotate(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    change = only(changed)
    if change.kind != "scale":
        raise UnknownChange
    return change


def through_take(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    change = only(changed)
    (operand,) = flow.uses[number].operands
    rows, columns = flow.uses[number].argument
    of_rows = change.kind == "columns"
    along, full = (rows, flow.uses.height(operand)) if of_rows else (columns, flow.uses.width(operand))
    if tuple(along) == tuple(range(full)):
        return change
    if change.kind == "scale":
        raise UnknownChange
    recipe = change.recipe
    matrix = None if recipe is None else lambda results, V: recipe(results, V)[along, :]
    return flow.fresh(change.kind, matrix, len(along))


def through_concatenate(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    """Parts that change alike; or columns that are put below each other, and rows side by side, zeros where nothing
    changes. A number that is added to all entries of rows that are put below each other is added to all rows.
    """
    first = next(change for change in changed if change is not None)
    below = flow.uses[number].argument == 0
    kinds = {change.kind for change in changed if change is not None}
    if below and kinds == {"columns"} and are_equal_numbers(flow, number, changed):
        return flow.fresh("rows", broadcast(first.recipe, 1, flow.uses.width(number)), 1)
    if below and kinds == {"columns"}:
        recipe = stacked(flow.uses[number].operands, changed, flow.uses.height)
        return flow.fresh("columns", recipe, flow.uses.height(number))
    if not below and kinds == {"rows"}:
        recipe = stacked(flow.uses[number].operands, changed, flow.uses.width)
        return flow.fresh("rows", recipe, flow.uses.width(number))
    if (first.kind == "columns") == below or any(
        change is None or (change.kind, change.parts) != (first.kind, first.parts) for change in changed
    ):
        raise UnknownChange
    return first


def are_equal_numbers(flow: Flow, number: int, changed: Sequence[Change | None]) -> bool:
    """Return whether all parts are rows to which the same number is added."""
    operands = flow.uses[number].operands
    if len(operands) < 2 or any(flow.uses.height(operand) != 1 for operand in operands):
        return False
    return len({None if one is None else frozenset(one.parts.items()) for one in changed}) == 1


def stacked(operands: Sequence[int], changed: Sequence[Change | None], size: Callable[[int], int]) -> Recipe | None:
    """Return the recipe of vectors of sizes that are put below each other, None standing for no change; None if one is
    not known.
    """
    known = [None if change is None else change.recipe for change in changed]
    recipes = [recipe for recipe in known if recipe is not None]
    if len(recipes) < sum(change is not None for change in changed):
        return None

    def recipe(results: Results, V: Elements) -> Elements:
        zero = V[[0]] * 0
        return concatenate(
            [
                np.ones((size(operand), 1), dtype=np.int64) @ zero if one is None else one(results, V)
                for operand, one in zip(operands, known, strict=True)
            ]
        )

    return recipe


def through_reciprocal(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    return powered(changed, Fraction(-1))


def through_sqrt(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    if not flow.is_positive(only(changed)):
        raise UnknownChange
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
    return Change("scale", change.parts, sources=change.conditions)


def through_positive(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    """Signs do not change with positive factors."""
    change = only(changed)
    if change.kind != "scale" or not flow.is_positive(change):
        raise UnknownChange
    return None


def through_largest(flow: Flow, number: int, changed: list[Change | None]) -> Change | None:
    """The order in a column changes neither with positive factors nor with a number that is added to all of it."""
    change = only(changed)
    if change.kind == "columns" or (change.kind == "scale" and not flow.is_positive(change)):
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
