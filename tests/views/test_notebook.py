"""Notebooks: the view of a graph, and the extension, with a stand-in for IPython's registry of formatters."""

from __future__ import annotations

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from pathlib import Path

import networkx as nx
import pytest

import algatt
from algatt.views import notebook, trees
from algatt.views.notebook import TreeView, load_ipython_extension, unload_ipython_extension
from algatt.views.trees.page import page

DIGRAPH = "networkx.classes.digraph.DiGraph"


class Formatter:
    """IPython.core.formatters.BaseFormatter as far as an extension sees it: what is registered by name is kept by class
    once it was used.
    """

    def __init__(self):
        self.by_name, self.by_class = {}, {}

    def for_type_by_name(self, module, name, function):
        self.by_name[f"{module}.{name}"] = function

    def pop(self, name, default):
        if name in self.by_name:
            return self.by_name.pop(name)
        for known in self.by_class:
            if f"{known.__module__}.{known.__name__}" == name:
                return self.by_class.pop(known)
        return default

    def show(self, graph):
        for known in type(graph).__mro__:
            name = f"{known.__module__}.{known.__name__}"
            if known not in self.by_class and name in self.by_name:
                self.by_class[known] = self.by_name.pop(name)
            if known in self.by_class:
                return self.by_class[known](graph)
        own = getattr(graph, "_repr_svg_", None)
        return None if own is None else own()


class Shell:
    """IPython.InteractiveShell as far as an extension sees it."""

    def __init__(self):
        self.svg = Formatter()
        self.display_formatter = type("DisplayFormatter", (), {"formatters": {"image/svg+xml": self.svg}})()


@pytest.fixture
def shell():
    return Shell()


