"""The groups: products, inverses, identities, exponentials."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass

from algatt import verbs
from algatt.display import list_names
from algatt.errors import InvalidArgument
from algatt.fields import Field
from algatt.parameters.base import Coordinates
from algatt.symmetry.base import GroupElement, Symmetry
from algatt.symmetry.spaces_element import SpacesElement
from algatt.symmetry.swap import SwapElement


@dataclass(frozen=True, repr=False)
class ProductElement(GroupElement):
    """A product of elements of several families; the last factor acts first.

    Parameters
    ----------
    factors : tuple of GroupElement
        The factors, none of them a product.
    """

    factors: tuple[GroupElement, ...]

    def __post_init__(self) -> None:
        fields = {factor.field for factor in self.factors} - {None}
        if len(fields) > 1:
            raise InvalidArgument("factors", f"over {len(fields)} fields", "over one field")

    @property
    def field(self) -> Field | None:
        return next((factor.field for factor in self.factors if factor.field is not None), None)

    def factor(self, kind: type[GroupElement] | type[Symmetry]) -> GroupElement | None:
        """Return the first factor of a kind, or None; it is that of a family of spaces for `algatt.symmetry.KeyQuery`
        and its like.
        """
        return next((factor for factor in self.factors if is_of_kind(factor, kind)), None)

    def __repr__(self) -> str:
        return f"ProductElement({list_names([*map(repr, self.factors)], 4)})"


def is_of_kind(element: GroupElement, kind: type[GroupElement] | type[Symmetry]) -> bool:
    """Return whether an element is one of a class, or of a family of spaces."""
    return isinstance(element, kind) or (isinstance(element, SpacesElement) and isinstance(element.family, kind))


def same_family(left: GroupElement, right: GroupElement) -> bool:
    """Return whether two elements belong to one family."""
    if isinstance(left, SpacesElement) and isinstance(right, SpacesElement):
        return type(left.family) is type(right.family)
    return type(left) is type(right)


@verbs.act.method
def act_factor_by_factor(element: ProductElement, theta: Coordinates) -> Coordinates:
    for factor in reversed(element.factors):
        theta = verbs.act(factor, theta)
    return theta


@verbs.compose.method
def compose_spaces(left: SpacesElement, right: SpacesElement) -> GroupElement:
    if not same_family(left, right):
        return ProductElement((left, right))
    if left.field is not None and right.field is not None and left.field != right.field:
        raise InvalidArgument("right", f"over {right.field}", f"over {left.field}")
    shapes = [tuple(matrix.shape for matrix in one.matrices) for one in (left, right)]
    if shapes[0] != shapes[1]:
        raise InvalidArgument("right", f"with arrays of shapes {shapes[1]}", f"with arrays of shapes {shapes[0]}")
    matrices = tuple(one @ two for one, two in zip(left.matrices, right.matrices, strict=True))
    inverses = tuple(two @ one for one, two in zip(left.inverses, right.inverses, strict=True))
    return dataclasses.replace(left, matrices=matrices, inverses=inverses)


@verbs.compose.method
def compose_any(left: GroupElement, right: GroupElement) -> GroupElement:
    """Collect the factors; those of one family are multiplied if nothing is between them but factors with which they
    commute.
    """
    factors: list[GroupElement] = []
    for factor in (*factors_of(left), *factors_of(right)):
        partner = len(factors) - 1
        while partner >= 0 and not same_family(factors[partner], factor) and commute(factors[partner], factor):
            partner -= 1
        if partner >= 0 and same_family(factors[partner], factor) and isinstance(factor, SpacesElement | SwapElement):
            factors[partner : partner + 1] = factors_of(verbs.compose(factors[partner], factor))
        else:
            factors.append(factor)
    return ProductElement(tuple(factors))


def commute(one: GroupElement, two: GroupElement) -> bool:
    """Return whether elements of two families commute: the gauges and the rescalings act on different sides of the
    matrices.
    """
    return isinstance(one, SpacesElement) and isinstance(two, SpacesElement)


@verbs.compose.method
def compose_swaps(left: SwapElement, right: SwapElement) -> ProductElement:
    """An involution: nothing is left."""
    return ProductElement(())


def factors_of(element: GroupElement) -> tuple[GroupElement, ...]:
    """Return the factors of a product, or the element itself."""
    return element.factors if isinstance(element, ProductElement) else (element,)


@verbs.inverse.method
def inverse_of_spaces(matrix: SpacesElement) -> SpacesElement:
    return dataclasses.replace(matrix, matrices=matrix.inverses, inverses=matrix.matrices)


@verbs.inverse.method
def inverse_of_product(matrix: ProductElement) -> ProductElement:
    return ProductElement(tuple(verbs.inverse(factor) for factor in reversed(matrix.factors)))


@verbs.inverse.method
def inverse_of_swap(matrix: SwapElement) -> SwapElement:
    return matrix
