"""Certificates of lightning networks are verified by other code, and are values that are saved."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.certificates.version_1 import DimensionCertificate, recompute
from lightning_networks import HIDDEN, PARALLEL, SMALL
from old_certificates import old_certificate


@pytest.mark.parametrize("arch", [*algatt.Lightning.examples(), SMALL, *HIDDEN])
def test_what_is_made_is_verified(arch: algatt.Lightning) -> None:
    certificate = old_certificate(arch, seed=3)
    report = algatt.verify(certificate)
    assert report.reasons == ()
    assert report.ok
    assert bool(report)


@pytest.mark.parametrize("p", [2, 31, 2147483647, 2305843009213693951])
def test_any_prime(p: int) -> None:
    """GF(2) proves little, but what it proves is verified."""
    certificate = old_certificate(algatt.Lightning((3, 2), (1,), 2), field=algatt.PrimeField(p))
    assert algatt.verify(certificate).ok


def without(certificate: algatt.certificates.Certificate, name: str) -> dict[str, Any]:
    """The claims without a symmetry family: as true, but the upper bound is weaker."""
    claims = copy.deepcopy(certificate.claims)
    arch, upper = claims["architecture"], claims["upper_bound"]
    kept = [family for family in upper["symmetries"] if family["name"] != name]
    names = [family["name"] for family in kept]
    network = recompute.Network(arch["dims"], arch["ranks"], arch["tokens"])
    where = recompute.modular_point(network, claims["prime"], claims["seed"])
    before = [family for family, _ in recompute.tangent_rows(where, [family["name"] for family in upper["symmetries"]])]
    rows = [row - before[:row].count(name) for row in upper["rows"] if before[row] != name]
    reduced, order = recompute.tangent_minor(where, names, rows, list(range(claims["parameters"]))).rref()
    columns = [next(j for j in range(claims["parameters"]) if int(reduced[i, j])) for i in range(order)]
    determinant = recompute.determinant(recompute.tangent_minor(where, names, rows, columns))
    bound = {"value": claims["parameters"] - order, "rows": rows, "columns": columns, "determinant": determinant}
    claims["upper_bound"] = {**bound, "symmetries": kept}
    claims["status"] = "probable"
    return claims


def test_a_probable_certificate_claims_bounds_only() -> None:
    claims = without(old_certificate(PARALLEL), "parallel tokens")
    report = algatt.verify(DimensionCertificate(claims, ""))
    assert report.reasons == ()
    assert report.claim.endswith("has dimension at least 47 and at most 53")


def test_save_and_verify(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    certificate = old_certificate(SMALL)
    certificate.save(path)
    assert algatt.verify(path).ok
    assert algatt.verify(str(path)).claim == algatt.verify(certificate).claim
    assert json.loads(path.read_text())["claims"]["dimension"] == certificate.dimension


def test_an_unwritable_path(tmp_path: Path) -> None:
    certificate = old_certificate(SMALL)
    with pytest.raises(algatt.errors.OutputError, match="No such file or directory"):
        certificate.save(tmp_path / "missing" / "certificate.json")
    with pytest.raises(algatt.errors.OutputError, match="it is a directory"):
        certificate.save(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_certificate_is_a_value(tmp_path: Path) -> None:
    certificate = old_certificate(SMALL)
    certificate.save(tmp_path / "certificate.json")
    loaded = algatt.certificates.Certificate.load(tmp_path / "certificate.json")
    assert loaded == certificate
    assert hash(loaded) == hash(certificate)


def test_a_certificate_of_the_first_release_is_still_verified() -> None:
    """The file was written before there were certificates of anything but lightning over GF(p)."""
    path = Path(__file__).with_name("lightning.json")
    assert algatt.verify(path).ok
    made, old = json.loads(old_certificate(SMALL).to_json()), json.loads(path.read_text())
    for one in (made, old):
        del one["made_with"]
        for bound in ("lower_bound", "upper_bound"):  # other minors than then are found today
            del one["claims"][bound]["columns"], one["claims"][bound]["determinant"], one["claims"][bound]["rows"]
    assert made == old
