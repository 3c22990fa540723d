"""A real browser without a window. Needs selenium, chromium and chromedriver; where one of them is missing, the tests are skipped and say so."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium import webdriver

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
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
