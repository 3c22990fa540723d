"""How scores become weights: exponentials, their softmax, or ReLU."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from algatt import verbs

__all__ = ["AttentionWeights", "ExponentialWeights", "ReLUWeights", "SoftmaxWeights"]


@dataclass(frozen=True)
class AttentionWeights(ABC):
    """What the scores are turned into; `normalised` says whether the weights of a token sum up to 1, so that no 1/n is
    needed.
    """

    normalised: ClassVar[bool] = False


@dataclass(frozen=True)
class ExponentialWeights(AttentionWeights):
    """The weights exp(beta s), not normalised (P)."""


@dataclass(frozen=True)
class SoftmaxWeights(AttentionWeights):
    """The weights exp(beta s) divided by their sum (P)."""

    normalised: ClassVar[bool] = True


@dataclass(frozen=True)
class ReLUWeights(AttentionWeights):
    """The weights max(beta s, 0), not normalised (P)."""


@verbs.weigh.method
def weigh_exponentially(weights: ExponentialWeights, scores: np.ndarray) -> float:
    np.exp(scores, out=scores)
    return 1.0


@verbs.weigh.method
def weigh_by_softmax(weights: SoftmaxWeights, scores: np.ndarray) -> np.ndarray:
    """Shifted by the largest score of each row, so that nothing overflows."""
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    return 1.0 / scores.sum(axis=1)


@verbs.weigh.method
def weigh_by_relu(weights: ReLUWeights, scores: np.ndarray) -> float:
    np.maximum(scores, 0.0, out=scores)
    return 1.0


@verbs.potential.method
def exponential_potential(weights: ExponentialWeights | SoftmaxWeights, scores: np.ndarray) -> np.ndarray:
    np.exp(scores, out=scores)
    return scores.sum(axis=1)


@verbs.potential.method
def relu_potential(weights: ReLUWeights, scores: np.ndarray) -> np.ndarray:
    np.maximum(scores, 0.0, out=scores)
    np.square(scores, out=scores)
    return 0.5 * scores.sum(axis=1)


@verbs.equiangular_weights.method
def equiangular_exponential(
    weights: ExponentialWeights, exponents: np.ndarray, cosine: np.ndarray, *, tokens: int
) -> tuple[Any, Any]:
    return np.exp(exponents), np.exp(exponents * cosine)


@verbs.equiangular_weights.method
def equiangular_softmax(
    weights: SoftmaxWeights, exponents: np.ndarray, cosine: np.ndarray, *, tokens: int
) -> tuple[Any, Any]:
    """Both divided by the larger exponential, so that nothing overflows; the largest score of a negative strength is
    that of another token.
    """
    gap = exponents * (1.0 - cosine)
    own, other = np.exp(np.minimum(gap, 0.0)), np.exp(-np.maximum(gap, 0.0))
    total = own + (tokens - 1) * other
    return own / total, other / total


@verbs.equiangular_weights.method
def equiangular_relu(
    weights: ReLUWeights, exponents: np.ndarray, cosine: np.ndarray, *, tokens: int
) -> tuple[Any, Any]:
    return np.maximum(exponents, 0.0), np.maximum(exponents * cosine, 0.0)
