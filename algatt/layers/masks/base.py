"""What a mask is."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.layers.base import Noun

__all__ = ["Mask", "checked_mask"]


@dataclass(frozen=True, repr=False)
class Mask(Noun, ABC):
    """Which tokens see which: a frozen dataclass with a method of `algatt.verbs.mask_matrix`."""


def checked_mask(mask: Mask, tokens: int) -> np.ndarray:
    """Return the 0/1 matrix of a mask, or raise `InvalidArgument` if it is none, or hides all tokens from one."""
    seen: np.ndarray = verbs.mask_matrix(mask, tokens)
    if seen.shape != (tokens, tokens) or not ((seen == 0) | (seen == 1)).all():
        raise InvalidArgument("mask", repr(mask), f"a mask with a matrix of 0 and 1 of shape {(tokens, tokens)}")
    shown = (seen != 0).any(axis=0)
    if not shown.all():
        was = f"{mask!r}, which hides all tokens from token {int(shown.argmin())}"
        raise InvalidArgument("mask", was, "a mask that shows at least one token to each token")
    return seen
