"""Nothing in a certificate is free but the name of the program that made it: every leaf of every kind of file, changed
in several ways.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt import verbs
from forged_files import write_anew
from old_certificates import old_certificate

KINDS = {
    "lightning": (algatt.Lightning((3, 2, 3), (2, 1), 2), None),
    "lightning with every family": (algatt.Lightning((2, 4, 1, 3), (1, 3, 2), 2), None),
    "lightning over another prime": (algatt.Lightning((3, 2), (2,), 2), algatt.PrimeField(2305843009213693951)),
    "probable": (algatt.Lightning((2, 2, 2), (1, 2), 2), None),
    "lightning over the reals": (algatt.Lightning((2, 2), (2,), 2), algatt.Balls()),
    "softmax": (algatt.Softmax((2, 2), (1,), 2, Fraction(3, 2)), None),
    "softmax of two layers": (algatt.Softmax((2, 2, 1), (1, 2), 2), None),
    "softmax over the reals": (algatt.Softmax((2, 2), (1,), 2, Fraction(3, 2)), algatt.Balls()),
    "affine": (algatt.Normalized((2, 3, 2), (2, 1), 2, algatt.layers.Affine(2, 3)), None),
    "power": (algatt.Normalized((3, 2), (2,), 3, algatt.layers.Power(2)), None),
    "rational": (algatt.Normalized((2, 2), (2,), 3, algatt.layers.Rational((1, 3), (2, 1))), None),
    "rational over the reals": (
        algatt.Normalized((2, 2), (1,), 2, algatt.layers.Rational((1, 3), (2, 1))),
        algatt.Balls(64),
    ),
    "numerical": (algatt.Softmax((2, 3, 2), (1, 2), 2, Fraction(1, 10**400)), algatt.Balls()),
}


@pytest.fixture(scope="module", params=KINDS)
def document(request: pytest.FixtureRequest) -> dict[str, Any]:
    """A certificate of every kind, as it is in its file."""
    arch, field = KINDS[request.param]
    symmetries = verbs.symmetries
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "probable":  # a world in which nobody knows the symmetries behind a layer of rank one
            patch.setattr(
                verbs,
                "symmetries",
                lambda arch: tuple(family for family in symmetries(arch) if family.name != "parallel tokens"),
            )
        certificate = old_certificate(arch, field=field)
    assert certificate.status == (request.param if request.param in ("probable", "numerical") else "proven")
    return json.loads(certificate.to_json())


def verified(document: Any, folder: Path) -> bool:
    """Whether a file is a certificate, and holds."""
    path = folder / "certificate.json"
    write_anew(path, json.dumps(document).encode())
    try:
        return bool(algatt.verify(path))
    except algatt.errors.CertificateError:
        return False


def leaves(value: Any, prefix: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all leaves of nested lists and dicts."""
    if isinstance(value, dict | list) and value:
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(entry, (*prefix, key))
    else:
        yield prefix


