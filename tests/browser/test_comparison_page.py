"""The html page of a comparison in a real browser: what differs is marked, and a telephone shows all of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import algatt
from algatt.checkpoints import Checkpoint
from algatt.layers import Feedforward, Heads, Residual
from algatt.views.comparison import page

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium.webdriver.common.by import By

if TYPE_CHECKING:
    from selenium import webdriver


def test_what_differs_is_marked_and_nothing_is_cut(driver: webdriver.Chrome, tmp_path: Path) -> None:
    net = algatt.Network(Residual(Heads(2)) >> Residual(Feedforward(3)), tokens=3, width=4)
    one = algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=0)
    two = one.replace([*one.elements[:-1], algatt.fields.Elements(one.field, 2 * one.elements[-1].raw)])
    path = tmp_path / "page.html"
    path.write_text(page(algatt.compare(Checkpoint(net, one), Checkpoint(net, two)).comparison), encoding="utf-8")
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    )
    try:
        driver.get(path.as_uri())
        broken = [row.text.split()[0] for row in driver.find_elements(By.CSS_SELECTOR, "tr.broken")]
        assert broken[-1] == "feedforward.down"
        assert driver.execute_script("return document.documentElement.scrollWidth") <= 390
        assert driver.get_log("browser") == []
    finally:
        driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
