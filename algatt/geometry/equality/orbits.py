"""Group elements that carry one point to another, in its coordinates or in coarser ones."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator

from algatt import verbs
from algatt.architectures import Architecture, AttentionNetwork, Lightning
from algatt.architectures.network import own_network
from algatt.errors import DivisionByZero, InvalidArgument, MethodError, NoNormalForm, RankUndecided, SingularMatrix
from algatt.geometry.equality.equivalence import Equivalence
from algatt.geometry.equality.networks.closeness import relative_difference
from algatt.geometry.equality.networks.element import element_between
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.symmetry import GroupElement, ProductElement, SwapElement
from algatt.symmetry.group import factors_of
from algatt.symmetry.named.factors import with_names

TOWER: tuple[type[Parameters], ...] = (Weights, AttentionMatrix, VirtualWeights)

CARRIES = "a group element carries the first weights to the second"


def common_coordinates(theta1: Parameters, theta2: Parameters) -> tuple[type[Parameters], ...]:
    """Return the finest coordinates in which both points can be written, and all coarser ones."""
    return TOWER[max(TOWER.index(type(theta1)), TOWER.index(type(theta2))) :]


def equivalence_in_orbit(
    arch: Architecture, one: Parameters, two: Parameters, *, tolerance: float
) -> Equivalence | None:
    """Return the answer that a group element carries one point to another of the same coordinates, exactly or within
    the tolerance; None if none was found.
    """
    finest, exact = type(one), one.field.exact
    for coordinates in common_coordinates(one, two) if isinstance(arch, AttentionNetwork) else (finest,):
        first, second = verbs.convert(one, coordinates), verbs.convert(two, coordinates)
        for element in elements_between(arch, first, second):
            difference = difference_after(element, first, second)
            if difference <= (0 if exact else tolerance):
                reason = CARRIES
                if isinstance(arch, AttentionNetwork):
                    reason = f"a group element carries the first {coordinates.__name__} to the second"
                if coordinates is not finest and exact:
                    reason += f"; as {finest.__name__} they are in no common orbit of the gauges and rescalings"
                elif coordinates is not finest:
                    reason += f"; none was found for {finest.__name__}"
                reported = None if exact else difference
                return Equivalence(True, one.field.status, element, coordinates, None, None, reported, reason)
    return None


def elements_between(arch: Architecture, one: Parameters, two: Parameters) -> Iterator[GroupElement]:
    """Iterate over elements that may carry one point to another, for lightning also after a swap."""
    starts: list[tuple[Parameters, tuple[GroupElement, ...]]] = [(one, ())]
    if isinstance(arch, Lightning):
        with contextlib.suppress(InvalidArgument, RankUndecided):  # if the ranks are not one
            starts.append((verbs.act(SwapElement(), one), (SwapElement(),)))
    for start, before in starts:
        network, first = own_network(arch, start)
        with contextlib.suppress(
            DivisionByZero, InvalidArgument, MethodError, SingularMatrix, RankUndecided, NoNormalForm
        ):  # or no types
            element = element_between(network, first, own_network(arch, two)[1])
            if element is not None:
                named = with_names(arch, start, element)
                yield ProductElement((*factors_of(named), *before)) if before else named


def difference_after(element: GroupElement, one: Parameters, two: Parameters) -> float:
    """Return how far an element carries a point from another one; infinity if it does not act there."""
    try:
        return relative_difference(verbs.act(element, one), two)
    except (DivisionByZero, InvalidArgument):  # a zero in a gain; a translation that is too large beside what is seen
        return math.inf
