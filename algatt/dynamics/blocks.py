"""Sums over all pairs of tokens, in blocks of rows: the n x n scores of a head are never held at once.

Every function here takes queries and keys of shape (k, n), whose products are the scores, and goes through blocks of
rows of the scores times beta.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from algatt import verbs
from algatt.layers import Activation, Unnormalized

__all__ = ["covariance_rows", "entropy_rows", "potential_rows", "weighted_sums"]

BLOCK = 2**18
"""Entries of a block, unless a single row is longer: two megabytes, which stay in a cache."""


def score_blocks(beta: float, queries: np.ndarray, keys: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """Iterate over blocks of beta * queries^T keys, each in the same memory, which the caller may overwrite."""
    n, width = queries.shape[1], keys.shape[1]
    height = max(1, BLOCK // width)
    memory = np.empty((min(height, n), width))
    scaled = beta * queries
    for start in range(0, n, height):
        rows = slice(start, min(start + height, n))
        yield rows, np.matmul(scaled[:, rows].T, keys, out=memory[: rows.stop - start])


def weighted_sums(
    weights: Activation | Unnormalized, beta: float, queries: np.ndarray, keys: np.ndarray, values: np.ndarray
) -> np.ndarray:
    """Return sum_j w(beta q_i . k_j) values_j for every i, of shape (m, n); not finite where the weights overflow."""
    sums = np.empty((values.shape[0], queries.shape[1]))
    with np.errstate(over="ignore", invalid="ignore"):
        for rows, scores in score_blocks(beta, queries, keys):
            scale = verbs.weigh(weights, scores)
            np.matmul(values, scores.T, out=sums[:, rows])
            sums[:, rows] *= scale
    return sums


def potential_rows(
    weights: Activation | Unnormalized, beta: float, queries: np.ndarray, keys: np.ndarray
) -> np.ndarray:
    """Return sum_j Phi(beta q_i . k_j) for every i; not finite where it overflows."""
    sums = np.empty(queries.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        for rows, scores in score_blocks(beta, queries, keys):
            sums[rows] = verbs.potential(weights, scores)
    return sums


def entropy_rows(beta: float, queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
    """Return the entropy of the softmax of each row: ln Z - E[s - m] with the largest score m, so that no exponential
    overflows.
    """
    entropies = np.empty(queries.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        for rows, scores in score_blocks(beta, queries, keys):
            scores -= scores.max(axis=1, keepdims=True)
            exponentials = np.exp(scores)
            totals = exponentials.sum(axis=1)
            entropies[rows] = np.log(totals) - (exponentials * scores).sum(axis=1) / totals
    return entropies


def covariance_rows(
    beta: float, factors: tuple[np.ndarray, np.ndarray], changes: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """Return the covariance of beta s and ds/dt under the softmax of each row, where the factors of the scores change
    as given.
    """
    (queries, keys), (query_changes, key_changes) = factors, changes
    covariances = np.empty(queries.shape[1])
    for rows, scores in score_blocks(beta, queries, keys):
        slopes = query_changes[:, rows].T @ keys + queries[:, rows].T @ key_changes
        probabilities = np.exp(scores - scores.max(axis=1, keepdims=True))
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        scores -= (probabilities * scores).sum(axis=1, keepdims=True)
        covariances[rows] = (probabilities * scores * slopes).sum(axis=1)
    return covariances
