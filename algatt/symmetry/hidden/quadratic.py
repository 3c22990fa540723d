"""Keys and queries that meet in a quadratic form: where all tokens are multiples of one vector u, the value sees
(K u) . (Q u) alone, and keys may be mixed with queries (derived, see docs/theory/hidden_symmetries.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field, concatenate
from algatt.fields.real import tolerance_of
from algatt.parameters import Weights
from algatt.symmetry.base import GroupElement, entered_matrices
from algatt.symmetry.quotients.folded import QuotientSymmetry


@dataclass(frozen=True, repr=False)
class QuadraticForm(QuotientSymmetry):
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
    def dimension(self) -> int:
        """Twice the dimension of the skew matrices of size a, less those that vanish on the image of generic Q: the
        gauge that multiplies K by C and Q by the inverse of its transpose has the others.
        """
        a, width = verbs.coordinates(self.arch)[self.keys]
        left = max(0, a - width)
        return int(a * (a - 1) - left * (left - 1))

    @property
    def neutral(self) -> np.ndarray:
        return np.eye(2 * self.half, dtype=np.int64)

    def change(self, vector: Elements, tensors: Mapping[str, Elements]) -> dict[str, Elements]:
        """Multiply K stacked above Q by a matrix of the group, in place of a vector."""
        a, names = self.half, (self.keys, self.queries)
        K, Q = (tensors[name] for name in names)
        if not K.shape == Q.shape == (a, K.shape[1]):
            was = f"with {self.keys} and {self.queries} of shapes {K.shape} and {Q.shape}"
            raise InvalidArgument("theta", was, f"with {a} rows each")
        mixed = vector @ concatenate([K, Q])
        return {names[0]: mixed[list(range(a))], names[1]: mixed[list(range(a, 2 * a))]}

    def times(self, one: Elements, other: Elements) -> Elements:
        return one @ other

    def inverted(self, vector: Elements) -> Elements:
        return verbs.inverse(vector)

    def element(self, theta: Weights, seed: int = 0) -> GroupElement:
        b, c = (random_skew(theta.field, self.half, seed, f"{self.name}/{side}") for side in ("b", "c"))
        return self.element_of(unipotent(b, 0) @ unipotent(c, 1))

    def tangent_parts(self, theta: Weights) -> list[dict[str, Elements]]:
        Q, K = theta.tensors[self.queries], theta.tensors[self.keys]
        b = Elements(theta.field, verbs.embed(theta.field, skew_units(self.half)))
        return [{self.keys: b @ Q}, {self.queries: b @ K}]

    def of(self, matrices: Sequence[Any]) -> GroupElement:
        """Return the element of an orthogonal matrix of the form, given in a list as a public array or as `Elements`.

        Raises
        ------
        InvalidArgument
            If it does not preserve the form, or is of another size.
        """
        entered, size = entered_matrices("matrices", matrices), 2 * self.half
        shapes = [matrix.shape for matrix in entered]
        if shapes != [(size, size)]:
            raise InvalidArgument("matrices", f"of shapes {shapes}", f"one of size {size}")
        if not preserves_form(entered[0]):
            raise InvalidArgument("matrices", "with one that changes the form k . q", "an orthogonal matrix of it")
        return self.element_of(entered[0])


def preserves_form(matrix: Elements) -> bool:
    """Return whether (K; Q) -> g (K; Q) leaves the quadratic form k . q unchanged, over the reals within rounding."""
    half = matrix.shape[0] // 2
    upper, lower = matrix[list(range(half))], matrix[list(range(half, 2 * half))]
    split = np.zeros((2 * half, 2 * half), dtype=np.int64)
    split[:half, half:] = np.eye(half, dtype=np.int64)
    change = upper.T @ lower - split  # x^T (upper^T lower) x = (upper x) . (lower x)
    found = [(change + change.T).raw, np.diagonal(change.raw)]  # modulo 2 the diagonal says more
    if matrix.field.exact:
        return not any(one.any() for one in found)
    largest = tolerance_of(matrix.field) * np.linalg.norm(upper.raw) * np.linalg.norm(lower.raw)
    return all(bool(np.linalg.norm(one) <= largest) for one in found)


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
