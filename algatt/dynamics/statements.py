"""The statements about the flow as checks: the hypotheses and the conclusion, at tokens that are given.

Each check returns a `StatementCheck`. What is marked derived was worked out for this package and is no statement of the paper.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures.base import whole
from algatt.dynamics.attention import AttentionWeights, ExponentialWeights, ReLUWeights, SoftmaxWeights
from algatt.dynamics.equiangular import EquiangularFlow, clustering_time, cosine_at, linearised_clustering_time
from algatt.dynamics.flow import Flow, SphereFlow, checked_tokens
from algatt.dynamics.heads import ROUNDING, ProjectorHead, ScalarHead
from algatt.dynamics.shadow import shadows
from algatt.dynamics.thresholds import fastest_softmax_temperature, radial_dominance_threshold, unit_shadow_bound
from algatt.dynamics.tokens import equiangular_tokens, lengths, normalised

__all__ = [
    "StatementCheck",
    "check_approximate_orthogonality",
    "check_clustering_times",
    "check_dominance_threshold",
    "check_energy_rate",
    "check_entropy_rate",
    "check_equiangular_entropy",
    "check_equiangular_reduction",
    "check_falling_entropy",
    "check_falling_head_energy",
    "check_falling_softmax_energy",
    "check_fastest_strength",
    "check_head_energy_rates",
    "check_radial_dominance",
    "check_super_additivity",
    "check_total_energy_rate",
    "check_unit_shadow_bound",
]

IDENTITY = 1e-10
"""The relative error up to which the two sides of an identity count as equal."""

ODE = 1e-8
"""The difference up to which two integrations count as equal."""

DERIVATIVE = 1e-6
"""The relative error up to which a derivative and a quotient of differences count as equal."""

DIFFERENCE = 1e-3
"""The step of central differences of the fourth order, whose error at numbers of order 1 is about 10^-12."""


@dataclass(frozen=True)
class StatementCheck:
    """What came out when a statement was checked at some tokens. Numerical.

    Parameters
    ----------
    statement : str
        What is claimed.
    source : str
        "P" for the paper, or "derived".
    hypotheses : tuple of (str, bool)
        What is assumed, and whether it holds here.
    error : float or None
        Of an identity, the relative difference of its two sides.
    margin : float or None
        Of an inequality, by how much it holds.
    holds : bool or None
        Whether the conclusion does; None if it is not asked, as a hypothesis fails, or if rounding decides.
    """

    statement: str
    source: str
    hypotheses: tuple[tuple[str, bool], ...]
    error: float | None
    margin: float | None
    holds: bool | None

    @property
    def applies(self) -> bool:
        """Whether all hypotheses hold."""
        return all(held for _, held in self.hypotheses)

    @property
    def verdict(self) -> str:
        """The outcome in words."""
        if not self.applies:
            return "does not apply"
        return {True: "holds", False: "fails", None: "undecided"}[self.holds]


def identity(
    statement: str,
    source: str,
    hypotheses: dict[str, bool],
    left: Any,
    right: Any,
    tolerance: float = IDENTITY,
    *,
    scale: float | None = None,
    rounding: float = 0.0,
) -> StatementCheck:
    """Return the check of an identity, undecided if its sides differ by no more than rounding, but by more than the tolerance.

    Its error is relative to the largest entry of the right side, unless a scale is given.
    """
    size = float(np.abs(right).max()) if scale is None else scale
    difference = float(np.abs(left - right).max())
    error = difference / (size or 1.0)
    decided = all(hypotheses.values()) and (error <= tolerance or not difference <= rounding)
    return StatementCheck(statement, source, tuple(hypotheses.items()), error, None, error <= tolerance if decided else None)


def inequality(statement: str, source: str, hypotheses: dict[str, bool], margin: float, scale: float) -> StatementCheck:
    """Return the check of an inequality margin >= 0 between numbers of a given size, undecided within their rounding."""
    decided = all(hypotheses.values()) and abs(margin) > ROUNDING * scale
    return StatementCheck(statement, source, tuple(hypotheses.items()), None, margin, margin > 0 if decided else None)


def structure(flow: Flow) -> dict[str, bool]:
    """Return the hypotheses under which the flow is the gradient flow of its energy."""
    return {
        "score symmetry": all(head.symmetric for head in flow.heads),
        "value alignment": all(head.aligned for head in flow.heads),
        "weights not normalised": not flow.weights.normalised,
    }


def rate_scale(outputs: np.ndarray) -> float:
    """Return n^-3 sum |f|^2 over all heads, beside which rates are rounding errors if they are much smaller: where tokens are nearly at rest."""
    return float(np.square(outputs).sum()) / outputs.shape[-1] ** 3


def differences(flow: Flow, tokens: np.ndarray, verb: Any) -> tuple[np.ndarray, float]:
    """Return the derivative of a verb along the flow by central differences, and a bound of their rounding errors."""
    velocity = verbs.velocity(flow, tokens)
    step = DIFFERENCE / (1.0 + float(np.abs(velocity).max()))
    moved = {k: verb(flow, curve(flow, tokens, k * step * velocity)) for k in (-2, -1, 1, 2)}
    slopes = (8.0 * (moved[1] - moved[-1]) - (moved[2] - moved[-2])) / (12.0 * step)
    return slopes, 1e-14 * (1.0 + float(np.abs(moved[1]).max())) / step


def curve(flow: Flow, tokens: np.ndarray, change: np.ndarray) -> np.ndarray:
    """Return tokens moved along a tangent vector, on the sphere if that is where they are."""
    moved = tokens + change
    return moved / lengths(moved) if isinstance(flow, SphereFlow) else moved


def orthogonal(flow: Flow, dimension: int) -> bool:
    """Say whether M_h M_h' = 0 for all pairs of heads, up to rounding."""
    matrices = [head.matrices(dimension)[0] for head in flow.heads]
    sizes = [float(np.abs(M).max()) for M in matrices]
    pairs = [(h, k) for h in range(len(matrices)) for k in range(len(matrices)) if h != k]
    return all(np.abs(matrices[h] @ matrices[k]).max() <= ROUNDING * dimension * sizes[h] * sizes[k] for h, k in pairs)


