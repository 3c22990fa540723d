"""The interlayer gauge: the basis of the space between two layers does not matter (HMK Eq 9)."""

from __future__ import annotations

from dataclasses import dataclass

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.fields import Elements
from algatt.parameters import AttentionMatrix, VirtualWeights, Weights
from algatt.symmetry.base import LinearElement, Symmetry, unit_matrices

__all__ = ["Interlayer", "InterlayerElement"]


@dataclass(frozen=True, eq=False, repr=False)
class InterlayerElement(LinearElement):
    """Invertible matrices C_i in GL(d_i), one for each space between two layers."""


@dataclass(frozen=True)
class Interlayer(Symmetry):
    r"""The product of the GL(d_i), 0 < i < l, acting by :math:`V_i \to C V_i` and by :math:`\cdot\, C^{-1}` on the next
    layer (HMK Eq 9).
    """

    @property
    def name(self) -> str:
        return "interlayer"

    @property
    def dimension(self) -> int:
        """``d_i^2`` for each interior width, less what fixes generic V_i and the next layer."""
        total = 0
        for i in range(1, self.arch.layers):
            d, before, after = self.arch.dims[i], self.arch.dims[i - 1], 2 * self.arch.ranks[i] + self.arch.dims[i + 1]
            total += d * d - (d - min(d, before)) * (d - min(d, after))
        return total

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sizes of the matrices of a group element."""
        return self.arch.dims[1:-1]

    def element(self, theta: Weights, seed: int = 0) -> InterlayerElement:
        return InterlayerElement.random(theta.field, self.sizes, seed, self.name)

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        parts = []
        layers = theta.layer_elements
        for i in range(1, len(layers)):
            V = layers[i - 1].V
            c = unit_matrices(theta.field, V.shape[0])
            following = layers[i]
            parts.append(
                {
                    f"V_{i}": c @ V,
                    f"Q_{i + 1}": -(following.Q @ c),
                    f"K_{i + 1}": -(following.K @ c),
                    f"V_{i + 1}": -(following.V @ c),
                }
            )
        return parts


@verbs.members.method
def interlayer_of_attention(family: type[Interlayer], arch: Lightning | Normalized) -> tuple[Interlayer, ...]:
    return (Interlayer(arch),) if arch.layers > 1 else ()


@verbs.act.method
def act_on_weights(element: InterlayerElement, theta: Weights) -> Weights:
    layers = theta.layer_elements
    element.check_sizes([layer.V.shape[0] for layer in layers[:-1]])
    arrays: list[Elements] = []
    for i, (Q, K, V) in enumerate(layers):
        if i > 0:
            inverse = element.inverses[i - 1]
            Q, K, V = Q @ inverse, K @ inverse, V @ inverse
        if i < len(layers) - 1:
            V = element.matrices[i] @ V
        arrays += [Q, K, V]
    return Weights(tuple(arrays))


@verbs.act.method
def act_on_attention_matrix(element: InterlayerElement, theta: AttentionMatrix) -> AttentionMatrix:
    layers = theta.layer_elements
    element.check_sizes([layer.V.shape[0] for layer in layers[:-1]])
    arrays: list[Elements] = []
    for i, (A, V) in enumerate(layers):
        if i > 0:
            inverse = element.inverses[i - 1]
            A, V = inverse.T @ A @ inverse, V @ inverse
        if i < len(layers) - 1:
            V = element.matrices[i] @ V
        arrays += [A, V]
    return AttentionMatrix(tuple(arrays))


@verbs.act.method
def act_on_virtual_weights(element: InterlayerElement, theta: VirtualWeights) -> VirtualWeights:
    """The second quotient has divided this family out."""
    return theta
