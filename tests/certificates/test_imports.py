"""The verifier imports nothing else of the package, and its files can be joined into one."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

import pytest

import algatt

PACKAGE = Path(algatt.__file__).parent

FOLDER = PACKAGE / "certificates" / "verifier"

FILES = sorted(FOLDER.rglob("*.py"))


def statements(path: Path) -> list[ast.stmt]:
    return ast.parse(path.read_text(encoding="utf-8")).body


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_the_verifier_imports_the_standard_library_and_flint_and_itself(path: Path) -> None:
    own = {file.stem for file in FILES} - {"__init__"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for name in node.names:
                assert name.name.partition(".")[0] in {*sys.stdlib_module_names, "flint"}, name.name
        elif isinstance(node, ast.ImportFrom) and node.level:
            assert node.level == 1, ast.unparse(node)
            assert node.module in own, ast.unparse(node)
        elif isinstance(node, ast.ImportFrom):
            assert (node.module or "").partition(".")[0] in {*sys.stdlib_module_names, "flint"}, node.module
        elif isinstance(node, ast.Name):
            assert node.id != "__import__"
        elif isinstance(node, ast.Attribute):
            assert node.attr != "import_module"


def test_the_files_of_the_verifier_are_in_one_folder() -> None:
    assert {path.parent for path in FILES} == {FOLDER}


def test_nothing_that_makes_certificates_imports_the_verifier() -> None:
    importing = set()
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "verifier" in text else ():
            names = [name.name for name in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            module = node.module or "" if isinstance(node, ast.ImportFrom) and not node.level else ""
            if any("certificates.verifier" in f"{module}.{name}" for name in names) and path.parent != FOLDER:
                importing.add(path.relative_to(PACKAGE).as_posix())
    # a certificate that another system computes again is read as the verifier reads it
    assert importing == {"certificates/verify.py", "exports/point.py"}


def test_the_verifier_is_as_long_as_its_page_says() -> None:
    """Lines with docstrings and comments, in files."""
    page = (PACKAGE.parent / "docs" / "design" / "certificate.md").read_text(encoding="utf-8")
    match = re.search(r"It has ([0-9,]+) lines in ([0-9]+) files", page)
    assert match is not None
    files = [path for path in FILES if path.stem != "__init__"]
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
    assert (int(match[1].replace(",", "")), int(match[2])) == (lines, len(files))


def test_no_two_files_of_the_verifier_define_one_name() -> None:
    """In one file the later one would replace the earlier."""
    homes: dict[str, Path] = {}
    for path in FILES:
        for statement in statements(path):
            match statement:
                case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    names = [name]
                case ast.AnnAssign(target=ast.Name(name)):
                    names = [name]
                case ast.Assign(targets=targets):
                    names = [target.id for target in targets if isinstance(target, ast.Name)]
                case _:
                    names = []
            for name in set(names):
                assert homes.setdefault(name, path) == path, name
