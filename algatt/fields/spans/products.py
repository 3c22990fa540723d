"""The products of generators, which span the products of their spaces."""

from __future__ import annotations

from dataclasses import dataclass

from algatt.fields.spans.forms import Form, Multiply
from algatt.fields.spans.spanned import GIVEN, Free, accumulate

DegreeFactor = tuple[Free | None, Form, tuple[int, int]]
"""A generator, or what is fixed, with the sizes of its array."""


def entrywise_product(multiply: Multiply, left: DegreeFactor, right: DegreeFactor) -> tuple[Free, list[Form]]:
    """Return the generators of the entrywise product of two.

    Along an axis on which both are free, so is the product. Where one is free and the other is not, each index has a
    generator of its own. A single row or column is repeated.
    """
    (free, form, sizes), (other, factor, lengths) = left, right
    axes = [axis_of(*axis) for axis in zip(free or GIVEN, sizes, other or GIVEN, lengths, strict=True)]
    results: dict[tuple[int, ...], Form] = {}
    for (i, j, monomial), value in form.items():
        for (k, m, times), coefficient in factor.items():
            product, row, column = multiply(monomial, times), axes[0].meet(i, k), axes[1].meet(j, m)
            if product is not None and row is not None and column is not None:
                apart = tuple(place for axis, place in zip(axes, (row, column), strict=True) if axis.apart)
                accumulate(results.setdefault(apart, {}), (row, column, product), value * coefficient)
    return (axes[0].free, axes[1].free), list(results.values())


def matrix_product(multiply: Multiply, left: DegreeFactor, right: DegreeFactor) -> tuple[Free, list[Form]]:
    """Return the generators of the matrix product of two.

    Two free vectors have a number as their product; of a free one and one that is not, the product is any combination
    of the entries of the latter.
    """
    (free, form, sizes), (other, factor, lengths) = left, right
    (down, inside), (within, across) = free or GIVEN, other or GIVEN
    inner = axis_of(inside, sizes[1], within, lengths[0])
    results: dict[tuple[int, ...], Form] = {}
    for (i, j, monomial), value in form.items():
        for (k, m, times), coefficient in factor.items():
            product, met = multiply(monomial, times), inner.meet(j, k)
            if product is not None and met is not None:
                apart = (met,) if inner.apart else ()
                accumulate(results.setdefault(apart, {}), (i, m, product), value * coefficient)
    return (down, across), list(results.values())


@dataclass(frozen=True)
class Axis:
    """How the indices of two arrays meet along an axis.

    Parameters
    ----------
    free : bool
        Whether the result is free.
    apart : bool
        Whether each index has a result of its own.
    takes : tuple of bool
        Which of the two indices count.
    """

    free: bool
    apart: bool
    takes: tuple[bool, bool]

    def meet(self, left: int, right: int) -> int | None:
        """Return the index of the result, or None if there is none."""
        indices = {index for index, taken in zip((left, right), self.takes, strict=True) if taken}
        return next(iter(indices), 0) if len(indices) < 2 else None


def axis_of(free: bool, size: int, other: bool, length: int) -> Axis:
    """Return how the indices of two arrays meet along an axis of given lengths, on which they may be free."""
    given = not free and size > 1, not other and length > 1
    return Axis(not any(given) and (free or other), any(given) and (free or other), given)
