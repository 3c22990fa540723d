"""The text of a certificate."""

from __future__ import annotations

import pytest

import algatt
from lightning_networks import SMALL


@pytest.fixture(scope="module")
def text() -> str:
    return algatt.certify(SMALL).to_json()
