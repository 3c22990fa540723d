"""Files that hold no certificate are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import algatt
from algatt.certificates.version_1.certificate import STREAM


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("not json", "not JSON"),
        ("[]", "no object of JSON"),
        ("{}", "another format"),
        ('{"format": "algatt dimension certificate"}', "of version None"),
        ('{"format": "algatt dimension certificate", "version": 4}', "of version 4"),
        ('{"format": "algatt dimension certificate", "version": 2}', "no claims"),
        ('{"format": "algatt dimension certificate", "version": true}', "of version True"),
        ('{"format": "algatt dimension certificate", "version": 1.0}', "of version 1.0"),
        ('{"format": "algatt dimension certificate", "version": 1}', "no claims"),
        ('{"format": "algatt dimension certificate", "version": 1, "claims": {}}', "describes another random stream"),
        (
            f'{{"format": "algatt dimension certificate", "version": 1, "claims": {{}}, "stream": '
            f"{json.dumps(STREAM)}}}",
            "claims was",
        ),
    ],
)
def test_what_is_no_certificate(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_text(content)
    with pytest.raises(algatt.errors.CertificateError, match=message):
        algatt.verify(path)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(algatt.errors.CertificateError, match="cannot be read"):
        algatt.verify(tmp_path / "nothing.json")


def test_a_binary_file(tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    path.write_bytes(bytes(range(256)))
    with pytest.raises(algatt.errors.CertificateError, match="not JSON"):
        algatt.verify(path)


def test_a_truncated_certificate(text: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    for length in range(0, len(text) - 2, 97):
        path.write_text(text[:length])
        with pytest.raises(algatt.errors.CertificateError):
            algatt.verify(path)
