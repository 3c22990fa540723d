"""Orbits of the symmetries at a point."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import check_fits
from algatt.fields import Dual, DualArray, Elements
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.symmetry import Interlayer, KeyQuery, LinearElement, Rescaling, ScoreRescaling, Symmetry
from algatt.symmetry.base import unit_matrices

__all__ = ["tangents_of_action"]


def tangents_of_action(family: KeyQuery | Interlayer | Rescaling | ScoreRescaling, theta: Parameters) -> Elements:
    """Return the infinitesimal action of a family in the coordinates of `theta`, by dual numbers: a row for each matrix
    unit.
    """
    dual = Dual(theta.field)
    lifted = theta.replace([Elements(dual, DualArray(element.raw)) for element in theta.elements])
    identity = verbs.identity(family, theta.field)
    blocks = []
    for position, matrix in enumerate(identity.matrices):
        units = unit_matrices(theta.field, matrix.shape[0])
        element = type(identity)(
            seeded(dual, identity, position, units),
            seeded(dual, identity, position, -units),
        )
        parts = []
        for moved, original in zip(verbs.act(element, lifted).elements, theta.elements, strict=True):
            tangent = np.zeros(1, dtype=original.raw.dtype) if moved.raw.tangent is None else moved.raw.tangent
            parts.append(np.broadcast_to(tangent, (units.shape[0], *original.shape)).reshape(units.shape[0], -1))
        blocks.append(np.hstack(parts))
    return Elements(theta.field, np.vstack(blocks))


def seeded(dual: Dual, identity: LinearElement, position: int, units: Elements) -> tuple[Elements, ...]:
    """Return the identity matrices as dual numbers, one of them with tangents."""
    return tuple(
        Elements(dual, DualArray(matrix.raw, units.raw if number == position else None))
        for number, matrix in enumerate(identity.matrices)
    )


def rank_of_tangents(tangents: list[Elements], gap: float | None) -> int:
    """Return the rank of stacked tangents; a float rank is decided by its gap."""
    if not tangents:
        return 0
    return int(verbs.rank(Elements(tangents[0].field, np.vstack([block.raw for block in tangents])), gap=gap))


@verbs.orbit_dimension.method
def orbit_dimension_of_weights(arch: Architecture, theta: Weights, *, gap: float | None = None) -> int:
    check_fits(arch, theta)
    families: tuple[Symmetry, ...] = verbs.symmetries(arch)
    return rank_of_tangents([family.tangent_elements(theta) for family in families], gap)


@verbs.orbit_dimension.method
def orbit_dimension_in_quotient(
    arch: Architecture, theta: AttentionMatrix | VirtualWeights, *, gap: float | None = None
) -> int:
    check_fits(arch, theta)
    acting = [
        family for family in verbs.symmetries(arch) if isinstance(family, Interlayer | Rescaling | ScoreRescaling)
    ]
    return rank_of_tangents([tangents_of_action(family, theta) for family in acting], gap)
