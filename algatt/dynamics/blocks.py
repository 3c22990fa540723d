"""Sums over all pairs of tokens, in blocks of rows: the n x n scores of a head are never held at once.

Every function here takes queries and keys of shape (k, n), whose products are the scores, and goes through blocks of
rows of the scores times beta.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.dynamics.weights import without_shift
from algatt.layers import Activation, Unnormalized

BLOCK = 2**19
"""Entries of a block, unless a single row is longer: four megabytes, which stay in a cache."""


@dataclass(frozen=True)
class TokenBlock:
    """Scores of some rows, of all tokens but those at the ends that a mask hides from all rows; they may be overwritten
    until the next block comes.
    """

    rows: slice
    columns: slice
    scores: np.ndarray
    hidden: np.ndarray | None
    """The pairs that a mask hides, or None."""

    def hide(self, value: float) -> None:
        """Write a number to all hidden pairs."""
        if self.hidden is not None:
            np.copyto(self.scores, value, where=self.hidden)


def score_blocks(
    beta: float, queries: np.ndarray, keys: np.ndarray, hidden: np.ndarray | None, entries: int = BLOCK
) -> Iterator[TokenBlock]:
    """Iterate over blocks of beta * queries^T keys, each in the same memory."""
    n, width = queries.shape[1], keys.shape[1]
    height = max(1, entries // width)
    memory = np.empty(min(height, n) * width)
    scaled = beta * queries
    for start in range(0, n, height):
        rows, columns, covered = slice(start, min(start + height, n)), slice(0, width), None
        if hidden is not None:
            seen = np.flatnonzero(~hidden[rows].all(axis=0))
            columns = slice(int(seen[0]), int(seen[-1]) + 1)
            covered = hidden[rows, columns]
        shape = (rows.stop - rows.start, columns.stop - columns.start)
        out = memory[: shape[0] * shape[1]].reshape(shape)
        yield TokenBlock(rows, columns, np.matmul(scaled[:, rows].T, keys[:, columns], out=out), covered)


def largest_length(vectors: np.ndarray) -> float:
    """Return the length of the longest column; infinite if a square overflows."""
    with np.errstate(over="ignore"):
        return float(np.sqrt((vectors * vectors).sum(axis=0).max()))


def weighted_sums(
    weights: Activation | Unnormalized,
    beta: float,
    queries: np.ndarray,
    keys: np.ndarray,
    values: np.ndarray,
    hidden: np.ndarray | None = None,
) -> np.ndarray:
    """Return sum_j w(beta q_i . k_j) values_j for every i, of shape (m, n), without the pairs [i, j] that are hidden;
    not finite where the weights overflow.

    Softmax of scores that the lengths of queries and keys bound needs no largest one, and its sums are products with
    one more row of values: of three passes over the scores one is left.
    """
    exponentials = without_shift(weights, abs(beta) * largest_length(queries) * largest_length(keys))
    if exponentials is not None:
        ones = np.ones((1, values.shape[1]))
        sums = weighted_sums(exponentials, beta, queries, keys, np.concatenate([values, ones]), hidden)
        return sums[:-1] / sums[-1]
    sums = np.empty((values.shape[0], queries.shape[1]))
    divided = verbs.is_normalised(weights)
    with np.errstate(over="ignore", invalid="ignore"):
        for block in score_blocks(beta, queries, keys, hidden):
            if divided:
                block.hide(-np.inf)
            scale = verbs.weigh(weights, block.scores)
            if not divided:
                block.hide(0.0)
            np.matmul(values[:, block.columns], block.scores.T, out=sums[:, block.rows])
            sums[:, block.rows] *= scale
    return sums


@dataclass(frozen=True)
class DifferenceSums:
    """Sums over all j at some tokens i, where s_ij is the sign of <x_i, x_j>."""

    sums: np.ndarray
    """sum_j w_ij (x_j - s_ij x_i), of shape (d, rows)."""

    signed: np.ndarray
    """sum_j w_ij s_ij, of shape (rows,)."""


def difference_sums(
    weights: Activation | Unnormalized,
    beta: float,
    queries: np.ndarray,
    keys: np.ndarray,
    tokens: np.ndarray,
    rows: np.ndarray,
    hidden: np.ndarray | None = None,
) -> DifferenceSums:
    """Return the sums of differences at some tokens, with a pass for each coordinate; not finite where the weights
    overflow.
    """
    d, found = len(tokens), DifferenceSums(np.empty((len(tokens), len(rows))), np.empty(len(rows)))
    divided = verbs.is_normalised(weights)
    with np.errstate(over="ignore", invalid="ignore"):
        for block in score_blocks(
            beta, queries[:, rows], keys, None if hidden is None else hidden[rows], entries=BLOCK // d
        ):
            own, others = tokens[:, rows[block.rows]], tokens[:, block.columns]
            if divided:
                block.hide(-np.inf)
            scale = verbs.weigh(weights, block.scores)
            if not divided:
                block.hide(0.0)
            signs = np.copysign(1.0, own.T @ others)
            differences = others[:, np.newaxis, :] - signs * own[:, :, np.newaxis]
            differences *= block.scores
            found.sums[:, block.rows] = differences.sum(axis=2) * scale
            found.signed[block.rows] = (signs * block.scores).sum(axis=1) * scale
    return found


def potential_rows(
    weights: Activation | Unnormalized,
    beta: float,
    queries: np.ndarray,
    keys: np.ndarray,
    hidden: np.ndarray | None = None,
) -> np.ndarray:
    """Return sum_j Phi(beta q_i . k_j) for every i; not finite where it overflows."""
    sums = np.empty(queries.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        for block in score_blocks(beta, queries, keys, hidden):
            if block.hidden is None:
                sums[block.rows] = verbs.potential(weights, block.scores)
            else:  # one by one, as Phi of hidden pairs may be anything
                every = verbs.potential(weights, block.scores.reshape(-1, 1)).reshape(block.scores.shape)
                np.copyto(every, 0.0, where=block.hidden)
                sums[block.rows] = every.sum(axis=1)
    return sums


def entropy_rows(beta: float, queries: np.ndarray, keys: np.ndarray, hidden: np.ndarray | None = None) -> np.ndarray:
    """Return the entropy of the softmax of each row: ln Z - E[s - m] with the largest score m, so that no exponential
    overflows.
    """
    entropies = np.empty(queries.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        for block in score_blocks(beta, queries, keys, hidden):
            block.hide(-np.inf)
            scores = block.scores
            scores -= scores.max(axis=1, keepdims=True)
            exponentials = np.exp(scores)
            block.hide(0.0)
            totals = exponentials.sum(axis=1)
            entropies[block.rows] = np.log(totals) - (exponentials * scores).sum(axis=1) / totals
    return entropies


def covariance_rows(
    beta: float,
    factors: tuple[np.ndarray, np.ndarray],
    changes: tuple[np.ndarray, np.ndarray],
    hidden: np.ndarray | None = None,
) -> np.ndarray:
    """Return the covariance of beta s and ds/dt under the softmax of each row, where the factors of the scores change
    as given.
    """
    (queries, keys), (query_changes, key_changes) = factors, changes
    covariances = np.empty(queries.shape[1])
    for block in score_blocks(beta, queries, keys, hidden):
        rows, columns, scores = block.rows, block.columns, block.scores
        slopes = query_changes[:, rows].T @ keys[:, columns] + queries[:, rows].T @ key_changes[:, columns]
        block.hide(-np.inf)
        probabilities = np.exp(scores - scores.max(axis=1, keepdims=True))
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        block.hide(0.0)
        scores -= (probabilities * scores).sum(axis=1, keepdims=True)
        covariances[rows] = (probabilities * scores * slopes).sum(axis=1)
    return covariances
