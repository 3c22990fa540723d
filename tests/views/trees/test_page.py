"""The html page holds the graph, all that it needs, and nothing that could leave it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser

import networkx as nx
import pytest

import algatt
from algatt.views.trees.page import page


class Elements(HTMLParser):
    """The elements of a page with their attributes and their text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None], list[str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs), []))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(("", {}, []))  # what follows is not its text

    def handle_data(self, data: str) -> None:
        if self.found:
            self.found[-1][2].append(data)

    def named(self, name: str) -> list[tuple[dict[str, str | None], str]]:
        return [(attributes, "".join(texts)) for tag, attributes, texts in self.found if tag == name]


def embedded(text: str) -> nx.DiGraph:
    """Return the graph that a page holds."""
    ((_, content),) = [
        script for script in Elements(text).named("script") if script[0].get("type") == "application/json"
    ]
    data = json.loads(content)
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
    text = page(algatt.unroll(layers, kind=kind))
    assert not re.search(r"https?:|//\w|@import|url\(|\bimport\b.*\bfrom\b", text)
    elements = Elements(text)
    assert not [tag for tag, attributes, _ in elements.found if {"src", "href", "srcset", "action"} & set(attributes)]
    assert not elements.named("link")


def test_the_policy_names_the_style_and_the_script_and_forbids_the_rest() -> None:
    elements = Elements(page(algatt.unroll(2)))
    (policy,) = [
        attributes["content"]
        for attributes, _ in elements.named("meta")
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    (style,) = elements.named("style")
    (script,) = [script for script in elements.named("script") if "type" not in script[0]]
    hashes = [
        "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for _, text in (style, script)
    ]
    assert (
        policy
        == f"default-src 'none'; style-src '{hashes[0]}'; script-src '{hashes[1]}'; base-uri 'none'; form-action 'none'"
    )


def test_no_element_brings_its_own_style_or_code() -> None:
    attributes = {name for _, found, _ in Elements(page(algatt.unroll(2))).found for name in found}
    assert not [name for name in attributes if name == "style" or name.startswith("on")]


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
