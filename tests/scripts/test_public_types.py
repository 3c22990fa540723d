"""The stub of the public names is written, and compared."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import algatt
from algatt import Verb


@pytest.fixture
def types(script: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    module = script("public_types")
    monkeypatch.setattr(module, "STUB", tmp_path / "stub.pyi")
    return module


def test_the_stub_is_up_to_date_until_it_is_changed(types: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert types.main(["--check"]) == 1
    assert types.main([]) == 0
    assert types.main(["--check"]) == 0
    assert capsys.readouterr().err == "algatt/__init__.pyi is out of date: run python scripts/public_types.py\n"
    types.STUB.write_text(types.STUB.read_text().replace("DimensionReport", "Any"))
    assert types.main(["--check"]) == 1


def test_methods_of_others_are_left_out(types: ModuleType) -> None:
    class Other(algatt.AttentionNetwork):
        pass

    before = types.stub()
    present = algatt.dimension._dispatcher.funcs.copy()
    try:

        @algatt.dimension.method
        def dimension_of_other(arch: Other) -> int:
            return 0

        assert types.stub() == before
    finally:
        algatt.dimension._dispatcher.funcs = present


def test_the_stub_has_the_public_names_and_no_others(types: ModuleType) -> None:
    types.main([])
    tree = ast.parse(types.STUB.read_text())
    verbs = {ast.unparse(node.target) for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert verbs == {name for name in algatt.__all__ if isinstance(getattr(algatt, name), Verb)}
    (names,) = (ast.literal_eval(node.value) for node in tree.body if ast.unparse(node).startswith("__all__"))
    assert names == algatt.__all__
