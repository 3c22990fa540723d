"""Claims of the dimension of a neuromanifold, verified."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .dimension_claim import DimensionClaim, read_claim, tensors_of
from .limits import in_a_line
from .modular_minor import wrong_determinant, wrong_residue
from .real_minor import wrong_digits
from .types import MOST_TYPED_TOGETHER
from .values import lacking_value
from .verdict import Progress, Verdict

__all__ = ["dimension_in_words", "verify_dimension"]


def dimension_in_words(claims: Any) -> str:
    """Return what is claimed of a dimension.

    Raises
    ------
    Refused
        If it is too large to be verified.
    """
    return read_claim(claims).in_words


def verify_dimension(claims: Any, progress: Progress | None = None) -> Verdict:
    """Verify claims of a dimension.

    Raises
    ------
    Refused
        If they are none, or too large to be verified.
    """
    claim = read_claim(claims)
    reasons: list[str] = []
    for check in (inconsistencies, misplacements, wrong_families, wrong_upper_bound, wrong_lower_bound):
        reasons += check(claim, progress)
        if reasons:
            break  # what comes next would make no sense
    rests_on = claims.get("elementary", {}).get("rests_on", []) if not reasons else []
    return Verdict(claim.in_words, tuple(reasons), tuple(rests_on))


def inconsistencies(claim: DimensionClaim, progress: Progress | None) -> Iterator[str]:
    """Compare the claims with each other."""
    claims, network = claim.claims, claim.network
    lower, upper = claims["lower_bound"], claims["upper_bound"]
    unproven = "numerical" if claim.real else "probable"
    if claims["kind"] != "dimension":
        yield f"the kind is {in_a_line(claims['kind'])}, not 'dimension'"
    if claims["parameters"] != network.parameters:
        yield f"the network has {network.parameters} parameters, not {in_a_line(claims['parameters'])}"
    if claims["dimension"] != lower["value"]:
        yield f"the dimension {in_a_line(claims['dimension'])} is not the lower bound {in_a_line(lower['value'])}"
    if claims["status"] != ("proven" if lower["value"] == upper["value"] else unproven):
        bounds = f"the bounds {lower['value']} and {upper['value']}"
        yield f"{bounds} do not make the dimension {in_a_line(claims['status'])}"
    if lower["value"] != len(lower["rows"]):
        yield f"a minor of order {len(lower['rows'])} does not prove the lower bound {in_a_line(lower['value'])}"
    removed = sum(family.removes for family in claim.families)
    if upper["value"] != network.parameters - removed:
        yield f"families that remove {removed} do not make the upper bound {in_a_line(upper['value'])}"
    if len(upper["rows"]) != removed:
        yield f"a minor of order {len(upper['rows'])} does not show what the families remove"
    for family in claim.families:
        if not family.removes:
            yield f"the family {in_a_line(family.name)} removes nothing"
        if family.rows < family.removes or (not family.whole and family.rows > family.removes):
            yield f"the family {in_a_line(family.name)} has {family.rows} directions, not {family.removes}"


def misplacements(claim: DimensionClaim, progress: Progress | None) -> Iterator[str]:
    """Say what is wrong with the rows and columns of the minors."""
    rows = sum(family.rows for family in claim.families)
    for bound, most in (("lower", None), ("upper", rows)):
        minor = claim.claims[f"{bound}_bound"]
        if len(minor["rows"]) != len(minor["columns"]):
            yield f"the minor of the {bound} bound has {len(minor['rows'])} rows and {len(minor['columns'])} columns"
        for axis, size in (("rows", most), ("columns", claim.network.parameters)):
            if size is not None and any(entry >= size for entry in minor[axis]):
                yield f"the minor of the {bound} bound has {axis} outside 0..{size - 1}"
            if len(set(minor[axis])) < len(minor[axis]):
                yield f"the minor of the {bound} bound has {axis} twice"


def wrong_families(claim: DimensionClaim, progress: Progress | None) -> Iterator[str]:
    """Check that the function does not change along each family."""
    budget = [MOST_TYPED_TOGETHER]
    for family in claim.families:
        reason = family.refutation(claim.network, budget)
        if reason is not None:
            yield f"the family {in_a_line(family.name)}: {reason}"


def wrong_upper_bound(claim: DimensionClaim, progress: Progress | None) -> Iterator[str]:
    """Compute the minor of the tangents, and how many of its rows belong to each family."""
    upper, tensors = claim.claims["upper_bound"], tensors_of(claim)
    place = {column: j for j, column in enumerate(upper["columns"])}
    wanted = {row: i for i, row in enumerate(upper["rows"])}
    minor = claim.field.zeros(len(wanted), len(place))
    start = 0
    for family in claim.families:
        here = [row - start for row in wanted if start <= row < start + family.rows]
        if len(here) != family.removes:
            yield f"the minor has {len(here)} rows of the family {in_a_line(family.name)}, not {family.removes}"
        for row, tangent in family.tangents(claim.network, claim.field, tensors, set(here)):
            for column, value in tangent.items():
                if column in place:
                    minor[wanted[start + row], place[column]] = value
        start += family.rows
    yield from wrong_determinant("upper", upper, minor)


def wrong_lower_bound(claim: DimensionClaim, progress: Progress | None) -> Iterator[str]:
    """Compute the minor of the Jacobian."""
    if not claim.claims["lower_bound"]["rows"] and (reason := lacking_value(claim.network)) is not None:
        yield reason  # which no row of the minor needs
        return
    yield from (wrong_digits if claim.real else wrong_residue)(claim, progress)
