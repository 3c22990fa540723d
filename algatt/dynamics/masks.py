"""Masks in flows: which tokens a token does not see."""

from __future__ import annotations

import functools

import numpy as np

from algatt.layers import Mask
from algatt.layers.scores import checked_mask
from algatt.memory import check_memory


@functools.lru_cache(maxsize=4)
def hidden_array(mask: Mask, tokens: int) -> np.ndarray:
    """Return the array of `hidden_pairs`, which is made once for all velocities of a run."""
    check_memory(10.0 * tokens**2, "the matrix of a mask")
    hidden = np.ascontiguousarray(checked_mask(mask, tokens).T == 0)
    hidden.setflags(write=False)
    return hidden


def hidden_pairs(mask: Mask | None, tokens: int) -> np.ndarray | None:
    """Return whether token j is hidden from token i, at [i, j], or None if all see all.

    Raises
    ------
    InvalidArgument
        If the mask is for another number of tokens.
    """
    return None if mask is None else hidden_array(mask, tokens)


def is_symmetric(mask: Mask | None, tokens: int) -> bool:
    """Return whether of any two tokens both see each other, or neither does."""
    hidden = hidden_pairs(mask, tokens)
    return hidden is None or np.array_equal(hidden, hidden.T)
