"""Scalar heads and tokens with one common cosine g: the flow on the sphere reduces to one equation for g (derived).

The equation is g' = 2 b(g) (1 - g) (1 + (n - 1) g), with b the sum over the heads of the strength times the weight of
another token. In the coordinate u = ln((1 + (n - 1) g) / (1 - g)) it is u' = 2 n b, which has no singular ends, so it
is u that is integrated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import finite_number
from algatt.dynamics.flow import SphereFlow
from algatt.dynamics.heads import ROUNDING, ScalarHead, float_count
from algatt.dynamics.velocity import overflow
from algatt.dynamics.weights import KINKED
from algatt.errors import InvalidArgument
from algatt.layers import Activation, Exponential, Unnormalized

__all__ = ["EquiangularFlow", "clustering_time", "cosine_at", "linearised_clustering_time"]

TOLERANCE = 1e-12
"""Relative tolerance of the solutions of the scalar equation."""

Cosines = float | int | np.ndarray | np.floating


@dataclass(frozen=True)
class EquiangularFlow:
    """The flow of n tokens with <x_i, x_j> = g for all i != j, on the sphere and under scalar heads (derived): the
    state is the number g.

    The verbs `velocity`, `energy`, `radial_shadow`, `radial_dominance`, `entropy` and `entropy_rate` take it with a
    cosine, by closed formulas.

    Parameters
    ----------
    strengths : sequence of float
        The strengths lambda_h of the heads.
    tokens : int
        The number n of tokens, at least 2.
    weights : Exponential or Unnormalized, optional
        As for `Flow`: ``Unnormalized(Exponential())`` unless given.
    beta : float, optional
        The inverse temperature; 1 unless given.

    Raises
    ------
    InvalidArgument
        If an argument is out of range.

    Examples
    --------
    >>> import algatt
    >>> flow = algatt.dynamics.EquiangularFlow((1.0, 0.5), tokens=8, beta=2.0)
    >>> float(algatt.dynamics.velocity(flow, 0.0))  # 2 (1 + 0.5) / n
    0.375
    """

    strengths: tuple[float, ...]
    tokens: int
    weights: Activation | Unnormalized = field(default_factory=lambda: Unnormalized(Exponential()))
    beta: float = 1.0

    def __post_init__(self) -> None:
        if not isinstance(self.strengths, Sequence) or not self.strengths:
            raise InvalidArgument("strengths", repr(self.strengths), "a sequence of at least one number")
        strengths = tuple(
            finite_number(f"strengths[{number}]", strength) for number, strength in enumerate(self.strengths)
        )
        full = SphereFlow(tuple(map(ScalarHead, strengths)), self.weights, self.beta)
        object.__setattr__(self, "strengths", strengths)
        object.__setattr__(self, "tokens", float_count("tokens", self.tokens, 2))
        object.__setattr__(self, "beta", full.beta)

    @property
    def inverse_temperature(self) -> float:
        """The factor of scores in exponentials: beta divided by the temperature of the weights."""
        return self.beta / float(verbs.temperature(self.weights))

    @property
    def full(self) -> SphereFlow:
        """The flow of the tokens themselves."""
        return SphereFlow(tuple(map(ScalarHead, self.strengths)), self.weights, self.beta)


def checked_cosines(flow: EquiangularFlow, cosine: Any) -> np.ndarray:
    """Return cosines as an array, or raise `InvalidArgument` if no tokens have them."""
    given = np.array(cosine)
    if given.dtype.kind not in "iuf":
        raise InvalidArgument("cosine", f"of the type {given.dtype}", "a real number, or an array of real numbers")
    g = given.astype(np.float64)
    least = -1.0 / (flow.tokens - 1)
    if not ((g >= least - ROUNDING) & (g <= 1.0)).all():
        raise InvalidArgument("cosine", f"{cosine!r}", f"from {least:g} to 1, as of {flow.tokens} unit vectors")
    return np.array(np.maximum(g, least))


def finite(flow: EquiangularFlow, numbers: np.ndarray) -> np.ndarray:
    """Return numbers, or raise `InvalidArgument` if they overflowed."""
    if not np.isfinite(numbers).all():
        raise overflow(flow.weights, flow.beta)
    return numbers


def strengths_of(flow: EquiangularFlow, cosine: np.ndarray) -> np.ndarray:
    """Return the strengths in a shape that goes with an array of cosines."""
    return np.array(flow.strengths).reshape(-1, *[1] * cosine.ndim)


def pair_weights(flow: EquiangularFlow, cosine: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each head's weight of a token on itself and on each other one, or raise `InvalidArgument` if they
    overflow.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        own, other = verbs.equiangular_weights(
            flow.weights, flow.beta * strengths_of(flow, cosine), cosine, tokens=flow.tokens
        )
    return finite(flow, own), finite(flow, other)


def attraction(flow: EquiangularFlow, cosine: np.ndarray) -> np.ndarray:
    """Return b, the weighted strength with which each other token attracts, with the 1/n."""
    _, other = pair_weights(flow, cosine)
    total = (strengths_of(flow, cosine) * other).sum(axis=0)
    return total if verbs.is_normalised(flow.weights) else total / flow.tokens


def spread(flow: EquiangularFlow, cosine: np.ndarray) -> np.ndarray:
    """Return (1 - g) (1 + (n - 1) g), which vanishes at both ends."""
    return (1.0 - cosine) * (1.0 + (flow.tokens - 1) * cosine)


@verbs.velocity.method
def velocity_of_cosine(flow: EquiangularFlow, cosine: Cosines) -> Any:
    g = checked_cosines(flow, cosine)
    return 2.0 * attraction(flow, g) * spread(flow, g)


@verbs.energy.method
def energy_of_cosine(flow: EquiangularFlow, cosine: Cosines) -> np.ndarray:
    g = checked_cosines(flow, cosine)
    exponents = flow.beta * strengths_of(flow, g)
    own, other = pair_potentials(flow, exponents, exponents * g)
    return (own + (flow.tokens - 1) * other) / (2.0 * flow.beta * flow.tokens)


def pair_potentials(flow: EquiangularFlow, own: np.ndarray, other: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return Phi of two arrays of scores times beta."""
    with np.errstate(over="ignore"):
        values = tuple(
            verbs.potential(flow.weights, scores.reshape(-1, 1).copy()).reshape(scores.shape) for scores in (own, other)
        )
    return tuple(finite(flow, value) for value in values)


