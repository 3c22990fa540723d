"""What a picture of the recursion consists of, before anything draws it: labels, lines and dots, for matplotlib and for
TikZ alike.

One unit of x is the distance of two leaves, one unit of y that of two layers. In the picture of a tree P_i is at the
height i, over the middle of its leaves, and the factor at the slot m is between the leaves m and m + 1, at the height
of the P_{k-1} at its left; no two lines cross.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from algatt.errors import InvalidArgument
from algatt.trees import factor_at, layout, window
from algatt.trees.graph import check_unrolled, children
from algatt.trees.unroll import nodes_of_dag, nodes_of_tree

if TYPE_CHECKING:
    import networkx as nx

__all__ = [
    "DOT",
    "PALETTE",
    "Band",
    "Dot",
    "Label",
    "Picture",
    "Stroke",
    "check_drawable",
    "colour_number",
    "columns",
    "in_tex",
    "picture",
]

PALETTE = ("#0b1f4b", "#7a2e00", "#1f5fa8", "#c0590a", "#3f97c9", "#d98c1f")
"""Colours of the layers: blue and orange in turn, which every kind of colour blindness tells apart, and each lighter
than the one before.
"""

LAYERS = 6
"""The most layers of a tree that can be drawn: 364 factors."""

INK, LABEL = 1.43, 1.45
"""Width of a label such as M_1^T, and with room around it, in sizes of its font."""

DOT, CLEAR = 2.0, 1.5
"""Width of a leaf's dot, and of the room between a dot or a label and a label, in points: twice as wide as a line."""

HANG = 0.3
"""Of a layer: how far below the dots the labels between them are where they have no room beside them."""

LARGEST, SMALLEST = 8.0, 5.5
"""Sizes of labels in points: what suits a paper, and what is still readable there."""

WIDEST = 30.0
"""Points between two leaves of a small tree in wide axes, at most: the rest is left empty on both sides."""

FACTORS, SLOTS, TOKENS, ARCS = -0.85, -1.4, -1.95, -2.25
"""Heights of the rows below a tree: the sequence of factors, their slots, and the token indices with their arcs if a
window is shown.
"""


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
class Picture:
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


def colour_number(layer: int) -> int:
    """Return the number, from 0, of a layer's colour; more layers than colours begin again."""
    return (layer - 1) % len(PALETTE)


def columns(tree: nx.DiGraph) -> float:
    """Return the width of the picture of a graph in units of x."""
    return float(tree.graph["factors"]) + 2 if tree.graph["kind"] == "tree" else 5.8


def picture(tree: nx.DiGraph, slot: int | None, column: float) -> Picture:
    """Return the picture of a graph.

    Parameters
    ----------
    tree : networkx.DiGraph
        A graph made by `algatt.unroll`.
    slot : int or None
        The slot whose reflection is highlighted.
    column : float
        How many points wide one unit of x will be: labels that would overlap then are left out.

    Raises
    ------
    InvalidArgument
        If the tree has more than six layers, or the slot has no reflection, or is one of a dag.
    """
    check_drawable(tree)
    if tree.graph["kind"] == "tree":
        return TreePicture(tree, column).picture(slot)
    if slot is not None:
        raise InvalidArgument(
            "window", f"{slot!r}, for a dag", "given for a tree only: the slots of a dag are not apart"
        )
    return picture_of_dag(tree)


def check_drawable(tree: nx.DiGraph) -> None:
    """Raise `InvalidArgument` unless a graph was made by `algatt.unroll`, has all of its nodes, and is not too large
    for a picture.
    """
    check_unrolled(tree)
    layers = tree.graph["layers"]
    if tree.graph["kind"] == "tree" and layers > LAYERS:
        raise InvalidArgument(
            "tree",
            f"one of {layers} layers with {tree.graph['factors']:,} factors",
            f'of at most {LAYERS} layers; draw kind="dag"',
        )
    expected = nodes_of_tree(layers) if tree.graph["kind"] == "tree" else nodes_of_dag(layers)
    if len(tree) != expected:
        raise InvalidArgument(
            "tree",
            f"a graph of {len(tree)} nodes",
            f"one with all {expected} nodes that unroll makes for {layers} layers",
        )


def overlapping(column: float, size: float, distance: float) -> bool:
    """Return whether labels at a distance of so many units of x would overlap."""
    return column * distance < LABEL * size


