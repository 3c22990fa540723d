"""Following a flow in time: what is asked of a run, the states that are recorded, the events that end it."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import finite_number, whole
from algatt.dynamics.flow import Flow, SphereFlow, checked_tokens
from algatt.dynamics.motion import may_be_at_rest, motion_of
from algatt.dynamics.noise import diffuse_on
from algatt.dynamics.recorder import TrajectoryRecorder
from algatt.dynamics.steppers import AUTO, FIRST, METHODS, STIFF, Stepper
from algatt.dynamics.thresholds import positive
from algatt.dynamics.tokens import lengths, normalised
from algatt.dynamics.trajectory import Trajectory
from algatt.dynamics.velocity import unchecked_velocity
from algatt.errors import IntegrationFailed, InvalidArgument
from algatt.fields import PublicArray

REFINEMENT = 4
"""States that are recorded in each step unless samples are given, and there are not too many steps."""

TOLERANCE = 1e-10
"""Of runs, unless given."""

LEFT = 1e-6
"""How far a token has come when it has left the place where it was at rest up to rounding."""

EVENT = 1e-3
"""Relative error of the level at which an event ends a run; otherwise it is the end of the step."""

PROGRESS = 1000
"""Parts into which the time is divided for the progress bar."""

Path = str | os.PathLike[str]

Progress = Callable[[int, int], object]

Samples = int | Sequence[float] | np.ndarray | None

Levels = dict[str, float]
"""The names of the events with the levels at which they happen."""


@dataclass(frozen=True)
class Request:
    """What is asked of a run: where it begins and ends, which states are recorded, at which levels events end it, and
    how steps are taken.
    """

    start: float
    end: float
    samples: np.ndarray | None
    levels: Levels
    tolerance: float
    method: str
    progress: Progress | None


@dataclass
class RunState:
    """Where a run is: what is asked for, the stepper and the recorder, and the first state that is at rest up to
    rounding.
    """

    flow: Flow
    request: Request
    stepper: Stepper
    recorder: TrajectoryRecorder
    rest: np.ndarray | None = None

    def has(self, name: str, level: float, tokens: np.ndarray) -> bool:
        """Return whether an event has happened at tokens, whatever rounding did."""
        return self.excess(name, level, tokens) <= 0.0 and (
            name == "clustered" or motion_of(self.flow, tokens).fastest <= level
        )

    def excess(self, name: str, level: float, tokens: np.ndarray) -> float:
        """Return by how much the quantity that falls to the level of an event is above it."""
        if name == "clustered":
            return distance_from_cluster(tokens) - level
        return float(lengths(unchecked_velocity(self.flow, tokens)).max()) - level

    def undecided(self, moment: float, tokens: np.ndarray) -> bool:
        """Return whether rounding decides where tokens are: they were at rest up to rounding and have left the place,
        or may leave it before the end; or whether they are slow enough at the end.
        """
        if self.rest is not None and np.abs(tokens - self.rest).max() > LEFT:
            return True
        if not may_be_at_rest(self.flow, tokens):
            return False
        motion = motion_of(self.flow, tokens)
        if not motion.at_rest_up_to_rounding:
            return False
        self.rest = tokens if self.rest is None else self.rest
        asked = self.request.levels.get("stationary")
        slow = asked is None or motion.fastest <= asked
        return (self.request.end - moment) * motion.unknown > LEFT or (self.stepper.finished and not slow)


def integrate(
    flow: Flow,
    tokens: PublicArray,
    *,
    until: float,
    samples: Samples = None,
    tolerance: float = TOLERANCE,
    clustered: float | None = None,
    stationary: float | None = None,
    method: str = AUTO,
    normalise: bool = False,
    checkpoint: Path | None = None,
    progress: Progress | None = None,
) -> Trajectory:
    """Follow the flow from given tokens, with the steppers of scipy's solve_ivp.

    On the sphere each step of an explicit method is followed by a projection. An implicit one follows the flow
    :math:`y_i' = |y_i| P v(y / |y|)`, whose directions are the tokens. So all states have unit columns to 10^-15.

    Parameters
    ----------
    flow : Flow
        The heads, the weights and beta.
    tokens : numpy.ndarray
        Shape (d, n): the state at time 0.
    until : float
        The time at which to stop, unless an event comes first.
    samples : int or sequence of float, optional
        How many states to record, evenly spaced in time, or their times; by default four in each step, and of a run
        with more than 2,048 of them one for each step, for every second step, and so on, so that it never has more. The
        last state is always recorded; `algatt.dynamics.states_at` has states at any other times.
    tolerance : float, optional
        Relative and absolute tolerance of the steps.
    clustered : float, optional
        Stop when the cosine of every token with the mean direction is at least ``1 - clustered``.
    stationary : float, optional
        Stop when no token is faster than this, error bounds of the speeds included.
    method : {"auto", "DOP853", "RK45", "RK23", "LSODA", "BDF", "Radau"}, optional
        The method of scipy. By default, "auto", DOP853 takes the steps, and LSODA those that remain once the flow is
        stiff: when for 15 steps the largest eigenvalue of the Jacobian times the step has been beyond the stability
        boundary 6.1 of DOP853. The change is only made up to 1,500 coordinates of all tokens, d n, beyond which the
        linear equations of implicit steps cost more than they save. `Trajectory.methods` says who took which steps.
    normalise : bool, optional
        Whether to divide tokens by their lengths first; they are refused otherwise unless they are unit vectors.
    checkpoint : path, optional
        A file to which the trajectory so far is written once a minute, and when the run fails or is interrupted. Its
        last state is that after the last step, whether or not `samples` asks for it.
    progress : callable, optional
        Called as ``progress(done, total)`` after each step.

    Returns
    -------
    Trajectory
        With the energies, shadows, margins and entropies at its states. Its `ending` is "undecided" if all tokens were
        at rest up to rounding, as near to an unstable equilibrium, and then left the place: rounding decides where they
        go; also if they are at rest at the end, and may have moved by 10^-6, or be faster than `stationary`. Numerical.
        Cost: about 16 velocities for each step of DOP853, 3 for each sample; an implicit step takes 2 or 3 velocities,
        at times the Jacobian, which is known in closed form, and equations with (d n)^2 coefficients.

    Raises
    ------
    InvalidArgument
        If an argument is out of range, or exp(beta s) overflows at the start.
    IntegrationFailed
        If the step size collapses; with the trajectory up to there.
    """
    state = checked_tokens(flow, normalised(tokens) if normalise else tokens)
    request = checked_request(
        0.0, positive("until", until), samples, event_levels(flow, clustered, stationary), tolerance, method, progress
    )
    return follow(request, state, TrajectoryRecorder(flow, checkpoint=checkpoint))


def resume(
    trajectory: Trajectory,
    *,
    until: float,
    samples: Samples = None,
    tolerance: float = TOLERANCE,
    clustered: float | None = None,
    stationary: float | None = None,
    method: str = AUTO,
    checkpoint: Path | None = None,
    progress: Progress | None = None,
) -> Trajectory:
    """Follow a flow from the last state of a trajectory, and return the two parts as one `Trajectory`.

    Parameters
    ----------
    trajectory : Trajectory
        What `integrate` or `diffuse` returned, or `load_trajectory` read. One with noise goes on in steps of the same
        length, with the noise that comes next, and takes `samples`, `checkpoint` and `progress` only.
    until : float
        The time at which to stop, counted from the start of the whole; the other options are those of `integrate`.

    Raises
    ------
    InvalidArgument
        If `until` is not later than the last state, or for a run with noise not by a whole number of its steps, or
        another argument is out of range.
    IntegrationFailed
        If the step size collapses.
    """
    flow, start, end = trajectory.flow, float(trajectory.times[-1]), positive("until", until)
    if trajectory.noise:
        given = {"tolerance": tolerance != TOLERANCE, "method": method != AUTO}
        given |= {"clustered": clustered is not None, "stationary": stationary is not None}
        for name in (name for name, is_given in given.items() if is_given):
            raise InvalidArgument(name, "given for a run with noise", "left out: its steps are those before, to until")
        return diffuse_on(trajectory, end, samples, checkpoint, progress)
    if end <= start:
        raise InvalidArgument("until", f"{end:g}", f"later than the last state, at t = {start:g}")
    request = checked_request(
        start, end, samples, event_levels(flow, clustered, stationary), tolerance, method, progress
    )
    return follow(request, trajectory.final, TrajectoryRecorder(flow, trajectory, checkpoint))


def checked_request(
    start: float, end: float, samples: Samples, levels: Levels, tolerance: float, method: str, progress: Progress | None
) -> Request:
    """Return what is asked for, or raise `InvalidArgument`."""
    if method not in METHODS:
        raise InvalidArgument("method", repr(method), f"one of {', '.join(METHODS)}")
    if not 1e-13 <= finite_number("tolerance", tolerance) <= 0.1:
        raise InvalidArgument("tolerance", f"{tolerance:g}", "from 1e-13 to 0.1")
    return Request(start, end, sample_times(samples, start, end), levels, tolerance, method, progress)


def event_levels(flow: Flow, clustered: float | None, stationary: float | None) -> Levels:
    """Return the levels of the events that are asked for, or raise `InvalidArgument`."""
    levels = {"clustered": clustered, "stationary": stationary}
    if clustered is not None and not isinstance(flow, SphereFlow):
        raise InvalidArgument("clustered", f"{clustered!r}, for a FlatFlow", "given for a SphereFlow only")
    return {name: positive(name, level) for name, level in levels.items() if level is not None}


def sample_times(samples: Samples, start: float, end: float) -> np.ndarray | None:
    """Return the times at which states are recorded; None for some in each step."""
    if samples is None:
        return None
    if isinstance(samples, int | np.integer):
        return np.linspace(start, end, whole("samples", samples, 2))
    should = f"a number of states, or increasing times from {start:g} to {end:g}"
    try:
        times = np.array(samples, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidArgument("samples", repr(samples), should) from None
    if (
        times.ndim != 1
        or not np.isfinite(times).all()
        or (np.diff(times) <= 0).any()
        or (times < start).any()
        or (times > end).any()
    ):
        raise InvalidArgument("samples", repr(samples), should)
    return times


def follow(request: Request, tokens: np.ndarray, recorder: TrajectoryRecorder) -> Trajectory:
    """Take steps from a state on, until the time is over or an event happens."""
    verbs.velocity(recorder.flow, tokens)  # a refusal now says more than one after steps that shrink to nothing
    run = RunState(recorder.flow, request, begun_stepper(request, tokens, recorder), recorder)
    state = run.stepper.tokens()
    if not recorder.rows:
        recorder.add(request.start, state)
    with np.errstate(over="ignore"):
        ending = next((name for name, level in request.levels.items() if run.has(name, level, state)), None)
        if ending is None and run.undecided(request.start, state):
            ending = "undecided"
    with recorder.kept():
        return recorder.trajectory(ending or last_ending(run))


def last_ending(run: RunState) -> str:
    """Take steps until one of them ends the run, and return why it does."""
    request, ending = run.request, None
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        while ending is None:
            ending = take_step(run)
            if request.progress is not None:
                done = (run.stepper.t - request.start) / (request.end - request.start)
                request.progress(math.floor(PROGRESS * done), PROGRESS)
    return ending


def begun_stepper(request: Request, tokens: np.ndarray, recorder: TrajectoryRecorder) -> Stepper:
    """Return a stepper that begins with the step that the run before would have taken next, if there is one; if the
    method is to be chosen, with that for stiff flows where the run before ended with it.
    """

    def count() -> None:
        recorder.evaluations += 1

    stepper = Stepper(recorder.flow, request.method, request.tolerance, request.end, count)
    method = request.method
    if method == AUTO:
        method = STIFF if recorder.methods and recorder.methods[-1][1] == STIFF else FIRST
    stepper.begin(method, request.start, tokens, recorder.step)
    return stepper


def take_step(run: RunState) -> str | None:
    """Take a step, record what is in it, and return why the run ends with it, or None.

    Raises
    ------
    IntegrationFailed
        If the step size collapses.
    """
    stepper, recorder = run.stepper, run.recorder
    recorder.use(stepper.t, stepper.name)
    problem = stepper.step()
    if problem is not None:
        raise IntegrationFailed(stepper.t, problem, recorder.trajectory("unfinished"))
    recorder.step, recorder.steps = stepper.next_step, recorder.steps + 1
    after = stepper.tokens()
    happened = [name for name, level in run.request.levels.items() if run.has(name, level, after)]
    wanted = times_in_step(run)
    inner: Any = stepper.dense_output() if happened or (wanted < stepper.t).any() else None
    whole = float(stepper.inner.t - stepper.inner.t_old)
    passed = {name: time_of(run, inner, name, whole) for name in happened}
    ending = min(passed, key=lambda name: passed[name]) if passed else None
    part = passed.get(ending or "", whole)
    last = stepper.t if part == whole else stepper.t_old + part
    for moment in wanted[wanted < last]:
        recorder.add(float(moment), inner(moment - stepper.t_old))
    if run.undecided(stepper.t, after):
        ending = "undecided"
    elif ending is None and stepper.finished:
        ending = "until"
    if ending is not None or (wanted == last).any():
        recorder.add(last, after if part == whole else inner(part))
    recorder.departure = max(recorder.departure, stepper.settle())
    if ending is None:
        if run.request.samples is None:
            recorder.thin(REFINEMENT)
        recorder.reach(stepper.t, stepper.tokens())
    return ending


def times_in_step(run: RunState) -> np.ndarray:
    """Return the times in the last step at which states are recorded, its end included and its beginning not."""
    before, after = run.stepper.t_old, run.stepper.t
    if run.request.samples is None:
        if run.recorder.stride:
            return np.array([after] if run.recorder.steps % run.recorder.stride == 0 else [])
        return np.append(before + (after - before) * np.arange(1, REFINEMENT) / REFINEMENT, after)
    return run.request.samples[(run.request.samples > before) & (run.request.samples <= after)]


def time_of(run: RunState, inner: Any, name: str, whole: float) -> float:
    """Return the time in the last step, counted from its beginning, at which an event happens."""
    from scipy.optimize import brentq

    level = run.request.levels[name]

    def excess(passed: float) -> float:
        return run.excess(name, level, inner(passed))

    if excess(whole) > 0:
        return whole
    found = 0.0 if excess(0.0) <= 0 else float(brentq(excess, 0.0, whole, xtol=1e-14 * whole, rtol=1e-12))
    return found if run.has(name, level * (1.0 + EVENT), inner(found)) else whole


def distance_from_cluster(tokens: np.ndarray) -> float:
    """Return 1 - c for the least cosine c of a token with the direction of the mean; 1 if the mean is zero.

    Parameters
    ----------
    tokens : numpy.ndarray
        Shape (d, n), unit vectors.

    Examples
    --------
    >>> import numpy as np
    >>> from algatt.dynamics import distance_from_cluster
    >>> distance_from_cluster(np.array([[1.0, 0.0], [0.0, 1.0]]))  # 1 - cos(45 degrees)
    0.2928932188134524
    """
    mean = tokens.mean(axis=1, keepdims=True)
    size = float(lengths(mean)[0])
    if size == 0.0:
        return 1.0
    return float(np.square(tokens - mean / size).sum(axis=0).max() / 2.0)
