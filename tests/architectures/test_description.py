"""Descriptions: plain values for JSON, with every field of an architecture or a score."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import Lightning, Normalized, PrimeField, verbs
from algatt.architectures import AttentionNetwork
from algatt.fields import Elements
from algatt.layers import Affine, Exponential, Power, Rational, Score


@dataclass(frozen=True)
class Masked(AttentionNetwork):
    """An architecture with more fields than widths, ranks and tokens."""

    window: int = 1
    mask: Any = None


@dataclass(frozen=True)
class Shifted(Score):
    """A score with fields of its own."""

    shift: int
    steepness: float = 1.0


@verbs.activate.method
def values_of_shifted(score: Shifted, products: Elements) -> Elements:
    return products + score.shift


def masked(**fields: Any) -> Masked:
    return Masked((2, 2), (1,), 2, **fields)


def test_all_fields_are_in_the_description() -> None:
    assert masked(window=3).description() == {
        "name": "Masked",
        "dims": [2, 2],
        "ranks": [1],
        "tokens": 2,
        "window": 3,
        "mask": None,
    }
    assert Shifted(2, 0.5).description() == {"name": "Shifted", "shift": 2, "steepness": 0.5}
    described = Normalized((2, 2), (1,), 2, Shifted(2)).description()
    assert described["score"] == {"name": "Shifted", "shift": 2, "steepness": 1.0}


def test_a_report_tells_architectures_apart_that_differ_in_such_a_field() -> None:
    scores = [Shifted(1), Shifted(2)]
    reports = [algatt.dimension(Normalized((2, 2), (1,), 2, score)).to_dict() for score in scores]
    assert [report["architecture"]["score"]["shift"] for report in reports] == [1, 2]
    assert len({json.dumps(report["architecture"]) for report in reports}) == 2


VALUES = [
    None,
    True,
    2,
    0.5,
    math.inf,
    "relative",
    (1, (2, 3)),
    {"left": 1, "right": [2]},
    frozenset({1, 2}),
    Fraction(1, 3),
    1 + 2j,
    np.int64(7),
    np.float32(0.25),
    np.longdouble(0.75),
    np.bool_(False),
    np.eye(2, dtype=int),
    np.array([math.nan]),
    PrimeField(31).galois([[1, 30]]),
    PrimeField(31),
    PrimeField(37),
    Affine(2, 1),
    Affine(2, 3),
    Lightning((2, 3), (1,), 2),
    Lightning,
    len,
]


def test_what_json_has_not_is_written_in_its_words_and_no_two_are_the_same() -> None:
    described = [json.dumps(masked(mask=value).description(), allow_nan=False) for value in VALUES]
    assert len(set(described)) == len(VALUES)


@pytest.mark.parametrize(
    ("value", "plain"),
    [
        ((1, (2, 3)), [1, [2, 3]]),
        (Fraction(1, 3), "1/3"),
        (np.float32(0.25), 0.25),
        (np.eye(2, dtype=int), [[1, 0], [0, 1]]),
        (PrimeField(31).galois([[1, 30]]), [[1, 30]]),
        (PrimeField(31), {"name": "PrimeField", "p": 31}),
        (Exponential(Fraction(1, 2)), {"name": "Exponential", "temperature": "1/2"}),
        ({3: frozenset({2, 1})}, {"3": [1, 2]}),
        (math.nan, "nan"),
    ],
)
def test_values_as_json_has_them(value: Any, plain: Any) -> None:
    assert masked(mask=value).description()["mask"] == plain


def test_descriptions_that_certificates_have_are_as_before() -> None:
    """The certificate format knows these; see docs/design/certificate.md."""
    expected = [
        (Affine(-2, 3), {"name": "Affine", "a": -2, "b": 3}),
        (Power(3), {"name": "Power", "k": 3}),
        (Rational((1,), (2, 1)), {"name": "Rational", "numerator": [1], "denominator": [2, 1]}),
        (Exponential(2), {"name": "Exponential", "temperature": "2"}),
    ]
    for score, description in expected:
        arch = Normalized((4, 3), (2,), 3, score)
        assert arch.description() == {
            "name": "Normalized",
            "dims": [4, 3],
            "ranks": [2],
            "tokens": 3,
            "score": description,
        }
        assert list(arch.description()) == ["name", "dims", "ranks", "tokens", "score"]
    assert Lightning((4, 3), (2,), 3).description() == {"name": "Lightning", "dims": [4, 3], "ranks": [2], "tokens": 3}
