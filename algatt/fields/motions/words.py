"""Words, formal products of results, and what is added to all columns of an array: sums of words times vectors."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from algatt.fields.motions.constants import Centring, Constant, Entries, Ones

__all__ = [
    "EMPTY",
    "Forms",
    "Letter",
    "Shift",
    "Sum",
    "Vector",
    "Word",
    "add_form",
    "add_shifts",
    "after",
    "differences",
    "spread",
    "times",
    "times_sum",
    "to_vanish",
]

Form = Mapping[Hashable, int | Fraction]
"""A linear form: the coefficients of unknown numbers that are not zero."""

Forms = tuple[Form, ...]
"""A vector of linear forms."""


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
        return self if self.kind in ("diagonal", "inverse") else Letter(self.of, "" if self.kind else "transposed")


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

Shift = Mapping[Word, Forms]
"""A column that depends on weights and inputs: a sum of words times vectors of unknown numbers."""


@dataclass(frozen=True, eq=False)
class Vector:
    """An unknown vector, whose entries are the keys ``(vector, i)`` of linear forms.

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
    known: dict[str, Forms] = field(default_factory=dict, repr=False)

    @property
    def forms(self) -> Forms:
        """Its entries as linear forms."""
        return self.known.setdefault("forms", tuple({(self, i): 1} for i in range(self.size)))


def add_form(one: Form, other: Form, factor: int | Fraction = 1) -> Form:
    """Return a linear form with a multiple of another one added."""
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
        key.times(word): tuple({unknown: factor * value for unknown, value in form.items()} for form in forms)
        for key, forms in shift.items()
    }


def add_shifts(parts: Iterable[Shift], factor: int | Fraction = 1) -> Shift:
    """Return the sum of shifts, those behind the first one multiplied by a factor."""
    first, *others = parts
    total = dict(first)
    for other in others:
        for word, forms in other.items():
            before = total.get(word, ({},) * len(forms))
            total[word] = tuple(add_form(*pair, factor) for pair in zip(before, forms, strict=True))
    return total


def multiplied(matrix: Constant, forms: Forms) -> Forms:
    """Return the product of a constant matrix and a vector."""
    found: list[Form] = []
    for row in matrix.array.tolist():
        total: Form = {}
        for value, form in zip(row, forms, strict=True):
            if value:
                total = add_form(total, form, value)
        found.append(total)
    return tuple(found)


def after(letter: Letter, shift: Shift) -> Shift:
    """Return the product of a matrix and a shift; a constant matrix is multiplied into vectors without words, but for
    centring, of which most is never asked.
    """
    found: dict[Word, Forms] = {}
    for word, forms in shift.items():
        if not word.letters and isinstance(letter.of, Constant) and not isinstance(letter.of, Centring):
            constant = letter.of
            if letter.kind == "transposed":
                constant = Entries.of(constant.array.T)
            found[word] = multiplied(constant, forms)
        else:
            found[word.after(letter)] = forms
    return found


def to_vanish(shift: Shift) -> Shift:
    """Return a shift that vanishes where another one does, with words of centring multiplied into their vectors: where
    all is centred, as the differences of neighbours.
    """
    parts: list[Shift] = [{}]
    centred = all(word.letters and isinstance(word.letters[0].of, Centring) for word in shift)
    for word, forms in shift.items():
        if word.letters and all(isinstance(one.of, Centring) for one in word.letters):
            first, *others = word.letters
            for letter in others:
                forms = multiplied(letter.of, forms)
            if centred:
                forms = tuple(add_form(one, other, -1) for one, other in pairwise(forms))
            else:
                forms = multiplied(first.of, forms)
            word = Word((), word.numbers)
        elif centred:
            word = Word((differences(word.letters[0].of.size), *word.letters[1:]), word.numbers)
        parts.append({word: forms})
    return add_shifts(parts)


def differences(size: int) -> Letter:
    """Return the matrix of the differences of neighbours, which has the kernel of centring."""
    rows = tuple(tuple((k == i) - (k == i + 1) for k in range(size)) for i in range(size - 1))
    return Letter(Entries(rows))


def spread(shift: Shift, size: int) -> Shift:
    """Return a number as a column of equal entries."""
    return {
        (word if not word.letters else word.after(Letter(Ones(size, 1)))): forms * (1 if word.letters else size)
        for word, forms in shift.items()
    }


def times_sum(one: Sum, other: Sum) -> Sum:
    """Return the product of two numbers."""
    total: dict[Word, Any] = {}
    for word, factor in one.items():
        for key, more in other.items():
            product = EMPTY.times(word).times(key)
            total[product] = total.get(product, 0) + factor * more
    return {word: factor for word, factor in total.items() if factor}
