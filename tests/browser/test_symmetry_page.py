"""The html page of the symmetries of a network in a real browser, without a window."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import algatt
from algatt.layers import Feedforward, Heads, Power, Residual
from algatt.symmetry import SymmetryReport
from algatt.views.symmetries.page import page

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium.webdriver.common.by import By

if TYPE_CHECKING:
    from selenium import webdriver

NETWORK = algatt.Network(2 * (Residual(Heads(2)) >> Residual(Feedforward(3, Power(2)))), tokens=2, width=4)


def test_a_chosen_space_is_shown_in_its_layers(driver: webdriver.Chrome, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page(SymmetryReport.of(NETWORK)), encoding="utf-8")
    driver.get(path.as_uri())
    buttons = {
        button.find_elements(By.TAG_NAME, "span")[1].text: button
        for button in driver.find_elements(By.CSS_SELECTOR, "#symmetries button")
    }
    assert len(buttons) == 2 * (2 + 2 + 1)

    def marked() -> list[str]:
        return [
            one.find_element(By.CLASS_NAME, "name").text for one in driver.find_elements(By.CSS_SELECTOR, ".moved.card")
        ]

    def rows() -> list[str]:
        return [row.text.split(" ")[0].strip(",") for row in driver.find_elements(By.CSS_SELECTOR, "tr.moved")]

    assert marked() == []
    buttons["2.heads.value_1"].click()
    assert (marked(), len(rows())) == (["Heads"], 2)
    assert buttons["2.heads.value_1"].get_attribute("aria-pressed") == "true"
    told = [one.text for one in driver.find_elements(By.CLASS_NAME, "moves") if one.is_displayed()]
    assert told == ["2.heads.V_1 (rows), 2.heads.O_1 (columns). Basis: equivariant."]
    buttons["1.feedforward.hidden"].click()
    assert (marked(), rows()) == (["Feedforward"], ["up", "down"])
    buttons["1.feedforward.hidden"].click()
    assert marked() == []
    errors = [one for one in driver.get_log("browser") if one["level"] == "SEVERE"]
    assert errors == []
