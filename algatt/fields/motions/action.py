"""Unknown square matrices, and linear expressions in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

__all__ = ["Action", "Scalar", "Space", "combine"]

Coefficient = int | Fraction


@dataclass(frozen=True, eq=False)
class Space:
    """An unknown square matrix: how the coordinates of one space move.

    Parameters
    ----------
    size : int
        Number of its rows, at least 2; a matrix with one entry is a `Scalar`.
    number : int
        The later ones have larger numbers.
    label : str
        What it was made for.
    """

    size: int
    number: int
    label: str


@dataclass(frozen=True, eq=False)
class Scalar:
    """An unknown number.

    Parameters
    ----------
    number : int
        The later ones have larger numbers.
    """

    number: int


Term = tuple[Space, bool]
"""A space, and whether it is transposed."""


@dataclass(frozen=True, eq=False)
class Action:
    r"""A square matrix :math:`\sum c_S S + \sum c_T T^T + \sum c_s s I` of unknown matrices and numbers.

    Parameters
    ----------
    size : int
        Number of its rows.
    terms : dict of (Space, bool) to int or Fraction
        The coefficients of the spaces, and of the transposed ones, none of them zero.
    scalars : dict of Scalar to int or Fraction
        The coefficients of the numbers, none of them zero.
    """

    size: int
    terms: Mapping[Term, Coefficient] = field(default_factory=dict)
    scalars: Mapping[Scalar, Coefficient] = field(default_factory=dict)

    def __add__(self, other: Action) -> Action:
        return combine(self.size, ((self, 1), (other, 1)))

    def __sub__(self, other: Action) -> Action:
        return combine(self.size, ((self, 1), (other, -1)))

    def __neg__(self) -> Action:
        return self.times(-1)

    def times(self, factor: Coefficient) -> Action:
        """Return a multiple, the factor not being zero."""
        terms = {term: factor * coefficient for term, coefficient in self.terms.items()}
        return Action(self.size, terms, {scalar: factor * coefficient for scalar, coefficient in self.scalars.items()})

    @property
    def T(self) -> Action:
        """The transpose."""
        if not self.terms:
            return self
        flipped = {(space, not transposed): coefficient for (space, transposed), coefficient in self.terms.items()}
        return Action(self.size, flipped, self.scalars)

    @property
    def scalar(self) -> bool:
        """Whether it is a multiple of the identity, whatever the unknowns are."""
        return not self.terms

    @property
    def zero(self) -> bool:
        """Whether it is zero, whatever the unknowns are."""
        return not self.terms and not self.scalars

    def resize(self, size: int) -> Action:
        """Return a multiple of the identity of another size."""
        return Action(size, {}, self.scalars)


def combine(size: int, parts: Iterable[tuple[Action, Coefficient]]) -> Action:
    """Return a linear combination of actions."""
    terms: dict[Any, Coefficient] = {}
    scalars: dict[Any, Coefficient] = {}
    for action, factor in parts:
        for total, given in ((terms, action.terms), (scalars, action.scalars)):
            for key, coefficient in given.items():
                more = coefficient if factor == 1 else factor * coefficient
                total[key] = total[key] + more if key in total else more
    return Action(size, {key: c for key, c in terms.items() if c}, {key: c for key, c in scalars.items() if c})
