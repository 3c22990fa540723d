"""The rescaling: a factor moves between the scores and the values of a layer (HMK Eq 13)."""

from __future__ import annotations

from dataclasses import dataclass

from algatt import verbs
from algatt.architectures import Lightning
from algatt.fields import Elements
from algatt.parameters import AttentionMatrix, VirtualWeights, Weights
from algatt.symmetry.base import LinearElement, Symmetry

__all__ = ["Rescaling", "RescalingElement"]


@dataclass(frozen=True, eq=False, repr=False)
class RescalingElement(LinearElement):
    """Non-zero scalars s_i, one for each layer, as 1 x 1 matrices."""


@dataclass(frozen=True)
class Rescaling(Symmetry):
    r"""The torus :math:`(K^*)^l`, acting by :math:`A_i \to s A_i`, :math:`V_i \to V_i / s`; on the weights s is put on
    Q_i (HMK Eq 13).
    """

    @property
    def name(self) -> str:
        return "rescaling"

    @property
    def dimension(self) -> int:
        """One for each layer."""
        return self.arch.layers

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sizes of the matrices of a group element."""
        return (1,) * self.arch.layers

    def element(self, theta: Weights, seed: int = 0) -> RescalingElement:
        return RescalingElement.random(theta.field, self.sizes, seed, self.name)

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        one = Elements.of(theta.field, [[[1]]])
        return [{f"Q_{i}": one * Q, f"V_{i}": -(one * V)} for i, (Q, _, V) in enumerate(theta.layer_elements, start=1)]


@verbs.members.method
def rescaling_of_lightning(family: type[Rescaling], arch: Lightning) -> tuple[Rescaling, ...]:
    return (Rescaling(arch),)


@verbs.act.method
def act_on_weights(element: RescalingElement, theta: Weights) -> Weights:
    element.check_sizes((1,) * len(theta.layer_elements))
    arrays: list[Elements] = []
    for (Q, K, V), s, inverse in zip(theta.layer_elements, element.matrices, element.inverses, strict=True):
        arrays += [s * Q, K, inverse * V]
    return Weights(tuple(arrays))


@verbs.act.method
def act_on_attention_matrix(element: RescalingElement, theta: AttentionMatrix) -> AttentionMatrix:
    element.check_sizes((1,) * len(theta.layer_elements))
    arrays: list[Elements] = []
    for (A, V), s, inverse in zip(theta.layer_elements, element.matrices, element.inverses, strict=True):
        arrays += [s * A, inverse * V]
    return AttentionMatrix(tuple(arrays))


@verbs.act.method
def act_on_virtual_weights(element: RescalingElement, theta: VirtualWeights) -> VirtualWeights:
    r"""Scale M_i by :math:`\lambda_i = s_i / (s_1 \cdots s_{i-1})^2` and L by
    :math:`\lambda_0 = 1 / (s_1 \cdots s_l)`.
    """
    element.check_sizes((1,) * len(theta.M_elements))
    arrays: list[Elements] = []
    shrink = Elements.of(theta.field, [[1]])  # 1 / (s_1 ... s_{i-1}), the factor of L_{i-1}
    for M, s, inverse in zip(theta.M_elements, element.matrices, element.inverses, strict=True):
        arrays.append(s * shrink * shrink * M)
        shrink = shrink * inverse
    return VirtualWeights((*arrays, shrink * theta.L_elements))
