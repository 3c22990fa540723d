"""Matrices that act on one side of an array: a multiple of the identity and a few entries, exact.

An entry off the diagonal may have a marker, a product of gains: where the gain g has the exponent e, entry (i, j) is
multiplied by (g_i / g_j)^e. Entries with different markers are never equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

__all__ = [
    "Action",
    "Marker",
    "conjugated",
    "is_diagonal",
    "is_moving",
    "is_unmarked",
    "multiple_of",
    "plus",
    "row_sum_of",
    "still",
    "times",
    "transposed",
]

Marker = tuple[tuple[int, int], ...]
"""The instructions of gains, in order, each with its exponent."""

Rational = int | Fraction


class Action(NamedTuple):
    """A square matrix: a multiple of the identity plus entries.

    Parameters
    ----------
    size : int
        The number of its rows.
    multiple : int or Fraction
        The multiple of the identity.
    entries : mapping of (int, int, Marker) to int or Fraction
        What is added, none of it zero: by row, column and marker, which is empty on the diagonal.
    """

    size: int
    multiple: Rational
    entries: Mapping[tuple[int, int, Marker], Rational]


def still(size: int, multiple: Rational = 0) -> Action:
    """Return a multiple of the identity, or zero."""
    return Action(size, multiple, {})


def plus(one: Action, other: Action, factor: Rational = 1) -> Action:
    """Return an action plus a multiple of another one."""
    multiple = one.multiple + factor * other.multiple
    if not other.entries:
        return Action(one.size, multiple, one.entries)
    entries = dict(one.entries)
    for place, value in other.entries.items():
        total = entries.get(place, 0) + factor * value
        if total:
            entries[place] = total
        else:
            entries.pop(place, None)
    return Action(one.size, multiple, entries)


def times(one: Action, factor: Rational) -> Action:
    """Return a multiple of an action, the factor not being zero."""
    return Action(one.size, factor * one.multiple, {place: factor * value for place, value in one.entries.items()})


def transposed(one: Action) -> Action:
    """Return the transpose: where (i, j) has the factor g_i / g_j, (j, i) has it as the inverse of g_j / g_i."""
    if not one.entries:
        return one
    entries = {
        (j, i, tuple((gain, -exponent) for gain, exponent in marker)): value
        for (i, j, marker), value in one.entries.items()
    }
    return Action(one.size, one.multiple, entries)


def conjugated(one: Action, gain: int, exponent: int) -> Action:
    """Return D A D^-1 for the diagonal matrix D of a power of a gain: entries off the diagonal get its marker."""
    entries: dict[tuple[int, int, Marker], Rational] = {}
    for (i, j, marker), value in one.entries.items():
        if i != j:
            powers = dict(marker)
            powers[gain] = powers.get(gain, 0) + exponent
            marker = tuple(sorted((key, power) for key, power in powers.items() if power))
        entries[i, j, marker] = value
    return Action(one.size, one.multiple, entries)


def multiple_of(one: Action) -> Rational | None:
    """Return the number of which an action is the multiple of the identity, or None if it is none."""
    if not one.entries:
        return one.multiple
    values = set(one.entries.values())
    if len(one.entries) == one.size and len(values) == 1 and is_diagonal(one):
        return one.multiple + values.pop()
    return None


def is_moving(one: Action) -> bool:
    """Return whether an action is not zero."""
    return multiple_of(one) != 0


def is_diagonal(one: Action) -> bool:
    """Return whether an action has no entries off the diagonal."""
    return all(i == j for i, j, _ in one.entries)


def is_unmarked(one: Action) -> bool:
    """Return whether no entry has a marker, so that all of them are numbers."""
    return not any(marker for _, _, marker in one.entries)


def row_sum_of(one: Action) -> Rational | None:
    """Return the number to which all rows of an action add up, or None if they do not or are no numbers."""
    if not is_unmarked(one):
        return None
    sums: dict[int, Rational] = {}
    for (i, _, _), value in one.entries.items():
        sums[i] = sums.get(i, 0) + value
    found = set(sums.values()) | ({0} if len(sums) < one.size else set())
    return one.multiple + found.pop() if len(found) == 1 else None
