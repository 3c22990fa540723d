"""Any mask."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
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
        rows: Any = self.rows
        if isinstance(rows, str) or not isinstance(rows, Iterable):
            raise InvalidArgument("rows", repr(rows), should)
        try:
            entries = tuple(tuple(int(entry) for entry in row) for row in rows)
        except (TypeError, ValueError) as error:
            raise InvalidArgument("rows", repr(rows), should) from error
        if (
            not entries
            or {len(row) for row in entries} != {len(entries)}
            or {x for row in entries for x in row} - {0, 1}
        ):
            raise InvalidArgument("rows", repr(rows), should)
        for query, column in enumerate(zip(*entries, strict=True)):
            if not any(column):
                raise InvalidArgument(
                    "rows",
                    f"a mask that hides all tokens from token {query}",
                    "a mask that shows at least one token to each token",
                )
        object.__setattr__(self, "rows", entries)


@verbs.mask_matrix.method
def pattern_matrix(mask: Pattern, tokens: int) -> np.ndarray:
    if tokens != len(mask.rows):
        raise InvalidArgument("mask", f"for {len(mask.rows)} tokens", f"for the {tokens} tokens of the network")
    return np.array(mask.rows, dtype=np.int64)
