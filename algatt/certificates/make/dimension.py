"""Certificates of dimensions, from the evidence of a report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.network import arrangement_of
from algatt.certificates.certificate import Certificate
from algatt.certificates.make.directions import families_of
from algatt.certificates.make.network import (
    certificate_of,
    check_real_minors,
    claims_of_network,
    has_functions,
    input_entries,
    verified,
)
from algatt.certificates.make.pieces import certify_pieces
from algatt.certificates.make.transformer import certify_parts
from algatt.errors import ConditionFailed, InvalidArgument
from algatt.fields import Balls, Field
from algatt.geometry import Copies, DimensionReport, RandomPoints, SideBySide
from algatt.geometry.dimensions.dimension import dimension
from algatt.geometry.dimensions.evidence import EnclosedMinor, Parts, Pieces
from algatt.geometry.dimensions.question import MANY_PARAMETERS, Progress
from algatt.geometry.dimensions.real_point import scales_of
from algatt.symmetry.quotients.members import symmetries_to_first_order


@verbs.certify.method
def certify_architecture(
    arch: Architecture,
    *,
    seed: int = 0,
    field: Field | None = None,
    error: float = 1e-9,
    progress: Progress | None = None,
) -> Certificate:
    """Large networks are looked at at points with structure first, where there are some for them."""
    report = structured_report(arch, seed=seed, error=error, progress=progress) if field is None else None
    if report is None:
        check_network(arch, seed, "arch")
        if field is None and has_functions(arch):
            field = Balls()
        report = dimension(arch, seed=seed, field=field, error=error, progress=progress, points=RandomPoints())
    return verbs.certify(report)


def structured_report(arch: Architecture, **options: Any) -> DimensionReport | None:
    """Return the dimension of a large network if points with structure prove it: copies for networks that read vectors,
    blocks side by side for those that read tokens. None otherwise.
    """
    if arch.parameters < MANY_PARAMETERS:
        return None
    points = Copies() if arch.vocabulary is None else SideBySide()
    try:
        report: DimensionReport = dimension(arch, points=points, **options)
    except (InvalidArgument, ConditionFailed):  # this network has no such points
        return None
    return report if report.status == "proven" else None


def check_network(arch: Architecture, seed: int, source: str) -> None:
    """Refuse a network of whose dimension there is no certificate, before the dimension is computed.

    Raises
    ------
    InvalidArgument
        If the dimension is less by something that there are no words for: other families, or the ambient space; or if
        the network has functions, and the verifier would find its real minor too large.
    """
    alone = [family.dimension for family in symmetries_to_first_order(arch)]  # some directions are counted twice
    check_order(arch, arch.parameters - sum(alone), source)
    _, directions = families_of(arch, seed, source)
    check_order(arch, arch.parameters - len(directions), source)


def check_order(arch: Architecture, order: int, source: str) -> None:
    """Refuse a network whose program has functions if a real minor of that many rows is too large for the verifier."""
    if not has_functions(arch):
        return
    claims = {"kind": "dimension", **claims_of_network(arch), "families": [], "directions": []}
    if arch.vocabulary is not None:
        claims["inputs"] = [input_entries(arch, 0, number) for number in range(-(-order // arch.outputs))]
    check_real_minors(source, claims, [*range(order)])


@verbs.certify.method
def certify_network(
    arch: Network,
    *,
    seed: int = 0,
    field: Field | None = None,
    error: float = 1e-9,
    progress: Progress | None = None,
) -> Certificate:
    """Of a network whose tensors are read in parts the program in normal form is certified, which is what is asked."""
    arrangement = arrangement_of(arch)
    given = arch if arrangement is None else arrangement.network
    return certify_architecture(given, seed=seed, field=field, error=error, progress=progress)


@verbs.certify.method
def certify_report(report: DimensionReport) -> Certificate:
    """A report with residues for functions or turns was found faster; what is certified is a real minor."""
    arch, evidence = report.architecture, report.evidence
    arrangement = arrangement_of(arch) if isinstance(arch, Network) else None
    if arrangement is not None:
        return certify_report(replace(report, architecture=arrangement.network))
    if evidence is None:
        should = "a report over a PrimeField, Elementary or Balls: floating point proves nothing"
        raise InvalidArgument("report", report.status, should)
    minor = evidence.lower.minor
    if (
        isinstance(minor, Parts) and report.samples
    ):  # ranks near a point with structure, of which there is no certificate
        return certify_architecture(arch, seed=evidence.seed)
    if isinstance(minor, Parts):
        return certify_parts(report, minor)
    if isinstance(minor, Pieces):
        return certify_pieces(report, minor)
    if has_functions(arch) and not isinstance(minor, EnclosedMinor):
        return certify_report(dimension(arch, seed=evidence.seed, field=Balls(), points=RandomPoints()))
    families, directions = families_of(arch, evidence.seed, "report")
    claims: dict[str, Any] = {"kind": "dimension", **claims_of_network(arch)}
    rows = list(minor.rows)
    if arch.vocabulary is not None:
        numbers = sorted({row // arch.outputs for row in rows})
        place = {number: k for k, number in enumerate(numbers)}
        rows = [place[row // arch.outputs] * arch.outputs + row % arch.outputs for row in rows]
        claims["inputs"] = [input_entries(arch, evidence.seed, number) for number in numbers]
    if isinstance(minor, EnclosedMinor):
        claims["point"] = {"seed": evidence.seed, "scales": scales_of(arch)}
    claims |= {"rows": rows, "columns": list(minor.columns), "families": families, "directions": directions}
    return verified("report", certificate_of("report", arch, claims))
