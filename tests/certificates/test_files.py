"""What is no certificate, wherever something odd stands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import algatt
from algatt.layers import Feedforward, Heads, LayerNorm, Power, Residual
from changed_documents import INFORMATIONAL, malformed, verdict

NETWORKS = {
    "lightning": algatt.Lightning((2, 2, 2), (1, 1), 2),
    "shifts": algatt.Network(
        Residual(LayerNorm() >> Heads(1)) >> Residual(Feedforward(2, Power(2), bias=True)), tokens=2, width=2
    ),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", NETWORKS)
def test_whatever_stands_there_is_refused(name: str) -> None:
    """Nothing but `Refused` comes out of the verifier; names of families are labels, and of minors there are others."""
    for place, value, document in malformed(algatt.certify(NETWORKS[name]).document):
        free = place[0] in INFORMATIONAL or (place[-1] == "name" and isinstance(value, str))
        free = free or (
            len(place) > 1 and place[1] in ("rows", "columns", "directions", "point") and type(value) is int
        )
        assert verdict(document) or free, (place, value)


def test_a_certificate_is_what_its_file_says(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    certificate = algatt.certify(NETWORKS["lightning"])
    certificate.save(path)
    assert algatt.certificates.Certificate.load(path) == certificate


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"format": "algatt certificate", "format": "algatt certificate"}', "a name stands twice"),
        ('{"format": NaN}', "NaN is no integer"),
        ("[" * 30 + "]" * 30, "should be an object of JSON"),
        ('{"format": "something else"}', "another format"),
        ('{"format": "algatt dimension certificate", "version": 4}', "another format"),
        ('{"format": "algatt certificate", "version": 2}', "another format or version"),
        ("7", "should be an object of JSON"),
    ],
)
def test_what_is_no_certificate(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(text)
    with pytest.raises(algatt.errors.CertificateError, match=told):
        algatt.verify(path)


def test_nothing_stands_beside_the_claims(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    document = algatt.certify(algatt.Lightning((2, 1), (1,), 2)).document
    path.write_text(json.dumps({**document, "note": "trust me"}))
    with pytest.raises(algatt.errors.CertificateError):
        algatt.verify(path)
