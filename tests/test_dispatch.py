"""Generic functions on throw-away verbs; the annotations in this file are postponed, and most classes are local."""

from __future__ import annotations

import importlib
import inspect
import pickle
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeVar

import pytest

import algatt
from algatt import AlgattError
from algatt.dispatch import Verb, check, declare, methods, verbs
from algatt.errors import AmbiguousMethodError, DuplicateMethodError, MethodError


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    """Remove the throw-away verbs again: the registry belongs to the process."""
    before = list(verbs())
    yield
    Verb.registry[:] = before


class Animal:
    pass


class Dog(Animal):
    pass


class Puppy(Dog):
    pass


class Cat(Animal):
    pass


def combining() -> Verb[..., Any]:
    @declare
    def combine(left: Any, right: Any, *, scale: int = 1) -> Any:
        """Combine two values."""

    return combine


def describing() -> Verb[..., Any]:
    @declare
    def describe(thing: Any) -> Any:
        """Describe a value."""

    return describe


# ----- the choice of a method


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


# ----- annotations


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


# ----- options


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


# ----- errors


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


def ambiguous_verb() -> Verb[..., Any]:
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


# ----- looking at verbs


def test_the_method_table_prints_signatures_with_file_and_line() -> None:
    combine = combining()
    assert repr(methods(combine)) == "no methods"

    @combine.method
    def animals(left: Animal, right: Animal) -> str:
        return "animals"

    assert repr(methods(combine)).startswith("1 method of combine:\n")

    @combine.method
    def dog_and_kind(left: Dog, right: type[Cat], *, scale: int = 1) -> str:
        return "dog and kind"

    @combine.method
    def dogs(left: Dog, right: Dog) -> str:
        return "dogs"

    header, *rows = repr(methods(combine)).splitlines()
    assert header == "3 methods of combine:"
    expected: dict[str, Callable[..., str]] = {
        "combine(left: Animal, right: Animal)": animals,
        "combine(left: Dog, right: type[Cat])": dog_and_kind,
        "combine(left: Dog, right: Dog)": dogs,
    }
    signatures = [row[: row.index(")") + 1] for row in rows]
    assert set(signatures) == set(expected)
    for signature, row in zip(signatures, rows, strict=True):
        assert row.split()[-1] == f"{__file__}:{inspect.getsourcelines(expected[signature])[1]}"
    assert signatures.index("combine(left: Dog, right: Dog)") < signatures.index("combine(left: Animal, right: Animal)")


def test_only_verbs_have_method_tables() -> None:
    with pytest.raises(
        TypeError, match=r"methods\(\) takes a verb such as algatt\.dimension, not <built-in function len>"
    ):
        methods(len)  # type: ignore[arg-type]


def test_a_verb_carries_its_declaration() -> None:
    combine = combining()
    assert combine.name == "combine"
    assert combine.__doc__ == "Combine two values."
    assert list(inspect.signature(combine).parameters) == ["left", "right", "scale"]
    assert repr(combine).startswith("<verb combine(left")
    assert repr(combine).endswith("with 0 methods>")
    assert list(verbs())[-1] is combine


# ----- the package


def package_modules() -> list[str]:
    found = [module.name for module in pkgutil.walk_packages(algatt.__path__, "algatt.")]
    return [name for name in found if not name.endswith("__main__")]


def test_no_verb_of_the_package_is_ambiguous() -> None:
    for name in package_modules():
        importlib.import_module(name)
    declared = list(verbs())
    assert len({verb.name for verb in declared}) == len(declared) > 20
    check()


def test_every_verb_of_the_package_is_documented_and_its_table_points_into_the_package() -> None:
    for verb in verbs():
        assert verb.__doc__
        own = [method for method in methods(verb) if method.function.__module__.startswith("algatt.")]
        assert own, verb
        for method in own:
            path, line = method.location.rsplit(":", 1)
            assert path.startswith(algatt.__path__[0])
            assert int(line) > 0


def test_verbs_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(algatt.dimension)) is algatt.dimension
