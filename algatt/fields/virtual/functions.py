"""Functions of one variable, reciprocals and choices of virtual forms."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields.base import Elements
from algatt.fields.functions import Erf, Exp, Function, Positive, Sigmoid, Sqrt
from algatt.fields.virtual.arithmetic import rows_of, sum_over_keys
from algatt.fields.virtual.field import Virtual, occupied, values
from algatt.fields.virtual.forms import (
    Atom,
    Columns,
    Exponentials,
    Numbers,
    Quotients,
    Scores,
    SignContent,
    Sums,
    Transposed,
    VirtualForm,
)
from algatt.fields.virtual.products import (
    diagonal,
    entrywise_product,
    exponent_of,
    factors_of_scores,
    products_of_terms,
    scores_of,
    sum_of_columns,
)
from algatt.fields.virtual.spanning import cut

AT_ZERO = {Sqrt: 0, Erf: 0, Sigmoid: 1}
"""Twice the values of functions at zero."""

MOST_EXPONENTS = 64
"""The mean of more exponents is not taken out of a sum of exponentials."""


def rows(field: Virtual, columns: Columns) -> list[Columns]:
    """Return the rows of a sum of terms."""
    return [rows_of(field, columns, (row,)) for row in range(columns.shape[0])]


def is_constant(columns: Columns) -> bool:
    """Return whether all columns are known to be equal."""
    return all(atom.constant for atom in columns.terms)


def row_by_row(field: Virtual, columns: Columns, name: Hashable) -> Columns:
    """Return an entrywise function: each row is an atom named by the function and by the row, so that equal rows are
    one atom and the order of rows is that of the numbers before them.
    """
    parts = [
        Columns(row.shape, {field.atom((name, field.content(row)), 1, constant=is_constant(row)): field.row(1)})
        for row in rows(field, columns)
    ]
    result: Columns = verbs.concatenate(field, tuple(parts), axis=-2)
    return result


def gate(field: Virtual, row: Columns) -> Columns:
    """Return where a row is positive, which depends on the sign of its first number and on the row divided by it."""
    if not row.terms:
        return row_by_row(field, row, ("function", Positive()))
    first = field.leading(row.terms)
    scaled = {atom: numbers * first.reciprocal() for atom, numbers in row.terms.items()}
    content = ("function", Positive(), sign_of(first), field.terms(scaled))
    return Columns(row.shape, {field.atom(content, 1, constant=is_constant(row)): field.row(1)})


def sign_of(number: Elements) -> SignContent:
    """Return the sign of a number, given as a matrix; where numbers have no signs its value stands for it."""
    value = values(number)[0, 0]
    return SignContent(value) if number.field.characteristic else SignContent(1 if value > 0 else -1)


@verbs.entrywise.method
def entrywise_form(field: Virtual, function: Function, raw: VirtualForm) -> VirtualForm:
    if isinstance(raw, Transposed):
        result: VirtualForm = verbs.transpose(field, entrywise_form(field, function, raw.of))
        return result
    if isinstance(raw, Scores) and isinstance(function, Exp):
        return Exponentials(raw)
    if isinstance(raw, Numbers) and raw.shape[1] > 1:  # a matrix of its own, that no weights of attention mix
        return field.opaque(("function", function), (raw,), raw.shape)
    parts: list[VirtualForm] = []
    for row in rows(field, field.as_columns(cut(field, raw))):
        if not row.terms and type(function) in AT_ZERO and field.base.characteristic != 2:
            half = (field.row(1) * 2).reciprocal()
            parts.append(field.columns(row.shape, {field.ones(row.shape[1]): half * AT_ZERO[type(function)]}))
        elif isinstance(function, Exp):
            parts.append(field.columns(row.shape, {field.exponential(row): field.row(1)}))
        elif isinstance(function, Positive):
            parts.append(gate(field, row))
        else:
            parts.append(row_by_row(field, row, ("function", function)))
    joined: VirtualForm = verbs.concatenate(field, tuple(parts), axis=-2)
    return joined


@verbs.reciprocal.method
def reciprocal_form(field: Virtual, raw: VirtualForm) -> VirtualForm:
    """Return reciprocals; numbers before a row are taken out of it."""
    match raw:
        case Numbers(value=value):
            return Numbers(value.reciprocal())
        case Transposed(of=inner):
            result: VirtualForm = verbs.transpose(field, reciprocal_form(field, inner))
            return result
        case Sums(of=of, factor=factor):
            check_sums(field, of)
            return Quotients(of, factor.reciprocal())
        case Quotients(of=of, factor=factor):
            return Sums(of, factor.reciprocal())
        case Scores():
            found = reciprocal_of_scores(field, raw)
            if found is not None:
                return found
    parts = tuple(reciprocal_of_row(field, row) for row in rows(field, field.as_columns(cut(field, raw))))
    joined: VirtualForm = verbs.concatenate(field, parts, axis=-2)
    return joined


def check_sums(field: Virtual, of: Scores | Exponentials) -> None:
    """Raise `DivisionByZero` if the sums of the columns of scores or exponentials are zero for every input."""
    if of.mask is not None and not np.all(np.any(occupied(of.mask), axis=0)):
        raise DivisionByZero("the sum of scores that are all hidden is zero")
    if isinstance(of, Scores):
        total = sum_over_keys(field, of)
        if isinstance(total, Columns) and not total.terms:
            raise DivisionByZero("the sum of scores is zero")


def reciprocal_of_scores(field: Virtual, scores: Scores) -> VirtualForm | None:
    """Return reciprocals of scores whose matrix has rank one, as products of reciprocals; None for others.

    Raises
    ------
    DivisionByZero
        If some scores, as those of tokens with themselves, are zero for every input.
    """
    if scores.mask is not None:
        unmasked = reciprocal_form(field, Scores(scores.shape, scores.terms))
        result: VirtualForm = verbs.multiply(field, unmasked, Numbers(scores.mask.reciprocal()))
        return result
    if not scores.terms:
        raise DivisionByZero("a score is zero")
    factors = factors_of_scores(field, scores)
    if factors is not None:
        left, right = (reciprocal_of_row(field, one) for one in factors)
        return scores_of(field, scores.shape, products_of_terms(left, right))
    row = diagonal(field, scores) if scores.shape[0] == scores.shape[1] else None
    if row is not None and not row.terms:
        raise DivisionByZero("the score of a token with itself is zero")
    return None


def reciprocal_of_row(field: Virtual, row: Columns) -> Columns:
    """Return the reciprocals of a row."""
    if not row.terms:
        raise DivisionByZero("a row that is divided by is zero")
    mean = mean_exponent(field, row)
    if mean is not None:
        factor = Columns(row.shape, {field.exponential(verbs.negate(field, mean)): field.row(1)})
        centred = entrywise_product(field, row, factor)
        result = None if centred is None else entrywise_product(field, named_reciprocal(field, centred), factor)
        if result is not None:
            return result
    return named_reciprocal(field, row)


def named_reciprocal(field: Virtual, row: Columns) -> Columns:
    """Return the reciprocals of a row by its content; those of numbers are numbers."""
    inverse = field.leading(row.terms).reciprocal()
    if set(row.terms) <= {field.ones(row.shape[1]), field.unit(row.shape[1])}:
        return field.as_columns(Numbers(numbers_of(field, row).reciprocal()))
    scaled = {atom: numbers * inverse for atom, numbers in row.terms.items()}
    content = ("reciprocal", row.shape, field.terms(scaled))
    return Columns(row.shape, {field.atom(content, 1, constant=is_constant(row)): inverse})


def mean_exponent(field: Virtual, row: Columns) -> Columns | None:
    """Return the mean of the exponents of the terms of a row, those without exponentials being zero; None if it is
    zero. A sum from which it is taken out is one that a shift of all exponents does not change.
    """
    exponents = [exponent_of(atom) for atom in row.terms]
    if len(exponents) > MOST_EXPONENTS or field.base.vanishes(len(exponents)):
        return None
    total = Columns(row.shape, {})
    for one in exponents:
        if one is not None:
            total = sum_of_columns(field, total, one)
    count = field.row(1) * len(exponents)
    mean = field.columns(row.shape, {atom: numbers * count.reciprocal() for atom, numbers in total.terms.items()})
    return mean if mean.terms else None


def numbers_of(field: Virtual, columns: Columns) -> Elements:
    """Return the entries of a sum of terms whose atoms are the row of ones and the identity matrix."""
    count = columns.shape[1]
    total = field.numbers(np.zeros(columns.shape, dtype=np.int64))
    for atom, numbers in columns.terms.items():
        total = total + numbers @ (field.row(count) if atom == field.ones(count) else field.identity(count))
    return total


@verbs.largest.method
def largest_of_form(field: Virtual, raw: VirtualForm, *, count: int) -> VirtualForm:
    """Return where the largest entries of the columns are: for rows that all differ each is known by itself and by the
    set of all of them, in whatever order they stand. What is added to all of them is not seen.
    """
    columns = field.as_columns(cut(field, raw))
    if not field.base.vanishes(raw.shape[0]):
        columns = field.columns(raw.shape, {atom: numbers.centre() for atom, numbers in columns.terms.items()})
    numbers = [field.name(field.content(row)) for row in rows(field, columns)]
    if len(set(numbers)) < len(numbers):
        return field.opaque(("largest", count), (columns,), raw.shape)
    terms: dict[Atom, Elements] = {}
    for place, number in enumerate(numbers):
        atom = field.atom(("largest", count, tuple(sorted(numbers)), number), 1)
        terms[atom] = field.identity(len(numbers))[:, place : place + 1]
    return field.columns(raw.shape, terms)
