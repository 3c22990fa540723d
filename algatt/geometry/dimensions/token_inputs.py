"""Inputs of networks that read tokens: finitely many, so a random one may add nothing and the next one something."""

from __future__ import annotations

import numpy as np

from algatt.architectures import Architecture
from algatt.architectures.base import draw_tokens

__all__ = ["all_inputs"]

MOST_SEQUENCES = 1024
"""Networks that read at most so many different sequences of tokens are looked at for all of them."""


def all_inputs(arch: Architecture, seed: int) -> np.ndarray | None:
    """Return the number of an input of the seed for each sequence of tokens.

    None if these are too many, or if the network reads vectors, perhaps beside tokens.
    """
    count = arch.sequences
    if count is None or count > MOST_SEQUENCES:
        return None
    first: dict[tuple[int, ...], int] = {}
    start = 0
    while len(first) < count:
        for number, tokens in enumerate(draw_tokens(arch, seed, start, count).tolist(), start=start):
            first.setdefault(tuple(tokens), number)
        start += count
    return np.array(sorted(first.values()))
