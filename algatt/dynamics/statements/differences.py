"""Derivatives along the flow by differences, which share nothing with the formulas of rates."""

from __future__ import annotations

from typing import Any

import numpy as np

from algatt import verbs
from algatt.dynamics.flow import Flow, SphereFlow
from algatt.dynamics.tokens import lengths

DERIVATIVE = 1e-6
"""The relative error up to which a derivative and a quotient of differences count as equal."""

DIFFERENCE = 1e-3
"""The step of central differences of the fourth order, whose error at numbers of order 1 is about 10^-12."""


def differences(flow: Flow, tokens: np.ndarray, verb: Any) -> tuple[np.ndarray, float]:
    """Return the derivative of a verb along the flow by central differences, and a bound of their rounding errors.

    The step is so small that neither a token nor a score times beta moves far in it.
    """
    velocity = verbs.velocity(flow, tokens)
    norms = max(float(np.linalg.norm(head.matrices(len(tokens))[0])) for head in flow.heads)
    scores = flow.inverse_temperature * norms * (1.0 + float(lengths(tokens).max()))
    step = DIFFERENCE / (1.0 + float(np.abs(velocity).max()) * (1.0 + scores))
    moved = {k: verb(flow, curve(flow, tokens, k * step * velocity)) for k in (-2, -1, 1, 2)}
    slopes = (8.0 * (moved[1] - moved[-1]) - (moved[2] - moved[-2])) / (12.0 * step)
    return slopes, 1e-14 * (1.0 + scores) * (1.0 + float(np.abs(moved[1]).max())) / step


def curve(flow: Flow, tokens: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Return tokens moved along a tangent vector, on the sphere if that is where they are."""
    moved = tokens + change
    return moved / lengths(moved) if isinstance(flow, SphereFlow) else moved
