"""Spectra of attention beside the bare singular values, and the limit law."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import algatt
from algatt.spectra import bulk_matrix
from benchmarks.figures import Figure, median_of, ratio_of
from benchmarks.plan import Plan
from benchmarks.timing import interleaved, seconds_of

__all__ = ["measure"]

TOKENS = 1000

POINTS = 2000

MOST_TIMES_SVD = 1.5

MOST_SECONDS_OF_DENSITY = 0.05


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
    ]
