"""Points of the elementary field at which some residues are given and not drawn."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from algatt.maps.elementary import drawing
from algatt.randomness import random_residues

__all__ = ["give_residues"]


def give_residues(monkeypatch: pytest.MonkeyPatch, given: Callable[[str], int | None]) -> None:
    """Let all residues of a label be a number, if there is one for it."""

    def one(seed: int, label: str, count: int, p: int) -> np.ndarray:
        number = given(label)
        return random_residues(seed, label, count, p) if number is None else np.full(count, number, dtype=np.uint64)

    def drawn(seed: int, labels: Sequence[str], count: int, p: int) -> np.ndarray:
        return np.stack([one(seed, label, count, p) for label in labels])

    monkeypatch.setattr(drawing, "random_residues_of_labels", drawn)
