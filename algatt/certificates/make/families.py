"""The velocities of the families of symmetries, as certificates have them."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.certificates.make.hidden import kernel_columns
from algatt.errors import DivisionByZero, MethodError
from algatt.fields import Elements, PrimeField
from algatt.fields.motions import Action, Scalar, Space
from algatt.parameters import Weights
from algatt.programs import Program, Trace
from algatt.symmetry.base import Symmetry
from algatt.symmetry.hidden.directions import UnseenDirections
from algatt.symmetry.hidden.quadratic import QuadraticForm
from algatt.symmetry.named.place import Place
from algatt.symmetry.named.spaces import NamedSpaces
from algatt.symmetry.quotients.gains import Fold, GainSymmetry
from algatt.symmetry.quotients.mixtures import MixtureSymmetry, terms_of_change
from algatt.symmetry.quotients.norms import NormBiasSymmetry
from algatt.symmetry.quotients.shifts import ShiftSymmetry
from algatt.symmetry.quotients.stretches import StretchSymmetry
from algatt.symmetry.quotients.unseen import UnseenSymmetry
from algatt.symmetry.spaces import SpaceSymmetry

Tensors = dict[str, Elements]


@dataclass(frozen=True)
class Velocity:
    """How tensors move along directions, linearly in a free matrix S.

    Parameters
    ----------
    free : (int, int) or None
        The shape of S; None if there is one direction.
    moves : dict of str to Elements
        How tensors move, as results of programs.
    entries : list of (int, int), optional
        The entries of S that are not zero, one direction for each; all if it is empty.
    """

    free: tuple[int, int] | None
    moves: Tensors
    entries: Sequence[tuple[int, int]] = field(default=())

    @property
    def units(self) -> Sequence[tuple[int, int]]:
        """The entries of S that are one, one after the other."""
        if self.free is None or self.entries:
            return self.entries or [(0, 0)]
        return [(i, j) for i in range(self.free[0]) for j in range(self.free[1])]

    @functools.cached_property
    def programs(self) -> dict[str, Program]:
        """The programs of the velocities, by tensor; they read tensors, and S as their input."""
        traces: dict[str, Any] = {name: moved.field for name, moved in self.moves.items()}
        return {name: trace.program(self.moves[name].raw) for name, trace in traces.items()}

    def claim(self, name: str) -> dict[str, Any]:
        """Return the family as a certificate has it."""
        moves = {tensor: list(program.lines) for tensor, program in self.programs.items()}
        found: dict[str, Any] = {"name": name, "free": list(self.free or ()), "moves": moves}
        if self.entries:
            found["entries"] = [list(entry) for entry in self.entries]
        return found


def symbols(shapes: Mapping[str, tuple[int, ...]]) -> Tensors:
    """Return tensors as results of programs."""
    trace = Trace()
    return {name: Elements(trace, trace.tensor(name, ((1, 1) + tuple(shape))[-2:])) for name, shape in shapes.items()}


def free_matrix(tensors: Tensors, height: int, width: int) -> Elements:
    """Return the free matrix of a shape, beside tensors that are results of programs."""
    trace: Any = next(iter(tensors.values())).field
    return Elements(trace, trace.input((height, width)))


def velocities(family: Symmetry) -> list[Velocity]:
    """Return the directions of a family as programs; nothing if there are none for it."""
    try:
        return list(verb_for(family))
    except (MethodError, DivisionByZero):
        return []


def verb_for(family: Symmetry) -> Iterator[Velocity]:
    """Iterate over the velocities of a family."""
    theta = Point(symbols(verbs.coordinates(family.arch)))
    if isinstance(family, UnseenSymmetry):
        unseen = family.unseen
        yield from of_entries(unseen.tensor, list(zip(unseen.rows, unseen.columns, strict=True)), theta.tensors)
    elif isinstance(family, SpaceSymmetry):
        yield from of_space(family, theta)
    elif isinstance(family, GainSymmetry):
        yield of_gain(family, theta.tensors)
    elif isinstance(family, NamedSpaces):
        for place in family.places if family.basis == "equivariant" else ():
            if place.moves:
                yield of_place(place, theta.tensors)
    elif isinstance(family, ShiftSymmetry):
        yield from of_shift(family, theta)
    elif isinstance(family, NormBiasSymmetry):
        yield of_norm_bias(family, theta)
    elif isinstance(family, MixtureSymmetry):
        yield from of_mixture(family, theta)
    elif isinstance(family, StretchSymmetry):
        yield of_stretch(family, theta)
    elif isinstance(family, UnseenDirections):
        yield from of_unseen_directions(family, theta.tensors)
    elif isinstance(family, QuadraticForm):
        yield from of_quadratic_form(family, theta.tensors)
    else:
        yield from of_units(family, theta.tensors)


@dataclass(frozen=True)
class Point:
    """Weights that are results of programs."""

    tensors: Tensors


def fold(quotient: Fold, theta: Point) -> Tensors:
    """Return the tensors with gains folded into them."""
    return quotient.fold(theta)  # type: ignore[arg-type]  # results of programs multiply as numbers do


def through(quotient: Fold, theta: Point, free: tuple[int, int] | None, moved: Tensors) -> Velocity:
    """Return the velocity of weights whose folded tensors move."""
    return Velocity(free, quotient.unfold(moved, theta))  # type: ignore[arg-type]  # as in `fold`


def of_units(family: Symmetry, tensors: Tensors) -> Iterator[Velocity]:
    """Iterate over blocks of entries that are free, if those are the directions of a family at random weights."""
    theta = verbs.sample(family.arch, Weights, field=PrimeField(), seed=0)
    rows = family.tangent_elements(theta).raw
    if np.count_nonzero(rows) != len(rows) or np.any(np.count_nonzero(rows, axis=0) > 1):
        return
    places, start = set(np.flatnonzero(np.any(rows, axis=0)).tolist()), 0
    for name, W in tensors.items():
        height, width = W.shape
        entries = sorted(place - start for place in places if start <= place < start + height * width)
        yield from of_entries(name, [divmod(entry, width) for entry in entries], tensors)
        start += height * width


def of_entries(name: str, entries: Sequence[tuple[int, int]], tensors: Tensors) -> Iterator[Velocity]:
    """Iterate over blocks of entries of a tensor that are free, rows with the same columns together."""
    height, width = tensors[name].shape
    columns: dict[int, list[int]] = {}
    for i, j in entries:
        columns.setdefault(i, []).append(j)
    blocks: dict[tuple[int, ...], list[int]] = {}
    for i, found in columns.items():
        blocks.setdefault(tuple(sorted(found)), []).append(i)
    for chosen, rows in blocks.items():
        S = free_matrix(tensors, len(rows), len(chosen))
        left = np.eye(height, dtype=np.int64)[:, rows]
        right = np.eye(width, dtype=np.int64)[list(chosen)]
        moved = S if len(rows) == height else left @ S
        yield Velocity((len(rows), len(chosen)), {name: moved if len(chosen) == width else moved @ right})


def of_shift(family: ShiftSymmetry, theta: Point) -> Iterator[Velocity]:
    """Any column, or multiples of columns that satisfy the conditions, and what others take up."""
    shift, tensors = family.shift, fold(family.fold, theta)
    if not shift.conditions:
        changes = shift.changes(tensors, free_matrix(tensors, family.size, 1))
        yield through(family.fold, theta, (family.size, 1), changes)
        return
    for v in kernel_columns(shift.matrix_of_conditions(tensors), shift.rank):
        yield through(family.fold, theta, None, shift.changes(tensors, v))


def of_gain(family: GainSymmetry, tensors: Tensors) -> Velocity:
    """A gain moves, and what it is folded into takes it up."""
    gain, S = family.gain, free_matrix(tensors, family.size, 1)
    moves = {name: tensors[name] * S for name in (gain.name, *gain.divided)}
    moves |= {name: -(tensors[name] * S) for name in gain.rows}
    moves |= {name: -(tensors[name] * S.T) for name in gain.columns}
    return Velocity((family.size, 1), moves)


def of_place(place: Place, tensors: Tensors) -> Velocity:
    """The matrices, or the number, of one space with a name."""
    moves: Tensors = {}
    S = free_matrix(tensors, place.size, place.size)
    for move in place.moves:
        W = tensors[move.tensor]
        if place.scalar:
            moved = multiple(W, move.power)
        else:
            G = S.T if move.transposed else S
            moved = multiple(G @ W if move.side == "rows" else W @ G, 1 if move.power > 0 else -1)
        moves[move.tensor] = moves[move.tensor] + moved if move.tensor in moves else moved
    return Velocity(None if place.scalar else (place.size, place.size), moves)


def of_space(family: SpaceSymmetry, theta: Point) -> Iterator[Velocity]:
    """The solutions of the types of one space: all matrices, all skew or all symmetric ones, or each by itself."""
    solution, quotient = family.solution, family.fold
    tensors = fold(quotient, theta)
    spaces = solution.component.spaces
    if len(spaces) == 1 and not solution.component.scalars:
        size = spaces[0].size
        S = free_matrix(tensors, size, size)
        (one,), count = solution.unknowns.values(), len(solution)
        values = {(k, i, j): c for k, i, j, c in zip(*(array.tolist() for array in one.arrays), strict=True)}
        units = len(values) == count and set(values.values()) == {1}
        found: tuple[Elements, list[tuple[int, int]]] | None = None
        if units and count == size**2:
            found = S, []
        elif len(values) == 2 * count == size * (size - 1) and is_skew(values):
            found = S - S.T, sorted((i, j) for _, i, j in values if i < j)
        elif units and count == size and not one.mixed:
            S = free_matrix(tensors, size, 1)
            yield through(quotient, theta, (size, 1), moved_by(solution.actions, spaces[0], S, tensors))
            return
        if found is not None:
            M, entries = found
            velocity = through(quotient, theta, (size, size), moved_by(solution.actions, spaces[0], M, tensors))
            yield Velocity(velocity.free, velocity.moves, entries)
            return
    for moves in solution.each():
        moved: Tensors = {}
        for (name, side), numbers in moves.items():
            W = tensors[name]
            matrix = matrix_of(numbers, W.shape[side == "columns"])
            part = matrix @ W if side == "rows" else W @ matrix
            moved[name] = moved[name] + part if name in moved else part
        yield through(quotient, theta, None, moved)


def is_skew(values: Mapping[tuple[int, int, int], int]) -> bool:
    """Return whether the entries of numbered matrices, all of them 1 or -1, are those of skew ones."""
    return all(abs(c) == 1 and values.get((k, j, i)) == -c for (k, i, j), c in values.items())


def moved_by(
    actions: Mapping[str, tuple[Action, Action]], space: Space | Scalar, S: Elements, tensors: Tensors
) -> Tensors:
    """Return how tensors move by the matrices S of a space, or by the diagonal matrices of columns S."""
    moved: Tensors = {}
    diagonal = S.shape[1] == 1 and space.size > 1 if isinstance(space, Space) else False
    for name, pair in actions.items():
        for side, action in enumerate(pair):
            for (unknown, transposed), c in action.terms.items():
                if unknown != space:
                    continue
                W, G = tensors[name], S.T if transposed else S
                part = scaled(W, S, side) if diagonal else G @ W if side == 0 else W @ G
                part = multiple(part, Fraction(c))
                moved[name] = moved[name] + part if name in moved else part
    return moved


def multiple(W: Elements, c: Fraction | int) -> Elements:
    """Return a multiple of a matrix, by one or minus one without a product."""
    return W if c == 1 else -W if c == -1 else W * c


def scaled(W: Elements, S: Elements, side: int) -> Elements:
    """Return a tensor with its rows, or its columns, multiplied by the entries of a column."""
    return W * (S if side == 0 else S.T)


def matrix_of(entries: Mapping[tuple[int, int], int], size: int) -> np.ndarray:
    """Return a matrix with some entries."""
    found = np.zeros((size, size), dtype=object)
    for place, value in entries.items():
        found[place] = value
    return found


def of_norm_bias(family: NormBiasSymmetry, theta: Point) -> Velocity:
    """A bias b moves by any v times the sum 1^T b, and what reads it by -W v 1^T."""
    tensors, bias, size = fold(family.fold, theta), family.bias, family.dimension
    S, row = free_matrix(tensors, size, 1), np.ones((1, size), dtype=np.int64)
    moved = {name: -(tensors[name] @ S) @ row for name in bias.matrices}
    return through(family.fold, theta, (size, 1), {bias.name: S * (row @ tensors[bias.name]), **moved})


def of_mixture(family: MixtureSymmetry, theta: Point) -> Iterator[Velocity]:
    """The tensors of terms, each plus a multiple of another's, for each matrix of the algebra."""
    tensors, mixture = fold(family.fold, theta), family.mixture
    for E in family.algebra:
        moved: Tensors = {}
        for parts, matrix in ((mixture.right, E), (mixture.left, -E.T)):
            for target, source, i, j in terms_of_change(parts, matrix):
                height, width = tensors[target.tensor].shape
                left = np.eye(height, dtype=np.int64)[:, list(target.rows)]
                right = np.eye(width, dtype=np.int64)[list(target.columns)]
                term = left @ (tensors[source.tensor][source.rows, source.columns] * int(matrix[i, j])) @ right
                old = moved.get(target.tensor)
                moved[target.tensor] = term if old is None else old + term
        yield through(family.fold, theta, None, moved)


