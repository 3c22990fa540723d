"""States of a run at any times, without storing them all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from algatt.arguments import instance
from algatt.dynamics.integrate import integrate
from algatt.dynamics.steppers import AUTO
from algatt.dynamics.trajectory import Trajectory, check_without_noise
from algatt.errors import InvalidArgument


def states_at(
    trajectory: Trajectory,
    times: Sequence[float] | np.ndarray,
    *,
    tolerance: float = 1e-10,
    method: str = AUTO,
) -> np.ndarray:
    """Return the states of a run at any times: each followed again from the state that is recorded before it.

    Parameters
    ----------
    trajectory : Trajectory
        What `integrate` returned or `load_trajectory` read.
    times : sequence of float
        Increasing, from the first to the last time of the run.
    tolerance : float, optional
        As for `integrate`.
    method : str, optional
        As for `integrate`.

    Returns
    -------
    numpy.ndarray
        Shape (times, d, n). Numerical. Cost: that of the steps between the recorded states around the times.

    Raises
    ------
    InvalidArgument
        If the times are not increasing, or not times of the run.

    Examples
    --------
    >>> import algatt
    >>> from algatt.dynamics import random_tokens, states_at
    >>> flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), beta=2.0)
    >>> run = algatt.dynamics.integrate(flow, random_tokens(8, 3), until=1.0, samples=2)
    >>> states_at(run, [0.25, 0.5]).shape
    (2, 3, 8)
    """
    instance("trajectory", trajectory, Trajectory, "a Trajectory")
    check_without_noise(trajectory)
    recorded = trajectory.times
    should = f"increasing times from {recorded[0]:g} to {recorded[-1]:g}"
    try:
        moments = np.array(times, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidArgument("times", repr(times), should) from None
    inside = moments.ndim == 1 and len(moments) and np.isfinite(moments).all() and (np.diff(moments) > 0).all()
    if not inside or moments[0] < recorded[0] or moments[-1] > recorded[-1]:
        raise InvalidArgument("times", repr(times), should)
    places = np.searchsorted(recorded, moments, side="right") - 1
    states = np.empty((len(moments), *trajectory.states.shape[1:]))
    for place in np.unique(places):
        chosen = places == place
        apart = moments[chosen] - recorded[place]
        later = apart > 0.0
        found = np.repeat(trajectory.states[place][np.newaxis], len(apart), axis=0)
        if later.any():
            run = integrate(
                trajectory.flow,
                trajectory.states[place],
                until=float(apart[-1]),
                samples=apart[later],
                tolerance=tolerance,
                method=method,
            )
            found[later] = run.states[1:]
        states[chosen] = found
    return states
