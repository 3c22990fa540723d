"""Pages of the reference, one for each layer and for each value that stands in a slot, made from the docstrings.

The page ``reference/layers`` has a line ``% list: KIND`` for each kind. In its place stands a list of the nouns of this
kind, as ``algatt layers`` prints it, with links to their pages, which are written to ``reference/layers/``.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

from sphinx.application import Sphinx

from algatt import layers
from algatt.layers.catalogue import Entry, catalogue

INDEX = "reference/layers"

PAGE = """# {name}

{kind}{papers}

```{{eval-rst}}
.. currentmodule:: algatt.layers

.. autoclass:: {name}
   :members:
   :exclude-members: examples, hoisted, name, of, of_copies, of_fields, parts, scoped
```
"""

LIST = """```{{toctree}}
:hidden:

{pages}
```

```{{eval-rst}}
.. currentmodule:: algatt.layers

{lines}
```"""


def page(entry: Entry) -> str:
    """Return the source of a page."""
    links = [f"[arXiv {number}](https://arxiv.org/abs/{number})" for number in entry.arxiv]
    papers = f": {', '.join(links)}" if links else ""
    return PAGE.format(name=entry.name, kind=entry.kind.capitalize(), papers=papers)


def listed(kind: str) -> str:
    """Return the source of the list of a kind: of each noun its name and the first sentences of its docstring."""
    entries = [entry for entry in catalogue() if entry.kind == kind]
    if not entries:
        raise ValueError(f"{INDEX} lists the kind {kind}, of which there is nothing")
    lines = []
    for entry in entries:
        described = inspect.getdoc(getattr(layers, entry.name)) or ""
        summary = " ".join(described.partition("\n\n")[0].split())
        lines.append(f"- :doc:`{entry.name} <layers/{entry.name}>`: {summary}")
    pages = "\n".join(f"layers/{entry.name}" for entry in entries)
    return LIST.format(pages=pages, lines="\n".join(lines))


def write_pages(app: Sphinx) -> None:
    """Write the pages that are not there as they should be, and delete those of what there is no more."""
    folder = Path(app.srcdir) / INDEX
    folder.mkdir(exist_ok=True)
    sources = {folder / f"{entry.name}.md": page(entry) for entry in catalogue()}
    for path in set(folder.glob("*.md")) - set(sources):
        path.unlink()
    for path, source in sources.items():
        if not path.exists() or path.read_text(encoding="utf-8") != source:
            path.write_text(source, encoding="utf-8")


def fill_index(app: Sphinx, name: str, source: list[str]) -> None:
    """Put the lists into the page that has places for them."""
    if name == INDEX:
        source[0] = re.sub(r"^% list: (\w+)$", lambda found: listed(found[1]), source[0], flags=re.MULTILINE)


def setup(app: Sphinx) -> dict[str, bool]:
    """Connect the functions above."""
    app.connect("builder-inited", write_pages)
    app.connect("source-read", fill_index)
    return {"parallel_read_safe": True}
