"""Statements about entropies: their rates, and where they rise and fall."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from algatt import verbs
from algatt.dynamics.equiangular import EquiangularFlow
from algatt.dynamics.flow import Flow, SphereFlow, checked_tokens
from algatt.dynamics.heads import ScalarHead
from algatt.dynamics.statements.check import StatementCheck, identity, inequality
from algatt.dynamics.statements.differences import DERIVATIVE
from algatt.dynamics.statements.duals import along, entropies, product_rounding
from algatt.dynamics.statements.structure import attractive_head, strength_of
from algatt.dynamics.thresholds import entropy_growth_cosine
from algatt.dynamics.tokens import equiangular_tokens, normalised
from algatt.dynamics.velocity import seen, seen_velocity
from algatt.layers import Activation, Exponential, Unnormalized


def check_entropy_rate(flow: Flow, tokens: Any) -> StatementCheck:
    """Check dS_i/dt = -beta^2 Cov(s, ds/dt) against the derivative of -sum p ln p by dual numbers, and the entropy
    against its value (derived).

    Parameters
    ----------
    flow : Flow
        Any heads and weights.
    tokens : numpy.ndarray
        Shape (d, n).
    """
    X = checked_tokens(flow, tokens)
    velocity, looked = seen_velocity(flow, X), seen(flow, X)
    values, slopes = entropies(flow, along(looked, velocity))
    scores = sum(float(np.linalg.norm(head.matrices(len(X))[0])) for head in flow.heads) * float(
        np.square(looked).sum()
    )
    check = identity(
        "dS_i/dt = -beta^2 Cov(s, ds/dt)",
        "derived",
        {},
        slopes,
        verbs.entropy_rate(flow, X),
        DERIVATIVE,
        rounding=product_rounding(flow, looked, velocity) * (1.0 + flow.inverse_temperature * scores) * X.shape[1],
    )
    return check if np.allclose(values, verbs.entropy(flow, X), rtol=1e-9, atol=1e-9) else replace(check, holds=False)


def check_equiangular_entropy(flow: EquiangularFlow, cosine: float) -> StatementCheck:
    """Check that the entropy of equiangular tokens grows, by the covariances at n such tokens in dimension n (P).

    Parameters
    ----------
    flow : EquiangularFlow
        Heads of strengths >= 0, not all zero. Every head's own entropy grows if its strength is not zero.
    cosine : float
        The common cosine g, positive for ReLU weights. The tokens are an array of n x n numbers.
    """
    rates = verbs.entropy_rate(flow.full, equiangular_tokens(flow.tokens, flow.tokens, cosine))
    strengths, speed = np.array(flow.strengths), float(verbs.velocity(flow, cosine))
    moving = strengths > 0
    hypotheses = {"strengths >= 0, not all zero": bool((strengths >= 0).all() and moving.any()), "g' > 0": speed > 0}
    margin = float(rates[moving].min()) if moving.any() else math.nan
    return inequality(
        "equiangular tokens: dS/dt >= 0",
        "P",
        hypotheses,
        margin,
        (flow.inverse_temperature * float(strengths.max())) ** 2 * abs(speed),
    )


def check_growing_entropy(flow: SphereFlow, tokens: Any) -> StatementCheck:
    """Check that the entropy of every token grows once all pairs are as close as `entropy_growth_cosine`: after the
    critical time, from which on they stay so (derived; P is reported to have a statement of this kind).

    Parameters
    ----------
    flow : SphereFlow
        Hypotheses: one scalar head of positive strength, with exponential or softmax weights.
    tokens : numpy.ndarray
        Shape (d, n). Hypotheses: at least two tokens, and all their cosines at least `entropy_growth_cosine`. The
        margin of the check is the least rate of an entropy.
    """
    X = checked_tokens(flow, tokens)
    hypotheses = {**attractive_head(flow), "two tokens": X.shape[1] > 1}
    statement = "all entropies grow after the critical time"
    if not all(hypotheses.values()):
        return inequality(statement, "derived", hypotheses, math.nan, 1.0)
    strength = strength_of(flow)
    beta, divided = flow.inverse_temperature, verbs.is_normalised(flow.weights)
    apart = float(1.0 - (X.T @ X).min())
    threshold = entropy_growth_cosine(X.shape[1], beta, strength=strength, normalised=divided)
    hypotheses["all cosines at least entropy_growth_cosine"] = apart <= 1.0 - threshold
    scale = 1e-3 * beta**2 * strength * apart * (1.0 if divided else math.exp(min(beta * strength, 700.0)))
    return inequality(statement, "derived", hypotheses, float(verbs.entropy_rate(flow, X).min()), scale)


def check_falling_entropy(*, weights: Activation | Unnormalized | None = None) -> StatementCheck:
    """Check that at three tokens on the circle, at 0, 30 and 180 degrees, all three entropies fall (derived).

    One head of strength 1 and beta 1. So the monotone entropy of equiangular tokens is no general law.

    Parameters
    ----------
    weights : Exponential or Unnormalized, optional
        ``Unnormalized(Exponential())`` unless given.
    """
    angles = np.radians([0.0, 30.0, 180.0])
    flow = SphereFlow((ScalarHead(1.0),), Unnormalized(Exponential()) if weights is None else weights)
    rates = verbs.entropy_rate(flow, normalised(np.stack([np.cos(angles), np.sin(angles)])))
    return inequality(
        "tokens at 0, 30, 180 degrees: dS_i/dt < 0", "derived", {}, float(-rates.max()), float(np.abs(rates).max())
    )
