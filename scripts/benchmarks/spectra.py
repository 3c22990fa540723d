"""Spectra of attention beside the bare singular values, the limit law, and the laws of whole layers."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import count
from operator import matmul

import numpy as np

import algatt
from algatt.spectra import CausalLaw, ExpressionLaw, bulk_matrix, gaussian_expression, linear_attention
from benchmarks.figures import Figure, median_of, ratio_of
from benchmarks.plan import Plan
from benchmarks.timing import interleaved, processor_seconds_of, seconds_of

__all__ = ["measure"]

TOKENS = 1000

POINTS = 2000

MOST_TIMES_SVD = 1.5

MOST_SECONDS_OF_DENSITY = 0.05

LAYERS = 3
"""Of the stack whose law is computed."""


def measure(plan: Plan) -> list[Figure]:
    """Measure one draw of attention and its spectrum, 200 tokens if quick, and the verbs of its limit law."""
    tokens = 200 if plan.quick else TOKENS
    ensemble = algatt.spectra.AttentionEnsemble(tokens, tokens, tokens, 1.0)
    bulk = bulk_matrix(algatt.spectra.sample_matrix(ensemble))
    law = algatt.spectra.limit_law(ensemble)
    points = np.linspace(0, algatt.spectra.edge(law), POINTS)
    values = algatt.spectra.squared_singular_values(ensemble, drop=0)
    calls: dict[str, Callable[[], object]] = {
        "draw": lambda: algatt.spectra.squared_singular_values(ensemble),
        "matrix": lambda: algatt.spectra.sample_matrix(ensemble),
        "values": lambda: algatt.spectra.squared_singular_values(bulk),
        "svd": lambda: np.linalg.svd(bulk, compute_uv=False),
        "density": lambda: algatt.spectra.density(law, points),
        "cdf": lambda: algatt.spectra.cdf(law, points),
        "quantile": lambda: algatt.spectra.quantile(law, np.linspace(0, 1, POINTS)),
        "wasserstein": lambda: algatt.spectra.wasserstein_distance(values, law),
    }
    seconds = interleaved({name: lambda call=call: seconds_of(call) for name, call in calls.items()}, plan.runs)
    size = f"{tokens} tokens"
    return [
        median_of(f"a draw and its spectrum, {size}", seconds["draw"], "s"),
        median_of(f"the draw alone, {size}", seconds["matrix"], "s"),
        median_of(f"the squared singular values alone, {size}", seconds["values"], "s"),
        median_of(f"numpy's singular values, {size}", seconds["svd"], "s"),
        ratio_of(
            f"a draw and its spectrum / numpy's singular values, {size}",
            seconds["draw"],
            seconds["svd"],
            None if plan.quick else MOST_TIMES_SVD,
        ),
        median_of(f"density of the limit law, {POINTS} points", seconds["density"], "s", MOST_SECONDS_OF_DENSITY),
        median_of(f"distribution function, {POINTS} points", seconds["cdf"], "s"),
        median_of(f"quantiles, {POINTS} of them", seconds["quantile"], "s"),
        median_of(f"Wasserstein distance of {tokens} values to the law", seconds["wasserstein"], "s"),
        *figures_of_layers(tokens, plan),
    ]


def figures_of_layers(tokens: int, plan: Plan) -> list[Figure]:
    """Measure the distribution functions of laws of whole layers, each time of another beta: a law keeps what was
    computed. If quick, without several layers and masks.
    """
    laws: dict[str, Callable[[float], algatt.spectra.Law]] = {
        "values tied to keys": lambda beta: ExpressionLaw(linear_attention(beta) @ gaussian_expression("keys"))
    }
    if not plan.quick:
        laws[f"{LAYERS} layers"] = lambda beta: ExpressionLaw(
            reduce(matmul, (linear_attention(beta, label=f"/{number}") for number in range(LAYERS)))
        )
        laws[f"causal attention, {tokens} tokens"] = lambda beta: CausalLaw(beta, 1.0, tokens)
    betas = (0.5 + number / 1000 for number in count())
    calls = {
        name: lambda law=law: processor_seconds_of(lambda: algatt.spectra.cdf(law(next(betas)), 1.0))
        for name, law in laws.items()
    }
    seconds = interleaved(calls, plan.runs, warm=False)
    return [median_of(f"a law of {name}, processor time", seconds[name], "s") for name in laws]
