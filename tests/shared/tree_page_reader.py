"""Someone in front of the html page of a tree, in a real browser without a window: what they see, point at and type."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import networkx as nx
import pytest

from algatt.views.trees.page import page

pytest.importorskip("selenium", reason="the html page is not tested: selenium is not installed")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from page_reader import PageReader


class Reader(PageReader):
    """Someone in front of the page."""

    def open(self, tree: nx.DiGraph) -> None:
        self.read(page(tree))

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

    def press_with_shift(self, key: str) -> None:
        ActionChains(self.driver).key_down(Keys.SHIFT).send_keys(key).key_up(Keys.SHIFT).perform()

    def hover(self, selector: str) -> None:
        ActionChains(self.driver).move_to_element(self.one(selector)).perform()

    def turn_wheel(self, selector: str, by: int) -> None:
        ActionChains(self.driver).scroll_from_origin(ScrollOrigin.from_element(self.one(selector)), 0, by).perform()

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
