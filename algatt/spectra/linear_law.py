r"""The law of the linear model: a free sum of a circular element and a product of two free ones.

Everything is computed for the law of mean 1, in the variable s with x = s^2. Let G(s) be the Cauchy transform of the
law of the singular values with both signs, and y = 1 / G(s). Then

.. math:: s = y + \frac{a}{y} + \frac{b \, y}{y^2 - k}, \qquad a + b = 1, \quad k = c b,

with the shares a of the noise and b of the signal; in y this is a monic quartic. For s in the upper half plane exactly
one of its roots is there too: s is real for every real y, so that no root can cross the real line, and near infinity y
= s is the one. This root is G's.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.fields import PublicArray
from algatt.spectra.free_probability import moments_of_cumulants
from algatt.spectra.laws import (
    MOST_RATIO,
    Law,
    checked_array,
    checked_parameter,
    checked_points,
    edge,
    floats,
    infinite_at_zero,
)
from algatt.spectra.signal_equation import critical_values, transform

SMALLEST = 1e-200
"""Points of the law of mean 1 between this and zero are taken for this: densities explode there."""

LEAST_BETA = 1e-50
"""The mean of the law, about beta^2, and its square are floats from here on."""

LARGEST_BETA = 18.0
"""The mean exp(beta^2) - 1 of the law and its square are floats up to here."""


def noise_variance(beta: float) -> float:
    r"""Return :math:`\alpha^2 = e^{\beta^2} - 1 - \beta^2`, without cancellation."""
    from scipy.special import gammainc

    return float(np.exp(beta**2) * gammainc(2, beta**2))


@dataclass(frozen=True)
class SignalPlusNoise(Law):
    r"""Laws of the squared singular values of :math:`(\alpha Z + \beta W^Q (W^K)^T / \sqrt{d_{qk}}) / \sqrt l`, the
    entries of the three N(0, 1).

    They are `LinearLaw`, for any variances, and `AttentionLaw`.
    """

    @property
    @abstractmethod
    def parameters(self) -> tuple[float, float, float]:
        r"""The variances :math:`\alpha^2` of the noise and :math:`\beta^2` of the product, and the limit c
        of l / d_qk.
        """

    @property
    def mean(self) -> float:
        r"""The mean :math:`\theta_1 = \alpha^2 + \beta^2`."""
        noise, signal, _ = self.parameters
        return noise + signal

    @property
    def mass_at_zero(self) -> float:
        """The probability of zero: 1 - 1/c for c > 1 without noise, else 0."""
        noise, _, ratio = self.parameters
        return max(0.0, 1.0 - 1.0 / ratio) if noise == 0 else 0.0

    @property
    def shares(self) -> tuple[float, float, float]:
        """The numbers a, b, k of the law of mean 1."""
        noise, signal, ratio = self.parameters
        return noise / self.mean, signal / self.mean, ratio * signal / self.mean


@dataclass(frozen=True)
class LinearLaw(SignalPlusNoise):
    r"""The law of the linear model: :math:`MP_1 \boxtimes \mathrm{law}(\alpha^2 + \beta^2 MP_c)`.

    Its free cumulants are the moments of the second factor.

    Parameters
    ----------
    noise : float
        :math:`\alpha^2 \ge 0`, the variance of the noise.
    signal : float
        :math:`\beta^2 > 0`, the variance of the product.
    ratio : float
        c > 0, the limit of l / d_qk.

    Raises
    ------
    InvalidArgument
        If a number is not in its range, the noise is above 1e100, the signal not between 1e-100 and 1e100, or the ratio
        not between 1e-100 and 1e8.

    Examples
    --------
    Without noise and with c = 1 it is the Fuss-Catalan law of order 2:

    >>> import algatt
    >>> law = algatt.spectra.LinearLaw(noise=0, signal=1, ratio=1)
    >>> algatt.spectra.moments(law, 4), algatt.spectra.edge(law)
    ((1.0, 3.0, 12.0, 55.0), 6.75)
    """

    noise: float
    signal: float
    ratio: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "noise", checked_parameter("noise", self.noise, positive=False, least=0.0))
        object.__setattr__(self, "signal", checked_parameter("signal", self.signal))
        object.__setattr__(self, "ratio", checked_parameter("ratio", self.ratio, most=MOST_RATIO))

    @property
    def parameters(self) -> tuple[float, float, float]:
        return self.noise, self.signal, self.ratio

    @classmethod
    def examples(cls) -> Iterable[LinearLaw]:
        return cls(0.0, 1.0, 1.0), cls(0.5, 2.0, 0.3), cls(0.0, 1.0, 3.0), cls(0.05, 1.0, 8.0)


@dataclass(frozen=True)
class AttentionLaw(SignalPlusNoise):
    r"""The limiting law of the squared singular values of a random attention matrix, without its top one.

    It is the law of the linear model with :math:`\alpha^2 = e^{\beta^2} - 1 - \beta^2`, to which the spectrum of
    :math:`\sqrt l A_\perp` converges (T. Hayase, B. Collins, R. Karakida, arXiv 2510.06685, cited as HCK). The equation
    of its Stieltjes transform, its moments, its edge and its distribution function are derived here.

    Parameters
    ----------
    beta : float
        The inverse temperature, > 0.
    ratio : float, optional
        c > 0, the limit of tokens / key_dim.

    Raises
    ------
    InvalidArgument
        If beta is not between 1e-50 and 18, beyond which the law's second moment is no float, or the ratio not between
        1e-100 and 1e8.

    Examples
    --------
    >>> import algatt
    >>> law = algatt.spectra.AttentionLaw(beta=1)
    >>> [round(moment, 3) for moment in algatt.spectra.moments(law, 4)]
    [1.718, 6.905, 36.676, 223.457]
    >>> same_mean = algatt.spectra.MarchenkoPastur(1, scale=law.mean)
    >>> round(algatt.spectra.edge(law), 4), round(algatt.spectra.edge(same_mean), 4)
    (9.0095, 6.8731)
    """

    beta: float
    ratio: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "beta", checked_parameter("beta", self.beta, least=LEAST_BETA, most=LARGEST_BETA))
        object.__setattr__(self, "ratio", checked_parameter("ratio", self.ratio, most=MOST_RATIO))

    @property
    def parameters(self) -> tuple[float, float, float]:
        return noise_variance(self.beta), self.beta**2, self.ratio

    @property
    def mean(self) -> float:
        return float(np.expm1(self.beta**2))

    @classmethod
    def examples(cls) -> Iterable[AttentionLaw]:
        return cls(1.0), cls(0.5, 1 / 3), cls(1.0, 2.0), cls(0.7, 12.0), cls(2.0, 1.0)


@verbs.support.method
def support_of_law(law: SignalPlusNoise) -> tuple[tuple[float, float], ...]:
    ends = [law.mean * s**2 for s in critical_values(law)]
    if len(ends) == 1:
        return ((0.0, ends[0]),)
    gap = (ends[1], ends[0])
    return (gap,) if len(ends) == 2 else ((0.0, ends[2]), gap)


@verbs.free_cumulants.method
def cumulants_of_law(law: SignalPlusNoise, count: int | np.integer) -> tuple[float, ...]:
    _, signal, ratio = law.parameters
    orders = range(1, whole("count", count) + 1)
    return floats(
        len(orders),
        lambda: moments_of_cumulants([law.mean if q == 1 else signal**q * ratio ** (q - 1) for q in orders]),
    )


def moment_polynomials(count: int) -> tuple[Any, ...]:
    r"""Return the first moments of `LinearLaw` and `AttentionLaw` exactly, as polynomials in :math:`\theta_1`,
    :math:`\theta_2 = \beta^2` and c.

    Here :math:`\theta_1` is the mean, :math:`e^{\beta^2} - 1` for attention. Derived here. They are `flint.fmpq_mpoly`,
    which are evaluated at three integers or `flint.fmpq`. Cost: O(count^3) products of polynomials.

    Raises
    ------
    InvalidArgument
        If the count is not an integer >= 1.

    Examples
    --------
    >>> from algatt.spectra import moment_polynomials
    >>> for moment in moment_polynomials(3):
    ...     print(moment)
    theta_1
    2*theta_1^2 + theta_2^2*c
    5*theta_1^3 + 6*theta_1*theta_2^2*c + theta_2^3*c^2
    """
    import flint

    theta, square, ratio = flint.fmpq_mpoly_ctx.get(("theta_1", "theta_2", "c"), ordering="lex").gens()
    determining, power = [theta], square
    for _ in range(1, whole("count", count)):
        power = power * square * ratio
        determining.append(power)
    return moments_of_cumulants(moments_of_cumulants(determining))


def inside(law: SignalPlusNoise, x: np.ndarray) -> np.ndarray:
    """Say which points are inside the support."""
    return np.logical_or.reduce([(x > low) & (x < high) for low, high in verbs.support(law)])


@verbs.stieltjes.method
def stieltjes_of_law(law: SignalPlusNoise, points: PublicArray) -> Any:
    z = checked_points(points)
    s = np.sqrt(z.real / law.mean + 1j * np.abs(z.imag) / law.mean)
    y = transform(law, s, (z.imag == 0) & inside(law, z.real))
    with np.errstate(divide="ignore", invalid="ignore"):
        value = -1.0 / (law.mean * s * y)
    return infinite_at_zero(law, z, np.choose(z.imag < 0, [value, value.conj()]))[()]


@verbs.density.method
def density_of_law(law: SignalPlusNoise, points: PublicArray) -> Any:
    x = checked_array("points", points)
    within = inside(law, x)
    s = np.sqrt(np.choose(within, [1.0, np.maximum(x / law.mean, SMALLEST)]))
    y = transform(law, s, within)
    value = (y.imag / np.abs(y) ** 2) / (np.pi * law.mean * s)
    return np.choose(within, [0.0, value])[()]


@verbs.cdf.method
def cdf_of_law(law: SignalPlusNoise, points: PublicArray) -> Any:
    """Integrate the Cauchy transform in closed form: the integral of ds / y is s / y + log y - a / (2 y^2) + log(1 - k
    / y^2) / (2 c).
    """
    x = checked_array("points", points)
    within = inside(law, x)
    a, _, k = law.shares
    noise, _, ratio = law.parameters
    s = np.sqrt(np.choose(within, [1.0, np.maximum(x / law.mean, SMALLEST)]))
    y = transform(law, s, within)
    above = (s / y + np.log(y) - a / (2 * y**2) + np.log1p(-k / y**2) / (2 * ratio)).imag * (2 / np.pi)
    below = max(0.0, 1 - 1 / ratio)  # of the upper interval of the support, if there are two, or if zero has a mass
    reached = np.choose((x > 0) | ((x == 0) & (noise == 0)), [0.0, below])
    return np.choose(within, [np.choose(x >= edge(law), [reached, 1.0]), np.clip(1 - above, 0.0, 1.0)])[()]
