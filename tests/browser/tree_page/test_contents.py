"""The html page of a tree in a real browser: what is there before anybody touches it, and nothing from elsewhere."""

from __future__ import annotations

import itertools

import pytest

import algatt

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from page_reader import Box
from tree_page_reader import Reader


def gap(one: Box, two: Box) -> float:
    """Return how many pixels two boxes are apart, in the direction in which they are farther; below 0 if
    they overlap.
    """
    return max(one[0] - two[1], two[0] - one[1], one[2] - two[3], two[2] - one[3])


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
