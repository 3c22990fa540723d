"""The html page of a tree in a real browser: the product, its factors and their reflections."""

from __future__ import annotations

import pytest

import algatt

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium.webdriver.common.keys import Keys

from tree_page_reader import Reader

SEQUENCES = {2: "M1 M1' M2 M1", 3: "M1 M1' M2 M1 M1' M2' M1 M1' M3 M1 M1' M2 M1"}
"""The factors as HMK writes them out."""


def in_print(symbol: str) -> str:
    """Return M1' as the page's text has it."""
    return symbol.replace("'", "T")


@pytest.mark.parametrize(("layers", "sequence"), SEQUENCES.items())
def test_the_sequence_is_the_published_one(reader: Reader, layers: int, sequence: str) -> None:
    reader.open(algatt.unroll(layers))
    assert [element.get_attribute("textContent") for element in reader.all(".slot .math")] == [
        in_print(symbol) for symbol in sequence.split()
    ]


def test_the_product_of_one_layer(reader: Reader) -> None:
    reader.open(algatt.unroll(1))
    assert reader.text("#product-title") == "The product \u03c6(X) = L X XT F1 X"


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
