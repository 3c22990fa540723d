r"""The field of spaces of polynomials: an array is known by a space in which it lies for all weights.

An array A is the sum of a matrix of polynomials in the input that no weights enter, and of a matrix in a space that is
spanned by generators, whatever the weights are. A generator stands for one matrix of polynomials, or, where its rows
are free, for all :math:`x m` with a row m of polynomials and any column x of numbers; likewise for its columns.

docs/theory/ambient_space.md has the proof, rule by rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields.base import Field
from algatt.fields.functions.base import Function
from algatt.fields.shape import Shape, Shapes
from algatt.fields.spans.forms import Form, Multiply, distinct, key_of, multiply_monomials, unit_product
from algatt.fields.trace import rational

__all__ = ["Spanned", "Spans"]

MOST = 50_000
"""So many products of coefficients are computed for one operation; where there are more, the space is not known."""

Free = tuple[bool, bool]
"""Whether the rows of a generator are free, and its columns."""


@dataclass(frozen=True, eq=False)
class Spanned:
    """An array in a space of matrices of polynomials.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    fixed : dict
        What does not depend on the weights.
    moving : dict of (bool, bool) to tuple of dict, or None
        The generators of the space of the rest, by whether their rows and columns are free; None if none is known.
    """

    shape: tuple[int, ...]
    fixed: Form
    moving: Mapping[Free, tuple[Form, ...]] | None

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of rows and columns."""
        height, width = ((1, 1) + tuple(self.shape))[-2:]
        return height, width

    @property
    def weight(self) -> int:
        """The number of all coefficients."""
        generators = () if self.moving is None else self.moving.values()
        return len(self.fixed) + sum(len(form) for forms in generators for form in forms)


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


def whole_free(sizes: tuple[int, int], free: Free) -> Free:
    """Return which axes are free, for a matrix of a size: the vectors along an axis of length 1 are the multiples of
    one.
    """
    return free[0] and sizes[0] > 1, free[1] and sizes[1] > 1


def unknown(shape: tuple[int, ...]) -> Spanned:
    """Return an array of which nothing is known."""
    return Spanned(shape, {}, None)


def made(shape: tuple[int, ...], fixed: Form, moving: Mapping[Free, Iterable[Form]]) -> Spanned:
    """Return an array with its generators, each once."""
    return Spanned(shape, fixed, {free: found for free, forms in moving.items() if (found := distinct(forms))})


def accumulate(form: Form, place: tuple[int, int, Any], value: Fraction) -> None:
    """Add to a coefficient."""
    total = form.get(place, 0) + value
    if total:
        form[place] = Fraction(total)
    else:
        form.pop(place, None)


def added(left: Form, right: Form) -> Form:
    """Return a sum of forms."""
    total = dict(left)
    for place, value in right.items():
        accumulate(total, place, value)
    return total


def generators(raw: Spanned) -> Iterator[tuple[Free, Form]]:
    """Iterate over the generators of an array, with whether their rows and columns are free."""
    for free, forms in (raw.moving or {}).items():
        for form in forms:
            yield free, form


@verbs.encode.method
def encode_constant(field: Spans, array: Any, *, argument: str = "array") -> Spanned:
    """Constants are rational numbers; floats stand for exactly what they are."""
    values = np.asarray(array)
    whole = Spanned(values.shape, {}, {})
    rows, columns = whole.sizes
    places = ((i, j, ()) for i in range(rows) for j in range(columns)) if values.ndim <= 2 else iter(())
    form = {place: rational(entry, argument) for place, entry in zip(places, values.ravel().tolist(), strict=False)}
    if values.ndim > 2:
        return unknown(values.shape)
    return Spanned(values.shape, {place: value for place, value in form.items() if value}, {})


@verbs.decode.method
def decode_spanned(field: Spans, raw: Spanned) -> Spanned:
    return raw


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


def bilinear(field: Spans, left: Spanned, right: Spanned, shape: tuple[int, ...], multiply: Any) -> Spanned:
    """Return a product of two arrays: what is fixed in both is, and all other products of generators span the rest."""
    if left.moving is None or right.moving is None or len(shape) > 2 or left.weight * right.weight > MOST:
        return unknown(shape)
    fixed: Form = {}
    moving: dict[Free, list[Form]] = {}
    ours, theirs = ([(None, one.fixed), *generators(one)] for one in (left, right))
    for free, form in ours:
        for other, factor in theirs:
            kind, results = multiply(field, (free, form, left.sizes), (other, factor, right.sizes))
            if free is None and other is None:
                fixed = next(iter(results), {})
            else:
                moving.setdefault(kind, []).extend(results)
    return made(shape, fixed, moving)


Factor = tuple[Free | None, Form, tuple[int, int]]
"""A generator, or what is fixed, with the sizes of its array."""


def entrywise_product(field: Spans, left: Factor, right: Factor) -> tuple[Free, list[Form]]:
    """Return the generators of the entrywise product of two.

    Along an axis on which both are free, so is the product. Where one is free and the other is not, each index has a
    generator of its own. A single row or column is repeated.
    """
    (free, form, sizes), (other, factor, lengths) = left, right
    axes = [axis_of(*axis) for axis in zip(free or GIVEN, sizes, other or GIVEN, lengths, strict=True)]
    results: dict[tuple[int, ...], Form] = {}
    for (i, j, monomial), value in form.items():
        for (k, m, times), coefficient in factor.items():
            product, row, column = field.product(monomial, times), axes[0].meet(i, k), axes[1].meet(j, m)
            if product is not None and row is not None and column is not None:
                apart = tuple(place for axis, place in zip(axes, (row, column), strict=True) if axis.apart)
                accumulate(results.setdefault(apart, {}), (row, column, product), value * coefficient)
    return (axes[0].free, axes[1].free), list(results.values())


def matrix_product(field: Spans, left: Factor, right: Factor) -> tuple[Free, list[Form]]:
    """Return the generators of the matrix product of two.

    Two free vectors have a number as their product; of a free one and one that is not, the product is any combination
    of the entries of the latter.
    """
    (free, form, sizes), (other, factor, lengths) = left, right
    (down, inside), (within, across) = free or GIVEN, other or GIVEN
    inner = axis_of(inside, sizes[1], within, lengths[0])
    results: dict[tuple[int, ...], Form] = {}
    for (i, j, monomial), value in form.items():
        for (k, m, times), coefficient in factor.items():
            product, met = field.product(monomial, times), inner.meet(j, k)
            if product is not None and met is not None:
                apart = (met,) if inner.apart else ()
                accumulate(results.setdefault(apart, {}), (i, m, product), value * coefficient)
    return (down, across), list(results.values())


GIVEN: Free = (False, False)


@dataclass(frozen=True)
class Axis:
    """How the indices of two arrays meet along an axis.

    Parameters
    ----------
    free : bool
        Whether the result is free.
    apart : bool
        Whether each index has a result of its own.
    takes : tuple of bool
        Which of the two indices count.
    """

    free: bool
    apart: bool
    takes: tuple[bool, bool]

    def meet(self, left: int, right: int) -> int | None:
        """Return the index of the result, or None if there is none."""
        indices = {index for index, taken in zip((left, right), self.takes, strict=True) if taken}
        return next(iter(indices), 0) if len(indices) < 2 else None


def axis_of(free: bool, size: int, other: bool, length: int) -> Axis:
    """Return how the indices of two arrays meet along an axis of given lengths, on which they may be free."""
    given = not free and size > 1, not other and length > 1
    return Axis(not any(given) and (free or other), any(given) and (free or other), given)


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
