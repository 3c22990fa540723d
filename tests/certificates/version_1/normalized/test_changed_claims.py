"""Certificates of normalised networks: whatever is changed, missing or added in them is refuted."""

from __future__ import annotations

import copy
from typing import Any

import pytest

import algatt
from algatt.certificates.version_1 import DimensionCertificate
from claims import Claims, altered, paths, reasons, refuted


def test_the_claims_are_true(softmax: Claims, rational: Claims) -> None:
    """So that the refutations below are refutations of what was changed."""
    assert not refuted(softmax)
    assert not refuted(rational)


@pytest.mark.parametrize(
    "entry",
    [0, -1, 10**30, 10**2000, 1.5, True, None, "", "x", "nan", [], [1, 1], {}, {"name": "Exponential"}],
    ids=lambda entry: repr(entry)[:20],
)
@pytest.mark.parametrize("which", ["softmax", "rational"])
def test_everything_replaced_is_refuted(which: str, entry: Any, request: pytest.FixtureRequest) -> None:
    claims = request.getfixturevalue(which)
    for path in paths(claims):
        changed = altered(claims, path, entry)
        assert changed == claims or refuted(changed), path


@pytest.mark.parametrize("which", ["softmax", "rational"])
def test_every_changed_number_is_refuted(which: str, request: pytest.FixtureRequest) -> None:
    """Each by one more, and one less; the digits of a real determinant have a test of their own."""
    claims = request.getfixturevalue(which)
    changed = 0
    for path in paths(claims):
        at: Any = claims
        for key in path:
            at = at[key]
        if type(at) is int:
            assert refuted(altered(claims, path, at + 1)), path
            assert refuted(altered(claims, path, at - 1)), path
            changed += 1
    assert changed > 25


@pytest.mark.parametrize("which", ["softmax", "rational"])
def test_missing_and_additional_claims_are_refused(which: str, request: pytest.FixtureRequest) -> None:
    claims = request.getfixturevalue(which)
    for path in paths(claims):
        if isinstance(path[-1], str):
            without = copy.deepcopy(claims)
            at: Any = without
            for key in path[:-1]:
                at = at[key]
            at["another"] = 1
            with pytest.raises(algatt.errors.CertificateError):
                algatt.verify(DimensionCertificate(without, ""))
            del at["another"], at[path[-1]]
            assert refuted(without), path


def test_a_certificate_of_another_architecture(softmax: Claims, rational: Claims) -> None:
    for claims in (softmax, rational):
        arch = {key: entry for key, entry in claims["architecture"].items() if key != "score"}
        assert refuted({**claims, "architecture": {**arch, "name": "Lightning"}})
        assert refuted({**claims, "architecture": {**arch, "name": "Normalized"}})
        assert refuted({**claims, "architecture": {**claims["architecture"], "name": "Lightning"}})
        assert refuted({**claims, "architecture": {**claims["architecture"], "name": "Softmax"}})


def test_residues_are_no_balls(softmax: Claims, rational: Claims) -> None:
    """Neither kind of lower bound passes for the other."""
    lower = softmax["lower_bound"]
    assert refuted({**softmax, "lower_bound": {**lower, "determinant": 5}})
    assert refuted({**softmax, "lower_bound": {**lower, "bits": 128}})
    residue = rational["lower_bound"]["determinant"]
    for text in (str(residue), f"{residue:.9e}".replace("e+0", "e"), "5.000000000e0"):
        assert refuted({**rational, "lower_bound": {**rational["lower_bound"], "determinant": text}})


def test_swapped_rows_change_the_sign(softmax: Claims) -> None:
    claims = copy.deepcopy(softmax)
    rows = claims["lower_bound"]["rows"]
    rows[0], rows[1] = rows[1], rows[0]
    assert "the minor of the lower bound is [" in reasons(claims)
