"""The html page in a real browser, without a window: what a reader sees, points at and types."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import algatt
from algatt.views.notebook import TreeView
from algatt.views.palette import PALETTE
from algatt.views.trees.page import page

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.select import Select
from selenium.webdriver.support.wait import WebDriverWait

HANGS = 600
"""Seconds after which a wait for something that never comes ends."""

SEQUENCES = {2: "M1 M1' M2 M1", 3: "M1 M1' M2 M1 M1' M2' M1 M1' M3 M1 M1' M2 M1"}
"""The factors as HMK writes them out."""

Box = tuple[float, float, float, float]
"""Left, right, top and bottom of an element, in pixels of the window."""


class Reader:
    """Someone in front of the page."""

    def __init__(self, driver: webdriver.Chrome, folder: Path) -> None:
        self.driver = driver
        self.folder = folder

    def open(self, tree: nx.DiGraph) -> None:
        self.read(page(tree))

    def read(self, text: str) -> None:
        path = self.folder / "tree.html"
        path.write_text(text, encoding="utf-8")
        self.driver.get(path.as_uri())

    def size(self, width: int, height: int) -> None:
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def prefers(self, scheme: str) -> None:
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )

    def one(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def values(self, selector: str, attribute: str) -> list[str]:
        script = (
            "const [selector, name] = arguments; return [...document.querySelectorAll(selector)].map((found) => "
            "found.getAttribute(name) ?? '')"
        )
        return list(self.driver.execute_script(script, selector, attribute))

    def boxes(self, selector: str) -> list[Box]:
        script = "return [...document.querySelectorAll(arguments[0])].map((found) => found.getBoundingClientRect())"
        found = self.driver.execute_script(script, selector)
        return [(box["left"], box["right"], box["top"], box["bottom"]) for box in found]

    def text(self, selector: str) -> str:
        """Return a text in one step: the page may put another element in the place of one that was found before."""
        return " ".join(
            self.driver.execute_script("return document.querySelector(arguments[0]).textContent", selector).split()
        )

    def press(self, *keys: str) -> None:
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def press_with_shift(self, key: str) -> None:
        ActionChains(self.driver).key_down(Keys.SHIFT).send_keys(key).key_up(Keys.SHIFT).perform()

    def hover(self, selector: str) -> None:
        ActionChains(self.driver).move_to_element(self.one(selector)).perform()

    def turn_wheel(self, selector: str, by: int) -> None:
        ActionChains(self.driver).scroll_from_origin(ScrollOrigin.from_element(self.one(selector)), 0, by).perform()

    def waits(self, until: Callable[[], bool]) -> None:
        WebDriverWait(self.driver, HANGS, poll_frequency=0.02).until(lambda _: until())

    @contextlib.contextmanager
    def frame(self, selector: str) -> Iterator[None]:
        self.driver.switch_to.frame(self.one(selector))
        self.waits(
            lambda: self.driver.execute_script("return performance.getEntriesByName('interactive').length === 1")
        )
        yield
        self.driver.switch_to.default_content()

    def focused(self, attribute: str) -> str | None:
        return self.driver.switch_to.active_element.get_attribute(attribute)

    def nodes(self) -> set[str]:
        return set(self.values("#scene .node", "data-id"))

    def complaints(self) -> list[Any]:
        return self.driver.get_log("browser")

    def requests(self) -> list[str]:
        events = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]


@pytest.fixture
def reader(driver: webdriver.Chrome, tmp_path: Path) -> Iterator[Reader]:
    reader = Reader(driver, tmp_path)
    reader.size(1280, 800)
    reader.prefers("light")
    reader.complaints(), reader.requests()  # forget those of other tests
    yield reader
    assert reader.complaints() == []


def in_print(symbol: str) -> str:
    """Return M1' as the page's text has it."""
    return symbol.replace("'", "T")


def gap(one: Box, two: Box) -> float:
    """Return how many pixels two boxes are apart, in the direction in which they are farther; below 0 if
    they overlap.
    """
    return max(one[0] - two[1], two[0] - one[1], one[2] - two[3], two[2] - one[3])


# What is there


@pytest.mark.parametrize("kind", ["tree", "dag"])
@pytest.mark.parametrize("layers", [1, 2, 3, 4, 6])
def test_the_page_loads_without_the_network(reader: Reader, layers: int, kind: str) -> None:
    reader.open(algatt.unroll(layers, kind=kind))
    assert reader.one("#scene .function").is_displayed()
    assert reader.requests() == [reader.driver.current_url]


def test_the_policy_stops_requests(reader: Reader) -> None:
    reader.open(algatt.unroll(2))
    blocked = """
        const [answer] = arguments;
        document.addEventListener("securitypolicyviolation", (event) => answer(event.effectiveDirective));
        fetch("http://127.0.0.1:9/").catch(() => null);
    """
    assert reader.driver.execute_async_script(blocked) == "connect-src"
    assert reader.complaints() != []


def test_time_to_the_first_key(reader: Reader) -> None:
    for layers in (4, 6):
        reader.open(algatt.unroll(layers))
        moment = reader.driver.execute_script("return performance.getEntriesByName('interactive')[0].startTime")
        assert moment > 0
        print(f"{layers} layers: interactive after {moment:.0f} ms")  # depends on the machine, so it is not judged


@pytest.mark.parametrize(("layers", "sequence"), SEQUENCES.items())
def test_the_sequence_is_the_published_one(reader: Reader, layers: int, sequence: str) -> None:
    reader.open(algatt.unroll(layers))
    assert [element.get_attribute("textContent") for element in reader.all(".slot .math")] == [
        in_print(symbol) for symbol in sequence.split()
    ]


def test_three_layers_are_shown_whole(reader: Reader) -> None:
    tree = algatt.unroll(3)
    reader.open(tree)
    assert reader.nodes() == set(tree)


def test_factors_stand_between_their_leaves(reader: Reader) -> None:
    reader.open(algatt.unroll(3))
    centre = """
        const middle = ({left, right}) => (left + right) / 2;
        const [selector, name] = arguments;
        return [...document.querySelectorAll(selector)]
            .map((found) => [Number(found.dataset[name]), middle(found.getBoundingClientRect())]);
    """
    leaves = dict(reader.driver.execute_script(centre, "#scene .node[data-position]", "position"))
    factors = dict(reader.driver.execute_script(centre, "#scene .node[data-slot]", "slot"))
    assert sorted(factors) == list(range(1, 14))
    assert all(leaves[slot] < factors[slot] < leaves[slot + 1] for slot in factors)


@pytest.mark.parametrize(
    ("layers", "kind"), [(1, "tree"), (3, "tree"), (4, "tree"), (5, "tree"), (4, "dag"), (12, "dag")]
)
def test_no_label_touches_another_or_a_dot(reader: Reader, layers: int, kind: str) -> None:
    reader.open(algatt.unroll(layers, kind=kind))
    if kind == "tree":
        Select(reader.one("#depth")).select_by_value("0")
    boxes = reader.boxes("#scene .shape, #scene .index, #scene .count")
    assert min(gap(first, second) for first, second in itertools.combinations(boxes, 2)) > 2


@pytest.mark.parametrize("width", [420, 1280])
def test_labels_can_be_read_at_the_start(reader: Reader, width: int) -> None:
    reader.size(width, 900)
    for layers in (3, 4, 6):
        reader.open(algatt.unroll(layers))
        assert min(bottom - top for _, _, top, bottom in reader.boxes("#scene .power text")) > 10
        assert reader.driver.execute_script("return document.documentElement.scrollWidth <= innerWidth")


def test_all_leaves_of_four_layers_can_be_read(reader: Reader) -> None:
    reader.open(algatt.unroll(4))
    Select(reader.one("#depth")).select_by_value("0")
    height = "return document.querySelector('#scene .power text').getBoundingClientRect().height"
    assert reader.driver.execute_script(height) > 10
    reader.one("#fit").click()  # the whole tree, smaller
    frame = reader.one("#canvas").rect
    for end in ('[data-id="phi/0"]', '[data-id="phi/9"]'):
        assert frame["x"] <= reader.one(end).rect["x"] <= frame["x"] + frame["width"] - reader.one(end).rect["width"]


def test_the_product_of_one_layer(reader: Reader) -> None:
    reader.open(algatt.unroll(1))
    assert reader.text("#product-title") == "The product \u03c6(X) = L X XT F1 X"


# Opening and closing


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


# Details


@pytest.mark.parametrize("place", ["#sequence", "#scene"])
def test_pointing_at_slot_5(reader: Reader, place: str) -> None:
    reader.open(algatt.unroll(3))
    assert reader.text("#details h2").startswith("φ")
    reader.hover(f'{place} [data-slot="5"]')
    assert reader.text("#details h2 .math") == "M1T"  # the fifth of the published sequence is M1'
    assert reader.text("#slot") == "5"
    assert reader.text("#digits") == "012"  # 5 = 0 * 9 + 1 * 3 + 2
    assert reader.text("#digits b") == "2"
    assert "Layer1" in reader.text("#details dl").replace(" ", "")
    assert reader.text(".here") == "M1T"
    assert reader.values("#sequence .lit", "data-slot") == ["5"]
    assert reader.values("#scene .node.lit", "data-slot") == ["5"]
    reader.hover("h1")
    assert reader.text("#details h2").startswith("φ")


def test_pointing_at_a_subtree_lights_its_factors(reader: Reader) -> None:
    reader.open(algatt.unroll(3))
    reader.hover('[data-id="phi/1"]')
    assert [int(slot) for slot in reader.values("#sequence .lit", "data-slot")] == list(
        range(1, 9)
    )  # P_2 = P_1 M_2 P_1 M_2' P_1 holds 8 factors
    assert "P1 M2 P1 M2T P1" in reader.text("#details")


# The product and the reflection


def test_arrows_step_through_the_product(reader: Reader) -> None:
    reader.open(algatt.unroll(3))
    symbols = SEQUENCES[3].split()
    for slot, symbol in enumerate(symbols, start=1):
        reader.press(Keys.ARROW_RIGHT)
        assert reader.values("#sequence .current", "data-slot") == [str(slot)]
        assert reader.values("#scene .node.current", "data-slot") == [str(slot)]
        assert reader.text("#details h2 .math") == in_print(symbol)
    reader.press(Keys.ARROW_RIGHT)
    assert reader.values("#sequence .current", "data-slot") == ["13"]
    reader.press(Keys.ARROW_LEFT)
    assert reader.values("#sequence .current", "data-slot") == ["12"]
    reader.press(Keys.ESCAPE)
    assert reader.all(".current") == []


def test_stepping_into_a_closed_subtree_opens_it_for_that_time(reader: Reader) -> None:
    reader.open(algatt.unroll(6))
    before = reader.nodes()
    reader.driver.execute_script("arguments[0].scrollIntoView()", reader.one('.slot[data-slot="50"]'))
    reader.one('.slot[data-slot="50"]').click()
    assert reader.values("#scene .node.current", "data-slot") == ["50"]
    assert reader.one("#scene .node.current").is_displayed()
    reader.press(Keys.ESCAPE)
    assert reader.nodes() == before


REFLECTIONS = {
    1: ({1, 2}, 1),
    5: ({5, 6}, 1),
    6: ({4, 5, 6, 7, 8, 9}, 3),
    3: ({1, 2, 3, 4, 5, 6}, 3),
    9: (set(), 0),  # M_3: nine leaves on its left, five on its right
    13: ({13, 14}, 1),
}
"""By slot: the leaves j_{m-p} and j_{m+1+p}, 0 <= p < 3^(k-1), of HMK Figure 4, and how many pairs they are."""


@pytest.mark.parametrize(("slot", "expected"), REFLECTIONS.items())
def test_the_reflection_marks_its_window(reader: Reader, slot: int, expected: tuple[set[int], int]) -> None:
    leaves, pairs = expected
    reader.open(algatt.unroll(3))
    reader.one(f'.slot[data-slot="{slot}"]').click()
    assert {int(position) for position in reader.values("#scene .node.window", "data-position")} == leaves
    assert {int(position) for position in reader.values("#scene .node.window-end", "data-position")} == (
        {min(leaves), max(leaves)} if leaves else set()
    )
    assert len(reader.all("#scene .arc")) == pairs
    assert reader.text("#reflected").count("↔") == pairs
    reader.one("#reflection").click()
    assert reader.all("#scene .node.window, #scene .arc") == []


def test_the_reflection_of_slot_6_in_words(reader: Reader) -> None:
    reader.open(algatt.unroll(3))
    reader.one('#scene [data-slot="6"]').click()
    assert "j6 ↔ j7, j5 ↔ j8, j4 ↔ j9" in reader.text("#reflected")
    assert "Where j4 = j9 the two monomials are equal, but for M2 in place of M2T." in reader.text("#reflected")


# Keys alone


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


# In windows and frames of other sizes


def test_another_size_of_the_window(reader: Reader) -> None:
    """Before the reader has done anything, a tree fits itself to the window anew; afterwards it stays as it is."""
    where = "const {left, right} = document.querySelector('#scene').getBoundingClientRect(); return right - left"
    reader.open(algatt.unroll(3))
    assert reader.nodes() == set(algatt.unroll(3))
    wide = reader.driver.execute_script(where)
    reader.size(500, 500)
    reader.waits(lambda: reader.driver.execute_script(where) < min(wide, 500))
    assert reader.nodes() < set(algatt.unroll(3))
    reader.size(1280, 800)
    reader.waits(lambda: reader.nodes() == set(algatt.unroll(3)))
    reader.press("d")
    before = reader.one("#scene").get_attribute("transform")
    reader.size(500, 500)
    reader.waits(lambda: reader.one("#canvas").rect["width"] < 501)
    assert reader.one("#scene").get_attribute("transform") == before


def test_the_tree_is_drawn_once_at_the_start(reader: Reader) -> None:
    """Drawn anew, it would lose what somebody had taken hold of already."""
    count = """
        window.drawings = 0;
        new MutationObserver((changes) => {
            window.drawings += changes.filter(({ target }) => target.id === "scene").length;
        }).observe(document, { childList: true, subtree: true });
    """
    added = reader.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": count})
    reader.open(algatt.unroll(3))
    reader.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)
    frames = "const [answer] = arguments; requestAnimationFrame(() => requestAnimationFrame(() => answer(drawings)))"
    assert reader.driver.execute_async_script(frames) == 1


def test_a_page_that_is_hidden_at_the_start(reader: Reader) -> None:
    reader.read(
        f"<!DOCTYPE html><title>notebook</title><div id='cell' style='display: "
        f"none'>{TreeView(algatt.unroll(3))._repr_html_()}</div>"
    )
    reader.driver.execute_script("document.getElementById('cell').style.display = 'block'")
    with reader.frame("iframe"):
        reader.waits(lambda: reader.one("#scene .function").is_displayed())
        reader.waits(lambda: reader.one("#scene .power text").rect["height"] > 10)


@pytest.mark.parametrize(("layers", "kind"), [(1, "tree"), (3, "tree"), (4, "tree"), (6, "tree"), (5, "dag")])
def test_the_view_of_a_notebook(reader: Reader, layers: int, kind: str) -> None:
    """In a frame of a page that has styles and keys of its own, all works and nothing gets out."""
    view = TreeView(algatt.unroll(layers, kind=kind))._repr_html_()
    reader.size(960, 800)
    reader.read(
        f"<!DOCTYPE html><meta charset='latin-1'><style>svg {{ display: none }}</style><h1>Out</h1>{view}<script>let "
        f"keys = 0</script>"
    )
    reader.driver.execute_script("document.addEventListener('keydown', () => { keys += 1 })")
    with reader.frame("iframe"):
        assert reader.one("#scene .function").is_displayed()
        assert reader.driver.execute_script("return window.origin") == "null"  # so nothing of the notebook can be read
        reader.hover("#scene .function")
        reader.waits(lambda: reader.one("#scene .function").rect["y"] >= reader.one("#canvas").rect["y"])
        if kind == "tree":
            reader.one('.slot[data-slot="1"]').click()
            assert reader.text("#details h2 .math") == "M1"
            reader.press(Keys.ARROW_RIGHT)
            assert reader.text("#slot") == str(min(2, (3**layers - 1) // 2))
    assert reader.driver.execute_script("return keys") == 0
    assert reader.requests() == [reader.driver.current_url]


# Light and dark

COLOURS = """
    const of = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
    return [of("body", "color"), of("body", "backgroundColor"), of("dt", "color"), of("aside", "backgroundColor"),
            of(".index.window", "fill"), of(".window-band", "fill"),
            of(".slot.current", "color"), of(".slot.current", "backgroundColor")];
