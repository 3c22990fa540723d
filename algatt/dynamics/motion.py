"""How fast tokens are, and by how much rounding may have changed that: whether they move at all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.dynamics.blocks import BLOCK, score_blocks
from algatt.dynamics.flow import Flow, PreNormFlow, SphereFlow, checked_tokens
from algatt.dynamics.heads import Head, ScalarHead
from algatt.dynamics.low_rank_head import LowRankHead
from algatt.dynamics.masks import hidden_pairs
from algatt.dynamics.tokens import lengths
from algatt.dynamics.velocity import (
    SMALL,
    drift_and_size,
    drowned,
    multiple_of_identity,
    seen,
    tangential,
    tangential_drift,
    unchecked_velocity,
    without_overflow,
)
from algatt.layers import Exponential, Unnormalized

UNIT = 2.0**-53
"""The relative error of one operation."""

OPERATIONS = 40
"""Operations on a term of a sum beside those that grow with the dimension and the number of tokens, exponentials with
their errors included.
"""


@dataclass(frozen=True)
class Motion:
    """The speeds of tokens, each with error bounds. All have the shape (n,)."""

    speeds: np.ndarray
    errors: np.ndarray
    """By rounding in the velocity of these tokens."""

    pulls: np.ndarray
    """By rounding of the tokens themselves, in the pulls of tokens that are apart."""

    @property
    def fastest(self) -> float:
        """The largest speed that a token can have."""
        return float((self.speeds + self.errors).max())

    @property
    def unknown(self) -> float:
        """The largest speed that rounding can have made."""
        return float((self.errors + self.pulls).max())

    @property
    def at_rest_up_to_rounding(self) -> bool:
        """Whether no speed is larger than what rounding can have made, and not all are exactly 0."""
        return bool((self.speeds <= self.errors + self.pulls).all()) and self.fastest > 0.0


def velocity_errors(flow: Flow, tokens: Any) -> np.ndarray:
    r"""Return bounds of the rounding errors of `algatt.dynamics.velocity`, by the length of the error of each token.

    On the sphere the velocity is that of the differences :math:`x_j - s_{ij} x_i`, where s is the sign of the cosine,
    so that its error is small where equal or opposite tokens are: :math:`\epsilon (n + 6 d + 40) \sum_j |w_{ij}|
    \|V\| |x_j - s_{ij} x_i|`, with what rounding of the scores does to the weights.

    Parameters
    ----------
    flow : Flow
        The heads, the weights and beta.
    tokens : numpy.ndarray
        Shape (d, n).

    Returns
    -------
    numpy.ndarray
        Shape (n,). Numerical: to the first order in the unit roundoff, with exponentials that are right to four units
        in the last place. Cost: d n^2 operations one by one, about ten velocities of many tokens.

    Raises
    ------
    InvalidArgument
        As `algatt.dynamics.velocity`.

    Examples
    --------
    >>> import algatt
    >>> from algatt.dynamics import random_tokens, velocity_errors
    >>> flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), beta=60.0)
    >>> X = random_tokens(2, 3)
    >>> speeds = (algatt.dynamics.velocity(flow, X) ** 2).sum(axis=0) ** 0.5
    >>> bool((velocity_errors(flow, X) < 1e-11 * speeds).all())
    True
    """
    array = checked_tokens(flow, tokens)
    without_overflow(flow, unchecked_velocity(flow, array))
    return motion_of(flow, array).errors


def motion_of(flow: Flow, tokens: np.ndarray) -> Motion:
    """Return the speeds of tokens and their errors."""
    looked, n = seen(flow, tokens), tokens.shape[1]
    if isinstance(flow, SphereFlow):
        velocity, rows = tangential_drift(flow, looked)
        differing = np.zeros(n, dtype=bool)
        differing[rows] = True
    else:
        velocity, differing = unchecked_velocity(flow, tokens), np.zeros(n, dtype=bool)
    errors, pulls = np.zeros(n), np.zeros(n)
    with np.errstate(over="ignore", invalid="ignore"):
        for head in flow.heads:
            error, pull = head_errors(flow, head, looked, differing)
            errors += error
            pulls += pull
        speeds = lengths(velocity)
    if isinstance(flow, PreNormFlow):  # directions are rounded before
        errors *= 2.0
    return Motion(speeds, errors, pulls if isinstance(flow, SphereFlow) else np.zeros(n))


def may_be_at_rest(flow: Flow, tokens: np.ndarray) -> bool:
    """Return whether errors are worth their cost: not of many tokens of which one is moved by most of what it gets."""
    n = tokens.shape[1]
    if tokens.size * n <= SMALL:
        return True
    looked = seen(flow, tokens)
    total, size = drift_and_size(flow, looked)
    return len(drowned(tangential(looked, total) if isinstance(flow, SphereFlow) else total, size)) == n


def head_errors(flow: Flow, head: Head, tokens: np.ndarray, differing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return by how much rounding can change what a head adds to the velocities: in the sums, of differences where
    these are summed, and by rounding of tokens that are apart.
    """
    d, n = tokens.shape
    scores_size, values_size = sizes_of(head, d)
    hidden, divided = hidden_pairs(flow.mask, n), verbs.is_normalised(flow.weights)
    queries, keys = verbs.score_factors(head, tokens)
    own_size, largest = lengths(tokens), float(lengths(tokens).max())
    of_scores = 2.0 * flow.beta * (2 * d + 6) * scores_size * own_size * largest
    of_terms, exact = n + 6 * d + OPERATIONS, multiple_of_identity(head, d) is not None
    errors, pulls = np.empty(n), np.empty(n)
    for block in score_blocks(flow.beta, queries, keys, hidden, entries=BLOCK // d):
        rows, (own, others) = block.rows, (tokens[:, block.rows], tokens[:, block.columns])
        slopes = slopes_of(flow, block.scores)
        if divided:
            block.hide(-np.inf)
        scale: Any = verbs.weigh(flow.weights, block.scores)
        block.hide(0.0)
        weights = np.abs(block.scores) * (np.reshape(scale, (-1, 1)) if divided else 1.0 / n)
        if slopes is None:
            slopes = (weights * beside(weights) if divided else weights) / float(verbs.temperature(flow.weights))
        else:
            slopes /= n
            if block.hidden is not None:
                np.copyto(slopes, 0.0, where=block.hidden)
        terms = of_terms * weights + of_scores[rows, np.newaxis] * slopes
        apart = lengths(others[:, np.newaxis, :] - own[:, :, np.newaxis])
        nearest = np.minimum(apart, lengths(others[:, np.newaxis, :] + own[:, :, np.newaxis]))
        whole = np.broadcast_to(lengths(others), apart.shape)
        chosen = np.choose(differing[rows, np.newaxis], (whole, nearest))
        errors[rows] = (terms * chosen).sum(axis=1)
        if not exact:
            errors[rows] += terms.sum(axis=1) * own_size[rows]
        pulls[rows] = 8.0 * (weights * apart).sum(axis=1)
    return UNIT * values_size * errors, UNIT * values_size * pulls


def beside(weights: np.ndarray) -> np.ndarray:
    """Return what all other weights of a row add up to, for each: of one that is nearly 1 they are added up."""
    rest, rows, largest = 1.0 - weights, np.arange(len(weights)), weights.argmax(axis=1)
    others = weights.copy()
    others[rows, largest] = 0.0
    rest[rows, largest] = others.sum(axis=1)
    return rest


def slopes_of(flow: Flow, scores: np.ndarray) -> np.ndarray | None:
    """Return the sizes of the slopes of weights at scores; None for exponentials, whose slopes are they themselves, or,
    where they are divided by their sum, times what the others add up to.
    """
    score = flow.weights.score if isinstance(flow.weights, Unnormalized) else flow.weights
    if isinstance(score, Exponential) or verbs.is_normalised(flow.weights):
        return None
    return np.array(np.abs(verbs.activation_slopes(score, scores)))


def sizes_of(head: Head, dimension: int) -> tuple[float, float]:
    """Return bounds of the norms of M and V, of heads in factors the products of those of the factors."""
    if isinstance(head, ScalarHead):
        return abs(head.strength), abs(head.strength)
    if isinstance(head, LowRankHead):
        Q, K, V, O = (float(np.linalg.norm(factor)) for factor in (head.Q, head.K, head.V, head.O))
        return Q * K, V * O
    scores, values = head.matrices(dimension)
    return float(np.linalg.norm(scores)), float(np.linalg.norm(values))
