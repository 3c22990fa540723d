"""Which tensors explain that no element carries one point to another: the fewest.

In standard position what a gain, or a bias of a norm, does shows in all that reads it. So the image of the first point
is looked at in the coordinates of the second one, and gains and biases are tried that would explain what is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import DivisionByZero
from algatt.fields import Elements, Reals
from algatt.geometry.equality.large.difference import Fit
from algatt.geometry.equality.large.standard import largest
from algatt.parameters import Weights
from algatt.symmetry import GainSymmetry, NormBiasSymmetry, ShiftSymmetry

__all__ = ["fewest_tensors"]

MOST_TRIED = 4096
"""Biases with more entries than this are not tried."""


def fewest_tensors(arch: Architecture, fit: Fit, one: Weights, two: Weights) -> tuple[str, ...]:
    """Return the tensors that differ, in the coordinates of the second point; a gain or a bias alone if this explains
    the rest in fewer entries.
    """
    try:
        image = verbs.act(fit.element, one)
    except DivisionByZero:
        return fit.beyond
    broken = differing(fit, image, two)
    best = (entries_of(fit, image, two, broken), broken) if broken else (np.inf, fit.beyond)
    for name, other in explained_by_gain(arch, fit, image, two, broken):
        best = min(best, (other, (name,)))
    for name, other in explained_by_vector(arch, fit, image, two, broken):
        best = min(best, (other, (name,)))
    return best[1]


def threshold(fit: Fit, name: str, two: Weights) -> float:
    """Return how far entries of a tensor may be from those of its image."""
    return fit.bounds[name] * max(largest(two.tensors[name].raw), fit.second.peaks[name])


def differing(fit: Fit, image: Weights, two: Weights) -> tuple[str, ...]:
    """Return the tensors that are farther from their images than rounding explains."""
    pairs = zip(image.tensors.items(), two.tensors.values(), strict=True)
    unseen = fit.resolution.unseen
    far = (name for (name, a), b in pairs if np.abs(a.raw - b.raw).max() > threshold(fit, name, two))
    return tuple(name for name in far if name not in unseen or fit.resolution.residual(name) > fit.bounds[name])


def entries_of(fit: Fit, image: Weights, two: Weights, names: tuple[str, ...]) -> float:
    """Return in how many entries tensors differ."""
    return float(
        sum(
            np.sum(np.abs(image.tensors[name].raw - two.tensors[name].raw) > threshold(fit, name, two))
            for name in names
        )
    )


def explained_by_gain(
    arch: Architecture, fit: Fit, image: Weights, two: Weights, broken: tuple[str, ...]
) -> Iterator[tuple[str, float]]:
    """Iterate over the gains that explain what is broken, each with the number of its entries that differ."""
    for family in verbs.members(GainSymmetry, arch):
        gain = family.gain
        if not broken or not set(broken) <= set(gain.tensors):
            continue
        left, right = np.zeros(family.size), np.zeros(family.size)
        for names, axis in ((gain.columns, 0), (gain.rows, 1)):
            for name in names:
                a, b = (theta.tensors[name].raw for theta in (image, two))
                left += np.sum(a * a, axis=axis).ravel()
                right += np.sum(a * b, axis=axis).ravel()
        if np.all(left > 0) and np.all(right != 0):
            yield from explained(fit, family.element_of(column(left / right)), gain.name, image, two, left / right - 1)


def explained_by_vector(
    arch: Architecture, fit: Fit, image: Weights, two: Weights, broken: tuple[str, ...]
) -> Iterator[tuple[str, float]]:
    """Iterate over the biases and shifts that explain what is broken, each with the number of entries that differ."""
    for kind in (NormBiasSymmetry, ShiftSymmetry):
        for family in verbs.members(kind, arch):
            size = family.dimension
            if not broken or not set(broken) <= set(family.tensors) or size > MOST_TRIED:
                continue
            name = family.bias.name if isinstance(family, NormBiasSymmetry) else family.shift.tensor
            others = [one for one in family.tensors if one != name]
            vectors = list(basis_of(family, image))
            if not others or not vectors:
                continue
            base = stacked(image.tensors, others)
            columns = [stacked(verbs.act(family.element_of(column(v)), image).tensors, others) - base for v in vectors]
            found = np.linalg.lstsq(np.stack(columns, axis=1), stacked(two.tensors, others) - base, rcond=None)[0]
            vector = np.stack(vectors, axis=1) @ found
            yield from explained(fit, family.element_of(column(vector)), name, image, two, vector)


def basis_of(family: NormBiasSymmetry | ShiftSymmetry, theta: Weights) -> Iterator[np.ndarray]:
    """Iterate over the vectors that may be added to a bias, or to what is shifted."""
    if isinstance(family, NormBiasSymmetry):
        yield from np.eye(family.dimension)
    elif not family.shift.conditions:
        yield from np.eye(family.size)


def explained(
    fit: Fit, element: object, name: str, image: Weights, two: Weights, entries: np.ndarray
) -> Iterator[tuple[str, float]]:
    """Give the name of a tensor, and how many of its entries differ, if an element explains all the others."""
    try:
        moved: Weights = verbs.act(element, image)
    except DivisionByZero:
        return
    if set(differing(fit, moved, two)) <= {name}:
        scale = float(np.abs(entries).max()) or 1.0
        yield name, float(np.sum(np.abs(entries) > 1e-3 * scale))


def column(vector: np.ndarray) -> Elements:
    """Return a vector as a matrix of one column."""
    return Elements(Reals(), vector.reshape(-1, 1))


def stacked(tensors: Mapping[str, Elements], names: list[str]) -> np.ndarray:
    """Return the entries of tensors, one after another."""
    found: np.ndarray = np.concatenate([tensors[name].raw.ravel() for name in names])
    return found
