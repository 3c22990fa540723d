r"""Families of the biases of norms: these may have any entries where matrices alone read them.

A matrix W that reads :math:`Y + b 1^T`, where the columns of Y add up to zero as after a LayerNorm, is seen through W
on the columns with sum zero and through W b only. So any b will do: W changes along :math:`1^T` (derived).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.fields import Elements
from algatt.programs import Program
from algatt.symmetry.base import Symmetry, Way
from algatt.symmetry.motions.shifts import solve_shifts
from algatt.symmetry.quotients.folded import FoldedSymmetry
from algatt.symmetry.quotients.gains import Fold, is_vector, readers


@dataclass(frozen=True)
class NormBias:
    """A bias and the matrices that read it.

    Parameters
    ----------
    name : str
        The bias b.
    matrices : tuple of str
        All that reads Y + b.
    """

    name: str
    matrices: tuple[str, ...]


def find_norm_biases(program: Program, *, units: tuple[int, int] | None = None) -> tuple[NormBias, ...]:
    """Return the biases that are added to columns with sum zero and read by matrices alone, which read nothing else."""
    uses = program.uses
    found = []
    for number, one in enumerate(program.instructions):
        if one.operation != "add":
            continue
        for Y, b in (one.operands, one.operands[::-1]):
            if not (is_vector(uses, b, uses[Y].shape[:-1]) and uses.is_used_by(b, number)):
                continue
            read = readers(uses, number)
            if read is not None and not read.divided and solve_shifts(program, units=units).moving[Y].total() == {}:
                found.append(NormBias(uses[b].argument, read.columns))
    return tuple(found)


@dataclass(frozen=True, repr=False)
class NormBiasSymmetry(FoldedSymmetry):
    r"""The changes :math:`b \to b + v`, :math:`W \to W - W v\, 1^T / 1^T (b + v)`
    (derived, see docs/theory/motions.md).

    Parameters
    ----------
    arch : Architecture
        The network.
    bias : NormBias
        The bias.
    fold : Fold
        The quotient that folds gains.
    """

    bias: NormBias
    fold: Fold

    @property
    def name(self) -> str:
        return self.bias.name

    @property
    def tensors(self) -> tuple[str, ...]:
        """The names of the tensors that it moves."""
        return self.bias.name, *self.bias.matrices

    @property
    def dimension(self) -> int:
        """The number of entries of the bias."""
        return int(verbs.coordinates(self.arch)[self.bias.name][0])

    @property
    def added(self) -> Mapping[str, frozenset[Way]]:
        """All that it moves."""
        return dict.fromkeys(self.tensors, frozenset({("columns", None)}))

    def beside(self, tensor: str, ways: frozenset[Way]) -> Symmetry | None:
        """The vector itself is added to the bias."""
        return self if tensor != self.bias.name or ways else None

    def change(self, vector: Elements, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Add a vector to the bias, and change the matrices that read it.

        Raises
        ------
        DivisionByZero
            If the new bias adds up to zero.
        """
        b = tensors[self.bias.name] + vector
        row = np.ones((1, b.shape[0]), dtype=np.int64) * b.sum(axis=0).reciprocal()
        return {self.bias.name: b} | {name: tensors[name] - tensors[name] @ vector @ row for name in self.bias.matrices}

    def tangents_of_folded(self, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Return how the bias moves along each unit vector, and the matrices with it.

        Raises
        ------
        DivisionByZero
            If the bias adds up to zero.
        """
        b = tensors[self.bias.name]
        d, inverse = self.dimension, b.sum(axis=0).reciprocal()
        part = {self.bias.name: Elements.of(b.field, np.eye(d, dtype=np.int64).reshape(d, d, 1))}
        for name in self.bias.matrices:
            columns = Elements(b.field, tensors[name].T.raw[:, :, None])
            part[name] = -(columns @ np.ones((1, d), dtype=np.int64)) * inverse
        return part
