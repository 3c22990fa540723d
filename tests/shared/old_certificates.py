"""Making certificates of the first format, versions 1 to 3, which are verified until 2027-12-31 and made no more."""

from __future__ import annotations

from typing import Any

import algatt
from algatt.architectures import Architecture
from algatt.certificates.version_1 import DimensionCertificate
from algatt.fields import Balls
from algatt.geometry import DimensionReport
from algatt.geometry.dimensions.elementary.places import reading_of
from algatt.geometry.dimensions.evidence import EnclosedMinor, Minor

__all__ = ["old_certificate"]


def old_certificate(source: Any, **options: Any) -> DimensionCertificate:
    """Return the certificate of a report, or of a network whose dimension is computed first."""
    if isinstance(source, DimensionReport):
        return certificate_of(source)
    report = algatt.dimension(source, **options)
    if options.get("field") is None and not has_claims_of_exponents(report):
        report = algatt.dimension(source, **{**options, "field": Balls()})
    return certificate_of(report)


def certificate_of(report: DimensionReport) -> DimensionCertificate:
    """Return the certificate of a report."""
    arch, evidence = report.architecture, report.evidence
    assert evidence is not None
    lower, upper = evidence.lower, evidence.upper
    claims: dict[str, Any] = {
        "architecture": arch.description(),
        "dimension": report.value,
        "status": report.status,
        "parameters": report.parameters,
        "prime": evidence.prime.p,
        "seed": evidence.seed,
        "inputs": max(lower.minor.rows, default=-1) // arch.outputs + 1,
        "lower_bound": {"value": lower.value, **minor_claims(lower.minor)},
        "upper_bound": {
            "value": upper.value,
            "symmetries": [{"name": family.name, "removes": family.removes} for family in upper.families],
            **minor_claims(upper.minor),
        },
    }
    if lower.conditions is not None:
        assert has_claims_of_exponents(report)
        claims["exponentials"] = {"lines": lines_of(arch), "inputs": lower.conditions.inputs}
    return DimensionCertificate(claims, f"algatt {algatt.__version__}")


def lines_of(arch: Architecture) -> Any:
    """Return the numbers of the exponentials of a network in the list of its scores."""
    return reading_of(arch).bases


def has_claims_of_exponents(report: DimensionReport) -> bool:
    """Return whether a certificate of the first format can say why residues stand for exponentials, where they do: the
    exponents are those of the score, and are independent at the first weights.
    """
    if report.conditions is None:
        return True
    return reading_of(report.architecture).ties is None and report.conditions.weights == 1


def minor_claims(minor: Minor | EnclosedMinor) -> dict[str, Any]:
    """Return a minor as plain values."""
    return {"determinant": minor.determinant, "rows": minor.rows, "columns": minor.columns}
