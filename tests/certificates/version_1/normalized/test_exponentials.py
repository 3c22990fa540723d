"""Certificates in which residues stand for exponentials: what they claim is computed again by code of its own."""

from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.certificates.version_1 import DimensionCertificate, recompute
from old_certificates import old_certificate

ARCH = algatt.Softmax((3, 2, 3), (2, 2), 2, 2)


@pytest.fixture(scope="module")
def claims() -> dict[str, Any]:
    """The claims of a certificate: that of 20 dimensions, by HMK Eq 16."""
    return json.loads(old_certificate(ARCH).to_json())["claims"]


def reasons(claims: dict[str, Any]) -> tuple[str, ...]:
    reasons: tuple[str, ...] = algatt.verify(DimensionCertificate(claims, "")).reasons
    return reasons


def changed(claims: dict[str, Any], **entries: Any) -> dict[str, Any]:
    claims = copy.deepcopy(claims)
    claims["exponentials"] |= entries
    return claims


def test_it_holds(claims: dict[str, Any]) -> None:
    assert reasons(claims) == ()
    assert claims["dimension"] == algatt.dimension(ARCH, field=algatt.Balls()).value == 20
    assert claims["status"] == "proven"


def test_another_name_of_the_residues_is_another_minor(claims: dict[str, Any]) -> None:
    first, second = claims["exponentials"]["lines"]
    for lines in ([first, second + 1], [second, first]):
        assert any("minor of the lower bound" in reason for reason in reasons(changed(claims, lines=lines)))


def test_too_few_inputs_do_not_show_that_exponents_are_independent(claims: dict[str, Any]) -> None:
    inputs = claims["exponentials"]["inputs"]
    assert inputs == 2 * 2**2 + 1  # two layers of 2 x 2 scores: one input more than these
    assert reasons(changed(claims, inputs=inputs - 1)) == (
        "the exponents of 8 inputs have differences of rank 7, not 8",
    )
    assert reasons(changed(claims, inputs=inputs + 1)) == (
        "the exponents of fewer inputs than 10 have differences of rank 8",
    )


@pytest.mark.parametrize(
    ("entries", "reason"),
    [
        ({"lines": []}, "not a different number for each layer"),
        ({"lines": [11, 11]}, "not a different number for each layer"),
        ({"lines": [-1, 22]}, "not a different number for each layer"),
        ({"lines": [1, 2, 3]}, "not a different number for each layer"),
        ({"inputs": 0}, "say nothing"),
        ({"inputs": 10**8}, "cannot be verified here"),
    ],
)
def test_impossible_claims(claims: dict[str, Any], entries: dict[str, Any], reason: str) -> None:
    (found,) = reasons(changed(claims, **entries))
    assert reason in found


def test_small_primes_are_refused(claims: dict[str, Any]) -> None:
    (found,) = reasons({**claims, "prime": 1048573})  # the largest prime below 2^20
    assert "below 2^20" in found


def test_networks_without_exponentials_have_none(claims: dict[str, Any]) -> None:
    affine = json.loads(old_certificate(algatt.Normalized((3, 2, 3), (2, 2), 2, algatt.layers.Affine(1, 1))).to_json())
    lightning = json.loads(old_certificate(algatt.Lightning((3, 2, 3), (2, 2), 2)).to_json())
    for document in (affine, lightning):
        found = reasons({**document["claims"], "exponentials": claims["exponentials"]})
        assert any("exponentials" in reason for reason in found)


def test_exponents_that_depend_on_each_other_are_no_evidence() -> None:
    """Scores of tokens of width one are symmetric, x_j k q x_i: no number of inputs makes their rank full, and a forged
    certificate with the minor of independent residues is refused.
    """
    arch = algatt.Softmax((1, 1), (1,), 2)
    where = recompute.modular_point(recompute.Network([1, 1], [1], 2, recompute.scores.Exponential(1)), 8388587, 0, [8])
    assert [recompute.rank_of_exponents(where, inputs) for inputs in (1, 2, 5, 50)] == [0, 1, 3, 3]
    assert "exponentials" not in old_certificate(arch).claims


def test_the_minor_by_a_second_reader(claims: dict[str, Any]) -> None:
    """By differences modulo p^2: f(theta + p e) = f(theta) + p df(e) there, where an exponential is multiplied by
    1 + p du as its argument moves by p du. Residues are drawn as the file says, numpy is not needed.
    """
    p, seed = claims["prime"], claims["seed"]
    square = p * p
    (d, e, f), a, t = (3, 2, 3), 2, 2

    def stream(label: str, count: int, modulus: int) -> list[int]:
        octets = hashlib.shake_256(f"algatt/1/{seed}/{label}".encode()).digest(8 * (count + 8))
        words = [int.from_bytes(octets[i : i + 8], "little") for i in range(0, len(octets), 8)]
        return [word % modulus for word in words if word < modulus * (2**64 // modulus)][:count]

    sizes = [(a, d), (a, d), (e, d), (a, e), (a, e), (f, e)]
    weights = np.array(stream("weights", sum(rows * columns for rows, columns in sizes), p), dtype=object)

    def value(theta: np.ndarray, number: int, base: list[Any]) -> tuple[np.ndarray, list[Any]]:
        """The value modulo p^2; scores at the unmoved weights are given, and those that are met are returned."""
        ends = np.cumsum([0, *(rows * columns for rows, columns in sizes)])
        parts = [theta[ends[k] : ends[k + 1]].reshape(size) for k, size in enumerate(sizes)]
        X = np.array(stream(f"input/{number}", d * t, p), dtype=object).reshape(d, t)
        met = []
        for layer, line in enumerate(claims["exponentials"]["lines"]):
            Q, K, V = parts[3 * layer : 3 * layer + 3]
            u = (K @ X).T @ (Q @ X) * pow(2, -1, square) % square
            met.append(u)
            drawn = np.array(stream(f"exp/{line}/{number}", t * t, p - 1), dtype=object).reshape(t, t) + 1
            moved = 1 + (u - base[layer]) if base else 1  # 1 + p du
            exponentials = drawn * moved % square
            totals = [pow(int(total), -1, square) for total in exponentials.sum(axis=0) % square]
            X = V @ X @ (exponentials * totals % square) % square
        return X, met

    rows, columns = claims["lower_bound"]["rows"], claims["lower_bound"]["columns"]
    matrix = []
    for row in rows:
        number, output = divmod(row, f * t)
        still, base = value(weights, number, [])
        line = []
        for column in columns:
            step = np.array([p * int(k == column) for k in range(len(weights))], dtype=object)
            moved, _ = value(weights + step, number, base)
            line.append(int((moved - still).ravel()[output]) // p % p)
        matrix.append(line)
    import flint

    assert int(flint.nmod_mat(matrix, p).det()) == claims["lower_bound"]["determinant"]


def test_files_and_what_they_say(tmp_path: Path) -> None:
    path = tmp_path / "softmax.json"
    old_certificate(ARCH).save(path)
    document = json.loads(path.read_text())
    assert document["version"] == 3
    assert "Ax 1971" in document["stream"]
    assert algatt.verify(path).ok
    path.write_text(json.dumps({**document, "version": 2}))
    with pytest.raises(algatt.errors.CertificateError, match="whose claims are those of version 3"):
        algatt.verify(path)
