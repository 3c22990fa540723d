"""What the scores of networks mean in a flow: weights in place, their integrals, and their temperature.

A flow takes the nouns of `algatt.layers`. As in a network, an activation alone is divided by the sum of its values, so
that `Exponential` is softmax, and `Unnormalized` is not. An activation needs a method of `algatt.verbs.potential` to be
the score of a flow.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument, MethodError
from algatt.fields import Elements, Reals
from algatt.layers import Activation, Exponential, ReLU, Unnormalized

KINKED = Unnormalized(ReLU())
"""The weights that have no derivative at 0, and vanish at all scores that are not positive."""

SAFE = 300.0
"""Exponentials of numbers up to this, and of minus this, are floats, and so are sums of them."""

SHOULD = (
    "Exponential(), which is softmax, Unnormalized(Exponential()), Unnormalized(ReLU()), or Unnormalized of an "
    "activation with a method of algatt.dynamics.potential"
)


def check_weights(weights: Any) -> None:
    """Raise `InvalidArgument` unless a flow has methods for weights: they are tried on the score 0."""
    try:
        verbs.weigh(weights, np.zeros((1, 1)))
        verbs.potential(weights, np.zeros((1, 1)))
    except MethodError as error:
        raise InvalidArgument("weights", repr(weights), SHOULD) from error


# ----- exponentials, and softmax


@verbs.temperature.method
def temperature_of_exponential(weights: Exponential) -> float:
    try:
        number = float(weights.temperature)
    except OverflowError:
        number = math.inf
    if not 0 < number < math.inf:
        raise InvalidArgument("weights", repr(weights), "of a temperature that float64 has")
    return number


@verbs.activate_in_place.method
def exponentials_in_place(activation: Exponential, scores: np.ndarray) -> None:
    divide(scores, verbs.temperature(activation))
    np.exp(scores, out=scores)


@verbs.weigh.method
def weigh_by_softmax(weights: Exponential, scores: np.ndarray) -> np.ndarray:
    """Shifted by the largest score of each row, so that nothing overflows, where this is needed."""
    largest = scores.max(axis=1, keepdims=True)
    if np.abs(largest).max() > SAFE * verbs.temperature(weights):
        scores -= largest
    verbs.activate_in_place(weights, scores)
    return np.array(1.0 / (scores @ np.ones(scores.shape[1])))


def without_shift(weights: Any, bound: float) -> Unnormalized | None:
    """Return the exponentials that softmax weights are before they are divided by their sum, if no score within a bound
    needs a shift; None for other weights.
    """
    safe = isinstance(weights, Exponential) and bound <= SAFE * verbs.temperature(weights)
    return Unnormalized(weights) if safe else None


@verbs.potential.method
def potential_of_exponential(weights: Exponential, scores: np.ndarray) -> np.ndarray:
    verbs.activate_in_place(weights, scores)
    return verbs.temperature(weights) * scores.sum(axis=1)


@verbs.equiangular_weights.method
def equiangular_softmax(
    weights: Exponential, exponents: np.ndarray, cosine: np.ndarray, *, tokens: int
) -> tuple[Any, Any]:
    """Both divided by the larger exponential, so that nothing overflows; the largest score of a negative strength is
    that of another token.
    """
    gap = exponents / verbs.temperature(weights) * (1.0 - cosine)
    own, other = np.exp(np.minimum(gap, 0.0)), np.exp(-np.maximum(gap, 0.0))
    total = own + (tokens - 1) * other
    return own / total, other / total


# ----- the rectifier


@verbs.activate_in_place.method
def rectify_in_place(activation: ReLU, scores: np.ndarray) -> None:
    np.maximum(scores, 0.0, out=scores)


@verbs.potential.method
def potential_of_rectifier(weights: ReLU, scores: np.ndarray) -> np.ndarray:
    np.maximum(scores, 0.0, out=scores)
    np.square(scores, out=scores)
    return 0.5 * scores.sum(axis=1)


# ----- any activation


@verbs.is_normalised.method
def is_divided_by_the_sum(weights: Activation) -> bool:
    return True


@verbs.temperature.method
def temperature_of_activation(weights: Activation) -> float:
    return 1.0


@verbs.activate_in_place.method
def activate_by_ring_operations(activation: Activation, scores: np.ndarray) -> None:
    scores[...] = verbs.activate(activation, Elements(Reals(), scores)).raw


# ----- without the sum


@verbs.is_normalised.method
def is_not_divided(weights: Unnormalized) -> bool:
    return False


@verbs.temperature.method
def temperature_without_a_sum(weights: Unnormalized) -> float:
    return verbs.temperature(weights.score)


@verbs.weigh.method
def weigh_without_a_sum(weights: Unnormalized, scores: np.ndarray) -> float:
    verbs.activate_in_place(weights.score, scores)
    return 1.0


@verbs.potential.method
def potential_without_a_sum(weights: Unnormalized, scores: np.ndarray) -> np.ndarray:
    return verbs.potential(weights.score, scores)


@verbs.equiangular_weights.method
def equiangular_without_a_sum(
    weights: Unnormalized, exponents: np.ndarray, cosine: np.ndarray, *, tokens: int
) -> tuple[Any, Any]:
    own, other = exponents.copy(), exponents * cosine
    for scores in (own, other):
        verbs.activate_in_place(weights.score, scores)
    return own, other


def divide(scores: np.ndarray, temperature: float) -> None:
    """Divide scores in place, where this changes them."""
    if temperature != 1.0:
        scores /= temperature
