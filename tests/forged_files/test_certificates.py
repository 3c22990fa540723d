"""Certificates that may hold anything are refused before they cost memory."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import algatt
from algatt.certificates.make import network as format_of_files
from forged_files import MEGABYTE, memory, refusal


def certificate_text(claims: str) -> str:
    return f'{{"format": "algatt certificate", "version": 4, "claims": {{"rows": {claims}}}}}'


def test_a_certificate_is_refused_by_its_size_before_it_is_read(tmp_path: Path) -> None:
    """A terabyte that is not on the disk."""
    path = tmp_path / "certificate.json"
    path.touch()
    os.truncate(path, 2**40)
    with memory(MEGABYTE):
        message = refusal(path, algatt.verify)
    assert f"which cannot be read (it has {2**40} bytes, at most {2**23} are read)" in message


@pytest.mark.parametrize(
    "part",
    ["[],", "{},", "[[],[[]]],", '{"a":1},', '[{"a":[{}]}],'],
    ids=["lists", "objects", "nested lists", "names", "nested objects"],
)
def test_a_certificate_of_many_lists_is_refused_before_it_is_parsed(part: str, tmp_path: Path) -> None:
    """Eight megabytes, which would become hundreds."""
    path = tmp_path / "certificate.json"
    path.write_text(certificate_text(f"[{part * (8 * 10**6 // len(part))}0]"))
    with memory(40 * MEGABYTE):
        message = refusal(path, algatt.verify)
    assert "lists, names and entries; it should be one with 1000000 at most" in message


@pytest.mark.parametrize("sign", ["[", '{"a":', '[{"a":'])
def test_a_certificate_that_is_nested_too_deep_is_refused(sign: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    for depth in (100, 400, 10**5):
        path.write_text(certificate_text(sign * depth))
        assert "it should be an object of JSON" in refusal(path, algatt.verify)


@pytest.mark.parametrize(("before", "after"), [("[", "]"), ('{"a":', "}")])
def test_json_that_is_nested_too_deep_is_json(before: str, after: str, tmp_path: Path) -> None:
    path = tmp_path / "certificate.json"
    for depth in (21, 400, 5 * 10**4):
        path.write_text(f"{before * depth}0{after * depth}")
        assert refusal(path, algatt.verify)


def test_what_a_certificate_says_is_quoted_in_a_line(tmp_path: Path) -> None:
    """However long it is, and without what steers a terminal."""
    path = tmp_path / "certificate.json"
    made = json.loads(algatt.certify(algatt.Lightning((2, 1), (1,), 2)).to_json())
    for place, entry in [
        (("program", 0), "tensor Q_1\x1b[2J\r\n" * 10**5),
        (("kind",), "proven\x1b[2J"),
        (("families",), {str(number): 1 for number in range(100)}),
        (("families",), "x" * 10**6),
        (("families", 0, "name"), 3),
        (("families", 0, "moves"), {"\x1b]0;" + "x" * 10**6: []}),
        (("tensors",), [1] * 10**5),
        (("tensors",), list(range(10**5))),
        (("point",), "\ud800"),
        (("families", 0), {f"\x1b{number}": number for number in range(100)}),
    ]:
        document = json.loads(json.dumps(made))
        at = document["claims"]
        for key in place[:-1]:
            at = at[key]
        at[place[-1]] = entry
        path.write_text(json.dumps(document))
        try:
            told = "".join(algatt.verify(path).reasons)
        except algatt.errors.CertificateError as error:
            told = str(error)
        assert told.isprintable(), place
        assert 0 < len(told) < 1000, place


def test_honest_certificates_are_far_below_the_limits(tmp_path: Path) -> None:
    """A network of 528 dimensions has a fiftieth of what is read; its lists and names are far fewer than may be."""
    path = tmp_path / "certificate.json"
    algatt.certify(algatt.Lightning((16, 16, 16), (8, 8), 3)).save(path)
    assert algatt.verify(path).ok
    assert path.stat().st_size < 2**23 / 500
    assert sum(path.read_text().count(sign) for sign in "[{:,") < 10**6 / 100


def test_a_certificate_that_would_not_be_read_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(format_of_files, "MOST_BYTES", 500)
    with pytest.raises(algatt.errors.InvalidArgument, match=r"has [0-9]+ bytes; .* at most 500 bytes are read"):
        algatt.certify(algatt.Lightning((2, 1), (1,), 2))
