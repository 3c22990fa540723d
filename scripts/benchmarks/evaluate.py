"""``algatt.evaluate`` on many tokens, beside the bare matrix products and as a function of the number of tokens."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import algatt
from benchmarks.figures import Figure, median_of, ratio_of
from benchmarks.plan import Plan
from benchmarks.timing import interleaved, seconds_of

__all__ = ["measure"]

WIDTH = 64

TOKENS = (100_000, 300_000, 1_000_000)

MOST_TIMES_PRODUCTS = 2.0

Layer = tuple[np.ndarray, np.ndarray, np.ndarray]


def measure(plan: Plan) -> list[Figure]:
    """Measure one layer of width 64 in float64; a tenth of the tokens if quick, which says nothing about the target."""
    tokens = tuple(count // 10 for count in TOKENS) if plan.quick else TOKENS
    inputs = np.random.default_rng(0).standard_normal((WIDTH, tokens[-1]))
    layer = random_layer()
    ours = {count: evaluation(layer, np.ascontiguousarray(inputs[:, :count])) for count in tokens}
    calls = {f"evaluate {count}": timed(call) for count, call in ours.items()}
    calls["products"] = timed(products(layer, inputs))
    seconds = interleaved(calls, plan.runs)
    full = seconds[f"evaluate {tokens[-1]}"]
    per_token = {count: [1e9 * value / count for value in seconds[f"evaluate {count}"]] for count in tokens}
    label = f"{tokens[-1]} tokens, d = {WIDTH}"
    return [
        median_of(f"evaluate, {label}", full, "s"),
        median_of(f"bare products, {label}", seconds["products"], "s"),
        ratio_of(
            f"evaluate / bare products, {label}", full, seconds["products"], None if plan.quick else MOST_TIMES_PRODUCTS
        ),
        *(median_of(f"evaluate per token, {count} tokens", per_token[count], "ns") for count in tokens),
        ratio_of(f"time per token, {tokens[-1]} / {tokens[0]} tokens", per_token[tokens[-1]], per_token[tokens[0]]),
    ]


def random_layer() -> Layer:
    """Return Q, K and V of full rank."""
    theta = algatt.sample(algatt.Lightning((WIDTH, WIDTH), (WIDTH,), 1), algatt.Weights, field=algatt.Reals())
    Q, K, V = theta.layers[0]
    return Q, K, V


def evaluation(layer: Layer, inputs: np.ndarray) -> Callable[[], np.ndarray]:
    """Return the call of the package."""
    arch = algatt.Lightning((WIDTH, WIDTH), (WIDTH,), inputs.shape[1])
    theta = algatt.Weights.of([layer])
    return lambda: algatt.evaluate(arch, theta, inputs)


def products(layer: Layer, inputs: np.ndarray) -> Callable[[], np.ndarray]:
    """Return the same function in bare numpy, in the association that is linear in the tokens."""
    Q, K, V = layer
    return lambda: V @ (inputs @ (K @ inputs).T) @ (Q @ inputs)


def timed(call: Callable[[], object]) -> Callable[[], float]:
    """Return a call that returns the time it took."""
    return lambda: seconds_of(call)
