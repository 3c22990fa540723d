"""Directions that no later layer reads: before a narrow layer of low rank, a wider one is not seen completely (derived,
see docs/theory).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.fields import Elements
from algatt.linalg.kernel import kernel_of_rank
from algatt.parameters import VirtualWeights, Weights
from algatt.symmetry.base import Symmetry
from algatt.symmetry.translation import Product, TranslationElement
from algatt.symmetry.unreached import outer_products
from algatt.symmetry.unseen_scores import UnseenScores

__all__ = ["Unread", "UnreadElement", "UnreadValuesElement"]


@dataclass(frozen=True, eq=False, repr=False)
class UnreadElement(TranslationElement):
    r"""Matrices that are added to V_1, ..., V_{l-1}, with columns on which K_{i+1} and Q_{i+1} vanish and that V_{i+1}
    does not pass on.
    """


@dataclass(frozen=True, eq=False, repr=False)
class UnreadValuesElement(TranslationElement):
    """The same where the function does not see some queries and keys, so that the columns need not vanish on these; it
    acts on `Weights` alone.

    Parameters
    ----------
    unseen : tuple of str
        The names of these queries and keys (`UnseenScores.tensors`).
    """

    unseen: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unread(Symmetry):
    r"""The vector group of the N with columns in :math:`U_i`, added to V_i (derived).

    :math:`U_l = 0`, and :math:`U_i` holds the n with :math:`K_{i+1} n = 0`, :math:`Q_{i+1} n = 0` and
    :math:`V_{i+1} n \in U_{i+1}`: what a token has there, layer i + 1 neither compares nor passes on to be read.
    Queries and keys that the function does not see read nothing.
    """

    @property
    def name(self) -> str:
        return "unread"

    @property
    def read(self) -> tuple[int, ...]:
        """For each layer the generic number of independent linear forms in its output that later layers read."""
        numbers = [self.arch.dims[-1]]
        for i in range(self.arch.layers - 1, 0, -1):
            compared = sum(f"{letter}_{i + 1}" not in self.unseen for letter in "QK")
            numbers.append(min(self.arch.dims[i], compared * self.arch.ranks[i] + numbers[-1]))
        return tuple(reversed(numbers))

    @property
    def unseen(self) -> tuple[str, ...]:
        """The names of the queries and keys that the function does not see."""
        return UnseenScores(self.arch).tensors if isinstance(self.arch, Normalized) else ()

    @property
    def dimension(self) -> int:
        """``dim U_i d_{i-1}`` for each layer."""
        return sum(
            (d - read) * before for before, d, read in zip(self.arch.dims, self.arch.dims[1:], self.read, strict=False)
        )

    def unread(self, theta: Weights) -> list[Elements]:
        """Return for each layer a basis of U_i as columns; none where the forms that are read have less than their
        generic rank.
        """
        layers = theta.layer_elements
        forms = Elements.of(theta.field, np.eye(layers[-1].V.shape[0], dtype=np.int64))
        bases = [kernel_of_rank(forms, forms.shape[1])]
        for i in range(len(layers) - 1, 0, -1):
            Q, K, V = layers[i]
            compared = [matrix.raw for letter, matrix in (("K", K), ("Q", Q)) if f"{letter}_{i + 1}" not in self.unseen]
            forms = Elements(theta.field, np.concatenate([*compared, (forms @ V).raw]))
            bases.append(kernel_of_rank(forms, self.read[i - 1]))
        return bases[::-1]

    def element(self, theta: Weights, seed: int = 0) -> UnreadElement | UnreadValuesElement:
        arrays = list(UnreadElement.zero(theta).arrays)
        for i, basis in enumerate(self.unread(theta), start=1):
            shape = (basis.shape[1], theta.layer_elements[i - 1].V.shape[1])
            factor = Elements(
                theta.field, verbs.draw_array(theta.field, shape=shape, seed=seed, label=f"{self.name}/{i}")
            )
            arrays[theta.names().index(f"V_{i}")] = basis @ factor
        return UnreadValuesElement(tuple(arrays), self.unseen) if self.unseen else UnreadElement(tuple(arrays))

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        parts = []
        for i, basis in enumerate(self.unread(theta)):
            if basis.shape[1]:
                width = theta.layer_elements[i].V.shape[1]
                parts.append({f"V_{i + 1}": outer_products(np.eye(width, dtype=np.int64), basis.T).T})
        return parts


@verbs.members.method
def unread_of_attention(family: type[Unread], arch: Lightning | Normalized) -> tuple[Unread, ...]:
    member = Unread(arch)
    return (member,) if member.dimension else ()


@verbs.act.method
def act_on_weights(element: UnreadElement | UnreadValuesElement, theta: Weights) -> Weights:
    element.check_shapes(theta)
    unseen = element.unseen if isinstance(element, UnreadValuesElement) else ()
    layers = theta.layer_elements
    products: list[Product] = [((), name, ()) for name in theta.names() if not name.startswith("V")]
    for i in range(len(layers)):
        passed: tuple[Elements, ...] = ()
        for j in range(i + 1, len(layers)):
            Q, K, V = layers[j]
            compared = [matrix for letter, matrix in (("K", K), ("Q", Q)) if f"{letter}_{j + 1}" not in unseen]
            products += [((matrix, *passed), f"V_{i + 1}", ()) for matrix in compared]
            passed = (V, *passed)
        products.append((passed, f"V_{i + 1}", ()))
    element.require_unseen(theta, products)
    return Weights(element.added_to(theta))


@verbs.act.method
def act_on_virtual_weights(element: UnreadElement, theta: VirtualWeights) -> VirtualWeights:
    """The second quotient does not see this family."""
    return theta
