"""The equations of types, solved as far as whole matrices go: what is diagonal is its own transpose, and what the
centring matrix or ones leave of a diagonal matrix is a number.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field
from typing import Any

from algatt.fields.motions import (
    Action,
    Centring,
    Constant,
    Constraint,
    Diagonal,
    Intertwining,
    MotionEquations,
    Ones,
    Selection,
    Space,
    Vanishing,
)
from algatt.fields.motions.equations import over
from algatt.fields.motions.moving import Term, combine


@dataclass
class Reduction:
    """Equations of types while they are solved for whole matrices and numbers.

    Every step is an equivalence: the equations have the same solutions before and after it.

    Attributes
    ----------
    equations : Equations
        The equations; they are changed.
    diagonal : set of Space
        The spaces that are known to be diagonal.
    """

    equations: MotionEquations
    diagonal: set[Space] = field(default_factory=set)

    def fold(self, action: Action) -> Action:
        """Return an action in terms of what was not solved for, diagonal spaces without transposes."""
        action = self.equations.resolve(action)
        if not any(transposed and space in self.diagonal for space, transposed in action.terms):
            return action
        parts = [(Action(action.size, {}, action.scalars), 1)]
        for (space, transposed), coefficient in action.terms.items():
            kept = transposed and space not in self.diagonal
            parts.append((Action(action.size, {(space, kept): coefficient}), 1))
        return combine(action.size, parts)

    def run(self) -> None:
        """Solve as far as the steps here go."""
        before: Any = None
        while before != (before := self.progress()):
            self.settle()
            self.note_diagonals()
            for constraint in list(self.equations.constraints):
                self.solve(constraint)
            self.compare()
            self.compose_parts()
            self.compare_parts()
        for _ in self.equations.constraints:  # spaces take the numbers that are added to them, as one helps another
            renamed = self.equations.renamed
            self.settle()
            if renamed == self.equations.renamed:
                break

    def settle(self) -> None:
        """Require all constraints again, until none of them removes a space or a number any more.

        Two constraints may take a number out of the same space in turn, each time with a new space in place of it: this
        removes none.
        """
        equations, removed = self.equations, -1
        while removed < equations.removed:
            removed = equations.removed
            pending, equations.constraints = equations.constraints, []
            for constraint in pending:
                constraint.require(equations)
            self.join_images()
        self.drop_copies()
        for _ in equations.constraints:  # a space that takes up a number may put it into another constraint
            renamed = equations.renamed
            for constraint in equations.constraints:
                if isinstance(constraint, Intertwining):
                    constraint.simplify(equations)
            if equations.renamed == renamed:
                break
        equations.constraints = [constraint.resolved(equations) for constraint in equations.constraints]

    def join_images(self) -> None:
        """Let T and T' be equal that are skew up to numbers, if T C = C S = T' C for a centring matrix C, or the same
        transposed, and a number if S is one: T - T' = u 1^T is skew up to a number, so zero.
        """
        now = [constraint.resolved(self.equations) for constraint in self.equations.constraints]
        skew = {alike(one.action) for one in now if isinstance(one, Vanishing)} - {None}
        first: dict[Hashable, Action] = {}
        for one in now:
            if isinstance(one, Intertwining) and isinstance(one.constant, Centring):
                for side, (mine, other) in enumerate((one.actions, one.actions[::-1])):
                    image = mine - Action(mine.size, {}, other.scalars)
                    if image.terms and alike(image + image.T) in skew:
                        key = side, frozenset(other.terms.items())
                        same = first.setdefault(key, image) if other.terms else Action(image.size)
                        self.equations.require_zero(image - same)

    def progress(self) -> tuple[int, ...]:
        """Return numbers that change as long as anything is solved."""
        equations = self.equations
        solved = len(equations.spaces) + len(equations.scalars) - equations.renamed
        return solved, len(self.diagonal), len(equations.constraints)

    def drop_copies(self) -> None:
        """Keep one of all equal constraints, written in unsolved matrices: D - D^T of a diagonal D joins nothing."""
        kept: dict[Hashable, Constraint] = {}
        for constraint in self.equations.constraints:
            folded = constraint.mapped(self.fold)
            if not all(action.zero for action in folded.actions):
                kept.setdefault((type(constraint), constant_of(constraint), *map(key_of, folded.actions)), folded)
        self.equations.constraints[:] = kept.values()

    def note_diagonals(self) -> None:
        """Find the spaces that are diagonal: those that are the only one in a diagonal action that is not known to be
        diagonal. Those that were solved for are forgotten: else a space that takes up a number again and again, with
        a new name each time, would look like one more.
        """
        self.diagonal.difference_update(self.equations.spaces)
        count = -1
        while count < len(self.diagonal):
            count = len(self.diagonal)
            for constraint in self.equations.constraints:
                if isinstance(constraint, Diagonal):
                    terms = self.fold(constraint.action).terms
                    rest = [space for space, _ in terms if space not in self.diagonal]
                    self.diagonal.update(rest if len(rest) == 1 else ())

    def is_diagonal(self, action: Action) -> bool:
        """Return whether an action is known to be diagonal."""
        return all(space in self.diagonal for space, _ in action.terms)

    def solve(self, constraint: Constraint) -> None:
        """Solve a constraint for a whole matrix or a number if that is possible."""
        actions = [self.fold(action) for action in constraint.actions]
        if isinstance(constraint, Vanishing) and self.is_diagonal(actions[0]):
            self.equations.require_zero(actions[0])
        if isinstance(constraint, Intertwining) and isinstance(constraint.constant, Selection):
            left, right = actions
            if left.zero and constraint.constant.transposed:  # C S = 0, and C takes no vector to zero
                self.equations.require_zero(right)
            if right.zero and not constraint.constant.transposed:
                self.equations.require_zero(left)
        if isinstance(constraint, Intertwining) and isinstance(constraint.constant, Centring | Ones):
            for action in actions:  # of a diagonal matrix these leave equal entries only
                if not action.scalar and self.is_diagonal(action):
                    self.equations.require_scalar(action)

    def intertwined(self, *kinds: type[Constant]) -> Iterator[tuple[Intertwining, Action, Action]]:
        """Iterate over the constraints A C = C B with constants C of some kinds, each with A and B."""
        for constraint in list(self.equations.constraints):
            if isinstance(constraint, Intertwining) and isinstance(constraint.constant, kinds):
                left, right = map(self.fold, constraint.actions)
                yield constraint, left, right

    def compare(self) -> None:
        """Compare constraints that differ in numbers only: these are equal."""
        seen: dict[Hashable, list[Action]] = {}
        killed = self.killed()
        for constraint in list(self.equations.constraints):
            if isinstance(constraint, Diagonal):
                continue
            actions = [self.fold(action) for action in constraint.actions]
            if isinstance(constraint, Intertwining) and isinstance(constraint.constant, Centring):
                number = killed.get(terms_of(actions[1]))
                if number is not None and not actions[0].scalar:  # C B = c C, and so A C = c C
                    multiple = number + Action(actions[1].size, {}, actions[1].scalars)
                    self.equations.constraints.remove(constraint)
                    self.equations.require_intertwining(actions[0], constraint.constant, multiple)
                    continue
            if isinstance(constraint, Vanishing) and actions[0].terms:
                leading = min(actions[0].terms, key=lambda term: (term[0].number, term[1]))
                actions = [actions[0].times(over(1, actions[0].terms[leading]))]
            key = (type(constraint), constant_of(constraint), *map(terms_of, actions))
            first = seen.setdefault(key, actions)
            differences = [action.resize(1) - other.resize(1) for action, other in zip(actions, first, strict=True)]
            self.equations.require_zero(differences[0] - differences[1] if len(actions) == 2 else differences[0])

    def compose_parts(self) -> None:
        """Where all rows of a part are taken again, in another order, take them out of the whole.

        For a permutation matrix P, B P = P A says that A = P^T B P, and then A E = E S says that B P E = P E S.
        """
        ordered: dict[Space, tuple[Selection, Action]] = {}
        orders: set[Constraint] = set()  # constraints by which spaces are ordered stay, as none follows from itself
        for constraint, left, right in self.intertwined(Selection):
            E: Any = constraint.constant
            is_order = sorted(E.chosen) == list(range(E.count))
            if is_order and not E.transposed and len(right.terms) == 1 and not right.scalars:
                (((A, flipped), factor),) = right.terms.items()
                ordered[A] = E, (left.T if flipped else left).times(over(1, factor))
                orders.add(constraint)
        for constraint, left, right in self.intertwined(Selection):
            E = constraint.constant
            part = right if E.transposed else left
            if constraint in orders or len(part.terms) != 1 or part.scalars:
                continue
            if next(iter(part.terms))[0] not in ordered:
                continue
            (((A, flipped), factor),) = part.terms.items()
            P, B = ordered[A]
            part = (B.T if flipped else B).times(factor)
            taken = Selection(E.count, tuple(E.chosen[row] for row in P.chosen), E.transposed)
            self.equations.constraints.remove(constraint)
            self.equations.require_intertwining(*((left, taken, part) if E.transposed else (part, taken, right)))

    def compare_parts(self) -> None:
        """Compare what several constraints call the same part of a space: E S E^T for the matrix E that takes rows."""
        seen: dict[Hashable, Action] = {}
        for constraint, left, right in self.intertwined(Selection):
            E: Any = constraint.constant
            whole, part = (left, right) if E.transposed else (right, left)
            if len(whole.terms) == 1:
                (((space, flipped), factor),) = whole.terms.items()
                part -= Action(part.size, {}, whole.scalars)
                value = (part.T if flipped else part).times(over(1, factor))
                self.equations.require_zero(value - seen.setdefault((space, E.chosen), value))

    def killed(self) -> dict[Hashable, Action]:
        """Return the spaces B with C B = c C for the centring matrix C, by their terms, each with the number c less
        those in B.
        """
        return {
            terms_of(right): left - Action(right.size, {}, right.scalars)
            for _, left, right in self.intertwined(Centring)
            if left.scalar and not right.scalar
        }


def terms_of(action: Action) -> Hashable:
    """Return the terms of an action, without its numbers."""
    return action.size, frozenset(action.terms.items())


def key_of(action: Action) -> Hashable:
    """Return what equal actions have in common."""
    return terms_of(action), frozenset(action.scalars.items())


def constant_of(constraint: Constraint) -> Hashable:
    """Return the constant matrix of a constraint, if it has one."""
    return constraint.constant if isinstance(constraint, Intertwining) else None


def alike(action: Action) -> frozenset[Term] | None:
    """Return the terms of an action in which all have one coefficient; None of others."""
    return frozenset(action.terms) if len(set(action.terms.values())) == 1 else None
