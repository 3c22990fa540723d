"""One velocity of a flow of many tokens, beside the bare matrix products and exponentials that it consists of; its peak
memory; and one of a narrow head that is kept in its factors, beside the same head with full matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import algatt
from algatt.dynamics import random_tokens
from benchmarks.figures import Figure, median_of, ratio_of
from benchmarks.plan import Plan
from benchmarks.timing import interleaved, run_python, seconds_of

__all__ = ["bare_operations", "measure", "once", "random_heads"]

TOKENS, WIDTH, HEADS = 4096, 64, 8

FEWER_TOKENS = 512

ROWS = 64
"""Rows of scores that the bare operations make at a time: two megabytes at 4096 tokens."""

NARROW_TOKENS, NARROW_DIMENSION, NARROW_WIDTH = 1024, 768, 64
"""A head as those of GPT-2, and as many tokens as it reads."""

MOST_TIMES_BARE = 2.0

MOST_MEGABYTES = 1000.0

PROCESS = "from benchmarks.dynamics import once; once({tokens})"
"""What the process does whose memory is measured."""


def measure(plan: Plan) -> list[Figure]:
    """Measure all kinds of weights; fewer tokens if quick, which says nothing about the target."""
    tokens = FEWER_TOKENS if plan.quick else TOKENS
    X, heads = random_tokens(tokens, WIDTH), random_heads()
    calls: dict[str, Callable[[], float]] = {}
    for weights in (
        algatt.layers.Unnormalized(algatt.layers.Exponential()),
        algatt.layers.Exponential(),
        algatt.layers.Unnormalized(algatt.layers.ReLU()),
    ):
        flow = algatt.dynamics.SphereFlow(tuple(heads), weights)
        calls[repr(weights)] = timed(lambda flow=flow: algatt.dynamics.velocity(flow, X))
        calls[f"bare {weights!r}"] = timed(lambda weights=weights: bare_operations(heads, X, weights))
    seconds = interleaved(calls, plan.runs)
    label = f"{tokens} tokens, d = {WIDTH}, {HEADS} heads"
    target = None if plan.quick else MOST_TIMES_BARE
    figures = []
    for name in [name for name in calls if not name.startswith("bare")]:
        figures.append(median_of(f"velocity, {name}, {label}", seconds[name], "s"))
        figures.append(
            ratio_of(f"velocity / bare operations, {name}, {label}", seconds[name], seconds[f"bare {name}"], target)
        )
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r}); {PROCESS.format(tokens=tokens)}"
    peaks = [run_python("-c", code).megabytes for _ in range(plan.runs)]
    figures.append(
        median_of(
            f"peak memory of a process with one velocity and one energy rate, {label}", peaks, "MB", MOST_MEGABYTES
        )
    )
    return figures + measure_narrow(plan)


def measure_narrow(plan: Plan) -> list[Figure]:
    """Measure a head in its factors and with full matrices; fewer tokens if quick."""
    tokens = FEWER_TOKENS if plan.quick else NARROW_TOKENS
    X = random_tokens(tokens, NARROW_DIMENSION)
    calls: dict[str, Callable[[], float]] = {}
    for name, head in zip(("factors", "full matrices"), narrow_heads(NARROW_DIMENSION, NARROW_WIDTH), strict=True):
        flow = algatt.dynamics.SphereFlow((head,))
        calls[name] = timed(lambda flow=flow: algatt.dynamics.velocity(flow, X))
    seconds = interleaved(calls, plan.runs)
    label = f"a head with d = {NARROW_DIMENSION}, a = {NARROW_WIDTH}, {tokens} tokens"
    return [
        *(median_of(f"velocity, {name}, {label}", seconds[name], "s") for name in calls),
        ratio_of(f"velocity, full matrices / factors, {label}", seconds["full matrices"], seconds["factors"]),
    ]


def narrow_heads(dimension: int, width: int) -> tuple[algatt.dynamics.LowRankHead, algatt.dynamics.MatrixHead]:
    """Return a random head in its factors, and the same with full matrices."""
    Q, K, V, O = np.random.default_rng(0).standard_normal((4, width, dimension)) / dimension**0.5
    return algatt.dynamics.LowRankHead(Q, K, V, O.T), algatt.dynamics.MatrixHead(Q.T @ K, O.T @ V)


def random_heads() -> list[algatt.dynamics.MatrixHead]:
    """Return symmetric heads whose scores are of order 1."""
    matrices = np.random.default_rng(0).standard_normal((HEADS, WIDTH, WIDTH)) / WIDTH**0.5
    return [algatt.dynamics.MatrixHead((M + M.T) / 2) for M in matrices]


def bare_operations(
    heads: list[algatt.dynamics.MatrixHead],
    X: np.ndarray,
    weights: algatt.layers.Activation | algatt.layers.Unnormalized,
) -> np.ndarray:
    """Do the matrix products of a velocity and one pass that makes weights of scores, and nothing else: no maximum, no
    sum, no projection.
    """
    d, n = X.shape
    total, output = np.zeros((d, n)), np.empty((d, n))
    for head in heads:
        keys = head.M @ X
        for start in range(0, n, ROWS):
            scores = X[:, start : start + ROWS].T @ keys
            if weights == algatt.layers.Unnormalized(algatt.layers.ReLU()):
                np.maximum(scores, 0.0, out=scores)
            else:
                np.exp(scores, out=scores)
            output[:, start : start + ROWS] = keys @ scores.T
        total += output
    return total


def once(tokens: int) -> None:
    """Compute one velocity and one energy rate."""
    flow = algatt.dynamics.SphereFlow(tuple(random_heads()))
    X = random_tokens(tokens, WIDTH)
    algatt.dynamics.velocity(flow, X)
    algatt.dynamics.energy_rate(flow, X)


def timed(call: Callable[[], object]) -> Callable[[], float]:
    """Return a call that returns the time it took."""
    return lambda: seconds_of(call)