class Frames(HTMLParser):
    """The elements of a piece of html."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)


# The view


@pytest.mark.parametrize(("layers", "kind"), [(1, "tree"), (3, "tree"), (6, "tree"), (2, "dag"), (12, "dag")])
def test_the_frame_holds_the_page_and_nothing_else(layers, kind):
    tree = algatt.unroll(layers, kind=kind)
    text = TreeView(tree)._repr_html_()
    assert text.isascii()  # the page of a notebook may have another encoding
    found = Frames(text)
    ((tag, attributes),) = found.elements
    assert tag == "iframe"
    assert found.texts == []
    assert attributes["srcdoc"] == page(tree)
    assert attributes["sandbox"] == "allow-scripts"  # with allow-same-origin the page could reach the notebook
    assert attributes["title"] in page(tree)


def test_hostile_texts_stay_in_the_frame():
    tree = algatt.unroll(2)
    tree.nodes["phi/0"]["symbol"] = "\"'></iframe><script>alert(1)</script>"
    ((_, attributes),) = Frames(TreeView(tree)._repr_html_()).elements
    assert attributes["srcdoc"] == page(tree)


def test_the_picture_is_that_of_draw():
    tree = algatt.unroll(3)
    picture = TreeView(tree)._repr_svg_()
    assert picture == trees.svg(tree)
    assert ElementTree.fromstring(picture).tag.endswith("svg")


def test_a_view_is_a_value_of_a_graph_that_can_be_drawn():
    view = TreeView(algatt.unroll(2))
    with pytest.raises(AttributeError):
        view.tree = None
    for bad, message in [
        (algatt.unroll(7), "tree was one of 7 layers with 1,093 factors; it should be of at most 6 layers"),
        (nx.DiGraph(), "a graph made by unroll"),
        (3, "tree was 3; it should be a graph made by unroll"),
    ]:
        with pytest.raises(algatt.errors.InvalidArgument, match=message):
            TreeView(bad)


def test_without_matplotlib_there_is_the_page_alone(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    view = TreeView(algatt.unroll(2))
    assert view._repr_svg_() is None
    assert Frames(view._repr_html_()).elements[0][1]["srcdoc"] == page(view.tree)


def test_a_view_of_four_layers_is_small():
    assert len(TreeView(algatt.unroll(4))._repr_html_()) < 100_000


# The extension


@pytest.mark.sample(1)
@pytest.mark.parametrize(("layers", "kind"), [(1, "tree"), (3, "tree"), (5, "tree"), (1, "dag"), (9, "dag")])
def test_graphs_made_by_unroll_are_shown(shell, layers, kind):
    load_ipython_extension(shell)
    tree = algatt.unroll(layers, kind=kind)
    assert shell.svg.show(tree) == trees.svg(tree)


def test_graphs_that_were_read_or_got_attributes_are_shown(shell, tmp_path):
    load_ipython_extension(shell)
    tree = algatt.unroll(2)
    nx.write_graphml(tree, tmp_path / "tree.graphml")
    nx.set_node_attributes(tree, [1, 2], "mine")
    nx.set_edge_attributes(tree, 3, "weight")
    for graph in (tree, tree.copy(), nx.read_graphml(tmp_path / "tree.graphml")):
        assert shell.svg.show(graph) == trees.svg(algatt.unroll(2))


def changed(how):
    tree = algatt.unroll(2)
    how(tree)
    return tree


OTHERS = {
    "empty": nx.DiGraph(),
    "path": nx.path_graph(3, create_using=nx.DiGraph),
    "multigraph": nx.MultiDiGraph(algatt.unroll(2)),
    "too large": algatt.unroll(7),
    "too large a dag": algatt.unroll(333, kind="dag"),
    "part": algatt.unroll(3).subgraph(["phi", "phi/0", "phi/1"]),
    "reversed": algatt.unroll(3).reverse(),
    "another node": changed(lambda tree: tree.add_node("new")),
    "another edge": changed(lambda tree: tree.add_edge("phi/1", "phi/0", places="5")),
    "an attribute less": changed(lambda tree: tree.nodes["phi/1"].pop("kind")),
    "another factor": changed(lambda tree: tree.nodes["phi/1/3"].update(transposed=False)),
    "of another kind": changed(lambda tree: tree.graph.update(kind="dag")),
    "foreign attributes": nx.DiGraph([("a", "b")], layers="many", kind="tree", factors=3, root="a"),
    "more foreign attributes": nx.DiGraph([("a", "b")], layers=[1], kind=None, factors=3, root="a"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_other_graphs_are_shown_as_before(shell, name):
    load_ipython_extension(shell)
    assert shell.svg.show(OTHERS[name]) is None


def test_a_subclass_with_a_picture_of_its_own_keeps_it(shell):
    class Drawn(nx.DiGraph):
        def _repr_svg_(self):
            return "<svg/>"

    load_ipython_extension(shell)
    assert shell.svg.show(Drawn()) == "<svg/>"


@pytest.mark.sample(1)
@pytest.mark.parametrize("used", [False, True])
def test_what_was_registered_before_is_asked_and_comes_back(shell, used):
    before = {"a": "<svg>other</svg>"}.get
    shell.svg.for_type_by_name(*DIGRAPH.rsplit(".", 1), lambda graph: before(graph.graph.get("name")))
    other = nx.DiGraph(name="a")
    if used:  # then it is registered by class, and found before what is registered by name
        assert shell.svg.show(other) == "<svg>other</svg>"
    load_ipython_extension(shell)
    assert shell.svg.show(algatt.unroll(2)) == trees.svg(algatt.unroll(2))
    assert shell.svg.show(other) == "<svg>other</svg>"
    load_ipython_extension(shell)
    unload_ipython_extension(shell)
    assert shell.svg.show(algatt.unroll(2)) is None
    assert shell.svg.show(other) == "<svg>other</svg>"


@pytest.mark.sample(1)
@pytest.mark.parametrize("used", [False, True])
def test_unloading_and_loading_again(shell, used):
    load_ipython_extension(shell)
    if used:
        shell.svg.show(algatt.unroll(1))
    unload_ipython_extension(shell)
    assert (shell.svg.by_name, shell.svg.by_class) == ({}, {})
    unload_ipython_extension(shell)
    load_ipython_extension(shell)
    assert shell.svg.show(algatt.unroll(1)) is not None


def test_what_was_registered_later_stays(shell):
    load_ipython_extension(shell)
    shell.svg.for_type_by_name(*DIGRAPH.rsplit(".", 1), str)
    unload_ipython_extension(shell)
    assert shell.svg.by_name == {DIGRAPH: str}


def test_loading_without_matplotlib_says_so(shell, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(algatt.errors.MissingExtra, match="matplotlib is not installed"):
        load_ipython_extension(shell)
    assert shell.svg.by_name == {}


def test_ipython_itself():
    """The stand-in is like IPython, where there is one."""
    pytest.importorskip("IPython", reason="the extension is tested with a stand-in only: IPython is not installed")
    from IPython.core.formatters import SVGFormatter

    shell = Shell()
    shell.display_formatter.formatters["image/svg+xml"] = formatter = SVGFormatter()
    tree = algatt.unroll(2)
    for _ in range(2):
        load_ipython_extension(shell)
        assert formatter(tree) == trees.svg(tree)
        assert formatter(nx.DiGraph()) is None
        unload_ipython_extension(shell)
        assert formatter(tree) is None


def test_the_module_imports_neither_ipython_nor_networkx():
    code = (
        f"import sys; sys.path.insert(0, {str(Path(algatt.__file__).parents[1])!r}); import {notebook.__name__}; "
        "print([m for m in ('IPython', 'networkx', 'matplotlib') if m in sys.modules])"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )
