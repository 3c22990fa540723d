"""The html page of a network in a real browser, without a window: what a reader sees, points at and types."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import algatt
from algatt.layers import (
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    Linear,
    Named,
    Parallel,
    Residual,
    RMSNorm,
    SoftmaxRouter,
    Unembedding,
)
from algatt.views.networks.page import page

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page_reader import Box, PageReader

BLOCK = Residual(RMSNorm() >> Heads(4, mask=Causal())) >> Residual(RMSNorm() >> Feedforward(64))

EXPERTS = Experts(8, Feedforward(32) >> Linear(8), SoftmaxRouter(top=2))

NETWORKS = {
    "transformer": algatt.Network(Embedding(50, 16) >> 2 * BLOCK >> Unembedding(50), tokens=8),
    "branches": algatt.Network(
        Residual(Parallel(Heads(2, norm=RMSNorm()), EXPERTS)) >> Named("last", Linear(3)),
        tokens=4,
        width=8,
    ),
    "lightning": algatt.Lightning((4, 3, 4), (2, 2), 3),
}

MINUS = "\N{MINUS SIGN}"
"""Before the name of what is open."""


class Reader(PageReader):
    """Someone in front of the page."""

    def open(self, name: str) -> None:
        self.read(page(NETWORKS[name]))

    def boxes(self, selector: str) -> list[Box]:
        return [box for box in super().boxes(selector) if box[0] < box[1]]

    def text(self, selector: str) -> str:
        return super().text(selector).replace("\N{MULTIPLICATION SIGN}", "x")

    def names(self) -> list[str]:
        """Return the names of the layers that can be seen."""
        found = self.driver.find_elements(By.CSS_SELECTOR, ".card .name")
        return [one.text for one in found if one.is_displayed()]

    def current(self) -> str | None:
        found = self.driver.find_elements(By.CSS_SELECTOR, ".node.current")
        return found[0].get_attribute("aria-label") if found else None

    def click(self, selector: str) -> None:
        self.driver.find_element(By.CSS_SELECTOR, selector).click()


@pytest.fixture
def reader(driver: webdriver.Chrome, tmp_path: Path) -> Iterator[Reader]:
    reader = Reader(driver, tmp_path)
    reader.begin()
    yield reader
    assert reader.complaints() == []


@pytest.mark.parametrize("name", NETWORKS)
def test_the_page_loads_without_the_network(reader: Reader, name: str) -> None:
    reader.open(name)
    assert reader.requests() == [reader.driver.current_url]
    assert reader.names()


def test_what_is_drawn(reader: Reader) -> None:
    reader.open("transformer")
    assert reader.names() == ["Embedding", "RMSNorm", "Heads", "RMSNorm", "Feedforward", "Unembedding"]
    assert reader.text(".frame > .label") == "2 x"
    assert len(reader.boxes(".sum")) == len(reader.boxes(".skip")) == 2
    table = "Q1, …, Q44 x 16" + "K1, …, K44 x 16" + "V1, …, V44 x 16" + "O1, …, O416 x 4"
    assert reader.text(".card.attention .families") == table


@pytest.mark.parametrize("name", NETWORKS)
def test_boxes_stand_below_each_other_on_one_axis(reader: Reader, name: str) -> None:
    reader.open(name)
    cards = reader.boxes(".card")
    for place, one in enumerate(cards):
        for other in cards[place + 1 :]:
            nested = one[0] <= other[0] and other[1] <= one[1] and one[2] <= other[2] and other[3] <= one[3]
            assert nested or one[3] <= other[2] or one[1] <= other[0]
    if name == "transformer":
        assert len({(left, right) for left, right, _, _ in cards}) == 1
        (axis,) = {(left + right) / 2 for left, right, _, _ in cards}
        for left, right, _, _ in [*reader.boxes(".sum"), *reader.boxes(".wire")]:
            assert (left + right) / 2 == pytest.approx(axis, abs=1)


def test_the_path_around_a_layer_clears_its_boxes_and_ends_at_the_sum(reader: Reader) -> None:
    reader.open("transformer")
    cards = reader.boxes(".card")
    for (left, right, top, bottom), circle in zip(reader.boxes(".skip"), reader.boxes(".sum"), strict=True):
        assert left == pytest.approx((circle[0] + circle[1]) / 2, abs=1)
        assert bottom == pytest.approx((circle[2] + circle[3]) / 2, abs=2)
        inside = [card for card in cards if top < card[2] and card[3] < bottom]
        assert len(inside) == 2
        assert all(card[1] + 4 < right for card in inside)


def test_a_chosen_layer_is_described(reader: Reader) -> None:
    reader.open("transformer")
    assert reader.text("#details h2") == "The network"
    assert "8 tokens of a vocabulary of 50" in reader.text("#details")
    reader.click(".card.attention .name")
    assert reader.text("#details h2") == "Heads"
    for told in (
        "Heads(4, mask=Causal())",
        "arXiv:1706.03762",
        "1.heads.Q_1, 1.heads.Q_2, 1.heads.Q_3, 1.heads.Q_4",
        "16 x 8",
    ):
        assert told in reader.text("#details")
    reader.press(Keys.ESCAPE)
    assert reader.text("#details h2") == "The network"


def test_opening_and_closing(reader: Reader) -> None:
    reader.open("branches")
    everything = reader.names()
    assert [name.lstrip(MINUS) for name in everything] == [
        "Heads",
        "RMSNorm",
        "RMSNorm",
        "Experts",
        "Feedforward",
        "Linear",
        "Linear",
    ]
    reader.click("#close-all")
    assert [name.lstrip("+") for name in reader.names()] == ["Heads", "Experts"]
    reader.click("#open-all")
    assert reader.names() == everything
    reader.click(".card.attention .name")
    assert reader.names() == everything  # it was chosen, not closed
    reader.click(".card.attention .name")
    left = [name.lstrip(f"{MINUS}+") for name in reader.names()]
    assert left == ["Heads", "Experts", "Feedforward", "Linear", "Linear"]


def test_keys(reader: Reader) -> None:
    reader.open("transformer")
    seen = []
    for _ in range(8):
        reader.press(Keys.ARROW_DOWN)
        seen.append(str(reader.current()).partition(",")[0].partition("(")[0])
    assert seen == [
        "Embedding",
        "2 equal blocks",
        "RMSNorm",
        "Heads",
        "RMSNorm",
        "Feedforward",
        "Unembedding",
        "Unembedding",
    ]
    reader.press(Keys.ARROW_UP, Keys.ARROW_LEFT)
    assert str(reader.current()).startswith("2 equal blocks")
    reader.press(Keys.ARROW_LEFT)
    assert reader.names() == ["Embedding", "Unembedding"]
    reader.press(Keys.ARROW_DOWN)
    assert str(reader.current()).startswith("Unembedding")
    reader.press(Keys.ARROW_UP, Keys.ENTER, Keys.ARROW_RIGHT)
    assert str(reader.current()).startswith("RMSNorm")
    reader.press(Keys.END, Keys.HOME)
    assert str(reader.current()).startswith("Embedding")


def test_the_tab_key_stops_once_in_the_drawing(reader: Reader) -> None:
    reader.open("transformer")
    assert len(reader.driver.find_elements(By.CSS_SELECTOR, "#drawing [tabindex='0']")) == 1
    reader.click(".card.feedforward .name")
    assert len(reader.driver.find_elements(By.CSS_SELECTOR, "#drawing [tabindex='0']")) == 1


def test_dark_and_light(reader: Reader) -> None:
    reader.open("transformer")
    ground = "return getComputedStyle(document.body).backgroundColor"
    assert reader.driver.execute_script(ground) == "rgb(255, 255, 255)"
    reader.click("#theme")
    assert reader.driver.execute_script(ground) == "rgb(21, 24, 28)"


def test_the_policy_stops_requests(reader: Reader) -> None:
    reader.open("lightning")
    script = "const done = arguments[0]; fetch('https://example.org/').then(() => done('sent'), () => done('stopped'))"
    assert reader.driver.execute_async_script(script) == "stopped"
    assert all("Content Security Policy" in entry["message"] for entry in reader.complaints())
