"""Making certificates from the evidence of a dimension report."""

from __future__ import annotations

from typing import Any

from algatt import verbs
from algatt.architectures import Lightning
from algatt.certificates.certificate import Certificate
from algatt.certificates.recompute import FAMILIES
from algatt.errors import InvalidArgument, MethodError
from algatt.fields import Field
from algatt.geometry import DimensionReport
from algatt.geometry.bounds import Minor, Progress
from algatt.version import __version__


@verbs.certify.method
def certify_architecture(
    arch: Lightning, *, seed: int = 0, field: Field | None = None, error: float = 1e-6, progress: Progress | None = None
) -> Certificate:
    return verbs.certify(verbs.dimension(arch, seed=seed, field=field, error=error, progress=progress))


@verbs.certify.method
def certify_report(report: DimensionReport) -> Certificate:
    arch, evidence = report.architecture, report.evidence
    if type(arch) is not Lightning:
        raise MethodError(f"there are certificates for Lightning, not for {type(arch).__name__}")
    if evidence is None:
        raise InvalidArgument("report", report.status, "a report over a PrimeField: floating point proves nothing")
    unknown = [family.name for family in evidence.upper.families if family.name not in FAMILIES]
    if unknown:
        raise MethodError(f"there are no certificates for the symmetries {', '.join(unknown)}, but for {', '.join(FAMILIES)}")
    rows_of_one = arch.dims[-1] * arch.tokens
    lower, upper = evidence.lower, evidence.upper
    claims: dict[str, Any] = {
        "architecture": {"name": "Lightning", "dims": arch.dims, "ranks": arch.ranks, "tokens": arch.tokens},
        "dimension": report.value,
        "status": report.status,
        "parameters": report.parameters,
        "prime": evidence.field.p,
        "seed": evidence.seed,
        "inputs": max(lower.minor.rows, default=-1) // rows_of_one + 1,
        "lower_bound": {"value": lower.value, **minor_claims(lower.minor)},
        "upper_bound": {
            "value": upper.value,
            "symmetries": [{"name": family.name, "removes": family.removes} for family in upper.families],
            **minor_claims(upper.minor),
        },
    }
    return Certificate(claims, f"algatt {__version__}")


def minor_claims(minor: Minor) -> dict[str, Any]:
    """Return a minor as plain values."""
    return {"determinant": minor.determinant, "rows": minor.rows, "columns": minor.columns}
