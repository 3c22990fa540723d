"""Clusters of tokens over the time of a run: how many there are, how large, how long they stay."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import finite_number, instance
from algatt.display import MOST_ROWS, Rows, Summary, Worth
from algatt.dynamics.flow import Flow
from algatt.dynamics.tokens import lengths
from algatt.dynamics.trajectory import Trajectory
from algatt.errors import InvalidArgument
from algatt.verbs.views import Summarized, Tabled


@dataclass(frozen=True)
class Stair(Tabled):
    """A time in which the number of clusters stays the same.

    Parameters
    ----------
    count : int
        The number of clusters.
    start, end : float
        The first and the last recorded time of it.
    """

    count: int
    start: float
    end: float


@dataclass(frozen=True, eq=False)
class Clusters(Summarized):
    """The clusters of tokens at each recorded time of a run. Numerical.

    Parameters
    ----------
    times : numpy.ndarray
        Shape (T,).
    labels : numpy.ndarray
        Shape (T, n): the number of the cluster of each token, from 0 on in the order of their first tokens.
    angle : float
        Tokens that are no farther apart, in radians, are in one cluster.
    """

    times: np.ndarray
    labels: np.ndarray
    angle: float

    @property
    def counts(self) -> np.ndarray:
        """The numbers of clusters, of shape (T,)."""
        return np.array(self.labels.max(axis=1) + 1)

    @property
    def sizes(self) -> tuple[tuple[int, ...], ...]:
        """How many tokens the clusters have at each time, the largest first."""
        return tuple(self.sizes_at(number) for number in range(len(self.times)))

    @property
    def stairs(self) -> tuple[Stair, ...]:
        """The times in which the number stays the same, one after the other."""
        counts = self.counts
        starts = [0, *(np.flatnonzero(np.diff(counts)) + 1).tolist(), len(counts)]
        return tuple(
            Stair(int(counts[first]), float(self.times[first]), float(self.times[last - 1]))
            for first, last in pairwise(starts)
        )

    @property
    def escapes(self) -> tuple[tuple[float, float], ...]:
        """The escape times, at which the number falls: for each the last recorded time before, and the first after."""
        return tuple((one.end, two.start) for one, two in pairwise(self.stairs) if two.count < one.count)

    def to_dict(self) -> dict[str, Any]:
        """Return the stairs, each with the sizes at its start, as plain values for JSON."""
        starts = np.searchsorted(self.times, [stair.start for stair in self.stairs])
        sizes = [list(self.sizes_at(int(number))) for number in starts]
        pairs = zip(self.stairs, sizes, strict=True)
        return {
            "angle": self.angle,
            "stairs": [{"count": one.count, "start": one.start, "end": one.end, "sizes": row} for one, row in pairs],
        }

    def sizes_at(self, number: int) -> tuple[int, ...]:
        """Return how many tokens the clusters of one recorded state have, the largest first."""
        return tuple(sorted(np.bincount(self.labels[number]).tolist(), reverse=True))

    def __repr__(self) -> str:
        stairs = [str(stair.count) for stair in self.stairs]
        shown = stairs if len(stairs) < 12 else [*stairs[:5], "...", *stairs[-5:]]
        return f"Clusters({' -> '.join(shown)}, of {self.labels.shape[1]} tokens)"


def clusters(trajectory: Trajectory, *, angle: float = 0.1) -> Clusters:
    """Return the clusters of tokens at each recorded time: two tokens are in one cluster if there is a chain of tokens
    between them, of which each is no farther from the next than an angle.

    Parameters
    ----------
    trajectory : Trajectory
        A run. Of tokens that are not on the sphere the directions count.
    angle : float, optional
        In radians, between 0 and pi.

    Returns
    -------
    Clusters
        Its `escapes` are known as well as the recorded times say: `states_at` has states between. Numerical. Cost: the
        n x n cosines of each state.

    Raises
    ------
    InvalidArgument
        If the angle is out of range.

    Examples
    --------
    >>> import algatt
    >>> from algatt.dynamics import clusters, random_tokens
    >>> flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), algatt.layers.Exponential(), beta=9)
    >>> run = algatt.dynamics.integrate(flow, random_tokens(16, 2), until=1e4)
    >>> found = clusters(run)
    >>> found.stairs[-1].count, found.sizes[-1]
    (2, (8, 8))
    """
    instance("trajectory", trajectory, Trajectory, "a Trajectory")
    if not 0.0 < finite_number("angle", angle) < math.pi:
        raise InvalidArgument("angle", f"{angle:g}", "between 0 and pi")
    labels = np.stack([cluster_labels(state, angle) for state in trajectory.states])
    return Clusters(trajectory.times, labels, float(angle))


def cluster_labels(tokens: np.ndarray, angle: float) -> np.ndarray:
    """Return the numbers of the clusters of tokens, in the order of their first tokens."""
    from scipy.sparse.csgraph import connected_components

    sizes = lengths(tokens)
    directions = tokens / np.maximum(sizes, np.finfo(float).tiny)
    # by squared chords, as the cosine of a small angle has few digits
    halves = np.square(directions).sum(axis=0)
    chords = np.maximum(halves[:, np.newaxis] + halves - 2.0 * (directions.T @ directions), 0.0)
    _, labels = connected_components(chords <= 4.0 * math.sin(angle / 2.0) ** 2, directed=False)
    _, first, ranks = np.unique(labels, return_index=True, return_inverse=True)
    return np.array(np.argsort(np.argsort(first))[ranks])


@dataclass(frozen=True, eq=False)
class Caps:
    """Clusters of a state as caps of the sphere around their mean directions, and how long they last at least.

    Parameters
    ----------
    labels : numpy.ndarray
        Shape (n,).
    centres : numpy.ndarray
        Shape (d, k), unit vectors.
    radius : float
        The largest angle of a token to its centre at the start.
    bound : float
        An angle that no token is farther from its centre before `time`.
    time : float
        0 if the caps are too near to each other or too large for the bound.
    """

    labels: np.ndarray
    centres: np.ndarray
    radius: float
    bound: float
    time: float


def caps_of(flow: Flow, tokens: np.ndarray, strength: float, angle: float) -> Caps:
    """Return the caps of tokens on the sphere under one scalar head with exponentials, with the longest time among
    those for many bounds.

    While all tokens are within R of their centres, the tokens of other caps have at most the weight q(R) at a token,
    and only they can turn the outermost token of a cap outwards: so its angle grows at a rate of at most lambda q(R).
    """
    labels = cluster_labels(tokens, angle)
    sizes = np.bincount(labels)
    sums = np.stack([tokens[:, labels == k].sum(axis=1) for k in range(len(sizes))], axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):  # a cluster around the whole sphere may have no centre
        centres = sums / lengths(sums)
    radius = float(angles(tokens, centres[:, labels]).max())
    pairs = [
        float(angles(centres[:, [j]], centres[:, [k]])[0]) for k in range(len(sizes)) for j in range(k)
    ]  # of centres
    widest = min(min(pairs, default=0.0) / 2.0, math.pi / 4.0)
    best, time = radius, 0.0
    bounds = radius + np.linspace(0.0, 1.0, 202)[1:-1] * (widest - radius)
    for bound in bounds.tolist():
        if bound > radius:
            held = (bound - radius) / (strength * outflow(flow, sizes, strength, min(pairs), bound))
            best, time = (bound, held) if held > time else (best, time)
    return Caps(labels, centres, radius, best, time)


def outflow(flow: Flow, sizes: np.ndarray, strength: float, apart: float, bound: float) -> float:
    """Return the largest weight that tokens of other caps can have at a token, if centres are so far apart and all
    tokens within a bound of theirs.
    """
    b, n = flow.inverse_temperature * strength, int(sizes.sum())
    others = b * math.cos(apart - 2.0 * bound)
    if not verbs.is_normalised(flow.weights):
        return max(n - size for size in sizes.tolist()) * exponential(max(others, -700.0)) / n
    own, near = exponential(b - others), exponential(b * math.cos(2.0 * bound) - others)
    return max(1.0 / (1.0 + (own + (size - 1) * near) / (n - size)) for size in sizes.tolist())


def exponential(number: float) -> float:
    """Return an exponential, or that of 700, beyond which floats end soon."""
    return math.exp(min(number, 700.0))


def angles(one: np.ndarray, two: np.ndarray) -> np.ndarray:
    """Return the angles of unit vectors, exact where they are small."""
    return np.array(2.0 * np.arctan2(lengths(one - two), lengths(one + two)))


@verbs.summarize.method
def summary_of_clusters(found: Clusters) -> Summary:
    rows: Rows = [(f"{one.count}", f"from t = {one.start:.6g} to {one.end:.6g}") for one in found.stairs[-MOST_ROWS:]]
    return Summary(f"clusters of the angle {found.angle:g}", rows, Worth("numerical"))
