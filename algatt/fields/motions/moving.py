"""Matrices without entries that know how they move."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from algatt.errors import InvalidArgument
from algatt.fields.motions.words import EMPTY, Constant, Entries, Letter, Ones, Shift, Sum, Totals, Turns, Word


@dataclass(frozen=True, eq=False)
class Moving:
    r"""A matrix M without entries that knows how it moves:
    :math:`L M + M R + s 1^T + 1 r^T + \mathrm{diag}(\lambda) M + M \mathrm{diag}(\rho)`.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    rows, columns : Action
        L and R.
    constant : ndarray or None
        Its entries, if it is a constant of the code; then it does not move.
    left, right : Shift, optional
        s and r.
    row_factors, column_factors : Shift, optional
        The diagonals lambda and rho.
    totals, across : Totals, optional
        The rows u with u M = k (1, ..., 1), with the number k; the same of the transpose.
    name : Letter or None, optional
        Its name in words; without one it is equal to no other.
    quotient : (str, Letter, bool) or None, optional
        ``sum`` or ``inverse``, a name and True if it is the row of the sums of the columns of what has the name, or has
        the inverses of these as entries; False if it is the transpose of that.
    varies : bool, optional
        Whether it depends on the input.
    takes : mapping of str to (str, str), optional
        Which shifts a tensor takes up that it is, or a part or the transpose of: ``left`` or ``right``, with the name
        of the tensor and the kind of its own shift.
    single : bool, optional
        Whether that is used once.
    over : mapping of Letter to Shift, optional
        Of a tensor that is read as the left factor of products alone, for rows u of weights the columns s of more
        summands s u.
    """

    shape: tuple[int, ...]
    rows: Action
    columns: Action
    constant: np.ndarray | None = None
    left: Shift = field(default_factory=dict)
    right: Shift = field(default_factory=dict)
    row_factors: Shift = field(default_factory=dict)
    column_factors: Shift = field(default_factory=dict)
    totals: Totals = field(default_factory=dict)
    across: Totals = field(default_factory=dict)
    name: Letter | None = None
    quotient: tuple[str, Letter, bool] | None = None
    varies: bool = True
    takes: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    single: bool = False
    over: Mapping[Letter, Shift] = field(default_factory=dict)

    @property
    def letter(self) -> Letter:
        """It as a letter of a word."""
        if self.constant is not None:
            return Letter(noun_of(self.constant))
        return self.name or Letter(self)

    @property
    def T(self) -> Moving:
        """The transpose."""
        return Moving(
            self.shape[::-1],
            self.columns.T,
            self.rows.T,
            None if self.constant is None else self.constant.T,
            self.right,
            self.left,
            self.column_factors,
            self.row_factors,
            self.across,
            self.totals,
            self.name.T if self.name else None,
            self.quotient and (*self.quotient[:2], not self.quotient[2]),
            self.varies,
            {"right" if kind == "left" else "left": one for kind, one in self.takes.items()},
            self.single,
        )

    def total(self, row: Letter | None = None) -> Sum | None:
        """Return the number k with u M = k (1, ..., 1) for a row u, None for ones; None if there is none."""
        height, width = sizes(self.shape)
        if self.constant is not None and row is None:
            sums = self.constant.reshape(height, width).sum(axis=0).tolist()
            return ({EMPTY: sums[0]} if sums[0] else {}) if all(one == sums[0] for one in sums) else None
        if width == 1 and row not in self.totals:
            ones = (Letter(Ones(1, height)),) if height > 1 else ()
            return {Word((*ones, *((row,) if row else ()), self.letter)): 1}
        return self.totals.get(row)

    @property
    def all_totals(self) -> dict[Letter | None, Sum]:
        """What `total` returns, by rows, where it is known."""
        found = {row: self.total(row) for row in (None, *self.totals)}
        return {row: total for row, total in found.items() if total is not None}


def noun_of(constant: np.ndarray) -> Constant:
    """Return the entries of a constant matrix as a noun."""
    matrix = constant.reshape(sizes(constant.shape))
    for turns in (Turns(2, (1,)), Turns(2, (-1,))):
        if matrix.shape == turns.shape and (matrix == turns.array).all():
            return turns
    return Ones(*matrix.shape) if (matrix == 1).all() else Entries.of(matrix)


def sizes(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return the numbers of rows and columns of an array of at most two axes."""
    if len(shape) > 2:
        raise InvalidArgument("shape", repr(shape), "that of a matrix, as types are about matrices")
    height, width = ((1, 1) + tuple(shape))[-2:]
    return height, width


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

    size: ClassVar[int] = 1

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
    def as_key(self) -> Hashable:
        """What equal actions have in common."""
        return self.size, frozenset(self.terms.items()), frozenset(self.scalars.items())

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
