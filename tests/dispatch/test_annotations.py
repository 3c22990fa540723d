"""What annotations of methods stand for; those in this file are postponed, and most classes are local."""

from __future__ import annotations

import inspect
from typing import Any, Literal, TypeVar

import pytest

from algatt.dispatch import methods
from algatt.errors import MethodError
from animals import Animal, Cat, Dog, Puppy, combining, describing


def test_postponed_annotations_may_name_local_classes() -> None:
    class Local:
        pass

    describe = describing()

    @describe.method
    def describe_local(thing: Local) -> str:
        return "local"

    assert isinstance(inspect.signature(describe_local).parameters["thing"].annotation, str)
    assert describe(Local()) == "local"


Pet = TypeVar("Pet", bound=Dog)

Either = TypeVar("Either", Dog, Cat)

Thing = TypeVar("Thing")


def test_type_variables_stand_for_what_bounds_them() -> None:
    combine = combining()

    @combine.method
    def bounded(left: Pet, right: type[Pet]) -> Pet:
        return left

    @combine.method
    def constrained(left: type[Either], right: Either) -> Either:
        return right

    @combine.method
    def anything(left: Thing, right: str) -> Thing:
        return left

    puppy = Puppy()
    assert combine(puppy, Dog) is combine(Puppy, puppy) is combine(puppy, "") is puppy
    assert isinstance(combine(Cat, Cat()), Cat)
    for refused in ((Cat(), Dog), (Dog(), Cat), (Animal, Dog()), (Dog, Animal())):
        with pytest.raises(MethodError):
            combine(*refused)


def test_unions_stand_for_each_of_their_members() -> None:
    describe = describing()

    @describe.method
    def describe_number(thing: int | float | complex) -> str:
        return "number"

    @describe.method
    def describe_text(thing: str | None) -> str:
        return "text or nothing"

    assert [describe(thing) for thing in (1, 1.0, 1j)] == ["number"] * 3
    assert [describe(thing) for thing in ("a", None)] == ["text or nothing"] * 2
    assert len(methods(describe)) == 5


def test_none_any_and_no_annotation() -> None:
    combine = combining()

    def nothing(left: None, right: Any) -> str:
        return "nothing"

    def anything(left, right: Any):  # type: ignore[no-untyped-def]
        return "anything"

    combine.method(nothing)
    combine.method(anything)
    assert combine(None, 1) == "nothing"
    assert combine(1, None) == "anything"


def test_a_parametrized_class_stands_for_the_class() -> None:
    describe = describing()

    @describe.method
    def describe_tuple(thing: tuple[int, ...]) -> str:
        return "tuple"

    assert describe(()) == "tuple"


def test_an_annotation_that_is_no_class_is_refused() -> None:
    describe = describing()

    def describe_one(thing: Literal[1]) -> str:
        return "one"

    with pytest.raises(TypeError, match=r"cannot dispatch on the annotation .*Literal.*; annotate with a class"):
        describe.method(describe_one)


def test_classes_as_arguments_are_covariant() -> None:
    describe = describing()

    @describe.method
    def describe_kind(thing: type[Animal]) -> str:
        return "a kind of animal"

    @describe.method
    def describe_kind_of_dog(thing: type[Dog]) -> str:
        return "a kind of dog"

    assert [describe(kind) for kind in (Animal, Cat, Dog, Puppy)] == ["a kind of animal"] * 2 + ["a kind of dog"] * 2
    with pytest.raises(MethodError, match=r"no method fits describe\(type\[int\]\)"):
        describe(int)
    with pytest.raises(MethodError, match=r"no method fits describe\(Dog\)"):
        describe(Dog())


def test_any_class_is_below_type_and_below_object() -> None:
    describe = describing()

    @describe.method
    def describe_object(thing: object) -> str:
        return "object"

    assert describe(int) == describe(1) == "object"

    @describe.method
    def describe_class(thing: type) -> str:
        return "class"

    assert describe(int) == describe(Animal) == "class"
    assert describe(1) == "object"
