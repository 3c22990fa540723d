"""What tests in several folders share: a browser, a reader of tables, and a text that is dangerous if it is read as
html.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium import webdriver

pytest.register_assert_rewrite("claims", "forged_files", "html_elements")  # of tests/shared, what checks something

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")


@pytest.fixture(scope="session")
def driver() -> Iterator[webdriver.Chrome]:
    """Start a real browser without a window; where selenium's, chromium or chromedriver is missing, the test is skipped
    and says so.
    """
    from selenium import webdriver
    from selenium.common.exceptions import WebDriverException

    if not BROWSER or not DRIVER:
        pytest.skip("the html page is not tested: chromium or chromedriver is not installed")
    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in ("--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1280,800"):
        options.add_argument(argument)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.add_argument("--no-sandbox")  # chromium does not sandbox root
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    try:
        driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    except WebDriverException as error:
        pytest.skip(f"the html page is not tested: chromium does not start: {error.msg}")
    yield driver
    driver.quit()


TAGS = {"div", "style", "table", "caption", "tr", "th", "td", "span", "strong", "pre", "sub"}
"""What our tables consist of: anything else came in with a text."""


class Shown(HTMLParser):
    """The text of a table as a reader sees it; checks that every element is closed, and that nothing else came in."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.caption = ""
        self.rows: list[list[str]] = []
        self.verdicts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        assert {name for name, _ in attrs} <= {"class"}
        self.open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("th", "td"):
            self.rows[-1].append("")
        elif tag == "span":
            self.verdicts.append(str(dict(attrs)["class"]).removeprefix("verdict "))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "caption" in self.open:
            self.caption += data
        elif "tr" in self.open:
            self.rows[-1][-1] += data
        else:
            assert self.open[-1:] == ["style"]


@pytest.fixture(scope="session")
def shown() -> type[Shown]:
    return Shown


@pytest.fixture(scope="session")
def hostile() -> str:
    return "</td></table><script>alert('1')</script><img src=x onerror=\"alert(2)\">&amp;[bold]"
