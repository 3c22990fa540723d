"""Statements about equiangular tokens: the scalar equation, clustering times and thresholds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.dynamics.equiangular import EquiangularFlow, clustering_time, cosine_at, linearised_clustering_time
from algatt.dynamics.integrate import integrate
from algatt.dynamics.statements.check import StatementCheck, identity, inequality
from algatt.dynamics.thresholds import (
    fastest_softmax_temperature,
    goldilocks_zone,
    radial_dominance_threshold,
    relu_crossover,
    softmax_inflection,
    unit_shadow_bound,
)
from algatt.dynamics.tokens import equiangular_tokens
from algatt.dynamics.weights import KINKED
from algatt.layers import Activation, Exponential, Unnormalized

ODE = 1e-8
"""The difference up to which two integrations count as equal."""


def check_super_additivity(
    strengths: Sequence[float],
    tokens: int,
    cosine: float,
    *,
    weights: Activation | Unnormalized | None = None,
    beta: float = 1.0,
) -> StatementCheck:
    """Check that heads of unequal strengths cluster at least as fast as equal heads of the same mean.

    It follows for exponential weights from the convexity of l -> l exp(beta l g) for l, g >= 0 (P), and can fail for
    softmax weights (derived).

    Parameters
    ----------
    strengths : sequence of float
        Not negative, and not all equal.
    tokens : int
        The number n.
    cosine : float
        The common cosine g; the hypothesis is g > 0.
    weights : Exponential or Unnormalized, optional
        ``Unnormalized(Exponential())`` unless given.
    beta : float, optional
        The inverse temperature; 1 unless given.
    """
    kind = Unnormalized(Exponential()) if weights is None else weights
    unequal = EquiangularFlow(tuple(strengths), tokens, kind, beta)
    mean = math.fsum(strengths) / len(strengths)
    equal = EquiangularFlow((mean,) * len(strengths), tokens, kind, beta)
    fast, slow = float(verbs.velocity(unequal, cosine)), float(verbs.velocity(equal, cosine))
    hypotheses = {"strengths >= 0, not all equal": 0 <= min(strengths) < max(strengths), "g > 0": cosine > 0}
    source = "P" if kind == Unnormalized(Exponential()) else "derived"
    return inequality("unequal heads cluster faster", source, hypotheses, fast - slow, max(abs(fast), abs(slow)))


def check_sub_additivity(
    strengths: Sequence[float], tokens: int, cosine: float, *, beta: float = 1.0
) -> StatementCheck:
    r"""Check that softmax heads of unequal strengths cluster more slowly than equal heads of the same mean (derived).

    The rate of a head is :math:`b / (e^b + n - 1)` up to a factor, with :math:`b = \beta \lambda (1 - g)`, which is
    concave up to `softmax_inflection`.

    Parameters
    ----------
    strengths : sequence of float
        Not negative, and not all equal; the hypothesis is that no b is larger than `softmax_inflection`.
    tokens : int
        The number n.
    cosine : float
        The common cosine g, between both ends.
    beta : float, optional
        The inverse temperature; 1 unless given.
    """
    unequal = EquiangularFlow(tuple(strengths), tokens, Exponential(), beta)
    mean = math.fsum(strengths) / len(strengths)
    equal = EquiangularFlow((mean,) * len(strengths), tokens, Exponential(), beta)
    slow, fast = float(verbs.velocity(unequal, cosine)), float(verbs.velocity(equal, cosine))
    largest = beta * max(strengths) * (1.0 - cosine)
    hypotheses = {
        "strengths >= 0, not all equal": 0 <= min(strengths) < max(strengths),
        "between the ends": -1.0 / (tokens - 1) < cosine < 1.0,
        "beta lambda (1 - g) <= b*": largest <= softmax_inflection(tokens),
    }
    return inequality(
        "softmax: unequal heads cluster more slowly", "derived", hypotheses, fast - slow, max(abs(fast), abs(slow))
    )


def check_relu_crossover(tokens: int, *, beta: float) -> StatementCheck:
    """Check that a ReLU head is slower than a softmax head below `relu_crossover`, and faster beyond (derived).

    Parameters
    ----------
    tokens : int
        The number n.
    beta : float
        The inverse temperature; the hypothesis is beta > 1.
    """
    crossing = relu_crossover(tokens, beta)
    hypotheses = {"beta > 1": beta > 1}
    if not all(hypotheses.values()):
        return inequality("ReLU is faster than softmax beyond g_x", "derived", hypotheses, math.nan, 1.0)
    below = np.linspace(0.05, 0.99, 20) * crossing
    above = crossing + np.linspace(0.01, 0.95, 20) * (1.0 - crossing)
    relu, softmax = (EquiangularFlow((1.0,), tokens, kind, beta) for kind in (KINKED, Exponential()))
    slower, faster = (
        np.log(verbs.velocity(one, places) / verbs.velocity(two, places))
        for one, two, places in ((softmax, relu, below), (relu, softmax, above))
    )
    return inequality(
        "ReLU is faster than softmax beyond g_x", "derived", hypotheses, float(min(slower.min(), faster.min())), 1.0
    )


def check_softmax_times(tokens: int, dimension: int, *, beta: float, end: float = 0.99) -> StatementCheck:
    """Check that from nearly orthogonal tokens ReLU weights cluster earlier than softmax ones (derived).

    One head of strength 1, from g_0 = d^(-1/2), by the whole equation. The statement is proven where ReLU is faster all
    the way, and can hold elsewhere.

    Parameters
    ----------
    tokens, dimension : int
        The numbers n and d.
    beta : float
        The inverse temperature; the hypothesis is that g_0 is at least `relu_crossover`.
    end : float, optional
        The cosine at which tokens count as clustered.
    """
    start = whole("dimension", dimension) ** -0.5
    relu, softmax = (
        clustering_time(EquiangularFlow((1.0,), tokens, kind, beta), start, end) for kind in (KINKED, Exponential())
    )
    hypotheses = {"g_x <= g_0 = d^(-1/2) < end": relu_crossover(tokens, beta) <= start < end}
    return inequality("ReLU clusters earlier than softmax", "derived", hypotheses, softmax - relu, softmax)


def check_clustering_times(tokens: int, dimension: int, *, end: float = 0.5) -> StatementCheck:
    """Check that from nearly orthogonal tokens ReLU weights cluster more slowly than exponential ones, by the
    linearised and the whole times.

    One head of strength 1 and beta 1, from g_0 = d^(-1/2). P for the linearised orders n ln d and n; the whole times
    are derived.

    Parameters
    ----------
    tokens, dimension : int
        The numbers n and d.
    end : float, optional
        The cosine at which tokens count as clustered.
    """
    start = whole("dimension", dimension) ** -0.5
    flows = [EquiangularFlow((1.0,), tokens, kind) for kind in (KINKED, Unnormalized(Exponential()))]
    times = [[time(flow, start, end) for time in (linearised_clustering_time, clustering_time)] for flow in flows]
    margin = min(relu - exponential for relu, exponential in zip(*times, strict=True))
    hypotheses = {"g_0 = d^(-1/2) < end": start < end}
    return inequality("ReLU clusters more slowly than exp", "P; whole times derived", hypotheses, margin, max(times[0]))


def check_equiangular_reduction(flow: EquiangularFlow, start: float, until: float) -> StatementCheck:
    """Check the scalar equation against the flow of all n tokens in dimension n (derived).

    Parameters
    ----------
    flow : EquiangularFlow
        Scalar heads.
    start : float
        The common cosine at time 0.
    until : float
        The time at which both are compared.
    """
    n = flow.tokens
    trajectory = integrate(flow.full, equiangular_tokens(n, n, start), until=until, samples=2)
    gram = trajectory.final.T @ trajectory.final
    others = gram[~np.eye(n, dtype=bool)]
    return identity(
        "scalar equation = flow of n tokens", "derived", {}, others, cosine_at(flow, start, [until])[0], ODE, scale=1.0
    )


def check_dominance_threshold(tokens: int, heads: int, *, cosine: float = 0.0) -> StatementCheck:
    """Check that the margin of radial dominance is zero at `radial_dominance_threshold`, positive below and negative
    above (derived).

    Parameters
    ----------
    tokens, heads : int
        The numbers n and H >= 2.
    cosine : float, optional
        The common cosine g; 0 unless given.
    """
    beta = radial_dominance_threshold(tokens, heads, cosine=cosine)
    hypotheses = {"a positive threshold": 0 < beta < math.inf}
    if not all(hypotheses.values()):
        return inequality("dominance ends at beta_c", "derived", hypotheses, math.nan, 1.0)
    margins = [
        float(verbs.radial_dominance(EquiangularFlow((1.0,) * heads, tokens, beta=factor * beta), cosine)[0])
        for factor in (0.999, 1.001)
    ]
    return inequality(
        "dominance ends at beta_c", "derived", hypotheses, min(margins[0], -margins[1]), max(map(abs, margins))
    )


def check_fastest_strength(tokens: int, *, cosine: float = 0.0) -> StatementCheck:
    """Check that at `fastest_softmax_temperature` weaker and stronger heads cluster more slowly (derived).

    Parameters
    ----------
    tokens : int
        The number n.
    cosine : float, optional
        The common cosine g; 0 unless given.
    """
    beta = fastest_softmax_temperature(tokens, cosine=cosine)
    weaker, best, stronger = (
        float(verbs.velocity(EquiangularFlow((strength,), tokens, Exponential(), beta), cosine))
        for strength in (0.99, 1.0, 1.01)
    )
    return inequality("softmax rate is largest at 1 + W((n-1)/e)", "derived", {}, best - max(weaker, stronger), best)


def check_goldilocks_zone(tokens: int, *, share: float = 0.5, cosine: float = 0.0) -> StatementCheck:
    """Check that a softmax head clusters at no less than a share of the largest rate exactly between both ends of
    `goldilocks_zone`: heads that are weaker or stronger are slower (derived).

    Parameters
    ----------
    tokens : int
        The number n.
    share : float, optional
        Of the largest rate.
    cosine : float, optional
        The common cosine g; 0 unless given. The hypothesis is that it is between both ends.
    """
    low, high = goldilocks_zone(tokens, share=share)
    statement = "softmax rate >= share of the largest, in one zone"
    hypotheses = {"between the ends": -1.0 / (tokens - 1) < cosine < 1.0}
    if not all(hypotheses.values()):
        return inequality(statement, "derived", hypotheses, math.nan, 1.0)

    def rates(products: np.ndarray) -> np.ndarray:
        flows = (EquiangularFlow((float(b) / (1.0 - cosine),), tokens, Exponential()) for b in products)
        return np.array([float(verbs.velocity(flow, cosine)) for flow in flows])

    least = share * rates(np.array([fastest_softmax_temperature(tokens)]))[0]
    inside = rates(low + np.linspace(0.001, 0.999, 40) * (high - low))
    outside = rates(np.append(np.linspace(0.05, 0.999, 20) * low, np.linspace(1.001, 3.0, 20) * high))
    return inequality(
        statement, "derived", hypotheses, float(min((inside - least).min(), (least - outside).min()) / least), 1.0
    )


def check_unit_shadow_bound(heads: int) -> StatementCheck:
    """Check that a unit output with the shadow s is dominant over H - 1 unit shadows exactly up to `unit_shadow_bound`:
    s^2 + (H-1) s = 1 (derived).

    Parameters
    ----------
    heads : int
        The number H.
    """
    s = unit_shadow_bound(heads)
    return identity(
        "1 - s^2 = (H-1) s at the inverse metallic mean",
        "derived",
        {},
        np.array((heads - 1) * s),
        np.array(1.0 - s * s),
        scale=1.0,
    )
