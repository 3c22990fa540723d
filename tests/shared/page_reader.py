"""Someone in front of an html page, in a real browser without a window: what they see, point at and type."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.wait import WebDriverWait

HANGS = 600
"""Seconds after which a wait for something that never comes ends."""

Box = tuple[float, float, float, float]
"""Left, right, top and bottom of an element, in pixels of the window."""


def waits(driver: webdriver.Chrome, until: Callable[[], bool]) -> None:
    WebDriverWait(driver, HANGS, poll_frequency=0.02).until(lambda _: until())


class PageReader:
    """Someone in front of a page."""

    def __init__(self, driver: webdriver.Chrome, folder: Path) -> None:
        self.driver = driver
        self.folder = folder

    def begin(self) -> None:
        """Have the window as at the start of each test, and forget what other tests left."""
        self.size(1280, 800)
        self.prefers("light")
        self.complaints(), self.requests()

    def read(self, text: str) -> None:
        path = self.folder / "page.html"
        path.write_text(text, encoding="utf-8")
        self.driver.get(path.as_uri())

    def size(self, width: int, height: int) -> None:
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def prefers(self, scheme: str) -> None:
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        )

    def boxes(self, selector: str) -> list[Box]:
        script = "return [...document.querySelectorAll(arguments[0])].map((found) => found.getBoundingClientRect())"
        found = self.driver.execute_script(script, selector)
        return [(box["left"], box["right"], box["top"], box["bottom"]) for box in found]

    def text(self, selector: str) -> str:
        """Return a text in one step: the page may put another element in the place of one that was found before."""
        return " ".join(
            self.driver.execute_script("return document.querySelector(arguments[0]).textContent", selector).split()
        )

    def press(self, *keys: str) -> None:
        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def waits(self, until: Callable[[], bool]) -> None:
        waits(self.driver, until)

    def complaints(self) -> list[Any]:
        return self.driver.get_log("browser")

    def requests(self) -> list[str]:
        events = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
