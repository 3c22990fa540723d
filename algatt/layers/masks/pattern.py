"""Any mask."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.arguments import entries
from algatt.errors import InvalidArgument
from algatt.layers.masks.base import Mask

__all__ = ["Pattern"]


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
