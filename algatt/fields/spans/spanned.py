"""Arrays of which a space is known in which they lie, for all weights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from algatt.fields.spans.forms import Form, distinct

Free = tuple[bool, bool]
"""Whether the rows of a generator are free, and its columns."""


GIVEN: Free = (False, False)


@dataclass(frozen=True, eq=False)
class Spanned:
    """An array in a space of matrices of polynomials.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    fixed : dict
        What does not depend on the weights.
    moving : dict of (bool, bool) to tuple of dict, or None
        The generators of the space of the rest, by whether their rows and columns are free; None if none is known.
    """

    shape: tuple[int, ...]
    fixed: Form
    moving: Mapping[Free, tuple[Form, ...]] | None

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        height, width = ((1, 1) + tuple(self.shape))[-2:]
        return height, width

    @property
    def weight(self) -> int:
        """The number of all coefficients."""
        generators = () if self.moving is None else self.moving.values()
        return len(self.fixed) + sum(len(form) for forms in generators for form in forms)


def whole_free(sizes: tuple[int, int], free: Free) -> Free:
    """Return which axes are free, for a matrix of a size: the vectors along an axis of length 1 are the multiples of
    one.
    """
    return free[0] and sizes[0] > 1, free[1] and sizes[1] > 1


def unknown(shape: tuple[int, ...]) -> Spanned:
    """Return an array of which nothing is known."""
    return Spanned(shape, {}, None)


def made(shape: tuple[int, ...], fixed: Form, moving: Mapping[Free, Iterable[Form]]) -> Spanned:
    """Return an array with its generators, each once."""
    return Spanned(shape, fixed, {free: found for free, forms in moving.items() if (found := distinct(forms))})


def accumulate(form: Form, place: tuple[int, int, Any], value: Fraction) -> None:
    """Add to a coefficient."""
    total = form.get(place, 0) + value
    if total:
        form[place] = Fraction(total)
    else:
        form.pop(place, None)


def added(left: Form, right: Form) -> Form:
    """Return a sum of forms."""
    total = dict(left)
    for place, value in right.items():
        accumulate(total, place, value)
    return total


def generators(raw: Spanned) -> Iterator[tuple[Free, Form]]:
    """Iterate over the generators of an array, with whether their rows and columns are free."""
    for free, forms in (raw.moving or {}).items():
        for form in forms:
            yield free, form
