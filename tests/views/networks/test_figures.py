"""Pictures of networks: what is in them, and that nothing covers anything else."""

from __future__ import annotations

import itertools
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox

import algatt
from algatt.architectures import outline
from algatt.architectures.parts import parts_of
from algatt.layers import (
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    LearnedPosition,
    Linear,
    Named,
    Parallel,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftmaxRouter,
    Stack,
    Tie,
    Unembedding,
)
from algatt.layers.description import noun_of
from algatt.views import network_files
from algatt.views.networks import figures
from algatt.views.networks.picture import picture
from algatt.views.networks.shapes import Box, Caption, Drawing, Segment, SumSign
from algatt.views.networks.words import TIMES, in_tex
from algatt.views.notebook import NetworkView

LLAMA_BLOCK = Residual(RMSNorm() >> Heads(4, key_heads=2, mask=Causal(), position=Rotary())) >> Residual(
    RMSNorm() >> Feedforward(64, SiLU(), gated=True)
)

GPT_BLOCK = Residual(LayerNorm() >> Heads(4, biases="QKVO")) >> Residual(LayerNorm() >> Feedforward(64, bias=True))

BRANCHES = Parallel(Linear(4) >> Linear(5), Residual(Linear(6)) >> Linear(5), Linear(5))

LONG = "a_name_that_is_a_good_deal_wider_than_the_box_that_is_in_it"

NETWORKS = {
    "llama": algatt.Network(Embedding(50, 16) >> 2 * LLAMA_BLOCK >> RMSNorm() >> Unembedding(50), tokens=8),
    "gpt": algatt.Network(
        Tie(
            Embedding(50, 16) >> LearnedPosition() >> 3 * GPT_BLOCK >> Unembedding(50),
            {"unembedding.U": "embedding.E"},
        ),
        tokens=8,
    ),
    "nested": algatt.Network(
        2 * Residual(Parallel(Heads(2, norm=RMSNorm()), Experts(8, Feedforward(32) >> Linear(8), SoftmaxRouter(top=2))))
        >> Residual(Residual(Linear(8)))
        >> Stack((Linear(4), Named("last", Linear(3) >> Linear(5)), Linear(4) >> Linear(2))),
        tokens=4,
        width=8,
    ),
    "branches": algatt.Network(BRANCHES, tokens=2, width=6),
    "long name": algatt.Network(Named(LONG, Linear(2)), tokens=1, width=2),
    "lightning": algatt.Lightning((4, 3, 4), (2, 2), 3),
}


def drawn(name: str) -> Drawing:
    return picture(parts_of(NETWORKS[name]), figures.text_width)


def texts(drawing: Drawing) -> list[str]:
    return [one.text for one in drawing.shown if isinstance(one, Caption)]


def boxes(ax: Axes) -> list[tuple[str, Any]]:
    ax.figure.canvas.draw()
    return [(text.get_text(), text.get_window_extent()) for text in [*ax.texts, ax.title] if text.get_text()]


def covers(one: Bbox, two: Bbox) -> bool:
    """Return whether two boxes share more than what matplotlib 3.8 rounds them up by: they are whole pixels there."""
    return bool(one.padded(-1).overlaps(two.padded(-1)))


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", NETWORKS)
def test_no_words_cover_others(name: str) -> None:
    found = boxes(algatt.draw(NETWORKS[name]))
    assert [(one, two) for (one, box), (two, other) in itertools.combinations(found, 2) if covers(box, other)] == []


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", NETWORKS)
def test_everything_is_on_the_figure(name: str) -> None:
    ax = algatt.draw(NETWORKS[name])
    whole = ax.figure.bbox
    for text, box in boxes(ax):
        assert (whole.x0 <= box.x0, box.x1 <= whole.x1, whole.y0 <= box.y0, box.y1 <= whole.y1) == (True,) * 4, text
    assert ax.figure.get_figwidth() >= 3.4


def inside(one: Box, other: Box) -> bool:
    return other.left <= one.left and one.right <= other.right and other.top <= one.top and one.bottom <= other.bottom


