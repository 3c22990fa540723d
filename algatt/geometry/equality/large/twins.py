"""Whether residuals between two points are those of rounding: they are compared with those of pairs that are equal but
for it.

How far least squares lead from a matrix that acts depends on how well the tensors that it is found from tell it, and
no bound by norms is sharp. So the image of the first point is taken for the second one, both are rounded anew, and an
element is found again, with terms exchanged as before: what is left is what rounding leaves of such points.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Elements
from algatt.fields.base import Delayed
from algatt.geometry.equality.large.change import CoordinateChange
from algatt.geometry.equality.large.difference import Fit, fit_rests
from algatt.geometry.equality.large.standard import to_standard_position
from algatt.geometry.equality.large.values import unit_of
from algatt.parameters import Weights
from algatt.symmetry import ProductElement

TWINS = (3, 8.0)
"""Maximum number of pairs that are rounded at random, and a factor: a largest residual that is larger than this many
times those of all twins is no rounding. Of weights that were moved by matrices of condition 1000 it was at most 3 times
the largest of theirs, and at least 30 times where one entry of a bias was changed that norms of such matrices would
explain.
"""

TWINS_OF_HALF = (2, 4.0, 2.0)
"""The same for half precision, where all tensors are compared with those of twins, and a factor for roots of the means
of the squares of residuals.
"""


def unexplained_tensors(
    arch: Architecture, fit: Fit, one: Weights, two: Weights, *, half: bool = False
) -> tuple[str, ...]:
    """Return the tensors whose residuals rounding does not explain: those beyond their bounds, and of those that are
    near them, for which alone twins are asked, the ones that are far larger than theirs.

    Parameters
    ----------
    arch : Architecture
        The network.
    fit : Fit
        What carries the one point to the other.
    one, two : Weights
        The points.
    half : bool, optional
        Whether bounds say nothing, so that twins are asked for all tensors.
    """
    doubt = doubt_of(fit, half=half)
    return fit.beyond if doubt is None else doubt.confirmed(arch, one, two)


def doubt_of(fit: Fit, *, half: bool = False) -> Doubt | None:
    """Return what is doubted of an element: tensors that are near their bounds, or of half precision all; None if
    nothing is, or some are beyond their bounds.
    """
    asked = tuple(fit.residuals) if half else () if fit.beyond else fit.unmet
    sizes = {name: sizes_of(fit, name) for name in asked}
    limits = TWINS_OF_HALF if half else TWINS
    if not asked:
        return None
    return Doubt(fit.element, fit.change, (fit.first.peaks, fit.second.peaks), fit.first.unseen, sizes, limits)


@dataclass(frozen=True, eq=False)
class Doubt:
    """Residuals of which bounds do not say whether they are rounding, with what twins are made of, which is no tensor.

    Parameters
    ----------
    element : ProductElement
        What carries the first point to the second, or near it.
    change : CoordinateChange
        The part of it between points in standard position.
    peaks : tuple of dict of str to float
        What rounding of the points is relative to there.
    unseen : bool
        Whether entries that no value depends on may differ.
    sizes : dict of str to ndarray
        Of each tensor that is asked about, those of `sizes_of`.
    limits : tuple of float
        The number of twins, and the factors.
    """

    element: ProductElement
    change: CoordinateChange
    peaks: tuple[Mapping[str, float], Mapping[str, float]]
    unseen: bool
    sizes: Mapping[str, np.ndarray]
    limits: tuple[float, ...]

    def confirmed(self, arch: Architecture, one: Weights, two: Weights) -> tuple[str, ...]:
        """Return the tensors whose residuals are far larger than those of twins."""
        count, *factors = self.limits
        allowed = {name: np.zeros(2) for name in self.sizes}
        beyond = tuple(self.sizes)
        for number in range(int(count)):
            image = rounded_anew(verbs.act(self.element, one), unit_of(two), [number, 1])
            second = to_standard_position(arch, image, unseen=self.unseen, peaks=self.peaks[1])
            del image  # the point that is looked at next takes as much
            near = rounded_anew(one, unit_of(one), [number, 0])
            first = to_standard_position(arch, near, unseen=self.unseen, peaks=self.peaks[0])
            twin = fit_rests(arch, first, second, unit_of(one, two), self.change)
            allowed = {name: np.maximum(before, sizes_of(twin, name)) for name, before in allowed.items()}
            beyond = tuple(
                name
                for name, own in self.sizes.items()
                if any(size > factor * most for size, factor, most in zip(own, factors, allowed[name], strict=False))
            )
            if not beyond:  # of more pairs no fewer
                break
        return beyond


def sizes_of(fit: Fit, name: str) -> np.ndarray:
    """Return the largest residual of a tensor, and the root of the mean of their squares."""
    distances = fit.resolution.distances(name)
    return np.array([distances.max(), np.sqrt(np.mean(distances**2))])


def rounded_anew(theta: Weights, unit: float, seed: list[int]) -> Weights:
    """Return a point with each entry changed at random, by a unit of its size at most, each tensor made when it is
    asked for.
    """
    return theta.replace(
        [
            Delayed(one.field, one.shape, functools.partial(rounded_tensor, one, unit, [*seed, place]))
            for place, one in enumerate(theta.elements)
        ]
    )


def rounded_tensor(one: Elements, unit: float, seed: list[int]) -> np.ndarray:
    """Return a tensor with each entry changed at random, by a unit of its size at most."""
    raw = np.random.default_rng(seed).uniform(-unit, unit, one.shape)
    raw += 1
    raw *= one.raw
    return raw
