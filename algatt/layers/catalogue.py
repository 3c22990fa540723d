"""What there is to make networks of: every layer, and what stands in its slots, read off the docstrings."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass

from algatt import layers
from algatt.layers.activations import Activation
from algatt.layers.base import Combinator, Layer, Noun
from algatt.layers.readings import Reading
from algatt.layers.routers import Router
from algatt.layers.scores import Mask, Position, Weighting

KINDS: dict[type, str] = {
    Combinator: "combinator",
    Activation: "activation",
    Layer: "layer",
    Mask: "mask",
    Position: "position",
    Router: "router",
    Reading: "reading",
    Weighting: "score",
}
"""What the nouns are by their base, the special ones first."""

ORDER = ("layer", "combinator", "mask", "position", "activation", "score", "router", "reading")
"""The order of the list."""

SIGNS = {
    r"\mapsto": "->",
    r"\sum_": "sum_",
    r"\epsilon": "eps",
    r"\lambda": "lambda",
    r"\Delta": "Delta",
    r"\sigma": "sigma",
    r"\tau": "tau",
    r"\tanh": "tanh",
    r"\pi": "pi",
    r"\,": "",
}
"""Commands of TeX in plain text."""


@dataclass(frozen=True)
class Entry:
    """A noun of which networks are made.

    Parameters
    ----------
    name : str
        The name of its class, which is in `algatt.layers`.
    kind : str
        What it is: ``layer``, ``combinator``, ``mask``, ``position``, ``activation``, ``score``, ``router`` or
        ``reading``.
    line : str
        What it does, in a line.
    arxiv : tuple of str
        The numbers of the papers that introduced it.
    """

    name: str
    kind: str
    line: str
    arxiv: tuple[str, ...]


def catalogue() -> list[Entry]:
    """Return every layer, and what stands in its slots, the kinds together.

    Examples
    --------
    >>> from algatt.layers.catalogue import catalogue
    >>> for one in catalogue():
    ...     if one.kind == "mask":
    ...         print(one.name, *one.arxiv, one.line)
    Causal 1706.03762 Each token sees itself and those before it (Vaswani et al.).
    Pattern 1904.10509 The mask of any 0/1 matrix (Child et al., have many).
    Window 2004.05150 Each token sees itself and as many of those before it that they are size tokens
        (Beltagy et al., causal).
    """
    named = [getattr(layers, name) for name in vars(layers)["__all__"]]
    nouns = [kind for kind in named if isinstance(kind, type) and issubclass(kind, Noun)]
    final = [kind for kind in nouns if not any(other is not kind and issubclass(other, kind) for other in nouns)]
    return sorted(map(entry_of, final), key=lambda entry: (ORDER.index(entry.kind), entry.name.lower()))


def entry_of(kind: type) -> Entry:
    """Return the entry of a class; one that has no docstring has an empty line."""
    described = (inspect.getdoc(kind) if "__doc__" in vars(kind) else None) or ""
    head = described.partition("\nParameters\n")[0].partition("\nNotes\n")[0]
    line = plain_mathematics(" ".join(head.partition("\n\n")[0].split()))
    line = re.sub(r" \(arXiv \d+\.\d+\)|,? arXiv \d+\.\d+", "", line)
    of = next((name for base, name in KINDS.items() if issubclass(kind, base)), "score")
    return Entry(kind.__name__, of, line, tuple(dict.fromkeys(re.findall(r"arXiv\s+(\d+\.\d+)", head))))


def plain_mathematics(text: str) -> str:
    """Return a docstring without its markup: formulas are written with names in place of the commands of TeX."""
    text = re.sub(r":math:`([^`]*)`", lambda found: in_plain(found[1]), text)
    return re.sub(r"``([^`]*)``|`([^`]*)`", lambda found: found[1] or found[2], text)


def in_plain(formula: str) -> str:
    """Return a formula as plain text."""
    formula = re.sub(r"\\mathrm\{(\w+)\}", r"\1", formula)
    formula = re.sub(r"\\bar (\w)", r"mean(\1)", formula)
    formula = re.sub(r"\\sqrt (\w)", r"sqrt(\1)", formula)
    formula = re.sub(r"\\sqrt\{([^{}]*)\}", r"sqrt(\1)", formula)
    formula = re.sub(r"([\^_])\{([^{}]*)\}", r"\1(\2)", formula)
    for command, sign in SIGNS.items():
        formula = formula.replace(command, sign)
    return re.sub(r"\\([a-z]+)", r"\1", formula)
