"""The outputs of the heads and the velocity of the tokens."""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.dynamics.blocks import difference_sums, weighted_sums
from algatt.dynamics.flow import Flow, PreNormFlow, SphereFlow, checked_tokens
from algatt.dynamics.heads import Head, ProjectorHead
from algatt.dynamics.low_rank_head import LowRankHead
from algatt.dynamics.masks import hidden_pairs
from algatt.dynamics.tokens import lengths
from algatt.errors import InvalidArgument
from algatt.fields import PublicArray
from algatt.layers import Activation, Unnormalized

SMALL = 2**15
"""Coordinates of the differences of all pairs up to which they are summed at once."""

DROWNED = 1e-5
"""A tangential part that is smaller than this beside the whole vector is summed again from differences: the rounding of
the whole would be more than 1e-10 of it.
"""


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
    return drift_and_size(flow, tokens)[0]


def drift_and_size(flow: Flow, tokens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return v at tokens as heads see them, and for each token the sum of the lengths of what the heads add to it."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = head_output(flow, flow.heads[0], tokens)
        size = lengths(total)
        for head in flow.heads[1:]:
            output = head_output(flow, head, tokens)
            total += output
            size += lengths(output)
        return (total, size) if verbs.is_normalised(flow.weights) else (total / tokens.shape[1], size / tokens.shape[1])


def tangential(tokens: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return (I - x_i x_i^T / |x_i|^2) of each column; the vectors may have further axes before the last two."""
    return vectors - tokens * ((tokens * vectors).sum(axis=-2, keepdims=True) / np.square(tokens).sum(axis=0))


def tangential_sums(
    weights: Activation | Unnormalized,
    beta: float,
    head: Head,
    tokens: np.ndarray,
    rows: np.ndarray,
    hidden: np.ndarray | None,
) -> np.ndarray:
    """Return P_i sum_j w_ij V x_j at some tokens of unit length, without the rounding of the part along x_i.

    With x_j = (x_j - s x_i) + s x_i, where s is the sign of their cosine, the force of token j is as small as it is,
    and P_i V x_i vanishes where V is a multiple of the identity.
    """
    queries, keys = verbs.score_factors(head, tokens)
    differences = difference_sums(weights, beta, queries, keys, tokens, rows, hidden)
    own, factor = tokens[:, rows], multiple_of_identity(head, len(tokens))
    if factor is not None:
        return tangential(own, factor * differences.sums)
    lifted = [verbs.lift(head, verbs.head_values(head, vectors)) for vectors in (differences.sums, own)]
    return tangential(own, lifted[0]) + differences.signed * tangential(own, lifted[1])


def tangential_outputs(flow: Flow, tokens: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """Return P_i f_i^h of outputs at tokens of unit length, of shape (H, d, n)."""
    parts, hidden = tangential(tokens, outputs), hidden_pairs(flow.mask, tokens.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        for part, output, head in zip(parts, outputs, flow.heads, strict=True):
            rows = drowned(part, lengths(output))
            if len(rows):
                part[:, rows] = tangential_sums(flow.weights, flow.beta, head, tokens, rows, hidden)
    return parts


def tangential_drift(flow: Flow, tokens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return P_i v_i at tokens of unit length as the heads see them, not finite where the weights overflow, and the
    tokens at which it is summed from differences.
    """
    hidden, n = hidden_pairs(flow.mask, tokens.shape[1]), tokens.shape[1]
    with np.errstate(over="ignore", invalid="ignore"):
        if tokens.size * n <= SMALL:
            velocity, rows = np.empty_like(tokens), np.arange(n)
        else:
            total, size = drift_and_size(flow, tokens)
            velocity = tangential(tokens, total)
            rows = drowned(velocity, size)
        if len(rows):
            parts = [tangential_sums(flow.weights, flow.beta, head, tokens, rows, hidden) for head in flow.heads]
            velocity[:, rows] = sum(parts[1:], start=parts[0]) / (1 if verbs.is_normalised(flow.weights) else n)
    return velocity, rows


def drowned(tangents: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Return the tokens whose tangential part is so small beside the whole that rounding may count; not those at which
    numbers overflowed.
    """
    return np.flatnonzero(lengths(tangents) < DROWNED * sizes)


def multiple_of_identity(head: Head, dimension: int) -> float | None:
    """Return c if the values of a head are exactly c I; None for others, and for heads that are kept in factors."""
    if isinstance(head, ProjectorHead | LowRankHead):
        return None
    _, V = head.matrices(dimension)
    c = float(V[0, 0])
    return c if np.array_equal(V, c * np.eye(dimension)) else None


def unchecked_velocity(flow: Flow, tokens: np.ndarray) -> np.ndarray:
    """Return the velocity, not finite where the weights overflow."""
    return tangential_drift(flow, tokens)[0] if isinstance(flow, SphereFlow) else drift(flow, seen(flow, tokens))


def seen_velocity(flow: Flow, tokens: np.ndarray) -> np.ndarray:
    """Return the velocity of what the heads see of tokens: P v / |x|, if they are normalised first."""
    if not isinstance(flow, PreNormFlow):
        return unchecked_velocity(flow, tokens)
    return tangential_drift(flow, seen(flow, tokens))[0] / lengths(tokens)


def without_overflow(flow: Flow, array: np.ndarray) -> np.ndarray:
    """Return an array, or raise `InvalidArgument` if exp(beta s) overflowed on the way to it."""
    if np.isfinite(array).all():
        return array
    raise overflow(flow.weights, flow.beta)


def overflow(weights: Activation | Unnormalized, beta: float) -> InvalidArgument:
    """Return the refusal of numbers that overflow."""
    should = "smaller" if verbs.is_normalised(weights) else "smaller, or the weights normalised: Exponential()"
    return InvalidArgument("beta", f"{beta:g}, at which exp(beta s) or a sum of its products overflows float64", should)


def head_outputs(flow: Flow, tokens: PublicArray) -> np.ndarray:
    r"""Return the outputs of all heads, :math:`f_i^h = \sum_j w(\beta \langle x_i, M_h x_j \rangle)\, V_h x_j` (P).

    Parameters
    ----------
    flow : Flow
        The heads, the weights w and beta.
    tokens : numpy.ndarray
        Shape (d, n): the tokens as columns; unit vectors for a `SphereFlow`.

    Returns
    -------
    numpy.ndarray
        Shape (H, d, n). `algatt.layers.Unnormalized` weights come without the 1/n, softmax weights are divided by their
        sum over j. Numerical. Cost: for each head two products of n x n with d and n^2 exponentials, in blocks of about
        2^19 scores.

    Raises
    ------
    InvalidArgument
        If the tokens do not fit, are no unit vectors on the sphere, or exp(beta s) overflows where the weights are not
        normalised.
    """
    return without_overflow(flow, unchecked_outputs(flow, seen(flow, checked_tokens(flow, tokens))))


@verbs.velocity.method
def velocity_of_tokens(flow: Flow, tokens: PublicArray) -> np.ndarray:
    return without_overflow(flow, unchecked_velocity(flow, checked_tokens(flow, tokens)))
