"""Files of families fill slots of layers and say where tensors are stored: what is redundant is not in them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from algatt.published import families

FILES = sorted(Path(families.__file__).parent.glob("*.py"))

ALLOWED = ("algatt.arguments", "algatt.errors", "algatt.layers", "algatt.published")
"""What of the package they may use: nothing that knows of symmetries or dimensions."""

PLAIN = {
    "__future__",
    "collections",
    "dataclasses",
    "functools",
    "itertools",
    "math",
    "typing",
    "numpy",
    "re",
    "fractions",
}


def modules(tree: ast.Module) -> list[str]:
    """Return the names of the modules that a file imports from."""
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.append(node.module or "")
    return found


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_family_knows_of_no_symmetry_and_no_dimension(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for name in modules(tree):
        assert name.startswith(ALLOWED) or name.partition(".")[0] in PLAIN, f"{path.name} imports {name}"
        assert not name.startswith(("algatt.published.worth", "algatt.published.components", "algatt.published.proofs"))
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    words = ("symmetr", "redundan", "dimension", "orbit", "gauge", "kernel_of", "rank_of")
    assert not [name for name in names if any(word in name.lower() for word in words)]
