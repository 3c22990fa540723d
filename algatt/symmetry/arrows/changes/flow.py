"""What is known of the changes of the results of a program."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from algatt.programs.uses import Uses
from algatt.symmetry.arrows.changes.change import FLIPPED, Absorbed, Change, Recipe, UnknownChange, Vanishing, joined
from algatt.symmetry.arrows.changes.column_sums import ColumnSums, Sum

__all__ = ["Flow", "NewMove"]

Key = tuple[Any, ...]
"""What a vector is made of: an operation, and the changes of its operands."""


class NewMove(Exception):
    """Another tensor has to change as well, or a vector has to vanish: all changes are followed again."""


@dataclass
class Flow:
    """The changes of the results of a program, as far as they are known.

    Parameters
    ----------
    uses : Uses
        The program.
    sums : ColumnSums
        The sums of columns; they are those of the program, whatever changes.
    shared : bool, optional
        Whether tensors that are used in several places may take changes up.
    avoided : frozenset of str, optional
        Tensors that may not.
    gain : int, optional
        The gain g of a change by c (1/g)^T of the tensor at the beginning, which is ``weighted`` then; or of one by
        multiples of 1/g alone.
    ray : bool, optional
        Whether it is one by multiples alone.
    inside : bool, optional
        Whether those may take changes up, too, that are summands of sums which are used in several places.

    Attributes
    ----------
    moves : dict of int to Change
        The changes of tensors, by their numbers: that at the beginning, and those that take changes up.
    vanishing : Vanishing
        The vectors that are required to vanish.
    changes : dict of int to Change
        The changes of results, by their numbers.
    vectors : dict
        The numbers of vectors by what they are made of: vectors with one number are equal.
    met : set of int
        The numbers of the vectors that were met since the changes are followed.
    signed : set of int
        The numbers of scales that need not be positive.
    taken : set of (int, int)
        The tensors that have taken a change up, each with the sum in which.
    narrowed : bool
        Whether more was looked for in a place where it is only found with `shared` or `inside`.
    place : tuple
        The present operation, and the changes of its operands.
    """

    uses: Uses
    sums: ColumnSums
    shared: bool = False
    avoided: frozenset[str] = frozenset()
    gain: int = -1
    ray: bool = False
    inside: bool = False
    moves: dict[int, Change] = field(default_factory=dict)
    vanishing: Vanishing = field(default_factory=Vanishing)
    changes: dict[int, Change] = field(default_factory=dict)
    vectors: dict[Key, int] = field(default_factory=dict)
    met: set[int] = field(default_factory=set)
    signed: set[int] = field(default_factory=set)
    taken: set[tuple[int, int]] = field(default_factory=set)
    narrowed: bool = False
    place: tuple[int, tuple[Change | None, ...]] = (-1, ())

    def begin(self, number: int, kind: str, size: int, recipe: Recipe | None) -> None:
        """Let a tensor change by any vector of a size."""
        change = self.numbered(("tensor", number), kind, recipe, size)
        self.moves = {number: change}
        if kind == "scale":
            self.signed.update(change.parts)

    def is_ray(self, change: Change) -> bool:
        """Return whether the vector of a change is a multiple of 1/g."""
        return self.ray and set(change.parts) == set(next(iter(self.moves.values())).parts)

    def enter(self, number: int, changed: Sequence[Change | None]) -> None:
        """Say of which operation, and of which changes of its operands, a vector is made."""
        self.place = number, tuple(changed)

    def fresh(self, kind: str, recipe: Recipe | None = None, size: int = 0) -> Change:
        """Return a change by a vector that is made in the present operation; of a size, if it has a recipe.

        The vector is one that is known if it was made by the same operation of the same changes, whatever was changed,
        and of the same other operands.
        """
        one = self.uses[self.place[0]]
        return self.numbered((one.operation, one.argument, self.operands()), kind, recipe, size)

    def fresh_multiple(self, change: Change, total: Sum) -> Change:
        """Return the change of columns by the vector of a change times a number, the same for all results with it."""
        recipe = change.recipe
        multiple = None if recipe is None else lambda results, V: recipe(results, V) * total.value(results)
        key = ("multiple", frozenset(change.parts.items()), total.number, frozenset(total.of.items()))
        return self.numbered(key, "columns", multiple, change.rank)

    def fresh_scale(self) -> Change:
        """Return the change of the present result by a scale that need not be positive."""
        scale = self.numbered((self.place[0], self.operands()), "scale", None, 0)
        self.signed.update(scale.parts)
        return scale

    def operands(self) -> Key:
        """Return the operands of the present operation: their numbers, or how they change."""
        number, changed = self.place
        return tuple(
            operand if change is None else (change.kind, frozenset(change.parts.items()), self.uses[operand].shape)
            for operand, change in zip(self.uses[number].operands, changed, strict=True)
        )

    def numbered(self, key: Key, kind: str, recipe: Recipe | None, size: int) -> Change:
        """Return a change by a vector that is made of what a key says."""
        below = tuple(one for one in self.place[1] if one is not None)
        vector = self.vectors.setdefault((*key, kind), len(self.vectors) + 1)
        self.met.add(vector)
        if recipe is None:
            return Change(kind, {vector: Fraction(1)}, sources=joined(below))
        rank = min(size, sum(one.rank for one in below)) if below else size
        return Change(kind, {vector: Fraction(1)}, recipe, rank)

    def known(self, change: Change, number: int) -> Recipe | None:
        """Return the recipe of a change if a factor is a matrix that it may be made of, else None."""
        return change.recipe if self.uses.is_rational(number) and len(self.uses[number].shape) == 2 else None

    def is_positive(self, change: Change) -> bool:
        """Return whether a scale is known to be positive."""
        return self.signed.isdisjoint(change.parts)

    def require_zero(self, changes: Iterable[Change]) -> None:
        """Require changes to vanish, and follow all changes again.

        Raises
        ------
        NewMove
            If this says something new.
        UnknownChange
            If nothing is known with which one of them vanishes, or nothing is left.
        """
        new = False
        for change in changes:
            if not change.conditions:
                raise UnknownChange
            for condition in change.conditions:
                new = self.vanishing.add(condition) or new
        if not new:
            raise UnknownChange
        raise NewMove

    def absorb(self, change: Change, number: int, user: int) -> None:
        """Let a tensor that is a summand of the other operand of a sum take a change up, if there is one.

        Raises
        ------
        NewMove
            If there is.
        """
        if change.kind == "scale" or change.recipe is None:
            return
        size = self.uses.height(user) if change.kind == "columns" else self.uses.width(user)
        self.take_up(change, number, user, size)
        before = self.before_matrix(change, number)
        self.narrowed |= before is not None and not self.inside
        if before is not None and self.inside:
            right = self.uses[number].operands[1]
            self.take_up(before, right, number, self.uses.height(right))

    def take_up(self, change: Change, number: int, user: int, size: int) -> None:
        """Let a tensor that is a summand of an operand take up a change by vectors of a size, if there is one.

        Raises
        ------
        NewMove
            If there is.
        """
        for tensor, kind in self.summands(number, user, change.kind, size):
            earlier = self.moves.get(tensor)
            if (tensor, user) in self.taken or (earlier is not None and earlier.kind != kind):
                continue
            self.taken.add((tensor, user))
            move = dataclasses.replace(change.opposite, kind=kind)
            total = move if earlier is None else earlier.plus(move)
            if total is None:
                del self.moves[tensor]
            else:
                self.moves[tensor] = total
            raise NewMove

    def before_matrix(self, change: Change, number: int) -> Change | None:
        """Return the change by v of X with which a product W X changes as it is given, by W v, if v is the vector of a
        tensor that changes; None if the other operand is no such product.
        """
        one = self.uses[number]
        if one.operation != "product" or change.kind != "columns" or len(change.parts) != 1:
            return None
        ((vector, factor),) = change.parts.items()
        made = next(key for key, other in self.vectors.items() if other == vector)
        if made[0] != "product" or made[2][0] != one.operands[0] or isinstance(made[2][1], int):
            return None
        parts = dict(made[2][1][1])
        found = (move for move in self.moves.values() if move.kind == "columns" and move.parts == parts)
        move = next(found, None)
        return None if move is None else move.times(factor)

    def summands(self, number: int, user: int, kind: str, size: int) -> Iterator[tuple[int, str]]:
        """Iterate over the tensors in a sum, each with the kind of change by which it changes the sum."""
        pending = [(number, user, kind)]
        while pending:
            number, user, kind = pending.pop()
            one = self.uses[number]
            alone = self.uses.is_used_by(number, user)
            if len(one.shape) != 2 or one.shape[kind == "rows"] != size:
                continue
            if not (alone or self.shared):
                self.narrowed = True
            elif one.operation == "tensor":
                if number != next(iter(self.moves)) and one.argument not in self.avoided:
                    yield number, kind
            elif number in self.changes:
                continue
            elif one.operation == "transpose":
                pending.append((one.operands[0], number, FLIPPED[kind]))
            elif one.operation == "take" and tuple(one.argument[kind == "rows"]) == tuple(range(size)):
                pending.append((one.operands[0], number, kind))
            elif one.operation == "add" and len(set(one.operands)) == 2:
                self.narrowed |= not (alone or self.inside)
                pending += [(operand, number, kind) for operand in one.operands if alone or self.inside]

    def absorbed(self, start: int) -> tuple[Absorbed, ...]:
        """Return the tensors that take up changes of that at the beginning."""
        return tuple(
            Absorbed(self.uses[number].argument, change.kind, change.opposite.recipe)
            for number, change in self.moves.items()
            if number != start and change.opposite.recipe is not None
        )
