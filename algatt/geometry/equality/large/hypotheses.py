"""What was done to a point that is no symmetry: known rewrites that go wrong are undone, one after another, and the
first is named with which the two points are equal.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.geometry.equality.large.arrays import largest, replaced
from algatt.geometry.equality.large.difference import Fit, is_image
from algatt.parameters import Weights
from algatt.symmetry import GainSymmetry

MOST_REPAIRS = 12
"""So many of each kind are tried at most: each is a comparison."""

Repair = tuple[str, tuple[str, ...], Weights, Weights]
"""What was done, in words, and to which tensors, and the two points when it is undone."""


def name_hypothesis(
    arch: Architecture, one: Weights, two: Weights, fit: Fit, broken: tuple[str, ...]
) -> tuple[str, tuple[str, ...]] | None:
    """Return what was done that is no symmetry, in words, and to which tensors; None if undoing nothing known makes the
    points equal.
    """
    scales = {one.gain.name for one in verbs.members(GainSymmetry, arch)}
    alone = len(broken) == 1 and broken[0] not in scales
    likely = sorted(REPAIRS, key=lambda kind: kind is not gains) if scales.issuperset(broken) else REPAIRS
    for kind in (stayed, moved_alone) if alone else likely:
        for words, names, first, second in itertools.islice(kind(arch, one, two, fit, broken), MOST_REPAIRS):
            if is_image(arch, first, second, unseen=fit.first.unseen):
                return words, names
    # a bias that others take up is that of the second point in the image as well: that it alone differs is known
    told = next(stayed(arch, one, two, fit, broken), None) if alone else None
    return None if told is None else told[:2]


def stayed(arch: Architecture, one: Weights, two: Weights, fit: Fit, broken: tuple[str, ...]) -> Iterator[Repair]:
    """Tensors that differ are those of the first point, while others of their spaces moved."""
    same = [name for name in broken if is_same(fit, one, two, name)]
    if same and len(same) == len(broken):
        image = verbs.act(fit.element, one)
        beside = sorted({other for name in same for other in neighbours(fit, name)} - set(same))
        moved = [name for name in beside if not is_same(fit, one, two, name)]
        if moved:
            words = f"{listed(same)} stayed while {listed(moved)} moved"
            yield words, tuple(same), one, replaced(two, {name: image.tensors[name].raw for name in same})


def moved_alone(arch: Architecture, one: Weights, two: Weights, fit: Fit, broken: tuple[str, ...]) -> Iterator[Repair]:
    """Tensors that differ were changed alone, all others are those of the first point."""
    other = [name for name in two.tensors if not is_same(fit, one, two, name)]
    if not other or len(other) > 2:
        return
    for name in other:
        a, b = (np.atleast_2d(theta.tensors[name].raw) for theta in (one, two))
        for how, changed in ways(a, b):
            if np.abs(changed - b).max() <= 16 * fit.bounds[name] * (largest(b) or 1.0):
                yield f"{name} was {how} alone", (name,), one, replaced(two, {name: one.tensors[name].raw})
                break


def ways(a: np.ndarray, b: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Iterate over what may have been done to a matrix alone, and what this makes of it."""
    yield "centred", a - a.mean(axis=1, keepdims=True)
    yield "centred", a - a.mean(axis=0, keepdims=True)
    scales = np.sum(a * b, axis=0) / np.maximum(np.sum(a * a, axis=0), np.finfo(float).tiny)
    yield "multiplied by a gain", a * scales
    for first, second, transposed in ((a, b, False), (a.T, b.T, True)):
        if first.shape[0] >= first.shape[1]:
            U, _, Vt = np.linalg.svd(first.T @ second)
            yield "rotated", (first @ (U @ Vt)).T if transposed else first @ (U @ Vt)


