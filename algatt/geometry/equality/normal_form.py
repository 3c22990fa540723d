"""Normal forms of parameters of HMK's networks, and the group elements that lead to them.

The gauge, in every coordinate system: over GF(p) the first entry of each virtual weight M_i that is not zero is one,
over the reals M_i has Frobenius norm one and its largest entry is positive; but M_i stays as it is if scores are
normalised and not homogeneous, since then nothing rescales it. L_i = V_i ... V_1 is in row form for 0 < i < l, and what
no input reaches is zero. On `Weights`, K_i is in row form; the rows of Q_i that then do not matter for K_i^T Q_i are
reduced by the others.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture, AttentionNetwork, Lightning, Normalized
from algatt.architectures.base import check_fits
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field
from algatt.geometry.equality.rounding import check_float_sizes
from algatt.linalg.row_form import TIE, RowForm, row_form
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.parameters.base import Coordinates
from algatt.symmetry import (
    GroupElement,
    Interlayer,
    KeyQuery,
    LinearElement,
    ProductElement,
    Rescaling,
    ScoreRescaling,
    TranslationElement,
    UnreachedElement,
    UnreachedMatrixElement,
)
from algatt.symmetry.unreached import reached

Translation = TypeVar("Translation", bound=TranslationElement)

__all__ = ["PairForm", "Rescalings", "check_point", "gauge", "has_rescalings", "pair_form", "row_forms", "unit_scale"]


@dataclass(frozen=True, eq=False)
class PairForm:
    """A normal form of a pair (K, Q) under K -> D K, Q -> D^-T Q.

    Parameters
    ----------
    transform, inverse : Elements
        D and its inverse.
    K, Q : Elements
        The form.
    """

    transform: Elements
    inverse: Elements
    K: Elements
    Q: Elements


def pair_form(K: Elements, Q: Elements, checked: bool = False) -> PairForm:
    """Bring K into row form, and the rows of Q that K^T Q does not see into row form modulo the others; `checked` is
    that of `row_form`.

    Exact for all pairs over GF(p).
    """
    field, a = K.field, K.shape[0]
    first = row_form(K, checked=checked)
    D, inverse = first.transform, first.inverse
    K, Q = D @ K, inverse.T @ Q
    kappa = first.rank
    if kappa < a:
        seen, unseen = Elements(field, Q.raw[:kappa]), Elements(field, Q.raw[kappa:])
        reduced = row_form(seen, checked=checked)
        b = Elements(field, unseen.raw[:, list(reduced.pivots)]) @ Elements(
            field, reduced.transform.raw[: reduced.rank]
        )
        rest = unseen - b @ seen
        if row_form(Q, checked=checked).rank == reduced.rank:  # then the rest is zero, but for rounding
            rest = Elements(field, np.zeros_like(rest.raw))
            Q = Elements(field, np.concatenate([seen.raw, (b @ seen).raw]))
        last = row_form(rest, checked=checked)
        second = square_blocks(field, kappa, -b, last.transform)  # acts on Q: D^-T
        second_inverse = square_blocks(field, kappa, b, last.inverse, before=False)
        D, inverse = second_inverse.T @ D, inverse @ second.T
        K, Q = second_inverse.T @ K, second @ Q
    return PairForm(D, inverse, K, Q)


def square_blocks(field: Field, size: int, below: Elements, corner: Elements, before: bool = True) -> Elements:
    """Return diag(1, corner) times the unipotent matrix with a block below its diagonal, or the product in the other
    order.
    """
    a = size + corner.shape[0]
    unipotent = np.eye(a, dtype=corner.raw.dtype)
    unipotent[size:, :size] = below.raw
    diagonal = np.eye(a, dtype=corner.raw.dtype)
    diagonal[size:, size:] = corner.raw
    factors = (diagonal, unipotent) if before else (unipotent, diagonal)
    return Elements(field, factors[0]) @ Elements(field, factors[1])


def row_forms(theta: Weights | AttentionMatrix, checked: bool = False) -> Iterator[RowForm]:
    """Iterate over the row forms of L_1, ..., L_{l-1}."""
    return (row_form(L, checked=checked) for L in reached(theta)[1:-1])


class Rescalings(NamedTuple):
    """What multiplies each M_i by a factor.

    Parameters
    ----------
    elements : tuple of LinearElement
        One, or none where the scores allow none.
    divisors : tuple of Elements
        By these V_i is divided.
    """

    elements: tuple[LinearElement, ...]
    divisors: tuple[Elements, ...]


@verbs.rescalings.method
def rescalings_of_lightning(field: Field, arch: Lightning, *, scales: list[Elements]) -> Rescalings:
    matrices = torus_of_scales(field, scales)
    return Rescalings((Rescaling(arch).of(matrices),), tuple(matrices))


def torus_of_scales(field: Field, scales: list[Elements]) -> list[Elements]:
    r"""Return the numbers s_i of the rescaling that scales M_i by the given :math:`\lambda_i`: s_i = lambda_i (s_1 ...
    s_{i-1})^2.
    """
    product = Elements.of(field, [[1]])
    matrices: list[Elements] = []
    for scale in scales:
        matrices.append(scale * product * product)
        product = product * matrices[-1]
    return matrices


@verbs.rescalings.method
def rescalings_of_normalized(field: Field, arch: Normalized, *, scales: list[Elements]) -> Rescalings:
    element = (ScoreRescaling(arch).of(scales),) if has_rescalings(arch) else ()
    return Rescalings(element, (Elements.of(field, [[1]]),) * arch.layers)


def unit_scale(M: Elements) -> Elements:
    """Return the factor that normalises a matrix that is not zero, as a 1 x 1 matrix."""
    entries = M.raw.ravel()
    if M.field.exact:
        first = int(np.flatnonzero(entries)[0])
        return verbs.inverse(Elements(M.field, entries[None, first : first + 1]))
    sizes = np.abs(entries)
    largest = entries[np.argmax(sizes >= TIE * sizes.max())]
    return Elements(M.field, np.array([[np.sign(largest) / np.linalg.norm(entries)]]))


@functools.lru_cache(maxsize=64)
def has_rescalings(arch: AttentionNetwork) -> bool:
    """Return whether each virtual weight may be multiplied by a number, as the types of the network say."""
    return any(verbs.members(family, arch) for family in (Rescaling, ScoreRescaling))


def unit_scales(arch: AttentionNetwork, virtual: VirtualWeights) -> list[Elements]:
    """Return the factors for all virtual weights: 1 where the architecture has no rescalings."""
    if not has_rescalings(arch):
        return [Elements.of(virtual.field, [[1]]) for _ in virtual.M_elements]
    for i, M in enumerate(virtual.M_elements, start=1):
        if not M.raw.any():
            was = f"parameters of the zero function, as M_{i} is zero"
            raise InvalidArgument("theta", was, "parameters of another function: this has no normal form")
    return [unit_scale(M) for M in virtual.M_elements]


def gauge(
    arch: AttentionNetwork, theta: Weights | AttentionMatrix, changes: list[Elements], scales: list[Elements]
) -> tuple[GroupElement, ...]:
    """Return the rescaling of the virtual weights by `scales` and, last, the change of bases that lets L_i go to
    ``changes[i] @ L_i``.
    """
    scaling: Rescalings = verbs.rescalings(theta.field, arch, scales=scales)
    product = Elements.of(theta.field, [[1]])
    matrices = []
    for change, s in zip(changes, scaling.divisors, strict=False):
        product = product * s  # the rescaling divides L_i by this
        matrices.append(product * change)
    return *scaling.elements, Interlayer(arch).of(matrices)


def common_form(arch: AttentionNetwork, theta: Weights | AttentionMatrix) -> tuple[list[RowForm], ProductElement]:
    """Return what the normal forms in the first two coordinate systems share."""
    scales = unit_scales(arch, verbs.convert(theta, VirtualWeights))
    forms = list(row_forms(theta))
    return forms, ProductElement(gauge(arch, theta, [form.transform for form in forms], scales))


def removal(kind: type[Translation], theta: Weights | AttentionMatrix, forms: list[RowForm]) -> Translation:
    """Return the translation that makes zero what no input reaches, the L_i being in row form."""
    arrays = []
    per_layer = len(theta.elements) // len(theta.layer_elements)
    for i, layer in enumerate(theta.layer_elements):
        rank = theta.elements[0].shape[1] if i == 0 else forms[i - 1].rank
        for position, element in enumerate(layer):
            raw = np.array((-element).raw)
            seen_rows = (
                rank if per_layer == 2 and position == 0 else raw.shape[0]
            )  # of A, the block on what is reached; of other matrices, columns
            raw[:seen_rows, :rank] = 0
            arrays.append(Elements(theta.field, raw))
    return kind(tuple(arrays))


def check_point(arch: Architecture, theta: Parameters) -> None:
    """Raise `InvalidArgument` unless a point fits the architecture, and has a function where scores have values."""
    check_fits(arch, theta)
    check_float_sizes(theta)
    if arch.algebraic or not theta.field.characteristic:
        verbs.has_function(arch, theta).check("theta")


@verbs.normal_form_map.method
def normal_form_map_of_weights(arch: Lightning | Normalized, theta: Weights) -> ProductElement:
    check_point(arch, theta)
    forms, common = common_form(arch, theta)
    theta = verbs.act(common, theta)
    unreached = removal(UnreachedElement, theta, forms)
    theta = verbs.act(unreached, theta)
    pairs = [pair_form(K, Q) for Q, K, _ in theta.layer_elements]
    key_query = KeyQuery(arch).of([pair.transform for pair in pairs], [pair.inverse for pair in pairs])
    return ProductElement((key_query, unreached, *common.factors))


@verbs.normal_form_map.method
def normal_form_map_of_attention_matrix(arch: Lightning | Normalized, theta: AttentionMatrix) -> ProductElement:
    check_point(arch, theta)
    forms, common = common_form(arch, theta)
    theta = verbs.act(common, theta)
    return ProductElement((removal(UnreachedMatrixElement, theta, forms), *common.factors))


@verbs.normal_form_map.method
def normal_form_map_of_virtual_weights(arch: Lightning | Normalized, theta: VirtualWeights) -> ProductElement:
    check_point(arch, theta)
    return ProductElement(verbs.rescalings(theta.field, arch, scales=unit_scales(arch, theta)).elements)


@verbs.canonical.method
def canonical_of_parameters(arch: Lightning | Normalized, theta: Coordinates) -> Coordinates:
    return verbs.act(verbs.normal_form_map(arch, theta), theta)
