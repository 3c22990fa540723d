"""Masks that frameworks add to scores: minus infinity, or a least number that stands for it, hides an entry.

Numbers of a program are rational. What is hidden is a zero in its exponential instead, so a mask that is added before a
softmax is a mask of zeros and ones that multiplies exponentials.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument
from algatt.fields import Elements


@dataclass(frozen=True, eq=False)
class Masked:
    """Scores of which some are minus infinity.

    Parameters
    ----------
    scores : Elements
        The scores; what stands in the place of hidden ones has no meaning.
    shown : numpy.ndarray
        One where a score is shown and zero where it is minus infinity, of the last two axes of the scores.
    """

    scores: Elements
    shown: np.ndarray

    def __add__(self, other: Any) -> Masked:
        """Return the sum with numbers, or with elements that may be spread."""
        return Masked(self.scores + other, self.shown)

    def __sub__(self, other: Any) -> Masked:
        """Return the difference."""
        return Masked(self.scores - other, self.shown)

    @property
    def T(self) -> Masked:
        """The transpose."""
        return Masked(self.scores.T, self.shown.T)

    def exp(self) -> Elements:
        """Return the exponentials, which are zero where the scores are hidden."""
        return self.scores.exp() * self.shown

    def maximum(self, axis: int = 0) -> Elements:
        """Return the largest shown score of each column, or of each row with `axis=1`.

        Raises
        ------
        InvalidArgument
            If all scores of one are hidden.
        """
        self.require_shown(axis)
        if axis:
            return self.T.maximum().T
        least = -((-self.scores) * (-self.scores).largest(1)).sum(axis=0)
        above = (self.scores - least + 1) * self.shown  # 0 where hidden, and at least 1 where shown
        return (above * above.largest(1)).sum(axis=0) + least - 1

    def softmax(self, axis: int = 0) -> Elements:
        """Return the weights of each column, or of each row with `axis=1`: exponentials divided by their sum.

        Raises
        ------
        InvalidArgument
            If all scores of one are hidden: minus infinity has no softmax, and a least number has that of equal scores.
        """
        self.require_shown(axis)
        e = self.exp()
        return e / e.sum(axis=axis)

    def require_shown(self, axis: int) -> None:
        """Refuse a column, or a row with `axis=1`, of which all scores are hidden."""
        hidden = np.flatnonzero(~self.shown.astype(bool).any(axis=axis))
        if hidden.size:
            raise InvalidArgument(
                "mask",
                f"one that hides all scores of {('column', 'row')[axis]} {hidden[0] + 1}",
                "one that shows at least one score to each softmax",
            )


def masked_sum(scores: Elements | Masked, mask: Any, *, least: float = -np.inf) -> Masked:
    """Return scores to which a mask is added.

    Parameters
    ----------
    scores : Elements or Masked
        The scores.
    mask : array_like of float
        What is added; it may be spread. Numbers of at most `least` hide scores.
    least : float, optional
        What stands for minus infinity, as the least number of float16, bfloat16 or float32, or -10000. Numbers that
        are not minus infinity hide a score only as far as rounding goes: that they are meant to is the caller's word.

    Raises
    ------
    InvalidArgument
        If the mask has entries that are no numbers, or infinite, or does not fit the scores.
    """
    given = scores if isinstance(scores, Masked) else Masked(scores, np.ones(scores.shape[-2:], dtype=np.int64))
    values = np.asarray(mask, dtype=np.float64)
    if np.isnan(values).any() or (values == np.inf).any():
        raise InvalidArgument("mask", "one with nan or inf", "one of numbers and -inf")
    try:
        values = np.broadcast_to(values, given.shown.shape)
    except ValueError:
        raise InvalidArgument(
            "mask", f"of shape {values.shape}", f"one of shape {given.shown.shape}, or one that is spread to it"
        ) from None
    shown = values > least
    total = given
    if values[shown].any():
        added = [Fraction(value) if seen else Fraction(0) for value, seen in zip(values.flat, shown.flat, strict=True)]
        total = given + np.array(added, dtype=object).reshape(values.shape)
    return Masked(total.scores, given.shown * shown)
