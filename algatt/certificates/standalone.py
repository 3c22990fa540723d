"""The verifier as one file that stands alone: Python and python-flint are all that it needs."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

from algatt.version import __version__

FOLDER = Path(__file__).with_name("verifier")
"""The files of the verifier, which is not imported."""

HEAD = f'''#!/usr/bin/env python3
"""Verify a certificate of algatt: python verify.py certificate.json

This file stands alone. It needs Python 3.11 and python-flint, and nothing of the package that made the certificate. It
was joined from the files of algatt/certificates/verifier of algatt {__version__}. Exit code 0: verified; 1: refuted; 2:
no certificate; 3: one that is too large.
"""

from __future__ import annotations
'''

TAIL = """
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
"""


def standalone_verifier() -> str:
    """Return the files of the verifier, joined into one: each after those that it imports, without these imports."""
    trees = {path.stem: ast.parse(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.py"))}
    del trees["__init__"]
    modules: set[str] = set()
    names: dict[str, set[str]] = {}
    parts = []
    for name in TopologicalSorter({name: neighbours(tree) for name, tree in trees.items()}).static_order():
        tree = trees[name]
        lines = (FOLDER / f"{name}.py").read_text("utf-8").splitlines()
        for statement in reversed(tree.body):
            if is_head(statement):
                del lines[statement.lineno - 1 : statement.end_lineno]
            if isinstance(statement, ast.Import):
                modules.add(ast.unparse(statement))
            elif isinstance(statement, ast.ImportFrom) and not statement.level and statement.module:
                names.setdefault(statement.module, set()).update(map(ast.unparse, statement.names))
        told = [f"# {line}".rstrip() for line in (ast.get_docstring(tree) or "").splitlines()]
        parts += [f"# ----- {name}", "#", *told, "", "", "\n".join(lines).strip(), "", ""]
    del names["__future__"]  # which comes first
    imports = [f"from {module} import {', '.join(sorted(listed))}" for module, listed in sorted(names.items())]
    return "\n".join([HEAD, *sorted(modules), *imports, "", "", *parts, TAIL.lstrip()])


def neighbours(tree: ast.Module) -> set[str]:
    """Return the files that a file of the verifier imports."""
    return {one.module for one in tree.body if isinstance(one, ast.ImportFrom) and one.level and one.module}


def is_head(statement: ast.stmt) -> bool:
    """Return whether a statement is an import or the docstring of a file."""
    match statement:
        case ast.Import() | ast.ImportFrom():
            return True
        case ast.Expr(ast.Constant(str()), lineno=1):
            return True
    return False
