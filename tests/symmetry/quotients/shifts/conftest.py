"""What the tests of shifts share: the check that a program has those that are expected, and that nothing sees them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from algatt import verbs
from algatt.geometry.dimensions.declared import check_symmetries
from algatt.geometry.dimensions.question import Question
from algatt.symmetry import ShiftSymmetry
from algatt.symmetry.quotients.unseen import UnseenSymmetry
from small_programs import small_program


@pytest.fixture
def has_shifts(values_stay: Callable[..., bool]) -> Callable[..., None]:
    def check(text: Callable[..., Any], tensors: str, expected: Mapping[str, str]) -> None:
        net = small_program(text, tensors)
        shifts = verbs.members(ShiftSymmetry, net)
        alone = [one for one in shifts if not one.shift.several]
        found = {f"{one.shift.tensor} {one.shift.kind}": " ".join(one.tensors[1:]) for one in alone}
        rows = [one for one in verbs.members(UnseenSymmetry, net) if is_row(net, one)]
        found |= {f"{one.unseen.tensor} rows": "" for one in rows}
        assert found == expected
        families = (*shifts, *rows)
        assert all(values_stay(net, family) for family in families)
        if families:
            check_symmetries(Question(net), seed=3)

    return check


def is_row(net: Any, family: UnseenSymmetry) -> bool:
    """Return whether a family is of all entries of a tensor that is one row."""
    return verbs.coordinates(net)[family.unseen.tensor] == (1, family.dimension)
