"""Families by types of tensors that constants of the code are a part of, as certificates have them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from algatt.certificates.verifier.claims import Network
from algatt.certificates.verifier.directions import directions_of
from algatt.certificates.verifier.limits import Refused
from algatt.fields.motions import Scalar
from algatt.symmetry.typed import SpaceSymmetry

__all__ = ["claims_beside_constants"]

Claim = dict[str, Any]


def claims_beside_constants(family: SpaceSymmetry, network: Network) -> list[Claim | None]:
    """Return what is claimed of tensors that are multiplied by numbers after constants are added to some of them, a
    claim for each solution, or None where the verifier does not accept it; nothing if matrices act on tensors.
    """
    assignments = family.space.solution.assignments
    if any(not isinstance(unknown, Scalar) for one in assignments for unknown in one):
        return []
    if len(assignments) == 1:
        return [claim_of_numbers(family.name, family, assignments[0], network)]
    listed = enumerate(assignments, start=1)
    return [claim_of_numbers(f"{family.name} {k}", family, assignment, network) for k, assignment in listed]


def claim_of_numbers(name: str, family: SpaceSymmetry, assignment: Mapping[Any, int], network: Network) -> Claim | None:
    """Return what is claimed of one solution, if the verifier accepts it."""
    axes: dict[str, list[Any]] = {}
    for tensor, pair in family.space.solution.actions.items():
        numbers = [Fraction(c) * assignment.get(scalar, 0) for action in pair for scalar, c in action.scalars.items()]
        if sum(numbers):
            axes[tensor] = [["rows", 0, written_fraction(sum(numbers, Fraction(0))), False, []]]
    claim = {
        "name": name,
        "by": "constants",
        "offsets": {
            one.tensor: [written_fraction(entry) for row in one.entries for entry in row]
            for one in family.space.fold.offsets
        },
        "spaces": [1],
        "basis": [[0, 0, 0, 1]],
        "axes": axes,
        "images": {},
    }
    try:
        reason = directions_of("family", {**claim, "removes": 1}, network).refutation(network)
    except Refused:
        return None
    return claim if reason is None else None


def written_fraction(value: Fraction) -> int | str:
    """Return a fraction as certificates have it."""
    return value.numerator if value.denominator == 1 else str(value)
