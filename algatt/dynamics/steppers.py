"""The steppers of scipy, one step at a time: which one is taken, and how it stays on the sphere.

They are used one step at a time instead of through `solve_ivp`, which has no place for a projection, a change of the
method, a progress bar or a checkpoint.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from algatt.dynamics.flow import Flow, SphereFlow
from algatt.dynamics.heads import ScalarHead
from algatt.dynamics.jacobian import (
    extended_jacobian,
    first_at,
    has_jacobian,
    lengths_and_directions,
)
from algatt.dynamics.tokens import lengths
from algatt.dynamics.velocity import unchecked_velocity
from algatt.layers import Exponential, Unnormalized
from algatt.memory import check_memory

AUTO = "auto"
"""Begin with `FIRST`, and go on with `STIFF` once the steps are held small by stability and not by accuracy."""

EXPLICIT = ("DOP853", "RK45", "RK23")
"""The explicit Runge-Kutta methods of scipy, whose next step begins with the velocity that the last one ended with."""

IMPLICIT = ("LSODA", "BDF", "Radau")
"""Its methods for stiff equations."""

METHODS = (AUTO, *EXPLICIT, *IMPLICIT)

STOCHASTIC = "Heun"
"""The method of runs with noise."""

FIRST, STIFF = "DOP853", "LSODA"

BOUNDARY = 6.1
"""The negative real axis of the stability region of DOP853 ends about here (Hairer, Norsett, Wanner, II.5)."""

STIFF_STEPS, LOOSE_STEPS = 15, 6
"""So many steps near the boundary mean that the flow is stiff; so many others in a row, that it was none of it."""

LARGEST = 1500
"""Coordinates of all tokens up to which `AUTO` changes the method: beyond, the linear equations of an implicit step
cost more than the explicit steps that they save.
"""

COLLAPSED = "the step size collapsed"

DRIFT, ERRORS = 1e-6, 100.0
"""An implicit stepper begins anew on the sphere when the length of a token has left it by this, and by so many times
the tolerance: a first step is short and of order 1, and with loose tolerances there would be no others.
"""


EQUAL = 8 * 2.0**-53
"""Tokens that attract each other are at one place once they are nearer than this: the length of one of them has such
an error.
"""


class Stepper:
    """A stepper of scipy on tokens.

    An explicit method is put back on the sphere after each step. An implicit one remembers earlier states, which a
    projection would spoil; so it follows the equation y_i' = |y_i| P v(x), x_i = y_i / |y_i|, whose directions are the
    tokens whatever the lengths are. Tokens that have come to one place move together from then on: their pulls on each
    other, up to e^beta times their rounding, would hide how the place moves.

    Parameters
    ----------
    flow : Flow
        What drives the tokens.
    method : str
        One of `METHODS`.
    tolerance : float
        Relative and absolute.
    end : float
        Where to stop.
    count : callable
        Called without arguments for each velocity.
    """

    def __init__(self, flow: Flow, method: str, tolerance: float, end: float, count: Callable[[], None]) -> None:
        self.flow, self.method, self.tolerance, self.end, self.count = flow, method, tolerance, end, count
        self.shape: tuple[int, ...] = ()
        self.places = self.first = np.arange(0)
        self.name = ""
        self.origin = 0.0
        self.inner: Any = None
        self.stiff_steps = self.loose_steps = 0

    def begin(self, name: str, moment: float, tokens: np.ndarray, first: float) -> None:
        """Begin with one of the methods of scipy at a state; a first step of 0 is chosen by scipy.

        Its own time begins at 0, so that steps can be much shorter than what floats distinguish at late times.
        """
        import scipy.integrate

        self.name, self.origin = name, moment
        self.places = places_of(self.flow, tokens) if name in IMPLICIT else np.arange(tokens.shape[1])
        self.first = first_at(self.places)
        tokens = tokens[:, self.first]
        self.shape = tokens.shape
        options: dict[str, Any] = {
            "rtol": self.tolerance,
            "atol": self.tolerance,
            "first_step": min(first, self.end - moment) or None,
        }
        if name in IMPLICIT:
            check_memory(4 * 8.0 * tokens.size**2, "the Jacobian of an implicit method")
            options["jac"] = self.jacobian if has_jacobian(self.flow) else None
        with np.errstate(over="ignore", invalid="ignore"):
            self.inner = getattr(scipy.integrate, name)(
                self.velocity, 0.0, tokens.ravel(), self.end - moment, **options
            )

    def velocity(self, moment: float, flat: np.ndarray) -> np.ndarray:
        """Return the velocity that the method follows."""
        self.count()
        if self.name in EXPLICIT:
            return unchecked_velocity(self.flow, flat.reshape(self.shape)).ravel()
        sizes, tokens = lengths_and_directions(self.flow, flat, self.shape)
        return (sizes * unchecked_velocity(self.flow, tokens[:, self.places])[:, self.first]).ravel()

    def jacobian(self, moment: float, flat: np.ndarray) -> np.ndarray:
        """Return its derivative."""
        return extended_jacobian(self.flow, flat, self.shape, self.places)

    @property
    def t(self) -> float:
        """The time after the last step."""
        return self.end if self.finished else self.origin + float(self.inner.t)

    @property
    def t_old(self) -> float:
        """The time before it."""
        return self.origin + float(self.inner.t_old)

    @property
    def finished(self) -> bool:
        """Whether the end is reached."""
        return bool(self.inner.status == "finished")

    @property
    def next_step(self) -> float:
        """The length of the step that would come next, as far as the method says it."""
        return float(getattr(self.inner, "h_abs", self.inner.t - self.inner.t_old))

    def tokens(self, flat: np.ndarray | None = None) -> np.ndarray:
        """Return a state of the method as tokens, the last one unless given."""
        tokens = lengths_and_directions(self.flow, self.inner.y if flat is None else flat, self.shape)[1]
        return tokens[:, self.places]

    def dense_output(self) -> Callable[[float], np.ndarray]:
        """Return the tokens at times in the last step, counted from its beginning."""
        inside = self.inner.dense_output()
        return lambda passed: self.tokens(inside(self.inner.t_old + passed))

    def step(self) -> str | None:
        """Take a step, and return why there is none, or None.

        On the sphere nothing blows up: where the steps are too short for the time that has passed, the method begins
        anew, with a time of its own.
        """
        problem = self.try_step()
        if problem is not None and isinstance(self.flow, SphereFlow) and self.inner.t > 0.0:
            state = self.tokens()
            if np.isfinite(state).all():
                self.begin(self.name, self.t, state, 0.0)
                problem = self.try_step()
        return problem

    def try_step(self) -> str | None:
        """Take a step of the method that is there, and return why there is none, or None."""
        before = self.inner.t
        if self.name in EXPLICIT:
            problem = self.inner.step()
        else:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")  # LSODA warns where others say what is wrong
                problem = self.inner.step()
            problem = str(caught[-1].message) if caught else problem
        if self.inner.status == "failed":
            return problem or COLLAPSED
        return COLLAPSED if self.inner.t == before or not np.isfinite(self.inner.y).all() else None

    def settle(self) -> float:
        """Go back to the sphere after a step, and to another method if the flow is stiff; return how far from the
        sphere the step ended.
        """
        departure = 0.0
        if isinstance(self.flow, SphereFlow):
            departure = float(np.abs(lengths(self.inner.y.reshape(self.shape)) - 1.0).max())
        if self.name in EXPLICIT:
            stiff = self.method == AUTO and self.is_stiff()
            if isinstance(self.flow, SphereFlow):
                self.inner.y = self.tokens().ravel()
                self.inner.f = self.inner.fun(self.inner.t, self.inner.y)
            if stiff and not self.finished:
                self.begin(STIFF, self.t, self.tokens(), self.next_step)
        elif not self.finished:
            tokens = self.tokens()
            come_together = places_of(self.flow, tokens).max() < self.places.max()
            if come_together or departure > max(DRIFT, min(ERRORS * self.tolerance, 0.1)):
                self.begin(self.name, self.t, tokens, self.next_step)
        return departure

    def is_stiff(self) -> bool:
        """Return whether stability has held the steps small for some time.

        The last stage of DOP853 is at the time of the new state and not far from it. The quotient of the differences of
        their velocities and themselves is about the largest eigenvalue of the Jacobian.
        """
        if self.inner.y.size > LARGEST or not has_jacobian(self.flow):
            return False
        inner = self.inner
        stages, last = inner.n_stages, inner.K[inner.n_stages]
        step = inner.t - inner.t_old
        apart = step * (inner.B @ inner.K[:stages] - inner.A[stages - 1, : stages - 1] @ inner.K[: stages - 1])
        faster = last - inner.K[stages - 1]
        if step * float(np.linalg.norm(faster)) > BOUNDARY * float(np.linalg.norm(apart)) > 0.0:
            self.stiff_steps, self.loose_steps = self.stiff_steps + 1, 0
        else:
            self.loose_steps += 1
            if self.loose_steps == LOOSE_STEPS:
                self.stiff_steps = 0
        return self.stiff_steps >= STIFF_STEPS


def places_of(flow: Flow, tokens: np.ndarray) -> np.ndarray:
    """Return the numbers of the places of tokens, where those that attract each other and are equal up to rounding are
    at one place.

    Of scalar heads of positive strength without a mask, differences of tokens at one place grow less than a rounding of
    all of them does: by the pull of the others, less their own.
    """
    score = flow.weights.score if isinstance(flow.weights, Unnormalized) else flow.weights
    attracts = all(isinstance(head, ScalarHead) and head.strength > 0 for head in flow.heads)
    if not (isinstance(flow, SphereFlow) and flow.mask is None and attracts and isinstance(score, Exponential)):
        return np.arange(tokens.shape[1])
    near = np.abs(tokens[:, :, np.newaxis] - tokens[:, np.newaxis, :]).max(axis=0) <= EQUAL
    leaders = near.argmax(axis=1)
    leaders = leaders[leaders]
    return np.unique(leaders, return_inverse=True)[1]
