"""The page on the proofs names functions of the verifier and statements that are there; .ci/run runs Coq itself."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "scripts" / "formal"
VERIFIER = ROOT / "algatt" / "certificates" / "verifier"
PAGE = ROOT / "docs" / "design" / "formal.md"


@pytest.fixture
def check(monkeypatch, script):
    monkeypatch.syspath_prepend(PROOFS)
    return script("check")


def table() -> list[list[set[str]]]:
    """The functions, the rules and the lemmas of each row."""
    page = PAGE.read_text(encoding="utf-8").partition("## Which function")[2]
    rows = re.findall(r"^\|(.*)\|(.*)\|(.*)\|$", page, re.MULTILINE)
    return [[set(re.findall(r"`([^`]+)`", cell)) for cell in row] for row in rows[2:]]


def functions(tree: ast.AST, prefix: str = "") -> Iterator[str]:
    for one in ast.iter_child_nodes(tree):
        if isinstance(one, ast.ClassDef):
            yield from functions(one, f"{one.name}.")
        elif isinstance(one, ast.FunctionDef):
            yield prefix + one.name


def rules(file: str, name: str) -> set[str]:
    """The constructors of an inductive type."""
    text = re.sub(r"\(\*.*?\*\)\n", "", (PROOFS / file).read_text(encoding="utf-8"), flags=re.DOTALL)
    return set(re.findall(r"^\| (\w+)", text.partition(f"Inductive {name} ")[2].partition("\n\n")[0], re.MULTILINE))


def test_functions_of_the_table_are_in_the_verifier():
    known = {name for path in VERIFIER.glob("*.py") for name in functions(ast.parse(path.read_text(encoding="utf-8")))}
    assert len(table()) > 20
    assert set().union(*(row[0] for row in table())) <= known


def test_rules_of_the_table_are_those_of_the_proofs():
    named, moves = set().union(*(row[1] for row in table())), rules("leibniz.v", "moves :")
    assert len(moves) == 23
    assert moves <= named <= moves | rules("normal_form.v", "same :")


def test_lemmas_of_the_table_are_proven(check):
    proven = {name.partition(".")[2] for name in check.statements(PROOFS)}
    assert set().union(*(row[2] for row in table())) <= proven


def test_all_files_are_checked_and_none_assumes_anything(check):
    assert {f"{name}.v" for name in check.FILES} == {path.name for path in PROOFS.glob("*.v")}
    text = "".join(path.read_text(encoding="utf-8") for path in PROOFS.glob("*.v"))
    assert not re.search(r"\b(Admitted|admit|Axiom|Parameter|Conjecture|Unset Guard)\b", text)


def test_the_page_has_the_number_of_statements(check):
    assert f"{len(check.statements(PROOFS))} statements are proven" in PAGE.read_text(encoding="utf-8")
