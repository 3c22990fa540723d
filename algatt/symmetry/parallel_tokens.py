"""Parallel tokens: after a layer of rank one, a score is a quadratic form, and keys may be mixed with queries (derived,
see docs/theory).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations
from typing import Any, Self

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field
from algatt.parameters import Weights
from algatt.symmetry.base import LinearElement, Symmetry
from algatt.symmetry.translation import vanishes

__all__ = ["ParallelTokens", "ParallelTokensElement"]


@dataclass(frozen=True, eq=False, repr=False)
class ParallelTokensElement(LinearElement):
    r"""Matrices of the orthogonal groups :math:`O(2 a_i)` of the form :math:`k \cdot q`, one for each layer; they act
    on K_i stacked above Q_i.

    The function stays the same if the matrices of the layers whose tokens are not parallel are identities; see
    `ParallelTokens.layers`.
    """

    @classmethod
    def of(cls, matrices: Sequence[Any]) -> Self:
        """Build the element of its matrices, given as public arrays or as `Elements`.

        Raises
        ------
        InvalidArgument
            If one does not preserve the form.
        SingularMatrix
            If one is not invertible.
        """
        element = super().of(matrices)
        for matrix in element.matrices:
            if matrix.shape[0] % 2 or not preserves_form(matrix):
                raise InvalidArgument(
                    "matrices",
                    "with one that changes the form k . q",
                    "orthogonal matrices of that form, of even sizes",
                )
        return element


def preserves_form(matrix: Elements) -> bool:
    """Return whether (K; Q) -> g (K; Q) leaves the quadratic form k . q unchanged."""
    half = matrix.shape[0] // 2
    upper, lower = Elements(matrix.field, matrix.raw[:half]), Elements(matrix.field, matrix.raw[half:])
    form = upper.T @ lower  # x^T form x = (upper x) . (lower x)
    split = np.zeros((2 * half, 2 * half), dtype=np.int64)
    split[:half, half:] = np.eye(half, dtype=np.int64)
    change = form - Elements(matrix.field, verbs.embed(matrix.field, split))
    diagonal = Elements(matrix.field, np.diagonal(change.raw)[None, :])
    return vanishes(change + change.T, (upper, lower)) and vanishes(diagonal, (upper, lower))


def preserves_form_infinitesimally(matrix: Elements) -> bool:
    """Return whether the matrix is in the Lie algebra of that group: the product with the form's matrix, which
    exchanges the halves, is skew.
    """
    lowered = Elements(matrix.field, np.roll(matrix.raw, matrix.shape[0] // 2, axis=0))
    return vanishes(lowered + lowered.T, (matrix,))


@dataclass(frozen=True)
class ParallelTokens(Symmetry):
    r"""The orthogonal groups of the form :math:`k \cdot q`, acting on (K_i, Q_i) in the layers whose tokens are
    parallel (derived).

    If there is one token, or after a layer in which :math:`M_j` has rank one, all tokens are multiples :math:`c_j u` of
    one vector. The scores :math:`c_j c_i\, (K u) \cdot (Q u)` then depend on the quadratic form
    :math:`u \mapsto (K u) \cdot (Q u)` alone.
    """

    @property
    def name(self) -> str:
        return "parallel tokens"

    @property
    def layers(self) -> tuple[int, ...]:
        """The layers, counted from 0, whose tokens are parallel."""
        reach = accumulate(self.arch.dims, min)
        narrow = [i for i, (a, r) in enumerate(zip(self.arch.ranks, reach, strict=False)) if min(a, r) == 1]
        first = 0 if self.arch.tokens == 1 else narrow[0] + 1 if narrow else self.arch.layers
        return tuple(range(first, self.arch.layers))

    @property
    def dimension(self) -> int:
        """Twice the dimension of the skew matrices of size a_i, less those that vanish on the image of generic Q_i, for
        each of these layers.
        """
        total = 0
        for i in self.layers:
            a, left = self.arch.ranks[i], max(0, self.arch.ranks[i] - self.arch.dims[i])
            total += a * (a - 1) - left * (left - 1)
        return total

    @property
    def sizes(self) -> tuple[int, ...]:
        """Sizes of the matrices of a group element."""
        return tuple(2 * a for a in self.arch.ranks)

    def element(self, theta: Weights, seed: int = 0) -> ParallelTokensElement:
        matrices, inverses = [], []
        for i, a in enumerate(self.arch.ranks):
            pair = [
                random_skew(theta.field, a if i in self.layers else 0, a, seed, f"{self.name}/{i + 1}/{side}")
                for side in ("b", "c")
            ]
            upper, lower = unipotent(pair[0], 0), unipotent(pair[1], 1)
            matrices.append(upper @ lower)
            inverses.append(unipotent(-pair[1], 1) @ unipotent(-pair[0], 0))
        return ParallelTokensElement(tuple(matrices), tuple(inverses))

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        parts = []
        for i in self.layers:
            Q, K, _ = theta.layer_elements[i]
            if Q.shape[0] > 1:
                b = Elements(theta.field, verbs.embed(theta.field, skew_units(Q.shape[0])))
                parts += [{f"K_{i + 1}": b @ Q}, {f"Q_{i + 1}": b @ K}]
        return parts


def skew_units(size: int) -> np.ndarray:
    """Return the matrices E_rs - E_sr, r < s: shape (size (size - 1) / 2, size, size)."""
    pairs = list(combinations(range(size), 2))
    units = np.zeros((len(pairs), size, size), dtype=np.int64)
    for k, (r, s) in enumerate(pairs):
        units[k, r, s], units[k, s, r] = 1, -1
    return units


def random_skew(field: Field, drawn: int, size: int, seed: int, label: str) -> Elements:
    """Return a skew matrix of the given size whose first `drawn` rows and columns are random."""
    entries = verbs.draw_array(field, shape=(drawn, drawn), seed=seed, label=label)
    square = Elements(field, np.zeros((size, size), dtype=entries.dtype))
    square.raw[:drawn, :drawn] = np.triu(entries, 1)
    return square - square.T


def unipotent(block: Elements, side: int) -> Elements:
    """Return the identity of twice the size with a block above the diagonal (side 0) or below it (side 1)."""
    size = block.shape[0]
    raw = np.zeros((2 * size, 2 * size), dtype=block.raw.dtype)
    raw[np.arange(2 * size), np.arange(2 * size)] = 1
    rows = slice(size * side, size * side + size)
    columns = slice(size - size * side, 2 * size - size * side)
    raw[rows, columns] = block.raw
    return Elements(block.field, raw)


@verbs.members.method
def parallel_tokens_of_lightning(family: type[ParallelTokens], arch: Lightning) -> tuple[ParallelTokens, ...]:
    member = ParallelTokens(arch)
    return (member,) if member.dimension else ()


@verbs.act.method
def act_on_weights(element: ParallelTokensElement, theta: Weights) -> Weights:
    element.check_sizes([2 * layer.Q.shape[0] for layer in theta.layer_elements])
    arrays: list[Elements] = []
    for (Q, K, V), g in zip(theta.layer_elements, element.matrices, strict=True):
        half = Q.shape[0]
        mixed = g @ Elements(theta.field, np.concatenate([K.raw, Q.raw]))
        arrays += [Elements(theta.field, mixed.raw[half:]), Elements(theta.field, mixed.raw[:half]), V]
    return Weights(tuple(arrays))
