"""Certificates of dimensions, from the evidence of a report."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.arrangement import arrangement_of
from algatt.certificates.certificate import Certificate, certificate_of, verified
from algatt.certificates.make.elementary import elementary_claims, has_elementary_claims
from algatt.certificates.make.families import check_families, families_of
from algatt.certificates.make.network import claims_of_network
from algatt.errors import InvalidArgument
from algatt.fields import Balls, Field
from algatt.geometry import DimensionReport, RandomPoints
from algatt.geometry.dimensions.dimension import dimension
from algatt.geometry.dimensions.evidence import EnclosedMinor, Minor, Pieces
from algatt.geometry.dimensions.question import Progress
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
    check_families(arch, seed, "arch")  # before the work
    if field is None and not has_elementary_claims(arch):
        field = Balls()
    report = dimension(arch, seed=seed, field=field, error=error, progress=progress, points=RandomPoints())
    return verbs.certify(report)


@verbs.certify.method
def certify_network(
    arch: Network,
    *,
    seed: int = 0,
    field: Field | None = None,
    error: float = 1e-6,
    progress: Progress | None = None,
) -> Certificate:
    """Of a network whose tensors are read in parts the program in normal form is certified, which is what is asked."""
    arrangement = arrangement_of(arch)
    given = arch if arrangement is None else arrangement.network
    return certify_architecture(given, seed=seed, field=field, error=error, progress=progress)


@verbs.certify.method
def certify_report(report: DimensionReport) -> Certificate:
    arch, evidence = report.architecture, report.evidence
    arrangement = arrangement_of(arch) if isinstance(arch, Network) else None
    if arrangement is not None:
        return certify_report(replace(report, architecture=arrangement.network))
    if evidence is None:
        should = "a report over a PrimeField, Elementary or Balls: floating point proves nothing"
        raise InvalidArgument("report", report.status, should)
    lower = evidence.lower
    if isinstance(lower.minor, Pieces):
        should = "one with a minor of the whole Jacobian, by dimension(..., points=algatt.geometry.RandomPoints())"
        raise InvalidArgument("report", "a proof by pieces", should)
    theta = verbs.sample(arch, Weights, field=evidence.prime, seed=evidence.seed)
    families, minor = families_of(arch, theta, "report")
    value = arch.parameters - len(minor.rows)
    status = (
        report.status
        if value == evidence.upper.value
        else "probable"
        if isinstance(lower.minor, Minor)
        else "numerical"
    )
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
    certificate = certificate_of("report", arch, claims)
    return verified("report", certificate) if isinstance(lower.minor, EnclosedMinor) else certificate


def scales_of(arch: Architecture) -> list[int]:
    """Return by which powers of two the random real tensors are multiplied."""
    exponents = arch.exponents
    return [
        round(-math.log2(shape[-1]) / 2) + exponents.get(name, 0) for name, shape in verbs.coordinates(arch).items()
    ]


def minor_claims(minor: Minor | EnclosedMinor) -> dict[str, Any]:
    """Return a minor as plain values."""
    return {"determinant": minor.determinant, "rows": list(minor.rows), "columns": list(minor.columns)}
