"""What would take too long, and what is no claim, is refused."""

from __future__ import annotations

from typing import Any

import pytest

from algatt.certificates.verifier.elementary import Salted
from algatt.certificates.verifier.limits import Refused
from elementary_conditions import (
    EXP,
    FOUR,
    ONE_EXP,
    reasons,
)
from elementary_networks import claims_of, condition_of, places_of_lines


def test_what_would_take_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    claims = claims_of(ONE_EXP, [condition_of(FOUR[:3])])
    monkeypatch.setattr("algatt.certificates.verifier.conditions.MOST_STEPS", 100)
    with pytest.raises(Refused, match="shown in at most 100 steps"):
        reasons(EXP, claims)
    monkeypatch.undo()
    monkeypatch.setattr("algatt.certificates.verifier.conditions.MOST_ORDER", 1)
    with pytest.raises(Refused, match="about at most 1"):
        reasons(EXP, claims)


def test_weights_are_held_one_after_the_other() -> None:
    rows = [[w, n] for w in range(1, 6) for n in range(2)]
    places = places_of_lines(EXP, claims_of(ONE_EXP, [condition_of(rows)]))
    for w, n in rows:
        places.place(Salted(w, n, ()), 0)
        assert set(places.interpreters) == {0, w}


def test_networks_that_read_tokens_have_no_exponents_for_each_input() -> None:
    with pytest.raises(Refused, match="no variables"):
        places_of_lines(EXP, claims_of(ONE_EXP, [condition_of(FOUR[:3])]), tokens=True)


@pytest.mark.parametrize("kind", ["weights", None, 1])
def test_other_kinds_of_claims_are_refused(kind: Any) -> None:
    with pytest.raises(Refused):
        places_of_lines(EXP, claims_of(ONE_EXP, [condition_of(FOUR[:3])]) | {"kind": kind})
