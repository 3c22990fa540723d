"""Changes of results: rows, columns and scales, and tensors that take them up."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from algatt.fields import Elements
from algatt.maps.interpret import Results

__all__ = ["FLIPPED", "Absorbed", "Change", "Condition", "Recipe", "UnknownChange"]

Recipe = Callable[[Results], Elements]
"""What returns a matrix M, given the results that are quotients of polynomials in the weights: the vector of a change
is M v.
"""

FLIPPED = {"rows": "columns", "columns": "rows"}
"""The kinds of changes of a transpose."""


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
    rank : int
        What the rank of the matrix of the recipe is at most.
    sources : tuple of Change
        Without a recipe: changes with recipes of which this one is made, so that it vanishes with them.
    """

    kind: str
    parts: Mapping[int, Fraction]
    recipe: Recipe | None = None
    rank: int = 0
    sources: tuple[Change, ...] = ()

    @property
    def causes(self) -> tuple[Change, ...]:
        """Changes with recipes with which it vanishes; none if no such are known."""
        return self.sources if self.recipe is None else (self,)

    def times(self, factor: Fraction) -> Change | None:
        """Return the change of a multiple; of scales, that of a power."""
        if not factor:
            return None
        recipe = self.recipe
        return dataclasses.replace(
            self,
            parts={number: factor * value for number, value in self.parts.items()},
            recipe=None if recipe is None else lambda results: recipe(results) * factor,
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
    return None if one is None or two is None else lambda results: one(results) + two(results)


def joined(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Return changes with recipes with which all of several vanish; none if this is not known of one of them."""
    if not all(change.causes for change in changes):
        return ()
    return tuple({tuple(sorted(cause.parts.items())): cause for one in changes for cause in one.causes}.values())


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
class Condition:
    """The condition M v = 0 on the vector of the tensor at the beginning.

    Parameters
    ----------
    recipe : Recipe
        The matrix M.
    rank : int
        What its rank is at most.
    """

    recipe: Recipe
    rank: int
