"""Masks: which tokens see which."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.arguments import entries, whole
from algatt.errors import InvalidArgument
from algatt.layers.base import Noun


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


@dataclass(frozen=True, repr=False)
class Pattern(Mask):
    """The mask of any 0/1 matrix (Child et al., arXiv 1904.10509, have many).

    Parameters
    ----------
    rows : matrix of 0 and 1
        Row j, column i: whether query i sees key j.

    Raises
    ------
    InvalidArgument
        If it is no square matrix of 0 and 1, or hides all tokens from one; and, when a network is built, if it has
        another number of tokens.
    """

    rows: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        should = "a square matrix of 0 and 1"
        rows = entries("rows", self.rows, should)
        try:
            cells = tuple(tuple(int(cell) for cell in row) for row in rows)
        except (TypeError, ValueError) as error:
            raise InvalidArgument("rows", repr(self.rows), should) from error
        if not cells or {len(row) for row in cells} != {len(cells)} or {x for row in cells for x in row} - {0, 1}:
            raise InvalidArgument("rows", repr(self.rows), should)
        for query, column in enumerate(zip(*cells, strict=True)):
            if not any(column):
                raise InvalidArgument(
                    "rows",
                    f"a mask that hides all tokens from token {query}",
                    "a mask that shows at least one token to each token",
                )
        object.__setattr__(self, "rows", cells)


@verbs.mask_matrix.method
def pattern_matrix(mask: Pattern, tokens: int) -> np.ndarray:
    if tokens != len(mask.rows):
        raise InvalidArgument("mask", f"for {len(mask.rows)} tokens", f"for the {tokens} tokens of the network")
    return np.array(mask.rows, dtype=np.int64)
