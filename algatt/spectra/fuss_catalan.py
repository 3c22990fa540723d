"""The laws of products of independent Gaussian matrices."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures.base import whole
from algatt.spectra.free_probability import cumulants_of_moments
from algatt.spectra.laws import Law, Points, checked_array, checked_number, infinite_at_zero
from algatt.spectra.numerics import increasing_inverse, polynomial_roots

__all__ = ["FussCatalan"]

SMALLEST = 1e-200
"""Points of the law of scale 1 between this and zero are taken for this: densities explode there."""

REAL = 1e-9
"""Angles that differ by less than this are those of real roots."""


@dataclass(frozen=True)
class FussCatalan(Law):
    r"""The Fuss-Catalan law: of the squared singular values of a product of p square Gaussian matrices with entries of variance 1/n.

    Its moments are :math:`s^q \frac{1}{pq + 1} \binom{(p + 1) q}{q}`, and its support is :math:`[0, s (p + 1)^{p + 1} / p^p]`. It is the free
    multiplicative power p of `MarchenkoPastur(1)`. Density and distribution function are explicit in the angle :math:`\varphi` with

    .. math:: x = \frac{\sin^{p+1} (p+1)\varphi}{\sin \varphi \, \sin^p p\varphi}, \qquad 0 < \varphi < \frac{\pi}{p+1}

    (P. J. Forrester and D.-Z. Liu, Raney distributions and random matrix theory, J. Stat. Phys. 158, 2015; the distribution function is derived
    here).

    Parameters
    ----------
    order : int, optional
        p >= 1, the number of factors.
    scale : float, optional
        s > 0, the mean.

    Raises
    ------
    InvalidArgument
        If the order is not an integer >= 1, or the scale is not positive and finite.

    Examples
    --------
    >>> import algatt
    >>> algatt.moments(algatt.FussCatalan(2), 4)
    (1.0, 3.0, 12.0, 55.0)
    >>> algatt.edge(algatt.FussCatalan(2))
    6.75
    """

    order: int = 2
    scale: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "order", whole("order", self.order))
        object.__setattr__(self, "scale", checked_number("scale", self.scale))

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


@verbs.free_cumulants.method
def cumulants_of_fuss_catalan(law: FussCatalan, count: int | np.integer) -> tuple[float, ...]:
    orders = range(1, whole("count", count) + 1)
    exact = cumulants_of_moments([moment(law, q) for q in orders])
    return tuple(law.scale**q * cumulant for q, cumulant in zip(orders, exact, strict=True))


def angles(law: FussCatalan, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    r"""Return the angles phi of points inside the support of the law of scale 1, and :math:`\pi / (p + 1) - \varphi`, whose logarithm is computed."""
    p = law.order
    last = np.pi / (p + 1)

    def logarithm(u: np.ndarray) -> np.ndarray:
        rest = np.exp(u)
        return (p + 1) * np.log(np.sin((p + 1) * rest)) - np.log(np.sin(last - rest)) - p * np.log(np.sin(p * (last - rest)))

    def slope(u: np.ndarray) -> np.ndarray:
        rest = np.exp(u)
        return rest * ((p + 1) ** 2 / np.tan((p + 1) * rest) + 1 / np.tan(last - rest) + p**2 / np.tan(p * (last - rest)))

    levels = np.log(x).ravel()
    high = np.full_like(levels, np.log(last) - 1e-15)
    low = levels / (p + 1) + np.log(np.sin(last) / (p + 1)) - 3.0  # without the 3 it is the angle to first order at zero
    rest = np.exp(increasing_inverse(logarithm, slope, levels, low, high)).reshape(x.shape)
    return last - rest, rest


def inside(law: FussCatalan, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which points are inside the support, and the points for the law of scale 1, those outside replaced by one that is inside."""
    within = (x > 0) & (x < verbs.edge(law))
    return within, np.choose(within, [1.0, np.maximum(x / law.scale, SMALLEST)])


@verbs.density.method
def density_of_fuss_catalan(law: FussCatalan, points: Points) -> Any:
    x = checked_array("points", points)
    p = law.order
    within, standard = inside(law, x)
    phi, rest = angles(law, standard)
    value = np.sin(phi) ** 2 * np.sin(p * phi) ** (p - 1) / (np.pi * np.sin((p + 1) * rest) ** p) / law.scale
    return np.choose(within, [0.0, value])[()]


@verbs.cdf.method
def cdf_of_fuss_catalan(law: FussCatalan, points: Points) -> Any:
    x = checked_array("points", points)
    p = law.order
    within, standard = inside(law, x)
    phi, rest = angles(law, standard)
    below = ((p + 1) * rest + p * np.sin((p + 1) * rest) * np.sin(phi) / np.sin(p * phi)) / np.pi
    return np.choose(within, [1.0 * (x > 0), below])[()]


@verbs.stieltjes.method
def stieltjes_of_fuss_catalan(law: FussCatalan, points: Points | complex) -> Any:
    r"""Solve :math:`w^{p+1} = z (w - 1)` for :math:`w = z G(z)`.

    For z in the upper half plane exactly one root has its argument in :math:`(-\pi/(p+1), 0)`: none can cross the boundary of this sector, and near
    infinity it is 1 + 1/z.
    """
    z = checked_array("points", points, complex) / law.scale
    upper = z.real + 1j * np.abs(z.imag)
    zero = np.zeros_like(upper)
    roots = polynomial_roots([*[zero] * (law.order - 1), -upper, upper])
    distance = np.abs(np.angle(roots) + np.pi / (2 * law.order + 2)) + REAL * np.abs(roots)  # of two real roots the one nearer to 1
    w = np.take_along_axis(roots, distance.argmin(-1)[..., None], -1)[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        value = -w / upper / law.scale
    return infinite_at_zero(law, z, np.choose(z.imag < 0, [value, value.conj()]))[()]
