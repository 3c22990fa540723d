"""The html page of a tree in a real browser: in windows and frames of other sizes, and in notebooks."""

from __future__ import annotations

import pytest

import algatt
from algatt.views.notebook import TreeView

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tree_page_reader import Reader


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
