"""The scalar equation of a common cosine, integrated in a coordinate without singular ends (derived)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from algatt.arguments import finite_number
from algatt.dynamics.equiangular.flow import EquiangularFlow, attraction
from algatt.errors import InvalidArgument

TOLERANCE = 1e-12
"""Relative tolerance of the solutions of the scalar equation."""


def stretch(flow: EquiangularFlow, cosine: float) -> float:
    """Return the coordinate u of a cosine strictly between the ends."""
    return math.log1p((flow.tokens - 1) * cosine) - math.log1p(-cosine)


def cosine_of(flow: EquiangularFlow, u: np.ndarray) -> np.ndarray:
    """Return the cosine of a coordinate u, without overflow at either end."""
    m = flow.tokens - 1
    small = np.exp(-np.abs(u))
    return np.select([u >= 0], [-np.expm1(-np.abs(u)) / (1.0 + m * small)], np.expm1(-np.abs(u)) / (small + m))


def stretched_rate(flow: EquiangularFlow, u: np.ndarray) -> np.ndarray:
    """Return u' = 2 n b."""
    return 2.0 * flow.tokens * attraction(flow, cosine_of(flow, u))


def inner_cosine(flow: EquiangularFlow, argument: str, cosine: Any) -> float:
    """Return a cosine strictly between the ends, at which nothing moves, or raise `InvalidArgument`."""
    g, least = finite_number(argument, cosine), -1.0 / (flow.tokens - 1)
    if not least < g < 1.0:
        raise InvalidArgument(argument, f"{g:g}", f"between {least:g} and 1, and neither of them: nothing moves there")
    return g


def cosine_at(flow: EquiangularFlow, start: float, times: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return the solution of the scalar equation: the common cosine at given times, if it is `start` at time 0.

    Numerical, with a relative tolerance of 10^-12 in the coordinate u.

    Parameters
    ----------
    flow : EquiangularFlow
        The heads, weights, beta and number of tokens.
    start : float
        Strictly between -1 / (n - 1) and 1.
    times : sequence of float
        Not negative, and increasing.

    Returns
    -------
    numpy.ndarray
        One cosine for each time.

    Raises
    ------
    InvalidArgument
        If an argument is out of range, or exp(beta s) overflows.

    Examples
    --------
    >>> import algatt
    >>> from algatt.dynamics import cosine_at
    >>> flow = algatt.dynamics.EquiangularFlow((1.0,), tokens=8, beta=1.0)
    >>> cosine_at(flow, 0.0, [0.0, 1.0, 2.0, 4.0]).round(4)
    array([0.    , 0.6006, 0.9954, 1.    ])
    """
    from scipy.integrate import solve_ivp

    g = inner_cosine(flow, "start", start)
    should = "increasing numbers, none of them negative"
    try:
        moments = np.array(times, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidArgument("times", repr(times), should) from None
    if (
        moments.ndim != 1
        or not len(moments)
        or moments[0] < 0
        or (np.diff(moments) <= 0).any()
        or not np.isfinite(moments).all()
    ):
        raise InvalidArgument("times", repr(times), should)
    last = float(moments[-1]) or 1.0
    with np.errstate(over="ignore", invalid="ignore"):
        solution = solve_ivp(
            lambda t, u: stretched_rate(flow, u),
            (0.0, last),
            [stretch(flow, g)],
            method="DOP853",
            t_eval=moments,
            rtol=TOLERANCE,
            atol=TOLERANCE,
        )
    if not solution.success:  # its values end before the times do
        raise InvalidArgument(
            "times", f"up to {last:g}, which the solution does not reach ({solution.message})", "smaller"
        )
    return cosine_of(flow, solution.y[0])
