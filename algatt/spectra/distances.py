"""How far samples and laws are from each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import PublicArray
from algatt.spectra.laws import Law, checked_array, component_grid

NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(4)
"""Of the quadrature on each piece between two breakpoints."""

PIECES = 16
"""Pieces of an interval of `component_grid`, for two laws."""


def checked_sample(argument: str, sample: Any) -> np.ndarray:
    """Return a sample in increasing order."""
    values = np.sort(checked_array(argument, sample), axis=None)
    if not len(values) or not np.isfinite(values).all():
        raise InvalidArgument(
            argument, "infinite" if len(values) else "empty", "a sample of at least one finite number"
        )
    return values


def signed_root(x: np.ndarray) -> np.ndarray:
    """Return sqrt(x) for x >= 0, and -sqrt(-x) below: the variable in which laws are integrated, since densities
    explode at zero.
    """
    return np.sign(x) * np.sqrt(np.abs(x))


def integrate(difference: Callable[[np.ndarray], np.ndarray], breaks: np.ndarray) -> float:
    """Return the integral of |difference(x)| dx over the pieces between signed roots of x, by Gauss
    quadrature on each.
    """
    breaks = np.unique(breaks)
    middle, half = (breaks[1:] + breaks[:-1]) / 2, (breaks[1:] - breaks[:-1]) / 2
    r = middle[:, None] + half[:, None] * NODES
    values = np.abs(difference(r * np.abs(r)))
    return float((values * 2 * np.abs(r) * half[:, None] * NODE_WEIGHTS).sum())


@verbs.wasserstein_distance.method
def wasserstein_of_sample_and_law(one: PublicArray, two: Law) -> float:
    sample = checked_sample("one", one)
    levels = np.arange(len(sample) + 1) / len(sample)
    jumps_and_crossings = signed_root(np.concatenate([sample, verbs.quantile(two, levels)]))

    def difference(x: np.ndarray) -> np.ndarray:
        return levels[np.searchsorted(sample, x, side="right")] - verbs.cdf(two, x)

    return integrate(difference, np.concatenate([jumps_and_crossings, grid_of(two)]))


@verbs.wasserstein_distance.method
def wasserstein_of_law_and_sample(one: Law, two: PublicArray) -> float:
    return float(verbs.wasserstein_distance(two, one))


@verbs.wasserstein_distance.method
def wasserstein_of_samples(one: PublicArray, two: PublicArray) -> float:
    from scipy.stats import wasserstein_distance

    return float(wasserstein_distance(checked_sample("one", one), checked_sample("two", two)))


def grid_of(law: Law) -> np.ndarray:
    """Return zero and square roots of points of the support, dense at its ends."""
    return np.concatenate([np.zeros(1), *(component_grid(*interval) for interval in verbs.support(law))])


def common_grid(one: Law, two: Law) -> np.ndarray:
    """Return square roots of points that are dense where either law changes."""
    breaks = np.unique(np.concatenate([grid_of(one), grid_of(two)]))
    steps = np.linspace(0, 1, PIECES, endpoint=False)
    return np.append((breaks[:-1, None] + np.diff(breaks)[:, None] * steps).ravel(), breaks[-1])


@verbs.wasserstein_distance.method
def wasserstein_of_laws(one: Law, two: Law) -> float:
    return integrate(lambda x: verbs.cdf(one, x) - verbs.cdf(two, x), common_grid(one, two))


@verbs.kolmogorov_distance.method
def kolmogorov_of_sample_and_law(one: PublicArray, two: Law) -> float:
    sample = checked_sample("one", one)
    values, counts = np.unique(sample, return_counts=True)
    above = np.cumsum(counts) / len(sample)
    law = verbs.cdf(two, values)
    before = law - (values == 0) * two.mass_at_zero  # the limit from the left
    return float(max(np.abs(above - law).max(), np.abs(above - counts / len(sample) - before).max()))


@verbs.kolmogorov_distance.method
def kolmogorov_of_law_and_sample(one: Law, two: PublicArray) -> float:
    return float(verbs.kolmogorov_distance(two, one))


@verbs.kolmogorov_distance.method
def kolmogorov_of_samples(one: PublicArray, two: PublicArray) -> float:
    first, second = checked_sample("one", one), checked_sample("two", two)
    places = np.concatenate([first, second])
    reached = (np.searchsorted(sample, places, side="right") / len(sample) for sample in (first, second))
    return float(np.abs(np.subtract(*reached)).max())


@verbs.kolmogorov_distance.method
def kolmogorov_of_laws(one: Law, two: Law) -> float:
    places = common_grid(one, two) ** 2
    return float(np.abs(verbs.cdf(one, places) - verbs.cdf(two, places)).max())
