"""Retention."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import entries, exact
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers.scores import Weighting

__all__ = ["Retention"]


@dataclass(frozen=True, repr=False)
class Retention(Weighting):
    r"""Weights :math:`\gamma_h^{|i - j|}\, k_j^T q_i` without division by their sum, with a decay for each head (Sun et
    al., arXiv 2307.08621).

    Parameters
    ----------
    decays : sequence of numbers, optional
        The decay of each head; floats stand for exactly what they are. Unless given, :math:`1 - 2^{-4 - h}` for the
        heads h = 1, 2, ....

    Raises
    ------
    InvalidArgument
        If they are no positive numbers; and, when a network is built, if there is not one for each head.
    """

    decays: tuple[float | Fraction, ...] | None = None

    def __post_init__(self) -> None:
        if self.decays is not None:
            numbers = tuple(entries("decays", self.decays, "a sequence of positive numbers"))
            for i, one in enumerate(numbers):
                exact(f"decays[{i}]", one, positive=True)
            object.__setattr__(self, "decays", numbers)

    def of_heads(self, heads: int) -> tuple[float | Fraction, ...]:
        """Return the decay of each of so many heads."""
        if self.decays is None:
            return tuple(1 - Fraction(1, 2 ** (4 + head)) for head in range(1, heads + 1))
        if len(self.decays) != heads:
            raise InvalidArgument("decays", f"{len(self.decays)} numbers", f"one for each of the {heads} heads")
        return self.decays


@verbs.score_of_head.method
def retention_of_head(score: Retention, w: Any, head: int, heads: int) -> Retention:
    return Retention((score.of_heads(heads)[head],))


@verbs.attention_weights.method
def weights_that_decay(score: Retention, products: Elements, *, mask: np.ndarray | None = None) -> Elements:
    (given,) = score.of_heads(1)
    decay = Fraction(given)
    keys, queries = (range(size) for size in products.shape[-2:])
    powers = np.array([[decay ** abs(query - key) for query in queries] for key in keys], dtype=object)
    return products * (powers if mask is None else powers * mask)
