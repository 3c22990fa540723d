"""The field of words: what is computed over it is a formula in tensors, constants and one free matrix.

The families of symmetries move tensors by formulas. Evaluated over this field, the same code says how a certificate has
them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero, MethodError
from algatt.fields import Elements, Field

__all__ = ["Formula", "Words", "free_matrix", "symbols"]

Factor = tuple[Any, ...]
"""A factor of a word as certificates have it."""

Term = tuple[Fraction, tuple[Factor, ...]]


@dataclass(frozen=True)
class Formula:
    """A sum of words.

    Parameters
    ----------
    shape : tuple of int
        Its shape.
    terms : tuple of Term
        Coefficients and products of factors.
    """

    shape: tuple[int, int]
    terms: tuple[Term, ...]

    def times(self, factor: Fraction) -> Formula:
        """Return a multiple."""
        return Formula(self.shape, tuple((factor * c, word) for c, word in self.terms) if factor else ())

    @property
    def number(self) -> Fraction | None:
        """Its value if it is one constant number."""
        if self.shape != (1, 1) or any(
            one[0] not in ("ones", "constant") or one[1:3] != (1, 1) for _, w in self.terms for one in w
        ):
            return None
        return sum(
            (c * math.prod(one[3][2] if one[0] == "constant" else 1 for one in w) for c, w in self.terms), Fraction(0)
        )


@dataclass(frozen=True)
class Words(Field):
    """The field of sums of words. Its raw arrays are `Formula` values."""

    def __str__(self) -> str:
        return "words"

    @classmethod
    def examples(cls) -> Iterable[Field]:
        """None: that words cancel is not seen."""
        return ()


def symbols(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Elements]:
    """Return tensors as words."""
    found = {}
    for name, shape in shapes.items():
        height, width = ((1, 1) + tuple(shape))[-2:]
        found[name] = Elements(Words(), Formula((height, width), ((Fraction(1), (("tensor", name),)),)))
    return found


def free_matrix(height: int, width: int) -> Elements:
    """Return the free matrix of a shape."""
    return Elements(Words(), Formula((height, width), ((Fraction(1), (("free",),)),)))


def sizes(shape: tuple[int, ...]) -> tuple[int, int]:
    """Return the numbers of rows and columns of an array of at most two axes."""
    height, width = ((1, 1) + shape)[-2:]
    return height, width


def written(value: Fraction) -> int | str:
    """Return a fraction as certificates have it."""
    return value.numerator if value.denominator == 1 else str(value)


def constant(array: Any) -> Formula:
    """Return a constant."""
    values = np.array(array, dtype=object)
    shape = sizes(values.shape)
    entries = [Fraction(entry) for entry in values.ravel().tolist()]
    first = next((entry for entry in entries if entry), None)
    if first is None:
        return Formula(shape, ())
    if len(set(entries)) == 1:
        return Formula(shape, ((first, (("ones", *shape),)),))
    listed = [x for k, entry in enumerate(entries) if entry for x in (*divmod(k, shape[1]), written(entry))]
    return Formula(shape, ((Fraction(1), (("constant", *shape, tuple(listed)),)),))


def turned(word: tuple[Factor, ...]) -> tuple[Factor, ...]:
    """Return the transpose of a word."""
    found: list[Factor] = []
    for one in reversed(word):
        match one:
            case ("tensor" | "turned" as kind, name):
                found.append(("turned" if kind == "tensor" else "tensor", name))
            case ("free" | "free turned" as kind,):
                found.append(("free turned" if kind == "free" else "free",))
            case ("ones", height, width):
                found.append(("ones", width, height))
            case ("constant", height, width, listed):
                triples = [(listed[k + 1], listed[k], listed[k + 2]) for k in range(0, len(listed), 3)]
                found.append(
                    (
                        "constant",
                        width,
                        height,
                        tuple(x for triple in sorted(triples, key=lambda t: t[:2]) for x in triple),
                    )
                )
            case _:
                found.append(one)
    return tuple(found)


def has_free(word: tuple[Factor, ...]) -> bool:
    """Return whether a word has the free matrix in it."""
    return any(one[0] in ("free", "free turned") or (one[0] == "diagonal" and has_free(one[1])) for one in word)


@verbs.encode.method
def encode_formula(field: Words, array: Any, *, argument: str = "array") -> Formula:
    return constant(array)


@verbs.embed.method
def embed_formula(field: Words, constants: Any) -> Formula:
    return constant(constants)


@verbs.decode.method
def decode_formula(field: Words, raw: Formula) -> Formula:
    return raw


@verbs.transpose.method
def transpose_formula(field: Words, raw: Formula) -> Formula:
    return Formula(raw.shape[::-1], tuple((c, turned(word)) for c, word in raw.terms))


@verbs.negate.method
def negate_formula(field: Words, raw: Formula) -> Formula:
    return raw.times(Fraction(-1))


@verbs.add.method
def add_formulas(field: Words, left: Formula, right: Formula) -> Formula:
    shape = (max(left.shape[0], right.shape[0]), max(left.shape[1], right.shape[1]))
    found: dict[tuple[Factor, ...], Fraction] = {}
    for c, word in (*spread(left, shape).terms, *spread(right, shape).terms):
        found[word] = found.get(word, Fraction(0)) + c
    return Formula(shape, tuple((c, word) for word, c in found.items() if c))


def spread(one: Formula, shape: tuple[int, int]) -> Formula:
    """Return a formula whose only row or column is repeated."""
    before = (("ones", shape[0], 1),) if one.shape[0] < shape[0] else ()
    after = (("ones", 1, shape[1]),) if one.shape[1] < shape[1] else ()
    return Formula(shape, tuple((c, (*before, *word, *after)) for c, word in one.terms))


@verbs.product.method
def product_of_formulas(field: Words, left: Formula, right: Formula) -> Formula:
    terms = tuple((c * x, (*v, *w)) for c, v in left.terms for x, w in right.terms)
    return Formula((left.shape[0], right.shape[1]), terms)


@verbs.multiply.method
def multiply_formulas(field: Words, left: Formula, right: Formula) -> Formula:
    """Numbers, rows and columns multiply what they are spread over; of two matrices there are no words."""
    for one, other in ((left, right), (right, left)):
        if (number := other.number) is not None:
            return one.times(number)
    larger = right.shape[0] > left.shape[0] or right.shape[1] > left.shape[1]
    if larger or (left.shape == right.shape and any(has_free(word) for _, word in right.terms)):
        left, right = right, left
    (height, width), (rows, columns) = left.shape, right.shape
    if rows > height or columns > width:  # a row and a column
        return product_of_formulas(field, left, right) if width == 1 else product_of_formulas(field, right, left)
    terms: list[Term] = []
    for c, v in left.terms:
        for x, w in right.terms:
            if (rows, columns) == (1, 1) and (height == 1 or width == 1):
                word = (*v, *w) if width == 1 else (*w, *v)
            elif columns == 1 or (rows, columns) == (1, 1):
                word = (("diagonal", w if rows > 1 or height == 1 else (("ones", height, 1), *w), 1), *v)
            elif rows == 1:
                word = (*v, ("diagonal", turned(w), 1))
            else:
                raise MethodError("there are no words for products of the entries of two matrices")
            terms.append((c * x, word))
    return Formula(left.shape, tuple(terms))


@verbs.reciprocal.method
def reciprocal_of_formula(field: Words, raw: Formula) -> Formula:
    """A row or a column that is one word has an inverse."""
    if not raw.terms:
        raise DivisionByZero("words that add up to zero")
    if len(raw.terms) > 1 or min(raw.shape) > 1:
        raise MethodError("there are no words for one over a sum, or over the entries of a matrix")
    ((c, word),) = raw.terms
    if raw.shape[0] == 1:
        word = turned(word)
    size = max(raw.shape)
    inverse: tuple[Factor, ...] = (("diagonal", word, -1), *((("ones", size, 1),) if size > 1 else ()))
    return Formula(raw.shape, ((1 / c, turned(inverse) if raw.shape[0] == 1 else inverse),))


@verbs.take.method
def take_of_formula(field: Words, raw: Formula, *, rows: Any, columns: Any) -> Formula:
    left, right = (chosen(key, size) for key, size in zip((rows, columns), raw.shape, strict=True))
    found = raw
    if left is not None:
        found = product_of_formulas(field, constant(left), found)
    return found if right is None else product_of_formulas(field, found, constant(right.T))


def chosen(key: Any, size: int) -> np.ndarray | None:
    """Return the matrix that takes some of a number of rows; None if it takes all."""
    numbers = list(range(size))[key] if isinstance(key, slice) else list(key)
    return None if numbers == list(range(size)) else np.eye(size, dtype=np.int64)[numbers]


@verbs.concatenate.method
def concatenate_formulas(field: Words, parts: tuple, *, axis: int) -> Formula:
    axis %= 2
    total, start, found = sum(part.shape[axis] for part in parts), 0, None
    for part in parts:
        size = part.shape[axis]
        place = constant(np.eye(total, dtype=np.int64)[:, start : start + size])
        start += size
        one = (
            product_of_formulas(field, place, part)
            if axis == 0
            else product_of_formulas(field, part, transpose_formula(field, place))
        )
        found = one if found is None else add_formulas(field, found, one)
    return found or Formula((0, 0), ())


@verbs.centre.method
def centre_formula(field: Words, raw: Formula) -> Formula:
    height = raw.shape[0]
    share = np.array([[Fraction(int(i == j)) - Fraction(1, height) for j in range(height)] for i in range(height)])
    return product_of_formulas(field, constant(share), raw)
