"""Networks, scores, fields and reports of which no certificate is made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

import algatt
from claims import SOFTMAX


def test_what_cannot_be_verified_is_not_made() -> None:
    with pytest.raises(
        algatt.errors.InvalidArgument, match=r"no certificate can be made of \(a minor enclosed with 5000 bits"
    ):
        algatt.certify(SOFTMAX, field=algatt.Balls(5000))
    with pytest.raises(algatt.errors.InvalidArgument, match=r"no certificate can be made of \(there is no score Power"):
        algatt.certify(algatt.Normalized((2, 2), (2,), 2, algatt.layers.Power(10**6 + 1)))


@dataclass(frozen=True)
class Shifted(algatt.layers.Affine):
    """A score of one's own that calls itself by the name of another."""

    def description(self) -> dict[str, Any]:
        return {"name": "Affine", "a": self.a, "b": self.b}


@dataclass(frozen=True)
class Mine(algatt.architectures.AttentionNetwork):
    """An architecture of one's own."""


def test_scores_and_architectures_of_ones_own_have_no_certificates() -> None:
    with pytest.raises(
        algatt.errors.MethodError, match="for the scores Affine, Exponential, Power, Rational, not for Shifted"
    ):
        algatt.certify(algatt.Normalized((3, 2), (2,), 2, Shifted(2, 1)))
    with pytest.raises(algatt.errors.MethodError, match="not for Shifted"):
        algatt.certify(algatt.dimension(algatt.Normalized((3, 2), (2,), 2, Shifted(2, 1))))
    with pytest.raises(
        algatt.errors.MethodError, match="there are certificates for Lightning and Normalized, not for Mine"
    ):
        algatt.certify(Mine((3, 2), (2,), 2))


def test_a_numerical_report_has_no_certificate() -> None:
    with pytest.raises(
        algatt.errors.InvalidArgument, match="report was numerical; it should be a report over a PrimeField or Balls"
    ):
        algatt.certify(algatt.dimension(SOFTMAX, field=algatt.Reals()))
