"""No certificate claims a bound that the verifier does not compute."""

from __future__ import annotations

import dataclasses

import pytest

import algatt
from algatt.errors import MethodError
from algatt.geometry.dimensions.bounds import FamilyRank


def test_a_bound_by_the_ambient_space_is_refused() -> None:
    report = algatt.dimension(algatt.Lightning((3, 2), (2,), 2))
    assert algatt.verify(algatt.certify(report)).ok
    assert report.evidence is not None
    upper = report.evidence.upper
    families = (*upper.families, FamilyRank("ambient space", 1, "ambient"))
    evidence = dataclasses.replace(
        report.evidence, upper=dataclasses.replace(upper, value=upper.value - 1, families=families)
    )
    with pytest.raises(MethodError, match="no certificates for bounds by the ambient space, which the verifier does"):
        algatt.certify(dataclasses.replace(report, evidence=evidence))


def test_certificates_have_the_keys_that_they_had() -> None:
    claims = algatt.certify(algatt.Lightning((3, 2), (2,), 2)).claims
    assert {frozenset(family) for family in claims["upper_bound"]["symmetries"]} == {frozenset({"name", "removes"})}
