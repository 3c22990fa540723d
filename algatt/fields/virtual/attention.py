"""Scores, their exponentials, and weights of attention, in the virtual form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from algatt.fields.base import Elements
from algatt.fields.virtual.field import Virtual, is_zero, sum_of_terms
from algatt.fields.virtual.forms import (
    Atom,
    Columns,
    Exponentials,
    Form,
    Mixing,
    Numbers,
    Quotients,
    Scores,
    Sums,
)

__all__ = ["MOST_PRODUCTS", "product_with_scores", "scaled_by_numbers", "weighted", "with_terms"]

MOST_PRODUCTS = 4096
"""The largest number of rows of the products of values, keys and queries."""


def with_terms(scores: Scores, terms: Mapping[tuple[Atom, Atom], Elements]) -> Scores:
    """Return scores with other terms, those that are zero left out."""
    return Scores(scores.shape, {pair: one for pair, one in terms.items() if not is_zero(one)}, scores.mask)


def scaled_by_numbers(field: Virtual, form: Form, factor: Elements) -> Form:
    """Return a form times a number, given as a matrix with one entry."""
    match form:
        case Scores(terms=pairs):
            return with_terms(form, {pair: numbers * factor for pair, numbers in pairs.items()})
        case Sums(of=of, factor=one) if not is_zero(factor):
            return Sums(of, one * factor)
        case Quotients(of=of, factor=one) if not is_zero(factor):
            return Quotients(of, one * factor)
    terms = field.as_columns(form).terms
    return field.columns(form.shape, {atom: numbers * factor for atom, numbers in terms.items()})


def weighted(field: Virtual, one: Scores | Exponentials, other: Form) -> Form | None:
    """Return scores or exponentials entrywise times a mask, or divided by the sums of their columns; None if the other
    factor is neither.
    """
    if isinstance(other, Numbers):
        mask = field.spread(other.value, one.shape)
        mask = mask if one.mask is None else one.mask * mask
        if isinstance(one, Scores):
            return Scores(one.shape, one.terms, mask)
        return Exponentials(one.scores, mask)
    if isinstance(other, Quotients) and field.content(other.of) == field.content(one):
        weights = weights_of(field, one)
        return weights if is_zero(other.factor - 1) else scaled_by_numbers(field, weights, other.factor)
    return None


def weights_of(field: Virtual, one: Scores | Exponentials) -> Form:
    """Return scores or exponentials divided by the sums of their columns.

    A score that is the same for all keys cancels in the quotient of exponentials; a factor cancels in that of scores.
    Of a single key the quotient is one.
    """
    if one.shape[0] == 1:
        return Numbers(field.row(one.shape[1]))
    if isinstance(one, Scores):
        inverse = field.leading(one.terms).reciprocal()
        scaled: Scores | Exponentials = with_terms(one, {pair: A * inverse for pair, A in one.terms.items()})
    elif one.scores.mask is None:
        ones = field.ones(one.shape[0])
        seen = {pair: numbers for pair, numbers in one.scores.terms.items() if pair[0] != ones}
        scaled = Exponentials(with_terms(one.scores, seen), one.mask)
    else:
        scaled = one
    return Mixing(one.shape, field.atom(("weights", field.content(scaled)), one.shape[0], total=True))


def product_with_scores(field: Virtual, values: Columns, scores: Scores) -> Columns:
    r"""Return values times scores that are not normalised: the products of values, keys and queries, of which values
    and keys may be exchanged, as :math:`\sum_s (B_n)_{ps} (B_k)_{is} (B_l)_{jt}` shows.
    """
    shape = values.shape[0], scores.shape[1]
    name = None if scores.mask is None else field.content(Numbers(scores.mask))
    terms: dict[Atom, Elements] = {}
    for value, A in values.terms.items():
        if any(value.height * key.height * query.height > MOST_PRODUCTS for key, query in scores.terms):
            content = ("mixed by scores", value.number, field.content(scores))
            terms = sum_of_terms(terms, {field.atom(content, value.height): A})
            continue
        for (key, query), M in scores.terms.items():
            raw = Elements(field.base, A.raw[:, :, None, None]) * Elements(field.base, M.raw[None, None, :, :])
            atom, numbers = product_of_three(field, (value, key, query), raw, name)
            terms = sum_of_terms(terms, {atom: numbers})
    return field.columns(shape, terms)


def product_of_three(
    field: Virtual, atoms: tuple[Atom, Atom, Atom], numbers: Elements, mask: Any
) -> tuple[Atom, Elements]:
    """Return the atom of the products of the rows of values, keys and queries, and the numbers before it."""
    value, key, query = atoms
    raw = numbers.raw
    if key.number < value.number:
        value, key, raw = key, value, raw.transpose(0, 2, 1, 3)
    rows, height = len(raw), value.height * key.height * query.height
    if value == key:
        size = value.height
        lower = np.tril(np.ones((size, size), dtype=np.int64), -1)[None, :, :, None]
        upper = np.triu(np.ones((size, size), dtype=np.int64))[None, :, :, None]
        once = Elements(field.base, raw) * upper
        raw = (once + Elements(field.base, (Elements(field.base, raw) * lower).raw.transpose(0, 2, 1, 3))).raw
    content = ("values, keys and queries", value.number, key.number, query.number, mask)
    return field.atom(content, height), Elements(field.base, raw.reshape(rows, height))
