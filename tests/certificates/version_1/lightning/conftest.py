"""The text of a certificate."""

from __future__ import annotations

import pytest

from lightning_networks import SMALL
from old_certificates import old_certificate


@pytest.fixture(scope="module")
def text() -> str:
    return old_certificate(SMALL).to_json()
