"""Words, formal products of results and of constant matrices, and what is added to all columns of an array: sums of
words times vectors. The entries of constants are made only when these are asked for.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

MOST_ENTRIES = 2**12
"""Constants with more entries are not multiplied with each other."""


@dataclass(frozen=True)
class Constant(ABC):
    """A constant matrix."""

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Its shape."""

    @property
    @abstractmethod
    def array(self) -> np.ndarray:
        """Its entries, integers or fractions."""

    @property
    def T(self) -> Constant:
        """The transpose."""
        return Entries.of(self.array.T)


@dataclass(frozen=True)
class Entries(Constant):
    """A matrix that is given by its entries.

    Parameters
    ----------
    rows : tuple of tuple
        The entries, integers or fractions, row by row.
    """

    rows: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, array: np.ndarray) -> Entries:
        """Return an array of at most two axes as a constant matrix."""
        return cls(tuple(map(tuple, np.atleast_2d(array).tolist())))

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    @property
    def array(self) -> np.ndarray:
        return np.array(self.rows, dtype=object)


@dataclass(frozen=True)
class Ones(Constant):
    """A matrix of ones.

    Parameters
    ----------
    height, width : int
        Its shape.
    """

    height: int
    width: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.height, self.width

    @property
    def array(self) -> np.ndarray:
        return np.ones(self.shape, dtype=np.int64)

    @property
    def T(self) -> Ones:
        return Ones(self.width, self.height)


@dataclass(frozen=True)
class Selection(Constant):
    """The matrix that takes rows out of others; transposed, the one that puts them back, between zeros.

    Parameters
    ----------
    count : int
        The number of rows that there are.
    chosen : tuple of int
        The rows.
    transposed : bool
        Whether it is transposed.
    """

    count: int
    chosen: tuple[int, ...]
    transposed: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        return (self.count, len(self.chosen)) if self.transposed else (len(self.chosen), self.count)

    @property
    def array(self) -> np.ndarray:
        rows = np.zeros((len(self.chosen), self.count), dtype=np.int64)
        rows[np.arange(len(self.chosen)), list(self.chosen)] = 1
        return rows.T if self.transposed else rows

    @property
    def T(self) -> Selection:
        return Selection(self.count, self.chosen, not self.transposed)


@dataclass(frozen=True)
class Centring(Constant):
    r"""The matrix :math:`n I - \mathbb 1 \mathbb 1^T`, a multiple of the projection that subtracts the mean.

    Parameters
    ----------
    size : int
        The number n.
    """

    size: int

    @property
    def shape(self) -> tuple[int, int]:
        return self.size, self.size

    @property
    def array(self) -> np.ndarray:
        return self.size * np.eye(self.size, dtype=np.int64) - 1

    @property
    def T(self) -> Centring:
        return self


@dataclass(frozen=True)
class Turns(Constant):
    """The generator of turns of pairs of rows, row 2 f with row 2 f + 1; the other rows stay.

    Parameters
    ----------
    size : int
        The number of rows.
    speeds : tuple of int
        How fast each pair is turned.
    """

    size: int
    speeds: tuple[int, ...]

    @property
    def shape(self) -> tuple[int, int]:
        return self.size, self.size

    @property
    def array(self) -> np.ndarray:
        generator = np.zeros(self.shape, dtype=np.int64)
        for pair, speed in enumerate(self.speeds):
            generator[2 * pair, 2 * pair + 1], generator[2 * pair + 1, 2 * pair] = -speed, speed
        return generator


def multiplied(one: Constant, other: Constant) -> tuple[int, Constant | None] | None:
    """Return a product as a number and a matrix, None standing for the identity; None if it is left as it is."""
    match one, other:
        case Ones(height, width), Ones(_, columns):
            return width, Ones(height, columns)
        case (Centring(), Ones()) | (Ones(), Centring()):
            return 0, None
        case Centring(size), Centring():
            return size, one
        case Selection(_, chosen, False), Ones(_, columns):
            return 1, Ones(len(chosen), columns)
        case Selection(_, chosen, False), Selection(count, below, False):
            return 1, chosen_of(count, [below[place] for place in chosen], transposed=False)
        case Selection(count, chosen, True), Selection(_, below, True):
            return 1, chosen_of(count, [chosen[place] for place in below], transposed=True)
        case Selection(_, chosen, False), Selection(_, below, True) if set(chosen) <= set(below):
            return 1, chosen_of(len(below), [below.index(place) for place in chosen], transposed=False)
        case Selection(_, chosen, False), Selection(_, below, True) if set(chosen).isdisjoint(below):
            return 0, None
    if isinstance(one, Ones) and one.width == 1:  # so that it is seen that all rows are equal
        return None
    if max(math.prod(one.shape), math.prod(other.shape)) > MOST_ENTRIES or Centring in (type(one), type(other)):
        return None
    return named(one.array.astype(object) @ other.array.astype(object))


def chosen_of(count: int, chosen: list[int], *, transposed: bool) -> Constant | None:
    """Return the matrix that takes some rows; None if it takes all in their order."""
    return None if chosen == list(range(count)) else Selection(count, tuple(chosen), transposed)


def named(array: np.ndarray) -> tuple[int, Constant | None]:
    """Return a matrix as a number and a noun, None standing for the identity."""
    if not array.any():
        return 0, None
    if array.shape[0] == array.shape[1] and (array == np.eye(len(array), dtype=np.int64)).all():
        return 1, None
    return 1, Ones(*array.shape) if (array == 1).all() else Entries.of(array)