"""


def luminance(colour: str) -> float:
    """Return the relative luminance of rgb(...) or color(srgb ...), as the Web Content Accessibility Guidelines define
    it.
    """
    numbers = [
        float(number) for number in colour[colour.index("(") + 1 : -1].replace("srgb", "").replace(",", " ").split()[:3]
    ]
    scale = 1.0 if colour.startswith("color(") else 255.0
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (number / scale for number in numbers)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes_can_be_read(reader: Reader, scheme: str) -> None:
    reader.prefers(scheme)
    reader.open(algatt.unroll(3))
    assert reader.one("#theme").get_attribute("aria-pressed") == str(scheme == "dark").lower()
    reader.press(Keys.ARROW_RIGHT)
    grounds = []
    for _ in range(2):
        shades = [luminance(colour) for colour in reader.driver.execute_script(COLOURS)]
        grounds.append(shades[1])
        for ink, ground in zip(shades[::2], shades[1::2], strict=True):
            assert (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05) >= 4.5
        reader.one("#theme").click()
    assert (grounds[0] > grounds[1]) == (scheme == "light")


# The shared graph


def test_the_shared_graph(reader: Reader) -> None:
    reader.open(algatt.unroll(4, kind="dag"))
    assert reader.nodes() == set(algatt.unroll(4, kind="dag"))
    assert not reader.one("#product").is_displayed()
    assert [element.text for element in reader.all("#scene .count")] == ["\u00d73"] * 3
    reader.hover('[data-id="P_2"]')
    assert "P1 M2 P1 M2T P1" in reader.text("#details")
    assert set(reader.values("#scene .edge.lit", "data-to")) == {"P_2", "P_1", "M_2", "M_2^T"}
    reader.press(Keys.ARROW_RIGHT)
    assert reader.all(".current") == []


def test_the_colours_of_the_layers_are_those_of_the_drawings(reader: Reader) -> None:
    reader.open(algatt.unroll(6))
    shade = "return getComputedStyle(document.querySelector(`.slot.layer-${arguments[0]}`)).borderTopColor"
    for layer, colour in enumerate(PALETTE, start=1):
        red, green, blue = bytes.fromhex(colour.removeprefix("#"))
        assert reader.driver.execute_script(shade, layer) == f"rgb({red}, {green}, {blue})"


# Nothing is cut, and the chosen slot stays in view

INSIDE = """
    const inside = (inner, outer) => inner.left >= outer.left - 0.5 && inner.right <= outer.right + 0.5
        && inner.top >= outer.top - 0.5 && inner.bottom <= outer.bottom + 0.5;
    const rect = (it) => (it.getBoundingClientRect ? it : document.querySelector(it)).getBoundingClientRect();
    const whole = document.documentElement;
    const page = () => ({ left: 0, top: 0, right: whole.clientWidth, bottom: whole.clientHeight });
    const press = (key) => {
        const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
        document.activeElement.dispatchEvent(event);
    };
    const cut = [];
