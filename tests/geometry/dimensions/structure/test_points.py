"""Where a dimension is looked at, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import algatt
from algatt.errors import ConditionFailed, InvalidArgument
from algatt.geometry import AutoPoints, Copies, RandomPoints
from algatt.geometry.dimensions import question
from algatt.geometry.dimensions.structure import dimension as module
from algatt.geometry.dimensions.structure.dimension import counts_of, keeps_order

SMALL = algatt.Lightning((16, 16, 16), (8, 8), 3)


def test_small_networks_are_looked_at_at_random_points() -> None:
    assert algatt.dimension(SMALL).pieces is None
    assert algatt.dimension(SMALL, points=AutoPoints()).pieces is None


def test_large_ones_at_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "MANY_PARAMETERS", 0)
    pieces = algatt.dimension(SMALL).to_dict()["pieces"]
    assert [piece["times"] for piece in pieces] == [1, 7 - 1, 7 * 6 // 2]
    assert algatt.dimension(SMALL, points=RandomPoints()).pieces is None


def test_where_copies_fail_random_points_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(question, "MANY_PARAMETERS", 0)
    expected = algatt.expected_dimension(SMALL)

    def failing(*arguments: Any) -> Any:
        raise ConditionFailed("planted")

    monkeypatch.setattr(module, "attempt_by_pieces", failing)
    report = algatt.dimension(SMALL)
    assert (report.value, report.status, report.pieces) == (expected, "proven", None)
    with pytest.raises(ConditionFailed, match="planted"):
        algatt.dimension(SMALL, points=Copies())


def test_where_pieces_do_not_see_all_symmetries_random_points_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a quadratic form, and behind a narrow layer."""
    monkeypatch.setattr(question, "MANY_PARAMETERS", 0)
    for arch in (algatt.Lightning((16, 16, 16), (1, 2), 3), algatt.Lightning((16, 24, 16), (4, 4), 3)):
        report = algatt.dimension(arch)
        assert (report.value, report.status) == (algatt.dimension(arch, points=RandomPoints()).value, "proven")
        assert report.pieces is None


def test_hubs_keep_the_order_of_sizes() -> None:
    """A hub ten queries and eight wide has fewer directions than its part of a network 64 queries and 80 wide."""
    arch = algatt.Lightning((100, 80, 80), (64, 64), 3)
    assert not keeps_order(arch, 9)
    counts = counts_of(arch)
    assert counts
    assert all(keeps_order(arch, count) for count in counts)
    report = algatt.dimension(arch)
    assert (report.value, report.status) == (algatt.expected_dimension(arch), "proven")


@pytest.mark.parametrize(
    ("arch", "options", "message"),
    [
        (algatt.Network(algatt.layers.Heads(1), tokens=2, width=4), {}, "points was Copies"),
        (SMALL, {"field": algatt.Balls()}, "with RR .balls"),
        (SMALL, {"field": algatt.Reals()}, "with RR .float64"),
        (SMALL, {"checkpoint": "never-written"}, "with a checkpoint"),
        (algatt.Softmax((16, 16), (8,), 3), {"field": algatt.PrimeField()}, "with GF"),
        (algatt.Lightning((8, 8), (8,), 3), {}, "no width may be below 16"),
    ],
    ids=["network", "balls", "reals", "checkpoint", "softmax modulo p", "narrow"],
)
def test_what_has_no_copies_is_refused(arch: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        algatt.dimension(arch, points=Copies(), **options)


def test_bad_points_are_refused() -> None:
    with pytest.raises(InvalidArgument, match="of at most 15 copies"):
        algatt.dimension(SMALL, points=Copies(16))
    with pytest.raises(InvalidArgument, match="count was 0"):
        Copies(0)
    points: Any = "copies"
    with pytest.raises(InvalidArgument, match=r"it should be AutoPoints\(\), .*, SideBySide\(\) or Copies\(\)"):
        algatt.dimension(SMALL, points=points)


def test_a_proof_by_pieces_has_a_certificate_and_one_at_points_that_prove_nothing_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    certificate = algatt.certify(algatt.dimension(SMALL, points=Copies(3)))
    assert (certificate.kind, algatt.verify(certificate).ok) == ("pieces", True)
    monkeypatch.setattr(question, "MANY_PARAMETERS", 0)
    assert algatt.verify(algatt.certify(algatt.Lightning((8, 8), (2,), 3))).ok


def test_networks_of_any_size_are_proven_by_their_pieces() -> None:
    """Of 6 * 10^10 parameters, HMK Eq 14."""
    report = algatt.dimension(algatt.Lightning((10**5,) * 3, (10**5, 10**5), 2), points=Copies())
    assert (report.value, report.status) == (report.formula, "proven")
