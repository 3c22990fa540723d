"""The linear equations between the unknowns of types: what can be solved for a whole matrix at once is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction

from algatt.fields.motions.moving import Action, Scalar, Space, combine
from algatt.fields.motions.words import Constant, Shift, Vector


@dataclass(frozen=True, eq=False)
class Constraint(ABC):
    """A condition on the entries of actions that is no equation between whole matrices."""

    @property
    @abstractmethod
    def actions(self) -> tuple[Action, ...]:
        """The actions that it is about."""

    @abstractmethod
    def require(self, equations: MotionEquations) -> None:
        """Require the condition anew, of its actions as they are now."""

    def mapped(self, change: Callable[[Action], Action]) -> Constraint:
        """Return it with other actions in the place of its own."""
        own = {one.name: getattr(self, one.name) for one in fields(self)}
        return replace(self, **{name: change(one) for name, one in own.items() if isinstance(one, Action)})

    @abstractmethod
    def resolved(self, equations: MotionEquations) -> Constraint:
        """Return it in terms of the unknowns that were not solved for."""


@dataclass(frozen=True, eq=False)
class Vanishing(Constraint):
    """The equation A = 0 for an action in which each space also occurs transposed, as in S + S^T = 0."""

    action: Action

    @property
    def actions(self) -> tuple[Action, ...]:
        return (self.action,)

    def require(self, equations: MotionEquations) -> None:
        equations.require_zero(self.action)

    def resolved(self, equations: MotionEquations) -> Vanishing:
        return Vanishing(equations.resolve(self.action))


@dataclass(frozen=True, eq=False)
class Diagonal(Constraint):
    """The condition that an action is diagonal."""

    action: Action

    @property
    def actions(self) -> tuple[Action, ...]:
        return (self.action,)

    def require(self, equations: MotionEquations) -> None:
        equations.require_diagonal(self.action)

    def resolved(self, equations: MotionEquations) -> Diagonal:
        return Diagonal(equations.resolve(self.action))


@dataclass(frozen=True, eq=False)
class Intertwining(Constraint):
    """The equation A C = C B for a constant matrix C of integers or fractions."""

    left: Action
    constant: Constant
    right: Action

    @property
    def actions(self) -> tuple[Action, ...]:
        return self.left, self.right

    def require(self, equations: MotionEquations) -> None:
        equations.require_intertwining(self.left, self.constant, self.right)

    def resolved(self, equations: MotionEquations) -> Intertwining:
        """Numbers may be subtracted from both sides alike: they stand on one side, that of a space if there is one."""
        left, right = equations.resolve(self.left), equations.resolve(self.right)
        common = right if right.scalar else left
        left, right = (side - Action(side.size, {}, common.scalars) for side in (left, right))
        return Intertwining(left, self.constant, right)

    def simplify(self, equations: MotionEquations) -> None:
        """Let a space take up the numbers in it: other constraints may have put them there."""
        now = self.resolved(equations)
        equations.without_scalars(now.left if now.right.scalar else now.right)


@dataclass
class MotionEquations:
    """Equations between actions.

    What can be solved for a whole matrix, or for a number, is; the rest is kept as constraints.

    Attributes
    ----------
    spaces : dict of Space to Action
        The spaces that were solved for.
    scalars : dict of Scalar to Action
        The numbers that were solved for, as multiples of the identity of size 1.
    constraints : list of Constraint
        What is left.
    positive : list of Action
        Diagonal actions that may not change signs, as those of what a gate or a square root is taken of: this cuts the
        group, not its Lie algebra.
    count : int
        The number of unknowns so far.
    removed : int
        How many of them were solved for, other unknowns in place of unknowns not counted.
    renamed : int
        How often a space was solved for by a new one and numbers only.
    shifts : dict of Hashable to Shift
        Sums of words times vectors that have to vanish.
    """

    spaces: dict[Space, Action] = field(default_factory=dict)
    scalars: dict[Scalar, Action] = field(default_factory=dict)
    constraints: list[Constraint] = field(default_factory=list)
    positive: list[Action] = field(default_factory=list)
    count: int = 0
    removed: int = 0
    renamed: int = 0
    shifts: dict[Hashable, Shift] = field(default_factory=dict)

    def unknown(self, size: int, label: str) -> Action:
        """Return a new unknown matrix; of size 1, a number."""
        self.count += 1
        if size == 1:
            return Action(1, {}, {Scalar(self.count): 1})
        return Action(size, {(Space(size, self.count, label), False): 1})

    def vector(self, size: int, label: str) -> Vector:
        """Return a new unknown vector."""
        self.count += 1
        return Vector(size, self.count, label)

    def require_no_shift(self, shift: Shift) -> None:
        """Require a sum of words times vectors to vanish."""
        if shift:
            self.shifts[frozenset((word, frozenset(form.items())) for word, form in shift.items())] = shift

    def number(self, size: int) -> Action:
        """Return a new unknown multiple of the identity."""
        self.count += 1
        return Action(size, {}, {Scalar(self.count): 1})

    def resolve(self, action: Action) -> Action:
        """Return an action in terms of the unknowns that were not solved for.

        Solutions that have such unknowns in them are replaced by what these are, so that long chains of them are gone
        through once.
        """
        while True:
            for space, _ in action.terms:
                if space in self.spaces:
                    self.spaces[space] = self.inserted(self.spaces[space])
            for scalar in action.scalars:
                if scalar in self.scalars:
                    self.scalars[scalar] = self.inserted(self.scalars[scalar])
            found = self.inserted(action)
            if found is action:
                return action
            action = found

    def inserted(self, action: Action) -> Action:
        """Return an action with the solutions of what was solved for; the action itself if nothing was."""
        spaces, scalars = self.spaces, self.scalars
        terms = [term for term in action.terms if term[0] in spaces]
        numbers = [scalar for scalar in action.scalars if scalar in scalars]
        if not terms and not numbers:
            return action
        if len(action.terms) + len(action.scalars) == 1:  # a multiple of one unknown, which is most of what is asked
            if terms:
                found, factor = spaces[terms[0][0]], action.terms[terms[0]]
                found = found.T if terms[0][1] else found
            else:
                found, factor = scalars[numbers[0]].resize(action.size), action.scalars[numbers[0]]
            return found if factor == 1 else found.times(factor)
        rest = Action(
            action.size,
            {term: c for term, c in action.terms.items() if term[0] not in spaces},
            {scalar: c for scalar, c in action.scalars.items() if scalar not in scalars},
        )
        parts: list[tuple[Action, int | Fraction]] = [(rest, 1)]
        for term in terms:
            space, transposed = term
            parts.append((spaces[space].T if transposed else spaces[space], action.terms[term]))
        parts += [(scalars[scalar], action.scalars[scalar]) for scalar in numbers]
        return combine(action.size, parts)

    def require_zero(self, action: Action) -> None:
        """Require an action to vanish."""
        action = self.resolve(action)
        alone = [term for term in action.terms if (term[0], not term[1]) not in action.terms]
        if alone:
            space, transposed = term = max(alone, key=lambda one: one[0].number)
            coefficient = action.terms[term]
            rest = Action(action.size, {key: c for key, c in action.terms.items() if key != term}, action.scalars)
            solution = rest.times(over(-1, coefficient))
            self.spaces[space] = solution.T if transposed else solution
            self.removed += 1
        elif action.terms:
            self.constraints.append(Vanishing(self.without_scalars(action)))
        elif action.scalars:
            scalar = max(action.scalars, key=lambda one: one.number)
            coefficient = action.scalars[scalar]
            rest = Action(1, {}, {key: c for key, c in action.scalars.items() if key is not scalar})
            self.scalars[scalar] = rest.times(over(-1, coefficient))
            self.removed += 1

    def require_scalar(self, action: Action) -> Action:
        """Require an action to be a multiple of the identity, and return that."""
        action = self.resolve(action)
        if action.scalar:
            return action
        multiple = self.number(action.size)
        self.require_zero(action - multiple)
        return multiple

    def without_scalars(self, action: Action) -> Action:
        """Return an action of which one space takes the multiple of the identity, if there is one space alone in it.

        So scalars are no part of the constraints of spaces, and move what they move independently of these.
        """
        if not action.scalars or len({space for space, _ in action.terms}) > 1:
            return action
        factor = sum(action.terms.values())
        if factor == 0:
            return action
        ((space, _), *_) = action.terms
        self.renamed += 1
        self.spaces[space] = self.unknown(action.size, space.label) + Action(
            action.size, {}, {scalar: over(-c, factor) for scalar, c in action.scalars.items()}
        )
        return self.resolve(action)

    def require_diagonal(self, action: Action, *, positive: bool = False) -> None:
        """Require an action to be diagonal, and its group to be one of positive numbers perhaps."""
        action = self.resolve(action)
        if positive and not action.zero:
            self.positive.append(action)
        if not action.scalar:
            self.constraints.append(Diagonal(Action(action.size, action.terms)))

    def require_intertwining(self, left: Action, constant: Constant, right: Action) -> None:
        """Require A C = C B for a constant matrix C that is not zero."""
        left, right = self.resolve(left), self.resolve(right)
        if left.scalar and right.scalar:
            self.require_zero(left.resize(1) - right.resize(1))
            return
        scalars = Action(1, {}, right.scalars if right.scalar else left.scalars)  # the same on both sides
        left, right = left - scalars.resize(left.size), right - scalars.resize(right.size)
        if right.scalar:
            left = self.without_scalars(left)
        else:
            right = self.without_scalars(right)
        self.constraints.append(Intertwining(self.resolve(left), constant, self.resolve(right)))


class EquationsOfVectors(MotionEquations):
    """Those of tensors that move by vectors alone: all actions are zero, and what is asked of them is so."""

    def unknown(self, size: int, label: str) -> Action:
        return Action(size)

    def number(self, size: int) -> Action:
        return Action(size)

    def require_zero(self, action: Action) -> None:
        pass

    def require_diagonal(self, action: Action, *, positive: bool = False) -> None:
        pass

    def require_intertwining(self, left: Action, constant: Constant, right: Action) -> None:
        pass


def over(number: int | Fraction, divisor: int | Fraction) -> int | Fraction:
    """Return a quotient, as an integer if it is one: these are added faster."""
    quotient = Fraction(number) / divisor
    return quotient.numerator if quotient.denominator == 1 else quotient