"""

STEPS = """
    const [key, times] = arguments;
    for (let step = 0; step < times; step += 1) {
        press(key);
        const [canvas, sequence, scene, node] = ["#canvas", "#sequence", "#scene", "#scene .current"].map(rect);
        const chip = document.querySelector("#sequence .current");
        const told = (what) => cut.push(`${what} at slot ${chip.dataset.slot}`);
        const hasRoom = ({ width, height }) => width <= canvas.width - 24 && height <= canvas.height - 24;
        if (!inside(node, canvas)) told("the factor is cut by the canvas");
        if (!inside(node, page())) told("the factor is cut by the window");
        if (!inside(rect(chip), sequence)) told("its place in the sequence is cut");
        if (hasRoom(scene) && !inside(scene, canvas)) told("the tree is cut");
        if (document.querySelector("#mirror rect")) {
            const mirror = rect("#mirror");
            if (hasRoom(mirror) && !inside(mirror, canvas)) told("the reflection is cut");
        }
        for (const other of [...document.querySelectorAll(".slot")].map(rect)) {
            const seen = other.bottom > sequence.top + 0.5 && other.top < sequence.bottom - 0.5;
            if (seen && !inside(other, sequence)) told("a row of the sequence is cut");
        }
    }
    return cut;
"""
"""Press an arrow key so many times, and say what is cut: the chosen slot, and what else there is room for."""


@pytest.mark.parametrize(
    ("layers", "width", "height"),
    [
        (2, 1280, 300),
        (3, 420, 900),
        (4, 1280, 800),
        (4, 1440, 900),
        (4, 1024, 500),
        (4, 800, 600),
        (6, 1280, 800),
        (6, 800, 600),
    ],
)
def test_arrow_keys_keep_the_slot_in_view(reader: Reader, layers: int, width: int, height: int) -> None:
    reader.size(width, height)
    reader.open(algatt.unroll(layers))
    for key in ("ArrowRight", "ArrowLeft"):
        assert reader.driver.execute_script(INSIDE + STEPS, key, min(40, (3**layers - 1) // 2)) == []


def test_a_slot_that_was_moved_out_of_view_comes_back(reader: Reader) -> None:
    reader.open(algatt.unroll(4))
    reader.press(Keys.ARROW_RIGHT, *["+"] * 6, *["d"] * 9, *["s"] * 9)
    assert reader.driver.execute_script(INSIDE + "return inside(rect('#scene .current'), rect('#canvas'))") is False
    reader.press(Keys.ARROW_RIGHT)
    assert reader.driver.execute_script(INSIDE + "return inside(rect('#scene .current'), rect('#canvas'))") is True


@pytest.mark.parametrize(("layers", "kind"), [(4, "tree"), (12, "dag")])
def test_arrow_keys_keep_the_focus_in_view(reader: Reader, layers: int, kind: str) -> None:
    reader.size(420, 260)
    tree = algatt.unroll(layers, kind=kind)
    reader.open(tree)
    walk = """
        document.querySelector("#scene .function").focus();
        for (let last = null; last !== document.activeElement; press("ArrowDown")) {
            last = document.activeElement;
            const halo = rect(last.querySelector(".halo"));
            for (const frame of [rect("#canvas"), page()]) if (!inside(halo, frame)) cut.push(last.dataset.id);
        }
        return [cut, document.activeElement.dataset.id];
    """
    cut, last = reader.driver.execute_script(INSIDE + walk)
    assert cut == []
    assert last == list(tree)[-1]


@pytest.mark.parametrize(("layers", "kind"), [(1, "tree"), (4, "tree"), (6, "tree"), (12, "dag")])
def test_nothing_is_wider_than_the_panel(reader: Reader, layers: int, kind: str) -> None:
    reader.open(algatt.unroll(layers, kind=kind))
    wider = """
        const [panel, shown] = [document.querySelector("aside"), []];
        for (const chosen of document.querySelectorAll(".slot, #scene .node")) {
            chosen.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
            const right = rect(panel).left + panel.clientLeft + panel.clientWidth;
            const wider = [...panel.querySelectorAll("*")].filter((part) => rect(part).right > right + 0.5);
            cut.push(...wider.map((part) => part.outerHTML));
            shown.push(document.querySelector("#details h2").textContent);
        }
        return [cut, new Set(shown).size];
    """
    cut, different = reader.driver.execute_script(INSIDE + wider)
    assert cut == []
    assert different > 3
