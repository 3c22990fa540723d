"""The html page holds the graph, all that it needs, and nothing that could leave it."""

from __future__ import annotations

import json

import networkx as nx
import pytest

import algatt
from algatt.views.trees.page import page
from html_elements import (
    Elements,
    check_needs_nothing_else,
    check_no_element_brings_style_or_code,
    check_policy,
    data_of,
)


def embedded(text: str) -> nx.DiGraph:
    """Return the graph that a page holds."""
    data = json.loads(data_of(text))
    graph = nx.DiGraph(**data["graph"])
    for node in data["nodes"]:
        graph.add_node(node.pop("id"), **node)
    for edge in data["edges"]:
        graph.add_edge(edge.pop("source"), edge.pop("target"), **edge)
    return graph


GRAPHS = [(layers, kind) for kind in ("tree", "dag") for layers in (1, 2, 3, 4)] + [(6, "tree"), (12, "dag")]


@pytest.mark.parametrize(("layers", "kind"), GRAPHS)
def test_the_page_holds_the_graph(layers: int, kind: str) -> None:
    tree = algatt.unroll(layers, kind=kind)
    held = embedded(page(tree))
    assert held.graph == tree.graph
    assert dict(held.nodes(data=True)) == dict(tree.nodes(data=True))
    assert list(held.edges(data=True)) == list(tree.edges(data=True))


@pytest.mark.parametrize(("layers", "kind"), [(3, "tree"), (4, "dag")])
def test_the_page_needs_nothing_else(layers: int, kind: str) -> None:
    check_needs_nothing_else(page(algatt.unroll(layers, kind=kind)))


def test_the_policy_names_the_style_and_the_script_and_forbids_the_rest() -> None:
    check_policy(page(algatt.unroll(2)))


def test_no_element_brings_its_own_style_or_code() -> None:
    check_no_element_brings_style_or_code(page(algatt.unroll(2)))


def test_texts_cannot_leave_their_place() -> None:
    tree = algatt.unroll(2)
    tree.nodes["phi/0"]["symbol"] = "</script><script>alert(1)</script><!--"
    tree.graph["name"] = '"><b>$style&amp;'
    text = page(tree)
    elements = Elements(text)
    assert len(elements.named("script")) == 2
    assert not elements.named("b")
    assert embedded(text).nodes["phi/0"]["symbol"] == "</script><script>alert(1)</script><!--"
    assert embedded(text).graph["name"] == '"><b>$style&amp;'


def test_size() -> None:
    assert len(page(algatt.unroll(4)).encode()) < 100_000
    assert len(page(algatt.unroll(6)).encode()) < 300_000


def test_every_control_has_a_name() -> None:
    text = page(algatt.unroll(2))
    for attributes, content in Elements(text).named("button"):
        assert attributes.get("type") == "button"
        assert attributes.get("aria-label") or content.strip()
    for name in ("svg", "section", "aside"):
        assert all(attributes.get("aria-label") for attributes, _ in Elements(text).named(name))


def test_titles() -> None:
    titles = [
        Elements(page(tree)).named("title")[0][1]
        for tree in (algatt.unroll(1), algatt.unroll(3), algatt.unroll(2, kind="dag"))
    ]
    assert titles == [
        "The recursion unrolled: 1 layer",
        "The recursion unrolled: 3 layers",
        "The recursion unrolled: 2 layers, equal subtrees drawn once",
    ]


def test_other_graphs_are_refused() -> None:
    with pytest.raises(algatt.errors.InvalidArgument, match="a graph made by unroll"):
        page(nx.DiGraph([("a", "b")]))
