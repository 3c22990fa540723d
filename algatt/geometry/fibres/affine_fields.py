"""Affine vector fields on weights, in terms that can be read: what each tensor gains, from which tensor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algatt.verbs.views import Tabled

Shapes = Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, eq=False)
class AffineTerm:
    r"""A part of the velocity of a tensor W: a constant, L S, S R, or any linear map of the entries of a tensor S.

    Parameters
    ----------
    target : str
        The name of W.
    source : str or None
        The name of S; None for a constant.
    kind : str
        ``constant``, ``left``, ``right`` or ``entries``.
    matrix : ndarray
        The constant, L, R, or the matrix of the linear map of the entries, row by row: integers or fractions.
    """

    target: str
    source: str | None
    kind: str
    matrix: np.ndarray

    def __str__(self) -> str:
        letter = {"constant": "C", "left": "L", "right": "R", "entries": "A"}[self.kind]
        product = {"left": f"L {self.source}", "right": f"{self.source} R", "entries": f"A({self.source})"}
        entries = [f"{letter}[{i}, {j}] = {value}" for (i, j), value in np.ndenumerate(self.matrix) if value]
        return f"{self.target} += {product.get(self.kind, 'C')}, {', '.join(entries)}"


@dataclass(frozen=True, eq=False)
class AffineField(Tabled):
    """A vector field on the weights whose components are affine functions of them.

    Parameters
    ----------
    terms : tuple of AffineTerm
        Their sum.
    """

    terms: tuple[AffineTerm, ...]

    @property
    def tensors(self) -> tuple[str, ...]:
        """The tensors that it moves."""
        return tuple(dict.fromkeys(term.target for term in self.terms))

    def __str__(self) -> str:
        return "; ".join(map(str, self.terms))

    def __repr__(self) -> str:
        return f"AffineField({self})"


def affine_field(shapes: Shapes, constant: np.ndarray, linear: np.ndarray) -> AffineField:
    """Return the field of weights w, all tensors row by row, with the velocity linear @ w + constant."""
    return AffineField(tuple(terms_of(shapes, constant, linear)))


def terms_of(shapes: Shapes, constant: np.ndarray, linear: np.ndarray) -> Iterator[AffineTerm]:
    """Iterate over the terms of a field."""
    places, start = {}, 0
    for name, shape in shapes.items():
        size = int(np.prod(shape))
        places[name] = slice(start, start + size)
        start += size
    for target, rows in places.items():
        if constant[rows].any():
            yield AffineTerm(target, None, "constant", constant[rows].reshape(shapes[target]))
        for source, columns in places.items():
            part = linear[rows, columns]
            if part.any():
                yield from linear_terms(target, source, part, shapes)


def linear_terms(target: str, source: str, part: np.ndarray, shapes: Shapes) -> Iterator[AffineTerm]:
    """Iterate over the terms of a linear map from a tensor to the velocity of another: products from the left and from
    the right if it is a sum of these.
    """
    (h, w), (k, m) = shapes[target], shapes[source]
    entries = part.reshape(h, w, k, m)
    left = right = None
    if w == m:
        left = entries[:, 0, :, 0].copy()
    if h == k:
        right = entries[0, :, 0, :].T.copy()
    if left is not None and right is not None:  # the number that both may hold belongs to the left
        right[np.arange(w), np.arange(w)] -= left[0, 0]
    total = np.zeros_like(entries)
    for matrix, kind in ((left, "left"), (right, "right")):
        if matrix is not None:
            total += product_map(matrix, kind, entries.shape)
    if (total != entries).any():
        yield AffineTerm(target, source, "entries", part)
        return
    for matrix, kind in ((left, "left"), (right, "right")):
        if matrix is not None and matrix.any():
            yield AffineTerm(target, source, kind, matrix)


def product_map(matrix: np.ndarray, kind: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return the linear map of a product from one side as an array with four axes."""
    result = np.full(shape, Fraction(0), dtype=object)
    for i in range(shape[1] if kind == "left" else shape[0]):
        if kind == "left":
            result[:, i, :, i] = matrix
        else:
            result[i, :, i, :] = matrix.T
    return result