def check_total_energy_rate(flow: Flow, tokens: Any) -> StatementCheck:
    r"""Check that the total energy grows by :math:`\frac{1}{n} \sum_i |x_i'|^2`; P for exponential weights, the rate derived.

    Parameters
    ----------
    flow : Flow
        Hypotheses: score symmetry, value alignment, weights that are not normalised.
    tokens : numpy.ndarray
        Shape (d, n).

    Examples
    --------
    >>> import algatt
    >>> from algatt.dynamics.statements import check_total_energy_rate
    >>> flow = algatt.SphereFlow((algatt.ScalarHead(1.0), algatt.ScalarHead(0.5)))
    >>> check_total_energy_rate(flow, algatt.dynamics.random_tokens(10, 3)).verdict
    'holds'
    """
    X = checked_tokens(flow, tokens)
    speed = np.square(verbs.velocity(flow, X)).sum() / X.shape[1]
    source = "P; rate derived" if flow.weights == ExponentialWeights() else "derived"
    rounding = ROUNDING * rate_scale(verbs.head_outputs(flow, X))
    return identity("dE/dt = (1/n) sum |x_i'|^2 >= 0", source, structure(flow), verbs.energy_rate(flow, X).sum(), speed, rounding=rounding)


def check_energy_rate(flow: Flow, tokens: Any) -> StatementCheck:
    r"""Check dE_h/dt = sum <grad_i E_h, x_i'> against central differences of the energies along the velocity (derived).

    Parameters
    ----------
    flow : Flow
        Any heads. Hypothesis: weights without kinks, so not ReLU, at whose kinks differences are no derivatives.
    tokens : numpy.ndarray
        Shape (d, n).
    """
    X = checked_tokens(flow, tokens)
    slopes, rounding = differences(flow, X, verbs.energy)
    smooth = {"weights without kinks": not isinstance(flow.weights, ReLUWeights)}
    return identity("dE_h/dt = sum <grad E_h, x_i'>", "derived", smooth, slopes, verbs.energy_rate(flow, X), DERIVATIVE, rounding=rounding)


