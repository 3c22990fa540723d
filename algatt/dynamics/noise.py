"""Flows with noise: Brownian motion beside the attention, by a stochastic Heun scheme."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.dynamics.flow import Flow, SphereFlow, checked_tokens
from algatt.dynamics.recorder import MOST, TrajectoryRecorder
from algatt.dynamics.steppers import STOCHASTIC
from algatt.dynamics.thresholds import positive
from algatt.dynamics.tokens import lengths, normalised, uniform_numbers
from algatt.dynamics.trajectory import Trajectory
from algatt.dynamics.velocity import tangential, unchecked_velocity
from algatt.errors import IntegrationFailed, InvalidArgument
from algatt.randomness import check_seed

WHOLE = 1e-6
"""By how much a time may miss a multiple of the step, in steps."""

Path = str | os.PathLike[str]

Progress = Callable[[int, int], object]


def diffuse(
    flow: Flow,
    tokens: Any,
    *,
    noise: float,
    until: float,
    steps: int,
    seed: int = 0,
    samples: int | None = None,
    normalise: bool = False,
    checkpoint: Path | None = None,
    progress: Progress | None = None,
) -> Trajectory:
    r"""Follow a flow with noise from given tokens: :math:`dx_i = v_i\,dt + \sigma\,dW_i`, on the sphere
    :math:`dx_i = P_{x_i}(v_i\,dt + \sigma \circ dW_i)` in the sense of Stratonovich, with independent Brownian motions.

    On the sphere the noise alone is Brownian motion there, whose mean is
    :math:`E\,x_t = e^{-(d-1) \sigma^2 t / 2} x_0`. Each step is one of the stochastic Heun scheme, on the sphere along
    great circles. Its weak order is 1, without noise it is of order 2. Its strong order is 1 in the flat space, and 1/2
    on the sphere, where the noise does not commute.

    Parameters
    ----------
    flow : Flow
        The heads, the weights and beta.
    tokens : numpy.ndarray
        Shape (d, n): the state at time 0.
    noise : float
        The number sigma > 0.
    until : float
        The time at which to stop.
    steps : int
        How many steps of equal length there are. They are not adapted: to reject a step for what its noise did biases
        the noise, and where it does not commute, as on the sphere, steps of varying lengths need not converge to the
        solution at all (J. G. Gaines and T. J. Lyons, SIAM J. Appl. Math. 57, 1997). Half of the steps twice says what
        they are worth.
    seed : int, optional
        Names the Brownian motions: the same increments on every platform, up to the rounding of logarithms and cosines.
    samples : int, optional
        How many states to record, as evenly as the steps allow; unless given, all of them, or 2,049.
    normalise : bool, optional
        Whether to divide tokens by their lengths first.
    checkpoint : path, optional
        A file to which the run so far is written once a minute, and if it is cut off. `algatt.dynamics.resume` goes on
        with it, or with a run that is over, in steps of the same length, and the two parts are as one run.
    progress : callable, optional
        Called as ``progress(done, total)`` after each step.

    Returns
    -------
    Trajectory
        Its `noise` and `seed` are those given. Numerical. Cost: two velocities for each step, and three for each
        state that is recorded.

    Raises
    ------
    InvalidArgument
        If an argument is out of range, or exp(beta s) overflows at the start.
    IntegrationFailed
        If numbers overflow on the way; with the trajectory up to there.

    Examples
    --------
    >>> import algatt
    >>> from algatt.dynamics import diffuse, random_tokens
    >>> flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), algatt.layers.Exponential(), beta=4.0)
    >>> diffuse(flow, random_tokens(16, 3), noise=0.3, until=5.0, steps=500, samples=11)
    Trajectory(16 tokens in dimension 3, 11 states up to t = 5, ending 'until')
    """
    state = checked_tokens(flow, normalised(tokens) if normalise else tokens)
    sigma, end, count = positive("noise", noise), positive("until", until), whole("steps", steps)
    check_seed(seed)
    kept = min(count, MOST) + 1 if samples is None else min(whole("samples", samples, 2), count + 1)
    recorder = TrajectoryRecorder(flow, checkpoint=checkpoint)
    recorder.noise, recorder.seed, recorder.step = sigma, int(seed), end / count
    recorder.use(0.0, STOCHASTIC)
    recorder.add(0.0, state)
    return take_steps(recorder, state, end, count, kept, progress)


def diffuse_on(
    trajectory: Trajectory, until: float, samples: Any, checkpoint: Path | None, progress: Progress | None
) -> Trajectory:
    """Go on with a run with noise, in steps of the same length and with the noise that comes next.

    Raises
    ------
    InvalidArgument
        If `until` is not a whole number of steps later than the last state, or the steps are not known.
    """
    start, step = float(trajectory.times[-1]), trajectory.step
    if step == 0.0:
        raise InvalidArgument("trajectory", "a run with noise without the length of its steps", "one of diffuse")
    count = round((until - start) / step)
    if count < 1 or abs((until - start) / step - count) > WHOLE:
        should = f"later than the last state, at t = {start:g}, by a whole number of steps of {step:g}"
        raise InvalidArgument("until", f"{until:g}", should)
    kept = min(count, MOST) + 1 if samples is None else min(whole("samples", samples, 2), count + 1)
    return take_steps(
        TrajectoryRecorder(trajectory.flow, trajectory, checkpoint), trajectory.final, until, count, kept, progress
    )


def take_steps(
    recorder: TrajectoryRecorder, state: np.ndarray, end: float, count: int, kept: int, progress: Progress | None
) -> Trajectory:
    """Take so many steps from a state on, of which the recorder has the length and what names the noise."""
    flow, step, before = recorder.flow, recorder.step, recorder.steps
    size = recorder.noise * np.sqrt(step)
    recorded = set(np.linspace(0, count, kept).round().astype(int).tolist())
    with recorder.kept():
        verbs.velocity(flow, state)  # a refusal now says more than one after some steps
        for done in range(1, count + 1):
            number = before + done  # names the noise, so that runs in parts are those in one
            increments = size * normal_numbers(recorder.seed, f"noise/{number}", state.size).reshape(state.shape)
            with np.errstate(over="ignore", invalid="ignore"):
                state = heun_step(flow, state, step, increments)
            moment = end if done == count else step * number
            if not np.isfinite(state).all():
                raise IntegrationFailed(moment, "a number overflowed", recorder.trajectory("unfinished"))
            recorder.steps, recorder.evaluations = number, recorder.evaluations + 2
            if done in recorded:
                recorder.add(moment, state)
            recorder.reach(moment, state)
            if progress is not None:
                progress(done, count)
    return recorder.trajectory("until")


def heun_step(flow: Flow, state: np.ndarray, step: float, increments: np.ndarray) -> np.ndarray:
    """Return the state after a step: the velocity is the mean of those at both ends of a first try, and on the sphere
    all moves are along great circles.
    """
    first = step * unchecked_velocity(flow, state)
    moves = tangential(state, increments) if isinstance(flow, SphereFlow) else increments
    tried = moved(flow, state, first + moves)
    second = carried(flow, tried, state, step * unchecked_velocity(flow, tried))
    return moved(flow, state, (first + second) / 2.0 + moves)


def moved(flow: Flow, state: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Return where changes lead from a state: on the sphere as far along the great circle in their direction."""
    if not isinstance(flow, SphereFlow):
        return state + change
    angles = lengths(change)
    ends = np.cos(angles) * state + np.sinc(angles / np.pi) * change
    return ends / lengths(ends)


def carried(flow: Flow, start: np.ndarray, end: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return tangent vectors after parallel transport between two states along the shorter great circles."""
    if not isinstance(flow, SphereFlow):
        return vectors
    return vectors - (vectors * end).sum(axis=0) / (1.0 + (start * end).sum(axis=0)) * (start + end)


def normal_numbers(seed: int, label: str, count: int) -> np.ndarray:
    """Return independent standard normal numbers of a stream, by the transform of Box and Muller."""
    half = (count + 1) // 2
    first, second = uniform_numbers(seed, label, 2 * half).reshape(2, half)
    radii = np.sqrt(-2.0 * np.log1p(-first))
    return np.concatenate([radii * np.cos(2.0 * np.pi * second), radii * np.sin(2.0 * np.pi * second)])[:count]