class Letter(NamedTuple):
    """A matrix in a word.

    Parameters
    ----------
    of : object
        What names the result of an operation, or a constant.
    kind : str, optional
        ``transposed``, ``diagonal`` or ``inverse``: the transpose, the diagonal matrix of a row or column, the inverse
        of that; empty for the matrix itself.
    """

    of: Any
    kind: str = ""

    @property
    def T(self) -> Letter:
        """The transpose."""
        if self.kind in ("diagonal", "inverse"):
            return self
        if isinstance(self.of, Constant):
            return Letter(self.of.T)
        return Letter(self.of, "" if self.kind else "transposed")


@dataclass(frozen=True)
class Word:
    """A formal product of matrices, and of numbers that are words.

    Parameters
    ----------
    letters : tuple of Letter, optional
        The matrices; without any it is the identity.
    numbers : frozenset of (Word, int), optional
        Words of shape 1 x 1, each with its power.
    """

    letters: tuple[Letter, ...] = ()
    numbers: frozenset[tuple[Word, int]] = frozenset()

    @property
    def is_constant(self) -> bool:
        """Whether it is a product of constants."""
        return not self.numbers and all(isinstance(one.of, Constant) and not one.kind for one in self.letters)

    def after(self, *letters: Letter) -> Word:
        """Return the word with other letters before it."""
        return Word((*letters, *self.letters), self.numbers)

    def times(self, number: Word, power: int = 1) -> Word:
        """Return the product with a power of a word of shape 1 x 1."""
        powers = dict(self.numbers)
        for one, exponent in (*number.numbers, *(((Word(number.letters), 1),) if number.letters else ())):
            powers[one] = powers.get(one, 0) + power * exponent
        return Word(self.letters, frozenset((one, exponent) for one, exponent in powers.items() if exponent))


EMPTY = Word()

Sum = Mapping[Word, int | Fraction]
"""A number that depends on the weights, a sum of words of shape 1 x 1."""

Totals = Mapping["Letter | None", Sum]
"""For rows u of weights, None for ones, a number k: the columns of an array have the weighted sum k."""


@dataclass(frozen=True, eq=False)
class Vector:
    """An unknown vector; of size 1, an unknown number.

    Parameters
    ----------
    size : int
        Number of its entries.
    number : int
        The later ones have larger numbers.
    label : str
        What it was made for.
    """

    size: int
    number: int
    label: str

    @property
    def shift(self) -> Shift:
        """It as a shift."""
        return {EMPTY: {self: 1}}


Form = Mapping[Vector, int | Fraction]
"""A linear combination of unknown vectors of one size, with coefficients that are not zero."""

Shift = Mapping[Word, Form]
"""A column that depends on weights and inputs: a sum of words times combinations of unknown vectors, none zero."""


def add_form(one: Form, other: Form, factor: int | Fraction = 1) -> Form:
    """Return a combination with a multiple of another one added."""
    if not other:
        return one
    total = dict(one)
    for key, value in other.items():
        total[key] = total.get(key, 0) + factor * value
    return {key: value for key, value in total.items() if value}


def times(shift: Shift, factor: int | Fraction, word: Word = EMPTY) -> Shift:
    """Return a multiple of a shift by a number and by a word of shape 1 x 1."""
    if factor == 0:
        return {}
    if factor == 1 and word == EMPTY:
        return shift
    return {
        key.times(word): {unknown: factor * value for unknown, value in form.items()} for key, form in shift.items()
    }


def add_shifts(parts: Iterable[Shift], factor: int | Fraction = 1) -> Shift:
    """Return the sum of shifts, those behind the first one multiplied by a factor."""
    first, *others = parts
    total = dict(first)
    for other in others:
        for word, form in other.items():
            total[word] = add_form(total.get(word, {}), form, factor)
    return {word: form for word, form in total.items() if form}


def after(letter: Letter, shift: Shift) -> Shift:
    """Return the product of a matrix and a shift, products of two constants as one."""
    total: dict[Word, Form] = {}
    for word, form in shift.items():
        for found, factor in placed_before(letter, word).items():
            total[found] = add_form(total.get(found, {}), form, factor)
    return {word: form for word, form in total.items() if form}


def placed_before(letter: Letter, word: Word) -> Sum:
    """Return the product of a matrix and a word."""
    if letter.kind or not isinstance(letter.of, Constant):
        return {word.after(letter): 1}
    if letter.of == Ones(1, 1):
        return {word: 1}
    first = word.letters[0] if word.letters else None
    if first is None or first.kind or not isinstance(first.of, Constant):
        return {word.after(letter): 1}
    product = multiplied(letter.of, first.of)
    if product is None:
        return {word.after(letter): 1}
    factor, constant = product
    rest = Word(word.letters[1:], word.numbers)
    return {(rest if constant is None else rest.after(Letter(constant))): factor} if factor else {}


def spread(shift: Shift, size: int) -> Shift:
    """Return a number as a column of equal entries."""
    return after(Letter(Ones(size, 1)), shift)


def times_sum(one: Sum, other: Sum) -> Sum:
    """Return the product of two numbers."""
    total: dict[Word, Any] = {}
    for word, factor in one.items():
        for key, more in other.items():
            product = EMPTY.times(word).times(key)
            total[product] = total.get(product, 0) + factor * more
    return {word: factor for word, factor in total.items() if factor}