def of_unseen_directions(family: UnseenDirections, tensors: Tensors) -> Iterator[Velocity]:
    """Columns n with F n = 0 times any row, and any column times rows m with m M = 0."""
    forms, (height, width) = family.forms(tensors, free_matrix(tensors, 1, 1).field), family.shape
    for side, (one, rank) in enumerate(zip(forms, family.ranks, strict=True)):
        for n in kernel_columns(one, rank) if one is not None else ():
            free = (height, 1) if side else (1, width)
            S = free_matrix(tensors, *free)
            yield Velocity(free, {family.tensor: S @ n.T if side else n @ S})


def of_quadratic_form(family: QuadraticForm, tensors: Tensors) -> Iterator[Velocity]:
    """Keys move by skew matrices times queries, and queries by skew matrices times keys."""
    pairs = list(itertools.combinations(range(family.half), 2))
    for one, other in ((family.keys, family.queries), (family.queries, family.keys)) if pairs else ():
        S = free_matrix(tensors, family.half, family.half)
        yield Velocity((family.half, family.half), {one: (S - S.T) @ tensors[other]}, pairs)


def of_stretch(family: StretchSymmetry, theta: Point) -> Velocity:
    """How tensors move as the factor of a stretch grows."""
    return through(family.fold, theta, None, family.stretch.velocities(fold(family.fold, theta)))
