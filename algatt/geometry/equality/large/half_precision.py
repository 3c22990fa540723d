"""Points of which one was float16 or bfloat16: whether they are one function to that precision.

A number of so few digits is known as it is stored. So points may be equal exactly, as where heads are permuted; one may
be the other, rounded entry by entry; or the image of the other under an element, rounded. Bounds that hold for all
tensors alike would explain a tenth of each, so that entries that stayed are compared one by one, and residuals of
tensors that moved with those of twins, by their roots of mean squares, which a change of all entries by twice what
rounding does exceeds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from algatt.fields import Elements, Reals
from algatt.fields.real import precision_of
from algatt.geometry.equality.large.arrays import sealed
from algatt.geometry.equality.large.comparison import name_of_precision
from algatt.geometry.equality.large.values import bits_of
from algatt.parameters import Weights

HALF = 11
"""Maximum number of significant bits of a number of half precision."""

SINGLE = 24
"""Significant bits of float32: numbers of half precision are compared as exact ones to so many."""

MOST = 0.5
"""A tensor stayed if this share of its entries did, and a point did if this share of its tensors did."""


def rounded_to(raw: np.ndarray, precision: int) -> np.ndarray | None:
    """Return an array rounded to the type of floats that has so many bits; None if there is none."""
    if precision not in (8, 11):
        return None
    with np.errstate(over="ignore"):
        if precision == 11:
            return raw.astype(np.float16).astype(np.float64)
        single = raw.astype(np.float32)
    bits = single.view(np.uint32)
    bits = bits + (np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1)))  # to nearest, ties to even
    return (bits & np.uint32(0xFFFF0000)).view(np.float32).astype(np.float64)


FIRST = 256
"""Number of entries of each tensor that are looked at first: of most points these tell that they were not rounded."""


def known_exactly(theta: Weights) -> Weights:
    """Return a point of half precision whose numbers are taken as they are stored."""
    field = Reals().known_to(max(SINGLE, precision_of(theta.field)))
    return theta.replace([Elements(field, one.raw) for one in theta.elements])


def known_as_rounded(one: Weights, two: Weights) -> tuple[Weights, Weights]:
    """Return two points, one of which is known to half precision if all its numbers are bfloat16 or float16 and those
    of the other are not: then they were rounded, whatever type they are stored in.

    A tensor of the other one has to have either no number of more digits, or mostly such: a few that were changed are
    no original of what was rounded.
    """
    for precision in (8, HALF):
        firsts = [(element.raw.flat[:FIRST] for element in theta.elements) for theta in (one, two)]
        if all(any(share_of_finer(raw, precision) for raw in few) for few in firsts):
            continue
        shares = [tuple(share_of_finer(element.raw, precision) for element in theta.elements) for theta in (one, two)]
        rounded = [not any(each) for each in shares]
        if rounded[0] == rounded[1] or not all(share in (0, 1) or share > MOST for share in sum(shares, ())):
            continue
        field = Reals().known_to(precision)
        one, two = (
            theta.replace([Elements(field, element.raw) for element in theta.elements])
            if coarse and precision_of(theta.field) > precision
            else theta
            for theta, coarse in zip((one, two), rounded, strict=True)
        )
        break
    return one, two


def share_of_finer(raw: np.ndarray, precision: int) -> float:
    """Return the share of the numbers of an array that rounding to a precision changes."""
    return float(np.mean(rounded_to(raw, precision) != raw))


def copied(one: Weights, two: Weights) -> str | None:
    """Return that a point is another one rounded entry by entry, in words; None if neither is."""
    for first, second, words in ((one, two, ("second", "first")), (two, one, ("first", "second"))):
        precision, changed, entries = precision_of(second.field), 0, 0
        for a, b in zip(first.elements, second.elements, strict=True):
            apart = a.raw != b.raw
            rounded = rounded_to(a.raw, precision) if apart.any() else None
            if apart.any() and (rounded is None or np.any(apart & (rounded != b.raw))):
                break
            changed, entries = changed + int(apart.sum()), entries + apart.size
        else:
            name = name_of_precision(precision)
            return f"the {words[0]} weights are the {words[1]}, rounded to {name}: {changed:,} of {entries:,} entries"
    return None


@dataclass(frozen=True, eq=False)
class Stayed:
    """Two points most entries of which are the same up to a unit in the last place.

    Parameters
    ----------
    first : Weights
        The first point, with entries of the second where they are the same up to that.
    precision : int
        The significant bits of the less precise point.
    changed : int
        How many entries of the first point are others.
    apart : dict of str to ndarray
        For tensors with entries that are farther away: where these are.
    """

    first: Weights
    precision: int
    changed: int
    apart: Mapping[str, np.ndarray]

    @classmethod
    def of(cls, one: Weights, two: Weights) -> Stayed | None:
        """Return what stayed; None if most tensors moved."""
        precision = bits_of(one, two)
        step = 2.0 ** (1 - precision)
        arrays, apart, changed, still = [], {}, 0, 0
        for (name, a), b in zip(one.tensors.items(), two.elements, strict=True):
            far = np.abs(a.raw - b.raw) > step * np.minimum(np.abs(a.raw), np.abs(b.raw))
            if far.any():
                apart[name] = far
            stayed = far.mean() < MOST
            still += stayed
            raw = a.raw
            if stayed:
                raw = b.raw.copy()
                raw[far] = a.raw[far]
            changed += int(np.sum(raw != a.raw))
            arrays.append(Elements(a.field, sealed(raw)))
        return cls(one.replace(arrays), precision, changed, apart) if still > MOST * len(arrays) else None

    @property
    def few(self) -> tuple[str, ...]:
        """The tensors that stayed but for some entries."""
        return tuple(name for name, far in self.apart.items() if far.mean() < MOST)

    @property
    def nearly(self) -> bool:
        """Whether all tensors stayed but for some entries."""
        return len(self.few) == len(self.apart)

    @property
    def words(self) -> str:
        """What holds if no entry is farther away."""
        entries = sum(one.raw.size for one in self.first.elements)
        name = name_of_precision(self.precision)
        return f"the weights agree to the precision of {name}, entry by entry: {self.changed:,} of {entries:,} differ"
