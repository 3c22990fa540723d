"""Conditions on the entries of actions that are no equations between whole matrices."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING

from algatt.fields.motions.moving import Action
from algatt.fields.motions.words import Constant

if TYPE_CHECKING:
    from algatt.fields.motions.equations import Equations


@dataclass(frozen=True, eq=False)
class Constraint(ABC):
    """A condition on the entries of actions that is no equation between whole matrices."""

    @property
    @abstractmethod
    def actions(self) -> tuple[Action, ...]:
        """The actions that it is about."""

    @abstractmethod
    def require(self, equations: Equations) -> None:
        """Require it again, of what its actions are by now."""

    @abstractmethod
    def resolved(self, equations: Equations) -> Constraint:
        """Return it in terms of the unknowns that were not solved for."""


@dataclass(frozen=True, eq=False)
class Vanishing(Constraint):
    """The equation A = 0 for an action in which each space also occurs transposed, as in S + S^T = 0."""

    action: Action

    @property
    def actions(self) -> tuple[Action, ...]:
        return (self.action,)

    def require(self, equations: Equations) -> None:
        equations.require_zero(self.action)

    def resolved(self, equations: Equations) -> Vanishing:
        return Vanishing(equations.resolve(self.action))


@dataclass(frozen=True, eq=False)
class Diagonal(Constraint):
    """The condition that an action is diagonal."""

    action: Action

    @property
    def actions(self) -> tuple[Action, ...]:
        return (self.action,)

    def require(self, equations: Equations) -> None:
        equations.require_diagonal(self.action)

    def resolved(self, equations: Equations) -> Diagonal:
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

    def require(self, equations: Equations) -> None:
        equations.require_intertwining(self.left, self.constant, self.right)

    def resolved(self, equations: Equations) -> Intertwining:
        """Numbers may be subtracted from both sides alike: they stand on one side, that of a space if there is one."""
        left, right = equations.resolve(self.left), equations.resolve(self.right)
        common = right if right.scalar else left
        left, right = (side - Action(side.size, {}, common.scalars) for side in (left, right))
        return Intertwining(left, self.constant, right)

    def simplify(self, equations: Equations) -> None:
        """Let a space take up the numbers in it: other constraints may have put them there."""
        now = self.resolved(equations)
        equations.without_scalars(now.left if now.right.scalar else now.right)
