"""Someone in front of the html page of a tree, in a real browser without a window: what they see, point at and type."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from algatt.views.trees.page import page

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.wait import WebDriverWait

HANGS = 600
"""Seconds after which a wait for something that never comes ends."""

Box = tuple[float, float, float, float]
"""Left, right, top and bottom of an element, in pixels of the window."""


class Reader:
    """Someone in front of the page."""

    def __init__(self, driver: webdriver.Chrome, folder: Path) -> None:
        self.driver = driver
        self.folder = folder

    def open(self, tree: nx.DiGraph) -> None:
        self.read(page(tree))

    def read(self, text: str) -> None:
        path = self.folder / "tree.html"
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

    def one(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def values(self, selector: str, attribute: str) -> list[str]:
        script = (
            "const [selector, name] = arguments; return [...document.querySelectorAll(selector)].map((found) => "
            "found.getAttribute(name) ?? '')"
        )
        return list(self.driver.execute_script(script, selector, attribute))

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

    def press_with_shift(self, key: str) -> None:
        ActionChains(self.driver).key_down(Keys.SHIFT).send_keys(key).key_up(Keys.SHIFT).perform()

    def hover(self, selector: str) -> None:
        ActionChains(self.driver).move_to_element(self.one(selector)).perform()

    def turn_wheel(self, selector: str, by: int) -> None:
        ActionChains(self.driver).scroll_from_origin(ScrollOrigin.from_element(self.one(selector)), 0, by).perform()

    def waits(self, until: Callable[[], bool]) -> None:
        WebDriverWait(self.driver, HANGS, poll_frequency=0.02).until(lambda _: until())

    @contextlib.contextmanager
    def frame(self, selector: str) -> Iterator[None]:
        self.driver.switch_to.frame(self.one(selector))
        self.waits(
            lambda: self.driver.execute_script("return performance.getEntriesByName('interactive').length === 1")
        )
        yield
        self.driver.switch_to.default_content()

    def focused(self, attribute: str) -> str | None:
        return self.driver.switch_to.active_element.get_attribute(attribute)

    def nodes(self) -> set[str]:
        return set(self.values("#scene .node", "data-id"))

    def complaints(self) -> list[Any]:
        return self.driver.get_log("browser")

    def requests(self) -> list[str]:
        events = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
