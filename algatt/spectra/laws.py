"""Probability laws on the half line: what they have in common, and the methods that need nothing else."""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import is_real, whole
from algatt.errors import PLAIN, InvalidArgument, in_words
from algatt.fields import PublicArray
from algatt.fields.arrays import kind_in_words, public_array
from algatt.randomness import check_seed, random_words
from algatt.spectra.free_probability import moments_of_cumulants
from algatt.spectra.numerics import increasing_inverse

LEAST, MOST = 1e-100, 1e100
"""Of the parameters of laws: squares and products of two of them are floats."""

MOST_RATIO = 1e8
"""Beyond, an interval of the support is so narrow, c^(-1/2) times its place, that floats do not resolve its ends."""

TABLE = 257
"""Points of a component of the support between which a quantile is bracketed first."""


def checked_number(argument: str, value: Any, *, positive: bool = True) -> float:
    """Return a finite number > 0, or >= 0 if not `positive`, as a float."""
    try:
        number = float(value) if is_real(value) else np.nan
    except OverflowError:  # a large int
        number = np.inf
    if not np.isfinite(number) or number < 0 or (positive and number == 0):
        raise InvalidArgument(argument, repr(value), f"a finite number {'>' if positive else '>='} 0")
    return number


def checked_parameter(
    argument: str, value: Any, *, positive: bool = True, least: float = LEAST, most: float = MOST
) -> float:
    """Return a number as `checked_number` does, if it is 0 or between two others."""
    number = checked_number(argument, value, positive=positive)
    if number and not least <= number <= most:
        raise InvalidArgument(
            argument, repr(value), f"between {least:g} and {most:g}: beyond, floats do not resolve the law"
        )
    return number


def numbers(argument: str, values: Any, kind: type = float) -> np.ndarray:
    """Return numbers, NaN among them perhaps, as an array of floats, or of complex numbers."""
    # integers beyond 64 bits are objects; numpy would read strings, and cut imaginary parts
    kinds = "iufcO" if kind is complex else "iufO"
    raw, _ = public_array(values, argument)
    if raw.dtype.kind in kinds and (raw.dtype != object or all(isinstance(entry, int | float) for entry in raw.flat)):
        with suppress(OverflowError):
            array: np.ndarray = raw.astype(kind)
            return array
    was = in_words(values) if isinstance(values, PLAIN) else kind_in_words(values, raw)
    raise InvalidArgument(argument, was, "a number, or an array of numbers")


def checked_array(argument: str, values: Any, kind: type = float) -> np.ndarray:
    """Return numbers without NaN as an array of floats, or of complex numbers."""
    array = numbers(argument, values, kind)
    if np.isnan(array).any():
        raise InvalidArgument(argument, "with NaN", "without")
    return array


def checked_points(values: Any) -> np.ndarray:
    """Return finite points of the plane."""
    points = checked_array("points", values, complex)
    if not np.isfinite(points).all():
        raise InvalidArgument("points", "with infinity", "finite")
    return points


def checked_levels(probabilities: Any) -> np.ndarray:
    """Return numbers between 0 and 1."""
    levels = checked_array("probabilities", probabilities)
    if ((levels < 0) | (levels > 1)).any():
        raise InvalidArgument("probabilities", "with entries outside of [0, 1]", "between 0 and 1")
    return levels


def floats(count: int, numbers: Callable[[], Iterable[Any]]) -> tuple[float, ...]:
    """Return positive numbers of a law of orders 1, ..., count as floats, or raise `InvalidArgument` if
    they are none.
    """
    try:
        values = tuple(float(number) for number in numbers())
    except OverflowError:
        values = (np.inf,)
    if not np.isfinite(values).all():
        raise InvalidArgument("count", f"{count}", "smaller: numbers of this order are too large for floats")
    return values


