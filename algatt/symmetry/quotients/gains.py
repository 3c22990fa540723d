r"""Gains folded into the matrices beside them: the function depends on a gain g and on a matrix W that reads
:math:`g * Y` only through :math:`W \mathrm{diag}(g)`.

This is a quotient from weights to weights without gains. It is an identity of programs, :math:`W (g * Y + b) = W
\mathrm{diag}(g) (Y + b / g)`, and a gain is folded only if all that is read of it is of this form (derived). Its fibre
is a family: a gain may have any factors, as what it is folded into is divided by these.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Lightning, Normalized
from algatt.architectures.network import program
from algatt.errors import MethodError
from algatt.fields import Elements, Reals
from algatt.fields.base import Delayed
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.programs.uses import Uses, bypass
from algatt.symmetry.base import Symmetry, Way
from algatt.symmetry.groups import MatrixGroup, Torus
from algatt.symmetry.quotients.folded import QuotientSymmetry


@dataclass(frozen=True)
class Gain:
    """A gain and what it is folded into.

    Parameters
    ----------
    name : str
        The tensor g, of shape (d, 1).
    columns : tuple of str
        Tensors W that become W diag(g).
    rows : tuple of str
        Tensors W, or biases, that become diag(g) W.
    divided : tuple of str
        Biases b that become b / g.
    """

    name: str
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    divided: tuple[str, ...] = ()

    @property
    def tensors(self) -> tuple[str, ...]:
        """All tensors that it is folded into."""
        return (*self.columns, *self.rows, *self.divided)

    def factors(self, g: Any, inverse: Any) -> dict[str, Any]:
        """Return by what a gain g, given with its inverse, multiplies tensors that it is folded into."""
        return dict.fromkeys(self.columns, g.T) | dict.fromkeys(self.rows, g) | dict.fromkeys(self.divided, inverse)


@dataclass(frozen=True)
class Fold:
    """The quotient that folds gains.

    Parameters
    ----------
    gains : tuple of Gain
        The gains, in the order of the network.
    """

    gains: tuple[Gain, ...]

    def fold(self, theta: Weights) -> dict[str, Elements]:
        """Return the tensors with the gains folded into them, by name; the gains are gone.

        Raises
        ------
        DivisionByZero
            If an entry of a gain is zero.
        """
        return dict(FoldedTensors(self, theta))

    def folded(self, theta: Weights) -> FoldedTensors:
        """Return the tensors of weights through the quotient, which all families of a network ask for one after
        another.

        Raises
        ------
        DivisionByZero
            If an entry of a gain is zero.
        """
        return fold_once(self, Same(theta))

    def unfold(self, folded: Mapping[str, Elements], theta: Weights) -> dict[str, Elements]:
        """Return tensors, or stacks of their tangents, given the folded ones; the gains are those of `theta`.

        Raises
        ------
        DivisionByZero
            If an entry of a gain is zero.
        """
        tensors, given = dict(folded), theta.tensors
        for gain in self.gains:
            g = given[gain.name]
            if not tensors.keys().isdisjoint(gain.tensors) and not is_one(Same(g)):
                factors = gain.factors(g.reciprocal(), g)
                tensors |= {name: tensors[name] * factor for name, factor in factors.items() if name in tensors}
        return tensors


class FoldedTensors(Mapping[str, Elements]):
    """The tensors of weights with gains folded into them, by name; each is made when it is asked for, as those of large
    networks are many, and an element that acts through a quotient moves a few.

    Parameters
    ----------
    fold : Fold
        The quotient.
    theta : Weights
        The weights.

    Raises
    ------
    DivisionByZero
        If an entry of a gain is zero.
    """

    def __init__(self, fold: Fold, theta: Weights) -> None:
        self.tensors = dict(theta.tensors)
        self.factors: dict[str, list[Elements]] = {}
        self.made: dict[str, Elements] = {}
        for gain in fold.gains:
            g = self.scaled(gain.name)
            del self.tensors[gain.name]
            if not is_one(Same(g)):
                for name, factor in gain.factors(g, g.reciprocal()).items():
                    self.factors.setdefault(name, []).append(factor)

    def scaled(self, name: str) -> Elements:
        """Return a tensor times the gains that were met so far."""
        return functools.reduce(lambda one, factor: one * factor, self.factors.get(name, ()), self.tensors[name])

    def __getitem__(self, name: str) -> Elements:
        if name not in self.made:
            found = self.scaled(name)
            self.made[name] = found.made() if isinstance(found, Delayed) else found
        return self.made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.tensors)

    def __len__(self) -> int:
        return len(self.tensors)


class Same:
    """A value that is equal to itself alone: to compare the weights of large networks takes long."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value

    def __hash__(self) -> int:
        return id(self.value)


@functools.lru_cache(maxsize=1)
def fold_once(fold: Fold, theta: Same) -> FoldedTensors:
    """Return the tensors of weights through a quotient."""
    return FoldedTensors(fold, theta.value)


@functools.lru_cache(maxsize=256)
def is_one(g: Same) -> bool:
    """Return whether a gain over the reals is one: large networks have many in standard position."""
    return isinstance(g.value.field, Reals) and bool(np.all(g.value.raw == 1))


@functools.lru_cache(maxsize=64)
def fold_gains(program: Program) -> tuple[Program, Fold]:
    """Return a program without the gains that can be folded, and the quotient."""
    fold, aliases = find_gains(program)
    return (bypass(program, aliases) if aliases else program), fold


