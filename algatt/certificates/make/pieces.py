"""Certificates of dimensions by pieces: of networks with a hub and copies, from the evidence of a report."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.network import Computed
from algatt.architectures.network import program as program_of
from algatt.certificates.certificate import Certificate
from algatt.certificates.make.directions import rows_of
from algatt.certificates.make.families import Velocity, velocities
from algatt.certificates.make.network import (
    certificate_of,
    check_real_minors,
    claims_of_network,
    has_functions,
    verified,
)
from algatt.errors import InvalidArgument
from algatt.fields import Elementary, Elements, PrimeField
from algatt.geometry import DimensionReport
from algatt.geometry.dimensions.bounds import lower_bound
from algatt.geometry.dimensions.evidence import Minor, Pieces, UpperBound
from algatt.geometry.dimensions.question import Options, Question
from algatt.linalg import RowSpace
from algatt.parameters import Weights
from algatt.programs import Program
from algatt.symmetry.quotients.members import symmetries_to_first_order

PIECES = 1, 1, 2
"""How many copies there are in each piece: the hub and the first copy, another copy, two copies."""


@dataclass(frozen=True)
class AxisCut:
    """How axes are cut: the number of copies, and for each size of an axis those of the hub and of a copy."""

    copies: int
    sizes: Mapping[int, tuple[int, int]]

    def shape(self, shape: Sequence[int], copies: int) -> tuple[int, ...]:
        """Return the shape of a result in the network of the hub and some copies."""
        return tuple(hub + copies * one for hub, one in (self.sizes.get(size, (size, 0)) for size in shape))

    def program(self, program: Program, copies: int) -> Program:
        """Return the program of the hub and some copies."""
        found = []
        for one in program.instructions:
            shape, argument = self.shape(one.shape, copies), one.argument
            if one.operation == "constant" and shape != one.shape:
                entries = np.empty(len(argument), dtype=object)
                entries[:] = argument
                some = entries.reshape(one.shape)[tuple(slice(size) for size in shape)]
                argument = type(argument)(some.ravel())
            found.append(dataclasses.replace(one, argument=argument, shape=shape))
        return Program(tuple(found))

    def network(self, arch: Architecture, copies: int) -> Network:
        """Return the network of the hub and some copies, with the constants of the whole one."""
        height, width = self.shape(arch.input_shape, copies)
        shapes = tuple((name, self.shape(shape, copies)) for name, shape in verbs.coordinates(arch).items())
        layer = Computed(self.program(program_of(arch), copies), (height, width), shapes, f"{copies} copies of {arch}")
        return Network(layer, tokens=width, width=height)

    def parts(self, shape: Sequence[int], copies: int) -> np.ndarray:
        """Return in which parts the row and the column of each entry of a tensor of a shape are."""
        labels = []
        for size, some in zip(shape, self.shape(shape, copies), strict=True):
            hub, one = self.sizes.get(size, (some, 1))
            labels.append(np.maximum(0, (np.arange(some) - hub) // one + 1))
        return np.stack(np.broadcast_arrays(labels[0][:, None], labels[1][None]), axis=-1)

    def owned(self, shape: Sequence[int], piece: int) -> np.ndarray:
        """Return which entries of a tensor are of a piece."""
        parts = self.parts(shape, PIECES[piece])
        smaller, larger = parts.min(axis=-1), parts.max(axis=-1)
        return [larger <= 1, larger == 1, (smaller == 1) & (larger == 2)][piece]

    def own(self, arch: Architecture, piece: int) -> np.ndarray:
        """Return which parameters of the network of a piece are its own."""
        shapes = (((1, 1) + tuple(shape))[-2:] for shape in verbs.coordinates(arch).values())
        return np.concatenate([self.owned(shape, piece).ravel() for shape in shapes])

    def weights(self, arch: Architecture, copies: int, field: PrimeField, seed: int) -> Weights:
        """Return weights that are zero between parts and equal in all copies."""
        shapes = {name: ((1, 1) + tuple(shape))[-2:] for name, shape in verbs.coordinates(arch).items()}
        drawn = verbs.sample(self.network(arch, 1), Weights, field=field, seed=seed)
        elements = []
        for one, whole in zip(drawn.elements, shapes.values(), strict=True):
            parts = self.parts(whole, copies)
            back = [np.maximum(0, parts[..., axis] - 1) * self.sizes.get(whole[axis], (0, 0))[1] for axis in (0, 1)]
            rows, columns = np.indices(parts.shape[:2])
            raw = one.raw[rows - back[0], columns - back[1]]
            if 1 not in whole:
                raw = raw * (parts[..., 0] == parts[..., 1])
            elements.append(Elements(field, raw))
        return Weights(tuple(elements), tuple(shapes))


def cut_of(report: DimensionReport, pieces: Pieces) -> AxisCut:
    """Return how the axes of tensors are cut in a report.

    Raises
    ------
    InvalidArgument
        If it has a network of tokens, fewer than two copies, or axes of one size that are cut in two ways.
    """
    arch, by_name = report.architecture, {piece.name: piece for piece in pieces.pieces}
    if "pair of copies" not in by_name:
        should = "one with a hub and two copies or more, or one at random points"
        raise InvalidArgument("report", "a proof by other pieces", should)
    sizes: dict[int, set[tuple[int, int]]] = {}
    small, large = (by_name[name].architecture for name in ("hub and copy", "pair of copies"))
    shapes = (verbs.coordinates(one).values() for one in (arch, small, large))
    for whole, one, two in zip(*shapes, strict=True):
        for size, first, second in zip(whole, one, two, strict=True):
            sizes.setdefault(size, set()).add((2 * first - second, second - first))
    if any(len(found) > 1 for found in sizes.values()):
        raise InvalidArgument("report", "one in which axes of one size are cut in two ways", "one of random points")
    cut = {size: pair for size, (pair,) in sizes.items() if pair[1]}
    if any(arch.input_shape[1] == size for size in cut):
        raise InvalidArgument("report", "one of as many tokens as an axis that is cut has", "one of random points")
    return AxisCut(pieces.copies, cut)


def certify_pieces(report: DimensionReport, pieces: Pieces) -> Certificate:
    """Return the certificate of a report by pieces.

    Raises
    ------
    InvalidArgument
        If the verifier cannot check it: a family that bounds the dimension cannot be said in words or cut.
    """
    arch, seed = report.architecture, report.seed or 0
    cut = cut_of(report, pieces)
    head = {**claims_of_network(arch), "copies": cut.copies, "cuts": [list(pair) for pair in cut.sizes.values()]}
    families, directions = families_of_pieces(arch, cut, seed)
    claims = {"kind": "pieces", **head, "families": families, "directions": directions}
    if has_functions(arch):
        own = [np.flatnonzero(cut.own(arch, piece)).tolist() for piece in range(3)]
        most = [one[: len(one) - len(taken)] for one, taken in zip(own, directions, strict=True)]
        check_real_minors("report", claims, most)
        scales = [
            round(-np.log2(((1, 1) + tuple(s))[-1]) / 2) for s in verbs.coordinates(cut.network(arch, 1)).values()
        ]
        claims["point"] = {"seed": seed, "scales": scales}
    minors = [minor_of_piece(arch, cut, piece, seed) for piece in range(3)]
    claims["rows"], claims["columns"] = zip(*minors, strict=True)
    return verified("report", certificate_of("report", arch, claims))


def minor_of_piece(arch: Architecture, cut: AxisCut, piece: int, seed: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return rows and columns of a minor of the Jacobian of a piece, in its own parameters, as large as its rank."""
    part, prime = cut.network(arch, PIECES[piece]), PrimeField()
    theta, own = cut.weights(arch, PIECES[piece], prime, seed), cut.own(arch, piece)
    field = Elementary() if has_functions(arch) else prime
    minor = Minor((), tuple(np.flatnonzero(~own).tolist()), 1)
    question = Question(part, Options(seed=seed, field=field))
    found = cast(Minor, lower_bound(question, field, theta, seed, UpperBound(int(own.sum()), (), minor)).minor)
    return found.rows, found.columns


