r"""The powers of the entries of a row of softmax attention, in the mean, for any number of tokens.

With :math:`w_j = e^{\beta S_j}`, their sum W and :math:`W^{-q} = \int_0^\infty \frac{s^{q - 1}}{(q - 1)!} e^{-s W} ds`,

.. math:: E \sum_j A_j^q = n \int_0^\infty \frac{s^{q - 1}}{(q - 1)!} \, E(w^q e^{-s w}) \, (E \, e^{-s w})^{n - 1} ds ,

if the n scores are independent N(0, 1): an integral of the Laplace transform of the log-normal law. Given the query
they are, up to its length, whose square is of the law of chi^2 divided by the key dimension.
"""

from __future__ import annotations

from math import factorial
from typing import Any

import numpy as np

from algatt.arguments import whole
from algatt.errors import InvalidArgument
from algatt.spectra.laws import checked_number

STEP, LOGARITHMIC_STEP = 0.04, 0.2
"""Of the trapezoidal rules for the scores and for log s, whose errors are less than 1e-12."""

REACH = 11.0
"""Deviations of a score that count."""

LENGTHS = 9
"""Nodes for the length of a query."""

LARGEST_BETA = 8.0
"""Beyond, the mean is that of the largest score alone."""


def expected_power_sum(beta: float, tokens: Any, *, order: int = 2, key_dim: int | None = None) -> Any:
    r"""Return :math:`E \sum_j A_j^q` of a row of softmax attention that sees some number of tokens (derived here).

    The mean of the squared singular values of :math:`\sqrt l A_\perp` is l times that of order 2, minus 1, exactly:
    about :math:`e^{\beta^2} - 1` for many tokens, and less for few, as no entry exceeds 1.

    Parameters
    ----------
    beta : float
        The inverse temperature, at most 8.
    tokens : int or array of int
        How many the row sees, >= 1.
    order : int, optional
        q, which is 2, 3 or 4.
    key_dim : int, optional
        The width of queries and keys; unless given, scores are independent N(0, 1).

    Returns
    -------
    float or numpy.ndarray
        Numerical, to 1e-10, and with a key dimension of 10 or more to 1e-6. Cost: milliseconds.

    Raises
    ------
    InvalidArgument
        If a number is out of its range.

    Examples
    --------
    >>> from algatt.spectra import expected_power_sum
    >>> [round(float(n * expected_power_sum(1.0, n) - 1), 4) for n in (100, 2000, 10**6)]
    [1.5538, 1.7081, 1.7183]
    """
    b, q = checked_number("beta", beta, positive=False), whole("order", order)
    if b > LARGEST_BETA:
        raise InvalidArgument("beta", f"{b:g}", f"at most {LARGEST_BETA:g}")
    if not 2 <= q <= 4:
        raise InvalidArgument("order", f"{q}", "2, 3 or 4")
    counts = np.array(tokens)
    if counts.dtype.kind not in "iu" or (counts < 1).any():
        raise InvalidArgument("tokens", f"{tokens!r}", "integers >= 1")
    flat = counts.ravel().astype(np.float64)
    if key_dim is None:
        squares, weights = np.ones(1), np.ones(1)
    else:
        squares, weights = squared_lengths(whole("key_dim", key_dim))
    sums = [of_independent_scores(b * float(np.sqrt(square)), flat, q) for square in squares]
    return (weights @ np.array(sums)).reshape(counts.shape)[()]


def squared_lengths(width: int) -> tuple[np.ndarray, np.ndarray]:
    """Return squared lengths of a query, of mean 1, with their weights: quantiles at the nodes of Gauss and Hermite."""
    from scipy.special import gammaincinv, ndtr

    nodes, weights = np.polynomial.hermite_e.hermegauss(LENGTHS)
    return gammaincinv(width / 2, ndtr(nodes)) * (2 / width), weights / weights.sum()


def of_independent_scores(beta: float, counts: np.ndarray, order: int) -> np.ndarray:
    """Return the means for scores that are independent N(0, 1)."""
    scores = np.arange(-REACH, REACH + order * beta, STEP)
    probabilities = np.exp(-(scores**2) / 2) * (STEP / np.sqrt(2 * np.pi))
    least = -np.log(counts.max()) - REACH * beta - 15.0
    logarithms = np.add.outer(np.arange(least, REACH * beta + 5.0, LOGARITHMIC_STEP), beta * scores)  # of s w
    logarithms = np.minimum(logarithms, 7.0)  # exp(-exp(7)) is zero
    products = np.exp(logarithms)
    own = np.exp(order * logarithms - products) @ probabilities / factorial(order - 1)
    others = np.log(np.maximum(np.exp(-products) @ probabilities, 1e-300))
    means: np.ndarray = counts * (np.exp(np.multiply.outer(counts - 1, others)) @ own) * LOGARITHMIC_STEP
    return means