def centred(arch: Architecture, one: Weights, two: Weights, fit: Fit, broken: tuple[str, ...]) -> Iterator[Repair]:
    """Means were subtracted from all that writes into a stream, which an RMSNorm does not do."""
    arrays = {}
    for name in two.tensors:
        if not is_same(fit, one, two, name):
            a, b = (theta.tensors[name].raw for theta in (one, two))
            means = (a - a.mean(axis=axis, keepdims=True) for axis in range(a.ndim))
            if not any(np.abs(changed - b).max() <= 16 * fit.unit * largest(b) for changed in means):
                return
            arrays[name] = a
    if len(arrays) > 1:
        yield f"means were subtracted from {listed(list(arrays))}", tuple(arrays), one, replaced(two, arrays)


def rotary_layout(
    arch: Architecture, one: Weights, two: Weights, fit: Fit, broken: tuple[str, ...]
) -> Iterator[Repair]:
    """Rows that are turned together stand beside each other in one point, and half of the width apart in the other."""
    turned = {side.tensor for space in fit.resolution.motions.spaces if space.group == "turns" for side in space.sides}
    for axis_order in ("interleaved", "halves"):
        for limited in (False, True):
            names = [name for name in sorted(turned) if not limited or name in broken]
            arrays = {}
            for name in names:
                raw = two.tensors[name].raw
                half = len(raw) // 2
                if len(raw) % 2 == 0:
                    order = np.arange(len(raw)).reshape(2, half).T.ravel()
                    order = np.argsort(order) if axis_order == "interleaved" else order
                    arrays[name] = raw[order]
            if arrays:
                words = f"rows of {listed(sorted(arrays))} are in the other rotary layout"
                yield words, tuple(arrays), one, replaced(two, arrays)


def gains(arch: Architecture, one: Weights, two: Weights, fit: Fit, broken: tuple[str, ...]) -> Iterator[Repair]:
    """Gains were folded, and left where they were, or folded twice; in all norms, or in one."""
    families = [family.gain for family in verbs.members(GainSymmetry, arch)]
    touched = [gain for gain in families if set(gain.tensors) & set(broken) or gain.name in broken]
    groups = [touched, families, *([gain] for gain in touched)]
    seen = []
    for chosen in groups:
        names = sorted(gain.name for gain in chosen)
        if not names or names in seen:
            continue
        seen.append(names)
        both = (("the second", one, two), ("the first", two, one))
        for which, other, point in both:
            g = {name: point.tensors[name].raw for name in names}
            theirs = {name: other.tensors[name].raw for name in names}
            left = {name: np.ones_like(raw) for name, raw in g.items()}
            if any(np.any(raw != 1) for raw in g.values()):
                yield pair(f"{listed(names)} left after folding, in {which} point", which, one, two, left)
            if all(np.all(raw != 0) for raw in theirs.values()):
                inverse = {name: g[name] / raw for name, raw in theirs.items()}
                yield pair(f"{listed(names)} folded twice, in {which} point", which, one, two, inverse)


def pair(words: str, which: str, one: Weights, two: Weights, arrays: dict[str, np.ndarray]) -> Repair:
    """Return a repair of one of two points."""
    points = (one, replaced(two, arrays)) if which == "the second" else (replaced(one, arrays), two)
    return words, tuple(arrays), *points


REPAIRS: tuple[Callable[..., Iterator[Repair]], ...] = (stayed, moved_alone, centred, rotary_layout, gains)
"""What is tried, in this order."""


def is_same(fit: Fit, one: Weights, two: Weights, name: str) -> bool:
    """Return whether a tensor is the same in both points, up to rounding."""
    a, b = one.tensors[name].raw, two.tensors[name].raw
    return bool(np.abs(a - b).max() <= 4 * fit.unit * largest(b))


def neighbours(fit: Fit, name: str) -> Iterator[str]:
    """Iterate over the tensors that are moved by what moves a tensor."""
    motions = fit.resolution.motions
    for axis in (0, 1):
        for space, _ in motions.spaces_by_side.get((name, axis), ()):
            yield from (side.tensor for side in space.sides)
        found = motions.coordinates_by_side.get((name, axis))
        yield from (() if found is None else (other for other, _ in found.sides))


def listed(names: list[str]) -> str:
    """Return names in words, the first three of them."""
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
