"""Making certificates from the evidence of a dimension report."""

from __future__ import annotations

from typing import Any

from algatt import verbs
from algatt.architectures import Affine, Architecture, Exponential, Lightning, Normalized, Power, Rational
from algatt.certificates.version_1.certificate import DimensionCertificate, unreadable
from algatt.certificates.version_1.recompute import FAMILIES
from algatt.certificates.version_1.verify import HIGHEST_PRECISION, unverifiable
from algatt.errors import InvalidArgument, MethodError
from algatt.fields import Balls, Field
from algatt.geometry import DimensionReport
from algatt.geometry.dimensions.bounds import EnclosedMinor, Minor, Progress
from algatt.geometry.dimensions.elementary.places import reading_of
from algatt.maps.elementary.conditions import Conditions
from algatt.version import __version__

SCORES = (Affine, Exponential, Power, Rational)
"""The scores that the verifier has a second time."""


def certify_architecture(
    arch: Architecture,
    *,
    seed: int = 0,
    field: Field | None = None,
    error: float = 1e-6,
    progress: Progress | None = None,
) -> DimensionCertificate:
    check_known(arch)
    return verbs.certify(report_to_certify(arch, seed=seed, field=field, error=error, progress=progress))


def report_to_certify(
    arch: Architecture, *, seed: int, field: Field | None, error: float, progress: Progress | None
) -> DimensionReport:
    """Return the dimension over a field of which there are certificates, unless one is given."""
    report: DimensionReport = verbs.dimension(arch, seed=seed, field=field, error=error, progress=progress)
    if field is None and not has_claims_of_exponents(report):
        report = verbs.dimension(arch, seed=seed, field=Balls(), error=error, progress=progress)
    return report


def certify_report(report: DimensionReport) -> DimensionCertificate:
    arch, evidence = report.architecture, report.evidence
    check_known(arch)
    if evidence is None:
        raise InvalidArgument(
            "report", report.status, "a report over a PrimeField or Balls: floating point proves nothing"
        )
    if any(family.basis == "ambient" for family in evidence.upper.families):
        raise MethodError(
            "there are no certificates for bounds by the ambient space, which the verifier does not compute"
        )
    unknown = [family.name for family in evidence.upper.families if family.name not in FAMILIES]
    if unknown:
        raise MethodError(
            f"there are no certificates for the symmetries {', '.join(unknown)}, but for {', '.join(FAMILIES)}"
        )
    rows_of_one = arch.outputs
    lower, upper = evidence.lower, evidence.upper
    claims: dict[str, Any] = {
        "architecture": arch.description(),
        "dimension": report.value,
        "status": report.status,
        "parameters": report.parameters,
        "prime": evidence.prime.p,
        "seed": evidence.seed,
        "inputs": max(lower.minor.rows, default=-1) // rows_of_one + 1,
        "lower_bound": {"value": lower.value, **minor_claims(lower.minor)},
        "upper_bound": {
            "value": upper.value,
            "symmetries": [{"name": family.name, "removes": family.removes} for family in upper.families],
            **minor_claims(upper.minor),
        },
    }
    if lower.conditions is not None:
        if not has_claims_of_exponents(report):
            was = "one whose exponents depend on each other, or are compared at several weights"
            raise InvalidArgument("report", was, "one over Balls()")
        claims["exponentials"] = exponentials_of(arch, lower.conditions)
    certificate = DimensionCertificate(claims, f"algatt {__version__}")
    reasons = unverifiable(claims) + unreadable(certificate)
    if isinstance(lower.minor, EnclosedMinor) and lower.minor.bits > HIGHEST_PRECISION:
        reasons += (
            f"a minor enclosed with {lower.minor.bits} bits, where {HIGHEST_PRECISION} are the highest precision, "
            f"cannot be verified here",
        )
    if reasons:
        raise InvalidArgument(
            "report",
            f"one that no certificate can be made of ({'; '.join(reasons)})",
            "of a smaller network, or less precise",
        )
    return certificate


def exponentials_of(arch: Architecture, conditions: Conditions) -> dict[str, Any]:
    """Return by what residues stand for the exponentials of a network, and the evidence that they may."""
    return {"lines": reading_of(arch).bases, "inputs": conditions.inputs}


def has_claims_of_exponents(report: DimensionReport) -> bool:
    """Return whether a certificate can say why residues stand for exponentials, where they do: the exponents are those
    of the score, and are independent at the first weights.
    """
    if report.conditions is None:
        return True
    return reading_of(report.architecture).ties is None and report.conditions.weights == 1


def check_known(arch: Architecture) -> None:
    """Raise `MethodError` unless the verifier has the architecture, and its score, a second time."""
    if type(arch) is Normalized:
        if type(arch.score) not in SCORES:
            names = ", ".join(score.__name__ for score in SCORES)
            raise MethodError(f"there are certificates for the scores {names}, not for {type(arch.score).__name__}")
    elif type(arch) is not Lightning:
        raise MethodError(f"there are certificates for Lightning and Normalized, not for {type(arch).__name__}")


def minor_claims(minor: Minor | EnclosedMinor) -> dict[str, Any]:
    """Return a minor as plain values."""
    return {"determinant": minor.determinant, "rows": minor.rows, "columns": minor.columns}
