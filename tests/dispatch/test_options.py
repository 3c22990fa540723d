"""Options of generic functions, which are passed on and choose nothing."""

from __future__ import annotations

from typing import Any

import pytest

from algatt.dispatch import declare, methods
from algatt.errors import MethodError
from animals import combining


def test_options_are_passed_on_and_do_not_choose() -> None:
    combine = combining()

    @combine.method
    def integers(left: int, right: int, *, scale: int = 1) -> int:
        return scale * (left + right)

    assert combine(1, 2) == 3
    assert combine(1, 2, scale=10) == 30
    assert combine(1, 2, scale=0.5) == 1.5
    assert len(methods(combine)) == 1


def test_an_option_that_the_verb_does_not_declare_is_refused() -> None:
    combine = combining()

    def integers(left: int, right: int, *, scale: int = 1, shift: int = 0) -> int:
        return scale * (left + right) + shift

    with pytest.raises(TypeError, match="combine declares no option shift"):
        combine.method(integers)
    assert not methods(combine)


def test_an_option_that_the_method_does_not_take_is_told_so() -> None:
    @declare
    def scale(left: Any, *, factor: int = 1, shift: int = 0) -> Any:
        """Scale."""

    @scale.method
    def integer(left: int, *, factor: int = 1) -> int:
        return factor * left

    @scale.method
    def text(left: str) -> str:
        return left

    assert scale(3, factor=2) == 6
    with pytest.raises(MethodError, match=r"^scale\(int\) takes no option shift; its options: factor$"):
        scale(3, factor=2, shift=1)
    with pytest.raises(
        MethodError, match=r"^scale\(int\) takes no option colour; its options: factor$"
    ):  # nor does the verb declare it
        scale(3, colour=1)
    with pytest.raises(MethodError, match=r"^scale\(str\) takes no option factor, shift; its options: none$"):
        scale("3", factor=2, shift=1)
