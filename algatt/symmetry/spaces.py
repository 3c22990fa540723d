"""The symmetries of a network, read off its code: one for each of its spaces."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import re
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Lightning, Normalized
from algatt.architectures.network import program as program_of
from algatt.errors import DivisionByZero, InvalidArgument, MethodError, NoRuleWarning, SingularMatrix
from algatt.fields import Elements, Field, PublicArray, Reals
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.symmetry.base import FamilyTangents, GroupElement, SparseTangents, Symmetry, Way, rank_of_tangents
from algatt.symmetry.groups import GeneralLinear, LinearGroup, MatrixGroup, PositiveTorus, Torus
from algatt.symmetry.motions.solution import SIDES, Solution, add_entries
from algatt.symmetry.motions.solving import solve_types
from algatt.symmetry.quotients.folded import through
from algatt.symmetry.quotients.gains import Fold, fold_gains
from algatt.symmetry.tensors_element import TensorsElement


@functools.lru_cache(maxsize=64)
def spaces_of(arch: Architecture) -> tuple[SpaceSymmetry, ...]:
    """Return the spaces of an architecture after its gains are folded, in the order of its tensors."""
    program, fold = fold_gains(program_of(arch))
    return named_spaces(arch, solutions_of(arch, program, fold), fold)


def solutions_of(arch: Architecture, program: Program, fold: Fold) -> list[Solution]:
    """Return the solutions of the types of a program without gains, in the order of the tensors."""
    gone = {gain.name for gain in fold.gains}
    shapes = {name: shape for name, shape in verbs.coordinates(arch).items() if name not in gone}
    order = {name: position for position, name in enumerate(shapes)}
    return sorted(solve_types(program, shapes), key=lambda one: [order[tensor] for tensor, _ in one.sides])


def named_spaces(arch: Architecture, solutions: Sequence[Solution], fold: Fold) -> tuple[SpaceSymmetry, ...]:
    """Return the families of solutions, each with a name."""
    joined = [[tensor for tensor, _ in one.sides] for one in solutions]
    names = name_spaces(joined, [one.component.size for one in solutions])
    return tuple(SpaceSymmetry(arch, *parts, fold) for parts in zip(names, solutions, strict=True))


@dataclass(frozen=True, repr=False)
class SpaceSymmetry(Symmetry):
    r"""The changes of coordinates of one space of a network: they move its tensors by :math:`\dot W = L W + W R`, which
    changes no value (derived, see docs/theory/motions.md).

    Parameters
    ----------
    arch : Architecture
        The network.
    label : str
        Its name, after the tensors that it joins.
    solution : Solution
        How the tensors move: what the types of its arrays allow.
    fold : Fold
        The quotient to the weights that they move: gains are folded.
    """

    rests_on: ClassVar[str] = "equivariant"
    """The types of the arrays prove it."""

    label: str
    solution: Solution
    fold: Fold

    @property
    def name(self) -> str:
        return self.label

    @functools.cached_property
    def group(self) -> MatrixGroup:
        """The group of the changes of coordinates, if all constraints on them have one name."""
        part, dimension = self.solution.component, len(self.solution)
        names: set[MatrixGroup | None] = {verbs.group_of(one) for one in part.constraints} or {GeneralLinear(part.size)}
        group = names.pop() if len(part.spaces) < 2 and len(names) == 1 else None
        if self.solution.positive and (isinstance(group, Torus) or not part.spaces):
            group = PositiveTorus(part.size)
        return group if group is not None and group.dimension == dimension else LinearGroup(part.size, dimension)

    @property
    def sides(self) -> tuple[tuple[str, str], ...]:
        """Where the changes of coordinates act."""
        return self.solution.sides

    @property
    def tensors(self) -> tuple[str, ...]:
        """The names of the tensors that it moves."""
        return tuple(dict.fromkeys(tensor for tensor, _ in self.solution.sides))

    @functools.cached_property
    def added(self) -> Mapping[str, frozenset[Way]]:
        """Equal rows by a matrix with equal rows, or equal columns by one with equal columns."""
        return {name: frozenset({(kind, None)}) for name, kind in self.solution.added.items()}

    def beside(self, tensor: str, ways: frozenset[Way]) -> SpaceSymmetry | None:
        """The same of the vector fields: see `Solution`."""
        part = self.solution.beside(tensor, ways)
        if part is None or part is self.solution:
            return None if part is None else self
        return dataclasses.replace(self, solution=part)

    @functools.cached_property
    def dimension(self) -> int:
        """That of the group, or the rank of the tangents at random weights: it is less where a space is not seen
        completely.
        """
        free = any(self.beside(name, frozenset()) is None for name in self.tensors)
        return len(self.solution) if free else rank_of_tangents(self)

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        """The same as stacks."""
        found, part = self.tangents_on(theta), {}
        for name in found.tensors:
            W, one = theta.tensors[name], found.on(name)
            part[name] = Elements.of(W.field, np.zeros((found.count, *W.shape), dtype=np.int64))
            add_entries(part[name], one.rows * W.raw.size + one.columns, Elements(W.field, one.values))
        return [part] if part else []

    def tangents_on(self, theta: Weights) -> FamilyTangents:
        """Where gains are folded, the tangents of the folded weights are lifted; none at weights with a zero in a gain,
        as nothing is known there.
        """
        fold, fields = self.fold, self.solution
        try:
            tensors = fold.folded(theta)
            lifts = fold.unfold({name: tensors[name] * 0 + 1 for name in self.tensors}, theta)
        except DivisionByZero:
            return FamilyTangents.of_parts([])

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

        return FamilyTangents(len(fields), self.tensors, on)

    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        """Return a random element over the field of `theta`, drawn from the stream of the seed.

        Over GF(p) it is a Cayley transform of a random element of the Lie algebra, over the reals its exponential.

        Raises
        ------
        SymmetryError
            Over GF(p), if no exact elements are known, as the equations of the space have coefficients other than 1
            and -1, and matrices act that are not diagonal.
        """
        solution = self.solution
        for attempt in itertools.count():
            raw = verbs.draw_array(theta.field, shape=(len(solution),), seed=seed, label=f"{self.name}/{attempt}")
            with suppress(SingularMatrix):
                return through(self.fold, verbs.element_of(solution, theta.field, raw))
        raise AssertionError("attempts never end")


@verbs.members.method
def spaces_of_architecture(family: type[SpaceSymmetry], arch: Architecture) -> tuple[SpaceSymmetry, ...]:
    if isinstance(arch, Lightning | Normalized):  # all of their spaces have names
        return ()
    try:
        return spaces_of(arch)
    except MethodError as error:
        warn_of_no_types(arch, error)
        return ()


def warn_of_no_types(arch: Architecture, error: MethodError) -> None:
    """Warn that the symmetries of an architecture are not found."""
    message = f"no symmetries are read off {arch}: {error}; what is missing may be a method for algatt.fields.Motions"
    warnings.warn(message, NoRuleWarning, stacklevel=3)


@verbs.exponential.method
def exponential_of_space(family: SpaceSymmetry, tangent: PublicArray) -> GroupElement:
    """The tangent is given by its coefficients in the basis of `tangents`."""
    solution = family.solution
    coefficients = Elements.of(Reals(), tangent, "tangent")
    if coefficients.shape != (len(solution),):
        raise InvalidArgument(
            "tangent", f"of shape {coefficients.shape}", f"of shape ({len(solution)},), a coefficient for each"
        )
    return through(family.fold, verbs.element_of(solution, coefficients.field, coefficients.raw))


@verbs.identity.method
def identity_of_space(family: SpaceSymmetry, field: Field) -> GroupElement:
    return through(family.fold, TensorsElement({}))


PLACES = (("score", "QK"), ("value", "VO"), ("hidden", ("up", "gate", "down")))
"""What a space is called that joins tensors of one layer of which all are in a list."""


PART = re.compile(r"(.+)\.((rows|columns)(_[0-9]+)+)")
"""The name of rows or columns of a tensor that are read by themselves: the tensor, and which they are."""


def name_spaces(joined: Sequence[Sequence[str]], sizes: Sequence[int]) -> list[str]:
    """Return a name for each space, given the tensors that it joins and its number of coordinates.

    A space within a layer is named by the path of the layer and by what it is there, as ``1.heads.score_2``, or by the
    tensors. Where several spaces join other rows and columns of the same tensors each, they are those of heads, as
    ``attention.head_2.rows_3_4-rows_7_8``. One that joins layers is a ``stream``; a number that multiplies other
    tensors than these is a ``scale``. Names that are met again are numbered.
    """
    parts = [[PART.fullmatch(tensor) for tensor in tensors] for tensors in joined]
    cut = [tuple((one[1], one[3]) for one in some if one) if all(some) else () for some in parts]
    alike, count, seen = Counter(zip(cut, sizes, strict=True)), Counter[str](), Counter[Any]()
    names = []
    for tensors, size, kind, some in zip(joined, sizes, cut, parts, strict=True):
        name = name_of(tensors, size)
        if size > 1 and alike[kind, size] > 1 and kind:
            seen[kind, size] += 1
            paths = [tensor.split(".")[:-1] for tensor, _ in kind]
            layer = itertools.takewhile(lambda some: len(set(some)) == 1, zip(*paths, strict=False))
            own = "-".join(one[2] for one in some if one)
            name = ".".join([*(one for one, *_ in layer), f"head_{seen[kind, size]}", own])
        names.append(name)
        count[name] += 1
    numbers = Counter[str]()
    for k, name in enumerate(names):
        numbers[name] += 1
        names[k] = f"{name}_{numbers[name]}" if count[name] > 1 else name
    return names


def name_of(tensors: Sequence[str], size: int) -> str:
    """Return the name of a space that joins tensors, without a number where others have the same."""
    paths = list(dict.fromkeys(tensor.rpartition(".")[0] for tensor in tensors))
    own = list(dict.fromkeys(tensor.rpartition(".")[2] for tensor in tensors))
    path = f"{paths[0]}." if paths[0] else ""
    if len(paths) == 1:
        kinds = {name.removeprefix("b_").partition("_")[0] for name in own}
        for place, members in PLACES:
            if kinds <= set(members):
                number = next((name.removeprefix("b_").partition("_")[2] for name in own if "_" in name), "")
                return f"{path}{place}_{number}" if number else f"{path}{place}"
    if size == 1:
        return f"{path}scale"
    numbers = {name.rpartition("_")[2] for name in own} if not path else set()  # tensors without a path are numbered
    return "stream" if len(paths) > 1 or len(numbers) > 1 else f"{path}{'-'.join(own)}"
