"""Local alignments from several starts, of which the nearest is taken."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable, Iterator

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero, NoNormalForm
from algatt.fields import Elements, Reals
from algatt.geometry.alignment.closed_forms import nearest_numbers
from algatt.geometry.alignment.exchanges import inner_units, nearest_exchange
from algatt.geometry.alignment.problem import Frame, GainNumbers, OrbitPoint, Problem
from algatt.geometry.alignment.refinement import refine
from algatt.geometry.alignment.scalings import Scaling
from algatt.geometry.alignment.steps import Round, Unit, nearest_factors
from algatt.geometry.equality.large.balanced_form import balanced_form_map, matrices_of, settled
from algatt.geometry.equality.large.difference import fit_weights
from algatt.geometry.equality.large.random_element import random_element
from algatt.symmetry.quotients.folded import through

ROUNDS = 50
"""Maximum number of rounds of steps and refinements."""

IMPROVED = 1e-9
"""Relative fall of the distance from which on another round follows."""

Start = tuple[str, OrbitPoint]


def starting_points(start: OrbitPoint, seed: int) -> Iterator[tuple[str, Callable[[], OrbitPoint | None]]]:
    """Iterate over what makes a starting point, with its name: the point as it is; as a comparison
    with the target moves it, space by space; the balanced forms of both; and, without end, random elements.
    """
    yield "the weights as they are", lambda: start
    yield "the element of a comparison", lambda: matched(start)
    yield "balanced forms", lambda: by_forms(start)
    for number in itertools.count():
        yield f"random element {number + 1}", functools.partial(random_start, start, seed + number)


def settle(position: OrbitPoint) -> OrbitPoint:
    """Return the point in standard position."""
    elements, _ = settled(position.problem.arch, position.theta, unseen=position.problem.unseen)
    return position.moved(elements[::-1])


def at_rest(position: OrbitPoint) -> OrbitPoint:
    """Return the point with gains and shifts as the target has them."""
    problem = position.problem
    elements, _ = settled(problem.arch, problem.target, unseen=problem.unseen)
    return settle(position).moved([verbs.inverse(one) for one in elements])


def by_forms(start: OrbitPoint) -> OrbitPoint | None:
    """Return the point whose balanced form has the place of that of the target; None where there is no such form."""
    problem = start.problem
    with contextlib.suppress(NoNormalForm, DivisionByZero, np.linalg.LinAlgError):
        ends = [balanced_form_map(problem.arch, one, unseen=problem.unseen) for one in (start.theta, problem.target)]
        return start.moved([ends[0], verbs.inverse(ends[1])])
    return None


def random_start(start: OrbitPoint, seed: int) -> OrbitPoint | None:
    """Return the point moved by a random element, with the gains and shifts of the target; None if a gain is zero."""
    problem = start.problem
    with contextlib.suppress(DivisionByZero):
        element = random_element(problem.arch, start.theta, seed, condition=1.0, unseen=problem.unseen)
        return at_rest(start.moved([element]))
    return None


def matched(start: OrbitPoint) -> OrbitPoint | None:
    """Return the point moved by the element that a comparison with the target finds, with the signs of whole tensors
    changed before, one after the other, where it is nearer then; None if a gain is zero.
    """
    best = compared(start)
    for scaling in (one for one in start.problem.scalings if not one.positive):
        other = start.moved([scaling.element(start.theta.tensors, -1.0)])
        found = compared(other)
        if found is not None and best is not None and found.distance < best.distance:
            start, best = other, found
    return best


def compared(start: OrbitPoint) -> OrbitPoint | None:
    """Return the point moved by the element that a comparison finds, space by space, and scaled; None if a gain is
    zero.
    """
    problem = start.problem
    with contextlib.suppress(DivisionByZero):
        fit = fit_weights(problem.arch, start.theta, problem.target, unseen=problem.unseen)
        there = start.moved([*reversed(fit.element.factors)])
        for scaling in problem.scalings:
            there = with_scaling(there, scaling)
        return there
    return None


def units_of(problem: Problem) -> list[Unit]:
    """Return all that is solved for in steps."""
    return [*problem.spaces, *problem.coordinates]


def exchanged(position: OrbitPoint) -> OrbitPoint:
    """Return the point with heads and experts where they are nearest, if that leads nearer once their inner spaces are
    solved for.
    """
    problem = position.problem
    element = nearest_exchange(problem, problem.frame(position.theta))
    if element is None:
        return position
    there = position.moved([element])
    frame = problem.frame(there.theta)
    sweep = Round(problem.motions, frame)
    for _ in range(2):
        for unit in inner_units(problem):
            sweep.step(unit)
    there = there.moved([through(problem.fold, sweep.change)])
    return there if there.distance < position.distance else position


def stepped(position: OrbitPoint, *, gains: bool = True) -> OrbitPoint:
    """Return the point after a step in each of its spaces and coordinates, and in its gains if asked for."""
    problem = position.problem
    sweep = Round(problem.motions, problem.frame(position.theta))
    moved = [sweep.step(unit) for unit in units_of(problem)]
    found = position.moved([through(problem.fold, sweep.change)]) if any(moved) else position
    found = found if found.distance < position.distance else position
    for gain in problem.gains if gains else ():
        found = with_gain(found, gain)
    for scaling in problem.scalings:
        found = with_scaling(found, scaling)
    return found


def with_scaling(position: OrbitPoint, scaling: Scaling) -> OrbitPoint:
    """Return the point with whole tensors multiplied by the powers of a number that bring it nearest."""
    squares: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    tensors, goal = matrices_of(position.theta), position.problem.goal
    for name, power in scaling.exponents.items():
        P, R = squares.get(power, (np.zeros(1), np.zeros(1)))
        squares[power] = P + np.vdot(tensors[name], tensors[name]), R + np.vdot(tensors[name], goal[name])
    number = float(nearest_numbers(squares, positive=scaling.positive)[0])
    there = position.moved([scaling.element(position.theta.tensors, number)])
    return there if there.distance < position.distance else position


def with_gain(position: OrbitPoint, gain: GainNumbers) -> OrbitPoint:
    """Return the point with a gain that brings it nearest."""
    problem = position.problem
    tensors = matrices_of(position.theta)
    frame = Frame(tensors, problem.goal, {name: np.ones_like(W) for name, W in tensors.items()})
    numbers = nearest_factors(gain.coordinates, gain.coordinates.sides, frame)[gain.factors]
    there = position.moved([gain.family.element_of(Elements(Reals(), numbers[:, None]))])
    return there if there.distance < position.distance else position


def descend(position: OrbitPoint, share: float = IMPROVED) -> OrbitPoint:
    """Return a point that no step and no refinement leads nearer to the target by more than a share of the distance."""
    for _ in range(ROUNDS):
        before = position.distance
        if before == 0:
            break
        try:
            position = stepped(exchanged(position))
        except DivisionByZero:
            break
        position = refine(position, share / 10)
        if before - position.distance <= share * before:
            break
    return position
