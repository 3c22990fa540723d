"""Functions of one variable, reciprocals and choices of virtual forms."""

from __future__ import annotations

from collections.abc import Hashable

from algatt import verbs
from algatt.errors import DivisionByZero
from algatt.fields.base import Elements
from algatt.fields.functions import Erf, Exp, Function, Sigmoid, Sqrt
from algatt.fields.virtual.arithmetic import rows_of
from algatt.fields.virtual.field import Virtual
from algatt.fields.virtual.forms import (
    Atom,
    Columns,
    Exponentials,
    Form,
    Numbers,
    Quotients,
    Scores,
    Sums,
    Transposed,
)

__all__: list[str] = []

AT_ZERO = {Exp: 2, Sqrt: 0, Erf: 0, Sigmoid: 1}
"""Twice the values of functions at zero."""


def rows(field: Virtual, columns: Columns) -> list[Columns]:
    """Return the rows of a sum of terms."""
    return [rows_of(field, columns, (row,)) for row in range(columns.shape[0])]


def row_by_row(field: Virtual, columns: Columns, name: Hashable) -> Columns:
    """Return an entrywise function: each row is an atom named by the function and by the row, so that equal rows are
    one atom and the order of rows is that of the numbers before them.
    """
    parts = [
        Columns(row.shape, {field.atom((name, field.content(row)), 1): field.row(1)}) for row in rows(field, columns)
    ]
    result: Columns = verbs.concatenate(field, tuple(parts), axis=-2)
    return result


@verbs.entrywise.method
def entrywise_form(field: Virtual, function: Function, raw: Form) -> Form:
    if isinstance(raw, Transposed):
        result: Form = verbs.transpose(field, entrywise_form(field, function, raw.of))
        return result
    if isinstance(raw, Scores) and isinstance(function, Exp):
        return Exponentials(raw)
    if isinstance(raw, Numbers):
        return function_of_numbers(field, function, raw)
    parts: list[Form] = []
    for row in rows(field, field.as_columns(raw)):
        if not row.terms and type(function) in AT_ZERO:
            half = (field.row(1) * 2).reciprocal()
            parts.append(field.columns(row.shape, {field.ones(row.shape[1]): half * AT_ZERO[type(function)]}))
        else:
            parts.append(row_by_row(field, row, ("function", function)))
    joined: Form = verbs.concatenate(field, tuple(parts), axis=-2)
    return joined


def function_of_numbers(field: Virtual, function: Function, raw: Numbers) -> Form:
    """Return a function of numbers: as a column, or as a matrix of its own, that no weights of attention mix."""
    if raw.shape[1] > 1:
        return field.opaque(("function", function), (raw,), raw.shape)
    return row_by_row(field, field.as_columns(raw), ("function", function))


@verbs.reciprocal.method
def reciprocal_form(field: Virtual, raw: Form) -> Form:
    """Return reciprocals; numbers before a row are taken out of it."""
    match raw:
        case Numbers(value=value):
            return Numbers(value.reciprocal())
        case Transposed(of=inner):
            result: Form = verbs.transpose(field, reciprocal_form(field, inner))
            return result
        case Sums(of=of, factor=factor):
            if isinstance(of, Scores) and not of.terms:
                raise DivisionByZero("the sum of scores that are all zero")
            return Quotients(of, factor.reciprocal())
        case Quotients(of=of, factor=factor):
            return Sums(of, factor.reciprocal())
    parts = tuple(reciprocal_of_row(field, row) for row in rows(field, field.as_columns(raw)))
    joined: Form = verbs.concatenate(field, parts, axis=-2)
    return joined


def reciprocal_of_row(field: Virtual, row: Columns) -> Columns:
    """Return the reciprocals of a row."""
    if not row.terms:
        raise DivisionByZero("a denominator that is zero for every input")
    inverse = field.leading(row.terms).reciprocal()
    ones = field.ones(row.shape[1])
    if set(row.terms) == {ones}:
        return Columns(row.shape, {ones: inverse})
    scaled = {atom: numbers * inverse for atom, numbers in row.terms.items()}
    content = ("reciprocal", row.shape, field.terms(scaled))
    return Columns(row.shape, {field.atom(content, 1): inverse})


@verbs.largest.method
def largest_of_form(field: Virtual, raw: Form, *, count: int) -> Form:
    """Return where the largest entries of the columns are: for rows that all differ each is known by itself and by the
    set of all of them, in whatever order they stand.
    """
    columns = field.as_columns(raw)
    contents = [field.content(row) for row in rows(field, columns)]
    if len(set(contents)) < len(contents):
        return field.opaque(("largest", count), (columns,), raw.shape)
    numbers = [field.table.setdefault(content, len(field.table)) for content in contents]
    terms: dict[Atom, Elements] = {}
    for place, number in enumerate(numbers):
        atom = field.atom(("largest", count, tuple(sorted(numbers)), number), 1)
        terms[atom] = field.identity(len(numbers))[:, place : place + 1]
    return field.columns(raw.shape, terms)
