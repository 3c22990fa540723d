"""The outputs of the heads and the velocity of the tokens."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.dynamics.blocks import weighted_sums
from algatt.dynamics.flow import Flow, PreNormFlow, SphereFlow, checked_tokens
from algatt.dynamics.heads import Head
from algatt.dynamics.masks import hidden_pairs
from algatt.dynamics.tokens import lengths
from algatt.errors import InvalidArgument
from algatt.fields import PublicArray
from algatt.layers import Activation, Unnormalized

__all__ = [
    "drift",
    "overflow",
    "seen",
    "seen_velocity",
    "tangential",
    "unchecked_outputs",
    "unchecked_velocity",
    "without_overflow",
]


def seen(flow: Flow, tokens: np.ndarray) -> np.ndarray:
    """Return what the heads see of tokens: their directions, if they are normalised first."""
    return tokens / lengths(tokens) if isinstance(flow, PreNormFlow) else tokens


def head_output(flow: Flow, head: Head, tokens: np.ndarray) -> np.ndarray:
    """Return the output of one head at all tokens as it sees them, not finite where the weights overflow."""
    queries, keys = verbs.score_factors(head, tokens)
    hidden = hidden_pairs(flow.mask, tokens.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        values = verbs.head_values(head, tokens)
        return verbs.lift(head, weighted_sums(flow.weights, flow.beta, queries, keys, values, hidden))


def unchecked_outputs(flow: Flow, tokens: np.ndarray) -> np.ndarray:
    """Return the outputs of all heads at tokens as they see them, not finite where the weights overflow."""
    return np.stack([head_output(flow, head, tokens) for head in flow.heads])


def drift(flow: Flow, tokens: np.ndarray) -> np.ndarray:
    """Return v at tokens as heads see them, not finite where the weights overflow; the heads are added up one by
    one.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        total = head_output(flow, flow.heads[0], tokens)
        for head in flow.heads[1:]:
            total += head_output(flow, head, tokens)
        return total if verbs.is_normalised(flow.weights) else total / tokens.shape[1]


def tangential(tokens: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return (I - x_i x_i^T) of each column; the vectors may have further axes before the last two."""
    return vectors - tokens * (tokens * vectors).sum(axis=-2, keepdims=True)


def unchecked_velocity(flow: Flow, tokens: np.ndarray) -> np.ndarray:
    """Return the velocity, not finite where the weights overflow."""
    with np.errstate(over="ignore", invalid="ignore"):
        v = drift(flow, seen(flow, tokens))
        return tangential(tokens, v) if isinstance(flow, SphereFlow) else v


def seen_velocity(flow: Flow, tokens: np.ndarray) -> np.ndarray:
    """Return the velocity of what the heads see of tokens: P v / |x|, if they are normalised first."""
    velocity = unchecked_velocity(flow, tokens)
    if not isinstance(flow, PreNormFlow):
        return velocity
    return tangential(seen(flow, tokens), velocity) / lengths(tokens)


def without_overflow(flow: Flow, array: np.ndarray) -> np.ndarray:
    """Return an array, or raise `InvalidArgument` if exp(beta s) overflowed on the way to it."""
    if np.isfinite(array).all():
        return array
    raise overflow(flow.weights, flow.beta)


def overflow(weights: Activation | Unnormalized, beta: float) -> InvalidArgument:
    """Return the refusal of numbers that overflow."""
    should = "smaller" if verbs.is_normalised(weights) else "smaller, or the weights normalised: Exponential()"
    return InvalidArgument("beta", f"{beta:g}, at which exp(beta s) or a sum of its products overflows float64", should)


@verbs.head_outputs.method
def head_outputs_of_tokens(flow: Flow, tokens: PublicArray) -> np.ndarray:
    return without_overflow(flow, unchecked_outputs(flow, seen(flow, checked_tokens(flow, tokens))))


@verbs.velocity.method
def velocity_of_tokens(flow: Flow, tokens: PublicArray) -> np.ndarray:
    return without_overflow(flow, unchecked_velocity(flow, checked_tokens(flow, tokens)))
