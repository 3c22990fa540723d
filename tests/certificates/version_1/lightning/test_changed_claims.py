"""Certificates of lightning networks are refuted when any digit of a claim is changed."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.certificates.version_1 import DimensionCertificate, recompute
from claims import altered
from lightning_networks import SMALL
from old_certificates import old_certificate


def claims_with_a_changed_digit(text: str) -> Iterator[tuple[str, str]]:
    """Each digit of the claims replaced by another one, in turn."""
    start = text.index('"claims"')
    for match in re.finditer(r"\d", text[start:]):
        position = start + match.start()
        digit = str((int(text[position]) + 1) % 10)
        yield text[:position] + digit + text[position + 1 :], text[max(start, position - 30) : position + 10]


def test_every_changed_digit_is_refuted(text: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    changed = 0
    for other, where in claims_with_a_changed_digit(text):
        path.write_text(other)
        try:
            report = algatt.verify(path)
        except algatt.errors.CertificateError:
            continue  # a number that begins with 0 is no JSON
        assert not report.ok, where
        assert report.reasons, where
        changed += 1
    assert changed > 100


def paths(value: Any, prefix: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all leaves of nested lists and dicts."""
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from paths(entry, (*prefix, key))
    elif isinstance(value, list):
        for key, entry in enumerate(value):
            yield from paths(entry, (*prefix, key))
    else:
        yield prefix


@pytest.mark.parametrize("entry", [0, -1, 10**30])
def test_every_number_replaced_is_refuted(text: str, entry: int) -> None:
    document = json.loads(text)
    for path in paths(document["claims"]):
        changed = altered(document["claims"], path, entry)
        if changed == document["claims"] or isinstance(document["claims"][path[0]], str):
            continue
        try:
            report = algatt.verify(DimensionCertificate(changed, "test"))
        except algatt.errors.CertificateError:
            continue  # a name became a number
        assert not report.ok, path


def test_a_minor_of_tangents_that_vanishes_proves_nothing(text: str) -> None:
    """Two tangents of the key-query gauge with one column: whatever determinant is claimed, 0 included."""
    claims = json.loads(text)["claims"]
    upper, arch = claims["upper_bound"], claims["architecture"]
    where = recompute.modular_point(
        recompute.Network(arch["dims"], arch["ranks"], arch["tokens"]), claims["prime"], claims["seed"]
    )
    families = [family["name"] for family in upper["symmetries"]]
    everything = recompute.tangent_minor(where, families, upper["rows"], list(range(claims["parameters"])))
    zero = next(j for j in range(claims["parameters"]) if not int(everything[0, j]) and j not in upper["columns"])
    for columns in ([zero, *upper["columns"][1:]], upper["columns"][1:] + [zero]):
        found = recompute.determinant(recompute.tangent_minor(where, families, upper["rows"], columns))
        for determinant in {found, 0, 1}:
            changed = altered(
                altered(claims, ("upper_bound", "columns"), columns), ("upper_bound", "determinant"), determinant
            )
            reasons = algatt.verify(DimensionCertificate(changed, "")).reasons
            assert bool(reasons) == (not found or determinant != found)
            assert found or reasons == ("the minor of the upper bound vanishes",)


def test_a_dropped_row_is_refuted(text: str) -> None:
    claims = json.loads(text)["claims"]
    claims["upper_bound"]["columns"].pop()
    assert any("rows and" in reason for reason in algatt.verify(DimensionCertificate(claims, "")).reasons)


def test_a_smaller_true_claim_is_still_refuted(text: str) -> None:
    """A smaller minor proves a smaller lower bound, but not the dimension that the status claims."""
    claims = json.loads(text)["claims"]
    for kind in ("rows", "columns"):
        claims["lower_bound"][kind].pop()
    claims["lower_bound"]["value"] -= 1
    claims["dimension"] -= 1
    assert any(
        "do not make the dimension proven" in reason
        for reason in algatt.verify(DimensionCertificate(claims, "")).reasons
    )


def test_swapped_rows_change_the_sign(text: str) -> None:
    claims = json.loads(text)["claims"]
    rows = claims["lower_bound"]["rows"]
    rows[0], rows[1] = rows[1], rows[0]
    assert any(
        "the minor of the lower bound is" in reason
        for reason in algatt.verify(DimensionCertificate(claims, "")).reasons
    )


