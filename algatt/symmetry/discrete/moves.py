"""Moves of tensors: each becomes another one, or itself, with its rows and columns in another order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algatt.fields import Elements, Field
from algatt.symmetry.tensors_element import Sides, TensorsElement

Order = tuple[int, ...]
"""Row number i of the result is row number ``order[i]``."""


@dataclass(frozen=True)
class Move:
    """What a tensor becomes: the tensor `source` with the given rows and columns.

    Parameters
    ----------
    source : str
        The name of the other tensor.
    rows, columns : tuple of int or None
        The order of its rows and columns; None if it stays.
    """

    source: str
    rows: Order | None = None
    columns: Order | None = None


Moves = Mapping[str, Move]
"""Moves by the names of the tensors; those that are not here stay."""


def permutation_matrix(field: Field, order: Order) -> Elements:
    """Return the matrix P such that row number i of P W is row number ``order[i]`` of W."""
    return Elements.of(field, np.eye(len(order), dtype=np.int64)[list(order)])


def element_of_moves(moves: Moves, field: Field) -> TensorsElement:
    """Return the group element that moves tensors so."""
    sides = {}
    for name, move in moves.items():
        left = None if move.rows is None else permutation_matrix(field, move.rows)
        right = None if move.columns is None else permutation_matrix(field, move.columns).T
        sides[name] = Sides(move.source, left, right)
    return TensorsElement(sides)
