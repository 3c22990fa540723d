"""What the tests of shifts share: the check that a program has those that are expected, and that nothing sees them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from algatt.geometry.dimensions.declared import check_symmetries
from algatt.geometry.dimensions.question import Question
from algatt.symmetry.arrows.members import arrows_of
from small_programs import small_program


@pytest.fixture
def has_shifts(values_stay: Callable[..., bool]) -> Callable[..., None]:
    def check(text: Callable[..., Any], tensors: str, expected: Mapping[str, str]) -> None:
        net = small_program(text, tensors)
        families = arrows_of(net).shifts
        found = {f"{one.shift.tensor} {one.shift.kind}": " ".join(one.tensors[1:]) for one in families}
        assert found == expected
        assert all(values_stay(net, family) for family in families)
        if families:
            check_symmetries(Question(net), seed=3)

    return check