def apart(one: Box, other: Box) -> bool:
    return one.right <= other.left or other.right <= one.left or one.bottom <= other.top or other.bottom <= one.top


@pytest.mark.parametrize("name", NETWORKS)
def test_boxes_are_nested_or_apart(name: str) -> None:
    found = [one for one in drawn(name).shown if isinstance(one, Box)]
    for one, other in itertools.combinations(found, 2):
        assert inside(one, other) or inside(other, one) or apart(one, other)


@pytest.mark.parametrize("name", NETWORKS)
def test_words_are_in_their_boxes_and_lines_pass_by(name: str) -> None:
    shown = drawn(name).shown
    cards = [one for one in shown if isinstance(one, Box) and not one.frame]
    for words in (one for one in shown if isinstance(one, Caption)):
        width = figures.text_width(words.text, words.size, words.bold)
        left = words.x - {"left": 0, "center": width / 2, "right": width}[words.side]
        box = Box(left, words.y - 3, left + width, words.y + 3, "other")
        assert all(inside(box, card) or apart(box, card) for card in cards), words.text
    crossed = [one for one in cards if not any(inside(one, other) for other in cards if other is not one)]
    for line in (one for one in shown if isinstance(one, Segment)):
        for (a, b), (c, d) in itertools.pairwise(line.points):
            box = Box(min(a, c), min(b, d), max(a, c), max(b, d), "other")
            assert all(apart(box, card) or any(inside(box, holder) for holder in cards) for card in crossed)


def test_what_the_llama_shows() -> None:
    drawing = drawn("llama")
    found = texts(drawing)
    assert found.count("RMSNorm") == 3  # two of a block that is drawn once, and the last one
    assert found.count(f"2 {TIMES}") == found.count("Heads") == found.count("Feedforward") == 1
    assert {"$Q_{1}$, …, $Q_{4}$", "$K_{1}$, $K_{2}$", "$\\mathrm{gate}$"} <= set(found)
    assert {f"64 {TIMES} 16", f"$X$   50 {TIMES} 8", f"16 {TIMES} 8"} <= set(found)
    assert "heads 4, key heads 2," in found
    assert sum(isinstance(one, SumSign) for one in drawing.shown) == 2
    around = [one for one in drawing.shown if isinstance(one, Segment) and len(one.points) == 4]
    assert len(around) == 2
    (one, other) = around
    assert one.points[1][0] == other.points[1][0]  # one above the other


def test_what_is_tied_says_to_what() -> None:
    assert "$U$ = embedding.E" in texts(drawn("gpt"))


def test_parts_within_a_layer() -> None:
    found = texts(drawn("nested"))
    assert {f"8 {TIMES}", "query norm", "key norm", "last", "block 3"} <= set(found)
    assert found.count("Experts") == 1


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("W", "$W$"),
        ("Q_1", "$Q_{1}$"),
        ("b_Q_12", "$b_{Q,12}$"),
        ("up", r"$\mathrm{up}$"),
        ("b_up", r"$b_{\mathrm{up}}$"),
        ("cost$", r"cost\$"),
        ("a b", "a b"),
        ("_", "_"),
    ],
)
def test_names_as_formulas(name: str, formula: str) -> None:
    assert in_tex(name) == formula


def test_a_picture_fits_given_axes() -> None:
    figure = Figure(figsize=(2, 6))
    FigureCanvasAgg(figure)
    ax = figure.add_axes((0.05, 0.05, 0.9, 0.9))
    assert algatt.draw(NETWORKS["llama"], ax=ax) is ax
    found = boxes(ax)
    room = figure.bbox
    assert all(room.x0 <= box.x0 and box.x1 <= room.x1 for _, box in found)
    assert not [pair for pair in itertools.combinations([box for _, box in found], 2) if covers(*pair)]


