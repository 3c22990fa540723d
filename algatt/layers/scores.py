"""How products of keys and queries become attention weights."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import exact
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers.activations import Activation, Exponential, Power, tanh
from algatt.layers.base import Noun

__all__ = ["SoftCap", "Unnormalized"]


@dataclass(frozen=True, repr=False)
class Unnormalized(Noun):
    """Attention weights S(x) that are not divided by their sum; with S(x) = x the attention is lightning attention (HMK Eq 1).

    Parameters
    ----------
    score : Activation, optional
        The function S; ``Power(1)``, the identity, unless given.

    Raises
    ------
    InvalidArgument
        If it is no activation.
    """

    score: Activation = field(default_factory=lambda: Power(1))

    def __post_init__(self) -> None:
        if not isinstance(self.score, Activation):
            raise InvalidArgument("score", repr(self.score), "a score or an activation, such as algatt.layers.Power(1)")


@dataclass(frozen=True, repr=False)
class SoftCap(Noun):
    r"""Attention weights of products x that are first made :math:`c \tanh(x / c)` (Gemma 2, arXiv 2408.00118).

    Parameters
    ----------
    cap : int, float or Fraction
        The number c > 0; floats stand for exactly what they are.
    score : Score or Unnormalized, optional
        What becomes of the result; `Exponential`, softmax, unless given.

    Raises
    ------
    InvalidArgument
        If the cap is no positive number, or the score is none.
    """

    cap: float | Fraction
    score: Any = field(default_factory=Exponential)

    def __post_init__(self) -> None:
        if exact("cap", self.cap) <= 0:
            raise InvalidArgument("cap", repr(self.cap), "a positive number")
        if not isinstance(self.score, Activation | Unnormalized):
            raise InvalidArgument("score", repr(self.score), "a score, such as algatt.layers.Exponential()")


@verbs.attention_weights.method
def weights_without_a_sum(score: Unnormalized, products: Elements, *, mask: np.ndarray | None = None) -> Elements:
    values: Elements = verbs.activate(score.score, products)
    return values if mask is None else values * mask


@verbs.attention_weights.method
def weights_of_capped(score: SoftCap, products: Elements, *, mask: np.ndarray | None = None) -> Elements:
    cap = exact("cap", score.cap)
    weights: Elements = verbs.attention_weights(score.score, cap * tanh(products * (1 / cap)), mask=mask)
    return weights


@verbs.attend.method
def attend_by_weights(
    score: object, keys: Elements, queries: Elements, values: Elements, *, mask: np.ndarray | None = None, bias: Any = None
) -> Elements:
    products = keys.T @ queries
    return values @ verbs.attention_weights(score, products if bias is None else products + bias, mask=mask)


@verbs.attend.method
def attend_without_normalisation(
    score: Unnormalized, keys: Elements, queries: Elements, values: Elements, *, mask: np.ndarray | None = None, bias: Any = None
) -> Elements:
    """Where the weights are the products, no token meets another before the sum over tokens: the cost is linear in their number."""
    if score.score == Power(1) and mask is None and bias is None:
        return (values @ keys.T) @ queries
    return attend_by_weights(score, keys, queries, values, mask=mask, bias=bias)
