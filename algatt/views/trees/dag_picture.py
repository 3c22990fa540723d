"""The picture of a dag, in which equal subtrees are drawn once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algatt.views.trees.shapes import LARGEST, DrawnTree, Label, Stroke, columns, in_tex

if TYPE_CHECKING:
    import networkx as nx


def picture_of_dag(tree: nx.DiGraph) -> DrawnTree:
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
        strokes += join(positions, parent, child, len(str(places).split(",")), tree.nodes[parent]["layer"], layers)
    recursion = "$P_i = P_{i-1} M_i P_{i-1} M_i^T P_{i-1}$"
    title = f"{layers} layers: each matrix once; {recursion}" if layers > 1 else "1 layer: each matrix once"
    return DrawnTree(title, 0.0, columns(tree), -1.35, layers + 0.55, tuple(labels), tuple(strokes))


def label_in_dag(attributes: dict[str, Any], at: tuple[float, float]) -> Label:
    """Return the label of a node of a dag; the leaf has the name that the recursion gives it."""
    kind, layer = attributes["kind"], attributes["layer"]
    return Label(
        *at, in_tex("P_0" if kind == "leaf" else attributes["symbol"]), 0 if kind == "output" else layer, LARGEST
    )


def join(
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
