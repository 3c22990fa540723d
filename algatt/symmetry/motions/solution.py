"""Solutions of types: values of the unknowns, and the vector fields that they are, by the entries that are not zero."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from algatt.fields import Elements
from algatt.fields.motions import Action, Constraint, Scalar, Space
from algatt.linalg.forms import solve

SIDES = ("rows", "columns")
"""A tensor W moves by L W + W R: L acts on its rows, R on its columns."""

MOST = 2**31
"""Entries that are smaller are 64-bit integers."""

Sides = tuple[tuple[str, str], ...]
"""Tensors, each with a side."""

Place = tuple[str, str, int, int]
"""A tensor, how it moves (``rows`` and ``columns`` for L and R), and an entry of the matrix."""

Moves = dict[tuple[str, str], dict[tuple[int, int], int]]
"""The entries of L and R of one vector field that are not zero, by tensor and side."""


@dataclass(frozen=True, eq=False)
class NonzeroEntries:
    """The entries of several matrices that are not zero.

    Parameters
    ----------
    numbers, rows, columns : array
        For each entry the number of the matrix, and its place in it.
    values : array
        The entries, integers.
    """

    numbers: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    values: np.ndarray

    @classmethod
    def of(cls, listed: Iterable[tuple[int, int, int, int]]) -> NonzeroEntries:
        """Return listed entries, each with its number, row and column."""
        numbers, rows, columns, values = zip(*listed, strict=True)
        k, i, j = (np.array(one, dtype=np.int64) for one in (numbers, rows, columns))
        small = max(map(abs, values)) < MOST
        return cls(k, i, j, np.array(values, dtype=np.int64 if small else object))

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """All of them."""
        return self.numbers, self.rows, self.columns, self.values

    @property
    def mixed(self) -> bool:
        """Whether some are outside of the diagonal."""
        return bool((self.rows != self.columns).any())

    def own(self, size: int) -> np.ndarray:
        """Return the places in the list of the entries that no other matrix of a size has."""
        _, first, counts = np.unique(self.rows * size + self.columns, return_index=True, return_counts=True)
        return first[counts == 1]

    def some(self, kept: np.ndarray) -> NonzeroEntries:
        """Return those of matrices of which it is said that they are kept, which are numbered anew."""
        here, numbers = kept[self.numbers], np.cumsum(kept) - 1
        return NonzeroEntries(numbers[self.numbers[here]], self.rows[here], self.columns[here], self.values[here])

    @classmethod
    def joined(cls, parts: Sequence[NonzeroEntries], size: int) -> NonzeroEntries:
        """Return the sum of matrices of a size."""
        found = cls(*(np.concatenate(some) for some in zip(*(one.arrays for one in parts), strict=True)))
        if len(parts) == 1:
            return found
        places = (found.numbers * size + found.rows) * size + found.columns
        _, first, inverse = np.unique(places, return_index=True, return_inverse=True)
        total = np.zeros(len(first), dtype=found.values.dtype)
        np.add.at(total, inverse, found.values)
        kept = first[total != 0]
        return cls(found.numbers[kept], found.rows[kept], found.columns[kept], total[total != 0])


NOTHING = NonzeroEntries(*(np.zeros(0, dtype=np.int64) for _ in range(4)))


@dataclass(frozen=True)
class Connected:
    """Unknown matrices and numbers that constraints join, directly or by others.

    Parameters
    ----------
    spaces : tuple of Space
        The matrices.
    scalars : tuple of Scalar
        The numbers.
    constraints : tuple of Constraint
        All constraints on them.
    """

    spaces: tuple[Space, ...]
    scalars: tuple[Scalar, ...]
    constraints: tuple[Constraint, ...]

    @property
    def both(self) -> tuple[Space | Scalar, ...]:
        """The matrices and the numbers."""
        return *self.spaces, *self.scalars

    @property
    def size(self) -> int:
        """The size of the largest matrix."""
        return max((space.size for space in self.spaces), default=1)

    @property
    def unknowns(self) -> list[Any]:
        """The scalars, and the entries of the spaces as (space, row, column)."""
        entries = [(space, i, j) for space in self.spaces for i in range(space.size) for j in range(space.size)]
        return [*self.scalars, *entries]


@dataclass(frozen=True, eq=False)
class Solution:
    """Independent vector fields on weights, by which tensors W move by L W + W R: values of unknowns that satisfy their
    constraints.

    Parameters
    ----------
    component : Component
        The unknowns and their constraints.
    actions : dict of str to (Action, Action)
        L and R of tensors, all of those in which the unknowns are.
    count : int
        How many there are.
    unknowns : dict of Space or Scalar to Entries
        The values of each unknown, one for each field; numbers are matrices with one entry.
    positive : bool, optional
        Whether a gate or a root lets only positive numbers act.
    """

    component: Connected
    actions: Mapping[str, tuple[Action, Action]]
    count: int
    unknowns: Mapping[Space | Scalar, NonzeroEntries]
    positive: bool = False

    @classmethod
    def of(
        cls,
        component: Connected,
        actions: Mapping[str, tuple[Action, Action]],
        assignments: Sequence[Mapping[Any, int]],
    ) -> Solution:
        """Return values that are given by unknowns: numbers, and the entries of matrices as (space, row, column)."""
        found: dict[Space | Scalar, list[tuple[int, int, int, int]]] = {}
        for number, one in enumerate(assignments):
            for key, value in one.items():
                unknown, i, j = key if isinstance(key, tuple) else (key, 0, 0)
                found.setdefault(unknown, []).append((number, i, j, value))
        values = {unknown: NonzeroEntries.of(listed) for unknown, listed in found.items()}
        return cls(component, actions, len(assignments), values)

    @classmethod
    def free(cls, component: Connected, actions: Mapping[str, tuple[Action, Action]]) -> Solution:
        """Return all values of one unknown: for a matrix those with one entry 1."""
        (unknown,) = component.both
        numbers = np.arange(unknown.size**2)
        units = NonzeroEntries(numbers, numbers // unknown.size, numbers % unknown.size, np.ones_like(numbers))
        return cls(component, actions, len(numbers), {unknown: units})

    def __len__(self) -> int:
        return self.count

    def some(self, kept: np.ndarray) -> Solution:
        """Return those of which it is said that they are kept."""
        if kept.all():
            return self
        return replace(
            self, count=int(kept.sum()), unknowns={unknown: one.some(kept) for unknown, one in self.unknowns.items()}
        )

    def combined(self, factors: np.ndarray) -> Solution:
        """Return combinations, each with its factors in a row."""
        from scipy.sparse import csr_matrix

        found = {}
        for unknown, one in self.unknowns.items():
            size = unknown.size
            entries = csr_matrix((one.values, (one.numbers, one.rows * size + one.columns)), (self.count, size * size))
            total = (csr_matrix(factors) @ entries).tocoo()
            kept = total.data != 0
            numbers, places, values = (array[kept] for array in (total.row, total.col, total.data))
            if kept.any():
                found[unknown] = NonzeroEntries(numbers, places // size, places % size, values)
        return replace(self, count=len(factors), unknowns=found)

    def coefficients(self, action: Action) -> list[int | Fraction]:
        """Return the coefficients of these unknowns in an action."""
        spaces = [c for (space, _), c in action.terms.items() if space in self.unknowns]
        return spaces + [c for scalar, c in action.scalars.items() if scalar in self.unknowns]

    def matrices(self, action: Action, factor: int | None = None) -> NonzeroEntries:
        """Return the entries of a multiple of an action, by default the least one with integers."""
        factor = factor or lcm(*(c.denominator for c in self.coefficients(action)))
        parts = []
        for (space, transposed), c in action.terms.items():
            if space in self.unknowns:
                k, i, j, value = self.unknowns[space].arrays
                parts.append(NonzeroEntries(k, *((j, i) if transposed else (i, j)), value * int(c * factor)))
        for scalar, c in action.scalars.items():
            if scalar in self.unknowns:
                k, _, _, value = self.unknowns[scalar].arrays
                places = np.tile(np.arange(action.size), len(k))
                numbers, values = (np.repeat(one, action.size) for one in (k, value * int(c * factor)))
                parts.append(NonzeroEntries(numbers, places, places, values))
        return NonzeroEntries.joined(parts, action.size) if parts else NOTHING

    def moves(self, action: Action, *, mixed: bool = False) -> bool:
        """Return whether an action is not zero for all values; or not diagonal for all, if that is asked."""
        unknowns: list[Space | Scalar] = [*(space for space, _ in action.terms), *action.scalars]
        own = [one for one in unknowns if one in self.unknowns]
        found = self.unknowns[own[0]] if len(own) == 1 else self.matrices(action)
        return found.mixed if mixed else len(found.numbers) > 0

    @functools.cached_property
    def sides(self) -> Sides:
        """The tensors that move, each with its side, in the order of the network."""
        return self.moving_sides(mixed=False)

    def moving_sides(self, *, mixed: bool) -> Sides:
        """Return the same; those alone where rows or columns are mixed, if that is asked."""
        return tuple(
            (name, side)
            for name, pair in self.actions.items()
            for side, action in zip(SIDES, pair, strict=True)
            if self.moves(action, mixed=mixed)
        )

    @property
    def diagonal(self) -> bool:
        """Whether only diagonal matrices act in its spaces."""
        return not any(one.mixed for one in self.unknowns.values())

    @functools.cached_property
    def entries(self) -> dict[tuple[str, str], NonzeroEntries]:
        """The entries of L and R, by tensor and side: of each field integers without a common divisor."""
        pairs = {(name, side): self.actions[name][SIDES.index(side)] for name, side in self.sides}
        factor = lcm(*(c.denominator for action in pairs.values() for c in self.coefficients(action)))
        found = {key: self.matrices(action, factor) for key, action in pairs.items()}
        divisors = np.zeros(len(self), dtype=np.result_type(np.int64, *(one.values.dtype for one in found.values())))
        for one in found.values():
            np.gcd.at(divisors, one.numbers, one.values)
        return {
            key: NonzeroEntries(one.numbers, one.rows, one.columns, one.values // divisors[one.numbers])
            for key, one in found.items()
        }

    @functools.cached_property
    def added(self) -> dict[str, str]:
        """The tensors that move by L W alone where each L has equal rows, as ``rows``, and by W R alone where each R
        has equal columns, as ``columns``.
        """
        found = {}
        for name, pair in self.actions.items():
            moving = [self.moves(action) for action in pair]
            if moving.count(True) == 1 and len(self) <= pair[moving.index(True)].size:
                side = moving.index(True)
                one = self.matrices(pair[side].T if side else pair[side])
                lines = one.numbers * pair[side].size + one.columns
                _, first, inverse, counts = np.unique(lines, return_index=True, return_inverse=True, return_counts=True)
                if (counts == pair[side].size).all() and (one.values == one.values[first][inverse]).all():
                    found[name] = SIDES[side]
        return found

    def of_equal_rows(self, action: Action, *, zero: bool) -> Solution | None:
        """Return those combinations for which the rows of an action are equal, or all zero; None if this is not known:
        it is where each field has an entry that no other one has.
        """
        from scipy.sparse import csr_matrix

        one, size = self.matrices(action), action.size
        places, own = one.rows * size + one.columns, one.own(size)
        numbers, at = np.unique(one.numbers[own], return_index=True)
        columns, leading = (array[own[at]] for array in (one.columns, one.values))
        if len(numbers) < len(self) or not (zero or (leading * leading == 1).all()):
            return None
        if zero:
            return self.some(np.zeros(len(self), dtype=bool))
        # if the rows are u, the factor of each field is that entry of u in which its own entry is, or minus that
        there = (one.values * leading[one.numbers]).astype(np.int64), (places, columns[one.numbers])
        every = np.arange(size * size)
        difference = csr_matrix(there, shape=(size * size, size))
        difference -= csr_matrix((np.ones_like(every), (every, every % size)), shape=difference.shape)
        keys, values, ends = (array.tolist() for array in (difference.indices, difference.data, difference.indptr))
        forms = {tuple(zip(keys[a:b], values[a:b], strict=True)) for a, b in itertools.pairwise(ends)}
        found = solve((dict(form) for form in forms if form), range(size))
        rows = np.array([[row.get(k, 0) for k in range(size)] for row in found]).reshape(len(found), size)
        return self.combined(rows[:, columns] * leading)

    def with_own_entries(self, alone: Container[Space]) -> np.ndarray:
        """Return which of them are in no relation, as they have an entry outside of the diagonal that no other one has,
        of a matrix that is the only one somewhere.
        """
        found = np.zeros(len(self), dtype=bool)
        for unknown, one in self.unknowns.items():
            if unknown in alone:
                own = one.own(unknown.size)
                found[one.numbers[own[one.rows[own] != one.columns[own]]]] = True
        return found

    def each(self) -> list[Moves]:
        """Return the entries of each vector field by themselves."""
        found: list[Moves] = [{} for _ in range(len(self))]
        for key, one in self.entries.items():
            for number, i, j, value in zip(*(array.tolist() for array in one.arrays), strict=True):
                found[number].setdefault(key, {})[i, j] = value
        return found

    def beside(self, tensor: str, ways: Collection[tuple[str, Any]]) -> Solution | None:
        """Return the vector fields that move a tensor W only in ways in which others may, at almost all weights; None
        if there are none, and itself where that is not known.

        W moves by L W alone, and others by multiples of fixed rows, which a matrix B maps to zero, and by 1 w^T. If W B
        has as many columns as rows, L W B = 1 w^T says that L is 1 u^T, and zero without w; if all L are diagonal, they
        are zero if it has one column, or two beside w.
        """
        pair = self.actions[tensor]
        moving = [self.moves(action) for action in pair]
        if moving.count(True) != 1:
            return self
        side = moving.index(True)
        across = [way for way in ways if way[0] == ("columns", "rows")[side]]
        others = [way for way in ways if way not in across]
        rows, columns = (action.size for action in pair[:: (1, -1)[side]])
        enough = 1 + bool(others) if self.diagonal else rows
        if any(row is not None for _, row in others) or columns - len(across) < enough or rows == len(others):
            return self
        action = pair[side].T if side else pair[side]
        found = self.of_equal_rows(action, zero=self.diagonal or not others)
        if found is None or len(found) == len(self):
            return self
        return found if len(found) else None


def entries_of(moves: Moves) -> Iterator[tuple[Place, int]]:
    """Iterate over the entries of L and R that are not zero."""
    for side, entries in moves.items():
        for place, value in entries.items():
            yield (*side, *place), value


def add_entries(total: Elements, places: np.ndarray, entries: Elements) -> None:
    """Add entries to an array at places in it, some of which may be the same."""
    while len(places):  # of several entries at one place the first ones, and then the others
        _, first = np.unique(places, return_index=True)
        at = np.unravel_index(places[first], total.shape)
        total.raw[at] = (Elements(total.field, total.raw[at]) + Elements(total.field, entries.raw[first])).raw
        places, entries = np.delete(places, first), Elements(total.field, np.delete(entries.raw, first))
