"""Degrees and numbers of exponentials, reciprocals and gates of a network as a function of its weights."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Erf, Exp, Field, Log, Positive, Sigmoid, Sqrt

UNKNOWN, NOT_NEGATIVE, POSITIVE = 0, 1, 2


class NotPositive(ArithmeticError):
    """A denominator, or what a root or a logarithm is taken of, is not seen to be positive for all weights."""


@dataclass(frozen=True, eq=False)
class PfaffianDegree:
    """Bounds of the entries of an array as functions of the weights.

    Parameters
    ----------
    degree : int
        Their degree in the weights, in the functions that were adjoined before, and in reciprocals and roots.
    signs : ndarray
        For each entry 2 if it is positive for all weights, 1 if it is never negative, 0 if neither is seen.
    """

    degree: int
    signs: np.ndarray

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the array."""
        return self.signs.shape


@dataclass(frozen=True)
class PfaffianDegrees(Field):
    r"""Degrees of functions of the weights that are made of polynomials by exponentials, reciprocals, roots and gates,
    at fixed inputs. Its raw arrays are `PfaffianDegree` values.

    A value is a polynomial in the weights, in a Pfaffian chain :math:`f_1, \ldots, f_r`, whose derivatives
    :math:`\partial f_j` are polynomials in the variables and :math:`f_1, \ldots, f_j`, and in further variables z with
    :math:`z u = 1`, :math:`z^2 u = 1` or :math:`e^z = u` for a positive u (A. Khovanskii, *Fewnomials*, 1991).

    Parameters
    ----------
    chain : list of (int, int)
        How many functions were adjoined, and the degree of their derivatives.
    inverses : list of (int, int)
        How many variables z there are, and the degree of their equations.
    gates : list of (int, int)
        Where layers of gates are collected: how many there are, and the degree of their arguments.
    """

    chain: list[tuple[int, int]] = field(default_factory=list, compare=False, repr=False)
    inverses: list[tuple[int, int]] = field(default_factory=list, compare=False, repr=False)
    gates: list[tuple[int, int]] = field(default_factory=list, compare=False, repr=False)

    def __str__(self) -> str:
        return "degrees with Pfaffian functions"

    @property
    def degree_of_derivatives(self) -> int:
        """The largest degree of the derivatives of the chain."""
        return max((degree for _, degree in self.chain), default=0)

    def adjoin(self, raw: PfaffianDegree, degree: int) -> None:
        """Add a function of each entry that is no constant, whose derivative by its argument has `degree`."""
        if raw.degree:
            self.chain.append((math.prod(raw.shape), degree + raw.degree - 1 + self.degree_of_derivatives))

    def invert(self, raw: PfaffianDegree, power: int) -> PfaffianDegree:
        """Return z with z^power u = 1 for the entries u."""
        if not raw.degree:
            return PfaffianDegree(0, raw.signs)
        require_positive(raw)
        self.inverses.append((math.prod(raw.shape), raw.degree + power))
        return PfaffianDegree(1, raw.signs)


def require_positive(raw: PfaffianDegree) -> None:
    """Raise an error if an entry is not seen to be positive for all weights."""
    if raw.degree and np.any(raw.signs != POSITIVE):
        raise NotPositive


@verbs.encode.method
def encode_with_signs(field: PfaffianDegrees, array: Any, *, argument: str = "array") -> PfaffianDegree:
    entries = np.array(array)
    return PfaffianDegree(0, np.array(entries > 0, dtype=int) + np.array(entries >= 0, dtype=int))


@verbs.circle_points.method
def points_without_signs(
    field: PfaffianDegrees, *, angles: tuple[float, ...], positions: tuple[int, ...]
) -> tuple[PfaffianDegree, PfaffianDegree]:
    constant = PfaffianDegree(0, np.zeros((len(angles), len(positions)), dtype=int))
    return constant, constant


@verbs.add.method
def add_with_signs(field: PfaffianDegrees, left: PfaffianDegree, right: PfaffianDegree) -> PfaffianDegree:
    seen = np.minimum(left.signs, right.signs) >= NOT_NEGATIVE
    return PfaffianDegree(max(left.degree, right.degree), seen * np.maximum(left.signs, right.signs))


@verbs.negate.method
def negate_with_signs(field: PfaffianDegrees, raw: PfaffianDegree) -> PfaffianDegree:
    return PfaffianDegree(raw.degree, np.zeros_like(raw.signs))


@verbs.multiply.method
def multiply_with_signs(field: PfaffianDegrees, left: PfaffianDegree, right: PfaffianDegree) -> PfaffianDegree:
    """The product of an array with itself is not negative."""
    signs = np.minimum(left.signs, right.signs)
    return PfaffianDegree(left.degree + right.degree, np.maximum(signs, NOT_NEGATIVE) if left is right else signs)


