"""Pictures of the recursion: what is in them, in which order, and that no label covers another one."""

from __future__ import annotations

import itertools
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path as FilePath

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.path import Path

import algatt
from algatt.views import trees
from algatt.views.palette import PALETTE
from algatt.views.trees.picture import picture
from contrast import linear, luminance


def power(i):
    """P_i written out by HMK Eq 10, as the list of its factors."""
    return [] if i == 0 else [*power(i - 1), f"M_{{{i}}}", *power(i - 1), f"M_{{{i}}}^{{T}}", *power(i - 1)]


def product(layers):
    """The factors of HMK Eq 11, from left to right."""
    return [name for k in range(layers, 0, -1) for name in (*power(k - 1), f"M_{{{k}}}")]


def labels(ax):
    return [text for text in ax.texts if text.get_text()]


def boxes(ax):
    ax.figure.canvas.draw()
    renderer = ax.figure.canvas.get_renderer()
    return [(text.get_text(), text.get_window_extent(renderer)) for text in [*labels(ax), ax.title]]


def overlaps(ax):
    return [(one, two) for (one, box), (two, other) in itertools.combinations(boxes(ax), 2) if box.overlaps(other)]


def rows(ax):
    """The labels by their height, the highest row first, each from left to right."""
    by_height = {}
    for text in labels(ax):
        x, y = text.get_position()
        by_height.setdefault(y, []).append((x, text.get_text().strip("$")))
    return [[name for _, name in sorted(by_height[y])] for y in sorted(by_height, reverse=True)]


