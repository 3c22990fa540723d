"""The distance of a point that moves from a target, in the coordinates of the target, and in those of the group."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program as program_of
from algatt.errors import NoNormalForm
from algatt.fields import Elements, Reals
from algatt.geometry.alignment.scalings import Scaling, scalings_of
from algatt.geometry.equality.large.balanced_form import matrices_of
from algatt.geometry.equality.large.balancing import is_transposed
from algatt.geometry.equality.large.motions import Coordinates, Factors, LargeMotions, MatrixSpace
from algatt.geometry.equality.large.spaces import large_motions
from algatt.geometry.equality.large.standard import quotients_of
from algatt.geometry.equality.networks.standard import without_zero_gains
from algatt.parameters import Weights
from algatt.symmetry import GainSymmetry, GroupElement, NormBiasSymmetry, ShiftSymmetry, Symmetry, UnseenSymmetry
from algatt.symmetry.quotients.gains import Fold, fold_gains

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class GainNumbers:
    """A gain as numbers that multiply it, and divide what reads it.

    Parameters
    ----------
    family : GainSymmetry
        The family.
    coordinates : Coordinates
        Its entries, with the sides that they multiply before gains are folded.
    """

    family: GainSymmetry
    coordinates: Coordinates

    @property
    def factors(self) -> Factors:
        """The numbers."""
        return self.coordinates.factors[0]


@dataclass(frozen=True, eq=False)
class Problem:
    """A target, and the group that moves points toward it.

    Parameters
    ----------
    arch : Architecture
        The network.
    target : Weights
        The point to come near to.
    unseen : bool
        Whether entries that no value depends on may be moved.
    """

    arch: Architecture
    target: Weights
    unseen: bool

    @functools.cached_property
    def goal(self) -> dict[str, np.ndarray]:
        """The tensors of the target as matrices."""
        return matrices_of(self.target)

    def without_zeros(self, theta: Weights) -> tuple[tuple[GroupElement, ...], Weights]:
        """Return the elements that make zeros of gains 1 where they can, the last of which acts first, and the point
        that they lead to.
        """
        return without_zero_gains(self.quotients, theta)

    @functools.cached_property
    def quotients(self) -> tuple[Symmetry, ...]:
        """The families that do not act on spaces."""
        return tuple(quotients_of(self.arch, unseen=self.unseen))

    @functools.cached_property
    def motions(self) -> LargeMotions:
        """The spaces of the network."""
        return large_motions(self.arch)

    @functools.cached_property
    def fold(self) -> Fold:
        """The quotient that folds gains, in whose coordinates the spaces act."""
        return fold_gains(program_of(self.arch))[1]

    @functools.cached_property
    def spaces(self) -> tuple[MatrixSpace, ...]:
        """The spaces that are used."""
        return tuple(space for space in self.motions.spaces if is_usable(space))

    @property
    def left(self) -> tuple[str, ...]:
        """The spaces that are not used, and the tensors of those without a rule."""
        scaled = {name for one in self.scalings for name in one.exponents}
        unsolved = (name for name in self.motions.unsolved if name not in scaled)
        return (*unsolved, *(one.name for one in self.motions.spaces if one not in self.spaces))

    @functools.cached_property
    def scalings(self) -> tuple[Scaling, ...]:
        """The numbers that multiply whole tensors."""
        return scalings_of(self.arch, self.motions, self.fold)

    @functools.cached_property
    def coordinates(self) -> tuple[Coordinates, ...]:
        """The coordinates that are permuted, or multiplied by numbers."""
        return tuple(one for one in self.motions.coordinates if one.permuted or one.factors)

    @functools.cached_property
    def gains(self) -> tuple[GainNumbers, ...]:
        """The gains, each as numbers."""
        found = []
        for family in verbs.members(GainSymmetry, self.arch):
            gain = family.gain
            exponents = {(name, 0): 1 for name in (gain.name, *gain.divided)}
            exponents |= {(name, 0): -1 for name in gain.rows} | {(name, 1): -1 for name in gain.columns}
            found.append(GainNumbers(family, Coordinates(family.size, tuple(exponents), False, (Factors(exponents),))))
        return tuple(found)

    @functools.cached_property
    def vectors(self) -> tuple[ShiftSymmetry | NormBiasSymmetry | UnseenSymmetry, ...]:
        """The families of translations."""
        kinds = NormBiasSymmetry | ShiftSymmetry | UnseenSymmetry
        return tuple(one for one in self.quotients if isinstance(one, kinds))

    def distance(self, theta: Weights) -> float:
        """Return the distance of a point from the target."""
        return float(np.sqrt(sum(square(W - self.goal[name]) for name, W in matrices_of(theta).items())))

    def frame(self, theta: Weights) -> Frame:
        """Return a point and the target in the coordinates of the group, at the gains of the point.

        Raises
        ------
        DivisionByZero
            If an entry of a gain is zero.
        """
        weights = multipliers(self.fold, theta)
        tensors = {name: W for name, W in matrices_of(theta).items() if name in weights}
        return Frame(
            {name: W / weights[name] for name, W in tensors.items()},
            {name: self.goal[name] / weights[name] for name in tensors},
            weights,
        )


@dataclass(eq=False)
class Frame:
    """A point and a target with gains folded: a tensor of the network is what is here times weights, entry by entry.

    Parameters
    ----------
    tensors : dict of str to ndarray
        The point, which moves.
    goal : dict of str to ndarray
        The target.
    weights : dict of str to ndarray
        The weights.
    """

    tensors: dict[str, np.ndarray]
    goal: Arrays
    weights: Arrays

    def square(self, name: str, W: np.ndarray | None = None) -> float:
        """Return the square of the distance of a tensor, or of what is in its place."""
        moved = self.tensors[name] if W is None else W
        return square((moved - self.goal[name]) * self.weights[name])


@dataclass(eq=False)
class OrbitPoint:
    """A point of an orbit, with the elements that led there.

    Parameters
    ----------
    problem : Problem
        The target and the group.
    theta : Weights
        The point.
    elements : list of GroupElement
        What led there, the last of which acted first.
    """

    problem: Problem
    theta: Weights
    elements: list[GroupElement] = field(default_factory=list)

    @functools.cached_property
    def distance(self) -> float:
        """Its distance from the target."""
        return self.problem.distance(self.theta)

    def moved(self, elements: list[GroupElement]) -> OrbitPoint:
        """Return the point after elements acted, the first of which acts first."""
        theta = self.theta
        for element in elements:
            theta = verbs.act(element, theta)
        return OrbitPoint(self.problem, theta, [*reversed(elements), *self.elements])


def is_usable(space: MatrixSpace) -> bool:
    """Return whether a matrix acts in a space, and not beside its transpose."""
    try:
        is_transposed(space)
    except NoNormalForm:
        return False
    return True


def multipliers(fold: Fold, theta: Weights) -> dict[str, np.ndarray]:
    """Return by what entries of tensors are multiplied when gains are taken out of them again; none for the gains."""
    gains = {gain.name for gain in fold.gains}
    ones = {name: Elements(Reals(), np.ones_like(one.raw)) for name, one in theta.tensors.items() if name not in gains}
    lifted = fold.unfold(ones, theta)
    return {name: one.raw.reshape(((1, 1) + one.raw.shape)[-2:]) for name, one in lifted.items()}


def square(array: np.ndarray) -> float:
    """Return the sum of the squares of the entries."""
    return float(np.vdot(array, array))
