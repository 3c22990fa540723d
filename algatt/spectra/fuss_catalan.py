"""The laws of products of independent Gaussian matrices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.errors import InvalidArgument
from algatt.fields import PublicArray
from algatt.spectra.free_probability import cumulants_of_moments
from algatt.spectra.laws import (
    Law,
    checked_array,
    checked_levels,
    checked_parameter,
    checked_points,
    edge,
    floats,
    infinite_at_zero,
)
from algatt.spectra.numerics import increasing_inverse, polynomial_roots

SMALLEST = 1e-300
"""Points of the law of scale 1 between this and zero are taken for this: densities explode there."""

MOST_FACTORS = 100
"""The law of more is nearly all at points that floats do not tell from zero."""

REAL = 1e-9
"""Angles that differ by less than this are those of real roots."""


@dataclass(frozen=True)
class FussCatalan(Law):
    r"""The Fuss-Catalan law: of the squared singular values of a product of p square Gaussian matrices with entries of
    variance 1/n.

    Its moments are :math:`s^q \frac{1}{pq + 1} \binom{(p + 1) q}{q}`, and its support is
    :math:`[0, s (p + 1)^{p + 1} / p^p]`. It is the free multiplicative power p of `MarchenkoPastur(1)`. Density and
    distribution function are explicit in the angle :math:`\varphi` with

    .. math:: x = \frac{\sin^{p+1} (p+1)\varphi}{\sin \varphi \, \sin^p p\varphi}, \qquad 0 < \varphi < \frac{\pi}{p+1}

    (P. J. Forrester and D.-Z. Liu, Raney distributions and random matrix theory, J. Stat. Phys. 158, 2015; the
    distribution function is derived here).

    Parameters
    ----------
    order : int, optional
        p, the number of factors, from 1 to 100.
    scale : float, optional
        s > 0, the mean.

    Raises
    ------
    InvalidArgument
        If the order is not an integer from 1 to 100, or the scale not between 1e-100 and 1e100.

    Examples
    --------
    >>> import algatt
    >>> algatt.spectra.moments(algatt.spectra.FussCatalan(2), 4)
    (1.0, 3.0, 12.0, 55.0)
    >>> algatt.spectra.edge(algatt.spectra.FussCatalan(2))
    6.75
    """

    order: int = 2
    scale: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", whole("order", self.order))
        if self.order > MOST_FACTORS:
            raise InvalidArgument(
                "order",
                f"{self.order}",
                f"at most {MOST_FACTORS}: nearly all of the law is at points too small for floats",
            )
        object.__setattr__(self, "scale", checked_parameter("scale", self.scale))

    @classmethod
    def examples(cls) -> Iterable[FussCatalan]:
        return cls(1), cls(2), cls(3, 2.0)


def moment(law: FussCatalan, q: int) -> int:
    """Return the moment of order q of the law of scale 1."""
    return comb((law.order + 1) * q, q) // (law.order * q + 1)


@verbs.support.method
def support_of_fuss_catalan(law: FussCatalan) -> tuple[tuple[float, float], ...]:
    p = law.order
    return ((0.0, law.scale * (p + 1) * ((p + 1) / p) ** p),)


@verbs.moments.method
def moments_of_fuss_catalan(law: FussCatalan, count: int | np.integer) -> tuple[float, ...]:
    orders = range(1, whole("count", count) + 1)
    return floats(len(orders), lambda: (law.scale**q * moment(law, q) for q in orders))


@verbs.free_cumulants.method
def cumulants_of_fuss_catalan(law: FussCatalan, count: int | np.integer) -> tuple[float, ...]:
    orders = range(1, whole("count", count) + 1)
    exact = cumulants_of_moments([moment(law, q) for q in orders])
    return floats(len(orders), lambda: (law.scale**q * cumulant for q, cumulant in zip(orders, exact, strict=True)))


def angles(law: FussCatalan, logarithm: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    r"""Return the angle phi, and :math:`\pi / (p + 1) - \varphi`, whose logarithm is given: it resolves points near
    zero.
    """
    rest = np.exp(logarithm)
    return np.pi / (law.order + 1) - rest, rest


def log_point(law: FussCatalan, logarithm: np.ndarray) -> np.ndarray:
    """Return log x of an angle, for the law of scale 1."""
    p = law.order
    phi, rest = angles(law, logarithm)
    value: np.ndarray = (p + 1) * np.log(np.sin((p + 1) * rest)) - np.log(np.sin(phi)) - p * np.log(np.sin(p * phi))
    return value


def log_point_slope(law: FussCatalan, logarithm: np.ndarray) -> np.ndarray:
    """Return the derivative of `log_point`."""
    p = law.order
    phi, rest = angles(law, logarithm)
    value: np.ndarray = rest * ((p + 1) ** 2 / np.tan((p + 1) * rest) + 1 / np.tan(phi) + p**2 / np.tan(p * phi))
    return value


def density_times_point(law: FussCatalan, logarithm: np.ndarray) -> np.ndarray:
    """Return x times the density at x, at an angle: unlike the density it does not explode at zero."""
    phi, rest = angles(law, logarithm)
    value: np.ndarray = np.sin((law.order + 1) * rest) * np.sin(phi) / (np.pi * np.sin(law.order * phi))
    return value


def reached_at(law: FussCatalan, logarithm: np.ndarray) -> np.ndarray:
    """Return the distribution function at an angle."""
    p = law.order
    _, rest = angles(law, logarithm)
    value: np.ndarray = (p + 1) * rest / np.pi + p * density_times_point(law, logarithm)
    return value


def last_logarithm(law: FussCatalan, like: np.ndarray) -> np.ndarray:
    """Return the logarithm at the edge, as an array."""
    return np.full_like(like, np.log(np.pi / (law.order + 1)) - 1e-15)


def logarithms(law: FussCatalan, x: np.ndarray) -> np.ndarray:
    """Return the logarithms of the angles of points inside the support of the law of scale 1."""
    p = law.order
    levels = np.log(x).ravel()
    low = (
        levels / (p + 1) + np.log(np.sin(np.pi / (p + 1)) / (p + 1)) - 3.0
    )  # without the 3 it is the angle to first order at zero
    found = increasing_inverse(
        lambda u: log_point(law, u), lambda u: log_point_slope(law, u), levels, low, last_logarithm(law, levels)
    )
    return found.reshape(x.shape)


def inside(law: FussCatalan, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which points are inside the support, and the points for the law of scale 1, those outside replaced by one
    that is inside.
    """
    within = (x > 0) & (x < edge(law))
    return within, np.choose(within, [1.0, np.maximum(x / law.scale, SMALLEST)])