class TreePicture:
    """The picture of a tree in the making.

    Parameters
    ----------
    tree : networkx.DiGraph
        The tree.
    column : float
        How many points one unit of x is wide.
    """

    def __init__(self, tree: nx.DiGraph, column: float) -> None:
        self.tree = tree
        self.column = min(column, WIDEST)
        self.layers = int(tree.graph["layers"])
        self.last = int(tree.graph["factors"]) + 1
        # the layout has a unit of x for each leaf and one for each factor
        self.x = {node: (x + 1) / 2 for node, (x, _) in layout(tree).items()}
        self.margin = columns(tree) * (column / self.column - 1) / 2
        beside, below = (self.column - DOT - 2 * CLEAR) / INK, (self.column - 2 * CLEAR) / INK
        self.leaves_have_labels_between = below >= SMALLEST
        self.hang = HANG if self.leaves_have_labels_between and beside < SMALLEST else 0.0
        self.size = min(LARGEST, below if self.hang else beside) if self.leaves_have_labels_between else LARGEST - 1
        self.lowest_layer = next(
            (k for k in range(1, self.layers + 1) if not overlapping(self.column, self.size, 3 ** (k - 1))),
            self.layers + 1,
        )

    def height(self, node: str) -> float:
        """Return the y of a node: the i of P_i, and for M_k that of the P_{k-1} at its left; M_1 may hang below."""
        kind, layer = self.tree.nodes[node]["kind"], self.tree.nodes[node]["layer"]
        if kind == "factor" and layer == 1:
            return -self.hang
        return float({"function": self.layers, "power": layer, "factor": layer - 1}.get(kind, 0))

    def row_is_labelled(self, row: float) -> bool:
        """Return whether there is room for the labels of a row, in which P_i and M_{i+1} alternate; those of the leaves
        are dots.
        """
        return not overlapping(self.column, self.size, 3**row / 2) if row > 0 else self.leaves_have_labels_between

    def below(self, row: float) -> float:
        """Return the y of one of the rows below a tree, which make room for what hangs there."""
        return row - self.hang

    def picture(self, slot: int | None) -> Picture:
        """Return the whole."""
        labels, strokes, dots, bands = self.nodes(), self.edges(), self.leaves(), []
        labels += self.sequence(slot)
        strokes += self.plumb_lines()
        bottom = self.below(SLOTS) - 0.3
        if slot is not None:
            places = window(self.layers, slot)
            labels += self.tokens(places)
            strokes += arcs(places, factor_at(slot).layer, self.below(ARCS))
            bottom = self.below(ARCS) - depth_of_arcs(places)[0] - 0.15
            bands.append(Band(places[0] - 0.4, bottom, places[-1] + 0.4, factor_at(slot).layer - 0.55))
        left, right, top = -self.margin, self.end() + 0.5 + self.margin, self.layers + 0.35
        return Picture(
            self.title(slot), left, right, bottom, top, tuple(labels), tuple(strokes), tuple(dots), tuple(bands)
        )

    def end(self) -> float:
        """Return the x of X at the end of the sequence, which keeps its distance from the last factor that
        is labelled.
        """
        slot = self.last - 1
        while factor_at(slot).layer < self.lowest_layer and slot > 1:
            slot -= 1
        return max(self.last + 0.5, slot + 0.5 + LABEL * self.size / self.column)

    def title(self, slot: int | None) -> str:
        """Return what the picture shows, and what it leaves out."""
        chain = " ".join(in_tex(f"P_{k - 1} M_{k}") for k in range(self.layers, 0, -1))
        shown = (
            rf"$\varphi(X) = L \; {chain} \; X$, where $\bullet$ is $P_0 = X X^T$"
            if slot is None
            else self.reflection(slot)
        )
        if self.lowest_layer == 1:
            return shown
        counted = f"{self.layers} layers, {self.last - 1} factors: an overview" if slot is None else shown
        if self.lowest_layer > self.layers:
            return f"{counted}, without labels"
        which = "$M_1$, $M_1^T$" if self.lowest_layer == 2 else rf"$M_k$, $M_k^T$ with $k < {self.lowest_layer}$"
        return f"{counted}, where ticks without labels are {which}"

    def reflection(self, slot: int) -> str:
        """Return in words which token indices a reflection exchanges."""
        places = window(self.layers, slot)
        pairs = rf"$j_{{{slot}}} \leftrightarrow j_{{{slot + 1}}}$"
        if len(places) > 2:
            pairs += rf", ..., $j_{{{places[0]}}} \leftrightarrow j_{{{places[-1]}}}$"
        return f"Reflection at slot {slot}: {pairs}"

    def nodes(self) -> list[Label]:
        """Return the labels of the nodes inside the tree."""
        labels = []
        for node, attributes in self.tree.nodes(data=True):
            y = self.height(node)
            if attributes["kind"] in ("function", "power", "factor") and (
                attributes["kind"] == "function" or self.row_is_labelled(y)
            ):
                labels.append(Label(self.x[node], y, in_tex(attributes["symbol"]), attributes["layer"], self.size))
        return labels

    def leaves(self) -> list[Dot]:
        """Return the dots of X X^T and X, if they can be told apart."""
        if overlapping(self.column, 2, 1):
            return []
        return [
            Dot(self.x[node], 0, kind == "leaf")
            for node, kind in self.tree.nodes(data="kind")
            if kind in ("leaf", "input")
        ]

    def edges(self) -> list[Stroke]:
        """Return a comb for each parent: a line across its children, and one down to each of them."""
        strokes = []
        gap = 0.3  # of a layer, below a parent's label; a label's height leaves the rest of it
        for node, attributes in self.tree.nodes(data=True):
            below = [
                child for child in children(self.tree, node) if self.tree.nodes[child]["kind"] in ("power", "leaf")
            ]
            if not below:
                continue
            y, layer = self.height(node), attributes["layer"] or self.layers
            shelf = y - 0.5
            ends = (min(self.x[node], self.x[below[0]]), max(self.x[node], self.x[below[-1]]))
            strokes.append(Stroke(((self.x[node], self.under(y, gap)), (self.x[node], shelf)), layer))
            strokes.append(Stroke(((ends[0], shelf), (ends[1], shelf)), layer))
            strokes += [
                Stroke(((self.x[child], shelf), (self.x[child], self.over(self.height(child), gap))), layer)
                for child in below
            ]
        return strokes

    def over(self, row: float, gap: float) -> float:
        """Return where a line from above ends: over the label of a row, or at the row itself if it has none."""
        return row + (gap if row and self.row_is_labelled(row) else 0.0)

    def under(self, row: float, gap: float) -> float:
        """Return where a line from a label of a row down begins."""
        return row - (gap if row == self.layers or self.row_is_labelled(row) else 0.0)

    def factor_nodes(self) -> list[str]:
        """Return the factors from left to right."""
        return sorted((node for node, kind in self.tree.nodes(data="kind") if kind == "factor"), key=self.x.__getitem__)

    def plumb_lines(self) -> list[Stroke]:
        """Return the dotted lines from each factor to its place in the sequence; where there is no label, a tick the
        longer the higher its layer.
        """
        strokes = []
        for node in self.factor_nodes():
            layer, y = self.tree.nodes[node]["layer"], self.height(node)
            labelled = layer >= self.lowest_layer
            foot = self.below(FACTORS) + (0.32 if labelled else 0.0)
            if self.row_is_labelled(y):
                strokes.append(Stroke(((self.x[node], y - 0.3), (self.x[node], foot)), layer, dotted=True))
            else:
                strokes.append(Stroke(((self.x[node], -0.15), (self.x[node], max(foot, -0.3 - 0.12 * layer))), layer))
        return strokes

    def sequence(self, slot: int | None) -> list[Label]:
        """Return the row of factors between L and X, and their slots below it."""
        y = self.below(FACTORS)
        labels = [Label(0.5, y, "L", 0, self.size), Label(self.end(), y, "X", 0, self.size)]
        for node in self.factor_nodes():
            attributes, x = self.tree.nodes[node], self.x[node]
            if attributes["layer"] < self.lowest_layer:
                continue
            labels.append(
                Label(
                    x, y, in_tex(attributes["symbol"]), attributes["layer"], self.size, boxed=attributes["slot"] == slot
                )
            )
            labels.append(Label(x, self.below(SLOTS), str(attributes["slot"]), 0, max(SMALLEST, self.size - 2)))
        return labels

    def tokens(self, places: range) -> list[Label]:
        """Return the token indices of a window, where there is room for them."""
        size = min(self.size, LARGEST - 1)
        return (
            []
            if overlapping(self.column, size, 1)
            else [Label(place, self.below(TOKENS), f"j_{{{place}}}", 0, size) for place in places]
        )


