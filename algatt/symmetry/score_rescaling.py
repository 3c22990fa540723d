"""The rescaling of homogeneous scores: normalised weights do not change if all scores are multiplied by a number (HMK
Section 3.4).
"""

from __future__ import annotations

from dataclasses import dataclass

from algatt import verbs
from algatt.architectures import Normalized
from algatt.fields import Elements
from algatt.parameters import AttentionMatrix, VirtualWeights, Weights
from algatt.symmetry.base import LinearElement, Symmetry

__all__ = ["ScoreRescaling", "ScoreRescalingElement"]


@dataclass(frozen=True, eq=False, repr=False)
class ScoreRescalingElement(LinearElement):
    """Non-zero scalars s_i, one for each layer, as 1 x 1 matrices."""


@dataclass(frozen=True)
class ScoreRescaling(Symmetry):
    r"""The torus :math:`(K^*)^l`, acting by :math:`A_i \to s_i A_i` where the score is homogeneous; on the weights s is
    put on Q_i.
    """

    @property
    def name(self) -> str:
        return "score rescaling"

    @property
    def dimension(self) -> int:
        """One for each layer."""
        return self.arch.layers

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sizes of the matrices of a group element."""
        return (1,) * self.arch.layers

    def element(self, theta: Weights, seed: int = 0) -> ScoreRescalingElement:
        return ScoreRescalingElement.random(theta.field, self.sizes, seed, self.name)

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        one = Elements.of(theta.field, [[[1]]])
        return [{f"Q_{i}": one * Q} for i, (Q, _, _) in enumerate(theta.layer_elements, start=1)]


@verbs.members.method
def score_rescaling_of_normalized(family: type[ScoreRescaling], arch: Normalized) -> tuple[ScoreRescaling, ...]:
    return (ScoreRescaling(arch),) if arch.score.homogeneous else ()


@verbs.act.method
def act_on_weights(element: ScoreRescalingElement, theta: Weights) -> Weights:
    element.check_sizes((1,) * len(theta.layer_elements))
    arrays: list[Elements] = []
    for (Q, K, V), s in zip(theta.layer_elements, element.matrices, strict=True):
        arrays += [s * Q, K, V]
    return Weights(tuple(arrays))


@verbs.act.method
def act_on_attention_matrix(element: ScoreRescalingElement, theta: AttentionMatrix) -> AttentionMatrix:
    element.check_sizes((1,) * len(theta.layer_elements))
    arrays: list[Elements] = []
    for (A, V), s in zip(theta.layer_elements, element.matrices, strict=True):
        arrays += [s * A, V]
    return AttentionMatrix(tuple(arrays))


@verbs.act.method
def act_on_virtual_weights(element: ScoreRescalingElement, theta: VirtualWeights) -> VirtualWeights:
    element.check_sizes((1,) * len(theta.M_elements))
    return VirtualWeights((*(s * M for s, M in zip(element.matrices, theta.M_elements, strict=True)), theta.L_elements))