@pytest.mark.parametrize("layers", [1, 2, 3, 4])
def test_the_sequence_below_the_tree_is_the_product(layers):
    *tree, sequence, slots = rows(algatt.draw(algatt.unroll(layers)))
    assert sequence == ["L", *product(layers), "X"]
    assert slots == [str(m) for m in range(1, (3**layers - 1) // 2 + 1)]
    assert tree[0] == [r"\varphi"]
    for row, names in zip(range(layers - 1, 0, -1), tree[1:-1], strict=True):
        factors = [name for name in product(layers) if name.startswith(f"M_{{{row + 1}}}")]
        assert [name for name in names if name != f"P_{{{row}}}"] == factors
        assert names.count(f"P_{{{row}}}") == sum(
            3 ** (above - row) for above in range(row, layers)
        )  # one in the chain and three in each P above
    assert tree[-1] == [name for name in product(layers) if name.startswith("M_{1}")]


@pytest.mark.sample(1)
@pytest.mark.parametrize("layers", [1, 2, 3, 4, 5, 6])
def test_no_two_labels_of_a_tree_overlap(layers):
    assert overlaps(algatt.draw(algatt.unroll(layers))) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize(("layers", "slot"), [(1, 1), (2, 2), (3, 6), (3, 13), (4, 18), (4, 40), (5, 54)])
def test_no_two_labels_of_a_reflection_overlap(layers, slot):
    assert overlaps(algatt.draw(algatt.unroll(layers), window=slot)) == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("layers", [1, 2, 6, 12, 30])
def test_no_two_labels_of_a_dag_overlap_and_all_nodes_are_there(layers):
    dag = algatt.unroll(layers, kind="dag")
    ax = algatt.draw(dag)
    assert overlaps(ax) == []
    assert len(labels(ax)) == len(dag)


@pytest.mark.parametrize("layers", [1, 2, 5])
def test_a_dag_has_a_line_for_each_time_that_a_matrix_is_a_part(layers):
    dag = algatt.unroll(layers, kind="dag")
    parts = [len(str(places).split(",")) for _, _, places in dag.edges(data="places")]
    assert len(picture(dag, None, 40).strokes) == sum(parts) == 2 * layers + 2 + 5 * (layers - 1)


def test_overlaps_are_seen():
    """The check above has teeth: in larger letters the labels do overlap."""
    ax = algatt.draw(algatt.unroll(4))
    for text in ax.texts:
        text.set_fontsize(9)
    assert overlaps(ax)


@pytest.mark.sample(1)
@pytest.mark.parametrize("layers", [3, 4])
def test_labels_do_not_cover_the_leaves(layers):
    ax = algatt.draw(algatt.unroll(layers))
    found = boxes(ax)
    filled, empty = (
        collection.get_offsets()
        for collection in ax.collections
        if len(collection.get_offsets()) and collection.get_zorder() == 3
    )
    assert len(filled) == (3**layers - 1) // 2
    assert len(empty) == 1
    assert sorted(x for x, _ in filled) == list(range(1, len(filled) + 1))
    for dot in ax.transData.transform(np.vstack([filled, empty])):
        assert not any(box.contains(*dot) for _, box in found)


@pytest.mark.sample(2)
@pytest.mark.parametrize("layers", [2, 3, 4])
def test_everything_is_inside_the_figure(layers):
    ax = algatt.draw(algatt.unroll(layers))
    width, height = ax.figure.canvas.get_width_height()
    for _, box in boxes(ax):
        assert 0 <= box.x0 < box.x1 <= width
        assert 0 <= box.y0 < box.y1 <= height


@pytest.mark.parametrize(("layers", "width"), [(3, 3.4), (4, 7.0), (6, 7.0)])
def test_the_widths_are_those_of_a_paper(layers, width):
    ax = algatt.draw(algatt.unroll(layers))
    assert ax.figure.get_figwidth() == width
    assert min(text.get_fontsize() for text in labels(ax)) >= 5.5


def test_an_overview_says_what_it_leaves_out():
    assert (
        algatt.draw(algatt.unroll(5)).get_title()
        == "5 layers, 121 factors: an overview, where ticks without labels are $M_1$, $M_1^T$"
    )
    assert (
        algatt.draw(algatt.unroll(6)).get_title()
        == "6 layers, 364 factors: an overview, where ticks without labels are $M_k$, $M_k^T$ with $k < 3$"
    )
    assert (
        algatt.draw(algatt.unroll(5), window=54).get_title().endswith(", where ticks without labels are $M_1$, $M_1^T$")
    )
    shown = rows(algatt.draw(algatt.unroll(6)))
    assert shown[-2] == ["L", *(name for name in product(6) if name[3] >= "3"), "X"]


def test_narrow_axes_leave_labels_out_instead_of_printing_them_over_each_other():
    figure = Figure(
        figsize=(2.2, 2), dpi=300
    )  # with few dots to the inch matplotlib before 3.11 rounds the widths of letters
    FigureCanvasAgg(figure)
    ax = algatt.draw(algatt.unroll(4), ax=figure.add_axes((0, 0, 1, 0.85)))
    assert "overview" in ax.get_title()
    assert overlaps(ax) == []


def test_axes_without_room_for_any_label_say_so():
    ax = algatt.draw(algatt.unroll(6), ax=Figure(figsize=(0.1, 1)).add_axes((0, 0, 1, 0.8)))
    assert ax.get_title() == "6 layers, 364 factors: an overview, without labels"
    assert [row for row in rows(ax) if row not in (["L", "X"], [r"\varphi"])] == []


def test_axes_that_are_given_are_drawn_on_and_returned():
    figure = Figure(figsize=(7, 4))
    axes = figure.subplots(1, 2)
    assert algatt.draw(algatt.unroll(2), ax=axes[1]) is axes[1]
    assert labels(axes[1])
    assert not labels(axes[0])
    assert tuple(figure.get_size_inches()) == (7, 4)


def curves(ax):
    paths = [
        path
        for collection in ax.collections
        if isinstance(collection, PathCollection)
        for path in collection.get_paths()
    ]
    return [
        path.vertices
        for path in paths
        if path.codes is not None and Path.CURVE4 in path.codes and len(path.vertices) == 4
    ]


@pytest.mark.parametrize(("layers", "slot"), [(2, 4), (3, 1), (3, 3), (3, 6), (4, 9), (4, 30)])
def test_the_arcs_of_a_window_join_what_the_reflection_exchanges(layers, slot):
    tree = algatt.unroll(layers)
    places = tuple(range((3**layers - 1) // 2 + 1))
    exchanged = {(p + 1, q + 1) for p, q in zip(places, algatt.reflect(tree, places, slot), strict=True) if p < q}
    ax = algatt.draw(tree, window=slot)
    assert {(curve[0][0], curve[-1][0]) for curve in curves(ax)} == exchanged
    boxed = [text for text in labels(ax) if text.get_bbox_patch() is not None]
    assert [text.get_text() for text in boxed] == [f"${product(layers)[slot - 1]}$"]
    assert f"slot {slot}" in ax.get_title()


def test_colours_can_be_chosen():
    ax = algatt.draw(algatt.unroll(2), colours=["black", "red"])
    colours = {text.get_text(): text.get_color() for text in labels(ax)}
    assert (colours["$M_{1}$"], colours["$P_{1}$"], colours["$M_{2}$"]) == ("black", "black", "red")


def lightness(colour):
    """CIE L*."""
    return 116 * luminance(to_rgb(colour)) ** (1 / 3) - 16


def lab(colour):
    """CIE Lab of linear sRGB."""
    xyz = (
        np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
        @ colour
        / [0.9505, 1, 1.089]
    )
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


# Machado, Oliveira, Fernandes (2009), severity 1, on linear sRGB
DEFICIENCIES = {
    "none": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
def test_the_palette_survives_colour_blindness(deficiency):
    seen = []
    for colour in PALETTE:
        seen.append(lab(np.clip(DEFICIENCIES[deficiency] @ linear(to_rgb(colour)), 0, 1)))
    assert min(np.linalg.norm(one - two) for one, two in itertools.combinations(seen, 2)) > 15


def test_the_palette_survives_grey_print():
    values = [lightness(colour) for colour in PALETTE]
    assert all(b - a > 5 for a, b in itertools.pairwise(values))
    assert values[3] < 55  # of the layers that are small print, readable on white


def test_svg_is_steady_and_has_the_labels_in_order():
    tree = algatt.unroll(3)
    text = trees.svg(tree)
    assert text == trees.svg(tree)
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
    root = ElementTree.fromstring(text, parser)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    comments = [node.text.strip().strip("$") for node in root.iter() if node.tag is ElementTree.Comment]
    assert len(text) < 300_000
    sequence = comments[comments.index("L") :]
    assert [name for name in sequence if not name.isdigit()][:15] == ["L", "X", *product(3)]
    assert trees.svg(tree, window=6) != text


@pytest.mark.parametrize(
    ("graph", "options", "message"),
    [
        ((7, "tree"), {}, "tree was one of 7 layers with 1,093 factors; it should be of at most 6 layers"),
        ((3, "tree"), {"window": 9}, "slot was 9"),
        ((3, "tree"), {"window": 14}, "slot was 14; it should be an integer from 1 to 13"),
        ((3, "tree"), {"window": 0}, "slot was 0"),
        ((3, "dag"), {"window": 6}, "window was 6, for a dag"),
        ((3, "tree"), {"colours": ["black", "rde"]}, r"colours\[1\] was 'rde'"),
        ((3, "tree"), {"colours": []}, "colours was empty"),
        ((3, "tree"), {"colours": 3}, "colours was 3; it should be a sequence of colours"),
        ((3, "tree"), {"ax": 3}, "ax was 3; it should be axes of matplotlib"),
    ],
)
def test_bad_input(graph, options, message):
    layers, kind = graph
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        algatt.draw(algatt.unroll(layers, kind=kind), **options)


@pytest.mark.parametrize("kind", ["tree", "dag"])
def test_a_part_of_a_graph_is_not_drawn_as_the_whole(kind):
    graph = algatt.unroll(3, kind=kind)
    with pytest.raises(
        algatt.errors.InvalidArgument,
        match=rf"tree was a graph of 1 nodes; it should be one with all {len(graph)} nodes",
    ):
        algatt.draw(graph.subgraph(["phi"]))
    with pytest.raises(algatt.errors.InvalidArgument):
        algatt.draw(algatt.unroll(3).reverse())


def test_a_foreign_graph_is_refused():
    import networkx as nx

    with pytest.raises(
        algatt.errors.InvalidArgument, match="a graph without the attributes layers, kind, factors, root"
    ):
        algatt.draw(nx.DiGraph())


def test_matplotlib_may_be_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        algatt.errors.MissingExtra,
        match=r"matplotlib is not installed; python -m pip install '.\[plot\]' in the folder of",
    ):
        algatt.draw(algatt.unroll(2))


@pytest.mark.sample(0)
def test_neither_matplotlib_nor_pyplot_is_loaded_before_it_is_needed():
    code = (
        f"import sys; sys.path.insert(0, {str(FilePath(algatt.__file__).parents[1])!r}); import algatt, "
        f"algatt.views.trees, algatt.views.trees.files; "
        "print([m for m in ('matplotlib', 'networkx') if m in sys.modules]); algatt.draw(algatt.unroll(2)); "
        "print('matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["[]", "False"]
