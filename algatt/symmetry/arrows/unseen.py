r"""Entries of tensors that the value does not depend on: each may be any number.

Entries that a mask hides are such, as the scores of a relative position that no two tokens have. They are found by
going through the program from its end to its beginning (derived, see docs/theory/arrows.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Field
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.symmetry.arrows.changes import ColumnSums, Flow, leaves_value
from algatt.symmetry.arrows.sight import is_all, seen_entries
from algatt.symmetry.arrows.vector_element import VectorElement
from algatt.symmetry.base import Symmetry

__all__ = ["ChoosingEntries", "Unseen", "UnseenElement", "UnseenSymmetry", "find_unseen"]


@dataclass(frozen=True)
class Unseen:
    """Entries of a tensor that the value does not depend on.

    Parameters
    ----------
    tensor : str
        The tensor.
    rows, columns : tuple of int
        Where they are: entry k in row ``rows[k]`` and column ``columns[k]``.
    """

    tensor: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]


def find_unseen(program: Program) -> tuple[Unseen, ...]:
    """Return the entries of the tensors of a program, by tensor, that its value does not depend on."""
    seen = seen_entries(program)
    found = []
    for number, one in enumerate(program.instructions):
        entries = seen.get(number)
        if one.operation == "tensor" and len(one.shape) == 2 and entries is not None and not is_all(entries):
            rows, columns = np.nonzero(~entries)
            found.append(Unseen(one.argument, tuple(rows.tolist()), tuple(columns.tolist())))
    return tuple(found)


def find_choosing(program: Program) -> tuple[Unseen, ...]:
    """Return the tensors of a program of which nothing is seen but what they choose, as a vector that takes part in the
    choice of experts alone: at each input, small changes of it change nothing.
    """
    near = seen_entries(program, near=True)
    hidden = [
        number
        for number, one in enumerate(program.instructions)
        if one.operation == "tensor" and len(one.shape) == 2 and number not in near
    ]
    seen = seen_entries(program) if hidden else {}
    found = []
    for number in hidden:
        one = program.instructions[number]
        if number in seen:
            rows, columns = np.indices(one.shape)
            found.append(Unseen(one.argument, tuple(rows.ravel().tolist()), tuple(columns.ravel().tolist())))
    return tuple(found)


def find_unseen_rows(program: Program) -> tuple[Unseen, ...]:
    """Return the tensors with one row of which the value does not depend on any entry: what becomes of the row is
    divided by itself.
    """
    uses = program.uses
    sums = ColumnSums(uses, units=None)  # which no scale asks for
    found = []
    for number, one in enumerate(program.instructions):
        is_row = one.operation == "tensor" and len(one.shape) == 2 and one.shape[0] == 1
        if is_row and leaves_value(Flow(uses, sums), number, "scale"):
            found.append(Unseen(one.argument, (0,) * one.shape[1], tuple(range(one.shape[1]))))
    return tuple(found)


def with_rows(entries: Sequence[Unseen], rows: Sequence[Unseen]) -> tuple[Unseen, ...]:
    """Return what is not seen, once: of a row of which all is not seen, all of it."""
    whole = {one.tensor for one in rows}
    return (*(one for one in entries if one.tensor not in whole), *rows)


@dataclass(frozen=True)
class UnseenSymmetry(Symmetry):
    r"""The translations of entries of a tensor that no value depends on (derived, see docs/theory/arrows.md).

    Parameters
    ----------
    arch : Architecture
        The network.
    unseen : Unseen
        The entries.
    """

    rests_on: ClassVar[str] = "arrow"
    """The function depends on fewer numbers."""

    unseen: Unseen

    def __repr__(self) -> str:
        return f"UnseenSymmetry({self.name})"

    @property
    def name(self) -> str:
        return f"entries of {self.unseen.tensor}"

    @property
    def tensors(self) -> tuple[str, ...]:
        """The name of the tensor."""
        return (self.unseen.tensor,)

    @property
    def dimension(self) -> int:
        """The number of these entries."""
        return len(self.unseen.rows)

    def units(self, field: Field) -> Elements:
        """Return a stack of matrices with a one at each of the entries in turn."""
        shape = verbs.coordinates(self.arch)[self.unseen.tensor]
        units = np.zeros((self.dimension, *shape), dtype=np.int64)
        units[np.arange(self.dimension), list(self.unseen.rows), list(self.unseen.columns)] = 1
        return Elements.of(field, units)

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        return [{self.unseen.tensor: self.units(theta.field)}]

    def element(self, theta: Weights, seed: int = 0) -> UnseenElement:
        raw = verbs.draw_array(theta.field, shape=(self.dimension, 1), seed=seed, label=self.name)
        return self.element_of(Elements(theta.field, raw))

    def element_of(self, vector: Elements) -> UnseenElement:
        """Return the element that adds the entries of a vector, a column."""
        return UnseenElement(self, vector)


@dataclass(frozen=True)
class ChoosingEntries(UnseenSymmetry):
    r"""The entries of a tensor that only chooses, of a network that reads tokens alone: small changes of them change no
    choice at any of the finitely many inputs (derived, see docs/theory/arrows.md).

    To first order this is a symmetry, and so it bounds the dimension; large changes do change the function, so that it
    is none of `algatt.symmetries`.
    """

    rests_on: ClassVar[str] = "choice"
    """The function depends on fewer numbers near almost all weights."""

    @property
    def name(self) -> str:
        return f"choices by {self.unseen.tensor}"


@dataclass(frozen=True, eq=False, repr=False)
class UnseenElement(VectorElement):
    """A translation of entries that no value depends on.

    Parameters
    ----------
    family : UnseenSymmetry
        Which entries.
    vector : Elements
        What is added to each, as a column.
    """

    family: UnseenSymmetry

    def change(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        unseen = self.family.unseen
        moved = tensors[unseen.tensor].raw.copy()
        places = list(unseen.rows), list(unseen.columns)
        moved[places] = (Elements(self.field, moved[places]) + Elements(self.field, self.vector.raw[:, 0])).raw
        return {unseen.tensor: Elements(self.field, moved)}


@verbs.identity.method
def identity_of_unseen(family: UnseenSymmetry, field: Field) -> UnseenElement:
    return family.element_of(Elements.of(field, np.zeros((family.dimension, 1), dtype=np.int64)))
