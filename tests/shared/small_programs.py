"""Small programs for the rules of changes: X is 3 x 2; r, q and t are rows (1 x 2), a, b, c and u columns (3 x 1), and
matrices are 3 x 3, but for some with shapes of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from algatt import Network
from algatt.fields import Elements, Exp
from written_networks import written

SHAPES = {
    "r": (1, 2),
    "q": (1, 2),
    "t": (1, 2),
    "a": (3, 1),
    "b": (3, 1),
    "c": (3, 1),
    "u": (3, 1),
    "P": (4, 3),
    "s": (1, 1),
    "v": (2, 1),
    "e": (2, 1),
    "d": (6, 1),
    "B": (4, 4),
    "w": (1, 3),
    "N": (2, 3),
    "L": (1, 3),
}


def small_program(text: Callable[[Any, Elements], Elements], tensors: str) -> Network:
    """Return the network of a function of tensors, given by their names, and of X."""
    return written({one: SHAPES.get(one, (3, 3)) for one in tensors.split()}, text)


def soft(Y: Elements) -> Elements:
    """Softmax of columns."""
    return Y.exp() / Y.exp().sum(axis=0)


def soft_masked(Y: Elements, mask: np.ndarray) -> Elements:
    """Softmax of the entries that a mask shows."""
    seen = Y.entrywise(Exp()) * mask
    return seen / seen.sum(axis=0)


def square(Y: Elements) -> Elements:
    return Y * Y


def share(Y: Elements) -> Elements:
    """Columns divided by their sums."""
    return Y / Y.sum(axis=0)
