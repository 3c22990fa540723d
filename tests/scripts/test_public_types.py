"""The stub of the public names is written, and compared."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import algatt
from algatt.dispatch import Verb


@pytest.fixture
def types(script: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    module = script("public_types")
    monkeypatch.setattr(module, "FOLDER", tmp_path / "algatt")
    for source in module.SOURCES:
        (tmp_path / "algatt" / source.parent.name).mkdir(parents=True)
        (tmp_path / "algatt" / source.parent.name / source.name).write_text(source.read_text())
    sources = [tmp_path / "algatt" / source.parent.name / source.name for source in module.SOURCES]
    monkeypatch.setattr(module, "SOURCES", sources)
    return module


def test_the_stubs_are_up_to_date_until_one_is_changed(types: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert types.main(["--check"]) == 1
    assert types.main([]) == 0
    assert types.main(["--check"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "algatt/__init__.pyi is out of date: run python scripts/public_types.py"
    assert len(told) == 1 + len(types.SOURCES)
    stub = types.FOLDER / "geometry" / "__init__.pyi"
    stub.write_text(stub.read_text().replace("DimensionReport", "Any"))
    assert types.main(["--check"]) == 1
    assert (
        capsys.readouterr().err == "algatt/geometry/__init__.pyi is out of date: run python scripts/public_types.py\n"
    )


def test_methods_of_others_are_left_out(types: ModuleType) -> None:
    class Other(algatt.architectures.AttentionNetwork):
        pass

    before = types.stubs()
    present = algatt.dimension._dispatcher.funcs.copy()
    try:

        @algatt.dimension.method
        def dimension_of_other(arch: Other) -> int:
            return 0

        assert types.stubs() == before
    finally:
        algatt.dimension._dispatcher.funcs = present


def exported(stub: Path) -> list[str]:
    """Return the list of names in a stub."""
    found = (
        ast.literal_eval(node.value)
        for node in ast.parse(stub.read_text()).body
        if ast.unparse(node).startswith("__all__")
    )
    (names,) = found
    return list(names)


def test_the_stubs_have_the_public_names_and_no_others(types: ModuleType) -> None:
    types.main([])
    assert exported(types.FOLDER / "__init__.pyi") == algatt.__all__
    for source in types.SOURCES:
        subject = getattr(algatt, source.parent.name)
        assert exported(source.with_suffix(".pyi")) == subject.__all__


def test_every_verb_of_a_subject_has_a_type_in_one_stub(types: ModuleType) -> None:
    types.main([])
    typed: list[str] = []
    for source in types.SOURCES:
        body = ast.parse(source.with_suffix(".pyi").read_text()).body
        typed += [ast.unparse(node.target) for node in body if isinstance(node, ast.AnnAssign)]
    subjects = [getattr(algatt, source.parent.name) for source in types.SOURCES]
    verbs = {name for subject in subjects for name in subject.__all__ if isinstance(getattr(subject, name), Verb)}
    assert len(typed) == len(set(typed))
    assert set(typed) == verbs
