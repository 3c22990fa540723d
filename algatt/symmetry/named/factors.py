"""Elements between points of HMK's networks by the names that they give to spaces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Lightning, Normalized
from algatt.fields import Elements
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights
from algatt.symmetry.base import GroupElement
from algatt.symmetry.group import ProductElement
from algatt.symmetry.named.families import Interlayer, KeyQuery, Rescaling
from algatt.symmetry.named.place import Place
from algatt.symmetry.named.spaces import NamedSpaces
from algatt.symmetry.spaces_element import SpacesElement
from algatt.symmetry.tensors_element import Sides, TensorsElement


def with_names(arch: Architecture, theta: Parameters, element: GroupElement) -> GroupElement:
    """Return an element that moves the tensors of a point as a product of elements of the families with names, of
    networks that have them.
    """
    if not isinstance(arch, Lightning | Normalized):
        return element
    factors = element.factors if isinstance(element, ProductElement) else (element,)
    found: list[GroupElement] = []
    for factor in factors:
        if isinstance(factor, TensorsElement):
            parts = named_factors(arch, theta, factor)
            found += [one for one in parts if one != verbs.identity(one.family, theta.field)]
        else:
            found.append(factor)
    return ProductElement(tuple(found))


def named_factors(arch: Lightning | Normalized, theta: Parameters, element: TensorsElement) -> Iterator[SpacesElement]:
    r"""Iterate over the factors of an element: K_i goes to :math:`C_i K_i D_{i-1}^{-1}`, Q_i to
    :math:`s_i C_i^{-T} Q_i D_{i-1}^{-1}`, and V_i to :math:`D_i V_i D_{i-1}^{-1}`, for lightning divided by s_i.
    """
    families = [one for one in verbs.symmetries(arch) if isinstance(one, NamedSpaces)]
    moved = {name: element.sides.get(name, Sides(name)) for name in theta.names()}
    shapes = {name: array.shape for name, array in zip(theta.names(), theta.elements, strict=True)}

    def matrix(name: str, axis: int) -> Elements:
        found = (moved[name].left, moved[name].right)[axis]
        return Elements.of(theta.field, np.eye(shapes[name][axis], dtype=np.int64)) if found is None else found

    def number(one: Elements, other: Elements) -> Elements:  # by which their product multiplies
        return one[:1] @ other[:, :1]

    if isinstance(theta, VirtualWeights):
        ratios = [matrix(f"M_{i}", 0)[:1, :1] * matrix(f"M_{i}", 1)[:1, :1] for i in range(1, arch.layers + 1)]
        for family in families:
            places = family.places_in(VirtualWeights)
            if any(place.moves for place in places):
                yield family.of(numbers_of(places, ratios))
        return
    keys: list[Elements] = []
    scales: list[Elements] = []
    bases = [Elements.of(theta.field, np.eye(arch.dims[0], dtype=np.int64))]
    for i in range(1, arch.layers + 1):
        basis = bases[-1]
        if isinstance(theta, AttentionMatrix):
            scales.append(number(matrix(f"A_{i}", 0), basis.T) * number(matrix(f"A_{i}", 1), basis))
        else:
            keys.append(matrix(f"K_{i}", 0) * number(matrix(f"K_{i}", 1), basis))
            scales.append(number(matrix(f"Q_{i}", 0), keys[-1].T) * number(matrix(f"Q_{i}", 1), basis))
        bases.append(matrix(f"V_{i}", 0) * number(matrix(f"V_{i}", 1), basis))
        if any(isinstance(family, Rescaling) for family in families):
            bases[-1] = bases[-1] * scales[-1]
    for family in sorted(families, key=lambda one: isinstance(one, Interlayer)):
        if isinstance(family, Interlayer):
            yield family.of(bases[1:-1])
        elif not isinstance(family, KeyQuery):
            yield family.of(scales)
        elif keys:
            yield family.of(keys)


def numbers_of(places: Sequence[Place], ratios: Sequence[Elements]) -> list[Elements]:
    """Return the numbers of places by which M_1, M_2, ... are multiplied by ratios: each is that of its own M_i, whose
    power is 1, and of earlier ones.
    """
    numbers: list[Elements] = []
    for i, ratio in enumerate(ratios, start=1):
        for place, earlier in zip(places, tuple(numbers), strict=False):
            for move in place.moves:
                if move.tensor == f"M_{i}":
                    ratio = ratio * move.factor(verbs.inverse(earlier), earlier)
        numbers.append(ratio)
    return numbers
