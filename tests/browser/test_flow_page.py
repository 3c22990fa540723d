"""The page of a run in a real browser, without a window: it plays, it turns, and it complains about nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.dynamics import random_tokens
from algatt.views.flows.page import page

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from page_reader import waits


@pytest.fixture(scope="module", autouse=True)
def run(driver: webdriver.Chrome, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Open the page of a run, for all tests; nothing complains until the end."""
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(0.5)), beta=2.0)
    path: Path = tmp_path_factory.mktemp("page") / "run.html"
    path.write_text(
        page(algatt.dynamics.integrate(flow, random_tokens(20, 3), until=2.0, samples=30)), encoding="utf-8"
    )
    driver.get(path.as_uri())
    yield
    assert driver.get_log("browser") == []


def picture(driver: webdriver.Chrome, name: str) -> Any:
    return driver.execute_script(f"return document.getElementById('{name}').toDataURL()")


def shown_time(driver: webdriver.Chrome) -> float:
    return float((driver.find_element(By.ID, "time").text or "t = nan").removeprefix("t = "))


def test_the_slider_chooses_the_time(driver: webdriver.Chrome) -> None:
    slider = driver.find_element(By.ID, "slider")
    slider.send_keys(Keys.HOME)
    start = picture(driver, "sphere"), picture(driver, "plot")
    slider.send_keys(Keys.END)
    assert shown_time(driver) == 2.0
    end = picture(driver, "sphere"), picture(driver, "plot")
    assert start[0] != end[0]
    assert start[1] != end[1]
    slider.send_keys(Keys.HOME)
    assert shown_time(driver) == 0.0
    assert (picture(driver, "sphere"), picture(driver, "plot")) == start


def test_play_moves_and_pause_stops(driver: webdriver.Chrome) -> None:
    """A run takes eight seconds by the clock of the frames, which is set by hand here."""
    driver.execute_script("window.asked = []; window.requestAnimationFrame = (draw) => { window.asked.push(draw); }")

    def frames(*milliseconds: int) -> None:
        driver.execute_script(
            "for (const now of arguments[0]) for (const draw of window.asked.splice(0)) draw(now)", milliseconds
        )

    driver.find_element(By.ID, "slider").send_keys(Keys.HOME)
    button = driver.find_element(By.ID, "play")
    button.click()
    assert button.text == "Pause"
    frames(5000, 6000)
    assert shown_time(driver) == 2.0 / 8
    button.click()
    assert button.text == "Play"
    frames(7000, 8000)
    assert shown_time(driver) == 2.0 / 8
    button.click()
    frames(9000, 11000)
    assert shown_time(driver) == 3 * 2.0 / 8
    frames(60_000, 61_000)
    assert shown_time(driver) == 2.0
    assert button.text == "Play"


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
    def prefers(scheme: str, ground: str) -> None:
        driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )
        waits(driver, lambda: driver.execute_script("return getComputedStyle(document.body).backgroundColor") == ground)

    prefers("light", "rgb(255, 255, 255)")
    light = picture(driver, "sphere"), picture(driver, "plot")
    prefers("dark", "rgb(21, 24, 28)")
    waits(driver, lambda: picture(driver, "sphere") != light[0] and picture(driver, "plot") != light[1])
