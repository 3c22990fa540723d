"""What a picture of the recursion consists of, before anything draws it: labels, lines and dots, for matplotlib and for
TikZ alike.

One unit of x is the distance of two leaves, one unit of y that of two layers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import networkx as nx

DOT, CLEAR = 2.0, 1.5
"""Width of a leaf's dot, and of the room between a dot or a label and a label, in points: twice as wide as a line."""

LARGEST, SMALLEST = 8.0, 5.5
"""Sizes of labels in points: what suits a paper, and what is still readable there."""


@dataclass(frozen=True)
class Label:
    """A formula in the notation that TeX and matplotlib share, centred at a point; `layer` gives its
    colour, 0 is none.
    """

    x: float
    y: float
    text: str
    layer: int
    size: float
    boxed: bool = False


@dataclass(frozen=True)
class Stroke:
    """A line through points; or, if `curved`, a cubic curve with two points for its ends and the two between them to
    steer it.
    """

    points: tuple[tuple[float, float], ...]
    layer: int
    dotted: bool = False
    curved: bool = False


@dataclass(frozen=True)
class Dot:
    """A leaf; that of the input, X instead of X X^T, is not filled."""

    x: float
    y: float
    filled: bool


@dataclass(frozen=True)
class Band:
    """A shaded rectangle behind the rest."""

    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True)
class DrawnTree:
    """All that is to be drawn; the sizes of labels are in points, for a picture whose unit of x is `column` points
    wide.
    """

    title: str
    left: float
    right: float
    bottom: float
    top: float
    labels: tuple[Label, ...]
    strokes: tuple[Stroke, ...]
    dots: tuple[Dot, ...] = ()
    bands: tuple[Band, ...] = ()


def in_tex(symbol: str) -> str:
    r"""Return the formula of a node's symbol.

    Examples
    --------
    >>> print(in_tex("M_12^T"), in_tex("phi"))
    M_{12}^{T} \varphi
    """
    return re.sub(r"([_^])(\w+)", r"\1{\2}", symbol).replace("phi", r"\varphi")


def columns(tree: nx.DiGraph) -> float:
    """Return the width of the picture of a graph in units of x."""
    return float(tree.graph["factors"]) + 2 if tree.graph["kind"] == "tree" else 5.8
