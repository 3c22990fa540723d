"""Certificates of dimensions by pieces: of networks with a hub and copies, from the evidence of a report."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

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
from algatt.fields import Elements, PrimeField
from algatt.geometry import DimensionReport
from algatt.geometry.dimensions.evidence import Minor, Pieces
from algatt.geometry.dimensions.structure.cut import PIECES, Cut
from algatt.linalg import RowSpace
from algatt.parameters import Weights
from algatt.symmetry.quotients.members import symmetries_to_first_order


def cut_of(report: DimensionReport, pieces: Pieces) -> Cut:
    """Return how the axes of tensors are cut in a report.

    Raises
    ------
    InvalidArgument
        If it has fewer than two copies, or as many tokens as an axis that is cut.
    """
    arch, sizes = report.architecture, dict(pieces.sizes)
    if pieces.copies < 2:
        should = "one with a hub and two copies or more, or one at random points"
        raise InvalidArgument("report", "a proof by other pieces", should)
    if arch.input_shape[1] in sizes:
        raise InvalidArgument("report", "one of as many tokens as an axis that is cut has", "one of random points")
    return Cut(arch, pieces.copies, sizes)


def certify_pieces(report: DimensionReport, pieces: Pieces) -> Certificate:
    """Return the certificate of a report by pieces.

    Raises
    ------
    InvalidArgument
        If the verifier cannot check it: a family that bounds the dimension cannot be said in words or cut.
    """
    arch, seed = report.architecture, report.seed or 0
    cut = cut_of(report, pieces)
    families, directions = families_of_pieces(cut, seed)
    cuts = {"copies": cut.count, "cuts": [list(pair) for pair in cut.sizes.values()]}
    claims = {"kind": "pieces", **claims_of_network(arch), **cuts, "families": families, "directions": directions}
    if has_functions(arch):
        own = [np.flatnonzero(cut.own(piece)).tolist() for piece in range(3)]
        most = [one[: len(one) - len(taken)] for one, taken in zip(own, directions, strict=True)]
        check_real_minors("report", claims, most)
        scales = [round(-np.log2(cut.shape(shape, 1)[-1]) / 2) for shape in cut.tensors.values()]
        claims["point"] = {"seed": seed, "scales": scales}
    minors = [cast(Minor, piece.lower.minor) for piece in pieces.pieces]
    claims["rows"], claims["columns"] = [minor.rows for minor in minors], [minor.columns for minor in minors]
    return verified("report", certificate_of("report", arch, claims))


def families_of_pieces(cut: Cut, seed: int) -> tuple[list[Any], list[list[int]]]:
    """Return the families whose directions are independent in all pieces, and columns in which they are."""
    points = [cut.weights(copies, PrimeField(), seed) for _, copies in PIECES]
    claims: list[Any] = []
    rows: list[list[np.ndarray]] = [[], [], []]
    columns: list[list[int]] = [[], [], []]
    for family in symmetries_to_first_order(cut.arch):
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


def directions_of_piece(cut: Cut, piece: int, velocity: Velocity, theta: Weights) -> np.ndarray:
    """Return the directions of a family that are of a piece; those without a free matrix are of the first one."""
    free, shapes = velocity.free or (1, 1), [element.shape for element in theta.elements]
    units = [(int(i), int(j)) for i, j in np.argwhere(cut.owned(free, piece))]
    if not units:
        return np.zeros((0, sum(math.prod(shape) for shape in shapes)), dtype=np.int64)
    programs = {name: cut.program(program, PIECES[piece][1]) for name, program in velocity.programs.items()}
    found: np.ndarray = rows_of(programs, cut.shape(free, PIECES[piece][1]), units, theta).raw
    return found
