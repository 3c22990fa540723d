"""The key-query gauge: only K^T Q matters (HMK Lemma 3.1)."""

from __future__ import annotations

from dataclasses import dataclass

from algatt import verbs
from algatt.architectures import Lightning
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.symmetry.base import GroupElement, Symmetry, random_invertible, unit_matrices

__all__ = ["KeyQuery", "KeyQueryElement"]


@dataclass(frozen=True, eq=False)
class KeyQueryElement(GroupElement):
    """Invertible matrices C_i in GL(a_i), one for each layer.

    Parameters
    ----------
    matrices : tuple of Elements
        The C_i.
    inverses : tuple of Elements
        Their inverses.
    """

    matrices: tuple[Elements, ...]
    inverses: tuple[Elements, ...]

    @classmethod
    def of(cls, matrices: tuple[Elements, ...]) -> KeyQueryElement:
        """Build the element of its matrices; raises `SingularMatrix` if one is not invertible."""
        return cls(tuple(matrices), tuple(verbs.inverse(C) for C in matrices))


@dataclass(frozen=True)
class KeyQuery(Symmetry):
    r"""The product of the GL(a_i), acting by :math:`K_i \to C K_i`, :math:`Q_i \to C^{-T} Q_i` (HMK Lemma 3.1)."""

    @property
    def name(self) -> str:
        return "key-query"

    @property
    def dimension(self) -> int:
        """``a^2`` for each layer if ``a <= d``; where ``a > d`` an element that fixes K and Q is left over: ``2 a d - d^2``."""
        return sum(a * a if a <= d else 2 * a * d - d * d for a, d in zip(self.arch.ranks, self.arch.dims, strict=False))

    def element(self, theta: Weights, seed: int = 0) -> KeyQueryElement:
        pairs = [random_invertible(theta.field, a, seed, f"key-query/{i}") for i, a in enumerate(self.arch.ranks, start=1)]
        return KeyQueryElement(tuple(C for C, _ in pairs), tuple(inverse for _, inverse in pairs))

    def tangent_parts(self, theta: Weights) -> list[dict[int, Elements]]:
        parts = []
        for i, (Q, K, _) in enumerate(theta.layer_elements):
            c = unit_matrices(theta.field, Q.shape[0])
            parts.append({3 * i: -(c.T @ Q), 3 * i + 1: c @ K})
        return parts


@verbs.members.method
def key_query_of_lightning(family: type[KeyQuery], arch: Lightning) -> tuple[KeyQuery, ...]:
    return (KeyQuery(arch),)


@verbs.act.method
def act_on_weights(element: KeyQueryElement, theta: Weights) -> Weights:
    ranks = tuple(layer.Q.shape[0] for layer in theta.layer_elements)
    if tuple(C.shape[0] for C in element.matrices) != ranks:
        raise InvalidArgument("element", f"of sizes {tuple(C.shape[0] for C in element.matrices)}", f"of the sizes {ranks} of the weights")
    arrays: list[Elements] = []
    for (Q, K, V), C, inverse in zip(theta.layer_elements, element.matrices, element.inverses, strict=True):
        arrays += [inverse.T @ Q, C @ K, V]
    return Weights(tuple(arrays))


@verbs.act.method
def act_on_quotients(element: KeyQueryElement, theta: AttentionMatrix | VirtualWeights) -> Parameters:
    """The first quotient has divided this family out."""
    return theta
