"""What is known of the changes of the results of a program."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from algatt.symmetry.arrows.changes.change import FLIPPED, Absorbed, Change, Recipe
from algatt.symmetry.arrows.changes.column_sums import ColumnSums
from algatt.symmetry.arrows.uses import Uses

__all__ = ["Flow"]


@dataclass
class Flow:
    """The changes of the results of a program, as far as they are known.

    Parameters
    ----------
    uses : Uses
        The program.
    sums : ColumnSums
        The sums of columns; they are those of the program, whatever changes.

    Attributes
    ----------
    changes : dict of int to Change
        The changes of results, by their numbers.
    absorbed : list of Absorbed
        The tensors that take changes up.
    """

    uses: Uses
    sums: ColumnSums
    changes: dict[int, Change] = field(default_factory=dict)
    absorbed: list[Absorbed] = field(default_factory=list)
    count: int = 0

    def fresh(self, kind: str, recipe: Recipe | None = None) -> Change:
        """Return a change by a new vector."""
        self.count += 1
        return Change(kind, {self.count: Fraction(1)}, recipe)

    def known(self, change: Change, number: int) -> Recipe | None:
        """Return the recipe of a change if a factor is a matrix that it may be made of, else None."""
        return change.recipe if self.uses.is_rational(number) and len(self.uses[number].shape) == 2 else None

    def absorb(self, change: Change, number: int, user: int) -> bool:
        """Let a tensor take up a change of the other operand of a sum, and return whether it does: it is used for
        nothing else.
        """
        kind, recipe = change.kind, change.recipe
        if kind == "scale" or recipe is None:
            return False
        size = self.uses.height(user) if kind == "columns" else self.uses.width(user)
        while self.uses.is_used_by(number, user) and number not in self.changes:
            one = self.uses[number]
            if len(one.shape) != 2 or one.shape[kind == "rows"] != size:
                return False
            if one.operation == "tensor":
                if any(one.argument == other.tensor for other in self.absorbed):
                    return False
                self.absorbed.append(Absorbed(one.argument, kind, recipe))
                return True
            if one.operation == "transpose":
                kind = FLIPPED[kind]
            elif one.operation != "take" or tuple(one.argument[kind == "rows"]) != tuple(range(size)):
                return False
            user, (number,) = number, one.operands
        return False
