"""Masks of tokens that see no later ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.layers.masks.base import Mask

__all__ = ["Causal", "Window"]


@dataclass(frozen=True, repr=False)
class Causal(Mask):
    """Each token sees itself and those before it (Vaswani et al., arXiv 1706.03762)."""


@dataclass(frozen=True, repr=False)
class Window(Mask):
    """Each token sees itself and as many of those before it that they are `size` tokens (Beltagy et al., arXiv
    2004.05150, causal).

    Parameters
    ----------
    size : int
        How many tokens a token sees.

    Raises
    ------
    InvalidArgument
        If it is not an integer >= 1.
    """

    size: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", whole("size", self.size))


@verbs.mask_matrix.method
def causal_matrix(mask: Causal, tokens: int) -> np.ndarray:
    return np.triu(np.ones((tokens, tokens), dtype=np.int64))


@verbs.mask_matrix.method
def window_matrix(mask: Window, tokens: int) -> np.ndarray:
    seen = np.ones((tokens, tokens), dtype=np.int64)
    return np.triu(seen) - np.triu(seen, mask.size)
