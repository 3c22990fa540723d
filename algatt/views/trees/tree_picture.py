"""The picture of a tree: P_i is at the height i, over the middle of its leaves, and the factor at the slot m is between
the leaves m and m + 1, at the height of the P_{k-1} at its left; no two lines cross.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.trees import factor_at, layout, window
from algatt.trees.graph import children
from algatt.views.trees.shapes import (
    CLEAR,
    DOT,
    LARGEST,
    SMALLEST,
    Band,
    Dot,
    DrawnTree,
    Label,
    Stroke,
    columns,
    in_tex,
)

if TYPE_CHECKING:
    import networkx as nx

INK, LABEL = 1.43, 1.45
"""Width of a label such as M_1^T, and with room around it, in sizes of its font."""

HANG = 0.3
"""Of a layer: how far below the dots the labels between them are where they have no room beside them."""

WIDEST = 30.0
"""Points between two leaves of a small tree in wide axes, at most: the rest is left empty on both sides."""

FACTORS, SLOTS, TOKENS, ARCS = -0.85, -1.4, -1.95, -2.25
"""Heights of the rows below a tree: the sequence of factors, their slots, and the token indices with their arcs if a
window is shown.
"""


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

    def picture(self, slot: int | None) -> DrawnTree:
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
        return DrawnTree(
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
