"""Degrees in place of numbers: evaluating a network over them bounds the degrees of its values as quotients of
polynomials.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields.base import Field
from algatt.fields.shape import length
from algatt.verbs.views import Tabled


@dataclass(frozen=True, eq=False)
class DegreeFactor:
    """A polynomial for each row, or for each column, of a matrix; it is known by identity, so that equal factors
    cancel.

    Parameters
    ----------
    weights, inputs : int
        Bounds of the degrees of each of these polynomials.
    """

    weights: int
    inputs: int
    parts: dict[Any, DegreeFactor] = field(default_factory=dict, repr=False)

    def product(self, count: int) -> DegreeFactor:
        """Return the product of all `count` polynomials, the same factor each time."""
        return (
            self
            if count == 1
            else self.parts.setdefault(count, DegreeFactor(count * self.weights, count * self.inputs))
        )

    def part(self, index: Any) -> DegreeFactor:
        """Return the polynomials of some of the rows or columns, the same factor each time."""
        key = (index.start, index.stop, index.step) if isinstance(index, slice) else index
        return (
            self if key == (None, None, None) else self.parts.setdefault(key, DegreeFactor(self.weights, self.inputs))
        )


Powers = frozenset[tuple[DegreeFactor, int]]


@dataclass(frozen=True)
class Degree(Tabled):
    r"""Bounds on the degrees of the entries :math:`N_{ij} \prod_f f_i^{e_f} \prod_g g_j^{e_g}` of an array of rational
    functions.

    Parameters
    ----------
    weights : int
        Degree of the N_ij in the parameters.
    inputs : int
        Their degree in the entries of the input.
    shape : tuple of int, optional
        Shape of the array.
    rows, columns : frozenset of (DegreeFactor, int), optional
        The factors of the rows and of the columns with their exponents; those of denominators are negative.
    """

    weights: int
    inputs: int
    shape: tuple[int, ...] = ()
    rows: Powers = field(default=frozenset(), repr=False)
    columns: Powers = field(default=frozenset(), repr=False)

    def times(self, powers: Iterable[tuple[DegreeFactor, int]]) -> Degree:
        """Return the degrees after multiplication of the N_ij with powers of factors."""
        powers = list(powers)
        weights = self.weights + sum(factor.weights * exponent for factor, exponent in powers)
        return Degree(
            weights,
            self.inputs + sum(factor.inputs * exponent for factor, exponent in powers),
            self.shape,
            self.rows,
            self.columns,
        )

    @property
    def polynomial(self) -> bool:
        """Whether there are no denominators."""
        return all(exponent >= 0 for _, exponent in (*self.rows, *self.columns))

    @property
    def cleared(self) -> Degree:
        """Degrees of numerator plus denominator, all factors being multiplied out."""
        total = self.times((factor, abs(exponent)) for factor, exponent in (*self.rows, *self.columns))
        return Degree(total.weights, total.inputs, self.shape)


@dataclass(frozen=True)
class Degrees(Field):
    """The semiring of degrees: a sum has the larger degree, a product the sum of the degrees. Its raw arrays are
    `Degree` values.

    Parameters
    ----------
    denominators : list of Degree, optional
        Where the degrees of everything that is divided by are collected, each entry of an array counted.
    circles : list of tuple of float, optional
        Where the angles of rotations are collected, by points of a circle that are random over GF(p): no degree bounds
        what these may hide.
    """

    denominators: list[Degree] = field(default_factory=list, compare=False, repr=False)
    circles: list[tuple[float, ...]] = field(default_factory=list, compare=False, repr=False)

    def __str__(self) -> str:
        return "degrees"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return (cls(),)


def multiplied(one: Powers, two: Powers) -> Powers:
    """Return the product of powers of factors; what cancels is left out."""
    exponents = dict(one)
    for factor, exponent in two:
        exponents[factor] = exponents.get(factor, 0) + exponent
    return frozenset((factor, exponent) for factor, exponent in exponents.items() if exponent)


def common(powers: Iterable[Powers]) -> dict[DegreeFactor, int]:
    """Return the largest powers of factors that divide all of several products."""
    maps: list[Mapping[DegreeFactor, int]] = [dict(one) for one in powers]
    return {factor: min(one.get(factor, 0) for one in maps) for factor in {factor for one in maps for factor in one}}


def summed(terms: list[Degree], shape: tuple[int, ...]) -> Degree:
    """Return the degrees of a sum: each term is multiplied by what the common denominator has beyond its own."""
    shared = [common(term.rows for term in terms), common(term.columns for term in terms)]
    over = [term.times([*beyond(term.rows, shared[0]), *beyond(term.columns, shared[1])]) for term in terms]
    rows, columns = (
        frozenset((factor, exponent) for factor, exponent in least.items() if exponent) for least in shared
    )
    return Degree(max(term.weights for term in over), max(term.inputs for term in over), shape, rows, columns)


def beyond(powers: Powers, least: Mapping[DegreeFactor, int]) -> Iterable[tuple[DegreeFactor, int]]:
    """Iterate over what a product has beyond the largest powers of the factors that divide it and others."""
    exponents = dict(powers)
    return ((factor, exponents.get(factor, 0) - exponent) for factor, exponent in least.items())


@verbs.encode.method
def encode_constant(field: Degrees, array: Any, *, argument: str = "array") -> Degree:
    return Degree(0, 0, np.shape(array))


@verbs.circle_points.method
def circle_points_of_degrees(
    field: Degrees, *, angles: tuple[float, ...], positions: tuple[int, ...]
) -> tuple[Degree, Degree]:
    field.circles.append(angles)
    constant = Degree(0, 0, (len(angles), len(positions)))
    return constant, constant


@verbs.add.method
def add_degrees(field: Degrees, left: Degree, right: Degree) -> Degree:
    return summed([left, right], np.broadcast_shapes(left.shape, right.shape))


@verbs.negate.method
def negate_degree(field: Degrees, raw: Degree) -> Degree:
    return raw


@verbs.multiply.method
def multiply_degrees(field: Degrees, left: Degree, right: Degree) -> Degree:
    shape = np.broadcast_shapes(left.shape, right.shape)
    rows, columns = multiplied(left.rows, right.rows), multiplied(left.columns, right.columns)
    return Degree(left.weights + right.weights, left.inputs + right.inputs, shape, rows, columns)


@verbs.transpose.method
def transpose_degree(field: Degrees, raw: Degree) -> Degree:
    return Degree(raw.weights, raw.inputs, (*raw.shape[:-2], raw.shape[-1], raw.shape[-2]), raw.columns, raw.rows)


@verbs.product.method
def product_degrees(field: Degrees, left: Degree, right: Degree) -> Degree:
    """A sum of products over an inner index: its common denominator is the product of those of all terms."""
    shape = (*np.broadcast_shapes(left.shape[:-2], right.shape[:-2]), left.shape[-2], right.shape[-1])
    inner, count = multiplied(left.columns, right.rows), left.shape[-1]
    result = Degree(left.weights + right.weights, left.inputs + right.inputs, shape)
    result = result.times((factor, exponent if exponent > 0 else -exponent * (count - 1)) for factor, exponent in inner)
    denominators = frozenset((factor.product(count), exponent) for factor, exponent in inner if exponent < 0)
    return Degree(result.weights, result.inputs, shape, multiplied(left.rows, denominators), right.columns)


@verbs.take.method
def take_degree(field: Degrees, raw: Degree, *, rows: Any, columns: Any) -> Degree:
    shape = (length(rows, raw.shape[-2]), length(columns, raw.shape[-1]))
    kept = [
        frozenset((factor.part(index), exponent) for factor, exponent in powers)
        for powers, index in ((raw.rows, rows), (raw.columns, columns))
    ]
    return Degree(raw.weights, raw.inputs, (*raw.shape[:-2], *shape), *kept)


@verbs.concatenate.method
def concatenate_degrees(field: Degrees, parts: tuple, *, axis: int) -> Degree:
    """Along the axis each part keeps its own factors: together they are one factor of the largest degree."""
    joined = [part if axis == -2 else verbs.transpose(field, part) for part in parts]
    shape = (sum(part.shape[-2] for part in joined), joined[0].shape[-1])
    numerators = [part.times((factor, exponent) for factor, exponent in part.rows if exponent > 0) for part in joined]
    below = [
        Degree(0, 0).times((factor, -exponent) for factor, exponent in part.rows if exponent < 0) for part in joined
    ]
    total = summed(
        [Degree(part.weights, part.inputs, part.shape, frozenset(), part.columns) for part in numerators], shape
    )
    largest = DegreeFactor(max(part.weights for part in below), max(part.inputs for part in below))
    rows = frozenset({(largest, -1)}) if largest.weights or largest.inputs else frozenset()
    result = Degree(
        total.weights,
        total.inputs,
        (*np.broadcast_shapes(*(part.shape[:-2] for part in joined)), *shape),
        rows,
        total.columns,
    )
    return result if axis == -2 else verbs.transpose(field, result)


@verbs.reciprocal.method
def reciprocal_degree(field: Degrees, raw: Degree) -> Degree:
    """With one row, or one column, the N_ij become a factor; of a larger matrix, their product over the shorter axis,
    from which one is missing.
    """
    rows, columns = (
        frozenset((factor, -exponent) for factor, exponent in powers) for powers in (raw.rows, raw.columns)
    )
    height, width = ((1, 1) + raw.shape)[-2:]
    field.denominators.append(Degree(height * width * raw.weights, height * width * raw.inputs))
    count = min(height, width)
    whole = (
        frozenset({(DegreeFactor(count * raw.weights, count * raw.inputs), -1)})
        if raw.weights or raw.inputs
        else frozenset()
    )
    if height <= width:
        columns = multiplied(columns, whole)
    else:
        rows = multiplied(rows, whole)
    return Degree((count - 1) * raw.weights, (count - 1) * raw.inputs, raw.shape, rows, columns)