def check_head_energy_rates(flow: Flow, tokens: Any) -> StatementCheck:
    r"""Check the rate of each head's energy by outputs and shadows (derived).

    On the sphere it is :math:`n^{-3} \sum_i [|P f_i^h|^2 - s_i^h \sum_{h' \ne h} s_i^{h'}]`, in the flat space :math:`n^{-3} \sum_i |f_i^h|^2`.

    Parameters
    ----------
    flow : Flow
        Hypotheses: those of `check_total_energy_rate`, and orthogonal heads.
    tokens : numpy.ndarray
        Shape (d, n).
    """
    X = checked_tokens(flow, tokens)
    outputs = verbs.head_outputs(flow, X)
    count = X.shape[1]
    squares = np.square(outputs).sum(axis=1)
    if isinstance(flow, SphereFlow):
        s = shadows(X, outputs)
        squares = squares - s * s.sum(axis=0)
    hypotheses = {**structure(flow), "orthogonal heads": orthogonal(flow, X.shape[0])}
    by_outputs, rates = squares.sum(axis=1) / count**3, verbs.energy_rate(flow, X)
    return identity("dE_h/dt by |P f|^2 and shadows", "derived", hypotheses, by_outputs, rates, scale=rate_scale(outputs))


def check_radial_dominance(flow: SphereFlow, tokens: Any) -> StatementCheck:
    """Check that the energies of radially dominant heads do not fall (P; this form of dominance derived).

    Parameters
    ----------
    flow : SphereFlow
        Hypotheses: those of `check_head_energy_rates`, and at least one head with no negative margin.
    tokens : numpy.ndarray
        Shape (d, n). The margin of the check is the least rate of a dominant head.
    """
    X = checked_tokens(flow, tokens)
    dominant = (verbs.radial_dominance(flow, X) >= 0).all(axis=1)
    rates = verbs.energy_rate(flow, X)
    hypotheses = {**structure(flow), "orthogonal heads": orthogonal(flow, X.shape[0]), "a dominant head": bool(dominant.any())}
    margin = float(rates[dominant].min()) if dominant.any() else math.nan
    scale = rate_scale(verbs.head_outputs(flow, X))
    return inequality("radially dominant heads have dE_h/dt >= 0", "P; form derived", hypotheses, margin, scale)


def check_falling_head_energy(first: float, second: float, angle: float, *, beta: float = 1.0) -> StatementCheck:
    """Check that of two orthogonal heads at one token exactly one loses energy (derived).

    The heads are first * e_1 e_1^T and second * e_2 e_2^T, the token is (cos angle, sin angle). With a = cos^2 and weights w the rates are
    w_1 l_1 a (1 - a) (w_1 l_1 - w_2 l_2) and the same with the heads exchanged, so they have opposite signs if the strengths have equal ones. Where
    w_1 l_1 = w_2 l_2 none does, and the check is undecided.

    Parameters
    ----------
    first, second : float
        The strengths, both positive.
    angle : float
        Of the token in the plane of e_1 and e_2; not on an axis. A third dimension would spoil the statement.
    beta : float, optional
        The inverse temperature; 1 unless given.
    """
    plane = np.eye(2)
    flow = SphereFlow((ProjectorHead(plane[:, :1], first), ProjectorHead(plane[:, 1:], second)), ExponentialWeights(), beta)
    token = np.array([[math.cos(angle)], [math.sin(angle)]])
    X = normalised(token)
    rates, scale = verbs.energy_rate(flow, X), rate_scale(verbs.head_outputs(flow, X))
    hypotheses = {"positive strengths": first > 0 and second > 0, "token on no axis": bool((np.abs(token) > ROUNDING).all())}
    margin = float(min(rates.max(), -rates.min()))
    return inequality("one of two orthogonal heads loses energy", "P; example derived", hypotheses, margin, scale)