@verbs.radial_shadow.method
def radial_shadow_of_cosine(flow: EquiangularFlow, cosine: Cosines) -> np.ndarray:
    g = checked_cosines(flow, cosine)
    own, other = pair_weights(flow, g)
    with np.errstate(over="ignore", invalid="ignore"):
        return finite(flow, strengths_of(flow, g) * (own + (flow.tokens - 1) * g * other))


@verbs.radial_dominance.method
def radial_dominance_of_cosine(flow: EquiangularFlow, cosine: Cosines) -> np.ndarray:
    g = checked_cosines(flow, cosine)
    _, other = pair_weights(flow, g)
    sizes = np.abs(verbs.radial_shadow(flow, g))
    with np.errstate(over="ignore", invalid="ignore"):
        others = np.stack([np.delete(sizes, h, axis=0).sum(axis=0) for h in range(len(sizes))])
        return finite(
            flow, np.square(strengths_of(flow, g) * other) * (flow.tokens - 1) * spread(flow, g) - sizes * others
        )


@verbs.entropy.method
def entropy_of_cosine(flow: EquiangularFlow, cosine: Cosines) -> np.ndarray:
    g = checked_cosines(flow, cosine)
    with np.errstate(over="ignore", invalid="ignore"):
        gap = flow.inverse_temperature * strengths_of(flow, g) * (1.0 - g)
        return finite(flow, np.logaddexp(gap, math.log(flow.tokens - 1)) - own_probability(flow, gap) * gap)


@verbs.entropy_rate.method
def entropy_rate_of_cosine(flow: EquiangularFlow, cosine: Cosines) -> np.ndarray:
    g = checked_cosines(flow, cosine)
    with np.errstate(over="ignore", invalid="ignore"):
        exponents = flow.inverse_temperature * strengths_of(flow, g)
        p = own_probability(flow, exponents * (1.0 - g))
        return finite(flow, np.square(exponents) * p * (1.0 - p) * (1.0 - g) * verbs.velocity(flow, g))


def own_probability(flow: EquiangularFlow, gap: np.ndarray) -> np.ndarray:
    """Return the softmax probability of a token itself, whose score times beta is larger by a gap than that of each
    other token.
    """
    return 1.0 / (1.0 + np.exp(np.minimum(math.log(flow.tokens - 1) - gap, 700.0)))


def stretched(flow: EquiangularFlow, cosine: float) -> float:
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
            [stretched(flow, g)],
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


