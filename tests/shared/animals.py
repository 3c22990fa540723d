"""Throw-away verbs, and classes below each other for their methods."""

from __future__ import annotations

from typing import Any

from algatt.dispatch import Verb, declare


class Animal:
    pass


class Dog(Animal):
    pass


class Puppy(Dog):
    pass


class Cat(Animal):
    pass


def combining() -> Verb[Any]:
    @declare
    def combine(left: Any, right: Any, *, scale: int = 1) -> Any:
        """Combine two values."""

    return combine


def describing() -> Verb[Any]:
    @declare
    def describe(thing: Any) -> Any:
        """Describe a value."""

    return describe
