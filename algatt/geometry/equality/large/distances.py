"""How far the image of the first point is from the second one, in the coordinates of the second one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Elements
from algatt.geometry.equality.large.arrays import as_matrix, entered, largest
from algatt.geometry.equality.large.difference import SAFETY, Fit
from algatt.geometry.equality.large.standard import brought_to_rest
from algatt.geometry.equality.large.values import COMPUTED
from algatt.parameters import Weights

DRAWS = 2
"""So many random changes by the bounds are taken back from standard position."""

Ends = tuple[np.ndarray, np.ndarray]
"""The largest change in each row of a tensor, as a column, and in each column of it, as a row."""


@dataclass(frozen=True, eq=False)
class Distances:
    """The image of the first point in the coordinates of the second one, and how far from it rounding may lead.

    Parameters
    ----------
    fit : Fit
        What carries the one to the other.
    image, two : Weights
        The image, and the second point.
    floors : dict of str to float
        How far entries of tensors may be from those of their images at least.
    changes : dict of str to list of (ndarray, ndarray)
        How far they may be besides, for each random change: the largest in each row, as a column, and in each column,
        of which the smaller one counts.
    """

    fit: Fit
    image: Weights
    two: Weights
    floors: Mapping[str, float]
    changes: Mapping[str, list[Ends]]

    @classmethod
    def of(cls, fit: Fit, two: Weights) -> Distances:
        """Measure them: entries are changed by their bounds in standard position, and taken back from there.

        Gains make some rows, or columns, far larger than others: each has a bound of its own.
        """
        image = taken_back(fit)
        floors = {name: SAFETY * COMPUTED * largest(one.raw) for name, one in image.tensors.items()}
        changes: dict[str, list[Ends]] = {name: [] for name in floors}
        draw = np.random.default_rng(0)
        for _ in range(DRAWS):
            for name, one in taken_back(fit, draw).tensors.items():
                change = as_matrix(one.raw) - as_matrix(image.tensors[name].raw)
                np.abs(change, out=change)
                changes[name].append((change.max(axis=1, keepdims=True), change.max(axis=0, keepdims=True)))
        return cls(fit, image, two, floors, changes)

    def allowed(self, name: str) -> np.ndarray:
        """Return how far the entries of a tensor may be from those of its image."""
        found = np.full((1, 1), self.floors[name])
        for rows, columns in self.changes[name]:
            found = np.maximum(found, np.minimum(rows, columns))
        return found

    def entries(self, image: Weights, names: Iterable[str] | None = None) -> dict[str, float]:
        """Return in how many entries tensors differ from those of an image, for those that do; of all tensors, or of
        some.
        """
        found, images, others = {}, image.tensors, self.two.tensors
        for name in images if names is None else names:
            both = as_matrix(images[name].raw), as_matrix(others[name].raw)
            distances = self.fit.resolution.distances_between(name, *both)
            if distances.max() > self.floors[name]:
                count = float(np.sum(distances > self.allowed(name)))
                if count:
                    found[name] = count
        return found


def taken_back(fit: Fit, draw: np.random.Generator | None = None) -> Weights:
    """Return the image of the first point in the coordinates of the second one; if random numbers are given, after all
    entries were changed in standard position by as much as rounding may, with random signs.

    What is on the way is dropped step by step, as each point of a large network takes gigabytes.
    """
    tensors = fit.change.move(fit.first.theta.tensors)
    if draw is not None:
        for name, one in tensors.items():
            tensors[name] = signed(one, fit.bounds[name], draw)
    point = fit.first.theta.replace(list(tensors.values()))
    del tensors
    for factor in reversed(fit.back.factors):
        point = verbs.act(factor, point)
    return point


def signed(one: Elements, bound: float, draw: np.random.Generator) -> Elements:
    """Return a tensor with all entries changed by a share of the largest, with random signs."""
    matrix = as_matrix(one.raw)
    signs = [draw.choice([-1.0, 1.0], size) for size in matrix.shape]
    raw = np.multiply.outer(signs[0] * bound * largest(matrix), signs[1])
    raw += matrix
    return entered(one, raw)


def is_reached(arch: Architecture, fit: Fit, two: Weights) -> bool:
    """Return whether another second point is what the first one is carried to, up to rounding."""
    _, there = brought_to_rest(arch, two, unseen=fit.second.unseen)
    for name in sorted(there.tensors, key=lambda name: name not in fit.beyond):  # most others are reached
        both = fit.resolution.moved(name), as_matrix(there.tensors[name].raw)
        distances = fit.resolution.distances_between(name, *both)
        if distances.max() > fit.bounds[name] * (fit.resolution.sizes[name][1] or 1.0):
            return False
    return True
