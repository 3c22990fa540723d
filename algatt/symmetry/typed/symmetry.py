"""The symmetries of a network, read off its code: one for each of its spaces."""

from __future__ import annotations

import dataclasses
import functools
import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count as count_from
from typing import ClassVar

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Lightning, Normalized
from algatt.architectures.recording import program as program_of
from algatt.errors import DivisionByZero, InvalidArgument, MethodError, NoRuleWarning, SingularMatrix
from algatt.fields import Elements, Field, PublicArray, Reals
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.symmetry.arrows.folded import through
from algatt.symmetry.arrows.gains import Fold, fold_gains
from algatt.symmetry.base import GroupElement, Symmetry, Way, rank_of_tangents
from algatt.symmetry.groups import GeneralLinear, LinearGroup, MatrixGroup, PositiveTorus, Torus
from algatt.symmetry.relations import SparseTangents, Tangents
from algatt.symmetry.tensors_element import TensorsElement
from algatt.symmetry.typed.basis import SIDES, add_entries
from algatt.symmetry.typed.linear_system import Component
from algatt.symmetry.typed.solution import Solution, name_spaces, solve_types


@dataclass(frozen=True, eq=False)
class MovingSpace:
    """A space of a network whose coordinates may be changed: what the types of its arrays allow.

    Parameters
    ----------
    name : str
        Named after the tensors that it joins.
    solution : Solution
        How they move the tensors.
    fold : Fold
        The arrow to the weights that they move: gains are folded.
    """

    name: str
    solution: Solution
    fold: Fold

    @functools.cached_property
    def group(self) -> MatrixGroup:
        """The changes of coordinates."""
        return group_of_solution(self.solution)


@functools.lru_cache(maxsize=64)
def spaces_of(arch: Architecture) -> tuple[MovingSpace, ...]:
    """Return the spaces of an architecture after its gains are folded, in the order of its tensors."""
    program, fold = fold_gains(program_of(arch))
    return moving_spaces(solutions_of(arch, program, fold), fold)


def solutions_of(arch: Architecture, program: Program, fold: Fold) -> list[Solution]:
    """Return the solutions of the types of a program without gains, in the order of the tensors."""
    gone = {gain.name for gain in fold.gains}
    shapes = {name: shape for name, shape in verbs.coordinates(arch).items() if name not in gone}
    order = {name: position for position, name in enumerate(shapes)}
    return sorted(solve_types(program, shapes), key=lambda one: [order[tensor] for tensor, _ in one.sides])


def moving_spaces(solutions: list[Solution], fold: Fold) -> tuple[MovingSpace, ...]:
    """Return the spaces of solutions, each with a name."""
    sizes = [size_of_component(one.component) for one in solutions]
    names = name_spaces([[tensor for tensor, _ in one.sides] for one in solutions], sizes)
    return tuple(MovingSpace(*parts, fold) for parts in zip(names, solutions, strict=True))


def size_of_component(component: Component) -> int:
    """Return the size of the matrices that act on a component of the unknowns."""
    return max((space.size for space in component.spaces), default=1)


def group_of_solution(solution: Solution) -> MatrixGroup:
    """Return the group of a component of the unknowns."""
    component, dimension = solution.component, len(solution.fields)
    if not component.spaces:
        return PositiveTorus(1) if solution.positive else GeneralLinear(1)
    size = size_of_component(component)
    group: MatrixGroup | None = GeneralLinear(size) if len(component.spaces) == 1 else None
    for constraint in component.constraints:
        other = None if group is None else verbs.group_of(constraint)
        group = None if group is None or other is None else verbs.meet(group, other)
    if isinstance(group, Torus) and solution.positive:
        group = PositiveTorus(size)
    return group if group is not None and group.dimension == dimension else LinearGroup(size, dimension)


