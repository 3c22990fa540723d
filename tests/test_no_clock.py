"""Tests use no clock: on a busy machine everything takes longer, and is as right as before."""

from __future__ import annotations

import ast
from pathlib import Path

from hypothesis import HealthCheck, settings

TESTS = Path(__file__).parent

CLOCKS = {"time", "timeit", "datetime"}


def clocks(path: Path) -> set[str]:
    """Return the modules that tell the time which a file imports."""
    names = set()
    text = path.read_text(encoding="utf-8")
    # Parsing takes long, and most files do not even have the words.
    if not any(clock in text for clock in CLOCKS):
        return names
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(str(node.module).partition(".")[0])
    return names & CLOCKS


def test_no_test_imports_a_clock() -> None:
    files = sorted(TESTS.rglob("*.py"))
    assert len(files) > 100
    assert {path.name: clocks(path) for path in files if clocks(path)} == {}


def test_property_tests_have_no_deadline() -> None:
    assert settings.default.deadline is None
    assert HealthCheck.too_slow in settings.default.suppress_health_check
