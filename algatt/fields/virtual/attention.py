"""Scores, their exponentials, and weights of attention, in the virtual form."""

from __future__ import annotations

from typing import Any

from algatt.fields.base import Elements
from algatt.fields.virtual.field import Virtual, is_zero, sum_of_terms
from algatt.fields.virtual.forms import (
    Atom,
    Columns,
    Exponentials,
    Mixing,
    Numbers,
    Quotients,
    Scores,
    Sums,
    VirtualForm,
)
from algatt.fields.virtual.products import MOST_PRODUCTS, factors_of_scores, product_of_three, scores_of


def scaled_by_numbers(field: Virtual, form: VirtualForm, factor: Elements) -> VirtualForm:
    """Return a form times a number, given as a matrix with one entry."""
    match form:
        case Scores(terms=pairs):
            return scores_of(field, form.shape, {pair: one * factor for pair, one in pairs.items()}, form.mask)
        case Sums(of=of, factor=one) if not is_zero(factor):
            return Sums(of, one * factor)
        case Quotients(of=of, factor=one) if not is_zero(factor):
            return Quotients(of, one * factor)
    terms = field.as_columns(form).terms
    return field.columns(form.shape, {atom: numbers * factor for atom, numbers in terms.items()})


def weighted(field: Virtual, one: Scores | Exponentials, other: VirtualForm) -> VirtualForm | None:
    """Return scores or exponentials entrywise times a mask, or divided by the sums of their columns; None if the other
    factor is neither.
    """
    if isinstance(other, Numbers):
        mask = field.spread(other.value, one.shape)
        mask = mask if one.mask is None else one.mask * mask
        if isinstance(one, Scores):
            return Scores(one.shape, one.terms, mask)
        return Exponentials(one.scores, mask)
    if isinstance(other, Quotients) and field.name(field.content(other.of)) == field.name(field.content(one)):
        weights = weights_of(field, one)
        return weights if is_zero(other.factor - 1) else scaled_by_numbers(field, weights, other.factor)
    return None


def weights_of(field: Virtual, one: Scores | Exponentials) -> VirtualForm:
    """Return scores or exponentials divided by the sums of their columns.

    A score that is the same for all keys cancels in the quotient of exponentials; a factor cancels in that of scores,
    and a factor for each query. Of a single key the quotient is one.
    """
    if one.shape[0] == 1:
        return Numbers(field.row(one.shape[1]))
    scaled: Any = one
    constant = False
    if isinstance(one, Scores):
        factors = factors_of_scores(field, one)
        if factors is not None:
            return mixing(field, one.shape, ("weights of keys", field.content(factors[0])), constant=True)
        inverse = field.leading(one.terms).reciprocal()
        scaled = scores_of(field, one.shape, {pair: A * inverse for pair, A in one.terms.items()}, one.mask)
    elif one.scores.mask is None:
        ones = field.ones(one.shape[0])
        seen = {pair: numbers for pair, numbers in one.scores.terms.items() if pair[0] != ones}
        scaled = Exponentials(scores_of(field, one.shape, seen), one.mask)
        constant = one.mask is None and all(query.constant for _, query in scaled.scores.terms)
    return mixing(field, one.shape, ("weights", field.content(scaled)), constant=constant)


def mixing(field: Virtual, shape: tuple[int, int], content: Any, *, constant: bool) -> Mixing:
    """Return weights of attention of a content."""
    return Mixing(shape, field.atom(content, shape[0], total=True, constant=constant))


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
            atom, numbers = product_of_three(field, (value, key, query), raw, name, scores.shape[0])
            terms = sum_of_terms(terms, {atom: numbers})
    return field.columns(shape, terms)
