"""Vectors that are required to vanish."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from algatt.symmetry.arrows.changes.change import Change, Condition

__all__ = ["Vanishing"]

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
