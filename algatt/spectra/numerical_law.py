"""Laws of which only the Stieltjes transform is known, point by point: what follows of it by quadrature.

The distribution function is the integral of the density over each interval of the support. It is computed once for a
law, in the variable t with x = low + (high - low) / (1 + exp(-pi sinh t)): there every algebraic singularity at an end
is smooth, and what is beyond the last points is less than rounding, but at zero.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, ClassVar

import numpy as np

from algatt import verbs
from algatt.arguments import whole
from algatt.errors import NoSolution
from algatt.fields import PublicArray
from algatt.spectra.free_probability import cumulants_of_moments
from algatt.spectra.laws import Law, checked_array, checked_levels, checked_points, edge, floats, infinite_at_zero
from algatt.spectra.numerics import increasing_inverse

SCAN = 240
"""Points at which gaps of the support are looked for evenly, and half as many evenly in the logarithm."""

INSIDE = 1e-6
"""Points at which the imaginary part of the transform is a larger part of it than this are inside of the support."""

ROUNDS, PARTS = 12, 9
"""In which an end of the support is enclosed, each time in one part of the interval before."""

NODES = (512, 1024, 2048)
"""Of the integral over an interval: more where the mass is not 1 with fewer."""

FLOOR = 1e-13
"""Parts of the edge up to which squared singular values are not told from each other; densities go on as a power."""

MISSING = 1e-4
"""By how much the density may miss the integral 1."""

CIRCLE, BEYOND = 128, 1.15
"""Points of Cauchy's integral for moments on a quarter of a circle, and its radius in parts of a number that all
singular values are below: the error is a power -512 of it.
"""

ENDS = 3.0
"""Of t: beyond, x is within 2e-14 of an end, in parts of the interval."""


@dataclass(frozen=True)
class NumericalLaw(Law):
    r"""Laws that are computed point by point; frozen, with everything that was computed kept.

    A concrete one has `transform` and `span`. Gaps of the support that are narrower than a hundredth of its length
    may not be found.
    """

    unresolved: ClassVar[float] = 0.2
    """By how much the mass nearly at zero, which is what is missing of 1, may differ from what a power law says, in
    parts of it.
    """

    @abstractmethod
    def transform(self, w: np.ndarray) -> np.ndarray:
        r"""Return the Cauchy transform :math:`\int \frac{w}{w^2 - x} d\nu(x)` at points w of the closed upper right
        quarter, an array of one axis.
        """

    @property
    @abstractmethod
    def span(self) -> float:
        """A number of the order of the largest singular value, above its tenth."""


@dataclass(frozen=True, eq=False)
class Interval:
    """The integral of the density over an interval of the support.

    Parameters
    ----------
    low, high : float
        Its ends.
    base : float
        What the distribution function is at the lower end.
    nodes : numpy.ndarray
        Values of t.
    reached, slope : scipy.interpolate.BSpline
        The distribution function above the first node, and its derivative by t.
    start : float
        What it is at the first node.
    power : float
        By which it grows below the first node.
    """

    low: float
    high: float
    base: float
    nodes: np.ndarray
    reached: Any
    slope: Any
    start: float
    power: float


def point_of(low: float, high: float, t: np.ndarray) -> np.ndarray:
    """Return x of t."""
    from scipy.special import expit

    return low + (high - low) * expit(np.pi * np.sinh(t))


def place_of(low: float, high: float, x: np.ndarray) -> np.ndarray:
    """Return t of x inside of an interval."""
    return np.arcsinh(np.log((x - low) / (high - x)) / np.pi)


def is_inside(law: NumericalLaw, s: np.ndarray) -> np.ndarray:
    """Say which singular values are inside of the support."""
    G = law.transform(s + 0j)
    inside: np.ndarray = -G.imag > INSIDE * np.abs(G)
    return inside


@lru_cache(maxsize=256)
def beyond(law: NumericalLaw) -> float:
    """Return a number beyond the largest singular value, and less than ten times it."""
    span = law.span
    while is_inside(law, np.geomspace(span, 10 * span, SCAN // 8)).any():
        span *= 1.5
    return span


@lru_cache(maxsize=256)
def intervals(law: NumericalLaw) -> tuple[tuple[float, float], ...]:
    """Return the ends of the intervals of the support, of singular values; the first begins at zero if it begins at the
    smallest one that is looked at.
    """
    span = beyond(law)
    scan = np.unique(np.concatenate([np.linspace(0, span, SCAN + 1)[1:], span * np.logspace(-6.5, 0, SCAN // 2)]))
    inside = is_inside(law, scan)
    changes = np.flatnonzero(inside[1:] != inside[:-1])
    low, high, rising = scan[changes], scan[changes + 1], inside[changes + 1]
    fractions = np.linspace(0, 1, PARTS + 1)[1:-1]
    for _ in range(ROUNDS):  # all ends at once
        places = low[:, None] + (high - low)[:, None] * fractions
        found = is_inside(law, places.ravel()).reshape(places.shape) == rising[:, None]  # as at the upper end
        first = np.argmax(np.concatenate([found, np.ones((len(low), 1), bool)], axis=1), axis=1)
        edges = np.concatenate([low[:, None], places, high[:, None]], axis=1)
        low, high = edges[np.arange(len(low)), first], edges[np.arange(len(low)), first + 1]
    ends = list((low + high) / 2)
    if inside[0]:
        ends.insert(0, 0.0)
    if len(ends) < 2:
        raise NoSolution("the law has no support that could be found: its numbers may be too large for floats")
    return tuple(zip(ends[::2], ends[1::2], strict=True))


@verbs.support.method
def support_of_numerical_law(law: NumericalLaw) -> tuple[tuple[float, float], ...]:
    return tuple((float(low) ** 2, float(high) ** 2) for low, high in intervals(law))


def density_at(law: NumericalLaw, x: np.ndarray) -> np.ndarray:
    """Return the density at positive points inside of the support, which are not nearly zero."""
    s = np.sqrt(x)
    return np.maximum(-law.transform(s + 0j).imag / (np.pi * s), 0.0)


def measured(law: NumericalLaw, low: float, high: float, nodes: int) -> tuple[np.ndarray, Any, Any, float, float]:
    """Return nodes, the integral of the density from the first one on, its derivative, the mass below the first node,
    and by which power it grows there.
    """
    from scipy.interpolate import make_interp_spline

    first = -ENDS if low > 0 else float(place_of(low, high, np.array(FLOOR * high)))
    t = np.linspace(first, ENDS, nodes)
    x = point_of(low, high, t)
    density = density_at(law, x)
    below = (high - x) / (high - low) if low == 0 else (x - low) * (high - x) / (high - low) ** 2
    speed = density * np.pi * np.cosh(t) * (x * below if low == 0 else (high - low) * below)
    slope = make_interp_spline(t, speed, k=5)
    power, start = 1.0, 0.0
    if low == 0:
        power += float(np.log(density[8] / density[0]) / np.log(x[8] / x[0]))
        start = float(density[0] * x[0] / power)
    return t, slope.antiderivative(), slope, start, power


@lru_cache(maxsize=256)
def integrals(law: NumericalLaw) -> tuple[Interval, ...]:
    """Return the distribution function on the intervals of the support."""
    for nodes in NODES:
        parts = [(low, high, *measured(law, low, high, nodes)) for low, high in verbs.support(law)]
        masses = [float(integral(t[-1])) for _, _, t, integral, *_ in parts]
        missing = 1.0 - law.mass_at_zero - sum(masses)
        estimate = parts[0][-2]  # of what is below the first node
        if abs(missing - estimate) <= MISSING + law.unresolved * estimate:
            break
    else:
        integral_found = f"the integral {sum(masses) + estimate:.6g} instead of {1 - law.mass_at_zero:.6g}"
        raise NoSolution(f"the density has {integral_found}: the equation of the law could not be followed everywhere")
    known, reached = [], law.mass_at_zero
    for number, ((low, high, t, integral, slope, start, power), mass) in enumerate(zip(parts, masses, strict=True)):
        below = max(missing, 0.0) if number == 0 and start > 0 else 0.0
        known.append(Interval(low, high, reached, t, integral, slope, below, power))
        reached += below + mass
    return tuple(known)


@verbs.density.method
def density_of_numerical_law(law: NumericalLaw, points: PublicArray) -> Any:
    x = checked_array("points", points)
    value = np.zeros(x.shape)
    for part in integrals(law):
        within = (x > part.low) & (x < part.high)
        least = FLOOR * part.high if part.low == 0 else 0.0
        some = x[within]
        found = density_at(law, np.maximum(some, least))
        if part.low == 0:
            found = found * np.minimum(np.maximum(some, 1e-300) / least, 1.0) ** (part.power - 1)
        value[within] = found
    return value[()]


@verbs.cdf.method
def cdf_of_numerical_law(law: NumericalLaw, points: PublicArray) -> Any:
    x = checked_array("points", points)
    value = np.zeros(x.shape)
    value[x >= 0] = law.mass_at_zero
    for part in integrals(law):
        within = (x > part.low) & (x < part.high)
        value[within] = part.base + reached_in(part, x[within])
        value[x >= part.high] = part.base + part.start + float(part.reached(part.nodes[-1]))
    value[x >= edge(law)] = 1.0
    return np.minimum(value, 1.0)[()]


def reached_in(part: Interval, x: np.ndarray) -> np.ndarray:
    """Return what the distribution function grows by from the lower end of an interval to points inside of it."""
    t = place_of(part.low, part.high, x)
    above = part.start + part.reached(np.clip(t, part.nodes[0], part.nodes[-1]))
    if part.low > 0:
        return above
    least = FLOOR * part.high
    return np.choose(t < part.nodes[0], [above, part.start * (np.maximum(x, 1e-300) / least) ** part.power])


@verbs.quantile.method
def quantile_of_numerical_law(law: NumericalLaw, probabilities: PublicArray) -> Any:
    levels = checked_levels(probabilities)
    flat = levels.ravel()
    parts = integrals(law)
    lowest = 0.0 if law.mass_at_zero else parts[0].low
    points = np.full(flat.shape, lowest)
    for part in parts:
        rest = flat - part.base
        most = part.start + float(part.reached(part.nodes[-1]))
        below = (rest > 0) & (rest <= part.start)
        points[below] = FLOOR * part.high * (rest[below] / part.start) ** (1 / part.power) if below.any() else 0.0
        above = (rest > part.start) & (rest <= most)
        low, high = (np.full(int(above.sum()), end) for end in (part.nodes[0], part.nodes[-1]))
        t = increasing_inverse(part.reached, part.slope, rest[above] - part.start, low, high)
        points[above] = point_of(part.low, part.high, t)
        points[rest > most] = part.high
    points[flat >= 1] = edge(law)
    return points.reshape(levels.shape)[()]


@verbs.stieltjes.method
def stieltjes_of_numerical_law(law: NumericalLaw, points: PublicArray) -> Any:
    z = checked_points(points)
    w = np.sqrt(z.real + 1j * np.abs(z.imag)).ravel()
    somewhere = w != 0
    value = np.full(w.shape, complex(np.inf))
    value[somewhere] = -law.transform(w[somewhere]) / w[somewhere]
    value = value.reshape(z.shape)
    return infinite_at_zero(law, z, np.choose(z.imag < 0, [value, value.conj()]))[()]


@verbs.moments.method
def moments_of_numerical_law(law: NumericalLaw, count: int | np.integer) -> tuple[float, ...]:
    """By Cauchy's integral: the transform is the sum of the moments of order q times w^(-2q-1) on a circle around the
    support, and by symmetry a quarter of it is enough.
    """
    orders = range(1, whole("count", count) + 1)
    angles = (np.arange(CIRCLE) + 0.5) * np.pi / (2 * CIRCLE)
    radius = BEYOND * beyond(law)
    unit = np.exp(1j * angles)
    G = law.transform(radius * unit) * radius * unit
    return floats(len(orders), lambda: (radius ** (2 * q) * float((G * unit ** (2 * q)).real.mean()) for q in orders))


@verbs.free_cumulants.method
def cumulants_of_numerical_law(law: NumericalLaw, count: int | np.integer) -> tuple[float, ...]:
    return tuple(cumulants_of_moments(verbs.moments(law, count)))
