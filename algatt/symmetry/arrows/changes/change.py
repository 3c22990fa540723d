"""Changes of results: rows, columns and scales, and tensors that take them up."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from algatt.fields import Elements
from algatt.programs.interpret import Results

__all__ = ["FLIPPED", "Absorbed", "Change", "Condition", "Recipe", "UnknownChange"]

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
