"""Whether residuals between two points are those of rounding: they are compared with those of pairs that are equal but
for it.

How far least squares lead from a matrix that acts depends on how well the tensors that it is found from tell it, and
no bound by norms is sharp. So the image of the first point is taken for the second one, both are rounded anew, and an
element is found again, with terms exchanged as before: what is left is what rounding leaves of such points.
"""

from __future__ import annotations

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.geometry.equality.large.arrays import entered
from algatt.geometry.equality.large.difference import Fit, fit_weights
from algatt.geometry.equality.large.values import unit_of
from algatt.parameters import Weights

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
    arch: Architecture, fit: Fit, one: Weights, two: Weights, *, unseen: bool = True, half: bool = False
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
    unseen : bool, optional
        Whether entries that no value depends on may differ, as for `fit_weights`.
    half : bool, optional
        Whether bounds say nothing, so that twins are asked for all tensors.
    """
    asked = tuple(fit.residuals) if half else () if fit.beyond else fit.unmet
    if not asked:
        return fit.beyond
    image: Weights = verbs.act(fit.back, fit.image)
    count, *limits = TWINS_OF_HALF if half else TWINS
    factors = np.array(limits)
    sizes = {name: sizes_of(fit, name) for name in asked}
    allowed = {name: np.zeros(2) for name in asked}
    draw, beyond, kinds = np.random.default_rng(0), asked, len(factors)
    for _ in range(count):
        first, second = (rounded_anew(theta, unit_of(source), draw) for theta, source in ((one, one), (image, two)))
        twin = fit_weights(arch, first, second, unseen=unseen, like=fit)
        allowed = {name: np.maximum(before, sizes_of(twin, name)) for name, before in allowed.items()}
        beyond = tuple(name for name in asked if np.any(sizes[name][:kinds] > factors * allowed[name][:kinds]))
        if not beyond:  # of more pairs no fewer
            break
    return beyond


def sizes_of(fit: Fit, name: str) -> np.ndarray:
    """Return the largest residual of a tensor, and the root of the mean of their squares."""
    distances = fit.resolution.distances(name)
    return np.array([distances.max(), np.sqrt(np.mean(distances**2))])


def rounded_anew(theta: Weights, unit: float, draw: np.random.Generator) -> Weights:
    """Return a point with each entry changed at random, by a unit of its size at most."""
    return theta.replace(
        [entered(one, one.raw * (1 + unit * draw.uniform(-1, 1, one.raw.shape))) for one in theta.elements]
    )
