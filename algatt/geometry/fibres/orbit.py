"""Orbits of the symmetries at a point."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.base import check_fits
from algatt.architectures.recognition import named_attention
from algatt.fields import Elements
from algatt.parameters import AttentionMatrix, VirtualWeights, Weights
from algatt.symmetry import Symmetry
from algatt.symmetry.base import stack_tangents
from algatt.symmetry.named.spaces import NamedSpaces


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
def orbit_dimension_of_network(arch: Network, theta: Weights, *, gap: float | None = None) -> int:
    """Where it is a network of HMK by another name, that of the other one: at some points it has more symmetries."""
    arrangement = named_attention(arch)
    if arrangement is None:
        return orbit_dimension_of_weights(arch, theta, gap=gap)
    return int(verbs.orbit_dimension(arrangement.network, arrangement.forth(theta), gap=gap))


@verbs.orbit_dimension.method
def orbit_dimension_in_quotient(
    arch: Architecture, theta: AttentionMatrix | VirtualWeights, *, gap: float | None = None
) -> int:
    check_fits(arch, theta)
    acting = [family for family in verbs.symmetries(arch) if isinstance(family, NamedSpaces)]
    return rank_of_tangents([stack_tangents(theta, family.tangent_parts(theta)) for family in acting], gap)