def check_falling_softmax_energy() -> StatementCheck:
    """Check that two orthogonal softmax heads lose total energy at the tokens at 10 and 90 degrees on the circle (derived).

    The heads are e_1 e_1^T and e_2 e_2^T, beta is 4. So the total energy need not grow where the weights are normalised.
    """
    angles = np.radians([10.0, 90.0])
    plane = np.eye(2)
    flow = SphereFlow((ProjectorHead(plane[:, :1]), ProjectorHead(plane[:, 1:])), SoftmaxWeights(), 4.0)
    rates = verbs.energy_rate(flow, normalised(np.stack([np.cos(angles), np.sin(angles)])))
    return inequality("two softmax heads can lose total energy", "derived", {}, -float(rates.sum()), float(np.abs(rates).max()))


def check_approximate_orthogonality(flow: SphereFlow, tokens: Any) -> StatementCheck:
    r"""Check how much of its rate a head can lose to heads that are nearly orthogonal (P; the bound is derived).

    If :math:`|\langle f_i^h, f_i^{h'} \rangle| \le \varepsilon |f_i^h| |f_i^{h'}|`, the rate is at least
    :math:`n^{-3} \sum_i [|P f_i^h|^2 - \sum_{h' \ne h} (|s_i^h| |s_i^{h'}| + \varepsilon |f_i^h| |f_i^{h'}|)]`. The check takes the least
    :math:`\varepsilon` at these tokens.

    Parameters
    ----------
    flow : SphereFlow
        Hypotheses: those of `check_total_energy_rate`; at least two heads.
    tokens : numpy.ndarray
        Shape (d, n). The margin of the check is the least difference of rate and bound.
    """
    X = checked_tokens(flow, tokens)
    outputs = verbs.head_outputs(flow, X)
    sizes = np.sqrt(np.square(outputs).sum(axis=1))
    products = np.stack([(outputs * other).sum(axis=1) for other in outputs])
    pairs = np.stack([sizes * other for other in sizes])
    for h in range(len(outputs)):
        products[h, h] = pairs[h, h] = 0.0
    epsilon = float(np.divide(np.abs(products), pairs, out=np.zeros_like(pairs), where=pairs > 0).max())
    rates = verbs.energy_rate(flow, X)
    bounds = (verbs.radial_dominance(flow, X) - epsilon * pairs.sum(axis=1)).sum(axis=1) / X.shape[1] ** 3
    hypotheses = {**structure(flow), "two heads": len(flow.heads) > 1}
    return inequality("rate >= dominance - eps |f||f'|", "P; bound derived", hypotheses, float((rates - bounds).min()), rate_scale(outputs))


def check_super_additivity(
    strengths: Sequence[float], tokens: int, cosine: float, *, weights: AttentionWeights | None = None, beta: float = 1.0
) -> StatementCheck:
    """Check that heads of unequal strengths cluster at least as fast as equal heads of the same mean.

    It follows for exponential weights from the convexity of l -> l exp(beta l g) for l, g >= 0 (P), and can fail for softmax weights (derived).

    Parameters
    ----------
    strengths : sequence of float
        Not negative, and not all equal.
    tokens : int
        The number n.
    cosine : float
        The common cosine g; the hypothesis is g > 0.
    weights : AttentionWeights, optional
        `ExponentialWeights` unless given.
    beta : float, optional
        The inverse temperature; 1 unless given.
    """
    kind = ExponentialWeights() if weights is None else weights
    unequal = EquiangularFlow(tuple(strengths), tokens, kind, beta)
    mean = math.fsum(strengths) / len(strengths)
    equal = EquiangularFlow((mean,) * len(strengths), tokens, kind, beta)
    fast, slow = float(verbs.velocity(unequal, cosine)), float(verbs.velocity(equal, cosine))
    hypotheses = {"strengths >= 0, not all equal": 0 <= min(strengths) < max(strengths), "g > 0": cosine > 0}
    source = "P" if kind == ExponentialWeights() else "derived"
    return inequality("unequal heads cluster faster", source, hypotheses, fast - slow, max(abs(fast), abs(slow)))


