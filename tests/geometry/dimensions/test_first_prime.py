"""Which prime is taken first, and what follows it."""

from __future__ import annotations

import sys
from itertools import islice

import pytest

import algatt
from algatt import PrimeField
from algatt.geometry.dimensions import question
from algatt.geometry.dimensions.dimension import attempts, bounds, first_prime
from algatt.geometry.dimensions.question import Options, Question

dimensions = sys.modules[bounds.__module__]

LARGE = (48, 48, 48), (24, 24), 4
"""Of 9216 parameters."""


@pytest.mark.parametrize(
    ("arch", "p"),
    [
        (algatt.Lightning(*LARGE), 503),
        (algatt.Lightning((32, 32, 32), (16, 16), 4), 8388593),  # small
        (algatt.Normalized(*LARGE, algatt.layers.Affine(1, 1)), 8388593),  # it divides
    ],
    ids=str,
)
def test_large_polynomials_begin_with_a_small_prime(arch: algatt.architectures.Architecture, p: int) -> None:
    assert first_prime(Question(arch)) == PrimeField(p)


def test_the_default_prime_follows_the_small_one() -> None:
    arch = algatt.Lightning((3, 3), (2,), 3)
    asked = Question(arch, Options(seed=4))
    tried = [(one.field.p, one.seed) for one in islice(attempts(asked, PrimeField(503)), 3)]
    assert tried == [(503, 4), (8388593, 5), (2147483647, 6)]
    assert [one.field.p for one in islice(attempts(asked, PrimeField(31)), 2)] == [
        31,
        2147483647,
    ]


def test_a_proof_modulo_503_is_that_of_the_theorem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "MANY_PARAMETERS", 0)
    report = algatt.dimension(algatt.Lightning((8, 8, 8), (4, 4), 3))
    assert (report.value, report.status, report.field) == (158, "proven", PrimeField(503))
