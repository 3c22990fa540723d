"""What generic functions tell of themselves and their methods."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest

from algatt.dispatch import methods, verbs
from animals import Animal, Cat, Dog, combining


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


def test_a_function_has_one_method() -> None:
    (method,) = methods(combining)
    assert str(method) == "combining()"
    assert method.location == f"{inspect.getsourcefile(combining)}:{inspect.getsourcelines(combining)[1]}"


def test_only_verbs_and_functions_have_method_tables() -> None:
    with pytest.raises(
        TypeError, match=r"methods\(\) takes a verb such as algatt\.evaluate, not <built-in function len>"
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
