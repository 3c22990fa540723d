"""Regions of the weights: behind gates, and behind roots of squares, the dimension differs between open sets.

The dimension of a network is the greatest over all of them. Which regions there are nobody knows, so some are drawn,
the rank of each is estimated in floating point, and the best ones are looked at exactly.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from algatt.architectures import Architecture
from algatt.fields import Elements
from algatt.fields.functions import RealsOrNan
from algatt.geometry.dimensions.bounds import all_inputs
from algatt.geometry.dimensions.real_point import numbered_real_inputs, real_weights
from algatt.maps import gradients
from algatt.parameters import Weights

LEAST_REGIONS = 32
"""Minimum number of regions; more follow if these have different ranks."""

REGIONS = 128
"""Number of regions that are looked at where ranks differ; more follow if the greatest one is rare."""

MOST_REGIONS = 512
"""Maximum number of regions."""

OFTEN = 8
"""Number of regions with the greatest rank that ends the search."""

INPUTS = 256
"""Maximum number of real inputs of a region."""

ENTRIES = 2**24
"""Maximum number of entries of a Jacobian in floating point, above the least number of inputs."""

LEAST_INPUTS = 32
"""Minimum number of real inputs of a region."""

WORK = 2**36
"""Maximum number of multiplications for all ranks of a search."""

TOLERANCE = 1e-10
"""Singular values below this part of the largest one count as zero; rows have length one."""


@dataclass(frozen=True)
class Regions:
    """The ranks in floating point at real weights of some regions.

    Parameters
    ----------
    ranks : tuple of int
        The rank of each region. Region k is that of the weights which the seed k names, whatever the seed of the
        question is: so all seeds look at the same regions.
    """

    ranks: tuple[int, ...]

    @property
    def counts(self) -> dict[int, int]:
        """The number of regions of each rank, the greatest rank first."""
        return dict(sorted(Counter(self.ranks).items(), reverse=True))

    @property
    def best(self) -> list[int]:
        """The seeds of the regions, those with the greatest rank first."""
        return sorted(range(len(self.ranks)), key=lambda seed: -self.ranks[seed])

    def __str__(self) -> str:
        said = ", ".join(f"{rank} ({count})" for rank, count in self.counts.items())
        return f"{len(self.ranks)} looked at; their ranks in floating point: {said}"


@functools.lru_cache(maxsize=8)
def regions_of(arch: Architecture, upper: int) -> Regions:
    """Return the ranks of regions around random real weights, as `look_for_regions` does."""
    return look_for_regions(arch, functools.partial(real_weights, arch), upper)


def look_for_regions(arch: Architecture, weights: Callable[[int], Weights], upper: int) -> Regions:
    """Return the ranks of regions, drawn until one has the rank of the upper bound, or until enough have been seen.

    Parameters
    ----------
    arch : Architecture
        The network.
    weights : callable
        Returns real weights, as floats, for a seed.
    upper : int
        A bound that no rank exceeds.
    """
    numbers = all_inputs(arch, 0)
    if numbers is None or len(numbers) > most_inputs(arch):
        numbers = np.arange(inputs_of(arch))
    X = numbered_real_inputs(arch, 0, numbers)
    rows = len(X.raw) * arch.outputs
    work = rows * arch.parameters * min(rows, arch.parameters)
    ranks: list[int] = []
    while len(ranks) < min(MOST_REGIONS, WORK // work):
        ranks.append(min(upper, rank_of_rows(float_rows(arch, weights(len(ranks)), X)[1])))
        greatest = max(ranks)
        if greatest == upper or (len(ranks) >= LEAST_REGIONS and min(ranks) == greatest):
            break
        if len(ranks) >= REGIONS and ranks.count(greatest) >= OFTEN:
            break
    return Regions(tuple(ranks))


def inputs_of(arch: Architecture) -> int:
    """Return the number of random real inputs that are looked at for a region."""
    return max(LEAST_INPUTS, min(INPUTS, most_inputs(arch)))


def most_inputs(arch: Architecture) -> int:
    """Return the number of inputs whose Jacobian is not too large."""
    return ENTRIES // (arch.outputs * arch.parameters)


def float_rows(arch: Architecture, theta: Weights, X: Elements) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of the real inputs that have a value, and the rows of the Jacobian there, divided by their
    lengths, of shape (inputs, outputs, parameters).
    """
    field = RealsOrNan()
    at = theta.replace([Elements(field, element.raw) for element in theta.elements])
    inputs = Elements(field, np.repeat(X.raw, arch.outputs, axis=0))
    with np.errstate(all="ignore"):
        rows = gradients(arch, at, inputs, outputs=np.tile(np.arange(arch.outputs), len(X.raw))).raw
    rows = rows.reshape(len(X.raw), arch.outputs, arch.parameters)
    known = np.isfinite(rows).all(axis=(1, 2))
    rows = rows[known]
    lengths = np.linalg.norm(rows, axis=2, keepdims=True)
    return np.flatnonzero(known), rows / np.maximum(lengths, np.finfo(np.float64).tiny)


def rank_of_rows(rows: np.ndarray) -> int:
    """Return the rank of the rows of all inputs in floating point."""
    flat = rows.reshape(-1, rows.shape[-1])
    flat = flat[flat.any(axis=1)]
    if not flat.size:
        return 0
    values = np.linalg.svd(flat, compute_uv=False)
    return int((values > TOLERANCE * values[0]).sum())
