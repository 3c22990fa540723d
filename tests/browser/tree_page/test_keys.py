"""The html page of a tree in a real browser: everything is reached by keys alone."""

from __future__ import annotations

from collections.abc import Callable

import networkx as nx
import pytest

import algatt

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tree_page_reader import Reader


def test_the_keys_alone_reach_everything(reader: Reader) -> None:
    tree = algatt.unroll(3)
    reader.open(tree)
    visited = []
    for _ in range(9):
        reader.press(Keys.TAB)
        visited.append(reader.focused("id") or reader.focused("role") or reader.focused("class"))
        if reader.focused("role") == "treeitem":
            assert (
                reader.driver.execute_script(
                    "return getComputedStyle(document.activeElement.querySelector('.halo')).stroke"
                )
                != "none"
            )
        else:
            assert (
                reader.driver.execute_script("return getComputedStyle(document.activeElement).outlineStyle") != "none"
            )
    assert visited[:8] == ["zoom-out", "zoom-in", "fit", "depth", "reflection", "theme", "treeitem", "option"]


def test_the_tree_by_keys(reader: Reader) -> None:
    tree = algatt.unroll(3)
    reader.open(tree)
    reader.press(*[Keys.TAB] * 7)
    assert reader.focused("data-id") == "phi"
    reader.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert reader.focused("data-id") == "phi/1"
    assert reader.text("#details h2 .math") == "P2"
    reader.press(Keys.ENTER)
    assert reader.nodes() == set(tree) - nx.descendants(tree, "phi/1")
    assert reader.focused("data-id") == "phi/1"
    reader.press(Keys.SPACE)
    assert reader.nodes() == set(tree)
    reader.press(Keys.END)
    assert reader.focused("data-id") == "phi/7"
    reader.press(Keys.ARROW_UP, Keys.ENTER)
    assert reader.values("#scene .node.current", "data-slot") == ["13"]
    reader.press(Keys.HOME)
    assert reader.focused("data-id") == "phi"


def test_the_sequence_by_keys(reader: Reader) -> None:
    reader.open(algatt.unroll(3))
    reader.press(*[Keys.TAB] * 8)
    reader.press(Keys.ENTER, Keys.ARROW_RIGHT)
    assert reader.focused("data-slot") == "2"
    reader.press(Keys.END)
    assert reader.focused("data-slot") == "13"
    assert reader.values("#sequence [aria-selected=true]", "data-slot") == ["13"]
    assert "M 1, slot 13 of 13, base 3: 1 1 1" in reader.text("#status")


VIEW_KEYS: dict[str, Callable[[Reader], None]] = {
    "+": lambda reader: reader.press("+"),
    "-": lambda reader: reader.press("-"),
    "w": lambda reader: reader.press("w"),
    "d": lambda reader: reader.press("d"),
    "shift and an arrow": lambda reader: reader.press_with_shift(Keys.ARROW_RIGHT),
    "the wheel": lambda reader: reader.turn_wheel("#drawing", -200),
}


@pytest.mark.parametrize("key", VIEW_KEYS)
def test_the_view_by_keys(reader: Reader, key: str) -> None:
    reader.open(algatt.unroll(3))
    reader.hover("#drawing")
    before = reader.one("#scene").get_attribute("transform")
    VIEW_KEYS[key](reader)
    assert reader.one("#scene").get_attribute("transform") != before
    assert reader.all(".current") == []
    reader.press("0")
    assert reader.one("#scene").get_attribute("transform") == before
