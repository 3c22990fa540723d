"""Changes of results: rows, columns and scales, tensors that take them up, and vectors that have to vanish."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from algatt.fields import Elements
from algatt.programs.interpret import Results

__all__ = ["FLIPPED", "Absorbed", "Change", "Condition", "Recipe", "UnknownChange", "Vanishing"]

Recipe = Callable[[Results, Elements], Elements]
"""What returns the vectors M v of a change, as columns, given the results that are quotients of polynomials in the
weights, and the vectors v of the tensor at the beginning, as columns.
"""

FLIPPED = {"rows": "columns", "columns": "rows"}
"""The kinds of changes of a transpose."""


class UnknownChange(Exception):
    """A result changes in no way that is followed."""


@dataclass(frozen=True, eq=False)
class Condition:
    """The condition M v = 0 on the vector of the tensor at the beginning.

    Parameters
    ----------
    parts : dict of int to Fraction
        The vector M v as a combination of vectors by their numbers.
    recipe : Recipe
        The matrix M.
    rank : int
        What its rank is at most.
    """

    parts: Mapping[int, Fraction]
    recipe: Recipe
    rank: int


@dataclass(frozen=True)
class Change:
    """How a result changes.

    Parameters
    ----------
    kind : str
        ``rows``, ``columns`` or ``scale``; or ``weighted``, of the tensor at the beginning, of which nothing is asked
        but what becomes of its products.
    parts : dict of int to Fraction
        The vector as a combination of vectors by their numbers; of scales the exponents.
    recipe : Recipe or None
        The vector as a linear function of that of the tensor at the beginning, if it is one that does not depend on
        the input.
    rank : int
        What the rank of the matrix of the recipe is at most.
    sources : tuple of Condition
        Without a recipe: conditions under which what this one is made of vanishes, and so it does.
    """

    kind: str
    parts: Mapping[int, Fraction]
    recipe: Recipe | None = None
    rank: int = 0
    sources: tuple[Condition, ...] = ()

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """Conditions under which it vanishes; none if no such are known."""
        return self.sources if self.recipe is None else (Condition(self.parts, self.recipe, self.rank),)

    @property
    def opposite(self) -> Change:
        """The change of the negative; of scales, that of the reciprocal."""
        recipe = self.recipe
        return dataclasses.replace(
            self,
            parts={number: -value for number, value in self.parts.items()},
            recipe=None if recipe is None else lambda results, V: -recipe(results, V),
        )

    def times(self, factor: Fraction) -> Change | None:
        """Return the change of a multiple; of scales, that of a power."""
        if not factor:
            return None
        recipe = self.recipe
        return dataclasses.replace(
            self,
            parts={number: factor * value for number, value in self.parts.items()},
            recipe=None if recipe is None else lambda results, V: recipe(results, V) * factor,
        )

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
        recipe = summed(self.recipe, other.recipe)
        sources = joined((self, other)) if recipe is None else ()
        return Change(self.kind, parts, recipe, self.rank + other.rank, sources) if parts else None


def summed(one: Recipe | None, two: Recipe | None) -> Recipe | None:
    """Return the recipe of a sum, None if one is not known."""
    return None if one is None or two is None else lambda results, V: one(results, V) + two(results, V)


def joined(changes: tuple[Change, ...]) -> tuple[Condition, ...]:
    """Return conditions under which all of several changes vanish; none if none are known for one of them."""
    if not all(change.conditions for change in changes):
        return ()
    return tuple({tuple(sorted(one.parts.items())): one for change in changes for one in change.conditions}.values())


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


Parts = Mapping[int, Fraction]


@dataclass
class Vanishing:
    """Combinations of vectors that are zero, in echelon form.

    Attributes
    ----------
    rows : dict of int to Parts
        The combinations by one of their vectors, that with the largest number: minus the others is what it is equal to.
    conditions : dict of int to Condition
        What makes each of them vanish.
    """

    rows: dict[int, Parts] = field(default_factory=dict)
    conditions: dict[int, Condition] = field(default_factory=dict)

    @property
    def rank(self) -> int:
        """What the rank of all conditions is at most."""
        return sum(one.rank for one in self.conditions.values())

    def reduced(self, parts: Parts) -> dict[int, Fraction]:
        """Return a combination without the vectors that others stand for."""
        rest = {number: value for number, value in parts.items() if value}
        if not self.rows:
            return rest
        while found := [number for number in rest if number in self.rows]:
            pivot = max(found)
            factor = rest.pop(pivot)
            for number, value in self.rows[pivot].items():
                total = rest.get(number, Fraction(0)) - factor * value
                if total:
                    rest[number] = total
                else:
                    rest.pop(number, None)
        return rest

    def add(self, condition: Condition) -> bool:
        """Require what a condition says, and return whether this is new."""
        rest = self.reduced(condition.parts)
        if not rest:
            return False
        pivot = max(rest)
        leading = rest.pop(pivot)
        self.rows[pivot] = {number: value / leading for number, value in rest.items()}
        self.conditions[pivot] = condition
        return True

    def change(self, change: Change | None) -> Change | None:
        """Return a change if it does not vanish."""
        return change if change is not None and self.reduced(change.parts) else None
