"""Points of a network that are moved near to others."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.base import as_architecture, check_fits
from algatt.arguments import check_over, instance
from algatt.errors import AlgattError, DivisionByZero, InvalidArgument
from algatt.fields import Reals
from algatt.geometry.alignment.alignment import Alignment
from algatt.geometry.alignment.problem import OrbitPoint, Problem, square
from algatt.geometry.alignment.refinement import PRODUCTS, STEPS
from algatt.geometry.alignment.search import descend, starting_points
from algatt.geometry.alignment.zeros import beside
from algatt.geometry.equality.large.balanced_form import matrices_of
from algatt.geometry.equality.large.values import draw_public_inputs, values_at
from algatt.layers.lengths import tokens_to_reach
from algatt.parameters import Weights
from algatt.randomness import check_seed
from algatt.symmetry import ProductElement

KEPT = 1e-6
"""Values that change by less than this share of the largest are kept, but for rounding."""

SPEED = 1e10
"""Additions and multiplications of a second of one processor, as matrix products make them."""

POINTS = 14
"""Number of points that are in memory at a time."""

MOST_HOURS = 4
"""Maximum number of hours of one processor that all starts may take."""

ROUGH = 0.1
"""Relative fall of the distance from which on a first descent from a start goes on; the nearest one is completed."""


def align_points(
    arch: Architecture,
    target: Weights,
    theta: Weights,
    *,
    seed: int = 0,
    starts: int = 4,
    progress: Callable[[int, int], object] | None = None,
) -> Alignment:
    """Return the nearest point to a target that is found on the orbit of a point; see `algatt.align`."""
    check(arch, target, theta, starts)
    check_work(arch, starts)
    seed = check_seed(seed)
    reaches = not isinstance(arch, Network) or tokens_to_reach(arch.layers) <= arch.tokens
    problem = Problem(arch, target, reaches)
    given = best = OrbitPoint(problem, theta)
    kept = KeptValues(arch, theta, reaches)
    # both without zeros in their gains, where those can be made 1
    start = OrbitPoint(Problem(arch, problem.without_zeros(target)[1], reaches), theta)
    start = nearest = start.moved([*reversed(problem.without_zeros(theta)[0])])
    reached: dict[str, float] = {}
    for number, (name, make) in enumerate(itertools.islice(starting_points(start, seed), starts)):
        begun = make()
        if begun is not None and np.isfinite(begun.distance):
            for position in (descend(begun, ROUGH), begun):
                found = beside(position, problem)
                if kept.by(found, name):
                    reached[name] = found.distance
                    if found.distance < best.distance:
                        best, nearest = found, position
                    break
        if progress is not None:
            progress(number + 1, starts + 1)
    best = kept.nearer(best, beside(descend(nearest), problem))
    if start.problem.target is not target:
        best = kept.nearer(best, descend(best))
    if progress is not None:
        progress(starts + 1, starts + 1)
    return Alignment(
        best.theta,
        ProductElement(tuple(best.elements)),
        best.distance,
        given.distance,
        by_tensor(best),
        by_tensor(given),
        kept.change(best.theta),
        left_of(start),
        reached,
        {name: float(np.sqrt(square(W))) for name, W in problem.goal.items()},
        refused=kept.refused,
    )


def check(arch: Architecture, target: Weights, theta: Weights, starts: int) -> None:
    """Raise `InvalidArgument` unless both points are of a network, over the reals, with finite entries."""
    as_architecture(arch, "net")
    for name, one in (("first", target), ("second", theta)):
        instance(name, one, Weights, "Weights")
        check_fits(arch, one)
        check_over(name, one.field, Reals, "over Reals()")
        if not all(np.all(np.isfinite(each.raw)) for each in one.elements):
            raise InvalidArgument(name, "with NaN or infinity", "with finite entries")
    if isinstance(starts, bool) or not isinstance(starts, int) or starts < 1:
        raise InvalidArgument("starts", repr(starts), "an integer >= 1")


def by_tensor(position: OrbitPoint) -> dict[str, float]:
    """Return the distance from the target for each tensor."""
    goal = position.problem.goal
    return {name: float(np.sqrt(square(W - goal[name]))) for name, W in matrices_of(position.theta).items()}


def check_work(arch: Architecture, starts: int) -> None:
    """Raise `InvalidArgument` if the steps of all starts, at their greatest number, take too long, saying how long."""
    shapes = dict(verbs.coordinates(arch)).values()
    product = sum(4.0 * math.prod(shape) * min(shape, default=1) for shape in shapes)
    hours = (starts + 1) * STEPS * PRODUCTS * product / SPEED / 3600
    if hours > MOST_HOURS:
        memory = POINTS * 8 * arch.parameters / 2**30
        was = f"of {arch.parameters:,} parameters: {starts} starts take up to {hours:,.0f} hours and {memory:.1f} GB"
        raise InvalidArgument("net", was, f"one that takes up to {MOST_HOURS} hours, or given fewer starts")


def left_of(position: OrbitPoint) -> tuple[str, ...]:
    """Return what is not used: all spaces, where a gain is zero that cannot be made 1, as it cannot be folded."""
    try:
        position.problem.frame(position.theta)
    except DivisionByZero:
        return tuple(dict.fromkeys((*position.problem.left, *(one.name for one in position.problem.motions.spaces))))
    return position.problem.left


@dataclasses.dataclass(eq=False)
class KeptValues:
    """The values of a network, which moved weights have to keep.

    Parameters
    ----------
    arch : Architecture
        The network.
    theta : Weights
        The weights.
    reaches : bool
        Whether a network reads as many tokens as there are vectors of positions; else it is asked at its own length.
    refused : dict of str to float
        What moved the weights to others that do not keep them, with the change of values.
    """

    arch: Architecture
    theta: Weights
    reaches: bool
    refused: dict[str, float] = dataclasses.field(default_factory=dict)

    @functools.cached_property
    def values(self) -> list[tuple[Architecture, np.ndarray, np.ndarray]]:
        """The networks that are asked, of the length of the network and of another one, random inputs, and values."""
        arch = self.arch
        networks = (arch, *others(arch, self.theta)) if self.reaches or isinstance(arch, Network) else (arch,)
        asked = ((one, draw_public_inputs(one, 0)) for one in networks)
        found = ((one, inputs, values_at(one, self.theta, inputs)) for one, inputs in asked)
        return [(one, inputs, values) for one, inputs, values in found if values is not None]

    def change(self, theta: Weights) -> float:
        """Return the largest change of values at random inputs, beside the largest value."""
        largest = 0.0
        for one, inputs, values in self.values:
            moved = values_at(one, theta, inputs)
            change = np.inf if moved is None else float(np.abs(moved - values).max() / (np.abs(values).max() or 1.0))
            largest = max(largest, change if math.isfinite(change) else math.inf)
        return largest

    def by(self, position: OrbitPoint, name: str) -> bool:
        """Return whether a position keeps the values but for rounding; if not, note what led there."""
        change = self.change(position.theta)
        if not change <= KEPT:
            self.refused[name] = change
        return change <= KEPT

    def nearer(self, best: OrbitPoint, found: OrbitPoint) -> OrbitPoint:
        """Return the nearer one of the best position and that after the last steps, if this keeps the values."""
        return found if found.distance < best.distance and self.by(found, "the last steps") else best


def others(arch: Architecture, theta: Weights) -> Iterator[Architecture]:
    """Iterate over a network with the same tensors that reads one more token, or one less, if there is one; none for a
    network of one token, of which all attention is one.
    """
    if isinstance(arch, Network) and arch.tokens > 1:
        for tokens in (arch.tokens + 1, arch.tokens - 1):
            with contextlib.suppress(AlgattError):
                other = dataclasses.replace(arch, tokens=tokens)
                check_fits(other, theta)
                dict(verbs.coordinates(other))
                yield other
                return
