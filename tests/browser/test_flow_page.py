"""The page of a run in a real browser, without a window: it plays, it turns, and it complains about nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.dynamics import random_tokens
from algatt.views.flow_page import page

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys


@pytest.fixture(scope="module", autouse=True)
def run(driver: webdriver.Chrome, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Open the page of a run, for all tests; nothing complains until the end."""
    flow = algatt.SphereFlow((algatt.ScalarHead(1.0), algatt.ScalarHead(0.5)), beta=2.0)
    path: Path = tmp_path_factory.mktemp("page") / "run.html"
    path.write_text(page(algatt.integrate(flow, random_tokens(20, 3), until=2.0, samples=30)), encoding="utf-8")
    driver.get(path.as_uri())
    yield
    assert driver.get_log("browser") == []


def picture(driver: webdriver.Chrome, name: str) -> Any:
    return driver.execute_script(f"return document.getElementById('{name}').toDataURL()")


def shown_time(driver: webdriver.Chrome) -> float:
    return float((driver.find_element(By.ID, "time").text or "t = nan").removeprefix("t = "))


def test_the_slider_chooses_the_time(driver: webdriver.Chrome) -> None:
    start = picture(driver, "sphere"), picture(driver, "plot")
    slider = driver.find_element(By.ID, "slider")
    slider.send_keys(Keys.END)
    assert shown_time(driver) == 2.0
    end = picture(driver, "sphere"), picture(driver, "plot")
    assert start[0] != end[0]
    assert start[1] != end[1]
    slider.send_keys(Keys.HOME)
    assert shown_time(driver) == 0.0
    assert (picture(driver, "sphere"), picture(driver, "plot")) == start


def test_play_moves_and_pause_stops(driver: webdriver.Chrome) -> None:
    button = driver.find_element(By.ID, "play")
    button.click()
    time.sleep(0.5)
    button.click()
    stopped = shown_time(driver)
    assert 0 < stopped < 2
    assert button.text == "Play"
    time.sleep(0.2)
    assert shown_time(driver) == stopped


def test_arrow_keys_turn_the_sphere_and_back(driver: webdriver.Chrome) -> None:
    sphere = driver.find_element(By.ID, "sphere")
    before = picture(driver, "sphere")
    sphere.send_keys(Keys.ARROW_LEFT)
    assert picture(driver, "sphere") != before
    sphere.send_keys(Keys.ARROW_RIGHT)
    assert picture(driver, "sphere") == before


def test_paths_can_be_left_out(driver: webdriver.Chrome) -> None:
    driver.find_element(By.ID, "slider").send_keys(Keys.END)
    with_paths = picture(driver, "sphere")
    driver.find_element(By.ID, "paths").click()
    assert picture(driver, "sphere") != with_paths


def test_a_dark_ground_has_light_lines(driver: webdriver.Chrome) -> None:
    seen = {}
    for scheme in ("light", "dark"):
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        time.sleep(0.2)
        ground = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        seen[scheme] = ground, picture(driver, "sphere"), picture(driver, "plot")
    assert (seen["light"][0], seen["dark"][0]) == ("rgb(255, 255, 255)", "rgb(21, 24, 28)")
    assert seen["light"][1] != seen["dark"][1]
    assert seen["light"][2] != seen["dark"][2]
