"""Scores in certificates: unknown, impossible or absurd ones, and those of other networks, are refuted."""

from __future__ import annotations

from typing import Any

import pytest

from claims import Claims, altered, reasons, refuted

FALSE_TEMPERATURES = [
    *(
        "0",
        "-1",
        "1/0",
        "0/1",
        "-1/2",
        "inf",
        "nan",
        "1.5",
        "1e5",
        "",
        "1/2/3",
        " 1",
        "01",
        "x",
        "\u0663/2",
        "2",
        "3/4",
    ),
    *("1" * 5000, f"1/{'9' * 3000}", f"{'9' * 3000}"),
]

FALSE_QUOTIENTS: list[tuple[Any, Any]] = [
    *[([], [1]), ([1], []), ([0], [1]), ([1], [0]), ([1, 2], [2, 4]), ([1], [1])],
    *[([1, 1], [0, 1]), ([1] * 10**6, [1]), ([10**1000, 1], [1, 3]), ([1.5], [1, 2]), (1, [1, 1])],
]

FALSE_SCORES = [
    *({"name": "Exponential", "temperature": text} for text in FALSE_TEMPERATURES),
    *({"name": "Exponential", "temperature": value} for value in (1, 1.5, None, ["1"])),
    {"name": "Exponential"},
    {"name": "Exponential", "temperature": "3/2", "base": 2},
    *({"name": name} for name in ("Sine", "", "exponential", "Score", "x" * 10**5, "[/x]")),
    *({"name": name} for name in (None, 1, ["Affine"], {"name": "Affine"})),
    *(
        {"name": "Affine", "a": a, "b": b}
        for a, b in [(0, 1), (1, 1), (2**5000, 1), (10**1000, 10**1000), (1.5, 1), ("1", 1), (True, 1)]
    ),
    *({"name": "Power", "k": k} for k in (0, -1, 1, 3, 10**6, 10**6 + 1, 10**30, 10**1000, 1.5, "2")),
    *({"name": "Rational", "numerator": n, "denominator": m} for n, m in FALSE_QUOTIENTS),
    *(None, 1, "Exponential", [], {}),
]


@pytest.mark.parametrize("score", FALSE_SCORES, ids=lambda score: repr(score)[:50])
@pytest.mark.parametrize("which", ["softmax", "rational"])
def test_other_scores(which: str, score: Any, request: pytest.FixtureRequest) -> None:
    """Unknown, impossible or absurd ones, and such whose minors are others."""
    claims = request.getfixturevalue(which)
    assert refuted(altered(claims, ("architecture", "score"), score))


def test_an_exponential_has_no_residues(rational: Claims) -> None:
    score = {"name": "Exponential", "temperature": "1"}
    assert (
        reasons(altered(rational, ("architecture", "score"), score))
        == "the score Exponential has no values modulo a prime"
    )


def test_scores_that_would_take_forever_are_refused_at_once(softmax: Claims) -> None:
    """Claims that agree with each other, of ten thousand tokens."""
    arch = {**softmax["architecture"], "tokens": 10**4}
    claims = {**softmax, "architecture": arch, "inputs": 1}
    assert reasons(claims).endswith("cannot be verified here")
