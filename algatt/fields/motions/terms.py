"""Results as sums of products of tensors and other results, and how they move where tensors move by each other: by
multiples of others of their shape.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from algatt.fields.motions.words import Form, Letter, add_form

__all__ = [
    "MOST",
    "Image",
    "Mixed",
    "Product",
    "Terms",
    "add_mixed",
    "mapped",
    "mixed_product",
    "pairs",
    "product_of_terms",
    "turned",
]

MOST = 8
"""Maximum number of summands of a result; one with more is a letter of its own."""

Product = tuple[Letter, ...]

Terms = Mapping[Product, int | Fraction]
"""A sum of products of letters, with coefficients."""

Mixed = Mapping[Product, Form]
"""How a result moves: a sum of products times unknown numbers."""


class Image(NamedTuple):
    """What names the image of a product under a linear map that is no product with a constant, as a mask.

    Parameters
    ----------
    map : object
        The map.
    product : tuple of Letter
        The product.
    """

    map: Any
    product: Product


def add_mixed(one: Mixed, other: Mixed, factor: int | Fraction = 1) -> Mixed:
    """Return one of them with a multiple of the other added."""
    total = dict(one)
    for product, form in other.items():
        total[product] = add_form(total.get(product, {}), form, factor)
    return {product: form for product, form in total.items() if form}


def product_of_terms(left: Terms, right: Terms) -> Terms | None:
    """Return the product of two sums; None if it has too many summands."""
    if len(left) * len(right) > MOST:
        return None
    total: dict[Product, int | Fraction] = {}
    for one, factor in left.items():
        for other, more in right.items():
            total[*one, *other] = total.get((*one, *other), 0) + factor * more
    return total


def mixed_product(left: Terms, moved_left: Mixed, right: Terms, moved_right: Mixed) -> Mixed:
    """Return how a product moves, given its factors as sums and how these move."""
    total: Mixed = {}
    for one, form in moved_left.items():
        for other, factor in right.items():
            total = add_mixed(total, {(*one, *other): form}, factor)
    for one, factor in left.items():
        for other, form in moved_right.items():
            total = add_mixed(total, {(*one, *other): form}, factor)
    return total


def turned(product: Product) -> Product:
    """Return the transpose of a product."""
    return tuple(letter.T for letter in reversed(product))


def mapped(function: Callable[[Product], Product], values: Mapping[Product, Any]) -> dict[Product, Any]:
    """Return a sum with an injective map applied to its products."""
    return {function(product): value for product, value in values.items()}


def pairs(one: Product, other: Product) -> Iterator[tuple[Letter, Letter]]:
    """Iterate over the letters in which two products differ, also below linear maps; none if these differ otherwise."""
    if len(one) == len(other):
        for left, right in zip(one, other, strict=True):
            if left == right:
                continue
            if isinstance(left.of, Image) and isinstance(right.of, Image) and left.of.map == right.of.map:
                yield from pairs(left.of.product, right.of.product)
            else:
                yield left, right
