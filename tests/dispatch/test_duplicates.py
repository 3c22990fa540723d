"""Two methods for the same arguments, and methods among which none is the most specific."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from algatt.dispatch import Verb, check, methods
from algatt.errors import AmbiguousMethodError, DuplicateMethodError
from animals import Animal, Cat, Dog, Puppy, combining, describing


def test_a_duplicate_signature_raises_and_the_first_method_stays() -> None:
    combine = combining()

    @combine.method
    def first(left: int, right: str) -> str:
        return "first"

    def second(left: int, right: str) -> str:
        return "second"

    with pytest.raises(DuplicateMethodError) as caught:
        combine.method(second)
    assert (
        str(caught.value)
        == f"combine(left: int, right: str) is already defined at {__file__}:{inspect.getsourcelines(first)[1]}"
    )
    assert combine(1, "a") == "first"
    assert len(methods(combine)) == 1


def test_a_union_that_overlaps_a_signature_is_a_duplicate() -> None:
    describe = describing()

    @describe.method
    def describe_integer(thing: int) -> str:
        return "integer"

    def describe_number(thing: float | int) -> str:
        return "number"

    with pytest.raises(DuplicateMethodError, match=r"describe\(thing: int\) is already defined"):
        describe.method(describe_number)
    assert describe(1) == "integer"


def test_a_refused_union_leaves_nothing_behind() -> None:
    describe = describing()

    @describe.method
    def describe_integer(thing: int) -> str:
        return "integer"

    def describe_number(thing: float | int) -> str:
        return "number"

    with pytest.raises(DuplicateMethodError):
        describe.method(describe_number)
    assert len(methods(describe)) == 1


def ambiguous_verb() -> Verb[Any]:
    combine = combining()

    @combine.method
    def dog_first(left: Dog, right: Animal) -> str:
        return "dog first"

    @combine.method
    def dog_second(left: Animal, right: Dog) -> str:
        return "dog second"

    return combine


def test_an_ambiguity_raises_in_the_call_that_meets_it() -> None:
    combine = ambiguous_verb()
    assert combine(Dog(), Cat()) == "dog first"
    assert combine(Cat(), Dog()) == "dog second"
    with pytest.raises(AmbiguousMethodError) as caught:
        combine(Puppy(), Dog())
    assert "combine(Puppy, Dog) is ambiguous between" in str(caught.value)
    for method in methods(combine):
        assert f"{method} at {method.location}" in str(caught.value)


def test_an_ambiguity_raises_in_check_before_any_call() -> None:
    check()
    combine = ambiguous_verb()
    with pytest.raises(AmbiguousMethodError) as caught:
        check()
    for method in methods(combine):
        assert f"{method} at {method.location}" in str(caught.value)
    assert "define the method for both" in str(caught.value)


def test_the_method_for_both_resolves_the_ambiguity() -> None:
    combine = ambiguous_verb()

    @combine.method
    def dogs(left: Dog, right: Dog) -> str:
        return "dogs"

    check()
    assert combine(Puppy(), Dog()) == "dogs"


def test_check_sees_an_ambiguity_that_a_more_specific_method_covers_in_part() -> None:
    combine = ambiguous_verb()

    @combine.method
    def puppies(left: Puppy, right: Puppy) -> str:
        return "puppies"

    with pytest.raises(AmbiguousMethodError):
        combine(Dog(), Dog())
    with pytest.raises(AmbiguousMethodError):
        check()


def test_a_class_below_two_unrelated_signatures_is_ambiguous_in_the_call() -> None:
    class Robot:
        pass

    class RobotDog(Robot, Dog):
        pass

    describe = describing()

    @describe.method
    def describe_dog(thing: Dog) -> str:
        return "dog"

    @describe.method
    def describe_robot(thing: Robot) -> str:
        return "robot"

    with pytest.raises(AmbiguousMethodError, match=r"describe\(RobotDog\) is ambiguous"):
        describe(RobotDog())
