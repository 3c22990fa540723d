r"""The field of spaces of polynomials: an array is known by a space in which it lies for all weights.

An array A is the sum of a matrix of polynomials in the input that no weights enter, and of a matrix in a space that is
spanned by generators, whatever the weights are. A generator stands for one matrix of polynomials, or, where its rows
are free, for all :math:`x m` with a row m of polynomials and any column x of numbers; likewise for its columns.

docs/theory/ambient_space.md has the proof, rule by rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.arguments import rational
from algatt.fields.base import Field
from algatt.fields.functions import Function
from algatt.fields.shape import Shape, Shapes
from algatt.fields.spans.forms import Form, Multiply, key_of, multiply_monomials, unit_product
from algatt.fields.spans.products import entrywise_product, matrix_product
from algatt.fields.spans.spanned import GIVEN, Free, Spanned, added, generators, made, unknown, whole_free

MOST = 50_000
"""So many products of coefficients are computed for one operation; where there are more, the space is not known."""


@dataclass(frozen=True, eq=False)
class Spans(Field):
    """The field of spaces of polynomials. Its raw arrays are `Spanned` values.

    Parameters
    ----------
    product : callable, optional
        How monomials are multiplied, with None for zero.
    """

    product: Multiply = field(default=multiply_monomials)

    def __str__(self) -> str:
        return "spaces of polynomials"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        """None: what x + y and x - y cancel is not seen, so that rings have laws that spaces do not have."""
        return ()

    @classmethod
    def of_tokens(cls, tokens: int) -> Spans:
        """Return the field for inputs whose columns are unit vectors."""
        return cls(unit_product(tokens))

    def tensor(self, shape: tuple[int, ...]) -> Spanned:
        """Return a tensor of the weights: any matrix of numbers."""
        whole = Spanned(shape, {}, {})
        return made(shape, {}, {whole_free(whole.sizes, (True, True)): [{(0, 0, ()): Fraction(1)}]})

    def input(self, shape: tuple[int, int]) -> Spanned:
        """Return a matrix of variables."""
        rows, columns = shape
        variables: Form = {(i, j, (i * columns + j,)): Fraction(1) for i in range(rows) for j in range(columns)}
        return Spanned(shape, variables, {})

    def unit_vectors(self, shape: tuple[int, int]) -> Spanned:
        """Return a matrix whose columns are unit vectors: their last entry is 1 less the others."""
        rows, columns = shape
        form: Form = {(i, j, (i * columns + j,)): Fraction(1) for i in range(rows - 1) for j in range(columns)}
        for j in range(columns):
            form[rows - 1, j, ()] = Fraction(1)
            form |= {(rows - 1, j, (i * columns + j,)): Fraction(-1) for i in range(rows - 1)}
        return Spanned(shape, form, {})


@verbs.encode.method
def encode_constant(field: Spans, array: Any, *, argument: str = "array") -> Spanned:
    """Constants are rational numbers; floats stand for exactly what they are."""
    values = np.asarray(array)
    if values.ndim > 2:
        return unknown(values.shape)
    rows, columns = Spanned(values.shape, {}, {}).sizes
    places = [(i, j, ()) for i in range(rows) for j in range(columns)]
    form = {place: rational(entry, argument) for place, entry in zip(places, values.ravel().tolist(), strict=True)}
    return Spanned(values.shape, {place: value for place, value in form.items() if value}, {})


@verbs.transpose.method
def transpose_spanned(field: Spans, raw: Spanned) -> Spanned:
    shape: Shape = verbs.transpose(Shapes(), Shape(raw.shape))
    if raw.moving is None:
        return unknown(shape.shape)
    turned = {free[::-1]: tuple(map(transposed, forms)) for free, forms in raw.moving.items()}
    return Spanned(shape.shape, transposed(raw.fixed), turned)


def transposed(form: Form) -> Form:
    """Return the transpose of a form."""
    return {(j, i, monomial): value for (i, j, monomial), value in form.items()}


@verbs.negate.method
def negate_spanned(field: Spans, raw: Spanned) -> Spanned:
    return Spanned(raw.shape, {place: -value for place, value in raw.fixed.items()}, raw.moving)


@verbs.add.method
def add_spanned(field: Spans, left: Spanned, right: Spanned) -> Spanned:
    shape: Shape = verbs.add(Shapes(), Shape(left.shape), Shape(right.shape))
    if left.moving is None or right.moving is None or len(shape.shape) > 2:
        return unknown(shape.shape)
    parts = [spread(one, shape.shape) for one in (left, right)]
    moving: dict[Free, list[Form]] = {}
    for part in parts:
        for free, form in generators(part):
            moving.setdefault(free, []).append(form)
    return made(shape.shape, added(parts[0].fixed, parts[1].fixed), moving)


def spread(raw: Spanned, shape: tuple[int, ...]) -> Spanned:
    """Return an array with its only row or column repeated."""
    (rows, columns), (height, width) = raw.sizes, Spanned(shape, {}, {}).sizes
    down, across = height if rows < height else 1, width if columns < width else 1

    def repeated(form: Form) -> Form:
        return {
            (i + row, j + column, monomial): value
            for (i, j, monomial), value in form.items()
            for row in range(down)
            for column in range(across)
        }

    if down == across == 1:
        return raw
    return made(shape, repeated(raw.fixed), {free: map(repeated, forms) for free, forms in (raw.moving or {}).items()})


@verbs.multiply.method
def multiply_spanned(field: Spans, left: Spanned, right: Spanned) -> Spanned:
    shape: Shape = verbs.multiply(Shapes(), Shape(left.shape), Shape(right.shape))
    return bilinear(field, left, right, shape.shape, entrywise_product)


@verbs.product.method
def product_spanned(field: Spans, left: Spanned, right: Spanned) -> Spanned:
    shape: Shape = verbs.product(Shapes(), Shape(left.shape), Shape(right.shape))
    return bilinear(field, left, right, shape.shape, matrix_product)


def bilinear(field: Spans, left: Spanned, right: Spanned, shape: tuple[int, ...], product: Any) -> Spanned:
    """Return a product of two arrays: what is fixed in both is, and all other products of generators span the rest."""
    if left.moving is None or right.moving is None or len(shape) > 2 or left.weight * right.weight > MOST:
        return unknown(shape)
    fixed: Form = {}
    moving: dict[Free, list[Form]] = {}
    ours, theirs = ([(None, one.fixed), *generators(one)] for one in (left, right))
    for free, form in ours:
        for other, factor in theirs:
            kind, results = product(field.product, (free, form, left.sizes), (other, factor, right.sizes))
            if free is None and other is None:
                fixed = next(iter(results), {})
            else:
                moving.setdefault(kind, []).extend(results)
    return made(shape, fixed, moving)


@verbs.take.method
def take_spanned(field: Spans, raw: Spanned, *, rows: Any, columns: Any) -> Spanned:
    shape: Shape = verbs.take(Shapes(), Shape(raw.shape), rows=rows, columns=columns)
    if raw.moving is None:
        return unknown(shape.shape)
    height, width = raw.sizes
    left, right = numbers(rows, height), numbers(columns, width)

    def taken(free: Free, form: Form) -> Iterator[tuple[Free, Form]]:
        beside = {0: 0} if free[0] else left
        across = {0: 0} if free[1] else right
        kept = {
            (beside[i], across[j], monomial): value
            for (i, j, monomial), value in form.items()
            if i in beside and j in across
        }
        yield whole_free((len(left), len(right)), free), kept

    return mapped(shape.shape, raw, taken)


def numbers(chosen: Any, count: int) -> dict[int, int]:
    """Return the new numbers of the rows that an index takes out of `count` rows, by the old ones."""
    old = range(count)[chosen] if isinstance(chosen, slice) else chosen
    return {number: place for place, number in enumerate(old)}


def mapped(shape: tuple[int, ...], raw: Spanned, change: Any) -> Spanned:
    """Return an array with each of its forms changed to others."""
    moving: dict[Free, list[Form]] = {}
    for free, form in generators(raw):
        for kind, result in change(free, form):
            moving.setdefault(kind, []).append(result)
    fixed = dict(next(iter(change(GIVEN, raw.fixed)))[1])
    return made(shape, fixed, moving)


@verbs.concatenate.method
def concatenate_spanned(field: Spans, parts: tuple, *, axis: int) -> Spanned:
    """The rows of a part are free in the whole only if they are in all parts; else each has generators of its own."""
    if axis == -1:
        turned = verbs.concatenate(field, tuple(verbs.transpose(field, part) for part in parts), axis=-2)
        result: Spanned = verbs.transpose(field, turned)
        return result
    shape: Shape = verbs.concatenate(Shapes(), tuple(Shape(part.shape) for part in parts), axis=axis)
    if any(part.moving is None for part in parts) or len(shape.shape) > 2:
        return unknown(shape.shape)
    shared = {
        across: set.intersection(*({key_of(form) for form in part.moving.get((True, across), ())} for part in parts))
        for across in (False, True)
    }
    whole, start = Spanned(shape.shape, {}, {}), 0
    for part in parts:
        height = part.sizes[0]

        def placed(free: Free, form: Form, start: int = start, height: int = height) -> Iterator[tuple[Free, Form]]:
            if free[0] and key_of(form) in shared[free[1]]:
                yield free, form
            else:
                for row in range(height) if free[0] else (0,):
                    yield (False, free[1]), {(start + row + i, j, monomial): v for (i, j, monomial), v in form.items()}

        whole = verbs.add(field, whole, mapped(shape.shape, part, placed))
        start += height
    return whole


@verbs.circle_points.method
def circle_points_of_spans(
    field: Spans, *, angles: tuple[float, ...], positions: tuple[int, ...]
) -> tuple[Spanned, Spanned]:
    """The points are no rational numbers."""
    points = unknown((len(angles), len(positions)))
    return points, points


@verbs.reciprocal.method
def reciprocal_spanned(field: Spans, raw: Spanned) -> Spanned:
    """Only polynomials are in such a space."""
    return unknown(raw.shape)


@verbs.entrywise.method
def entrywise_spanned(field: Spans, function: Function, raw: Spanned) -> Spanned:
    return unknown(raw.shape)


@verbs.largest.method
def largest_spanned(field: Spans, raw: Spanned, *, count: int) -> Spanned:
    return unknown(raw.shape)
