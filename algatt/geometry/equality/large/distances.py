"""How far the image of the first point is from the second one, in the coordinates of the second one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Elements
from algatt.geometry.equality.large.difference import COMPUTED, SAFETY, Fit
from algatt.geometry.equality.large.standard import brought_to_rest
from algatt.geometry.equality.large.values import largest, sealed
from algatt.parameters import Weights

__all__ = ["Distances", "is_reached", "replaced"]

DRAWS = 2
"""So many random changes by the bounds are taken back from standard position."""


@dataclass(frozen=True, eq=False)
class Distances:
    """The image of the first point in the coordinates of the second one, and how far from it rounding may lead.

    Parameters
    ----------
    fit : Fit
        What carries the one to the other.
    image, two : Weights
        The image, and the second point.
    allowed : dict of str to ndarray
        How far entries of tensors may be from those of their images.
    """

    fit: Fit
    image: Weights
    two: Weights
    allowed: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, fit: Fit, two: Weights) -> Distances:
        """Measure them: entries are changed by their bounds in standard position, and taken back from there.

        Gains make some rows, or columns, far larger than others: each has a bound of its own.
        """
        back, at_rest = fit.back, fit.image
        image: Weights = verbs.act(back, at_rest)
        allowed = {name: np.full((1, 1), SAFETY * COMPUTED * largest(one.raw)) for name, one in image.tensors.items()}
        draw = np.random.default_rng(0)
        for _ in range(DRAWS):
            other: Weights = verbs.act(back, signed(at_rest, fit, draw))
            for name, one in image.tensors.items():
                change = as_matrix(other.tensors[name].raw) - as_matrix(one.raw)
                np.abs(change, out=change)
                ends = np.minimum(change.max(axis=1, keepdims=True), change.max(axis=0, keepdims=True))
                allowed[name] = np.maximum(allowed[name], ends)
        return cls(fit, image, two, allowed)

    def entries(self, image: Weights) -> dict[str, float]:
        """Return in how many entries tensors differ from those of an image, for those that do."""
        found = {}
        for name, one in image.tensors.items():
            distances = np.abs(as_matrix(one.raw) - as_matrix(self.two.tensors[name].raw))
            for places in self.fit.resolution.unseen.get(name, ()):
                distances[places] = 0
            count = float(np.sum(distances > self.allowed[name]))
            if count:
                found[name] = count
        return found


def signed(theta: Weights, fit: Fit, draw: np.random.Generator) -> Weights:
    """Return a point in standard position with all entries changed by as much as rounding may, with random signs."""
    arrays = {}
    for name, one in theta.tensors.items():
        matrix = as_matrix(one.raw)
        signs = [draw.choice([-1.0, 1.0], size) for size in matrix.shape]
        arrays[name] = np.multiply.outer(signs[0] * fit.bounds[name] * largest(one.raw), signs[1])
        arrays[name] += matrix
    return replaced(theta, arrays)


def is_reached(arch: Architecture, fit: Fit, two: Weights) -> bool:
    """Return whether another second point is what the first one is carried to, up to rounding."""
    _, there = brought_to_rest(arch, two)
    for name in sorted(there.tensors, key=lambda name: name not in fit.beyond):  # most others are reached
        distances = np.abs(fit.resolution.moved(name) - as_matrix(there.tensors[name].raw))
        for places in fit.resolution.unseen.get(name, ()):
            distances[places] = 0
        if distances.max() > fit.bounds[name] * (largest(fit.resolution.two[name]) or 1.0):
            return False
    return True


def as_matrix(raw: np.ndarray) -> np.ndarray:
    """Return a tensor as a matrix."""
    matrix: np.ndarray = raw.reshape(((1, 1) + raw.shape)[-2:])
    return matrix


def replaced(theta: Weights, arrays: Mapping[str, np.ndarray]) -> Weights:
    """Return a point with other arrays for some tensors, which cannot be written to from now on."""
    return theta.replace(
        [
            Elements(one.field, sealed(arrays[name]).reshape(one.raw.shape)) if name in arrays else one
            for name, one in theta.tensors.items()
        ]
    )