def test_missing_claims_are_named(text: str) -> None:
    document = json.loads(text)
    for key in document["claims"]:
        claims = {name: value for name, value in document["claims"].items() if name != key}
        with pytest.raises(algatt.errors.CertificateError, match="claims was"):
            algatt.verify(DimensionCertificate(claims, ""))
    claims = altered(document["claims"], ("lower_bound", "rows"), [1.5])
    with pytest.raises(algatt.errors.CertificateError, match=r"claims\.lower_bound\.rows was"):
        algatt.verify(DimensionCertificate(claims, ""))


def test_a_forged_size_is_refused_at_once(text: str) -> None:
    """Claims that agree with each other and speak of a network of 3 * 10^14 parameters."""
    claims = json.loads(text)["claims"]
    empty = {"determinant": 1, "rows": [], "columns": []}
    claims.update(
        {
            "architecture": {"name": "Lightning", "dims": [10**7, 10**7], "ranks": [10**7], "tokens": 1},
            "parameters": 3 * 10**14,
        }
    )
    claims.update({"dimension": 0, "inputs": 0, "status": "probable", "lower_bound": {"value": 0, **empty}})
    claims["upper_bound"] = {"value": 3 * 10**14, "symmetries": [], **empty}
    assert "cannot be verified here" in algatt.verify(DimensionCertificate(claims, "")).reasons[0]


def test_unheard_of_integers_are_no_claims(text: str) -> None:
    """Python would refuse to write some of them down."""
    claims = json.loads(text)["claims"]
    with pytest.raises(algatt.errors.CertificateError, match="should be an integer of at most 2048 bits"):
        algatt.verify(DimensionCertificate({**claims, "seed": 10**4000}, ""))
    with pytest.raises(algatt.errors.CertificateError, match="a list of integers of at most 2048 bits"):
        algatt.verify(DimensionCertificate(altered(claims, ("lower_bound", "rows", 0), -(10**4000)), ""))


@pytest.mark.parametrize(
    ("dims", "ranks", "tokens"),
    [([3000] * 10**3, [1] * 999, 1), ([1] * 10**3, [3000] * 999, 1), ([1, 10**7], [1], 10**7)],
)
def test_networks_that_would_fill_the_memory_are_refused_at_once(
    dims: list[int], ranks: list[int], tokens: int
) -> None:
    """Also where no single matrix is large."""
    parameters = recompute.Network(dims, ranks, tokens).parameters
    bound = {"value": 0, "determinant": 1, "rows": [], "columns": []}
    claims = {
        "architecture": {"name": "Lightning", "dims": dims, "ranks": ranks, "tokens": tokens},
        "dimension": 0,
        "status": "probable",
        "parameters": parameters,
        "prime": 8388593,
        "seed": 0,
        "inputs": 0,
        "lower_bound": bound,
        "upper_bound": {**bound, "value": parameters, "symmetries": []},
    }
    (reason,) = algatt.verify(DimensionCertificate(claims, "")).reasons
    assert reason.endswith("cannot be verified here")


def test_a_negative_seed_is_refuted_though_everything_follows_from_it() -> None:
    """A forger computes both minors at the point that the text algatt/1/-1/... would name."""
    claims = copy.deepcopy(old_certificate(SMALL).claims)
    claims["seed"] = -1
    arch, lower, upper = claims["architecture"], claims["lower_bound"], claims["upper_bound"]
    where = recompute.modular_point(recompute.Network(arch["dims"], arch["ranks"], arch["tokens"]), claims["prime"], -1)
    families = [family["name"] for family in upper["symmetries"]]
    lower["determinant"] = recompute.determinant(recompute.jacobian_minor(where, lower["rows"], lower["columns"]))
    upper["determinant"] = recompute.determinant(
        recompute.tangent_minor(where, families, upper["rows"], upper["columns"])
    )
    assert lower["determinant"]
    assert upper["determinant"]
    assert algatt.verify(DimensionCertificate(claims, "")).reasons == ("the seed -1 is negative",)
