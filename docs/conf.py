"""Configuration of Sphinx."""

from __future__ import annotations

import html
import inspect
import re
import sys
from pathlib import Path
from typing import Any

from docutils import nodes
from math_core import LatexError, LatexToMathML
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

import algatt
from algatt.dispatch import Verb

sys.path.insert(0, str(Path(__file__).parent))

project = "algatt"
author = "The algatt developers"
copyright = "2026, the algatt developers"
version = release = algatt.__version__

extensions = ["sphinx.ext.autodoc", "sphinx.ext.napoleon", "myst_parser", "sphinx_copybutton", "layer_pages"]
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = f"algatt {release}"
html_static_path = ["static"]
html_css_files = ["style.css"]
html_math_renderer = "mathml"  # below: readable without a network and without scripts

# What is copied can be run: the lines with a prompt, without it, and not what they print.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_copy_empty_lines = False

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


def link_papers(app: Sphinx, what: str, name: str, documented: Any, options: Any, lines: list[str]) -> None:
    """Link the numbers of papers."""
    text = "\n".join(lines)
    lines[:] = re.sub(r"(arXiv\s+)(\d{4}\.\d{4,5})", r"\1`\2 <https://arxiv.org/abs/\2>`__", text).split("\n")


converter = LatexToMathML(annotation=True, fancy_error=False)


def mathml(formula: nodes.math | nodes.math_block, *, displayed: bool) -> str:
    """Return a formula as MathML; one that cannot be read is a warning, and stays as it is."""
    source = formula.astext()
    try:
        return converter.convert_with_local_state(source, displaystyle=displayed)
    except LatexError as error:
        logging.getLogger(__name__).warning("%s: %s", " ".join(str(error).split()), source, location=formula)
        return f"<code>{html.escape(source)}</code>"


def write_formula(translator: HTML5Translator, formula: nodes.math) -> None:
    """Write a formula in a line of text."""
    translator.body.append(mathml(formula, displayed=False))
    raise nodes.SkipNode


def write_displayed_formula(translator: HTML5Translator, formula: nodes.math_block) -> None:
    """Write a formula on a line of its own."""
    translator.body.append(f'<div class="formula">{mathml(formula, displayed=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the functions above, to run after napoleon."""
    app.add_html_math_renderer("mathml", (write_formula, None), (write_displayed_formula, None))
    app.connect("autodoc-process-docstring", list_methods, priority=800)
    app.connect("autodoc-process-docstring", restore_property, priority=800)
    app.connect("autodoc-process-docstring", link_papers, priority=900)
    return {"parallel_read_safe": True}
