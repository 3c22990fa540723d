"""Identities of columns that are chosen, and of zeros beside them, as where convolutions see no token."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from algatt.programs.parts import taken

if TYPE_CHECKING:
    from algatt.programs.rewriting import Rewriting

MOST_ENTRIES = 2**16
"""Maximum number of entries of a matrix that chooses columns: these are 256 of as many tokens."""


def chosen_columns(made: Rewriting, left: int, right: int) -> int | None:
    """A S is some columns of A, for tokens as columns and a matrix S of which each column has one 1 and zeros, below
    that of the column before. Where columns of S are zero, the columns of A that it does not choose are left out.
    """
    entries = made.entries(right)
    if entries is None or not made.axes[left][1] or not all(entry in (0, 1) for entry in entries.flat):
        return None
    ones = entries != 0
    rows, places = tuple(range(made[left].shape[0])), ones.argmax(axis=0)[ones.any(axis=0)]
    if (ones.sum(axis=0) > 1).any() or (np.diff(places) <= 0).any() or not len(places):
        return None
    if len(places) < ones.shape[1] and len(places) == len(ones):
        return None
    found = taken(made, left, rows, tuple(places.tolist()))
    return found if len(places) == ones.shape[1] else made.multiplied(found, made.constant(entries[places]))


def columns_beside_zeros(made: Rewriting, *parts: int, argument: int) -> int | None:
    """[0, A S_1, 0, ...] = A S for columns A S_1, ... of one matrix, or a multiple of it, whose columns are tokens."""
    if argument != 1:
        return None
    zeros = [made.number_in(part) == 0 for part in parts]
    shown = [made.without_factor(part) for part, zero in zip(parts, zeros, strict=True) if not zero]
    if not any(zeros) or not shown or len({factor for _, factor in shown}) > 1:
        return None
    found = [source_of(made, part) for part, _ in shown]
    (source, rows, _), factor = found[0], shown[0][1]
    columns = [column for one in found for column in one[2]]
    if any(one[:2] != (source, rows) for one in found) or not made.axes[source][1]:
        return None
    filled = np.repeat(np.logical_not(zeros), [made[part].shape[1] for part in parts])
    if columns != sorted(set(columns)) or len(columns) * len(filled) > MOST_ENTRIES:
        return None
    choice = np.full((len(columns), len(filled)), Fraction(0), dtype=object)
    choice[range(len(columns)), np.flatnonzero(filled)] = Fraction(1)
    return made.scaled(made.multiplied(taken(made, source, rows, tuple(columns)), made.constant(choice)), factor)


def source_of(made: Rewriting, number: int) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Return the result of which another one is rows and columns, with these; of others the result itself."""
    one = made[number]
    if one.operation == "take":
        return one.operands[0], *one.argument
    height, width = one.shape
    return number, tuple(range(height)), tuple(range(width))
