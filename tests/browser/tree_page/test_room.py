"""The html page of a tree in a real browser: nothing is cut, and the chosen slot stays in view."""

from __future__ import annotations

import pytest

import algatt

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tree_page_reader import Reader

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
