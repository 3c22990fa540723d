"""The html page of a tree in a real browser: both themes can be read, and colours are those of the drawings."""

from __future__ import annotations

import pytest

import algatt
from algatt.views.palette import PALETTE

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium.webdriver.common.keys import Keys

from contrast import contrast, luminance
from tree_page_reader import Reader

COLOURS = """
    const of = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
    return [of("body", "color"), of("body", "backgroundColor"), of("dt", "color"), of("aside", "backgroundColor"),
            of(".index.window", "fill"), of(".window-band", "fill"),
            of(".slot.current", "color"), of(".slot.current", "backgroundColor")];
"""


def luminance_of(colour: str) -> float:
    """Return the relative luminance of rgb(...) or color(srgb ...)."""
    numbers = [
        float(number) for number in colour[colour.index("(") + 1 : -1].replace("srgb", "").replace(",", " ").split()[:3]
    ]
    scale = 1.0 if colour.startswith("color(") else 255.0
    return luminance([number / scale for number in numbers])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes_can_be_read(reader: Reader, scheme: str) -> None:
    reader.prefers(scheme)
    reader.open(algatt.unroll(3))
    assert reader.one("#theme").get_attribute("aria-pressed") == str(scheme == "dark").lower()
    reader.press(Keys.ARROW_RIGHT)
    grounds = []
    for _ in range(2):
        shades = [luminance_of(colour) for colour in reader.driver.execute_script(COLOURS)]
        grounds.append(shades[1])
        for ink, ground in zip(shades[::2], shades[1::2], strict=True):
            assert contrast(ink, ground) >= 4.5
        reader.one("#theme").click()
    assert (grounds[0] > grounds[1]) == (scheme == "light")


def test_the_colours_of_the_layers_are_those_of_the_drawings(reader: Reader) -> None:
    reader.open(algatt.unroll(6))
    shade = "return getComputedStyle(document.querySelector(`.slot.layer-${arguments[0]}`)).borderTopColor"
    for layer, colour in enumerate(PALETTE, start=1):
        red, green, blue = bytes.fromhex(colour.removeprefix("#"))
        assert reader.driver.execute_script(shade, layer) == f"rgb({red}, {green}, {blue})"
