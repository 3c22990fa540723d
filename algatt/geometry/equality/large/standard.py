"""The standard position of a point, of any size, with respect to what does not act on spaces."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from algatt import verbs
from algatt.architectures import Architecture
from algatt.geometry.equality.large.arrays import largest, largest_difference, replaced
from algatt.geometry.equality.large.values import COMPUTED, changed_at_random, changed_tensor
from algatt.geometry.equality.networks.standard import PASSES, SMALLEST, without_zero_gains
from algatt.geometry.equality.networks.standard import brought_to_rest as to_rest
from algatt.parameters import Weights
from algatt.symmetry import GainSymmetry, GroupElement, NormBiasSymmetry, ShiftSymmetry, Symmetry, UnseenSymmetry

SHARE = 2.0**-26
"""By this share of their tensor's largest entry entries are changed, to measure what becomes of rounding."""


@dataclass(frozen=True, eq=False)
class Rest:
    """A point in standard position.

    Parameters
    ----------
    elements : tuple of GroupElement
        What brought it there, the last of which acted first.
    theta : Weights
        The point.
    peaks : dict of str to float
        For each tensor there, what rounding of it is relative to: its largest entry, or more where what it takes up
        cancels.
    unseen : bool
        Whether families of what is not seen brought it there, too.
    """

    elements: tuple[GroupElement, ...]
    theta: Weights
    peaks: Mapping[str, float]
    unseen: bool


def to_standard_position(
    arch: Architecture,
    theta: Weights,
    *,
    unit: float = COMPUTED,
    unseen: bool = True,
    peaks: Mapping[str, float] | None = None,
) -> Rest:
    """Return a point in standard position; without families of what is not seen if `unseen` is false.

    What rounding is relative to is measured, unless it is given: all entries are changed at random by a small share of
    the largest of their tensor, those of gains by one of themselves, and brought there too. On the way, what each
    element moves is changed by as much less as float64 is more precise than a unit of rounding: what is large on the
    way is rounded there, though it may cancel in what is near it, so that no change of entries shows it. Gains are
    multiplied entry by entry, which keeps relative errors.
    """
    elements, there = brought_to_rest(arch, theta, unseen=unseen)
    if peaks is not None:
        return Rest(elements, there, peaks, unseen)
    peaks = {name: largest(one.raw) for name, one in there.tensors.items()}
    if any(verbs.members(kind, arch) for kind in (NormBiasSymmetry, ShiftSymmetry)):
        lost = SHARE * COMPUTED / unit
        gains = {one.shift.gain for one in verbs.members(ShiftSymmetry, arch)}  # which no matrix moves
        _, theta = without_zero_gains(list(quotients_of(arch, unseen=unseen)), theta)
        gains |= {one.name for one in verbs.members(GainSymmetry, arch) if not theta.tensors[one.name].raw.all()}
        shaken = changed_at_random(
            theta, 0, "standard", lambda name, W: (SHARE, 0.0) if name in gains else (0.0, SHARE * largest(W))
        )
        _, other = brought_to_rest(arch, shaken, unseen=unseen, lost=lost)
        for name, one in other.tensors.items():
            changed = largest_difference(one.raw, there.tensors[name].raw) / SHARE
            peaks[name] = max(peaks[name], changed)
    return Rest(elements, there, peaks, unseen)


def quotients_of(arch: Architecture, *, unseen: bool) -> Iterator[Symmetry]:
    """Iterate over the families of which a point is brought into standard position; if more tokens than the network has
    may see entries that nothing sees, those that move these alone are left out.
    """
    hidden = set() if unseen else {one.unseen.tensor for one in verbs.members(UnseenSymmetry, arch)}
    for kind in (GainSymmetry, NormBiasSymmetry, ShiftSymmetry, *((UnseenSymmetry,) if unseen else ())):
        for one in verbs.members(kind, arch):
            conditional = isinstance(one, ShiftSymmetry) and one.shift.conditions
            if not (conditional and (one.shift.several or one.shift.tensor in hidden)):
                yield one


def brought_to_rest(
    arch: Architecture, theta: Weights, *, unseen: bool = True, lost: float = 0.0
) -> tuple[tuple[GroupElement, ...], Weights]:
    """Return the elements that bring a point into standard position, the last of which acts first, and what it is
    there; what each of them moves is changed at random by a share that is lost, beside what it was and is.
    """
    # a gain g times 1 / g is 1 but for rounding, and once more it is 1, so that nothing multiplies by it again
    families = [one for one in quotients_of(arch, unseen=unseen) for _ in range(1 + isinstance(one, GainSymmetry))]
    steps = itertools.count()

    def moved(after: Weights, before: Weights) -> Weights:
        return with_losses(before, after, lost, f"lost/{next(steps)}") if lost > SMALLEST else after

    return to_rest(families * PASSES, theta, moved, unseen=unseen)


def with_losses(theta: Weights, moved: Weights, lost: float, label: str) -> Weights:
    """Return a point that was moved, with what moved changed at random by a share of what it was and is."""
    before, arrays = theta.tensors, {}
    for name, one in moved.tensors.items():
        if one is not before[name]:
            share = lost * (largest(before[name].raw) + largest(one.raw))
            arrays[name] = changed_tensor(one, name, 0, f"{label}/{name}", lambda *_, share=share: (0.0, share))
    return replaced(moved, arrays)
