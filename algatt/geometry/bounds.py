"""Proven bounds on the dimension at one point over GF(p).

The rank of the Jacobian modulo p at any point is at most the generic rank over Q: a minor that does not vanish modulo p does not vanish. The rank
of the symmetries' tangents modulo p at any point is at most the generic dimension of the orbits, and the Jacobian vanishes along them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs
from algatt.errors import SymmetryError
from algatt.fields import Elements, PrimeField
from algatt.linalg import RowSpace
from algatt.parameters import Weights

__all__ = ["FamilyRank", "LowerBound", "Minor", "Progress", "UpperBound", "lower_bound", "upper_bound"]

Progress = Callable[[int, int], object]

BATCH = 2**25
"""At most about this many Jacobian entries are held at a time."""


@dataclass(frozen=True)
class Minor:
    """A square submatrix whose determinant does not vanish modulo p.

    Parameters
    ----------
    rows, columns : tuple of int
        Its rows and columns, in order.
    determinant : int
        The determinant modulo p.
    """

    rows: tuple[int, ...]
    columns: tuple[int, ...]
    determinant: int

    @classmethod
    def of(cls, space: RowSpace) -> Minor:
        """Return the minor of all rows that were added to a row space."""
        return cls(space.pivot_rows, space.pivot_columns, space.determinant)


@dataclass(frozen=True)
class FamilyRank:
    """What one symmetry family removes from the number of parameters.

    Parameters
    ----------
    name : str
        Name of the family.
    removes : int
        By how much its tangents raise the rank of those of the families before it.
    """

    name: str
    removes: int


@dataclass(frozen=True)
class UpperBound:
    """An upper bound of the dimension: parameters less the rank of the tangents of all symmetries.

    Parameters
    ----------
    value : int
        The bound.
    families : tuple of FamilyRank
        The families in order.
    minor : Minor
        A minor of the stacked tangents, as large as their rank.
    directions : Elements
        A random direction along each family, shape (parameters, families): the Jacobian must vanish on it.
    """

    value: int
    families: tuple[FamilyRank, ...]
    minor: Minor
    directions: Elements = dataclasses.field(repr=False, compare=False)


@dataclass(frozen=True)
class LowerBound:
    """A lower bound of the dimension: the rank of the Jacobian at random weights and inputs.

    Parameters
    ----------
    value : int
        The bound.
    inputs : int
        The number of inputs used.
    saturated : bool
        Whether all rows of a fresh input added nothing, so that more inputs would not help at these weights.
    minor : Minor
        A minor of the Jacobian, as large as its rank.
    """

    value: int
    inputs: int
    saturated: bool
    minor: Minor


def upper_bound(arch: Architecture, field: PrimeField, theta: Weights) -> UpperBound:
    """Bound the dimension from above by the symmetries at a point over GF(p)."""
    space = RowSpace(field, arch.parameters)
    families = []
    directions: np.ndarray = np.zeros((arch.parameters, 0), dtype=field.dtype)
    for family in verbs.symmetries(arch):
        tangents = family.tangent_elements(theta)
        families.append(FamilyRank(family.name, space.add(tangents)))
        weights = Elements(field, verbs.draw_array(field, shape=(1, tangents.shape[0]), seed=0, label=f"direction/{family.name}"))
        directions = np.hstack([directions, (weights @ tangents).T.raw])
    return UpperBound(arch.parameters - space.rank, tuple(families), Minor.of(space), Elements(field, directions))


def check_symmetries(rows: Elements, upper: UpperBound) -> None:
    """Raise `SymmetryError` if rows of the Jacobian do not vanish along the symmetries: the upper bound rests on what the architecture declares."""
    moving = (rows @ upper.directions).raw.any(axis=0)
    for family, moves in zip(upper.families, moving, strict=True):
        if moves:
            raise SymmetryError(f"the {family.name} symmetry changes the function to first order, so it is none; see the methods of members")


def lower_bound(arch: Architecture, field: PrimeField, theta: Weights, seed: int, upper: UpperBound, progress: Progress | None = None) -> LowerBound:
    """Bound the dimension from below by the Jacobian at a point over GF(p) and inputs drawn from the seed.

    The rows of one input depend on each other, those of different inputs as little as they can: so every input gives one row, and the rows of
    the value take turns. When they add nothing any more, all rows of one fresh input are tried: if they add nothing either, the
    rank is that of all inputs together.

    The Jacobian vanishes along the tangents of the symmetries. So the columns in which these have their minor are combinations of the others,
    and the rank is that of the others alone.
    """
    columns = np.setdiff1d(np.arange(arch.parameters), upper.minor.columns)
    space = RowSpace(field, len(columns))
    outputs_of_one = arch.dims[-1] * arch.tokens
    largest = max(1, BATCH // arch.parameters)
    origins: list[int] = []  # for each row that was added, its number in the Jacobian of all inputs
    inputs = 0
    saturated = False
    while space.rank < upper.value and not saturated:
        count = min(upper.value - space.rank, largest)
        numbers = np.arange(inputs, inputs + count)
        outputs = numbers % arch.dims[-1] * arch.tokens + numbers // arch.dims[-1] % arch.tokens
        rows = verbs.gradients(arch, theta, Elements(field, draw_inputs(arch, field, seed, inputs, count)), outputs=outputs)
        check_symmetries(rows, upper)
        gained = space.add(Elements(field, rows.raw[:, columns]))
        origins += [int(row) for row in numbers * outputs_of_one + outputs]
        inputs += count
        if not gained:
            rows = verbs.jacobian(arch, theta, Elements(field, draw_inputs(arch, field, seed, inputs, 1)))
            saturated = space.add(Elements(field, rows.raw[:, columns])) == 0
            origins += range(inputs * outputs_of_one, (inputs + 1) * outputs_of_one)
            inputs += 1
        if progress is not None:
            progress(space.rank, upper.value)
    minor = Minor(
        rows=tuple(origins[row] for row in space.pivot_rows),
        columns=tuple(int(columns[column]) for column in space.pivot_columns),
        determinant=space.determinant,
    )
    return LowerBound(space.rank, inputs, saturated, minor)
