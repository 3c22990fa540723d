"""Certificates of normalised networks, modulo a prime and with a real minor: what is made is verified."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.cli.main import main
from claims import RATIONAL, SOFTMAX
from old_certificates import old_certificate

SCORES = [
    algatt.layers.Affine(-2, 3),
    algatt.layers.Affine(1, 0),
    algatt.layers.Power(2),
    algatt.layers.Power(3),
    algatt.layers.Rational((1,), (2, 1)),
    algatt.layers.Rational((0, 0, 1), (0, 1)),
    algatt.layers.Rational((1, 1, 1), (3, 0, 1)),
]

SHAPES = [
    ((3, 2), (2,), 2),
    ((3, 3, 3), (1, 2), 3),
    ((1, 3, 4), (2, 3), 2),
    ((2, 4, 1, 3), (1, 3, 2), 2),
    ((4, 4, 1), (1, 1), 2),
    ((3, 2), (2,), 1),
]


@pytest.mark.parametrize("score", SCORES, ids=str)
@pytest.mark.parametrize(("dims", "ranks", "tokens"), SHAPES)
def test_what_is_made_is_verified(dims: tuple[int, ...], ranks: tuple[int, ...], tokens: int, score: Any) -> None:
    """Modulo the default prime, a small one with many poles, and over the reals."""
    arch = algatt.Normalized(dims, ranks, tokens, score)
    for field in (algatt.PrimeField(), algatt.PrimeField(101), algatt.Balls(64)):
        certificate = old_certificate(arch, seed=3, field=field)
        assert algatt.verify(certificate).reasons == ()
        assert isinstance(certificate.claims["lower_bound"]["determinant"], str) == isinstance(field, algatt.Balls)


@pytest.mark.parametrize("temperature", [1, Fraction(1, 2), 3, 0.1])
@pytest.mark.parametrize(
    ("dims", "ranks", "tokens"), [*SHAPES, ((4, 3, 4), (2, 2), 3), ((3, 3, 3, 3, 3), (2, 2, 2, 2), 3)]
)
def test_softmax_is_verified(dims: tuple[int, ...], ranks: tuple[int, ...], tokens: int, temperature: Any) -> None:
    arch = algatt.Softmax(dims, ranks, tokens, temperature)
    of_reals, certificate = old_certificate(arch, seed=1, field=algatt.Balls()), old_certificate(arch, seed=1)
    for one in (of_reals, certificate):
        assert algatt.verify(one).reasons == ()
        assert one.status == "proven"
    assert certificate.dimension == of_reals.dimension
    assert ("exponentials" in certificate.claims) == (1 not in dims[:-1] or tokens == 1)


def test_a_precision_that_just_suffices_is_verified() -> None:
    """Whatever the precision at first, it is enough for the ten digits that are written in the end."""
    arch = algatt.Normalized((3, 3, 3), (1, 2), 3, algatt.layers.Power(3))
    for bits in range(24, 40):
        certificate = old_certificate(arch, field=algatt.Balls(bits))
        assert algatt.verify(certificate).reasons == ()
        assert certificate.status == "proven"


def test_a_precision_that_never_suffices_is_verified() -> None:
    """At the lowest temperatures values and scores differ so much that the highest precision tells a part of the rank
    only (of 11, by Eq 16).
    """
    for temperature in (Fraction(1, 10**300), Fraction(1, 10**400)):
        certificate = old_certificate(algatt.Softmax((2, 3, 2), (1, 2), 2, temperature), field=algatt.Balls())
        report = algatt.verify(certificate)
        assert report.reasons == ()
        assert certificate.status == "numerical"
        assert report.claim.endswith(f"has dimension at least {certificate.dimension} and at most 11")


def test_lightning_over_the_reals_is_verified() -> None:
    certificate = old_certificate(algatt.Lightning((3, 2, 3), (2, 1), 2), field=algatt.Balls())
    assert algatt.verify(certificate).ok
    assert certificate.dimension == 17


def test_a_larger_network_is_verified() -> None:
    certificate = old_certificate(algatt.Softmax((10, 10, 10), (2, 2), 3))
    report = algatt.verify(certificate)
    assert report.ok
    assert report.claim.endswith("score=Exponential(temperature=1)) has dimension 172")


def test_the_file_says_how_the_point_is_drawn(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    old_certificate(SOFTMAX, field=algatt.Balls()).save(path)
    document = json.loads(path.read_text())
    assert document["version"] == 2
    assert "(2 * floor(w / 2^40) + 1 - 2^24) / 2^23" in document["stream"]
    assert document["claims"]["architecture"]["score"] == {"name": "Exponential", "temperature": "3/2"}
    assert document["claims"]["prime"] == algatt.PrimeField().p
    assert "log2" not in json.loads(old_certificate(RATIONAL).to_json())["stream"]
    assert algatt.verify(path).ok


def test_the_command_line_verifies_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "certificate.json"
    old_certificate(SOFTMAX).save(path)
    assert main(["verify", str(path)]) == 0
    assert "score=Exponential(temperature=3/2)) has dimension 7" in " ".join(capsys.readouterr().out.split())
    path.write_text(path.read_text().replace('"3/2"', '"2/3"'))
    assert main(["verify", str(path)]) == 1


@pytest.mark.parametrize("field", [None, algatt.Balls(100), algatt.Reals()], ids=str)
@pytest.mark.parametrize(
    "arch", [SOFTMAX, RATIONAL, algatt.Normalized((3, 3, 3), (2, 2), 3, algatt.layers.Power(2))], ids=str
)
def test_reports_are_plain_values(arch: Any, field: Any) -> None:
    """Strict JSON, without the numbers that only Python writes, and the same when it is read again."""
    report = algatt.dimension(arch, field=field, seed=2)
    values = report.to_dict()
    assert json.loads(json.dumps(values, allow_nan=False)) == values
    assert values["architecture"]["score"] == arch.score.description()
    assert values["field"] == str(report.field)
    assert (values["lower"], values["upper"]) == (report.lower, report.upper)
    assert (values["lower"] is None) == isinstance(field, algatt.Reals)
