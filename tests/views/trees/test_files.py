"""The recursion as a file: what networkx, Graphviz and TeX make of it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import networkx as nx
import pytest

import algatt
from algatt.views import tree_files

DOT = shutil.which("dot")

GRAPHS = [(1, "tree"), (3, "tree"), (1, "dag"), (3, "dag"), (60, "dag")]

LAST = re.compile(r"M_\d+(\^T)?")


def contents(graph):
    """Everything in a graph, with the types of its attributes: True == 1."""
    typed = {
        node: {name: (type(value), value) for name, value in data.items()} for node, data in graph.nodes(data=True)
    }
    return typed, sorted(graph.edges(data="places"))


@pytest.mark.parametrize(("layers", "kind"), GRAPHS)
def test_graphml_is_read_back(layers, kind, tmp_path):
    tree = algatt.unroll(layers, kind=kind)
    tree_files.write(tree, tmp_path / "tree.graphml")
    read = nx.read_graphml(tmp_path / "tree.graphml")
    assert contents(read) == contents(tree)
    assert {name: read.graph[name] for name in tree.graph} == tree.graph  # the reader adds two of its own


@pytest.mark.parametrize(("layers", "kind"), GRAPHS)
def test_json_is_read_back(layers, kind, tmp_path):
    tree = algatt.unroll(layers, kind=kind)
    tree_files.write(tree, tmp_path / "tree.json")
    data = json.loads((tmp_path / "tree.json").read_text())
    read = nx.node_link_graph(data, edges="edges")
    assert (contents(read), read.graph) == (contents(tree), tree.graph)


@pytest.mark.skipif(DOT is None, reason="Graphviz is not installed")
@pytest.mark.parametrize(("layers", "kind"), GRAPHS[:-1])
def test_graphviz_reads_the_same_graph(layers, kind, tmp_path):
    tree = algatt.unroll(layers, kind=kind)
    tree_files.write(tree, tmp_path / "tree.dot")
    done = subprocess.run([DOT, "-Tjson", tmp_path / "tree.dot"], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    read = json.loads(done.stdout)
    names = {node["_gvid"]: node["name"] for node in read["objects"]}
    assert {node["name"]: node["symbol"] for node in read["objects"]} == dict(tree.nodes(data="symbol"))
    assert {node["name"]: node["slot"] for node in read["objects"]} == {
        node: str(slot) for node, slot in tree.nodes(data="slot")
    }
    assert {(names[edge["tail"]], names[edge["head"]], edge["places"]) for edge in read["edges"]} == set(
        tree.edges(data="places")
    )
    assert (read["layers"], read["kind"], read["root"]) == (str(layers), kind, "phi")
    if kind == "tree":  # the children of the root from left to right in Graphviz's own layout
        places = {node["name"]: float(node["pos"].split(",")[0]) for node in read["objects"]}
        below = algatt.trees.children(tree, "phi")
        assert sorted(below, key=places.__getitem__) == below


def test_names_are_quoted():
    graph = algatt.unroll(1)
    hostile = 'a"b -> c; \\'
    nx.relabel_nodes(graph, {"phi/2": hostile}, copy=False)
    text = tree_files.dot(graph)
    assert '"a\\"b -> c; \\\\"' in text
    if DOT is not None:
        assert subprocess.run([DOT, "-Tplain"], input=text, capture_output=True, text=True, check=True).stderr == ""


def test_text_is_the_tree_and_its_factors():
    lines = tree_files.outline(algatt.unroll(2)).splitlines()
    assert lines == [
        "phi",
        "  L",
        "  P_1",
        "    P_0 = X X^T",
        "    M_1  (slot 1)",
        "    P_0 = X X^T",
        "    M_1^T  (slot 2)",
        "    P_0 = X X^T",
        "  M_2  (slot 3)",
        "  P_0 = X X^T",
        "  M_1  (slot 4)",
        "  X",
        "",
        "factors: M_1 M_1^T M_2 M_1",
    ]


@pytest.mark.parametrize("layers", [1, 3, 5])
def test_the_text_of_a_dag_expands_to_the_factors(layers):
    """Putting each equation into the one above gives the product of the tree."""
    *equations, leaf = tree_files.outline(algatt.unroll(layers, kind="dag")).splitlines()
    assert leaf == "P_0 = X X^T"
    rules = dict(line.split(" = ") for line in equations)
    product = rules.pop("phi")
    for name, right in rules.items():
        product = " ".join(right if word == name else word for word in product.split())
    assert [word for word in product.split() if LAST.fullmatch(word)] == [
        str(factor) for factor in algatt.factors(layers)
    ]


def test_text_of_a_reflection():
    last = tree_files.outline(algatt.unroll(3), 6).splitlines()[-1]
    assert last == "reflection at slot 6, M_2^T: j_6 <-> j_7, j_5 <-> j_8, j_4 <-> j_9"


@pytest.mark.parametrize(
    ("layers", "kind", "slot"),
    [(1, "tree", None), (3, "tree", 6), (4, "tree", None), (6, "tree", None), (5, "dag", None)],
)
def test_tikz_has_the_picture(layers, kind, slot):
    text = tree_files.tikz(algatt.unroll(layers, kind=kind), slot)
    assert text.count("{") == text.count("}")
    assert text.count("$") % 2 == 0
    for environment in ("document", "tikzpicture"):
        assert text.count(rf"\begin{{{environment}}}") == text.count(rf"\end{{{environment}}}") == 1
    used = set(re.findall(r"layer\d+", text.split(r"\begin{tikzpicture}")[1]))
    assert used <= set(re.findall(r"\\definecolor\{(layer\d+)\}", text))
    if kind == "tree" and layers < 5:
        row = re.findall(r"at \((\S+),-0\.85\) \{\$(M\S+)\$\}", text)
        assert [x for x, _ in row] == [f"{m + 0.5:g}" for m in range(1, len(row) + 1)]
        assert [name.replace("{", "").replace("}", "") for _, name in row] == [
            str(factor) for factor in algatt.factors(layers)
        ]


LATEX, KPSEWHICH = shutil.which("pdflatex"), shutil.which("kpsewhich")


def tex_has_tikz():
    if LATEX is None or KPSEWHICH is None:
        return False
    return all(
        subprocess.run([KPSEWHICH, name], capture_output=True, check=False).returncode == 0
        for name in ("standalone.cls", "tikz.sty")
    )


@pytest.mark.skipif(not tex_has_tikz(), reason="TeX with standalone and TikZ is not installed")
@pytest.mark.parametrize(("layers", "kind", "slot"), [(3, "tree", 6), (6, "tree", None), (12, "dag", None)])
def test_tex_sets_the_picture(layers, kind, slot, tmp_path):
    tree_files.write(algatt.unroll(layers, kind=kind), tmp_path / "tree.tex", slot=slot)
    done = subprocess.run(
        [LATEX, "-interaction=nonstopmode", "-halt-on-error", "tree.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-1000:]
    assert "1 page" in done.stdout


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("suffix", "start"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG"), ("html", b"<!"), ("SVG", b"<?xml")]
)
def test_pictures_and_pages(suffix, start, tmp_path):
    path = tmp_path / f"tree.{suffix}"
    for _ in range(2):  # a file that is there is replaced, by the same
        before = path.read_bytes() if path.exists() else None
        tree_files.write(algatt.unroll(2), path)
        assert path.read_bytes().startswith(start)
        assert before in (None, path.read_bytes())
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.sample(0)
def test_every_suffix_is_written(tmp_path):
    for suffix in tree_files.SUFFIXES:
        for kind in ("tree", "dag"):
            tree_files.write(algatt.unroll(2, kind=kind), tmp_path / f"{kind}.{suffix}")
    assert len(list(tmp_path.iterdir())) == 2 * len(tree_files.SUFFIXES) == 18
    for name in ("tree.svg", "tree.graphml"):
        ElementTree.parse(tmp_path / name)


@pytest.mark.parametrize("name", ["tree.xyz", "tree", "svg", ".svg", "tree."])
def test_an_unknown_suffix_is_refused(name, tmp_path):
    with pytest.raises(algatt.errors.InvalidArgument, match=r"it should be a file that ends in \.svg, \.pdf"):
        tree_files.write(algatt.unroll(1), tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_failure_leaves_the_old_file(tmp_path):
    path = tmp_path / "tree.svg"
    path.write_text("old")
    with pytest.raises(algatt.errors.InvalidArgument):
        tree_files.write(algatt.unroll(7), path)
    with pytest.raises(algatt.errors.InvalidArgument):
        tree_files.write(algatt.unroll(3), path, slot=9)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("suffix", ["html", "dot", "graphml", "json"])
def test_a_slot_is_refused_where_it_would_not_be_seen(suffix, tmp_path):
    with pytest.raises(algatt.errors.InvalidArgument, match="slot was 3"):
        tree_files.write(algatt.unroll(3), tmp_path / f"tree.{suffix}", slot=3)


def test_a_slot_of_a_dag_is_refused_in_text_too():
    with pytest.raises(algatt.errors.InvalidArgument, match="window was 3, for a dag"):
        tree_files.tikz(algatt.unroll(3, kind="dag"), 3)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(algatt.errors.OutputError):
        tree_files.write(algatt.unroll(1), tmp_path / "missing" / "tree.txt")