def families_of_pieces(arch: Architecture, cut: AxisCut, seed: int) -> tuple[list[Any], list[list[int]]]:
    """Return the families whose directions are independent in all pieces, and columns in which they are."""
    points = [cut.weights(arch, copies, PrimeField(), seed) for copies in PIECES]
    claims: list[Any] = []
    rows: list[list[np.ndarray]] = [[], [], []]
    columns: list[list[int]] = [[], [], []]
    for family in symmetries_to_first_order(arch):
        listed = [one for one in velocities(family) if not one.entries]
        for number, velocity in enumerate(listed):
            found = [directions_of_piece(cut, piece, velocity, points[piece]) for piece in range(3)]
            tried = [[*before, one] for before, one in zip(rows, found, strict=True)]
            pivots = [independent_columns(one) for one in tried]
            if None not in pivots:
                rows, columns = tried, [one or [] for one in pivots]
                claims.append(velocity.claim(family.name if len(listed) == 1 else f"{family.name} {number + 1}"))
    return claims, columns


def independent_columns(blocks: Sequence[np.ndarray]) -> list[int] | None:
    """Return columns in which all rows are independent, None if they are not."""
    stacked = np.concatenate(blocks)
    space = RowSpace(PrimeField(), stacked.shape[1])
    space.add(Elements(PrimeField(), stacked))
    return [int(column) for column in space.pivot_columns] if space.rank == len(stacked) else None


def directions_of_piece(cut: AxisCut, piece: int, velocity: Velocity, theta: Weights) -> np.ndarray:
    """Return the directions of a family that are of a piece; those without a free matrix are of the first one."""
    free, shapes = velocity.free or (1, 1), [element.shape for element in theta.elements]
    units = [(int(i), int(j)) for i, j in np.argwhere(cut.owned(free, piece))]
    if not units:
        return np.zeros((0, sum(math.prod(shape) for shape in shapes)), dtype=np.int64)
    programs = {name: cut.program(program, PIECES[piece]) for name, program in velocity.programs.items()}
    found: np.ndarray = rows_of(programs, cut.shape(free, PIECES[piece]), units, theta).raw
    return found
