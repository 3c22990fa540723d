r"""The law of Gaussian rows of a given covariance, and that of heads of attention whose keys and values are given.

Rows of a matrix that are independent and Gaussian of covariance C / l have the compound free Poisson law
:math:`MP_1 \boxtimes \mathrm{law}(C)`: its free cumulants are the moments of C (J. W. Silverstein and Z. D. Bai, J.
Multivariate Anal. 54, 1995). Rows of attention are so if the queries are Gaussian and everything else is given, in the
limit: given the keys, the exponentials of the scores are log-normal, of a covariance in closed form.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.errors import InvalidArgument
from algatt.spectra.draws import checked_matrix
from algatt.spectra.ensembles import FiniteSizeWarning
from algatt.spectra.free_probability import cumulants_of_moments
from algatt.spectra.laws import checked_array, checked_number, floats
from algatt.spectra.layers.paths import follow
from algatt.spectra.numerical_law import NumericalLaw

SMALLEST = 1e-12
"""Jumps that are a smaller part of the largest one are zero."""

UNEQUAL = 0.1
"""The standard deviation of the sums of rows, in parts of their mean, from which on it is warned of."""

LARGEST_EXPONENT = 300.0
"""Of a covariance of exponentials."""


@dataclass(frozen=True)
class CompoundPoissonLaw(NumericalLaw):
    r"""The law of the squared singular values of a matrix whose rows are independent and Gaussian, of covariance C / l
    with l the number of rows; the smaller of rows and columns of them.

    Numerical, by Newton's method on the equation :math:`z = -\frac 1 m + \frac 1 l \sum_j \frac{c_j}{1 + c_j m}` of the
    Stieltjes transform m of the rows.

    Parameters
    ----------
    jumps : sequence of float
        The eigenvalues of C, all of them, >= 0 and one > 0.
    rows : int
        l.

    Raises
    ------
    InvalidArgument
        If there are no jumps, they are negative or all zero, or the number of rows is no integer >= 1.

    Examples
    --------
    Equal jumps make a Marchenko-Pastur law:

    >>> import algatt
    >>> from algatt.spectra import CompoundPoissonLaw
    >>> low, high = algatt.spectra.support(CompoundPoissonLaw([1.0] * 25, rows=100))[0]
    >>> round(low, 6), round(high, 6)
    (0.25, 2.25)
    """

    jumps: tuple[float, ...]
    rows: int

    def __post_init__(self) -> None:
        jumps = np.sort(checked_array("jumps", self.jumps), axis=None)
        if not len(jumps) or not np.isfinite(jumps).all() or jumps[0] < 0 or jumps[-1] == 0:
            was = "empty" if not len(jumps) else f"from {jumps[0]:g} to {jumps[-1]:g}"
            raise InvalidArgument("jumps", was, "finite numbers >= 0, not all zero")
        object.__setattr__(self, "jumps", tuple(jumps.tolist()))
        object.__setattr__(self, "rows", whole("rows", self.rows))

    @property
    def size(self) -> int:
        """The number of singular values."""
        return min(self.rows, len(self.jumps))

    @property
    def positive(self) -> np.ndarray:
        """The jumps that are not zero."""
        jumps = np.array(self.jumps)
        kept: np.ndarray = jumps[jumps > SMALLEST * jumps[-1]]
        return kept

    @property
    def mass_at_zero(self) -> float:
        return 1.0 - min(self.size, len(self.positive)) / self.size

    @property
    def span(self) -> float:
        return float(np.sqrt(self.jumps[-1]) * (1 + np.sqrt(len(self.positive) / self.rows)))

    def transform(self, w: np.ndarray) -> np.ndarray:
        c, l = self.positive, self.rows

        def begin(w: np.ndarray) -> np.ndarray:
            m = -1 / w**2
            for _ in range(60):
                m = -1 / (w**2 - (c / (1 + m[:, None] * c)).sum(axis=1) / l)
            return m[:, None]

        def solve(w: np.ndarray, guess: np.ndarray, precision: float, most: int) -> tuple[np.ndarray, np.ndarray]:
            m = guess[:, 0].copy()
            left = np.arange(len(w))
            for _ in range(most):
                some = m[left]
                parts = c / (1 + some[:, None] * c)
                excess = w[left] ** 2 + 1 / some - parts.sum(axis=1) / l
                step = excess / (-1 / some**2 + (parts**2).sum(axis=1) / l)
                m[left] = some - step
                left = left[np.abs(step) > precision * np.abs(some)]
                if not len(left):
                    break
            found = np.ones(len(w), dtype=bool)
            found[left] = False
            return m[:, None], found

        def read_off(w: np.ndarray, unknowns: np.ndarray) -> np.ndarray:
            # of all rows, of which those beyond the columns are zeros
            return (-w * unknowns[:, 0] * l - (l - self.size) / w) / self.size

        return follow(begin, solve, read_off, w, self.span)

    @classmethod
    def examples(cls) -> Iterable[CompoundPoissonLaw]:
        return cls((1.0, 2.0, 5.0), 4), cls((1.0,) * 3 + (40.0,), 4), cls((0.5, 1.0, 3.0, 3.5), 2)


@verbs.free_cumulants.method
def cumulants_of_compound_poisson(law: CompoundPoissonLaw, count: int | np.integer) -> tuple[float, ...]:
    orders = range(1, whole("count", count) + 1)
    if law.size < law.rows:  # the law of all rows has the moments of the jumps for cumulants, and this is a part of it
        return tuple(cumulants_of_moments(verbs.moments(law, count)))
    jumps = np.array(law.jumps)
    return floats(len(orders), lambda: (float((jumps**q).sum()) / law.rows for q in orders))


def row_covariance(keys: np.ndarray, beta: float) -> np.ndarray:
    r"""Return the covariance C of the rows of :math:`\sqrt l A_\perp` times l, for given keys and Gaussian queries.

    Given the keys, the scores of a row have the covariance :math:`\Sigma = \beta^2 K K^T / d_{qk}`, so that their
    exponentials have the means :math:`\mu_j = e^{\Sigma_{jj} / 2}` and the covariance :math:`\mu_i \mu_j
    (e^{\Sigma_{ij}} - 1)`. A row of attention is that divided by its sum, to first order the projection along the
    means.
    """
    tokens, width = keys.shape
    scores = beta**2 * keys @ keys.T / width
    if scores.max() > LARGEST_EXPONENT:
        raise InvalidArgument("beta", f"{beta:g}", "smaller: scores of these keys have exponentials beyond floats")
    means = np.exp(scores.diagonal() / 2)
    covariance = np.expm1(scores) * np.outer(means, means)
    deviation = float(np.sqrt(max(covariance.sum(), 0.0)) / means.sum())
    if deviation > UNEQUAL:
        message = (
            f"the sums of the rows of exponentials differ by {deviation:.0%}, as those of keys in clusters: the law is "
            f"that of nearly equal sums"
        )
        warnings.warn(message, FiniteSizeWarning, stacklevel=3)
    covariance *= (tokens / means.sum()) ** 2
    share = means / means.sum()
    turned = covariance.sum(axis=0)
    covariance -= np.outer(share, turned) + np.outer(turned, share) - turned.sum() * np.outer(share, share)
    return covariance


def heads_law(
    keys: Sequence[np.ndarray], values: Sequence[np.ndarray] | None = None, *, beta: float = 1.0
) -> CompoundPoissonLaw:
    r"""Return the law of several heads with given keys and values and random queries: of the squared singular values of
    :math:`\sum_h \sqrt l A_{\perp, h} V_h`.

    The queries are independent and Gaussian, of N(0, 1) entries; the keys may be anything with which the sums of the
    rows of exponentials are nearly equal, and the values may depend on them. Derived here and checked by simulation:
    that rows of exponentials, which are independent given the keys but not Gaussian, have the same law is not proven.
    What the mean row adds, of rank one, is left out. Numerical.

    Parameters
    ----------
    keys : sequence of numpy.ndarray
        K of each head, of shape (l, d_qk): scores are :math:`Q K^T / \sqrt{d_{qk}}`.
    values : sequence of numpy.ndarray, optional
        Of each head, of shape (l, n), n the same for all: values times outputs. The identity unless given, so that the
        law is that of attention itself.
    beta : float, optional
        The inverse temperature, > 0.

    Raises
    ------
    InvalidArgument
        If shapes do not fit, there is no head, or scores are too large.

    Warns
    -----
    FiniteSizeWarning
        If the sums of the rows of exponentials differ by more than a tenth, as where keys have a large common part or
        are in clusters: the law divides by their mean.

    Examples
    --------
    Values tied to keys:

    >>> import numpy as np
    >>> import algatt
    >>> K = np.random.default_rng(0).standard_normal((300, 300))
    >>> law = algatt.spectra.heads_law([K], [K / 300**0.5], beta=0.5)
    >>> ensemble = algatt.spectra.LayerEnsemble(300, 300, 300, 0.5, algatt.spectra.TiedValues())
    >>> algatt.spectra.wasserstein_distance(law, algatt.spectra.limit_law(ensemble)) < 0.03
    True
    """
    temperature = checked_number("beta", beta)
    matrices = [checked_matrix("keys", head) for head in keys]
    if not matrices:
        raise InvalidArgument("keys", "empty", "those of one head at least")
    tokens = len(matrices[0])
    outputs = [None] * len(matrices) if values is None else [checked_matrix("values", head) for head in values]
    if len(outputs) != len(matrices):
        raise InvalidArgument("values", f"of {len(outputs)} heads", f"of {len(matrices)}, as keys")
    shapes = {output.shape for output in outputs if output is not None}
    for head in matrices:
        if len(head) != tokens:
            raise InvalidArgument("keys", f"of {len(head)} and {tokens} tokens", "of the same tokens")
    for shape in shapes:
        if len(shapes) > 1 or shape[0] != tokens:
            raise InvalidArgument("values", f"of shape {shape}", f"of {tokens} rows, and of the same columns")
    total: np.ndarray | float = 0.0
    for head, output in zip(matrices, outputs, strict=True):
        covariance = row_covariance(head, temperature)
        total = total + (covariance if output is None else output.T @ covariance @ output)
    return CompoundPoissonLaw(tuple(np.maximum(np.linalg.eigvalsh(total), 0.0).tolist()), tokens)