def at(document: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        document = document[key]
    return document


def changed(document: Any, place: tuple[Any, ...], entry: Any) -> Any:
    document = copy.deepcopy(document)
    at(document, place[:-1])[place[-1]] = entry
    return document


def others(leaf: Any) -> Iterator[Any]:
    """Other leaves: near ones and far ones of the same type, and some of another."""
    if isinstance(leaf, int):
        yield from (leaf + 1, leaf - 1, -leaf - 1, 2 * leaf + 7, leaf + 2**61 - 1, float(leaf), str(leaf), [leaf])
    elif isinstance(leaf, str):
        yield from (f"{leaf} ", f"{leaf}0", leaf[1:], leaf.upper(), leaf.lower(), "", leaf + leaf, 1, [leaf])
        if any(digit in leaf for digit in "0123456789"):
            last = max(leaf.rfind(digit) for digit in "0123456789")
            yield from (leaf[:last] + str((int(leaf[last]) + step) % 10) + leaf[last + 1 :] for step in (1, 5, 9))
    yield from (None, True, {}, "another", 10**30)


def test_every_leaf(document: dict[str, Any], tmp_path: Path) -> None:
    """A temperature of 10^-400 that is changed by a part of 10^-400 leaves the digits as they are: what is verified
    then is what is made for it.
    """
    assert verified(document, tmp_path)
    count = 0
    for place in leaves(document):
        if place != ("made_with",):
            leaf = at(document, place)
            for other in (other for other in others(leaf) if json.dumps(other) != json.dumps(leaf)):
                altered = changed(document, place, other)
                assert not verified(altered, tmp_path) or (
                    place[-1] == "temperature" and made_anew(altered) == altered
                ), (place, other)
                count += 1
    assert count > 200


def made_anew(document: dict[str, Any]) -> dict[str, Any]:
    """The certificate over the reals of the softmax network that another one names."""
    arch = document["claims"]["architecture"]
    return json.loads(
        old_certificate(
            algatt.Softmax(arch["dims"], arch["ranks"], arch["tokens"], Fraction(arch["score"]["temperature"])),
            field=algatt.Balls(),
        ).to_json()
    )


def test_only_the_name_of_the_program_is_free(document: dict[str, Any], tmp_path: Path) -> None:
    for other in ("", "another program", "algatt 99"):
        assert verified(changed(document, ("made_with",), other), tmp_path)
    assert not verified({**document, "comment": "another"}, tmp_path)
    for key in set(document) - {"made_with"}:
        assert not verified({name: entry for name, entry in document.items() if name != key}, tmp_path), key


def test_every_entry_left_out_and_every_list_longer(document: dict[str, Any], tmp_path: Path) -> None:
    """But a family of symmetries that gives no row to the minor: without it, the minor is the same."""
    symmetries = document["claims"]["upper_bound"]["symmetries"]
    for place in leaves(document["claims"]):
        for depth in range(1, len(place) + 1):
            shorter = copy.deepcopy(document["claims"])
            del at(shorter, place[: depth - 1])[place[depth - 1]]
            silent = place[:2] == ("upper_bound", "symmetries") and depth == 3 and not symmetries[place[2]]["removes"]
            assert silent or not verified({**document, "claims": shorter}, tmp_path), place[:depth]
            entries = at(document["claims"], place[:depth])
            if isinstance(entries, list):
                assert not verified(
                    {**document, "claims": changed(document["claims"], place[:depth], [*entries, entries[0]])}, tmp_path
                ), place[:depth]


def test_a_name_that_stands_twice_is_refused(document: dict[str, Any], tmp_path: Path) -> None:
    """Other readers of JSON take the first of two values, and would read another claim."""
    path = tmp_path / "certificate.json"
    text = json.dumps(document)
    for name, value in (("dimension", 99), ("claims", {}), ("stream", ""), ("value", 99)):
        path.write_text(text.replace(f'"{name}": ', f'"{name}": {json.dumps(value)}, "{name}": ', 1))
        with pytest.raises(algatt.errors.CertificateError, match="a name stands twice in one object"):
            algatt.verify(path)


def test_a_score_that_is_multiplied_by_a_number_is_another_true_certificate(tmp_path: Path) -> None:
    """Normalised weights do not change: the file with 2 x + 2 in place of x + 1 is the certificate that is
    made for it.
    """
    one, two = (old_certificate(algatt.Normalized((3, 2), (2,), 2, algatt.layers.Affine(a, a))) for a in (1, 2))
    score = {"name": "Affine", "a": 2, "b": 2}
    document = changed(json.loads(one.to_json()), ("claims", "architecture", "score"), score)
    assert document == json.loads(two.to_json())
    assert verified(document, tmp_path)


def test_a_real_minor_of_the_first_version_is_refused(tmp_path: Path) -> None:
    """It had a precision, which nothing depended on."""
    path = tmp_path / "certificate.json"
    document = json.loads(old_certificate(algatt.Softmax((2, 2), (1,), 2), field=algatt.Balls()).to_json())
    assert document["version"] == 2
    path.write_text(json.dumps({**document, "version": 1}))
    with pytest.raises(algatt.errors.CertificateError, match="of version 1, whose claims are those of version 2"):
        algatt.verify(path)
    document["claims"]["lower_bound"] |= {"bits": 128, "determinant": "[0.25 +/- 0.01]"}
    path.write_text(json.dumps({**document, "version": 1}))
    with pytest.raises(algatt.errors.CertificateError):
        algatt.verify(path)
