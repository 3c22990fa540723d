"""What a mask is."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass

from algatt.layers.base import Noun

__all__ = ["Mask"]


@dataclass(frozen=True, repr=False)
class Mask(Noun, ABC):
    """Which tokens see which: a frozen dataclass with a method of `algatt.verbs.mask_matrix`."""