def find_gains(program: Program) -> tuple[Fold, dict[int, int]]:
    """Return the quotient that folds all gains that can be, and by which results those with gains are replaced."""
    uses = program.uses
    gains, aliases = [], {}
    for number, one in enumerate(program.instructions):
        if one.operation != "multiply":
            continue
        for g, Y in (one.operands, one.operands[::-1]):
            if not (is_vector(uses, g, one.shape[-2:][:1]) and uses.is_used_by(g, number)):
                continue
            # of two vectors, as for one token, the gain is the tensor
            if uses[Y].shape == one.shape and (uses[g].shape != one.shape or uses[Y].operation != "tensor"):
                found = readers(uses, number) or writers(uses, number, Y, one.shape[:1])
                if found is not None:
                    gains.append(dataclasses.replace(found, name=uses[g].argument))
                    aliases[number] = Y
    return Fold(tuple(gains)), aliases


def is_vector(uses: Uses, number: int, height: tuple[int, ...]) -> bool:
    """Return whether a result is a tensor with one column of a height."""
    return uses[number].operation == "tensor" and uses[number].shape == (*height, 1)


def readers(uses: Uses, number: int) -> Gain | None:
    """Return what reads a result, its sum with a bias, a multiple, columns of it, or sums of them, if these are
    matrices that read nothing else; or None.
    """
    biases: list[str] = []
    heads = [number]
    for head in heads:
        for user in uses.users[head]:
            operands = uses[user].operands
            other = operands[0] if operands[-1] == head else operands[-1]
            multiple = uses[user].operation == "multiply" and uses.constant(other) and not uses[other].shape
            if uses[user].operation == "negate" or multiple or combines_columns(uses, user):
                heads.append(user)
            elif uses[user].operation == "add":
                if not (is_vector(uses, other, uses[number].shape[:1]) and uses.is_used_by(other, user)):
                    return None
                biases.append(uses[other].argument)
                heads.append(user)
    matrices: list[int] = []
    for head in heads:
        if head == len(uses) - 1:
            return None
        for user in uses.users[head]:
            if user in heads:
                continue
            matrix = uses[user].operands[0]
            if uses[matrix].operation != "tensor":
                return None
            matrices.append(matrix)
    everywhere = [uses[user] for matrix in matrices for user in uses.users[matrix]]
    if any(one.operation != "product" or one.operands[1] not in heads for one in everywhere):
        return None
    names = tuple(dict.fromkeys(uses[matrix].argument for matrix in matrices))
    return Gain("", columns=names, divided=tuple(biases))


def combines_columns(uses: Uses, number: int) -> bool:
    """Return whether a result has all rows of another one, and some of its columns, or combinations of them."""
    one = uses[number]
    if one.operation == "product":
        return uses[one.operands[1]].operation == "constant"
    return one.operation == "take" and one.argument[0] == tuple(range(uses[one.operands[0]].shape[0]))


def writers(uses: Uses, user: int, number: int, height: tuple[int, ...]) -> Gain | None:
    """Return the matrices and biases of a height whose products and sums a result is, if they and it are used once, and
    for nothing else; or None.
    """
    one = uses[number]
    if not uses.is_used_by(number, user) or one.shape[:-1] != height:
        return None
    if one.operation == "product":
        matrix = one.operands[0]
        if uses[matrix].operation == "tensor" and uses.is_used_by(matrix, number):
            return Gain("", rows=(uses[matrix].argument,))
        return None
    if one.operation == "tensor":
        return Gain("", rows=(one.argument,))
    if one.operation == "add":
        parts = [writers(uses, number, operand, height) for operand in one.operands]
        if len(parts) == 2 and parts[0] is not None and parts[1] is not None:
            return Gain("", rows=(*parts[0].rows, *parts[1].rows))
    return None


@dataclass(frozen=True, repr=False)
class GainSymmetry(QuotientSymmetry):
    r"""The fibre of the quotient that folds a gain: :math:`g \to c g`, :math:`W \to W c^{-1}` for diagonal c (derived).

    Parameters
    ----------
    arch : Architecture
        The network.
    gain : Gain
        The gain.
    """

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

    def beside(self, tensor: str, ways: frozenset[Way]) -> Symmetry | None:
        """Each number moves an entry of the gain of its own."""
        return self if tensor != self.gain.name or ways else None

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

    def change(self, vector: Elements, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Multiply the gain, which may be gone, by numbers that are not zero, and divide what it is folded into."""
        own = {self.gain.name: vector} if self.gain.name in tensors else {}
        factors = self.gain.factors(vector.reciprocal(), vector) | own
        return {name: tensors[name] * factor for name, factor in factors.items()}

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


def program_of(arch: Architecture) -> Program | None:
    """Return the program of an architecture; None if it has none."""
    try:
        return program(arch)
    except MethodError:
        return None


@verbs.members.method
def gains_of_architecture(family: type[GainSymmetry], arch: Architecture) -> tuple[GainSymmetry, ...]:
    """Found without other quotients."""
    found = None if isinstance(arch, Lightning | Normalized) else program_of(arch)
    gains = () if found is None else fold_gains(found)[1].gains
    return tuple(GainSymmetry(arch, gain) for gain in gains)
