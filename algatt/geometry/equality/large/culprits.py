"""Which tensors explain that no element carries one point to another: the fewest.

In standard position what a gain, or a bias of a norm, does shows in all that reads it. So the image of the first point
is looked at in the coordinates of the second one, and gains and biases are tried that would explain what is left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.errors import DivisionByZero
from algatt.fields import Elements, Reals
from algatt.geometry.equality.large.arrays import as_matrix, replaced
from algatt.geometry.equality.large.difference import Fit, fit_weights
from algatt.geometry.equality.large.distances import Distances, is_reached
from algatt.geometry.equality.large.influence import Change, biases_that_explain, entries_of_change
from algatt.parameters import Weights
from algatt.symmetry import GainSymmetry, NormBiasSymmetry, ShiftSymmetry

MOST_ALONE = 8
"""So many tensors at most are tried for the one that explains what others show."""

MOST_ANEW = 2
"""So many of them at most, if an element is found anew for each."""

NEARLY = 16.0
"""A gain is tried if what it multiplies is then within this many times of what rounding may make."""

TOLD = 3
"""A vector that is added to at least so many rows, or columns, is told by most of them."""


@dataclass(frozen=True)
class Culprits:
    """The tensors that explain that two points differ.

    Parameters
    ----------
    names : tuple of str
        The fewest tensors, and of those in which the fewest entries differ.
    alternatives : tuple of str
        Other tensors, each of which alone explains it as well, in as few entries.
    """

    names: tuple[str, ...]
    alternatives: tuple[str, ...] = ()


def fewest_tensors(arch: Architecture, fit: Fit, two: Weights) -> Culprits:
    """Return the tensors that differ, in the coordinates of the second point; a gain or a bias alone if this explains
    the rest.
    """
    try:
        distances = Distances.of(fit, two)
    except DivisionByZero:
        return Culprits(fit.beyond)
    image, broken = by_most_rows(arch, distances)
    broken = broken or dict.fromkeys(fit.beyond, 1.0)
    found = [(len(broken), sum(broken.values()), tuple(broken))]
    few = sorted(broken, key=broken.__getitem__)
    # others may have taken up what one tensor does
    changes: list[Change] = [(name, image.tensors[name].raw, broken[name]) for name in few[:MOST_ALONE]]
    for kind in (gains_that_explain, norm_biases_that_explain):
        changes += kind(arch, distances, image, broken)
    changes += biases_that_explain(arch, fit, two)
    alone: list[tuple[str, float]] = []
    for name, raw, entries in sorted(changes, key=lambda change: change[2]):
        least = alone[0][1] if alone else found[0][1] if len(broken) == 1 else np.inf
        if entries <= least and (name,) != found[0][2] and is_reached(arch, fit, replaced(two, {name: raw})):
            alone.append((name, entries))
    if not alone and len(broken) > 1:
        alone += explained_anew(arch, distances, image, {name: broken[name] for name in few[:MOST_ANEW]})
    found += [(1, entries, (name,)) for name, entries in alone]
    best = min(found, key=lambda one: one[:2])
    others = [names[0] for count, entries, names in found if count == best[0] == 1 and entries == best[1]]
    return Culprits(best[2], tuple(name for name in dict.fromkeys(others) if name not in best[2]))


def by_most_rows(arch: Architecture, distances: Distances) -> tuple[Weights, dict[str, float]]:
    """Return the image after shifts by what most rows, or columns, of a tensor say, and in how many entries tensors
    differ from it: a row that is changed would change their mean.
    """
    image, broken = distances.image, distances.entries(distances.image)
    for family in verbs.members(ShiftSymmetry, arch):
        shift, axis = family.shift, 1 if family.shift.kind == "columns" else 0
        if (
            shift.tensor not in broken
            or shift.conditions
            or shift.ray
            or image.tensors[shift.tensor].shape[axis] < TOLD
        ):
            continue
        folded, other = (family.fold.folded(theta) for theta in (image, distances.two))
        difference = other[shift.tensor].raw - folded[shift.tensor].raw
        if shift.gain is not None:
            difference = difference * folded[shift.gain].raw.T
        moved: Weights = verbs.act(family.element_of(column(np.median(difference, axis=axis))), image)
        both = {name: count for name, count in broken.items() if name not in family.tensors}
        both |= distances.entries(moved, family.tensors)
        fewer = {name: both[name] for name in moved.tensors if name in both}
        if sum(fewer.values()) < sum(broken.values()):
            image, broken = moved, fewer
    return image, broken


def explained_anew(
    arch: Architecture, distances: Distances, image: Weights, broken: Mapping[str, float]
) -> Iterator[tuple[str, float]]:
    """Iterate over the tensors that explain what is broken if an element is found anew, each with the number of its
    entries that differ: where all columns of others depend on a gain that stays, it leads astray which heads are
    exchanged, and all that acts on them.
    """
    fit = distances.fit
    for name, entries in broken.items():
        other = replaced(distances.two, {name: image.tensors[name].raw})
        if not fit_weights(arch, fit.first.theta, other, unseen=fit.first.unseen).beyond:
            yield name, entries


def gains_that_explain(
    arch: Architecture, distances: Distances, image: Weights, broken: Mapping[str, float]
) -> Iterator[Change]:
    """Iterate over the gains that may explain what is broken."""
    for family in verbs.members(GainSymmetry, arch):
        gain = family.gain
        if set(gain.columns + gain.rows).isdisjoint(broken):
            continue
        left, right = np.zeros(family.size), np.zeros(family.size)
        for names, axis in ((gain.columns, 0), (gain.rows, 1)):
            for name in names:
                a, b = (theta.tensors[name].raw for theta in (image, distances.two))
                left += np.sum(a * a, axis=axis).ravel()
                right += np.sum(a * b, axis=axis).ravel()
        if np.all(left > 0) and np.all(right != 0):
            ratios = right / left  # by which what it is folded into is multiplied
            if not all(
                fits_scaled(distances, image, name, ratios[None] if axis == 0 else ratios[:, None])
                for names, axis in ((gain.columns, 0), (gain.rows, 1))
                for name in names
                if name in broken
            ):
                continue
            g = distances.two.tensors[gain.name].raw
            yield gain.name, g / ratios.reshape(g.shape), entries_of_change(ratios - 1)


def fits_scaled(distances: Distances, image: Weights, name: str, numbers: np.ndarray) -> bool:
    """Return whether numbers that multiply its image come near a tensor: a gain that does not do that explains nothing,
    which is known without bringing the point to rest again.
    """
    a, b = (as_matrix(theta.tensors[name].raw) for theta in (image, distances.two))
    return bool(np.all(np.abs(a * numbers - b) <= NEARLY * distances.allowed(name)))


def norm_biases_that_explain(
    arch: Architecture, distances: Distances, image: Weights, broken: Mapping[str, float]
) -> Iterator[Change]:
    """Iterate over the biases of norms that may explain what is broken.

    A change v of a bias b makes of a matrix W one with W + c 1^T, c = - W v / 1^T (b + v), so that
    (W + c 1^T) v = - c 1^T b.
    """
    for family in verbs.members(NormBiasSymmetry, arch):
        bias = family.bias
        if set(bias.matrices).isdisjoint(broken):
            continue
        one, two = (family.fold.fold(theta) for theta in (image, distances.two))
        total = float(one[bias.name].raw.sum())
        matrices = [one[name].raw for name in bias.matrices]
        means = [(two[name].raw - one[name].raw).mean(axis=1) for name in bias.matrices]
        changed = np.concatenate([W + c[:, None] for W, c in zip(matrices, means, strict=True)])
        vector = np.linalg.lstsq(changed, -total * np.concatenate(means), rcond=None)[0]
        tensors = family.fold.unfold(two | {bias.name: two[bias.name] + column(vector)}, distances.two)
        yield bias.name, tensors[bias.name].raw, entries_of_change(vector)


def column(vector: np.ndarray) -> Elements:
    """Return a vector as a matrix of one column."""
    return Elements(Reals(), vector.reshape(-1, 1))