@verbs.product.method
def product_with_signs(field: PfaffianDegrees, left: PfaffianDegree, right: PfaffianDegree) -> PfaffianDegree:
    """A sum of products that are not negative is positive if one of them has positive factors."""
    seen = np.matmul(left.signs >= NOT_NEGATIVE, right.signs >= NOT_NEGATIVE, dtype=int) == left.shape[-1]
    positive = np.matmul(left.signs == POSITIVE, right.signs == POSITIVE, dtype=int) > 0
    return PfaffianDegree(left.degree + right.degree, seen * (1 + np.array(positive, dtype=int)))


@verbs.transpose.method
def transpose_with_signs(field: PfaffianDegrees, raw: PfaffianDegree) -> PfaffianDegree:
    return PfaffianDegree(raw.degree, raw.signs.swapaxes(-1, -2))


@verbs.take.method
def take_with_signs(field: PfaffianDegrees, raw: PfaffianDegree, *, rows: Any, columns: Any) -> PfaffianDegree:
    return PfaffianDegree(raw.degree, raw.signs[..., rows, :][..., columns])


@verbs.concatenate.method
def concatenate_with_signs(field: PfaffianDegrees, parts: tuple, *, axis: int) -> PfaffianDegree:
    batch = np.broadcast_shapes(*(part.shape[:-2] for part in parts))
    arrays = [np.broadcast_to(part.signs, (*batch, *part.shape[-2:])) for part in parts]
    return PfaffianDegree(max(part.degree for part in parts), np.concatenate(arrays, axis=axis))


@verbs.reciprocal.method
def reciprocal_with_signs(field: PfaffianDegrees, raw: PfaffianDegree) -> PfaffianDegree:
    return field.invert(raw, 1)


@verbs.entrywise.method
def exp_of_degree(field: PfaffianDegrees, function: Exp, raw: PfaffianDegree) -> PfaffianDegree:
    field.adjoin(raw, 1)
    return PfaffianDegree(min(raw.degree, 1), np.full_like(raw.signs, POSITIVE))


@verbs.entrywise.method
def sigmoid_of_degree(field: PfaffianDegrees, function: Sigmoid, raw: PfaffianDegree) -> PfaffianDegree:
    field.adjoin(raw, 2)
    return PfaffianDegree(min(raw.degree, 1), np.full_like(raw.signs, POSITIVE))


@verbs.entrywise.method
def sqrt_of_degree(field: PfaffianDegrees, function: Sqrt, raw: PfaffianDegree) -> PfaffianDegree:
    """The root of u is u z with z^2 u = 1."""
    inverse = field.invert(raw, 2)
    return PfaffianDegree(raw.degree + inverse.degree, raw.signs)


@verbs.entrywise.method
def log_of_degree(field: PfaffianDegrees, function: Log, raw: PfaffianDegree) -> PfaffianDegree:
    """The logarithm of u is the variable z with exp(z) = u."""
    signs = np.zeros_like(raw.signs)
    if not raw.degree:
        return PfaffianDegree(0, signs)
    require_positive(raw)
    field.inverses.append((math.prod(raw.shape), raw.degree))
    value = PfaffianDegree(1, signs)
    field.adjoin(value, 1)
    return value


@verbs.entrywise.method
def erf_of_degree(field: PfaffianDegrees, function: Erf, raw: PfaffianDegree) -> PfaffianDegree:
    """Its derivative is a multiple of the exponential of -u^2, which is adjoined before."""
    square = PfaffianDegree(2 * raw.degree, raw.signs)
    field.adjoin(square, 1)
    field.adjoin(raw, 1)
    return PfaffianDegree(min(raw.degree, 1), np.zeros_like(raw.signs))


@verbs.entrywise.method
def gates_of_degree(field: PfaffianDegrees, function: Positive, raw: PfaffianDegree) -> PfaffianDegree:
    if raw.degree:
        field.gates.append((math.prod(raw.shape), raw.degree))
    return PfaffianDegree(0, np.full_like(raw.signs, NOT_NEGATIVE))


@verbs.largest.method
def comparisons_of_degree(field: PfaffianDegrees, raw: PfaffianDegree, *, count: int) -> PfaffianDegree:
    """Which entries of a column are the largest is known from the signs of their differences."""
    rows = raw.shape[-2]
    if raw.degree:
        field.gates.append((math.prod(raw.shape) * (rows - 1) // 2, raw.degree))
    return PfaffianDegree(0, np.full_like(raw.signs, NOT_NEGATIVE))