def test_what_cannot_be_drawn() -> None:
    different = Stack(tuple(Linear(2 + number % 2) for number in range(201)))
    with pytest.raises(
        algatt.errors.InvalidArgument, match="network was one of 201 boxes; it should be one of at most 200"
    ):
        algatt.draw(algatt.Network(different, tokens=1, width=2))
    with pytest.raises(algatt.errors.InvalidArgument, match="ax was"):
        algatt.draw(NETWORKS["llama"], ax=3)
    with pytest.raises(algatt.errors.MethodError):
        algatt.draw(NETWORKS["llama"], window=3)
    assert algatt.draw(algatt.Network(1000 * Linear(2), tokens=1, width=2)) is not None  # one box


def test_a_graph_is_drawn_as_before() -> None:
    assert "P_0 = X X^T" in algatt.draw(algatt.unroll(2)).get_title()


@pytest.mark.sample(1)
@pytest.mark.parametrize("suffix", network_files.SUFFIXES)
def test_each_suffix(suffix: str, tmp_path: Path) -> None:
    first, second = tmp_path / f"one.{suffix}", tmp_path / f"two.{suffix}"
    for path in (first, second):
        network_files.write(NETWORKS["llama"], path)
    assert first.read_bytes() == second.read_bytes()
    if suffix in ("svg", "graphml"):
        ElementTree.parse(first)
    if suffix == "svg":
        assert "Feedforward" in first.read_text()
    if suffix == "txt":
        assert first.read_text() == outline(NETWORKS["llama"])


@pytest.mark.sample(0)
def test_graphs_of_programs_are_read_back(tmp_path: Path) -> None:
    import pydot

    graph = algatt.maps.program_graph(NETWORKS["llama"])
    network_files.write(NETWORKS["llama"], tmp_path / "program.graphml")
    again = nx.read_graphml(tmp_path / "program.graphml")
    assert (again.graph["value"], again._node, again._adj) == (graph.graph["value"], graph._node, graph._adj)
    network_files.write(NETWORKS["llama"], tmp_path / "program.dot")
    (read,) = pydot.graph_from_dot_file(tmp_path / "program.dot")
    results = {node.get_name().strip('"'): node.get("result").strip('"') for node in read.get_nodes()}
    assert results == dict(graph.nodes(data="shape"))
    assert len(read.get_edges()) == graph.number_of_edges()


def test_the_description_is_read_back(tmp_path: Path) -> None:
    import json

    path = tmp_path / "net.json"
    for name in ("llama", "nested", "lightning"):
        network_files.write(NETWORKS[name], path)
        assert noun_of(json.loads(path.read_text())) == algatt.expression(NETWORKS[name])


def test_a_failure_writes_nothing(tmp_path: Path) -> None:
    different = algatt.Network(Stack(tuple(Linear(2 + number % 2) for number in range(201))), tokens=1, width=2)
    with pytest.raises(algatt.errors.InvalidArgument):
        network_files.write(different, tmp_path / "a.svg")
    with pytest.raises(algatt.errors.InvalidArgument, match="output was"):
        network_files.write(different, tmp_path / "a.doc")
    assert list(tmp_path.iterdir()) == []


def test_a_view_in_a_notebook() -> None:
    view = NetworkView(NETWORKS["llama"])
    page = view._repr_html_()
    assert page.startswith('<iframe title="Network(Embedding(50, 16) &gt;&gt; ')
    assert 'sandbox="allow-scripts"' in page
    assert ElementTree.fromstring(view._repr_svg_()).tag == "{http://www.w3.org/2000/svg}svg"
    different = algatt.Network(Stack(tuple(Linear(2 + number % 2) for number in range(201))), tokens=1, width=2)
    assert NetworkView(different)._repr_svg_() is None
    assert NetworkView(different)._repr_html_()
    with pytest.raises(algatt.errors.InvalidArgument, match="network was 3"):
        NetworkView(3)  # type: ignore[arg-type]


def test_matplotlib_is_imported_when_something_is_drawn() -> None:
    code = "import sys, algatt.views.networks, algatt.views.networks.files; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
