"""Exponents that depend on each other are tied by relations that are proved."""

from __future__ import annotations

from typing import Any

import pytest

from algatt.certificates.verifier.elementary import Refuted
from algatt.certificates.verifier.limits import Refused
from elementary_conditions import (
    FOUR,
    reasons,
)
from elementary_networks import claims_of, condition_of

SYMMETRIC = ("input  : 2 x 2", "tensor A  : 2 x 2", "product %1 %0  : 2 x 2", "transpose %2  : 2 x 2",
             "product %3 %2  : 2 x 2", "exp %4  : 2 x 2")  # fmt: skip
TIES = {"free": [[4, 0], [4, 1], [4, 3]], "tied": [[4, 2, 1, "1"]]}


def tied(ties: dict[str, Any], places: list[list[int]] = FOUR[:4]) -> list[str]:
    return reasons(SYMMETRIC, claims_of([[5, 4, 1, "1"]], [condition_of(places)], ties=ties))


def test_symmetric_scores_are_tied() -> None:
    assert tied(TIES) == []
    assert tied({"free": [[4, 3], [4, 2], [4, 0]], "tied": [[4, 1, 1, "1"]]}) == []
    assert tied({"free": [], "tied": []}, FOUR) == ["4 exponents of an input are not seen to be independent"]
    assert "differences of 3" in tied(TIES, FOUR)[0]


@pytest.mark.parametrize(
    "row",
    [[4, 2, 0, "1"], [4, 2, 1, "2"], [4, 2, 1, "-1"], [4, 2], [4, 2, 1, "1", 0, "1"], [4, 2, 1, "1", 2, "1/7"]],
    ids=str,
)
def test_false_relations_are_not_proved(row: list[Any]) -> None:
    with pytest.raises(Refuted, match="not proved"):
        tied({**TIES, "tied": [row]})


@pytest.mark.parametrize(
    "ties",
    [
        {"free": TIES["free"], "tied": [[4, 2, 1, "1"], [4, 2, 1, "1"]]},
        {"free": TIES["free"], "tied": [[4, 1, 1, "1"]]},
        {"free": TIES["free"][:2], "tied": [[4, 2, 1, "1"]]},
        {"free": [[4, 0], [4, 1], [4, 1], [4, 3]], "tied": [[4, 2, 1, "1"]]},
        {"free": TIES["free"], "tied": [[4, 2, 1, "1", 1, "1"]]},
        {"free": TIES["free"], "tied": [[4, 2, 1, "1", 0, "0"]]},
        {"free": TIES["free"], "tied": [[4, 2, 1]]},
        {"free": TIES["free"], "tied": [[4, 2, 3, "1"]]},
        {"free": TIES["free"], "tied": []},
        {"free": [[3, 0], [4, 1], [4, 3]], "tied": [[4, 2, 1, "1"]]},
        {"free": [[4], [4, 1], [4, 3]], "tied": [[4, 2, 1, "1"]]},
    ],
    ids=range(11),
)
def test_each_exponent_is_free_or_tied_once(ties: dict[str, Any]) -> None:
    with pytest.raises((Refused, Refuted)):
        tied(ties)


def test_logarithms_are_looked_at_with_what_is_drawn_for_ties() -> None:
    """Three residues for four exponentials, and four arguments."""
    lines = (*SYMMETRIC, "log %2  : 2 x 2")
    found = reasons(lines, claims_of([[5, 4, 1, "1"]], [condition_of([], _6=FOUR)], ties=TIES))
    assert any("4 differences of the characters of 7 arguments at instruction 6" in text for text in found)


def test_ties_have_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, value in (("MOST_TIED", 3), ("LARGEST_POWER", 0), ("MOST_PRODUCTS", 1)):
        with monkeypatch.context() as patch:
            patch.setattr(f"algatt.certificates.verifier.elementary_claims.{limit}", value)
            with pytest.raises(Refused):
                tied(TIES)
    assert tied(TIES) == []
