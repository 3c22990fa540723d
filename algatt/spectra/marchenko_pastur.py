"""The law that earlier work expected of attention: Marchenko-Pastur."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.fields import PublicArray
from algatt.spectra.laws import (
    MOST_RATIO,
    Law,
    checked_array,
    checked_parameter,
    checked_points,
    floats,
    infinite_at_zero,
)


@dataclass(frozen=True)
class MarchenkoPastur(Law):
    r"""The Marchenko-Pastur law: of the eigenvalues of :math:`\frac{s}{d} K K^T`, K of shape (l, d), l / d -> c, its
    entries of variance 1.

    Its free cumulants are :math:`s^q c^{q-1}`, its support is :math:`s (1 \pm \sqrt c)^2`, and for c > 1 zero has mass
    1 - 1/c.

    Parameters
    ----------
    ratio : float
        c > 0.
    scale : float, optional
        s > 0, the mean.

    Raises
    ------
    InvalidArgument
        If the ratio is not between 1e-8 and 1e8, or the scale not between 1e-100 and 1e100.

    Examples
    --------
    >>> import algatt
    >>> algatt.spectra.moments(algatt.spectra.MarchenkoPastur(1), 4)
    (1.0, 2.0, 5.0, 14.0)
    >>> algatt.spectra.edge(algatt.spectra.MarchenkoPastur(ratio=0.25, scale=2))
    4.5
    """

    ratio: float
    scale: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "ratio", checked_parameter("ratio", self.ratio, least=1 / MOST_RATIO, most=MOST_RATIO))
        object.__setattr__(self, "scale", checked_parameter("scale", self.scale))

    @property
    def mass_at_zero(self) -> float:
        return max(0.0, 1.0 - 1.0 / self.ratio)

    @classmethod
    def examples(cls) -> Iterable[MarchenkoPastur]:
        return cls(1.0), cls(0.25, 3.0), cls(4.0, 0.5)


@verbs.support.method
def support_of_marchenko_pastur(law: MarchenkoPastur) -> tuple[tuple[float, float], ...]:
    root = np.sqrt(law.ratio)
    return ((float(law.scale * (1 - root) ** 2), float(law.scale * (1 + root) ** 2)),)


@verbs.free_cumulants.method
def cumulants_of_marchenko_pastur(law: MarchenkoPastur, count: int | np.integer) -> tuple[float, ...]:
    orders = range(1, whole("count", count) + 1)
    return floats(len(orders), lambda: (law.scale**q * law.ratio ** (q - 1) for q in orders))


def cauchy(law: MarchenkoPastur, z: np.ndarray) -> np.ndarray:
    """Return the Cauchy transform of the law of scale 1, on the support from above: c z G^2 - (z + c - 1) G + 1 = 0, G
    ~ 1/z.
    """
    ((low, high),) = verbs.support(MarchenkoPastur(law.ratio))
    sum_of_roots, difference = z + law.ratio - 1.0, np.sqrt(z - low) * np.sqrt(z - high)
    cancels = np.abs(sum_of_roots + difference) < np.abs(sum_of_roots - difference)  # beside a mass at zero
    return np.choose(cancels, [2.0 / (sum_of_roots + difference), (sum_of_roots - difference) / (2.0 * law.ratio * z)])


@verbs.stieltjes.method
def stieltjes_of_marchenko_pastur(law: MarchenkoPastur, points: PublicArray) -> Any:
    z = checked_points(points) / law.scale
    upper = np.abs(z.imag)  # also turns -0.0 into 0.0, which would choose the branch from below
    with np.errstate(divide="ignore", invalid="ignore"):
        value = -cauchy(law, z.real + 1j * upper) / law.scale
    return infinite_at_zero(law, z, np.choose(z.imag < 0, [value, value.conj()]))[()]


@verbs.density.method
def density_of_marchenko_pastur(law: MarchenkoPastur, points: PublicArray) -> Any:
    x = checked_array("points", points)
    ((low, high),) = verbs.support(law)
    inside = (x > low) & (x < high)
    safe = np.choose(inside, [high, x])
    value = np.sqrt(np.maximum((safe - low) * (high - safe), 0.0)) / (2 * np.pi * law.ratio * law.scale * safe)
    return np.choose(inside, [0.0, value])[()]


@verbs.cdf.method
def cdf_of_marchenko_pastur(law: MarchenkoPastur, points: PublicArray) -> Any:
    """Integrate z(G) = 1/G + 1/(1 - c G): the integral of G dz is z G - log G + log(1 - c G) / c."""
    x = checked_array("points", points)
    ((low, high),) = verbs.support(law)
    z = np.clip(x, max(np.nextafter(low, high), 1e-290 * high), high) / law.scale + 0j
    G = cauchy(law, z)
    above = (z * G - np.log(G) + np.log1p(-law.ratio * G) / law.ratio).imag / np.pi
    value = np.choose(x > low, [law.mass_at_zero, np.clip(1.0 - above, law.mass_at_zero, 1.0)])
    return np.choose((x >= 0) & (x < high), [1.0 * (x >= high), value])[()]
