"""Derivatives along the flow by dual numbers, through the definitions of energy and entropy: exact up to rounding, and
sharing nothing with the formulas of rates.
"""

from __future__ import annotations

import numpy as np

from algatt.dynamics.flow import Flow
from algatt.dynamics.heads import Head
from algatt.dynamics.masks import hidden_pairs
from algatt.dynamics.velocity import without_overflow
from algatt.fields import Dual, DualArray, Elements, Log, Reals

FIELD = Dual(Reals())


def along(tokens: np.ndarray, velocity: np.ndarray) -> Elements:
    """Return the tokens as dual numbers that move with the velocity."""
    return Elements(FIELD, DualArray(tokens, velocity[np.newaxis]))


def constant(array: np.ndarray) -> Elements:
    """Return an array that does not move."""
    return Elements(FIELD, DualArray(array))


def visible_pairs(flow: Flow, tokens: int) -> Elements:
    """Return 1 at the pairs [i, j] of which token i sees j, and 0 at others."""
    hidden = hidden_pairs(flow.mask, tokens)
    return constant(np.ones((tokens, tokens)) if hidden is None else 1.0 - hidden)


def scores_of(flow: Flow, head: Head, moving: Elements) -> Elements:
    """Return beta <x_i, M x_j> divided by the temperature of the weights."""
    M, _ = head.matrices(moving.shape[0])
    return moving.T @ constant(flow.inverse_temperature * M) @ moving


def energies(flow: Flow, moving: Elements) -> tuple[np.ndarray, np.ndarray]:
    """Return the energies of the heads of exponentials, and their derivatives."""
    n = moving.shape[1]
    visible = visible_pairs(flow, n)
    left = constant(np.full((1, n), 1.0 / (2.0 * flow.inverse_temperature * n * n)))
    with np.errstate(over="ignore", invalid="ignore"):
        pairs = [scores_of(flow, head, moving).exp() * visible for head in flow.heads]
        totals = [left @ every @ constant(np.ones((n, 1))) for every in pairs]
    return values_and_slopes(flow, [total.raw for total in totals], (len(totals),))


def entropies(flow: Flow, moving: Elements) -> tuple[np.ndarray, np.ndarray]:
    """Return the entropies of all heads and tokens, and their derivatives."""
    n = moving.shape[1]
    ones, results, visible = constant(np.ones((n, 1))), [], visible_pairs(flow, n)
    with np.errstate(over="ignore", invalid="ignore"):
        for head in flow.heads:
            scores = scores_of(flow, head, moving)
            # moved by the largest score of each row, which changes no probability, so that no exponential overflows
            scores = scores * visible
            shown = np.array(scores.raw.value)
            shown[visible.raw.value == 0.0] = -np.inf
            scores = scores - constant(shown.max(axis=1, keepdims=True))
            exponentials = scores.exp() * visible
            totals = exponentials @ ones
            results.append((totals.entrywise(Log()) - ((exponentials * scores) @ ones) * totals.reciprocal()).raw)
    return values_and_slopes(flow, results, (len(results), n))


def values_and_slopes(flow: Flow, results: list[DualArray], shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return the values and the tangents of dual numbers, one array of each, or raise `InvalidArgument` if they
    overflowed.
    """
    values = np.stack([result.value for result in results]).reshape(shape)
    slopes = np.stack([result.tangent for result in results]).reshape(shape)
    return without_overflow(flow, values), without_overflow(flow, slopes)


def product_rounding(flow: Flow, tokens: np.ndarray, velocity: np.ndarray) -> float:
    """Return how far rounding may take the derivatives of scores times beta: by those of products of lengths."""
    sizes = np.sqrt(np.square(tokens).sum(axis=0)).max() * np.abs(velocity).max() * len(tokens)
    norms = max(float(np.linalg.norm(head.matrices(len(tokens))[0])) for head in flow.heads)
    return float(1e-15 * flow.inverse_temperature * norms * sizes)
