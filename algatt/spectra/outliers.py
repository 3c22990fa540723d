r"""Values beyond the edge that single large entries make (derived here).

An entry y of the matrix is a perturbation of rank one and norm abs(y). Where it is large, the rest of the matrix is
like a matrix without it, and by F. Benaych-Georges and R. R. Nadakuditi, arXiv 1103.2221, the perturbation makes a
singular value beyond the edge if its norm exceeds 1 / G(edge), where G is the Cauchy transform of the law of the
singular values with both signs; the value is where G is 1 / abs(y).
"""

from __future__ import annotations

import math

import numpy as np

from algatt.arguments import instance, whole
from algatt.spectra.ensembles import needed_tokens
from algatt.spectra.laws import checked_number, edge
from algatt.spectra.linear_law import AttentionLaw, SignalPlusNoise
from algatt.spectra.signal_equation import critical_squares, singular_value

LARGEST_LOGARITHM = 300.0
"""Of a number of tokens, which is searched for up to here."""


def outlier_threshold(law: SignalPlusNoise) -> float:
    r"""Return the square of an entry from which on it makes a value beyond the edge, :math:`\theta_1 y^2` at the edge
    (derived here).

    Here y is the inverse of the Cauchy transform for the law of mean 1, see `algatt.spectra.LinearLaw`. It is much less
    than the edge itself.

    Parameters
    ----------
    law : AttentionLaw or LinearLaw
        The limit law.

    Examples
    --------
    >>> import algatt
    >>> from algatt.spectra import outlier_threshold
    >>> law = algatt.spectra.AttentionLaw(beta=1)
    >>> round(outlier_threshold(law), 3), round(algatt.spectra.edge(law), 3)
    (3.354, 9.01)
    """
    instance("law", law, SignalPlusNoise, "an AttentionLaw or a LinearLaw")
    return float(law.mean * critical_squares(law)[0])


def predicted_outlier(law: SignalPlusNoise, square: float) -> float:
    r"""Return the largest squared singular value that a single entry of a given square makes: the edge up to
    `outlier_threshold`, and beyond it :math:`s^2` at the square of y (derived here).

    Parameters
    ----------
    law : AttentionLaw or LinearLaw
        The limit law.
    square : float
        The square of the entry of :math:`\sqrt l A_\perp`.

    Examples
    --------
    >>> import algatt
    >>> from algatt.spectra import predicted_outlier
    >>> round(predicted_outlier(algatt.spectra.AttentionLaw(beta=1), 7.22), 2)
    11.47
    """
    value = checked_number("square", square, positive=False)
    if value <= outlier_threshold(law):
        return float(edge(law))
    return float(law.mean * singular_value(law, np.sqrt(value / law.mean)) ** 2)


def median_largest_entry(beta: float, tokens: int) -> float:
    r"""Return the median of the largest squared entry of :math:`\sqrt l A_\perp`, if its scores were :math:`l^2`
    independent N(0, 1) numbers (derived here).

    :math:`(e^{\beta z - \beta^2 / 2} - 1)^2 / l` at the z that the largest of them exceeds half of the time. Scores are
    heavier in their tails than that where the key dimension is small.

    Parameters
    ----------
    beta : float
        The inverse temperature.
    tokens : int
        The number l.

    Examples
    --------
    >>> from algatt.spectra import median_largest_entry
    >>> round(median_largest_entry(1.0, 1000), 2)
    5.58
    """
    b, size = checked_number("beta", beta, positive=False), whole("tokens", tokens)
    return median_entry(b, math.log(size))


def median_entry(beta: float, logarithm: float) -> float:
    """Return `median_largest_entry` for a number of tokens with a given logarithm."""
    from scipy.special import ndtri_exp

    # the largest of l^2 is below z with the probability 1/2 where Phi(-z) = log(2) / l^2, nearly
    z = -float(ndtri_exp(min(math.log(math.log(2.0)) - 2.0 * logarithm, math.log(0.5))))
    return math.exp(2.0 * math.log(abs(math.expm1(beta * z - beta**2 / 2))) - logarithm)


def tokens_without_outliers(beta: float, ratio: float = 1.0) -> float:
    """Return the number of tokens from which on the median largest entry is below the threshold of outliers
    (derived here).

    Parameters
    ----------
    beta : float
        The inverse temperature, > 0.
    ratio : float, optional
        c, the ratio of tokens and key dimension.

    Returns
    -------
    float
        Not rounded; 1 if it is there at every size, infinite if it is not before 10^130.

    Examples
    --------
    >>> from algatt.spectra import tokens_without_outliers
    >>> [round(tokens_without_outliers(beta)) for beta in (0.5, 1)]
    [1, 7658]
    """
    from scipy.optimize import brentq

    threshold = outlier_threshold(AttentionLaw(beta, ratio))

    def excess(logarithm: float) -> float:
        return math.log(median_entry(beta, logarithm) / threshold)

    # to exponential order the largest entry is exp(4 beta sqrt(log l)) / l, which falls from e^(4 beta^2) on
    first = math.log(max(needed_tokens(beta), 2.0)) if beta < 8 else LARGEST_LOGARITHM
    if first >= LARGEST_LOGARITHM or excess(LARGEST_LOGARITHM) > 0:
        return math.inf
    return 1.0 if excess(first) <= 0 else math.exp(brentq(excess, first, LARGEST_LOGARITHM))
