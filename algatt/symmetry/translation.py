"""Translations: elements that add to the weights what the function does not see there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field
from algatt.fields.real import tolerance_of
from algatt.parameters import Parameters
from algatt.symmetry.base import GroupElement, same_arrays

__all__ = ["TranslationElement", "vanishes"]

Product = tuple[tuple[Elements, ...], str, tuple[Elements, ...]]
"""Factors on the left, the name of an array of a translation, factors on the right."""


ROUNDING = 1e-15
"""A translation that is smaller than this beside the parameters does not change them."""


NOTHING = 1e-12
"""A product that is smaller than this beside its factors is what rounding leaves of zero."""


@dataclass(frozen=True, eq=False, repr=False)
class TranslationElement(GroupElement):
    """An element of a vector group that acts by addition; it acts on the points at which the function does not see what
    it adds.

    Parameters
    ----------
    arrays : tuple of Elements
        What is added to each of the parameter arrays, in the order of `Parameters.elements`.
    """

    arrays: tuple[Elements, ...]

    @classmethod
    def zero(cls, theta: Parameters) -> Self:
        """Return the translation of the parameters by nothing."""
        return cls(tuple(Elements(element.field, np.zeros_like(element.raw)) for element in theta.elements))

    @property
    def field(self) -> Field | None:
        return self.arrays[0].field

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, TranslationElement):
            return NotImplemented
        return same_arrays(self.arrays, other.arrays)

    def __hash__(self) -> int:
        return hash((type(self), tuple(array.shape for array in self.arrays)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(arrays={len(self.arrays)}, field={self.field})"

    def check_shapes(self, theta: Parameters) -> None:
        """Raise `InvalidArgument` unless the arrays have the shapes of the parameters."""
        found = tuple(array.shape for array in self.arrays)
        expected = tuple(element.shape for element in theta.elements)
        if found != expected:
            raise InvalidArgument(
                "element", f"with arrays of shapes {found}", f"with arrays of the shapes {expected} of the parameters"
            )

    def require_unseen(self, theta: Parameters, products: Sequence[Product]) -> None:
        """Raise `InvalidArgument` unless all products are zero, over the reals beside the size of what the arrays are
        added to.
        """
        if not all(self.vanishes_in(theta, product) for product in products):
            raise InvalidArgument(
                "element",
                f"{self!r}, which changes the function at this point",
                "a translation that the function does not see there",
            )

    def vanishes_in(self, theta: Parameters, product: Product) -> bool:
        """Return whether a product is zero."""
        left, name, right = product
        position = theta.names().index(name)
        array, others = self.arrays[position], (*left, *right)
        value = array
        for factor in reversed(left):
            value = factor @ value
        for factor in right:
            value = value @ factor
        matrix = theta.elements[position]
        if value.field.exact or np.linalg.norm(array.raw) <= ROUNDING * np.linalg.norm(matrix.raw):
            return not value.raw.any() or not value.field.exact
        seen = matrix
        for factor in reversed(left):
            seen = factor @ seen
        for factor in right:
            seen = seen @ factor
        # What the function sees of the array, beside what it sees of the matrix to which it is added; if that is zero,
        # or what rounding leaves of zero, beside all that is multiplied.
        nothing = vanishes(seen, (matrix, *others), NOTHING)
        return vanishes(value, (array, *others)) if nothing else vanishes(value, (seen,))

    def added_to(self, theta: Parameters) -> tuple[Elements, ...]:
        """Return the sums."""
        return tuple(element + array for element, array in zip(theta.elements, self.arrays, strict=True))


def vanishes(value: Elements, sizes: Sequence[Elements], tolerance: float | None = None) -> bool:
    """Return whether an array is zero: exactly over GF(p), over the reals beside the product of the norms of
    other arrays, up to the tolerance of their precision or another one.
    """
    if value.field.exact:
        return not value.raw.any()
    tolerance = tolerance_of(value.field) if tolerance is None else tolerance
    return bool(np.linalg.norm(value.raw) <= tolerance * np.prod([np.linalg.norm(size.raw) for size in sizes]))
