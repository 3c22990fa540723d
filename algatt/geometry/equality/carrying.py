"""The group element that carries one point of an `AttentionNetwork` to another, if any does."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, AttentionNetwork, Lightning
from algatt.errors import InvalidArgument, RankUndecided, SingularMatrix
from algatt.fields import Elements
from algatt.geometry.equality.networks.closeness import relative_difference
from algatt.geometry.equality.normal_form import gauge, has_rescalings, pair_form, row_forms
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.symmetry import (
    GroupElement,
    KeyQuery,
    ProductElement,
    SpacesElement,
    SwapElement,
    TranslationElement,
    UnreachedElement,
    UnreachedMatrixElement,
)
from algatt.symmetry.base import stack_tangents
from algatt.symmetry.named import NamedSpaces

__all__ = ["candidates", "carried", "improved"]

MOST_PARAMETERS = 2000
"""Up to so many parameters a group element over the reals is improved by Newton's method, whose steps are dense
least-squares problems.
"""

NEWTON_STEPS = 4


@verbs.swaps.method
def no_swaps(arch: Architecture) -> tuple[GroupElement, ...]:
    return ()


@verbs.swaps.method
def swaps_of_lightning(arch: Lightning) -> tuple[GroupElement, ...]:
    return (SwapElement(),)


def candidates(
    arch: AttentionNetwork,
    one: Parameters,
    two: Parameters,
) -> Iterator[ProductElement]:
    """Iterate over group elements that may carry one point to another: gauges and rescalings, also after
    a swap if the architecture has one.
    """
    starts: list[tuple[Parameters, tuple[GroupElement, ...]]] = [(one, ())]
    for swap in verbs.swaps(arch):
        with contextlib.suppress(InvalidArgument, RankUndecided):  # if the ranks are not one
            starts.append((verbs.act(swap, one), (swap,)))
    for start, before in starts:
        with contextlib.suppress(SingularMatrix, RankUndecided):
            element = carrying_element(arch, start, two)
            if element is not None:
                yield ProductElement((*element.factors, *before))


def carrying_element(arch: AttentionNetwork, one: Any, two: Any) -> ProductElement | None:
    """Return the group element that has to carry one point to the other, in the same coordinates, if any does; the
    caller checks that it does.
    """
    if isinstance(one, VirtualWeights):
        scales = ratios(arch, list(one.M_elements), list(two.M_elements))
        return None if scales is None else ProductElement(verbs.rescalings(one.field, arch, scales=scales).elements)
    return carrying_layers(arch, one, two)


def carrying_layers(
    arch: AttentionNetwork,
    one: Weights | AttentionMatrix,
    two: Weights | AttentionMatrix,
) -> ProductElement | None:
    """Do the same for points with layers.

    The row forms of L_i give the change of bases, the A_i (on what inputs reach) the rescaling, the pairs (K_i, Q_i)
    the key-query gauge; what is then left is a translation by what no input reaches.
    """
    forms = list(zip(*(row_forms(theta, checked=True) for theta in (one, two)), strict=True))
    if any(first.pivots != second.pivots for first, second in forms):
        return None
    changes = [second.inverse @ first.transform for first, second in forms]
    unit = Elements.of(one.field, [[1]])
    *_, interlayer = gauge(arch, one, changes, [unit] * len(one.layer_elements))
    moved = verbs.act(interlayer, one)
    bases = [
        Elements.of(one.field, np.eye(one.elements[0].shape[1], dtype=np.int64)),
        *(second.basis for _, second in forms),
    ]
    seen = [[basis.T @ A @ basis for A, basis in zip(attention(theta), bases, strict=True)] for theta in (moved, two)]
    scales = ratios(arch, *seen)
    if scales is None:
        return None
    factors = gauge(arch, one, changes, scales)
    moved = verbs.act(ProductElement(factors), one)
    if isinstance(moved, Weights) and isinstance(two, Weights):
        key_query = key_query_between(arch, moved, two, bases)
        factors = (key_query, *factors)
        moved = verbs.act(key_query, moved)
    if any(first.rank < first.transform.shape[0] for first, _ in forms):
        kind = UnreachedElement if isinstance(one, Weights) else UnreachedMatrixElement
        factors = (kind(tuple(b - a for a, b in zip(moved.elements, two.elements, strict=True))), *factors)
    return ProductElement(factors)


def attention(theta: Weights | AttentionMatrix) -> list[Elements]:
    """Return the attention matrices."""
    return [layer.A for layer in verbs.convert(theta, AttentionMatrix).layer_elements]


def ratios(arch: AttentionNetwork, one: list[Elements], two: list[Elements]) -> list[Elements] | None:
    """Return the factors from virtual weights to others, or None if there are none; 1 where the architecture has no
    rescalings.
    """
    if not has_rescalings(arch):
        return [Elements.of(M.field, [[1]]) for M in one]
    scales = [ratio(a, b) for a, b in zip(one, two, strict=True)]
    known = [scale for scale in scales if scale is not None]
    return known if len(known) == len(scales) else None


def ratio(one: Elements, two: Elements) -> Elements | None:
    """Return the factor from one array to another, as a 1 x 1 matrix: 1 between zeros, None if one of them alone is
    zero or there can be none.
    """
    a, b = one.raw.ravel(), two.raw.ravel()
    if not a.any() or not b.any():
        return Elements.of(one.field, [[1]]) if not a.any() and not b.any() else None
    if one.field.exact:
        first = int(np.flatnonzero(a)[0])
        if b[first] == 0:
            return None
        return verbs.inverse(Elements(one.field, a[None, first : first + 1])) @ Elements(
            one.field, b[None, first : first + 1]
        )
    scale = float(a @ b / (a @ a))
    return Elements(one.field, np.array([[scale]])) if scale else None


def key_query_between(arch: AttentionNetwork, one: Weights, two: Weights, bases: list[Elements]) -> SpacesElement:
    """Return the key-query gauge between two points whose layers are in the same bases."""
    matrices, inverses = [], []
    for (Q1, K1, _), (Q2, K2, _), basis in zip(one.layer_elements, two.layer_elements, bases, strict=True):
        first, second = pair_form(K1 @ basis, Q1 @ basis, checked=True), pair_form(K2 @ basis, Q2 @ basis, checked=True)
        matrices.append(second.inverse @ first.transform)
        inverses.append(first.inverse @ second.transform)
    return KeyQuery(arch).of(matrices, inverses)


def improved(
    arch: AttentionNetwork, element: ProductElement, one: Parameters, two: Parameters
) -> tuple[ProductElement, float]:
    """Return the element and how far it carries one point from the other; over the reals after Newton's method, where
    that comes closer.
    """
    moved, difference = carried(element, one, two)
    if (
        one.field.exact
        or moved is None
        or isinstance(one, VirtualWeights)
        or element.factor(TranslationElement) is not None
    ):
        return element, difference
    if sum(part.raw.size for part in one.elements) > MOST_PARAMETERS:
        return element, difference
    for _ in range(NEWTON_STEPS):
        corrected = cast(ProductElement, verbs.compose(newton_step(arch, moved, two), element))
        after, closer = carried(corrected, one, two)
        if after is None or not closer < difference:
            break
        element, moved, difference = corrected, after, closer
    return element, difference


def carried(element: ProductElement, one: Parameters, two: Parameters) -> tuple[Parameters | None, float]:
    """Return where an element carries a point, and the relative difference from another; None if it does
    not act there.
    """
    try:
        moved = verbs.act(element, one)
    except InvalidArgument:  # what is left is no translation that the function does not see
        return None, math.inf
    return moved, relative_difference(moved, two)


def newton_step(arch: AttentionNetwork, one: Parameters, two: Parameters) -> ProductElement:
    """Return the group element near the identity that carries one point towards another close one, by least squares
    along the orbit.

    Each array counts relative to its size.
    """
    acting = [family for family in verbs.symmetries(arch) if isinstance(family, NamedSpaces)]
    families = [family for family in acting if any(place.moves for place in family.places_in(type(one)))]
    if not families:
        return ProductElement(())
    weights = np.concatenate([np.full(part.raw.size, 1 / (np.linalg.norm(part.raw) or 1.0)) for part in two.elements])
    gap = np.concatenate([(b.raw - a.raw).ravel() for a, b in zip(one.elements, two.elements, strict=True)])
    tangents = [stack_tangents(one, family.tangent_parts(one)).raw for family in families]
    solution = np.linalg.lstsq((np.vstack(tangents) * weights).T, gap * weights, rcond=None)[0]
    factors = []
    for family, block in zip(
        families, np.split(solution, np.cumsum([len(tangent) for tangent in tangents])[:-1]), strict=True
    ):
        matrices = verbs.identity(family, one.field).matrices
        cuts = np.cumsum([matrix.raw.size for matrix in matrices])[:-1]
        changes = [
            Elements(one.field, part.reshape(matrix.shape))
            for part, matrix in zip(np.split(block, cuts), matrices, strict=True)
        ]
        factors.append(family.of([matrix + change for matrix, change in zip(matrices, changes, strict=True)]))
    return ProductElement(tuple(factors))