def depth_of_arcs(places: range) -> list[float]:
    """Return the depths of the arcs below a window, the outermost first."""
    count = len(places) // 2
    step = min(0.45, 2.0 / count)
    return [step * (count - number) for number in range(count)]


def arcs(places: range, layer: int, top: float) -> list[Stroke]:
    """Return the arcs between the token indices that a reflection exchanges, below a height."""
    strokes = []
    for number, depth in enumerate(depth_of_arcs(places)):
        left, right = places[number], places[-1 - number]
        down = top - depth * 4 / 3  # a cubic curve comes three quarters of the way to the points that steer it
        strokes.append(Stroke(((left, top), (left, down), (right, down), (right, top)), layer, curved=True))
    return strokes


def picture_of_dag(tree: nx.DiGraph) -> Picture:
    """Return the picture of a dag: the powers below one another, each joined three times to the next, and their two
    factors at the right.

    The parts of the root are joined to it by arcs, at the left to the powers and at the right to the factors.
    """
    layers = int(tree.graph["layers"])
    middle, transposed, factor = 2.0, 3.2, 4.0
    positions = {"phi": (middle, float(layers)), "L": (middle - 1.0, layers + 0.0), "X": (middle, -1.0)}
    positions |= {f"P_{i}": (middle, float(i)) for i in range(layers)}
    positions |= {f"M_{k}": (factor, float(k)) for k in range(1, layers + 1)}
    positions |= {f"M_{k}^T": (transposed, k - 0.4) for k in range(1, layers)}
    labels = [label_in_dag(attributes, positions[node]) for node, attributes in tree.nodes(data=True)]
    strokes: list[Stroke] = []
    for parent, child, places in tree.edges(data="places"):
        strokes += joined(positions, parent, child, len(str(places).split(",")), tree.nodes[parent]["layer"], layers)
    recursion = "$P_i = P_{i-1} M_i P_{i-1} M_i^T P_{i-1}$"
    title = f"{layers} layers: each matrix once; {recursion}" if layers > 1 else "1 layer: each matrix once"
    return Picture(title, 0.0, columns(tree), -1.35, layers + 0.55, tuple(labels), tuple(strokes))


