"""A run of a flow as one html page that plays it: it holds its style, its script and its data, and may not use the
network.
"""

from __future__ import annotations

import math

import numpy as np

from algatt.dynamics import Trajectory
from algatt.views.flows.over_time import dominance_shares, is_long
from algatt.views.flows.projection import axes_of, evenly, positions
from algatt.views.pages import fill_page

FRAMES = 240
"""The most states that a page has."""

TOKENS = 500
"""The most tokens that a page shows."""

SCALE = 10_000
"""Coordinates are written as integers in units of 1 / SCALE, or of the largest one / SCALE where tokens are outside of
the unit sphere.
"""


def page(trajectory: Trajectory) -> str:
    """Return a run as a self-contained html page.

    The page plays the tokens on the sphere, which can be turned, beside the energies, radial shadows, shares of
    dominant tokens and entropies over time, with a slider, and on a light or a dark ground. It has at most 240 states
    and 500 tokens, evenly chosen, and says so if it leaves some out.

    Parameters
    ----------
    trajectory : Trajectory
        What `algatt.dynamics.integrate` returned.

    Returns
    -------
    str
        The page. Its Content-Security-Policy allows its own style and script and nothing else.

    Examples
    --------
    >>> import algatt
    >>> from algatt.views.flows.page import page
    >>> flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),))
    >>> run = algatt.dynamics.integrate(flow, algatt.dynamics.random_tokens(5, 3), until=1.0)
    >>> print(page(run).partition("<title>")[2].partition("</title>")[0])
    5 tokens under 1 head
    """
    points, projection = positions(trajectory)
    return fill_page("flows", title(trajectory), contents(trajectory, points), about=about(trajectory, projection))


def title(trajectory: Trajectory) -> str:
    """Return what the page is called."""
    heads = len(trajectory.flow.heads)
    return f"{trajectory.states.shape[2]} tokens under {heads} head{'s' * (heads > 1)}"


def about(trajectory: Trajectory, projection: str) -> str:
    """Return what the page says below: the flow, the projection, and what is left out."""
    T, _, n = trajectory.states.shape
    heads = ", ".join(repr(head) for head in trajectory.flow.heads)
    parts = [
        f"{type(trajectory.flow).__name__} of {heads}; {trajectory.flow.weights!r}; beta = {trajectory.flow.beta:g}."
    ]
    parts += [f"Mask: {trajectory.flow.mask!r}."] if trajectory.flow.mask is not None else []
    parts += [f"Noise: {trajectory.noise:g}."] if trajectory.noise else []
    parts += [f"Projected to the {projection}."] if projection else []
    parts += [f"{TOKENS} of {n} tokens are shown."] if n > TOKENS else []
    parts += [f"{FRAMES} of {T} states are shown."] if T > FRAMES else []
    parts += [] if np.isfinite(trajectory.energies).all() else ["Energies overflow and are left out."]
    parts.append(f"Ending: {trajectory.ending}.")
    return " ".join(parts)


def contents(trajectory: Trajectory, points: np.ndarray) -> dict[str, object]:
    """Return what the page draws as lists of numbers; energies that overflow are left out."""
    frames, tokens = evenly(points.shape[0], FRAMES), evenly(points.shape[2], TOKENS)
    chosen = points[np.ix_(frames, np.arange(3), tokens)]
    scale = SCALE / max(1.0, float(np.abs(chosen).max()))
    return {
        "scale": scale,
        "times": [float(f"{moment:.6g}") for moment in trajectory.times[frames]],
        "long": is_long(trajectory.times),
        "heads": len(trajectory.flow.heads),
        "axes": axes_of(trajectory),
        "positions": (chosen * scale).round().astype(int).reshape(len(frames), -1).tolist(),
        "panels": panels(trajectory, frames),
    }


def panels(trajectory: Trajectory, frames: np.ndarray) -> list[dict[str, object]]:
    """Return what is drawn over time: the lines of the heads, as in the panels of `run_figure`, and a total."""
    finite = bool(np.isfinite(trajectory.energies).all())
    energies = trajectory.energies if finite else trajectory.energies[:, :0]
    if finite and len(trajectory.flow.heads) > 1:
        energies = np.column_stack([energies, trajectory.total_energies])
    return [
        {"name": name, "share": share, "limit": limit, "lines": [numbers(row) for row in values[frames].T]}
        for name, values, share, limit in (
            ("energy", energies, False, None),
            ("mean radial shadow", trajectory.shadows.mean(axis=2), False, None),
            ("share of dominant tokens", dominance_shares(trajectory), True, None),
            ("mean entropy of attention", trajectory.entropies.mean(axis=2), False, math.log(trajectory.tokens)),
        )
    ]


def numbers(values: np.ndarray) -> list[float | None]:
    """Return numbers with six digits, and None for those that are none."""
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in values]
