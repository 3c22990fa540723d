"""One velocity of a flow of many tokens, beside the bare matrix products and exponentials that it consists of, also of
heads as wide as those of a transformer; its peak memory; and one of a narrow head that is kept in its factors, beside
the same head with full matrices.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

import algatt
from algatt.dynamics import random_tokens
from benchmarks.figures import Figure, median_of, ratio_of
from benchmarks.plan import Plan
from benchmarks.timing import interleaved, processor_seconds_of, run_python, seconds_of

__all__ = ["bare_operations", "measure", "once", "random_heads"]

TOKENS, WIDTH, HEADS = 4096, 64, 8

FEWER_TOKENS = 512

ROWS = 64
"""Rows of scores that the bare operations make at a time: two megabytes at 4096 tokens."""

NARROW_TOKENS = 1024
"""As many as GPT-2 reads."""

MOST_TIMES_BARE = 2.0

NARROW_WIDTH, NARROW, NARROW_HEADS = 768, 64, 12
"""The dimension, the width of a head and the heads of a small transformer."""

MOST_TIMES_PRODUCTS = 1.2

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
    figures += narrow_figures(tokens, plan)
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parents[1])!r}); {PROCESS.format(tokens=tokens)}"
    peaks = [run_python("-c", code).megabytes for _ in range(plan.runs)]
    figures.append(
        median_of(
            f"peak memory of a process with one velocity and one energy rate, {label}", peaks, "MB", MOST_MEGABYTES
        )
    )
    return figures + figures_of_forms(plan)


def figures_of_forms(plan: Plan) -> list[Figure]:
    """Measure a head in its factors and with full matrices; fewer tokens if quick."""
    tokens = FEWER_TOKENS if plan.quick else NARROW_TOKENS
    X = random_tokens(tokens, NARROW_WIDTH)
    calls: dict[str, Callable[[], float]] = {}
    for name, head in zip(("factors", "full matrices"), forms_of_a_head(NARROW_WIDTH, NARROW), strict=True):
        flow = algatt.dynamics.SphereFlow((head,))
        calls[name] = timed(lambda flow=flow: algatt.dynamics.velocity(flow, X))
    seconds = interleaved(calls, plan.runs)
    label = f"a head with d = {NARROW_WIDTH}, a = {NARROW}, {tokens} tokens"
    return [
        *(median_of(f"velocity, {name}, {label}", seconds[name], "s") for name in calls),
        ratio_of(f"velocity, full matrices / factors, {label}", seconds["full matrices"], seconds["factors"]),
    ]


def forms_of_a_head(dimension: int, width: int) -> tuple[algatt.dynamics.LowRankHead, algatt.dynamics.MatrixHead]:
    """Return a random head in its factors, and the same with full matrices."""
    Q, K, V, O = np.random.default_rng(0).standard_normal((4, width, dimension)) / dimension**0.5
    return algatt.dynamics.LowRankHead(Q, K, V, O.T), algatt.dynamics.MatrixHead(Q.T @ K, O.T @ V)


def narrow_figures(tokens: int, plan: Plan) -> list[Figure]:
    """Measure heads that are kept in their factors against the bare products of these, without exponentials, by
    processor time.
    """
    X, heads = random_tokens(tokens, NARROW_WIDTH), narrow_heads()
    weights = (algatt.layers.Exponential(), algatt.layers.Unnormalized(algatt.layers.Exponential()))
    flows = {repr(kind): algatt.dynamics.SphereFlow(tuple(heads), kind) for kind in weights}
    flows["softmax, Causal()"] = algatt.dynamics.SphereFlow(tuple(heads), weights[0], mask=algatt.layers.Causal())
    calls: dict[str, Callable[[], float]] = {}
    for name, flow in flows.items():
        calls[name] = timed(lambda flow=flow: algatt.dynamics.velocity(flow, X), processor_seconds_of)
    calls["products"] = timed(lambda: bare_products(heads, X), processor_seconds_of)
    seconds = interleaved(calls, plan.runs)
    label = f"{tokens} tokens, d = {NARROW_WIDTH}, {NARROW_HEADS} heads of width {NARROW}"
    target = None if plan.quick else MOST_TIMES_PRODUCTS
    return [
        ratio_of(f"velocity / bare products, {name}, {label}, processor", seconds[name], seconds["products"], target)
        for name in flows
    ]


def narrow_heads() -> list[algatt.dynamics.LowRankHead]:
    """Return heads of a small transformer whose scores are of order 1."""
    rng = np.random.default_rng(0)
    shapes = [(NARROW, NARROW_WIDTH)] * 3 + [(NARROW_WIDTH, NARROW)]
    return [
        algatt.dynamics.LowRankHead(*(rng.standard_normal(shape) / shape[1] ** 0.5 for shape in shapes))
        for _ in range(NARROW_HEADS)
    ]


def bare_products(heads: list[algatt.dynamics.LowRankHead], X: np.ndarray) -> np.ndarray:
    """Do the matrix products of a velocity of heads in factors, and nothing else."""
    n = X.shape[1]
    total, output = np.zeros(X.shape), np.empty((NARROW, n))
    for head in heads:
        queries, keys, values = head.Q @ X, head.K @ X, head.V @ X
        for start in range(0, n, 2 * ROWS):
            scores = queries[:, start : start + 2 * ROWS].T @ keys
            output[:, start : start + 2 * ROWS] = values @ scores.T
        total += head.O @ output
    return total


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


def timed(
    call: Callable[[], object], clock: Callable[[Callable[[], object]], float] = seconds_of
) -> Callable[[], float]:
    """Return a call that returns the time it took."""
    return lambda: clock(call)
