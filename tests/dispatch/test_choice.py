"""The method that a generic function chooses by the types of its arguments."""

from __future__ import annotations

import pytest

from algatt.errors import MethodError
from animals import Animal, Cat, Dog, Puppy, combining, describing


def test_the_most_specific_method_is_called() -> None:
    describe = describing()

    @describe.method
    def describe_animal(thing: Animal) -> str:
        return "animal"

    @describe.method
    def describe_dog(thing: Dog) -> str:
        return "dog"

    assert [describe(thing) for thing in (Animal(), Cat(), Dog(), Puppy())] == ["animal", "animal", "dog", "dog"]


def test_all_positional_arguments_take_part() -> None:
    combine = combining()

    @combine.method
    def animals(left: Animal, right: Animal) -> str:
        return "animals"

    @combine.method
    def dogs(left: Dog, right: Dog) -> str:
        return "dogs"

    assert combine(Dog(), Cat()) == combine(Cat(), Dog()) == "animals"
    assert combine(Puppy(), Dog()) == "dogs"


def test_a_method_that_is_added_after_a_call_is_seen() -> None:
    describe = describing()

    @describe.method
    def describe_animal(thing: Animal) -> str:
        return "animal"

    assert describe(Puppy()) == "animal"

    @describe.method
    def describe_dog(thing: Dog) -> str:
        return "dog"

    assert describe(Puppy()) == "dog"


def test_verbs_do_not_share_methods() -> None:
    one, other = describing(), describing()

    @one.method
    def describe_animal(thing: Animal) -> str:
        return "animal"

    assert one(Dog()) == "animal"
    with pytest.raises(MethodError):
        other(Dog())


def test_the_decorator_returns_the_function_itself() -> None:
    describe = describing()

    def describe_dog(thing: Dog) -> str:
        return "dog"

    assert describe.method(describe_dog) is describe_dog
