"""Two orders of the rows of queries and keys: which rows rotary positions turn together."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt.arguments import whole
from algatt.errors import InvalidArgument


def to_interleaved(rows: Any, heads: int) -> Any:
    """Return the rows of queries, or of keys, with those that are turned together beside each other.

    An isomorphism: row f of each head goes to 2 f, and row f + r / 2 to 2 f + 1, for heads of r rows. A network whose
    positions are ``Rotary(layout="halves")`` has with the old rows the values that the one with
    ``Rotary(layout="interleaved")`` has with the new ones. `to_halves` is its inverse.

    Parameters
    ----------
    rows : array
        The matrices of all heads below each other, or their biases.
    heads : int
        The number of heads.

    Raises
    ------
    InvalidArgument
        If the rows are not those of so many heads with an even number each.

    Examples
    --------
    >>> import numpy as np
    >>> from algatt.checkpoints import to_halves, to_interleaved
    >>> to_interleaved(np.arange(8), heads=2).tolist()
    [0, 2, 1, 3, 4, 6, 5, 7]
    """
    return exchanged(rows, heads, (2, -1))


def to_halves(rows: Any, heads: int) -> Any:
    """Return the rows of queries, or of keys, with those that are turned together half a head apart: the inverse of
    `to_interleaved`.

    Parameters
    ----------
    rows : array
        The matrices of all heads below each other, or their biases.
    heads : int
        The number of heads.

    Raises
    ------
    InvalidArgument
        If the rows are not those of so many heads with an even number each.
    """
    return exchanged(rows, heads, (-1, 2))


def exchanged(rows: np.ndarray, heads: int, pairs: tuple[int, int]) -> np.ndarray:
    """Return rows, whose heads are arrays of these sizes, with both axes exchanged."""
    if rows.ndim < 1 or rows.shape[0] % (2 * whole("heads", heads)):
        raise InvalidArgument("rows", f"of shape {rows.shape}", f"of {heads} heads with an even number of rows each")
    return rows.reshape(heads, *pairs, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)
