"""Families by types of tensors that constants of the code are a part of, as certificates have them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from algatt.certificates.verifier.claims import Network
from algatt.certificates.verifier.directions import directions_of
from algatt.certificates.verifier.limits import Refused
from algatt.fields.types import Scalar
from algatt.symmetry.typed import SpaceSymmetry

__all__ = ["claim_beside_constants"]

Claim = dict[str, Any]


def claim_beside_constants(family: SpaceSymmetry, network: Network) -> Claim | None:
    """Return what is claimed of tensors that are multiplied by numbers after constants are added to some of them, if
    the verifier accepts it; None also if matrices act on tensors.
    """
    solution = family.space.solution
    if any(not isinstance(unknown, Scalar) for one in solution.assignments for unknown in one):
        return None
    axes: dict[str, list[Any]] = {}
    for tensor, pair in solution.actions.items():
        for number, assignment in enumerate(solution.assignments):
            total = sum(
                (Fraction(c) * assignment.get(scalar, 0) for action in pair for scalar, c in action.scalars.items()),
                Fraction(0),
            )
            if total:
                coefficient = total.numerator if total.denominator == 1 else str(total)
                axes.setdefault(tensor, []).append(["rows", number, coefficient, False, []])
    count = len(solution.assignments)
    claim = {
        "name": family.name,
        "by": "constants",
        "offsets": {
            one.tensor: [int(x) if x.denominator == 1 else str(x) for row in one.entries for x in row]
            for one in family.space.fold.offsets
        },
        "spaces": [1] * count,
        "basis": [[number, 0, 0, 1] for number in range(count)],
        "axes": axes,
        "images": {},
    }
    try:
        reason = directions_of("family", {**claim, "removes": count}, network).refutation(network)
    except Refused:
        return None
    return claim if reason is None else None
