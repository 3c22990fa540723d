"""Arguments for which there is no method, and methods that a generic function does not take."""

from __future__ import annotations

import pytest

from algatt import AlgattError
from algatt.dispatch import methods
from algatt.errors import MethodError
from animals import Cat, Dog, combining, describing


def test_no_match_is_a_type_error_that_names_the_candidates() -> None:
    describe = describing()
    with pytest.raises(TypeError, match="candidates: none"):
        describe(1)

    @describe.method
    def describe_dog(thing: Dog) -> str:
        return "dog"

    @describe.method
    def describe_kind(thing: type[Cat]) -> str:
        return "kind"

    with pytest.raises(MethodError) as caught:
        describe(Cat())
    assert isinstance(caught.value, TypeError)
    assert isinstance(caught.value, AlgattError)
    assert str(caught.value).startswith("no method fits describe(Cat); candidates: ")
    assert "describe(thing: Dog)" in str(caught.value)
    assert "describe(thing: type[Cat])" in str(caught.value)


@pytest.mark.parametrize("arguments", [(), (1,), (1, 2, 3)])
def test_a_call_of_the_wrong_arity_is_refused(arguments: tuple[int, ...]) -> None:
    combine = combining()

    @combine.method
    def integers(left: int, right: int) -> int:
        return left + right

    listed = ", ".join(["int"] * len(arguments))
    with pytest.raises(
        MethodError, match=rf"no method fits combine\({listed}\); candidates: combine\(left: int, right: int\)"
    ):
        combine(*arguments)


def test_a_method_of_the_wrong_arity_is_refused() -> None:
    combine = combining()

    def three(left: int, middle: int, right: int) -> int:
        return left + middle + right

    with pytest.raises(TypeError, match="a method of combine takes 2 positional arguments, not 3"):
        combine.method(three)
    assert not methods(combine)


def test_a_positional_argument_by_keyword_is_told_so() -> None:
    combine = combining()

    @combine.method
    def integers(left: int, right: int) -> int:
        return left + right

    with pytest.raises(MethodError, match="combine takes right by position"):
        combine(1, right=2)
    with pytest.raises(MethodError, match="combine takes left, right by position"):
        combine(left=1, right=2)
