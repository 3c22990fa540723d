"""Verbs of multi-head attention as a flow of tokens.

P is Pendharkar, arXiv 2605.04279; what is called derived is worked out in docs/theory and is no statement of the paper.
Tokens are the columns of an array of shape (d, n). All answers are numerical: float64.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algatt.dispatch import declare

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Sequence

    import numpy as np

    from algatt.dynamics.equiangular.flow import EquiangularFlow
    from algatt.dynamics.flow import Flow
    from algatt.dynamics.trajectory import Trajectory


@declare(homes=["algatt.dynamics.velocity"])
def head_outputs(flow: Flow, tokens: Any, /) -> np.ndarray:
    r"""Return the outputs of all heads, :math:`f_i^h = \sum_j w(\beta \langle x_i, M_h x_j \rangle)\, V_h x_j` (P).

    Parameters
    ----------
    flow : Flow
        The heads, the weights w and beta.
    tokens : numpy.ndarray
        Shape (d, n): the tokens as columns; unit vectors for a `SphereFlow`.

    Returns
    -------
    numpy.ndarray
        Shape (H, d, n). `algatt.layers.Unnormalized` weights come without the 1/n, softmax weights are divided by their
        sum over j. Numerical. Cost: for each head two products of n x n with d and n^2 exponentials, in blocks of about
        2^19 scores.

    Raises
    ------
    InvalidArgument
        If the tokens do not fit, are no unit vectors on the sphere, or exp(beta s) overflows where the weights are not
        normalised.
    """


@declare(homes=["algatt.dynamics.equiangular.rates", "algatt.dynamics.velocity"])
def velocity(flow: EquiangularFlow | Flow, tokens: Any, /) -> Any:
    r"""Return the right side of the flow (P): :math:`x_i' = v_i` on the flat space, :math:`x_i' = (I - x_i x_i^T) v_i`
    on the sphere.

    Here :math:`v_i = \frac{1}{n} \sum_h f_i^h`, without the 1/n for softmax weights, with the outputs f of
    `head_outputs`. On the sphere differences of tokens are summed where the pull of a token on itself outweighs the
    others; `algatt.dynamics.velocity_errors` has bounds of the rounding errors. In a `PreNormFlow` all of them are
    those of the directions :math:`x_i / |x_i|`.

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        An `EquiangularFlow` gives the derivative of the common cosine g of all pairs of tokens (derived).
    tokens : numpy.ndarray or float
        Shape (d, n); for an `EquiangularFlow` the cosine, a number or an array.

    Returns
    -------
    numpy.ndarray or float
        The shape of `tokens`. Numerical. Cost: that of `head_outputs`, without an array for each head.

    Raises
    ------
    InvalidArgument
        As `head_outputs`; for an `EquiangularFlow` if the cosine is not from -1/(n - 1) to 1.
    """


@declare(homes=["algatt.dynamics.equiangular.rates", "algatt.dynamics.shadow"])
def radial_shadow(flow: Flow | EquiangularFlow, tokens: Any, /) -> np.ndarray:
    r"""Return the radial shadows :math:`s_i^h = \langle x_i, f_i^h \rangle` of all heads at all tokens (P).

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        The heads, the weights and beta.
    tokens : numpy.ndarray or float
        Shape (d, n), or the common cosine.

    Returns
    -------
    numpy.ndarray
        Shape (H, n), or (H,) for an `EquiangularFlow`, whose tokens are alike. Numerical. Cost: that of `head_outputs`.

    Raises
    ------
    InvalidArgument
        As `head_outputs`.
    """


@declare(homes=["algatt.dynamics.equiangular.rates", "algatt.dynamics.shadow"])
def radial_dominance(flow: Flow | EquiangularFlow, tokens: Any, /) -> np.ndarray:
    r"""Return the margin of radial dominance, :math:`|P_{x_i} f_i^h|^2 - |s_i^h| \sum_{h' \ne h} |s_i^{h'}|`, at each
    token for each head.

    Where all margins of a head are >= 0, the energy of this head does not decrease on the sphere, if the heads are
    orthogonal, symmetric and aligned and the weights exponential (P; this form is derived). The condition is
    sufficient, not necessary.

    Parameters
    ----------
    flow : Flow or EquiangularFlow
        The heads, the weights and beta.
    tokens : numpy.ndarray or float
        Shape (d, n), or the common cosine.

    Returns
    -------
    numpy.ndarray
        Shape (H, n), or (H,) for an `EquiangularFlow`. Numerical. Cost: that of `head_outputs`.

    Raises
    ------
    InvalidArgument
        As `head_outputs`.
    """


@declare(homes=["algatt.dynamics.integrate"])
def integrate(
    flow: Flow,
    tokens: Any,
    /,
    *,
    until: float,
    samples: int | Sequence[float] | np.ndarray | None = None,
    tolerance: float = 1e-10,
    clustered: float | None = None,
    stationary: float | None = None,
    method: str = "auto",
    normalise: bool = False,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
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


@declare(homes=["algatt.dynamics.integrate"])
def resume(
    trajectory: Trajectory,
    /,
    *,
    until: float,
    samples: int | Sequence[float] | np.ndarray | None = None,
    tolerance: float = 1e-10,
    clustered: float | None = None,
    stationary: float | None = None,
    method: str = "auto",
    checkpoint: str | os.PathLike[str] | None = None,
    progress: Callable[[int, int], object] | None = None,
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