def check_clustering_times(tokens: int, dimension: int, *, end: float = 0.5) -> StatementCheck:
    """Check that from nearly orthogonal tokens ReLU weights cluster more slowly than exponential ones, by the linearised and the whole times.

    One head of strength 1 and beta 1, from g_0 = d^(-1/2). P for the linearised orders n ln d and n; the whole times are derived.

    Parameters
    ----------
    tokens, dimension : int
        The numbers n and d.
    end : float, optional
        The cosine at which tokens count as clustered.
    """
    start = whole("dimension", dimension) ** -0.5
    flows = [EquiangularFlow((1.0,), tokens, kind) for kind in (ReLUWeights(), ExponentialWeights())]
    times = [[time(flow, start, end) for time in (linearised_clustering_time, clustering_time)] for flow in flows]
    margin = min(relu - exponential for relu, exponential in zip(*times, strict=True))
    hypotheses = {"g_0 = d^(-1/2) < end": start < end}
    return inequality("ReLU clusters more slowly than exp", "P; whole times derived", hypotheses, margin, max(times[0]))


def check_entropy_rate(flow: Flow, tokens: Any) -> StatementCheck:
    """Check dS_i/dt = -beta^2 Cov(s, ds/dt) against central differences of the entropy along the velocity (derived).

    Parameters
    ----------
    flow : Flow
        Any heads and weights.
    tokens : numpy.ndarray
        Shape (d, n).
    """
    X = checked_tokens(flow, tokens)
    slopes, rounding = differences(flow, X, verbs.entropy)
    return identity("dS_i/dt = -beta^2 Cov(s, ds/dt)", "derived", {}, slopes, verbs.entropy_rate(flow, X), DERIVATIVE, rounding=rounding)


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
    return inequality("equiangular tokens: dS/dt >= 0", "P", hypotheses, margin, (flow.beta * float(strengths.max())) ** 2 * abs(speed))


def check_falling_entropy(*, weights: AttentionWeights | None = None) -> StatementCheck:
    """Check that at three tokens on the circle, at 0, 30 and 180 degrees, all three entropies fall (derived).

    One head of strength 1 and beta 1. So the monotone entropy of equiangular tokens is no general law.

    Parameters
    ----------
    weights : AttentionWeights, optional
        `ExponentialWeights` unless given.
    """
    angles = np.radians([0.0, 30.0, 180.0])
    flow = SphereFlow((ScalarHead(1.0),), ExponentialWeights() if weights is None else weights)
    rates = verbs.entropy_rate(flow, normalised(np.stack([np.cos(angles), np.sin(angles)])))
    return inequality("tokens at 0, 30, 180 degrees: dS_i/dt < 0", "derived", {}, float(-rates.max()), float(np.abs(rates).max()))


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
    trajectory = verbs.integrate(flow.full, equiangular_tokens(n, n, start), until=until, samples=2)
    gram = trajectory.final.T @ trajectory.final
    others = gram[~np.eye(n, dtype=bool)]
    return identity("scalar equation = flow of n tokens", "derived", {}, others, cosine_at(flow, start, [until])[0], ODE, scale=1.0)


def check_dominance_threshold(tokens: int, heads: int, *, cosine: float = 0.0) -> StatementCheck:
    """Check that the margin of radial dominance is zero at `radial_dominance_threshold`, positive below and negative above (derived).

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
    margins = [float(verbs.radial_dominance(EquiangularFlow((1.0,) * heads, tokens, beta=factor * beta), cosine)[0]) for factor in (0.999, 1.001)]
    return inequality("dominance ends at beta_c", "derived", hypotheses, min(margins[0], -margins[1]), max(map(abs, margins)))


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
        float(verbs.velocity(EquiangularFlow((strength,), tokens, SoftmaxWeights(), beta), cosine)) for strength in (0.99, 1.0, 1.01)
    )
    return inequality("softmax rate is largest at 1 + W((n-1)/e)", "derived", {}, best - max(weaker, stronger), best)


def check_unit_shadow_bound(heads: int) -> StatementCheck:
    """Check that a unit output with the shadow s is dominant over H - 1 unit shadows exactly up to `unit_shadow_bound`: s^2 + (H-1) s = 1 (derived).

    Parameters
    ----------
    heads : int
        The number H.
    """
    s = unit_shadow_bound(heads)
    return identity("1 - s^2 = (H-1) s at the inverse metallic mean", "derived", {}, np.array((heads - 1) * s), np.array(1.0 - s * s), scale=1.0)
