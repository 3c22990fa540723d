"""How products of keys and queries become attention weights; masks, which tokens see which; and what attention without
positions does.
"""

from __future__ import annotations

import dataclasses
import math
from abc import ABC
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, cast

import numpy as np

from algatt import verbs
from algatt.arguments import entries, exact, instance, not_negative, whole
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers.activations import Activation, Exponential, Power, tanh
from algatt.layers.base import Noun, TensorShape


@dataclass(frozen=True, repr=False)
class Weighting(Noun, ABC):
    """How products become attention weights, where that is no activation divided by its sum.

    A concrete one is a frozen dataclass with a method of `algatt.layers.attention_weights` or `algatt.verbs.attend`,
    and where heads differ of `algatt.verbs.tensors` and `score_of_head`.
    """


class OfSoftmax(Weighting, ABC):
    """A weighting that is made of softmax.

    Attributes
    ----------
    score : Exponential or None
        The softmax with its temperature; None for that which `Heads` have.
    """

    score: Exponential | None


@dataclass(frozen=True, repr=False)
class Unnormalized(Weighting):
    """Attention weights S(x) that are not divided by their sum; with S(x) = x the attention is lightning attention (HMK
    Eq 1).

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
        instance("score", self.score, Activation, "a score or an activation, such as algatt.layers.Power(1)")


@dataclass(frozen=True, repr=False)
class SoftCap(OfSoftmax):
    r"""Softmax of :math:`c \tanh(x / (c \tau))`, x the products, tau the temperature (Gemma 2, arXiv 2408.00118).

    Parameters
    ----------
    cap : int, float or Fraction
        The number c > 0; floats stand for exactly what they are.
    score : Exponential, optional
        The softmax with its temperature, by which the products are divided before they are capped; unless given, that
        which `Heads` have: the root of the width of keys.

    Raises
    ------
    InvalidArgument
        If the cap is no positive number, or the score is none.
    """

    cap: float | Fraction
    score: Exponential | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "cap", not_negative("cap", self.cap))
        if self.cap <= 0:
            raise InvalidArgument("cap", repr(self.cap), "a positive number")
        instance("score", self.score, Exponential | None, "a softmax, such as algatt.layers.Exponential()")


def scaled(score: Any, width: int) -> Any:
    """Return a score; softmax, where it is left out, has the root of the width of keys as temperature."""
    usual = Exponential(math.sqrt(width))
    if isinstance(score, OfSoftmax):
        return score if score.score else dataclasses.replace(cast(Any, score), score=usual)
    return usual if score is None else score


def temperature(score: Any) -> Fraction:
    """Return what a score divides products by; a bias is added to the quotients (Press et al., arXiv 2108.12409)."""
    softmax = score.score if isinstance(score, OfSoftmax) else score
    return Fraction(softmax.temperature) if isinstance(softmax, Exponential) else Fraction(1)


@verbs.score_of_head.method
def same_for_all_heads(score: object, w: object, head: int, heads: int) -> Any:
    return score


@verbs.attention_weights.method
def weights_without_a_sum(score: Unnormalized, products: Elements, *, mask: np.ndarray | None = None) -> Elements:
    values: Elements = verbs.activate(score.score, products)
    return values if mask is None else values * mask


@verbs.attention_weights.method
def weights_of_capped(score: SoftCap, products: Elements, *, mask: np.ndarray | None = None) -> Elements:
    cap = exact("cap", score.cap)
    capped = cap * tanh(products * (1 / (cap * temperature(score))))
    weights: Elements = verbs.attention_weights(Exponential(), capped, mask=mask)
    return weights


@verbs.attend.method
def attend_by_weights(
    score: Any,
    keys: Elements,
    queries: Elements,
    values: Elements,
    *,
    mask: np.ndarray | None = None,
    bias: Any = None,
) -> Elements:
    products = keys.T @ queries
    if bias is not None:
        products = products + bias * temperature(score)
    return values @ verbs.attention_weights(score, products, mask=mask)


@verbs.attend.method
def attend_without_normalisation(
    score: Unnormalized,
    keys: Elements,
    queries: Elements,
    values: Elements,
    *,
    mask: np.ndarray | None = None,
    bias: Any = None,
) -> Elements:
    """Where the weights are the products, no token meets another before the sum over tokens: the cost is linear in
    their number.
    """
    if score.score == Power(1) and mask is None and bias is None:
        return (values @ keys.T) @ queries
    return attend_by_weights(score, keys, queries, values, mask=mask, bias=bias)


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


@dataclass(frozen=True, repr=False)
class Position(Noun, ABC):
    """How attention sees where tokens are.

    A concrete position encoding is a frozen dataclass with methods of `algatt.verbs.tensors`, `turn` or `bias_scores`
    where it differs from none.
    """


@verbs.tensors.method
def no_tensors(slot: Weighting | Position, shape: tuple) -> dict[str, TensorShape]:
    return {}


@verbs.turn.method
def no_turn(position: Position | None, X: Elements) -> Elements:
    return X


@verbs.bias_scores.method
def no_bias(position: Position | None, w: object, head: int, heads: int, tokens: int) -> Any:
    return None
