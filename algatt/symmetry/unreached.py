"""Directions that no input reaches: behind a narrow layer, a wider one gets no tokens outside of a subspace (derived,
see docs/theory).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.fields import Elements
from algatt.parameters import AttentionMatrix, VirtualWeights, Weights
from algatt.symmetry.base import Symmetry
from algatt.symmetry.translation import TranslationElement

__all__ = ["Unreached", "UnreachedElement", "UnreachedMatrixElement", "reached"]


@dataclass(frozen=True, eq=False, repr=False)
class UnreachedElement(TranslationElement):
    r"""Matrices that are added to Q_i, K_i and V_i, and vanish on the image of :math:`L_{i-1}`, where all
    tokens are.
    """


@dataclass(frozen=True, eq=False, repr=False)
class UnreachedMatrixElement(TranslationElement):
    r"""Matrices that are added to A_i and V_i, and vanish, as bilinear forms or as maps, on the image of
    :math:`L_{i-1}`.
    """


@dataclass(frozen=True)
class Unreached(Symmetry):
    r"""The vector group of the N with :math:`N L_{i-1} = 0`, added to Q_i, K_i and V_i, where
    :math:`L_{i-1} = V_{i-1} \cdots V_1` (derived).

    All tokens that layer i gets are in the image of :math:`L_{i-1}`, whose dimension is at most
    :math:`r_{i-1} = \min(d_0, \dots, d_{i-1})`.
    """

    @property
    def name(self) -> str:
        return "unreached"

    @property
    def reach(self) -> tuple[int, ...]:
        """The numbers r_0, ..., r_l."""
        return tuple(accumulate(self.arch.dims, min))

    @property
    def dimension(self) -> int:
        """``(2 a_i + d_i) (d_{i-1} - r_{i-1})`` for each layer."""
        dims, ranks = self.arch.dims, self.arch.ranks
        return sum((2 * ranks[i] + dims[i + 1]) * (dims[i] - self.reach[i]) for i in range(self.arch.layers))

    def annihilators(self, theta: Weights) -> list[Elements]:
        """Return for each layer a basis of the rows that vanish on the image of L_{i-1}; none where its rank is below
        the generic one.
        """
        from algatt.linalg.kernel import kernel_of_rank

        return [kernel_of_rank(L.T, r).T for L, r in zip(reached(theta)[:-1], self.reach[:-1], strict=True)]

    def element(self, theta: Weights, seed: int = 0) -> UnreachedElement:
        arrays: list[Elements] = []
        for i, (annihilator, layer) in enumerate(zip(self.annihilators(theta), theta.layer_elements, strict=True)):
            for letter, matrix in zip("QKV", layer, strict=True):
                shape = (matrix.shape[0], annihilator.shape[0])
                factor = verbs.draw_array(theta.field, shape=shape, seed=seed, label=f"{self.name}/{i + 1}/{letter}")
                arrays.append(Elements(theta.field, factor) @ annihilator)
        return UnreachedElement(tuple(arrays))

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        parts = []
        for i, (annihilator, layer) in enumerate(
            zip(self.annihilators(theta), theta.layer_elements, strict=True), start=1
        ):
            for letter, matrix in zip("QKV", layer, strict=True):
                if annihilator.shape[0]:
                    parts.append(
                        {f"{letter}_{i}": outer_products(np.eye(matrix.shape[0], dtype=np.int64), annihilator)}
                    )
        return parts


def outer_products(columns: np.ndarray, rows: Elements) -> Elements:
    """Return the products of every column of the one with every row of the other: shape (columns * rows, height,
    width).
    """
    left = Elements(rows.field, verbs.embed(rows.field, columns.T[:, None, :, None]))
    right = Elements(rows.field, rows.raw[None, :, None, :])
    products = left @ right
    return Elements(rows.field, products.raw.reshape(-1, columns.shape[0], rows.shape[1]))


def reached(theta: Weights | AttentionMatrix) -> list[Elements]:
    """Return L_0 = I, L_1 = V_1, ..., L_l = V_l ... V_1."""
    width = theta.layer_elements[0].V.shape[1]
    products = [Elements.of(theta.field, np.eye(width, dtype=np.int64))]
    for layer in theta.layer_elements:
        products.append(layer.V @ products[-1])
    return products


@verbs.members.method
def unreached_of_attention(family: type[Unreached], arch: Lightning | Normalized) -> tuple[Unreached, ...]:
    member = Unreached(arch)
    return (member,) if member.dimension else ()


@verbs.act.method
def act_on_weights(element: UnreachedElement, theta: Weights) -> Weights:
    element.check_shapes(theta)
    L = reached(theta)
    element.require_unseen(theta, [((), f"{letter}_{i}", (L[i - 1],)) for i in range(1, len(L)) for letter in "QKV"])
    return Weights(element.added_to(theta))


@verbs.act.method
def act_on_attention_matrix(element: UnreachedMatrixElement, theta: AttentionMatrix) -> AttentionMatrix:
    element.check_shapes(theta)
    L = reached(theta)
    for i in range(1, len(L)):
        element.require_unseen(theta, [((L[i - 1].T,), f"A_{i}", (L[i - 1],)), ((), f"V_{i}", (L[i - 1],))])
    return AttentionMatrix(element.added_to(theta))


@verbs.act.method
def act_on_virtual_weights(element: UnreachedElement | UnreachedMatrixElement, theta: VirtualWeights) -> VirtualWeights:
    """The second quotient has divided this family out."""
    return theta
