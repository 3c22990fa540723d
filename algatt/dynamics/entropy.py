"""The entropy of attention and its rate along the flow."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.dynamics.blocks import covariance_rows, entropy_rows
from algatt.dynamics.flow import Flow, checked_tokens
from algatt.dynamics.velocity import unchecked_velocity, without_overflow
from algatt.fields import PublicArray

__all__ = ["unchecked_entropy"]


def unchecked_entropy(flow: Flow, tokens: np.ndarray) -> np.ndarray:
    """Return the entropies, of shape (H, n)."""
    return np.stack([entropy_rows(flow.inverse_temperature, *verbs.score_factors(head, tokens)) for head in flow.heads])


@verbs.entropy.method
def entropy_of_tokens(flow: Flow, tokens: PublicArray) -> np.ndarray:
    return without_overflow(flow, unchecked_entropy(flow, checked_tokens(flow, tokens)))


@verbs.entropy_rate.method
def entropy_rate_of_tokens(flow: Flow, tokens: PublicArray) -> np.ndarray:
    array = checked_tokens(flow, tokens)
    velocity = without_overflow(flow, unchecked_velocity(flow, array))
    with np.errstate(over="ignore", invalid="ignore"):
        factors = [(verbs.score_factors(head, array), verbs.score_factors(head, velocity)) for head in flow.heads]
        beta = flow.inverse_temperature
        rates = -beta * np.stack([covariance_rows(beta, *pair) for pair in factors])
    return without_overflow(flow, rates)
