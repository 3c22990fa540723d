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
from algatt.fields import Elements
from algatt.fields.real import precision_of
from algatt.geometry.equality.large.difference import Fit, fit_weights
from algatt.geometry.equality.large.values import COMPUTED, sealed
from algatt.parameters import Weights

__all__ = ["unexplained_tensors"]

TWINS = 3
"""So many pairs are rounded at random."""

FACTOR = 8.0
"""A residual that is larger than this many times those of all twins is no rounding. Of weights that were moved by
matrices of condition 1000 it was at most 3 times the largest of theirs, and at least 30 times where one entry of a bias
was changed that norms of such matrices would explain.
"""


def unexplained_tensors(
    arch: Architecture, fit: Fit, one: Weights, two: Weights, *, unseen: bool = True
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
    """
    asked = () if fit.beyond else fit.unmet
    if not asked:
        return fit.beyond
    image: Weights = verbs.act(fit.back, fit.image)
    largest = dict.fromkeys(asked, 0.0)
    draw = np.random.default_rng(0)
    for _ in range(TWINS):
        first, second = (
            rounded_anew(theta, max(2.0 ** -precision_of(source.field), COMPUTED), draw)
            for theta, source in ((one, one), (image, two))
        )
        twin = fit_weights(arch, first, second, unseen=unseen, like=fit).residuals
        largest = {name: max(size, twin[name]) for name, size in largest.items()}
    return tuple(name for name, size in largest.items() if fit.residuals[name] > FACTOR * size)


def rounded_anew(theta: Weights, unit: float, draw: np.random.Generator) -> Weights:
    """Return a point with each entry changed at random, by a unit of its size at most."""
    return theta.replace(
        [
            Elements(one.field, sealed(one.raw * (1 + unit * draw.uniform(-1, 1, one.raw.shape))))
            for one in theta.elements
        ]
    )
