"""Points of a network that are moved near to others."""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import math
from collections.abc import Callable, Iterator

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, Network
from algatt.architectures.base import as_architecture, check_fits
from algatt.arguments import check_over, instance
from algatt.errors import AlgattError, DivisionByZero, InvalidArgument, SymmetryError
from algatt.fields import Reals
from algatt.geometry.alignment.alignment import Alignment
from algatt.geometry.alignment.problem import OrbitPoint, Problem, square
from algatt.geometry.alignment.refinement import PRODUCTS, STEPS
from algatt.geometry.alignment.search import descend, starting_points
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
    reached: dict[str, float] = {}
    for number, (name, make) in enumerate(itertools.islice(starting_points(problem, theta, seed), starts)):
        start = make()
        if start is not None and np.isfinite(start.distance):
            found = descend(start, ROUGH)
            reached[name] = found.distance
            best = min(best, found, key=lambda position: position.distance)
        if progress is not None:
            progress(number + 1, starts + 1)
    best = descend(best)
    if progress is not None:
        progress(starts + 1, starts + 1)
    return Alignment(
        best.theta,
        ProductElement(tuple(best.elements)),
        best.distance,
        given.distance,
        by_tensor(best),
        by_tensor(given),
        checked_change(arch, theta, best.theta, reaches),
        left_of(given),
        reached,
        {name: float(np.sqrt(square(W))) for name, W in problem.goal.items()},
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
    """Return what is not used: all spaces, where a gain is zero, since gains cannot be folded then."""
    try:
        position.problem.frame(position.theta)
    except DivisionByZero:
        return tuple(dict.fromkeys((*position.problem.left, *(one.name for one in position.problem.motions.spaces))))
    return position.problem.left


def checked_change(arch: Architecture, before: Weights, after: Weights, reaches: bool) -> float:
    """Return the largest change of values at random inputs, of the length of a network and of another one, beside the
    largest value.

    Raises
    ------
    SymmetryError
        If the change is more than rounding.
    """
    largest = 0.0
    for one in (arch, *others(arch, before)) if reaches or isinstance(arch, Network) else (arch,):
        inputs = draw_public_inputs(one, 0)
        values, moved = (values_at(one, theta, inputs) for theta in (before, after))
        if values is None:
            continue
        size = float(np.abs(values).max()) or 1.0
        change = np.inf if moved is None else float(np.abs(moved - values).max()) / size
        if not change <= KEPT:
            raise SymmetryError(
                f"the element found for these weights changes the values of the network by {change:.2g}; nothing is "
                "returned"
            )
        largest = max(largest, change)
    return largest


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
