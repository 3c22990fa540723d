"""What carries one point of a network to another best, and how far it leads from it, tensor by tensor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.network import program
from algatt.geometry.equality.large.arrays import Matrices, largest
from algatt.geometry.equality.large.change import CoordinateChange, matrix_on
from algatt.geometry.equality.large.resolution import LargeResolution
from algatt.geometry.equality.large.search import Unseen, is_permuted, resolve, unmoved
from algatt.geometry.equality.large.spaces import large_motions
from algatt.geometry.equality.large.standard import Rest, to_standard_position
from algatt.geometry.equality.large.values import COMPUTED, unit_of
from algatt.geometry.equality.networks.standard import hidden_in
from algatt.parameters import Weights
from algatt.symmetry import ProductElement

SAFETY = 32.0
"""The bound for rounding is so many times the size of an error of an entry; see docs/theory/elements.md."""

QUARTER = 0.25
"""A tensor is met where its residual is at most this part of its bound: 8 times the size of an error of an entry. Of a
larger one, up to the bound, it has to be asked whether it is rounding.
"""

REFINEMENTS = 3
"""If tensors contradict each other, all is solved for again so often at most."""


@dataclass(frozen=True, eq=False)
class Fit:
    """The element of the group of a network that carries one point to another best.

    Parameters
    ----------
    resolution : Resolution
        What was found: matrices, orders and numbers, between points in standard position.
    first, second : Rest
        The points there.
    residuals : dict of str to float
        For each tensor in standard position, how far the image of the first point is from the second one: the largest
        entry, relative to the largest of the tensor.
    bounds : dict of str to float
        For each, what rounding of the sources explains of that.
    coarseness : dict of str to float
        What it would explain if nothing had cancelled in standard position.
    unit : float
        What rounding changes entries of the sources by, relative to them.
    """

    resolution: LargeResolution
    first: Rest
    second: Rest
    residuals: Mapping[str, float]
    bounds: Mapping[str, float]
    coarseness: Mapping[str, float]
    unit: float

    @property
    def image(self) -> Weights:
        """The image of the first point, in standard position."""
        moved = self.change.move(self.first.theta.tensors)
        return self.first.theta.replace(list(moved.values()))

    @property
    def change(self) -> CoordinateChange:
        """The element between the points in standard position."""
        found = self.resolution
        sources = {name: source for name, source in found.sources.items() if name != source}
        return CoordinateChange(found.motions, sources, found.matrices, found.orders, found.numbers, found.rows)

    @property
    def element(self) -> ProductElement:
        """The element that carries the first point to the second, or near it."""
        return ProductElement((*self.back.factors, self.change, *self.first.elements))

    @property
    def back(self) -> ProductElement:
        """The element that leads from standard position to the coordinates of the second point."""
        return ProductElement(tuple(verbs.inverse(one) for one in reversed(self.second.elements)))

    @property
    def beyond(self) -> tuple[str, ...]:
        """The tensors whose residual is more than rounding, in the order of the network."""
        return tuple(name for name, residual in self.residuals.items() if not residual <= self.bounds[name])

    @property
    def unmet(self) -> tuple[str, ...]:
        """The tensors whose residual is more than rounding explains with room to spare."""
        return tuple(name for name, residual in self.residuals.items() if not residual <= QUARTER * self.bounds[name])


def fit_weights(arch: Architecture, one: Weights, two: Weights, *, unseen: bool = True) -> Fit:
    """Return the element that carries one point to another best, and how far it leads from it.

    Where most tensors are as they were, nothing is permuted at first; then, if that does not explain all, terms are
    exchanged, and rows matched.

    Parameters
    ----------
    arch : Architecture
        The network.
    one, two : Weights
        The points, over the reals.
    unseen : bool, optional
        Whether entries that no value depends on may differ. If more tokens than the network has see them, they may not.
    """
    unit = unit_of(one, two)
    second, first = (to_standard_position(arch, theta, unit=unit, unseen=unseen) for theta in (two, one))
    return fit_rests(arch, first, second, unit)


@np.errstate(over="ignore", invalid="ignore")  # where nothing fits, matrices and numbers may overflow
def fit_rests(
    arch: Architecture,
    first: Rest,
    second: Rest,
    unit: float,
    like: CoordinateChange | None = None,
) -> Fit:
    """Return the element that carries one point in standard position to another best, as `fit_weights` does.

    Parameters
    ----------
    arch : Architecture
        The network.
    first, second : Rest
        The points.
    unit : float
        What rounding changes entries of their sources by.
    like : CoordinateChange, optional
        What carries points which are nearly these to each other: terms are exchanged as there.
    """
    start = started(arch, first, second, unit)
    permuted = like is not None and like.permutes
    still, kept = None if permuted else fit_in_place(start, first, second), set[str]()
    if still is not None:
        start = still.resolution.agreed(still.unmet)
        kept = {name for name in still.residuals if name not in still.unmet and still.resolution.tells(name)}
        if not is_permuted(arch, start, still.unmet):
            return still
    found = resolve(arch, start, kept, like)
    fits = [] if found is None else [refined(measured(found, first, second))]
    return min([*fits, *([] if still is None else [still])], key=lambda fit: (len(fit.beyond), len(fit.unmet)))


def is_image(arch: Architecture, one: Weights, two: Weights, *, unseen: bool) -> bool:
    """Return whether an element carries one point to another, up to rounding; where most tensors are as they were, one
    that permutes nothing.
    """
    unit = unit_of(one, two)
    second, first = (to_standard_position(arch, theta, unit=unit, unseen=unseen) for theta in (two, one))
    still = fit_in_place(started(arch, first, second, unit), first, second)
    return not (fit_rests(arch, first, second, unit) if still is None else still).beyond


def started(arch: Architecture, first: Rest, second: Rest, unit: float) -> LargeResolution:
    """Return how two points in standard position will be compared, of which nothing is known yet."""
    one, two = (Matrices(rest.theta.tensors) for rest in (first, second))
    sizes = {name: (largest(raw), largest(two[name])) for name, raw in one.items()}
    floors = {name: (SAFETY * unit * peak, SAFETY * unit * second.peaks[name]) for name, peak in first.peaks.items()}
    hidden: Unseen = {
        name: [(list(one.rows), list(one.columns)) for one in found]
        for name, found in (hidden_in(arch) if first.unseen else {}).items()
    }
    used = {one.argument for one in program(arch).instructions if one.operation == "tensor"}
    hidden |= {name: [(slice(None), slice(None))] for name in one if name not in used}
    return LargeResolution(large_motions(arch), one, two, {}, unit, sizes, floors, hidden)


def fit_in_place(resolution: LargeResolution, first: Rest, second: Rest) -> Fit | None:
    """Return what is found if nothing is permuted; None unless most tensors are as they were."""
    still = measured(unmoved(resolution), first, second)
    return refined(still) if 2 * len(still.beyond) < len(still.residuals) else None


def refined(fit: Fit) -> Fit:
    """Return what is found if all that acts on tensors which rounding does not explain is solved for again."""
    for _ in range(REFINEMENTS):
        if not fit.beyond:
            break
        finer = fit.resolution.extended({})
        finer.refine(fit.beyond, fit.unmet)
        other = measured(finer, fit.first, fit.second)
        if len(other.beyond) >= len(fit.beyond):
            break
        fit = other
    return fit


def measured(resolution: LargeResolution, first: Rest, second: Rest) -> Fit:
    """Return what was found, with residuals and their bounds."""
    coarseness, bounds, unit = {}, {}, resolution.unit
    for name in resolution.one:
        source, size = resolution.sources[name], resolution.sizes[name][1] or 1.0
        stretched, condition = growth(resolution, name)
        coarseness[name] = SAFETY * unit * (1 + resolution.sizes[source][0] * stretched / size)
        known = unit * (second.peaks[name] + first.peaks[source] * stretched) / size
        bounds[name] = SAFETY * (known + 2 * COMPUTED * condition)
    residuals = {name: resolution.residual(name) for name in bounds}
    return Fit(resolution, first, second, residuals, bounds, coarseness, unit)


def growth(resolution: LargeResolution, name: str) -> tuple[float, float]:
    """Return by how much what acts on a tensor enlarges independent errors of its entries, at most: the product of the
    largest norms of a row of the matrix on the left and of a column of that on the right; and the product of the
    condition numbers of these matrices, by norms of all entries.
    """
    stretched = condition = 1.0
    for axis in (0, 1):
        norms: list[float] = []
        for space, side in resolution.motions.spaces_by_side.get((name, axis), ()):
            pair = resolution.matrices.get(space)
            if pair is not None:
                norms.append(float(np.linalg.norm(matrix_on(side, pair), axis=1 - axis).max()))
                if not space.rigid:
                    condition *= float(np.linalg.norm(pair[0]) * np.linalg.norm(pair[1]))
        stretched *= max(norms, default=1.0)
        one = resolution.motions.coordinates_by_side.get((name, axis))
        for factors in () if one is None else one.factors:
            power = factors.exponents.get((name, axis), 0)
            if power and factors in resolution.numbers:
                stretched *= float(np.max(np.abs(resolution.numbers[factors] ** power)))
    return stretched, condition
