r"""Entries of tensors that the value does not depend on: each may be any number.

Entries that a mask hides are such, as the scores of a relative position that no two tokens have. They are found by
going through the program from its end to its beginning (derived, see docs/theory/motions.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from algatt import verbs
from algatt.fields import Elements, Field
from algatt.parameters import Weights
from algatt.symmetry.quotients.folded import QuotientSymmetry
from algatt.symmetry.quotients.sight import Unseen


@dataclass(frozen=True, repr=False)
class UnseenSymmetry(QuotientSymmetry):
    r"""The translations of entries of a tensor that no value depends on (derived, see docs/theory/motions.md).

    Parameters
    ----------
    arch : Architecture
        The network.
    unseen : Unseen
        The entries.
    """

    unseen: Unseen

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

    def change(self, vector: Elements, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Add a number to each of the entries."""
        moved = tensors[self.unseen.tensor].raw.copy()
        places = list(self.unseen.rows), list(self.unseen.columns)
        moved[places] = (Elements(vector.field, moved[places]) + Elements(vector.field, vector.raw[:, 0])).raw
        return {self.unseen.tensor: Elements(vector.field, moved)}

    def units(self, field: Field) -> Elements:
        """Return a stack of matrices with a one at each of the entries in turn."""
        shape = verbs.coordinates(self.arch)[self.unseen.tensor]
        units = np.zeros((self.dimension, *shape), dtype=np.int64)
        units[np.arange(self.dimension), list(self.unseen.rows), list(self.unseen.columns)] = 1
        return Elements.of(field, units)

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        return [{self.unseen.tensor: self.units(theta.field)}]


@dataclass(frozen=True, repr=False)
class ChoosingEntries(UnseenSymmetry):
    r"""The entries of a tensor that only chooses, of a network that reads tokens alone: small changes of them change no
    choice at any of the finitely many inputs (derived, see docs/theory/motions.md).

    To first order this is a symmetry, and so it bounds the dimension; large changes do change the function, so that it
    is none of `algatt.symmetries`.
    """

    rests_on: ClassVar[str] = "choice"
    """The function depends on fewer numbers near almost all weights."""

    @property
    def name(self) -> str:
        return f"choices by {self.unseen.tensor}"
