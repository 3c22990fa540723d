"""What an installation brings is what the package imports, and what is said of it is true."""

from __future__ import annotations

import ast
import configparser
import re
import runpy
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import algatt

ROOT = Path(__file__).parents[1]

SOURCES = sorted((ROOT / "algatt").rglob("*.py"))


def setup_cfg() -> configparser.ConfigParser:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    return config


def names_of(requirements: str) -> set[str]:
    return set(re.findall(r"^([\w-]+)(?=[><=])", requirements.strip(), flags=re.MULTILINE))


def imported(path: Path) -> Iterator[str]:
    """Iterate over the packages that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield str(node.module).partition(".")[0]


def test_what_is_imported_is_required() -> None:
    config = setup_cfg()
    names = ("plot", "completion", "distributed", "gguf", "gpu", "jax", "onnx", "sympy", "tables", "torch")
    extras = [config["options.extras_require"][extra] for extra in names]
    required = set().union(*map(names_of, [config["options"]["install_requires"], *extras]))
    distributions = packages_distributions()
    packages = (
        {name for path in SOURCES for name in imported(path)} - sys.stdlib_module_names - {"algatt", "IPython"}
    )  # IPython calls us
    assert {"numpy", "flint", "numba", "matplotlib"} <= packages
    sources = {name: distributions.get(name, [name]) for name in packages}  # what is not installed has its own name
    assert {name: source for name, source in sources.items() if not required & set(source)} == {}


def test_the_version_is_the_same_everywhere() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^version: (.+)$", citation, flags=re.MULTILINE) == [algatt.__version__]


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_nothing_is_said_to_come_from_where_it_is_not() -> None:
    """While no index has the package, its name is nothing that pip can install: a folder is."""
    told = {
        (path.name, found)
        for path in [*PAGES, *SOURCES]
        for found in re.findall(r"pip install[^\n]*", path.read_text(encoding="utf-8"))
    }
    assert told
    assert [
        (name, found)
        for name, found in told
        if not re.match(r"pip install (-e )?('?\.(\[[\w{}.]+\]')?)(?=[\s`\"]|$)", found)
    ] == []
    assert [path.name for path in [*PAGES, *SOURCES] if "algatt[" in path.read_text(encoding="utf-8")] == []


def test_the_description_for_an_index_has_no_links_into_the_repository(monkeypatch: pytest.MonkeyPatch) -> None:
    setuptools = pytest.importorskip("setuptools")
    given = {}
    monkeypatch.setattr(setuptools, "setup", given.update)
    runpy.run_path(str(ROOT / "setup.py"))
    targets = re.findall(r"\]\(([^)]+)\)", given["long_description"])
    assert "https://arxiv.org/abs/2408.17221" in targets
    assert [target for target in targets if not target.startswith("https://")] == []
    files = re.findall(r"\(`([\w/.]+\.\w+)`\)", given["long_description"])
    assert "docs/tutorial.md" in files
    assert [name for name in files if not (ROOT / name).is_file()] == []