@dataclass(frozen=True)
class Law(ABC):
    """A probability law on [0, oo) with compact support: a density, and perhaps a mass at zero.

    A concrete law gives methods to `algatt.spectra.density`, `algatt.spectra.cdf`, `algatt.spectra.stieltjes`,
    `algatt.spectra.support` and `algatt.spectra.free_cumulants`; the other verbs follow from these, and so do `cdf`,
    `pdf`, `ppf` and `rvs` with the conventions of scipy's frozen distributions.
    """

    @property
    def mass_at_zero(self) -> float:
        """The probability of zero."""
        return 0.0

    @property
    def mean(self) -> float:
        """The mean."""
        return float(verbs.moments(self, 1)[0])

    def cdf(self, x: Any) -> Any:
        """Return the distribution function at points; NaN at NaN."""
        points = numbers("x", x)
        return where_known(~np.isnan(points), lambda known: verbs.cdf(self, known), points)

    def pdf(self, x: Any) -> Any:
        """Return the density at points, without a mass at zero; NaN at NaN."""
        points = numbers("x", x)
        return where_known(~np.isnan(points), lambda known: verbs.density(self, known), points)

    def ppf(self, q: Any) -> Any:
        """Return the quantiles, the inverse of `cdf`; NaN outside of [0, 1]."""
        levels = numbers("q", q)
        return where_known((levels >= 0) & (levels <= 1), lambda known: verbs.quantile(self, known), levels)

    def rvs(self, size: int | Iterable[int] | None = None, random_state: int = 0) -> Any:
        """Draw independent random numbers: the quantiles of uniform ones.

        Parameters
        ----------
        size : int or sequence of int, optional
            The shape of the array; a single number unless given.
        random_state : int, optional
            Names the draw, as every `seed` does, by the stream of `algatt.randomness`; laws share the uniform numbers.
            There is no hidden state: the same number draws the same again.

        Returns
        -------
        float or numpy.ndarray
            Cost: about 0.2 milliseconds a number.

        Raises
        ------
        InvalidArgument
            If the size is no shape, or the random state no integer >= 0: a generator has no name.
        """
        shape = () if size is None else tuple(size) if isinstance(size, Iterable) else (size,)
        shape = tuple(whole("size", entry, 0) for entry in shape)
        words = random_words(check_seed(random_state, "random_state"), "law", prod(shape))
        return verbs.quantile(self, ((words >> np.uint64(11)).astype(np.float64) / 2.0**53).reshape(shape))

    @classmethod
    def examples(cls) -> Iterable[Law]:
        """Return instances on which the tests run."""
        return ()


def where_known(known: np.ndarray, function: Callable[[np.ndarray], Any], values: np.ndarray) -> Any:
    """Return a function of the values where it is known, and NaN elsewhere."""
    result = np.full(values.shape, np.nan)
    result[known] = function(values[known])
    return result[()]


def infinite_at_zero(law: Law, z: np.ndarray, value: np.ndarray) -> np.ndarray:
    """Return values of a Stieltjes transform with its pole, or singularity, at zero where the support begins there."""
    begins = law.mass_at_zero > 0 or verbs.support(law)[0][0] == 0
    return np.choose((z == 0) & begins, [value, np.inf])


def edge(law: Law) -> float:
    """Return the right end of the support of a law. Numerical, to the last digits; of laws that are computed point by
    point to about 1e-11 of it.

    Parameters
    ----------
    law : Law
        `AttentionLaw`, `LinearLaw`, `MarchenkoPastur`, `FussCatalan`, or a law that is computed point by point:
        `ExpressionLaw`, `CompoundPoissonLaw` or `CausalLaw`.
    """
    return float(verbs.support(law)[-1][1])


@verbs.moments.method
def moments_of_law(law: Law, count: int | np.integer) -> tuple[float, ...]:
    cumulants = verbs.free_cumulants(law, count)
    return floats(len(cumulants), lambda: moments_of_cumulants(cumulants))


@verbs.quantile.method
def quantile_of_law(law: Law, probabilities: PublicArray) -> Any:
    levels = checked_levels(probabilities)
    # in the variable sqrt(x), in which densities are finite at zero or nearly so
    grid = np.concatenate([component_grid(*ends) for ends in verbs.support(law)])
    reached = verbs.cdf(law, grid**2)
    place = np.clip(np.searchsorted(reached, levels), 1, len(grid) - 1)
    roots = increasing_inverse(
        lambda s: verbs.cdf(law, s**2),
        lambda s: 2 * s * verbs.density(law, s**2),
        levels.ravel(),
        grid[place - 1].ravel(),
        grid[place].ravel(),
    ).reshape(levels.shape)
    lowest = 0.0 if law.mass_at_zero else verbs.support(law)[0][0]
    found = np.choose(levels <= law.mass_at_zero, [roots**2, lowest])
    return np.choose(levels >= 1, [found, edge(law)])[()]


def component_grid(low: float, high: float) -> np.ndarray:
    """Return points of the square roots of an interval, dense at its ends."""
    left, right = np.sqrt(low), np.sqrt(high)
    grid = (left + right) / 2 - (right - left) / 2 * np.cos(np.linspace(0, np.pi, TABLE))
    grid[0], grid[-1] = left, right
    return grid
