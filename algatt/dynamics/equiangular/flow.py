"""Scalar heads and tokens with one common cosine, and what they weigh each other by (derived)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import finite_number, whole
from algatt.dynamics.flow import SphereFlow
from algatt.dynamics.heads import ROUNDING, ScalarHead
from algatt.dynamics.velocity import overflow
from algatt.errors import InvalidArgument
from algatt.layers import Activation, Exponential, Unnormalized

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
        object.__setattr__(self, "tokens", whole("tokens", self.tokens, 2))
        object.__setattr__(self, "beta", full.beta)

    @property
    def inverse_temperature(self) -> float:
        """The factor of scores in exponentials: beta divided by the temperature of the weights."""
        return self.beta / float(verbs.temperature(self.weights))

    @property
    def full(self) -> SphereFlow:
        """The flow of the tokens themselves."""
        return SphereFlow(tuple(map(ScalarHead, self.strengths)), self.weights, self.beta)


def cosines(flow: EquiangularFlow, cosine: Any) -> np.ndarray:
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
