"""The time in which a common cosine grows from one value to another (derived)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from algatt import verbs
from algatt.dynamics.equiangular.flow import EquiangularFlow, attraction
from algatt.dynamics.equiangular.solution import cosine_of, inner_cosine, stretch, stretched_rate
from algatt.dynamics.weights import KINKED
from algatt.errors import InvalidArgument


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
            stretch(flow, first),
            stretch(flow, last),
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