@verbs.density.method
def density_of_fuss_catalan(law: FussCatalan, points: PublicArray) -> Any:
    x = checked_array("points", points)
    within, standard = inside(law, x)
    return np.choose(within, [0.0, density_times_point(law, logarithms(law, standard)) / standard / law.scale])[()]


@verbs.cdf.method
def cdf_of_fuss_catalan(law: FussCatalan, points: PublicArray) -> Any:
    x = checked_array("points", points)
    within, standard = inside(law, x)
    return np.choose(within, [1.0 * (x > 0), reached_at(law, logarithms(law, standard))])[()]


@verbs.quantile.method
def quantile_of_fuss_catalan(law: FussCatalan, probabilities: PublicArray) -> Any:
    """Solve for the angle: of many factors most of the law is at points much smaller than the edge, which the general
    method does not resolve.
    """
    p = law.order
    levels = checked_levels(probabilities)
    proper = np.clip(levels, SMALLEST, 1.0).ravel()
    low = np.log(proper * np.pi / (p + 1) ** 2) - 3.0  # without the 3 it is the angle to first order at zero

    def slope(u: np.ndarray) -> np.ndarray:
        return density_times_point(law, u) * log_point_slope(law, u)

    found = increasing_inverse(lambda u: reached_at(law, u), slope, proper, low, last_logarithm(law, proper))
    points = law.scale * np.exp(log_point(law, found)).reshape(levels.shape)
    return np.choose((levels > 0) + 1 * (levels >= 1), [0.0, points, edge(law)])[()]


@verbs.stieltjes.method
def stieltjes_of_fuss_catalan(law: FussCatalan, points: PublicArray) -> Any:
    r"""Solve :math:`w^{p+1} = z (w - 1)` for :math:`w = z G(z)`.

    For z in the upper half plane exactly one root has its argument in :math:`(-\pi/(p+1), 0)`: none can cross the
    boundary of this sector, and near infinity it is 1 + 1/z.
    """
    z = checked_points(points) / law.scale
    upper = z.real + 1j * np.abs(z.imag)
    zero = np.zeros_like(upper)
    roots = polynomial_roots([*[zero] * (law.order - 1), -upper, upper])
    distance = np.abs(np.angle(roots) + np.pi / (2 * law.order + 2)) + REAL * np.abs(
        roots
    )  # of two real roots the one nearer to 1
    w = np.take_along_axis(roots, distance.argmin(-1)[..., None], -1)[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        value = -w / upper / law.scale
    return infinite_at_zero(law, z, np.choose(z.imag < 0, [value, value.conj()]))[()]
