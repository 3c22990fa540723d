"""Certificates that two weights of a network are two functions."""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import algatt
from algatt.certificates import Certificate
from algatt.fields import Rationals
from algatt.layers import CrossHeads, Embedding, EncoderDecoder, Feedforward, Heads, Linear, Residual, RMSNorm, SiLU
from changed_documents import INFORMATIONAL, malformed, reasons, verdict

LIGHTNING = algatt.Lightning((2, 2), (1,), 2)

BLOCK = algatt.Network(Residual(RMSNorm() >> Heads(1)) >> Feedforward(2, SiLU()), tokens=2, width=2)

TOKENS = algatt.Network(Embedding(3, 2) >> Residual(Heads(1)), tokens=2)

PAIRS = algatt.Network(EncoderDecoder(Linear(2), Embedding(3, 2) >> CrossHeads(1), source=2, width=1), tokens=4)

F = algatt.PrimeField(8388593)


def answer(arch: Any, field: Any) -> Any:
    one, two = (algatt.sample(arch, algatt.Weights, field=field, seed=seed) for seed in (0, 1))
    return algatt.same_function(arch, one, two)


CASES = {
    "residues": (LIGHTNING, F),
    "reals": (LIGHTNING, algatt.Reals()),
    "rationals": (LIGHTNING, Rationals()),
    "block": (BLOCK, algatt.Reals()),
    "tokens": (TOKENS, algatt.Reals()),
    "pairs": (PAIRS, algatt.Reals()),
    "softmax": (algatt.Softmax((2, 2), (1,), 2), algatt.Reals()),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_made_is_verified(name: str, tmp_path: Any) -> None:
    certificate = algatt.certify(answer(*CASES[name]))
    assert certificate.kind == "inequality"
    certificate.save(tmp_path / "different.json")
    report = algatt.verify(tmp_path / "different.json")
    assert report.ok
    assert ("over the reals" in report.claim) == (CASES[name][1] != F)


def claims_by_hand(first: list[Any], second: list[Any], x: Any, **more: Any) -> dict[str, Any]:
    """Claims about the program v * (k * x) * (q * x), which is a cubic monomial in one variable."""
    lines = [
        "tensor q  : 1 x 1",
        "tensor k  : 1 x 1",
        "tensor v  : 1 x 1",
        "input  : 1 x 1",
        "product %0 %3  : 1 x 1",
        "product %1 %3  : 1 x 1",
        "multiply %4 %5  : 1 x 1",
        "product %2 %6  : 1 x 1",
    ]
    return {
        "kind": "inequality",
        "program": lines,
        "tensors": [[name, 1, 1] for name in "qkv"],
        "reads": "vectors",
        "first": first,
        "second": second,
        "input": [x],
        "entry": [0, 0],
        **more,
    }


def told(claims: dict[str, Any]) -> str:
    return reasons(Certificate(claims, "test"))


def test_values_by_hand() -> None:
    """2 * 3 * 5 * 7^2 = 1470, which is 15 modulo 97, and 2 * 3 * 6 * 49 = 1764, which is 18."""
    assert told(claims_by_hand([2, 3, 5], [2, 3, 6], 7, prime=97)) == ""
    assert told(claims_by_hand([2, 3, 5], [2, 3, 102], 7, prime=97)) == "the values are the same"
    halves = claims_by_hand(["1/2", 3, 5], ["1/2", 3, "5000000000000000001/1000000000000000000"], 7)
    assert told(halves) == ""


def test_one_function_is_not_two() -> None:
    """q -> 2 q, k -> k / 2 is a symmetry; modulo 97 as q -> 2 q, k -> 49 k."""
    assert told(claims_by_hand([2, 3, 5], [4, 3 * 49 % 97, 5], 7, prime=97)) == "the values are the same"
    assert "not told apart" in told(claims_by_hand([2, 3, 5], [4, "3/2", 5], 7))
    assert "not told apart" in told(claims_by_hand([2, 3, 5], [2, 3, 6], 0))
    assert told(claims_by_hand([2, 3, 5], [2, 3, 6], 0, prime=97)) == "the values are the same"
    with pytest.raises(algatt.errors.CertificateError, match="a prime below"):
        told(claims_by_hand([2, 3, 5], [2, 3, 6], 7, prime=91))


def test_no_value_is_no_evidence() -> None:
    """1 / 0, also modulo a prime, and the logarithm of a negative number."""
    lines = ["tensor q  : 1 x 1", "input  : 1 x 1", "product %0 %1  : 1 x 1", "reciprocal %2  : 1 x 1"]
    claims = {"kind": "inequality", "program": lines, "tensors": [["q", 1, 1]], "reads": "vectors"}
    claims |= {"first": [1], "second": [0], "input": [1], "entry": [0, 0]}
    assert "something is divided by zero" in told(claims)
    assert "something is divided by zero" in told({**claims, "prime": 97})
    claims["program"] = [*lines[:3], "log %2  : 1 x 1"]
    with pytest.raises(algatt.errors.CertificateError, match="ring operations"):
        told({**claims, "prime": 97})
    assert "log of a number that is not positive" in told({**claims, "first": [2], "second": [-2]})


def test_floats_are_certified_as_what_they_are() -> None:
    """0.1 is a dyadic rational, and the next float another."""
    one = algatt.Weights.of([(np.array([[0.1, 1.0]]), np.array([[1.0, 0.5]]), np.array([[1.0, 2.0], [3.0, 4.0]]))])
    two = one.replace([element.__class__(element.field, element.raw * (1 + 2.0**-10)) for element in one.elements])
    certificate = algatt.certify(algatt.same_function(LIGHTNING, one, two))
    assert certificate.claims["first"][0] == str(Fraction(0.1)) != "1/10"
    assert algatt.verify(certificate).ok


@pytest.mark.parametrize(("name", "value"), [("entry", [2, 0]), ("entry", [0]), ("first", []), ("input", [0])])
def test_malformed_claims_are_refused(name: str, value: Any) -> None:
    claims = copy.deepcopy(algatt.certify(answer(LIGHTNING, F)).claims)
    with pytest.raises(algatt.errors.CertificateError, match=rf"claims\.{name}"):
        algatt.verify(Certificate({**claims, name: value}, "test"))


def test_answers_without_a_separating_input_are_refused() -> None:
    theta = algatt.sample(LIGHTNING, algatt.Weights, field=F, seed=0)
    with pytest.raises(algatt.errors.InvalidArgument, match="without an input at which values differ"):
        algatt.certify(algatt.same_function(LIGHTNING, theta, theta))
    one, two = (algatt.sample(LIGHTNING, algatt.AttentionMatrix, field=F, seed=seed) for seed in (0, 1))
    with pytest.raises(algatt.errors.InvalidArgument, match="AttentionMatrix; it should be about Weights"):
        algatt.certify(algatt.same_function(LIGHTNING, one, two))


def test_whatever_stands_there_is_refused() -> None:
    """In one line, whatever it is: nothing but `Refused` comes out of the verifier; other numbers are other points."""
    for place, value, document in malformed(algatt.certify(answer(*CASES["reals"])).document):
        free = place[0] in INFORMATIONAL or (
            len(place) > 2 and place[1] in ("first", "second", "input", "entry") and type(value) is int
        )
        assert verdict(document) or free, (place, value)