def label_in_dag(attributes: dict[str, Any], at: tuple[float, float]) -> Label:
    """Return the label of a node of a dag; the leaf has the name that the recursion gives it."""
    kind, layer = attributes["kind"], attributes["layer"]
    return Label(
        *at, in_tex("P_0" if kind == "leaf" else attributes["symbol"]), 0 if kind == "output" else layer, LARGEST
    )


def joined(
    positions: dict[str, tuple[float, float]], parent: str, child: str, times: int, layer: int, layers: int
) -> list[Stroke]:
    """Return the lines from a node of a dag to one of its parts."""
    (x, y), (u, v) = positions[parent], positions[child]
    margin = 0.3
    if times == 3:
        return [
            Stroke(((x, y - margin), (x + bend, y - 0.45), (x + bend, v + 0.45), (u, v + margin)), layer, curved=True)
            for bend in (-0.45, 0.0, 0.45)
        ]
    if parent != "phi":
        return [Stroke(((x + margin, y), (u - margin, v)), layer)]
    if child == "L" or child == f"M_{layers}":
        side = 1 if u > x else -1
        return [Stroke(((x + side * margin, y), (u - side * margin, v)), 0)]
    if child == f"P_{layers - 1}":
        return [Stroke(((x, y - margin), (x, v + margin)), 0)]
    reach = 0.45 + 1.2 * (y - v) / (layers + 1)
    if u > x:
        return [Stroke(((x, y + margin), (x, y + 0.45), (u + reach, y + 0.45), (u + reach, v), (u + margin, v)), 0)]
    return [
        Stroke(
            ((x - margin, y - 0.1), (x - reach - 0.6, y - 0.3), (x - reach - 0.6, v), (u - margin, v)), 0, curved=True
        )
    ]
