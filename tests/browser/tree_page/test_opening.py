"""The html page of a tree in a real browser: subtrees are opened, closed and moved."""

from __future__ import annotations

import networkx as nx
import pytest

import algatt

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.select import Select

from tree_page_reader import Reader


def test_a_click_closes_and_opens(reader: Reader) -> None:
    tree = algatt.unroll(3)
    reader.open(tree)
    reader.one('[data-id="phi/1"]').click()
    assert reader.nodes() == set(tree) - nx.descendants(tree, "phi/1")
    assert reader.one('[data-id="phi/1"]').get_attribute("aria-expanded") == "false"
    reader.one('[data-id="phi/1"]').click()
    assert reader.nodes() == set(tree)
    assert reader.one('[data-id="phi/1"]').get_attribute("aria-expanded") == "true"


def test_a_node_stays_where_it_was_clicked(reader: Reader) -> None:
    reader.open(algatt.unroll(3))
    where = "const {x, y} = document.querySelector('[data-id=\"phi/3\"] .shape').getBoundingClientRect(); return [x, y]"
    before = reader.driver.execute_script(where)
    reader.one('[data-id="phi/3"]').click()
    assert reader.driver.execute_script(where) == pytest.approx(before, abs=0.01)


@pytest.mark.parametrize("layers", [4, 5, 6])
def test_large_trees_start_closed_and_open_down_to_the_leaves(reader: Reader, layers: int) -> None:
    tree = algatt.unroll(layers)
    reader.open(tree)
    assert len(reader.nodes()) < 60
    Select(reader.one("#depth")).select_by_value("0")
    assert reader.nodes() == set(tree)
    Select(reader.one("#depth")).select_by_value("2")
    assert reader.nodes() == {
        node
        for node in tree
        if not any(tree.nodes[above]["symbol"] in ("P_1", "P_2") for above in nx.ancestors(tree, node))
    }


def test_a_drag_moves_the_tree_and_clicks_nothing(reader: Reader) -> None:
    reader.open(algatt.unroll(3))
    shown, before = reader.nodes(), reader.one('[data-id="phi/1"]').rect
    ActionChains(reader.driver).drag_and_drop_by_offset(reader.one('[data-id="phi/1"]'), 40, 25).perform()
    after = reader.one('[data-id="phi/1"]').rect
    assert (after["x"] - before["x"], after["y"] - before["y"]) == pytest.approx((40, 25), abs=2)
    assert reader.nodes() == shown
