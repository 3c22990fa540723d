"""Keys and queries that meet in a quadratic form: where all tokens are multiples of one vector u, the value sees
(K u) . (Q u) alone, and keys may be mixed with queries (derived, see docs/theory/hidden_symmetries.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field, PublicArray, Reals
from algatt.fields.real import tolerance_of
from algatt.parameters import Weights
from algatt.symmetry.base import GroupElement, LinearElement, Symmetry
from algatt.symmetry.exponentials import exponentials
from algatt.symmetry.group import ProductElement


@dataclass(frozen=True, repr=False)
class QuadraticForm(Symmetry):
    r"""The orthogonal group :math:`O(2a)` of the form :math:`k \cdot q`, acting on two tensors K and Q of which the
    value sees the numbers :math:`(K u) \cdot (Q u)` alone, for vectors u (derived).

    So it is with one token, and after a layer of lightning attention of rank one: all tokens are multiples
    :math:`c_j u`, and scores are :math:`c_j c_i\, (K u) \cdot (Q u)`.

    Parameters
    ----------
    arch : Architecture
        The network.
    keys, queries : str
        The names of K and Q.
    """

    rests_on: ClassVar[str] = "quotient"
    """The function depends on fewer numbers."""

    keys: str
    queries: str

    @property
    def name(self) -> str:
        return f"quadratic form of {self.keys} and {self.queries}"

    @property
    def half(self) -> int:
        """The number a of rows of K and of Q."""
        return int(verbs.coordinates(self.arch)[self.keys][0])

    @property
    def sizes(self) -> tuple[int, ...]:
        """The size of the matrix of an element."""
        return (2 * self.half,)

    @property
    def dimension(self) -> int:
        """Twice the dimension of the skew matrices of size a, less those that vanish on the image of generic Q: the
        gauge that multiplies K by C and Q by the inverse of its transpose has the others.
        """
        a, width = verbs.coordinates(self.arch)[self.keys]
        left = max(0, a - width)
        return int(a * (a - 1) - left * (left - 1))

    def element(self, theta: Weights, seed: int = 0) -> QuadraticFormElement:
        a = self.half
        b, c = (random_skew(theta.field, a, seed, f"{self.name}/{side}") for side in ("b", "c"))
        matrix = unipotent(b, 0) @ unipotent(c, 1)
        inverse = unipotent(-c, 1) @ unipotent(-b, 0)
        return QuadraticFormElement((matrix,), (inverse,), self)

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        Q, K = theta.tensors[self.queries], theta.tensors[self.keys]
        b = Elements(theta.field, verbs.embed(theta.field, skew_units(self.half)))
        return [{self.keys: b @ Q}, {self.queries: b @ K}]

    def of(self, matrices: Sequence[Any]) -> QuadraticFormElement:
        """Return the element of an orthogonal matrix of the form, given in a list as a public array or as `Elements`.

        Raises
        ------
        InvalidArgument
            If it does not preserve the form, or is of another size.
        SingularMatrix
            If it is not invertible.
        """
        linear = LinearElement.of(matrices)
        if not all(preserves_form(matrix) for matrix in linear.matrices):
            raise InvalidArgument(
                "matrices",
                "with one that changes the form k . q",
                f"an orthogonal matrix of it, of size {2 * self.half}",
            )
        linear.check_sizes(self.sizes)
        return QuadraticFormElement(linear.matrices, linear.inverses, self)


@dataclass(frozen=True, eq=False, repr=False)
class QuadraticFormElement(LinearElement):
    r"""A matrix of the orthogonal group :math:`O(2a)` of the form :math:`k \cdot q`, which acts on K stacked above Q.

    Parameters
    ----------
    family : QuadraticForm
        Which tensors.
    """

    family: QuadraticForm


def vanishes(value: Elements, sizes: Sequence[Elements]) -> bool:
    """Return whether an array is zero: exactly, or over the reals beside the product of the norms of other arrays."""
    if value.field.exact:
        return not value.raw.any()
    largest = tolerance_of(value.field) * np.prod([np.linalg.norm(size.raw) for size in sizes])
    return bool(np.linalg.norm(value.raw) <= largest)


def preserves_form(matrix: Elements) -> bool:
    """Return whether (K; Q) -> g (K; Q) leaves the quadratic form k . q unchanged."""
    if matrix.shape[0] % 2:
        return False
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


def skew_units(size: int) -> np.ndarray:
    """Return the matrices E_rs - E_sr, r < s: shape (size (size - 1) / 2, size, size)."""
    pairs = list(combinations(range(size), 2))
    units = np.zeros((len(pairs), size, size), dtype=np.int64)
    for k, (r, s) in enumerate(pairs):
        units[k, r, s], units[k, s, r] = 1, -1
    return units


def random_skew(field: Field, size: int, seed: int, label: str) -> Elements:
    """Return a random skew matrix of a size."""
    entries = verbs.draw_array(field, shape=(size, size), seed=seed, label=label)
    square = Elements(field, np.triu(entries, 1))
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


@verbs.act.method
def act_on_weights(element: QuadraticFormElement, theta: Weights) -> Weights:
    family = element.family
    K, Q = (theta.tensors[name] for name in (family.keys, family.queries))
    if K.shape != Q.shape or 2 * K.shape[0] != element.matrices[0].shape[0]:
        was = f"with {family.keys} and {family.queries} of shapes {K.shape} and {Q.shape}"
        raise InvalidArgument("theta", was, f"with {family.half} rows each")
    mixed = element.matrices[0] @ Elements(theta.field, np.concatenate([K.raw, Q.raw]))
    halves = mixed.raw[: family.half], mixed.raw[family.half :]
    changed = dict(zip((family.keys, family.queries), (Elements(theta.field, half) for half in halves), strict=True))
    return theta.replace(list((theta.tensors | changed).values()))


@verbs.compose.method
def compose_forms(left: QuadraticFormElement, right: QuadraticFormElement) -> GroupElement:
    if left.family != right.family:
        return ProductElement((left, right))
    product, inverse = left.matrices[0] @ right.matrices[0], right.inverses[0] @ left.inverses[0]
    return QuadraticFormElement((product,), (inverse,), left.family)


@verbs.identity.method
def identity_of_form(family: QuadraticForm, field: Field) -> QuadraticFormElement:
    matrix = Elements.of(field, np.eye(2 * family.half, dtype=np.int64))
    return QuadraticFormElement((matrix,), (matrix,), family)


@verbs.exponential.method
def exponential_of_form(family: QuadraticForm, tangent: PublicArray) -> QuadraticFormElement:
    matrices, inverses = exponentials(family.sizes, tangent)
    if not preserves_form_infinitesimally(Elements.of(Reals(), tangent[0])):
        raise InvalidArgument("tangent", "with c that changes the form k . q", "skew for that form")
    return QuadraticFormElement(matrices, inverses, family)
