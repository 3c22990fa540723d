"""Certificates of dimensions, from the evidence of a report."""

from __future__ import annotations

import math
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.certificates.certificate import Certificate, certificate_of
from algatt.certificates.make.elementary import elementary_claims, has_elementary_claims
from algatt.certificates.make.families import families_of
from algatt.certificates.make.network import claims_of_network, program_lines
from algatt.certificates.verifier.degree import degree_of
from algatt.certificates.verifier.dimension import LEAST_PRIME_OF_TESTS, TIMES_DEGREE
from algatt.certificates.verifier.program import parse
from algatt.errors import InvalidArgument
from algatt.fields import Balls, Field
from algatt.geometry import DimensionReport, RandomPoints
from algatt.geometry.dimensions.ambient import AMBIENT
from algatt.geometry.dimensions.bounds import Progress
from algatt.geometry.dimensions.evidence import EnclosedMinor, LowerBound, Minor, Pieces
from algatt.parameters import Weights

__all__: list[str] = []


@verbs.certify.method
def certify_architecture(
    arch: Architecture,
    *,
    seed: int = 0,
    field: Field | None = None,
    error: float = 1e-6,
    progress: Progress | None = None,
) -> Certificate:
    claims_of_network(arch)  # which is soon known to be impossible
    if field is None and not has_elementary_claims(arch):
        field = Balls()
    report = verbs.dimension(arch, seed=seed, field=field, error=error, progress=progress, points=RandomPoints())
    return verbs.certify(report)


@verbs.certify.method
def certify_report(report: DimensionReport) -> Certificate:
    arch, evidence = report.architecture, report.evidence
    if evidence is None:
        should = "a report over a PrimeField, Elementary or Balls: floating point proves nothing"
        raise InvalidArgument("report", report.status, should)
    lower, upper = evidence.lower, evidence.upper
    if isinstance(lower.minor, Pieces):
        should = "one with a minor of the whole Jacobian, by dimension(..., points=algatt.geometry.RandomPoints())"
        raise InvalidArgument("report", "a proof by pieces", should)
    theta = verbs.sample(arch, Weights, field=evidence.prime, seed=evidence.seed)
    families, minor = families_of(arch, theta, theorems=can_be_tested(arch, lower, evidence.prime.p))
    value = arch.parameters - len(minor.rows)
    if any(family.basis == "ambient" for family in upper.families):
        families.append({"name": AMBIENT, "removes": value - upper.value, "by": "ambient"})
        value = upper.value
    status = report.status if value == upper.value else "probable" if isinstance(lower.minor, Minor) else "numerical"
    claims: dict[str, Any] = {
        "kind": "dimension",
        **claims_of_network(arch),
        "dimension": report.value,
        "status": status,
        "parameters": report.parameters,
        "prime": evidence.prime.p,
        "seed": evidence.seed,
        "lower_bound": {"value": lower.value, **minor_claims(lower.minor)},
        "upper_bound": {"value": value, "families": families, **minor_claims(minor)},
    }
    if isinstance(lower.minor, EnclosedMinor):
        claims["scales"] = scales_of(arch)
    elif lower.conditions is not None:
        claims["elementary"] = elementary_claims(report)
    return certificate_of("report", arch, claims)


MOST_ROOTS = 9
"""With more roots of entries hardly an input has a value for which nothing is drawn anew."""


def can_be_tested(arch: Architecture, lower: LowerBound, p: int) -> bool:
    """Return whether the verifier can look at families that it does not prove: modulo a prime that is larger than the
    degrees of the program, at inputs at which all roots are likely to exist.
    """
    if p < max(LEAST_PRIME_OF_TESTS, TIMES_DEGREE * degree_of(parse(program_lines(arch)))):
        return False
    roots = (one.shape for one in verbs.program(arch).instructions if one.operation == "sqrt")
    return isinstance(lower.minor, Minor) and sum(map(math.prod, roots)) <= MOST_ROOTS


def scales_of(arch: Architecture) -> list[int]:
    """Return by which powers of two the random real tensors are multiplied."""
    exponents = arch.exponents
    return [
        round(-math.log2(shape[-1]) / 2) + exponents.get(name, 0) for name, shape in verbs.coordinates(arch).items()
    ]


def minor_claims(minor: Minor | EnclosedMinor) -> dict[str, Any]:
    """Return a minor as plain values."""
    return {"determinant": minor.determinant, "rows": list(minor.rows), "columns": list(minor.columns)}