@dataclass(frozen=True, repr=False)
class SpaceSymmetry(Symmetry):
    r"""The changes of coordinates of one space of a network: they move its tensors by :math:`\dot W = L W + W R`, which
    changes no value (derived, see docs/theory/motions.md).

    Parameters
    ----------
    arch : Architecture
        The network.
    space : MovingSpace
        The space.
    """

    rests_on: ClassVar[str] = "typed"
    """The types of the arrays prove it."""

    space: MovingSpace

    @property
    def name(self) -> str:
        return self.space.name

    @property
    def group(self) -> MatrixGroup:
        """The group of the changes of coordinates."""
        return self.space.group

    @property
    def sides(self) -> tuple[tuple[str, str], ...]:
        """Where the changes of coordinates act."""
        return self.space.solution.sides

    @property
    def tensors(self) -> tuple[str, ...]:
        """The names of the tensors that it moves."""
        return tuple(dict.fromkeys(tensor for tensor, _ in self.space.solution.sides))

    @functools.cached_property
    def added(self) -> Mapping[str, frozenset[Way]]:
        """Equal rows by a matrix with equal rows, or equal columns by one with equal columns."""
        return {name: frozenset({(kind, None)}) for name, kind in self.space.solution.fields.added.items()}

    def beside(self, tensor: str, ways: frozenset[Way]) -> SpaceSymmetry | None:
        """The same of the vector fields: see `Solution`."""
        part = self.space.solution.beside(tensor, ways)
        if part is None or part is self.space.solution:
            return None if part is None else self
        return SpaceSymmetry(self.arch, dataclasses.replace(self.space, solution=part))

    @functools.cached_property
    def dimension(self) -> int:
        """That of the group, or the rank of the tangents at random weights: it is less where a space is not seen
        completely.
        """
        free = any(self.beside(name, frozenset()) is None for name in self.tensors)
        return len(self.space.solution.fields) if free else rank_of_tangents(self)

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        """The same as stacks."""
        found, part = self.tangents_on(theta), {}
        for name in found.tensors:
            W, one = theta.tensors[name], found.on(name)
            part[name] = Elements.of(W.field, np.zeros((found.count, *W.shape), dtype=np.int64))
            add_entries(part[name], one.rows * W.raw.size + one.columns, Elements(W.field, one.values))
        return [part] if part else []

    def tangents_on(self, theta: Weights) -> Tangents:
        """Where gains are folded, the tangents of the folded weights are lifted; none at weights with a zero in a gain,
        as nothing is known there.
        """
        fold, fields = self.space.fold, self.space.solution.fields
        try:
            tensors = fold.folded(theta)
            lifts = fold.unfold({name: tensors[name] * 0 + 1 for name in self.tensors}, theta)
        except DivisionByZero:
            return Tangents.of_parts([])

        def on(name: str) -> SparseTangents:
            found: list[tuple[np.ndarray, ...]] = []
            W, lift = tensors[name], lifts[name]
            places = np.arange(W.raw.size).reshape(W.shape)
            for side in SIDES:
                if (name, side) in fields.entries:
                    one = fields.entries[name, side]
                    i, j = (one.rows, one.columns) if side == "rows" else (one.columns, one.rows)
                    where = places if side == "rows" else places.T
                    read, factor = (array.raw if side == "rows" else array.raw.T for array in (W, lift))
                    values = Elements(W.field, read[j]) * one.values[:, None] * Elements(W.field, factor[i])
                    found.append((np.repeat(one.numbers, where.shape[1]), where[i].ravel(), values.raw.ravel()))
            return SparseTangents.joined(len(fields), found)

        return Tangents(len(fields), self.tensors, on)

    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        """Return a random element over the field of `theta`, drawn from the stream of the seed.

        Over GF(p) it is a Cayley transform of a random element of the Lie algebra, over the reals its exponential.

        Raises
        ------
        SymmetryError
            Over GF(p), if no exact elements are known, as the equations of the space have coefficients other than 1
            and -1, and matrices act that are not diagonal.
        """
        solution = self.space.solution
        for attempt in count_from():
            raw = verbs.draw_array(
                theta.field, shape=(len(solution.fields),), seed=seed, label=f"{self.name}/{attempt}"
            )
            with suppress(SingularMatrix):
                return through(self.space.fold, verbs.element_of(solution, theta.field, raw))
        raise AssertionError("attempts never end")


@verbs.members.method
def spaces_of_architecture(family: type[SpaceSymmetry], arch: Architecture) -> tuple[SpaceSymmetry, ...]:
    if isinstance(arch, Lightning | Normalized):  # all of their spaces have names
        return ()
    try:
        spaces = spaces_of(arch)
    except MethodError as error:
        warn_of_no_types(arch, error)
        return ()
    return tuple(SpaceSymmetry(arch, space) for space in spaces)


def warn_of_no_types(arch: Architecture, error: MethodError) -> None:
    """Warn that the symmetries of an architecture are not found."""
    message = f"no symmetries are read off {arch}: {error}; what is missing may be a method for algatt.fields.Motions"
    warnings.warn(message, NoRuleWarning, stacklevel=3)


@verbs.exponential.method
def exponential_of_space(family: SpaceSymmetry, tangent: PublicArray) -> GroupElement:
    """The tangent is given by its coefficients in the basis of `tangents`."""
    solution = family.space.solution
    coefficients = Elements.of(Reals(), tangent, "tangent")
    if coefficients.shape != (len(solution.fields),):
        raise InvalidArgument(
            "tangent", f"of shape {coefficients.shape}", f"of shape ({len(solution.fields)},), a coefficient for each"
        )
    return through(family.space.fold, verbs.element_of(solution, coefficients.field, coefficients.raw))


@verbs.identity.method
def identity_of_space(family: SpaceSymmetry, field: Field) -> GroupElement:
    return through(family.space.fold, TensorsElement({}))
