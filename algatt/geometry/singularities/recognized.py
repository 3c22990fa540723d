"""Singular points of a layer of lightning attention that is written with layers."""

from __future__ import annotations

from algatt import verbs
from algatt.architectures import Architecture, Lightning, Network
from algatt.architectures.base import check_fits
from algatt.architectures.recognition import named_attention
from algatt.errors import InvalidArgument
from algatt.geometry.singularities.distance import Distance
from algatt.geometry.singularities.tangent_space import TangentSpace
from algatt.parameters import Parameters, Weights


def as_lightning(arch: Architecture, theta: Parameters) -> tuple[Lightning, Parameters]:
    """Return the network of `Lightning` with this program, and the point there.

    Raises
    ------
    InvalidArgument
        If there is none.
    """
    check_fits(arch, theta)
    if isinstance(arch, Network) and isinstance(theta, Weights):
        arrangement = named_attention(arch)
        if arrangement is not None and isinstance(arrangement.network, Lightning):
            return arrangement.network, arrangement.forth(theta)
    raise InvalidArgument("arch", f"{arch}", "lightning attention, which the theorem is about")


@verbs.is_singular.method
def is_singular_in_layers(arch: Architecture, theta: Parameters, *, gap: float | None = None) -> bool:
    return verbs.is_singular(*as_lightning(arch, theta), gap=gap)


@verbs.is_boundary.method
def is_boundary_in_layers(arch: Architecture, theta: Parameters, *, gap: float | None = None) -> bool:
    return verbs.is_boundary(*as_lightning(arch, theta), gap=gap)


@verbs.is_critical.method
def is_critical_in_layers(arch: Architecture, theta: Parameters, *, gap: float | None = None) -> bool:
    return verbs.is_critical(*as_lightning(arch, theta), gap=gap)


@verbs.tangent_space.method
def tangent_space_in_layers(arch: Architecture, theta: Parameters, *, gap: float | None = None) -> TangentSpace:
    return verbs.tangent_space(*as_lightning(arch, theta), gap=gap)


@verbs.singular_distance.method
def singular_distance_in_layers(arch: Architecture, theta: Parameters) -> Distance:
    return verbs.singular_distance(*as_lightning(arch, theta))


@verbs.boundary_distance.method
def boundary_distance_in_layers(arch: Architecture, theta: Parameters) -> Distance:
    return verbs.boundary_distance(*as_lightning(arch, theta))
