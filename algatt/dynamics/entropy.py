"""The entropy of attention and its rate along the flow."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.dynamics.blocks import covariance_rows, entropy_rows
from algatt.dynamics.flow import Flow, checked_tokens
from algatt.dynamics.masks import hidden_pairs
from algatt.dynamics.velocity import seen, seen_velocity, without_overflow
from algatt.fields import PublicArray


def unchecked_entropy(flow: Flow, tokens: np.ndarray) -> np.ndarray:
    """Return the entropies at tokens as the heads see them, of shape (H, n)."""
    hidden = hidden_pairs(flow.mask, tokens.shape[1])
    factors = [verbs.score_factors(head, tokens) for head in flow.heads]
    beta = flow.inverse_temperature
    return np.stack([entropy_rows(beta, queries, keys, hidden) for queries, keys in factors])


@verbs.entropy.method
def entropy_of_tokens(flow: Flow, tokens: PublicArray) -> np.ndarray:
    return without_overflow(flow, unchecked_entropy(flow, seen(flow, checked_tokens(flow, tokens))))


@verbs.entropy_rate.method
def entropy_rate_of_tokens(flow: Flow, tokens: PublicArray) -> np.ndarray:
    array = checked_tokens(flow, tokens)
    velocity = without_overflow(flow, seen_velocity(flow, array))
    hidden, looked = hidden_pairs(flow.mask, array.shape[1]), seen(flow, array)
    with np.errstate(over="ignore", invalid="ignore"):
        factors = [(verbs.score_factors(head, looked), verbs.score_factors(head, velocity)) for head in flow.heads]
        beta = flow.inverse_temperature
        rates = -beta * np.stack([covariance_rows(beta, *pair, hidden) for pair in factors])
    return without_overflow(flow, rates)
