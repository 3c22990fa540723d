"""What verbs of flows say of tokens with a common cosine, by closed formulas (derived)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from algatt import verbs
from algatt.dynamics.equiangular.flow import (
    Cosines,
    EquiangularFlow,
    attraction,
    cosines,
    finite,
    pair_weights,
    spread,
    strengths_of,
)


@verbs.velocity.method
def velocity_of_cosine(flow: EquiangularFlow, cosine: Cosines) -> Any:
    g = cosines(flow, cosine)
    return 2.0 * attraction(flow, g) * spread(flow, g)


@verbs.energy.method
def energy_of_cosine(flow: EquiangularFlow, cosine: Cosines) -> np.ndarray:
    g = cosines(flow, cosine)
    exponents = flow.beta * strengths_of(flow, g)
    own, other = pair_potentials(flow, exponents, exponents * g)
    return (own + (flow.tokens - 1) * other) / (2.0 * flow.beta * flow.tokens)


def pair_potentials(flow: EquiangularFlow, own: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return Phi of two arrays of scores times beta."""
    with np.errstate(over="ignore"):
        values = tuple(
            verbs.potential(flow.weights, scores.reshape(-1, 1).copy()).reshape(scores.shape) for scores in (own, other)
        )
    return tuple(finite(flow, value) for value in values)


@verbs.radial_shadow.method
def radial_shadow_of_cosine(flow: EquiangularFlow, cosine: Cosines) -> np.ndarray:
    g = cosines(flow, cosine)
    own, other = pair_weights(flow, g)
    with np.errstate(over="ignore", invalid="ignore"):
        return finite(flow, strengths_of(flow, g) * (own + (flow.tokens - 1) * g * other))


@verbs.radial_dominance.method
def radial_dominance_of_cosine(flow: EquiangularFlow, cosine: Cosines) -> np.ndarray:
    g = cosines(flow, cosine)
    _, other = pair_weights(flow, g)
    sizes = np.abs(verbs.radial_shadow(flow, g))
    with np.errstate(over="ignore", invalid="ignore"):
        others = np.stack([np.delete(sizes, h, axis=0).sum(axis=0) for h in range(len(sizes))])
        return finite(
            flow, np.square(strengths_of(flow, g) * other) * (flow.tokens - 1) * spread(flow, g) - sizes * others
        )


@verbs.entropy.method
def entropy_of_cosine(flow: EquiangularFlow, cosine: Cosines) -> np.ndarray:
    g = cosines(flow, cosine)
    with np.errstate(over="ignore", invalid="ignore"):
        gap = flow.inverse_temperature * strengths_of(flow, g) * (1.0 - g)
        return finite(flow, np.logaddexp(gap, math.log(flow.tokens - 1)) - own_probability(flow, gap) * gap)


@verbs.entropy_rate.method
def entropy_rate_of_cosine(flow: EquiangularFlow, cosine: Cosines) -> np.ndarray:
    g = cosines(flow, cosine)
    with np.errstate(over="ignore", invalid="ignore"):
        exponents = flow.inverse_temperature * strengths_of(flow, g)
        p = own_probability(flow, exponents * (1.0 - g))
        return finite(flow, np.square(exponents) * p * (1.0 - p) * (1.0 - g) * verbs.velocity(flow, g))


def own_probability(flow: EquiangularFlow, gap: np.ndarray) -> np.ndarray:
    """Return the softmax probability of a token itself, whose score times beta is larger by a gap than that of each
    other token.
    """
    return 1.0 / (1.0 + np.exp(np.minimum(math.log(flow.tokens - 1) - gap, 700.0)))
