"""Throw-away verbs are removed after each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from algatt.dispatch import Verb, verbs


@pytest.fixture(autouse=True)
def registry() -> Iterator[None]:
    """Remove the throw-away verbs again: the registry belongs to the process."""
    before = list(verbs())
    yield
    Verb.registry[:] = before
