r"""How far the sums of the rows of softmax attention are from their mean: HCK's normaliser
:math:`D_i = \frac1l \sum_j e^{\beta S_{ij} - \beta^2/2}`.

Given the query of row i the scores are independent N(0, r), with r the squared length of the query divided by the key
dimension: :math:`r \sim \chi^2_{d_{qk}} / d_{qk}`. So mean and variance have closed forms for every size (derived).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt.arguments import instance, whole
from algatt.errors import InvalidArgument
from algatt.spectra.draws import exponentials
from algatt.spectra.ensembles import AttentionEnsemble
from algatt.spectra.laws import checked_array


@dataclass(frozen=True)
class NormaliserLaw:
    r"""The law of :math:`\max_i |D_i - 1|` for many tokens, as if the rows were independent and normal (derived).

    As l grows with :math:`c = l / d_{qk}`, :math:`\sqrt l (D_i - 1)` tends to
    :math:`N(0, e^{\beta^2} - 1 + c \beta^4 / 2)`: the first part is of the keys, the second of the length of the
    query. Rows have correlations of order :math:`d_{qk}^{-1/2}`. So the largest of l is about
    `rate` = :math:`\sqrt{2 \ln(2 l) / l}` times the deviation. Numerical: a law of the limit, no bound. At a finite
    size the summands are log-normal, and the largest is above the law, the more so for large beta.

    Parameters
    ----------
    tokens : int
        l.
    mean : float
        :math:`E D_i`, exact at this size; it tends to 1.
    deviation : float
        The root of the variance of D_i, exact at this size; infinite where few keys have no second moment.
    """

    tokens: int
    mean: float
    deviation: float

    @property
    def rate(self) -> float:
        r"""The largest fluctuation to first order, :math:`\sigma \sqrt{2 \ln(2 l)}` with the deviation sigma."""
        return float(self.deviation * np.sqrt(2 * np.log(2 * self.tokens)))

    def cdf(self, x: Any) -> Any:
        r"""Return :math:`P(\max_i |D_i - 1| \le x)` at numbers x."""
        from scipy.special import ndtr

        at = np.maximum(checked_array("x", x), 0.0)
        upper, lower = (at - (self.mean - 1)) / self.deviation, (-at - (self.mean - 1)) / self.deviation
        outside = np.minimum(ndtr(-upper) + ndtr(lower), 1.0)
        with np.errstate(divide="ignore"):
            return np.exp(self.tokens * np.log1p(-outside))[()]

    def median(self) -> float:
        """Return the number that the largest fluctuation exceeds with probability one half."""
        from scipy.optimize import brentq

        highest = self.deviation * (np.sqrt(2 * np.log(2 * self.tokens)) + 3) + abs(self.mean - 1)
        return float(brentq(lambda x: float(self.cdf(x)) - 0.5, 0.0, highest, xtol=1e-14))


def normaliser_law(ensemble: AttentionEnsemble) -> NormaliserLaw:
    r"""Return the law of :math:`\max_i |D_i - 1|` of random softmax attention (HCK; mean and variance derived).

    With :math:`m(s) = E e^{s r} = (1 - 2 s / d_{qk})^{-d_{qk} / 2}` the mean of :math:`D_i` is
    :math:`e^{-\beta^2/2} m(\beta^2/2)`, and that of its square
    :math:`e^{-\beta^2} (\tfrac1l m(2 \beta^2) + (1 - \tfrac1l) m(\beta^2))`.

    Parameters
    ----------
    ensemble : AttentionEnsemble
        Its tokens, key dimension and beta.

    Returns
    -------
    NormaliserLaw

    Raises
    ------
    InvalidArgument
        If it is no such ensemble, or the key dimension is at most :math:`4 \beta^2`, where :math:`D_i` has no variance.

    Examples
    --------
    >>> from algatt.spectra import AttentionEnsemble, normaliser_law
    >>> law = normaliser_law(AttentionEnsemble(tokens=1000, width=1000, key_dim=1000, beta=1.0))
    >>> round(law.deviation * 1000**0.5, 3), round((2.718281828 - 1 + 1 / 2) ** 0.5, 3), round(law.rate, 3)
    (1.493, 1.489, 0.184)
    """
    instance("ensemble", ensemble, AttentionEnsemble, "an AttentionEnsemble")
    width, square = ensemble.key_dim, float(ensemble.beta) ** 2
    if width <= 4 * square:
        raise InvalidArgument("ensemble", f"of key dimension {width}", f"of one above 4 beta^2 = {4 * square:g}")

    def mean_of_exponential(factor: float) -> float:
        return float(np.exp(-width / 2 * np.log1p(-2 * factor / width)))

    mean = np.exp(-square / 2) * mean_of_exponential(square / 2)
    share = 1 / ensemble.tokens
    second = share * mean_of_exponential(2 * square) + (1 - share) * mean_of_exponential(square)
    variance = max(np.exp(-square) * second - mean**2, 0.0)
    return NormaliserLaw(ensemble.tokens, float(mean), float(np.sqrt(variance)))


def normaliser_fluctuation(ensemble: AttentionEnsemble, *, draws: int = 1, seed: int = 0) -> np.ndarray:
    r"""Return :math:`\max_i |D_i - 1|` of random softmax attention, for each draw.

    Parameters
    ----------
    ensemble : AttentionEnsemble
        Its tokens, key dimension and beta.
    draws : int, optional
        Matrices that are drawn.
    seed : int, optional
        Of the first; the others have the next ones.

    Returns
    -------
    numpy.ndarray
        Shape (draws,). Cost: a product of matrices for each.

    Raises
    ------
    InvalidArgument
        If it is no such ensemble, or `draws` is not a positive integer.

    Examples
    --------
    >>> from algatt.spectra import AttentionEnsemble, normaliser_fluctuation, normaliser_law
    >>> ensemble = AttentionEnsemble(tokens=400, width=400, key_dim=400, beta=0.5)
    >>> bool(abs(normaliser_fluctuation(ensemble, draws=3).mean() / normaliser_law(ensemble).median() - 1) < 0.3)
    True
    """
    instance("ensemble", ensemble, AttentionEnsemble, "an AttentionEnsemble")
    count = whole("draws", draws)
    sums = (exponentials(ensemble, seed + draw).mean(axis=1) for draw in range(count))
    return np.array([np.abs(means - 1).max() for means in sums])
