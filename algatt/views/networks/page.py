"""A network of layers as one html page that holds its style, its script and its data, and that may load nothing."""

from __future__ import annotations

from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.parts import Part, TensorFamily, parts_of, title
from algatt.architectures.text import TRANSPARENT, group_in_words
from algatt.layers.catalogue import entry_of
from algatt.views.networks.words import phrases, times, tone
from algatt.views.pages import fill_page


def page(arch: Architecture) -> str:
    """Return a network as a self-contained html page.

    The page draws the layers nested in boxes that can be opened and closed, with the paths around them. A chosen layer
    is shown with what it computes, the shapes of its input and its value, its tensors with their names in the network,
    and the papers that introduced it.

    Parameters
    ----------
    arch : Architecture
        A `Network`, or what is one by `algatt.expression`.

    Returns
    -------
    str
        The page. Its Content-Security-Policy allows its own style and script and nothing else.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import Heads, Residual
    >>> from algatt.views.networks.page import page
    >>> text = page(algatt.Network(Residual(Heads(2)), tokens=3, width=4))
    >>> print(text.partition("<title>")[2].partition("</title>")[0])
    A network of 64 parameters
    """
    data = data_of(arch)
    return fill_page("networks", f"A network of {data['parameters']:,} parameters", data)


def data_of(arch: Architecture, *, apart: bool = False) -> dict[str, Any]:
    """Return what the page knows of a network; equal blocks once, unless they are told apart."""
    network = verbs.expression(arch)
    return {
        "written": repr(arch),
        "parameters": network.parameters,
        "tokens": network.tokens,
        "vocabulary": network.vocabulary,
        "source": network.source,
        "root": contents(parts_of(arch), None, 1, apart=apart),
    }


def contents(part: Part, parent: Part | None, count: int, *, apart: bool) -> dict[str, Any]:
    """Return a layer, and all that is in it, as scalars, lists and dictionaries; of equal blocks the first, or all."""
    runs = [(below, 1) for below in part.parts] if apart else part.runs()
    entry = entry_of(type(part.layer))
    composite = isinstance(part.layer, TRANSPARENT)
    return {
        "name": title(part) if part.wiring != "inside" else type(part.layer).__name__,
        "written": title(part),
        "group": group_in_words(part, parent, count),
        "count": count,
        "key": part.key if parent is not None and parent.wiring == "inside" and not part.key.isdigit() else "",
        "wiring": part.wiring,
        "bare": composite,
        "tone": tone(part.layer),
        "phrases": phrases(part.layer) if part.wiring == "inside" else [],
        "line": entry.line.replace("->", "→"),
        "arxiv": list(entry.arxiv),
        "input": times(part.input_shape),
        "output": times(part.output_shape),
        "parameters": part.parameters,
        "families": list(map(family_contents, part.families)),
        "parts": [contents(below, part, several, apart=apart) for below, several in runs],
    }


def family_contents(family: TensorFamily) -> dict[str, Any]:
    """Return tensors that differ in their numbers alone."""
    return {
        "names": [tensor.name for tensor in family.tensors],
        "paths": [tensor.path for tensor in family.tensors],
        "shape": times(family.shape),
        "tied": family.tensors[0].tied,
    }
