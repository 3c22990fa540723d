"""Gains that may have any factors, as what they are folded into is divided by these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from algatt import verbs
from algatt.fields import Elements
from algatt.parameters import Weights
from algatt.symmetry.arrows.folded import ArrowSymmetry, FactorsElement, VectorElement
from algatt.symmetry.arrows.gains import Gain
from algatt.symmetry.groups import MatrixGroup, Torus

__all__ = ["GainElement", "GainSymmetry"]


@dataclass(frozen=True, eq=False, repr=False)
class GainElement(FactorsElement):
    """An element that multiplies a gain by numbers, a column without zeros, and divides what it is folded into by them.

    Parameters
    ----------
    family : GainSymmetry
        Which gain.
    """

    family: GainSymmetry

    def change(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return the tensors that are moved, by name; the gain may be gone."""
        gain, inverse = self.family.gain, self.vector.reciprocal()
        factors = dict.fromkeys(gain.columns, inverse.T) | dict.fromkeys(gain.rows, inverse)
        factors |= dict.fromkeys((*gain.divided, *((gain.name,) if gain.name in tensors else ())), self.vector)
        return {name: tensors[name] * factor for name, factor in factors.items()}


@dataclass(frozen=True, repr=False)
class GainSymmetry(ArrowSymmetry):
    r"""The fibre of the arrow that folds a gain: :math:`g \to c g`, :math:`W \to W c^{-1}` for diagonal c (derived).

    Parameters
    ----------
    arch : Architecture
        The network.
    gain : Gain
        The gain.
    """

    kind: ClassVar[type[VectorElement]] = GainElement

    gain: Gain

    @property
    def name(self) -> str:
        return self.gain.name

    @property
    def size(self) -> int:
        """The number of entries of the gain."""
        return int(verbs.coordinates(self.arch)[self.gain.name][0])

    @property
    def group(self) -> MatrixGroup:
        """The group that acts."""
        return Torus(self.size)

    @property
    def dimension(self) -> int:
        """One for each entry of the gain."""
        return self.size

    @property
    def neutral(self) -> np.ndarray:
        return np.ones((self.size, 1), dtype=np.int64)

    @property
    def tensors(self) -> tuple[str, ...]:
        """The names of the tensors that it moves."""
        return self.gain.name, *self.gain.tensors

    @property
    def sides(self) -> tuple[tuple[str, str], ...]:
        """All on their rows, but for what the gain is folded into from the right."""
        rows = (self.gain.name, *self.gain.rows, *self.gain.divided)
        return *((name, "rows") for name in rows), *((name, "columns") for name in self.gain.columns)

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        units = np.eye(self.size, dtype=np.int64)
        rows, columns = units.reshape(-1, self.size, 1), units.reshape(-1, 1, self.size)
        part = {}
        for names, factor in (
            ((self.gain.name, *self.gain.divided), rows),
            (self.gain.rows, -rows),
            (self.gain.columns, -columns),
        ):
            for name in names:
                part[name] = theta.tensors[name] * factor
        return [part]
