"""A reader in front of a browser, for all tests of the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium import webdriver

    from tree_page_reader import Reader


@pytest.fixture
def reader(driver: webdriver.Chrome, tmp_path: Path) -> Iterator[Reader]:
    from tree_page_reader import Reader

    reader = Reader(driver, tmp_path)
    reader.begin()
    yield reader
    assert reader.complaints() == []
