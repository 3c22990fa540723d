r"""Whole layers of attention as matrices: attention times values, sums of heads, skip connections, and several layers.

A layer is written once, with products and sums, and evaluated over two models of attention: the softmax matrix
:math:`\sqrt l A_\perp` of a draw, in numbers, and the linear model of it, as an expression whose law is computed. Rank
one is left out in both: what the constant vector adds to a layer is one singular value.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce
from operator import add, matmul
from typing import Any

from algatt.arguments import whole
from algatt.errors import InvalidArgument
from algatt.spectra.laws import checked_parameter
from algatt.spectra.layers.expressions import checked_size
from algatt.spectra.layers.models import Model

MOST_PARTS = 12
"""Heads or layers: the equation of more takes minutes."""


def checked_parts(argument: str, count: int) -> int:
    """Return a number of heads or layers."""
    number = whole(argument, count)
    if number > MOST_PARTS:
        raise InvalidArgument(argument, f"{number}", f"at most {MOST_PARTS}: the law of more takes minutes")
    return number


@dataclass(frozen=True)
class AttentionLayer(ABC):
    """A layer of attention, as a matrix that is written once for all models."""

    @abstractmethod
    def matrix(self, of: Model) -> Any:
        """Return the matrix over a model."""

    @classmethod
    def examples(cls) -> Iterable[AttentionLayer]:
        """Return instances on which the tests run."""
        return ()


@dataclass(frozen=True)
class Values(AttentionLayer):
    r"""Attention times values: :math:`\sqrt l A_\perp V`, V independent of shape (l, width), of N(0, 1/l) entries.

    Parameters
    ----------
    width : float, optional
        The columns of V, in units of the number of tokens.
    """

    width: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", checked_size("width", self.width))

    def matrix(self, of: Model) -> Any:
        return of.attention("") @ of.gaussian("values", columns=self.width)

    @classmethod
    def examples(cls) -> Iterable[Values]:
        return cls(), cls(0.5)


@dataclass(frozen=True)
class TiedValues(AttentionLayer):
    r"""Attention times its own keys: :math:`\sqrt l A_\perp V` with :math:`V = X W^K / \sqrt l`."""

    def matrix(self, of: Model) -> Any:
        return of.attention("") @ of.keys("")

    @classmethod
    def examples(cls) -> Iterable[TiedValues]:
        return (cls(),)


@dataclass(frozen=True)
class SumOfHeads(AttentionLayer):
    r"""Several heads: :math:`H^{-1/2} \sum_h \sqrt l A_{\perp, h} V_h O_h`, all matrices independent, of N(0, 1/l)
    entries, V of shape (l, width) and O of shape (width, l).

    Parameters
    ----------
    heads : int, optional
        H, from 1 to 12.
    width : float, optional
        Of a head, in units of the number of tokens.
    """

    heads: int = 2
    width: float = 0.5

    def __post_init__(self) -> None:
        object.__setattr__(self, "heads", checked_parts("heads", self.heads))
        object.__setattr__(self, "width", checked_size("width", self.width))

    def matrix(self, of: Model) -> Any:
        labels = [f"/{number}" for number in range(self.heads)]
        heads = (
            of.attention(label)
            @ of.gaussian(f"values{label}", columns=self.width)
            @ of.gaussian(f"outputs{label}", rows=self.width)
            for label in labels
        )
        return self.heads**-0.5 * reduce(add, heads)

    @classmethod
    def examples(cls) -> Iterable[SumOfHeads]:
        return (cls(),)


@dataclass(frozen=True)
class Skip(AttentionLayer):
    r"""Attention with a skip connection: :math:`1 + t \sqrt l A_\perp`.

    Softmax attention of l tokens itself has t = :math:`1 / \sqrt l`, at which its bulk is nothing beside the identity.

    Parameters
    ----------
    strength : float, optional
        t > 0.
    """

    strength: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "strength", checked_parameter("strength", self.strength, least=1e-3, most=1e3))

    def matrix(self, of: Model) -> Any:
        return of.identity() + self.strength * of.attention("")

    @classmethod
    def examples(cls) -> Iterable[Skip]:
        return cls(), cls(0.3)


@dataclass(frozen=True)
class ProductOfLayers(AttentionLayer):
    r"""The product of independent layers: of :math:`\sqrt l A_\perp`, or of :math:`1 + t \sqrt l A_\perp`.

    Parameters
    ----------
    layers : int, optional
        How many, from 1 to 12.
    strength : float, optional
        t >= 0; 0 is without skip connections.
    """

    layers: int = 2
    strength: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", checked_parts("layers", self.layers))
        strength = checked_parameter("strength", self.strength, positive=False, least=1e-3, most=1e3)
        object.__setattr__(self, "strength", strength)

    def matrix(self, of: Model) -> Any:
        attention = (of.attention(f"/{number}") for number in range(self.layers))
        if self.strength:
            attention = (of.identity() + self.strength * layer for layer in attention)
        return reduce(matmul, attention)

    @classmethod
    def examples(cls) -> Iterable[ProductOfLayers]:
        return cls(2), cls(3, 0.5)