def check_attractive(flow: EquiangularFlow, start: float, end: float) -> tuple[float, float]:
    """Return both cosines, or raise `InvalidArgument` unless the cosine grows from the one to the other."""
    first, last = inner_cosine(flow, "start", start), inner_cosine(flow, "end", end)
    if last < first:
        raise InvalidArgument("end", f"{last:g}", f"at least the start, {first:g}")
    if min(flow.strengths) < 0 or max(flow.strengths) == 0:
        raise InvalidArgument(
            "flow", f"of the strengths {flow.strengths}", "of strengths that are not negative, and not all zero"
        )
    if flow.weights == KINKED and first <= 0:
        raise InvalidArgument(
            "start", f"{first:g}", "larger than 0: with ReLU weights tokens at right angles do not attract each other"
        )
    return first, last


def clustering_time(flow: EquiangularFlow, start: float, end: float) -> float:
    """Return the time in which the common cosine grows from `start` to `end`, by quadrature of the whole scalar
    equation. Numerical, to 10^-10.

    Parameters
    ----------
    flow : EquiangularFlow
        Heads of strengths >= 0, not all zero.
    start, end : float
        Strictly between -1 / (n - 1) and 1; for ReLU weights larger than 0.

    Raises
    ------
    InvalidArgument
        If an argument is out of range.

    Examples
    --------
    >>> import algatt
    >>> from algatt.dynamics import clustering_time, linearised_clustering_time
    >>> flow = algatt.dynamics.EquiangularFlow((1.0,), tokens=100)
    >>> round(clustering_time(flow, 0.0, 0.5), 3), round(linearised_clustering_time(flow, 0.0, 0.5), 3)
    (2.023, 25.0)
    """
    from scipy.integrate import quad

    first, last = check_attractive(flow, start, end)
    with np.errstate(divide="ignore", over="ignore"):
        value, _ = quad(
            lambda u: 1.0 / attractive_rate(flow, np.array(u)),
            stretched(flow, first),
            stretched(flow, last),
            epsabs=0,
            epsrel=1e-11,
            limit=400,
        )
    return finite_time(flow, value)


def attractive_rate(flow: EquiangularFlow, u: np.ndarray) -> np.ndarray:
    """Return u', or raise `InvalidArgument` where tokens repel each other, as they can by weights of one's own."""
    rate = stretched_rate(flow, u)
    if rate < 0:
        raise repulsion(flow, float(cosine_of(flow, u)))
    return rate


def repulsion(flow: EquiangularFlow, cosine: float) -> InvalidArgument:
    """Return the refusal of weights by which tokens do not attract each other."""
    return InvalidArgument(
        "flow",
        f"of {flow.weights!r}, by which tokens of the cosine {cosine:g} do not attract each other",
        "of weights that are positive there",
    )


def linearised_clustering_time(flow: EquiangularFlow, start: float, end: float) -> float:
    r"""Return the same time by the leading term of the scalar equation at g = 0 alone (derived).

    Exponential weights: :math:`g' = \tfrac{2}{n} \sum_h \lambda_h`; softmax:
    :math:`g' = 2 \sum_h \lambda_h / (e^{\beta \lambda_h} + n - 1)`; ReLU:
    :math:`g' = \tfrac{2 \beta}{n} \sum_h \lambda_h^2 \, g`. The factor 1 + (n - 1) g of the whole equation is left out,
    which makes these times much too long for many tokens; see `clustering_time`.

    Parameters
    ----------
    flow : EquiangularFlow
        Heads of strengths >= 0, not all zero.
    start, end : float
        As for `clustering_time`.

    Raises
    ------
    InvalidArgument
        If an argument is out of range.
    """
    first, last = check_attractive(flow, start, end)
    if flow.weights == KINKED:
        return (
            flow.tokens * math.log(last / first) / (2.0 * flow.beta * sum(strength**2 for strength in flow.strengths))
        )
    rate = 2.0 * attraction(flow, np.array(0.0))
    if rate <= 0 and not verbs.is_normalised(flow.weights):  # those of softmax can underflow, and are no weights of 0
        raise repulsion(flow, 0.0)
    with np.errstate(divide="ignore", over="ignore"):
        return finite_time(flow, (last - first) / rate)


def finite_time(flow: EquiangularFlow, time: Any) -> float:
    """Return a time as a float, or raise `InvalidArgument` if it is infinite, as softmax weights underflow."""
    if not math.isfinite(time):
        raise InvalidArgument("beta", f"{flow.beta:g}, at which the time overflows float64", "smaller")
    return float(time)
