"""Sums of words times vectors that vanish at weights: linear conditions that depend on these."""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields import Elements, concatenate
from algatt.fields.motions import Letter, Word
from algatt.fields.motions.constants import Centring, Constant, Entries
from algatt.fields.motions.words import Shift
from algatt.programs.interpret import Results
from algatt.symmetry.motions.words import letter_value, value_of
from algatt.symmetry.typed.linear_system import LinearForm, accumulate, primitive, solve

__all__ = ["Group", "Key", "MovingPart", "entries_of", "part_of"]

Key = Any
"""An unknown number: a scalar, an entry (space, row, column), or an entry (vector, i)."""

Term = tuple[Word, np.ndarray]
"""A word, with the matrix of numbers by which it multiplies coefficients."""

Group = Mapping[Word, Sequence[LinearForm]]
"""A sum of words times vectors of linear forms."""


@dataclass(frozen=True, eq=False)
class Condition:
    """An equation between the coefficients of a basis that depends on weights: a sum of words times matrices of numbers
    is zero.

    Parameters
    ----------
    terms : tuple of (Word, ndarray)
        The words, with the numbers by which they multiply the coefficients.
    """

    terms: tuple[Term, ...]

    def matrix(self, results: Results) -> Elements:
        """Return the matrix of the equation at weights."""
        field = results.field
        parts = [
            value_of(word, results, len(one)) @ Elements(field, verbs.embed(field, one)) for word, one in self.terms
        ]
        return functools.reduce(Elements.__add__, parts)


@dataclass(frozen=True, eq=False)
class MovingPart:
    """The solutions of equations that share unknowns.

    Parameters
    ----------
    assignments : tuple of dict
        The values of the unknowns of a basis over Q.
    conditions : tuple of Condition
        What the coefficients of the basis have to satisfy at weights: independent equations at almost all of them.
    """

    assignments: tuple[Mapping[Key, int], ...]
    conditions: tuple[Condition, ...] = ()


def entries_of(shift: Shift) -> Group:
    """Return a sum of words times vectors with its vectors as linear forms in their entries, with which the constants
    at the ends of words are multiplied; where all of a sum that vanishes is centred, neighbours are subtracted.
    """
    centred = all(word.letters and isinstance(word.letters[0].of, Centring) for word in shift)
    total: dict[Word, list[LinearForm]] = {}
    for word, form in shift.items():
        letters = list(word.letters)
        if centred:
            letters[0] = differences(letters[0].of)
        columns = [{(vector, i): value for vector, value in form.items()} for i in range(next(iter(form)).size)]
        while letters and isinstance(letters[-1].of, Constant) and not letters[-1].kind:
            columns = multiplied_by(letters.pop().of, columns)
        rest = total.setdefault(Word(tuple(letters), word.numbers), [{} for _ in columns])
        for one, other in zip(rest, columns, strict=True):
            for key, value in other.items():
                accumulate(one, key, value)
    return {word: tuple(columns) for word, columns in total.items() if any(columns)}


def multiplied_by(constant: Constant, columns: Sequence[LinearForm]) -> list[LinearForm]:
    """Return the product of a constant matrix and a vector of forms."""
    found: list[LinearForm] = []
    for row in constant.array.tolist():
        form: LinearForm = {}
        for value, one in zip(row, columns, strict=True):
            for key, coefficient in one.items() if value else ():
                accumulate(form, key, value * coefficient)
        found.append(form)
    return found


def differences(centring: Centring) -> Letter:
    """Return the matrix of the differences of neighbours, which has the kernel of centring."""
    rows = tuple(tuple((k == i) - (k == i + 1) for k in range(centring.size)) for i in range(centring.size - 1))
    return Letter(Entries(rows))


def part_of(
    unknowns: Sequence[Key], forms: list[LinearForm], sums: list[Group], point: Callable[[], Results]
) -> MovingPart:
    """Return the solutions of linear forms, and of sums of words times vectors.

    Words of weights may make these sums zero though their vectors are not. Those equations are kept as conditions that
    are independent at a random point, so that their number is their rank at almost all weights; of others all vectors
    have to vanish.
    """
    forms, pending = list(forms), list(sums)
    while True:
        basis = solve(forms, unknowns)
        conditions: list[Condition] = []
        strict: Group | None = None
        seen: set[Any] = set()
        for group in pending:
            terms = shortened(terms_of(group, basis), point)
            if not terms or not seen.isdisjoint(keys := keys_of_terms(terms)):
                continue
            seen |= keys
            condition = Condition(terms)
            matrix = concatenate([one.matrix(point()) for one in (*conditions, condition)])
            if int(verbs.rank(matrix)) < matrix.shape[0]:
                strict = group
                break
            conditions.append(condition)
        if strict is None:
            return MovingPart(tuple(basis), tuple(conditions))
        pending.remove(strict)
        forms += [form for vector in strict.values() for form in vector if form]


def keys_of_terms(terms: Sequence[Term]) -> set[Hashable]:
    """Return keys that equations have in common with their multiples."""
    entries = {(word, place): value for word, matrix in terms for place, value in np.ndenumerate(matrix) if value}
    whole = primitive(entries)
    return {frozenset((key, sign * value) for key, value in whole.items()) for sign in (1, -1)}


def shortened(terms: Sequence[Term], point: Callable[[], Results]) -> tuple[Term, ...]:
    """Return a sum of words without first letters that all of them have, as far as these have no kernel; of centring,
    which has one, what it leaves of all entries but one.
    """
    while terms and all(word.letters for word, _ in terms) and len({word.letters[0] for word, _ in terms}) == 1:
        first = terms[0][0].letters[0]
        begin: tuple[Letter, ...] = ()
        if isinstance(first.of, Centring):
            begin = (differences(first.of),)
        elif first.kind not in ("diagonal", "inverse"):
            height, width = letter_value(first, point()).shape
            if height < width:
                break
        terms = [(Word((*begin, *word.letters[1:]), word.numbers), matrix) for word, matrix in terms]
        if begin:
            break
    return tuple(terms)


def terms_of(group: Group, basis: Sequence[Mapping[Key, int]]) -> list[Term]:
    """Return the words of a sum with the values of their vectors in a basis, where these are not zero."""
    terms = []
    for word, forms in group.items():
        matrix = np.zeros((len(forms), len(basis)), dtype=object)
        for i, form in enumerate(forms):
            for k, assignment in enumerate(basis):
                matrix[i, k] = sum((value * assignment.get(key, 0) for key, value in form.items()), 0)
        if matrix.any():
            terms.append((word, matrix))
    return terms
