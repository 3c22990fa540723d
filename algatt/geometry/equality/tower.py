"""Group elements between points in the tower Weights -> AttentionMatrix -> VirtualWeights of `AttentionNetwork`."""

from __future__ import annotations

from algatt import verbs
from algatt.architectures import AttentionNetwork
from algatt.geometry.equality.carrying import candidates, improved
from algatt.geometry.equality.equivalence import Equivalence
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights

__all__ = ["common_coordinates"]

TOWER: tuple[type[Parameters], ...] = (Weights, AttentionMatrix, VirtualWeights)


def common_coordinates(theta1: Parameters, theta2: Parameters) -> tuple[type[Parameters], ...]:
    """Return the finest coordinates in which both points can be written, and all coarser ones."""
    return TOWER[max(TOWER.index(type(theta1)), TOWER.index(type(theta2))) :]


@verbs.equivalence_in_orbit.method
def equivalence_in_tower(
    arch: AttentionNetwork, one: Parameters, two: Parameters, *, tolerance: float
) -> Equivalence | None:
    """Look for a group element in the coordinates of two points, then in coarser ones."""
    finest = type(one)
    exact = one.field.exact
    for coordinates in common_coordinates(one, two):
        one, two = verbs.convert(one, coordinates), verbs.convert(two, coordinates)
        for candidate in candidates(arch, one, two):
            element, difference = improved(arch, candidate, one, two)
            if difference == 0 if exact else difference <= tolerance:
                reason = f"a group element carries the first {coordinates.__name__} to the second"
                if coordinates is not finest and exact:
                    reason += f"; as {finest.__name__} they are in no common orbit of the gauges and rescalings"
                elif coordinates is not finest:
                    reason += f"; none was found for {finest.__name__}"
                reported = None if exact else difference
                return Equivalence(True, one.field.status, element, coordinates, None, None, reported, reason)
    return None
