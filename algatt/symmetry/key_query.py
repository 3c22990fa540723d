"""The key-query gauge: only K^T Q matters (HMK Lemma 3.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.fields import Elements
from algatt.parameters import AttentionMatrix, VirtualWeights, Weights
from algatt.symmetry.base import LinearElement, Symmetry, unit_matrices

__all__ = ["KeyQuery", "KeyQueryElement"]

Quotient = TypeVar("Quotient", AttentionMatrix, VirtualWeights)


@dataclass(frozen=True, eq=False, repr=False)
class KeyQueryElement(LinearElement):
    """Invertible matrices C_i in GL(a_i), one for each layer."""


@dataclass(frozen=True)
class KeyQuery(Symmetry):
    r"""The product of the GL(a_i), acting by :math:`K_i \to C K_i`, :math:`Q_i \to C^{-T} Q_i` (HMK Lemma 3.1)."""

    @property
    def name(self) -> str:
        return "key-query"

    @property
    def dimension(self) -> int:
        """``a^2`` for each layer if ``a <= d``; where ``a > d`` an element that fixes K and Q is left over: ``2 a d -
        d^2``.
        """
        return sum(
            a * a if a <= d else 2 * a * d - d * d for a, d in zip(self.arch.ranks, self.arch.dims, strict=False)
        )

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sizes of the matrices of a group element."""
        return self.arch.ranks

    def element(self, theta: Weights, seed: int = 0) -> KeyQueryElement:
        return KeyQueryElement.random(theta.field, self.sizes, seed, self.name)

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        parts = []
        for i, (Q, K, _) in enumerate(theta.layer_elements, start=1):
            c = unit_matrices(theta.field, Q.shape[0])
            parts.append({f"Q_{i}": -(c.T @ Q), f"K_{i}": c @ K})
        return parts


@verbs.members.method
def key_query_of_attention(family: type[KeyQuery], arch: Lightning | Normalized) -> tuple[KeyQuery, ...]:
    return (KeyQuery(arch),)


@verbs.act.method
def act_on_weights(element: KeyQueryElement, theta: Weights) -> Weights:
    element.check_sizes([layer.Q.shape[0] for layer in theta.layer_elements])
    arrays: list[Elements] = []
    for (Q, K, V), C, inverse in zip(theta.layer_elements, element.matrices, element.inverses, strict=True):
        arrays += [inverse.T @ Q, C @ K, V]
    return Weights(tuple(arrays))


@verbs.act.method
def act_on_quotients(element: KeyQueryElement, theta: Quotient) -> Quotient:
    """The first quotient has divided this family out."""
    return theta
