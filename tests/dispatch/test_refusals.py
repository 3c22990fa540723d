"""Arguments for which there is no method, and methods that a generic function does not take."""

from __future__ import annotations

import pytest

import algatt
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


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), r"^combine takes left, right; left is not given; right is not given$"),
        ((1,), r"^combine takes left, right; right is not given$"),
        ((1, 2, 3), r"no method fits combine\(int, int, int\); candidates: combine\(left: int, right: int\)"),
    ],
)
def test_a_call_of_the_wrong_arity_is_refused(arguments: tuple[int, ...], told: str) -> None:
    combine = combining()

    @combine.method
    def integers(left: int, right: int) -> int:
        return left + right

    with pytest.raises(MethodError, match=told):
        combine(*arguments)


def test_arguments_that_are_not_given_are_described() -> None:
    told = "sample takes arch, coordinates; coordinates is not given: algatt.Weights, algatt.AttentionMatrix or "
    with pytest.raises(MethodError) as caught:
        algatt.sample(algatt.Lightning((2, 2), (1,), 2))
    assert str(caught.value) == told + "algatt.VirtualWeights"


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
