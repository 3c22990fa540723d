"""Configuration of Sphinx."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

import algatt
from algatt.dispatch import Verb

project = "algatt"
author = "The algatt developers"
copyright = "2026, the algatt developers"
version = release = algatt.__version__

extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.mathjax", "myst_parser"]
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = f"algatt {release}"

myst_enable_extensions = ["dollarmath", "deflist"]
myst_heading_anchors = 3

default_role = "py:obj"
napoleon_numpy_docstring = True
napoleon_google_docstring = False
napoleon_use_rtype = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"


def list_methods(app: Sphinx, what: str, name: str, documented: Any, options: Any, lines: list[str]) -> None:
    """Write the methods of a verb below its docstring, each with the file that it is in."""
    if not isinstance(documented, Verb):
        return
    folder = Path(algatt.__file__).parent
    lines += ["", ".. rubric:: Methods", ""]
    for method in documented.table():
        file = Path(method.function.__code__.co_filename).relative_to(folder)
        lines.append(f"- ``{method}`` in ``{file.as_posix()}``")
    lines.append("")


def restore_property(app: Sphinx, what: str, name: str, documented: Any, options: Any, lines: list[str]) -> None:
    """Write the docstring of a property as it is: napoleon takes the words before a colon for its type."""
    if isinstance(documented, property):
        lines[:] = [*(inspect.getdoc(documented) or "").splitlines(), ""]


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the functions above, to run after napoleon."""
    app.connect("autodoc-process-docstring", list_methods, priority=800)
    app.connect("autodoc-process-docstring", restore_property, priority=800)
    return {"parallel_read_safe": True}
