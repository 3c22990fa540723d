"""Products of forms: of rows, entry by entry, and of keys with queries."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

from algatt import verbs
from algatt.fields.base import Elements
from algatt.fields.virtual.field import Virtual, is_zero, occupied, sum_of_terms
from algatt.fields.virtual.forms import Atom, Columns, Scores

MOST_ROWS = 256
"""The largest number of rows of an atom that is a product of atoms, and of all atoms of a sum together."""

MOST_PRODUCTS = 4096
"""The largest number of products of rows that are multiplied out at once."""


def products_of_terms(keys: Columns, queries: Columns) -> dict[tuple[Atom, Atom], Elements]:
    """Return the matrices between the atoms of keys and queries."""
    return {(one, two): K.T @ Q for one, K in keys.terms.items() for two, Q in queries.terms.items()}


def entrywise_product(field: Virtual, left: Columns, right: Columns) -> Columns | None:
    """Return an entrywise product; None if an atom of it had too many rows."""
    terms: dict[Atom, Elements] = {}
    for (one, A), (two, B) in itertools.product(left.terms.items(), right.terms.items()):
        if one.height * two.height > MOST_ROWS:
            return None
        raw = Elements(field.base, A.raw[:, :, None]) * Elements(field.base, B.raw[:, None, :])
        numbers = Elements(field.base, raw.raw.reshape(len(A.raw), one.height * two.height))
        product, numbers = joined(field, one, two, numbers, left.shape[1])
        terms = sum_of_terms(terms, {product: numbers})
    return field.columns(left.shape, terms)


def joined(field: Virtual, one: Atom, two: Atom, numbers: Elements, columns: int) -> tuple[Atom, Elements]:
    """Return the atom of the products of the rows of two atoms, and the numbers before it.

    Factors are sorted, and numbers before products that differ in the order of equal factors are added up. Exponentials
    are one of the sum of their exponents, and of the products of the rows of unit vectors those with themselves are not
    zero.
    """
    ones = field.ones(columns)
    factors = [factor for atom in (one, two) if atom != ones for factor in atom.factors or (atom,)]
    exponents = [factor.exponent for factor in factors if factor.exponent is not None]
    if len(exponents) > 1:
        rest = [factor for factor in factors if factor.exponent is None]
        both = field.exponential(sum_of_columns(field, *exponents))
        factors = rest if both == ones else [*rest, both]
    if len(factors) < 2:
        return (factors[0] if factors else ones), numbers
    if len(factors) == 2 and factors[0] == factors[1] and factors[0].one_hot:
        return factors[0], numbers[:, :: factors[0].height + 1]
    order = sorted(range(len(factors)), key=lambda place: factors[place].number)
    ordered = tuple(factors[place] for place in order)
    heights = [factor.height for factor in factors]
    raw = numbers.raw.reshape(len(numbers.raw), *heights).transpose(0, *(1 + place for place in order))
    numbers = Elements(field.base, raw.reshape(numbers.shape))
    constant = all(one.constant for one in ordered)
    content = ("product", *(one.number for one in ordered))
    atom = field.atom(content, numbers.shape[1], factors=ordered, constant=constant)
    return atom, symmetrised(ordered, numbers)


def sum_of_columns(field: Virtual, one: Columns, two: Columns) -> Columns:
    """Return a sum of two forms."""
    return field.columns(one.shape, sum_of_terms(one.terms, two.terms))


def exponent_of(atom: Atom) -> Columns | None:
    """Return the exponent of the exponential among the factors of an atom."""
    found = (factor.exponent for factor in atom.factors or (atom,) if factor.exponent is not None)
    return next(found, None)


def symmetrised(factors: tuple[Atom, ...], numbers: Elements) -> Elements:
    """Return numbers before products of rows of atoms, added up over the orders of the rows of equal factors: those of
    the sorted order stand for all.
    """
    heights = tuple(factor.height for factor in factors)
    places = np.indices(heights).reshape(len(heights), -1)
    for _, group in itertools.groupby(range(len(factors)), key=lambda place: factors[place].number):
        equal = list(group)
        places[equal] = np.sort(places[equal], axis=0)
    chosen: np.ndarray = np.asarray(np.ravel_multi_index(tuple(places), heights))
    if np.array_equal(chosen, np.arange(len(chosen))):
        return numbers
    order = np.argsort(chosen, kind="stable")
    starts = np.flatnonzero(np.diff(chosen[order], prepend=-1))
    turn = np.arange(len(order)) - np.repeat(starts, np.diff(starts, append=len(order)))  # among those of one place
    total: Any = verbs.embed(numbers.field, np.zeros(numbers.shape, dtype=np.int64))
    some = order[turn == 0]
    total[:, chosen[some]] = numbers.raw[:, some]
    for number in range(1, int(turn.max()) + 1):
        some = order[turn == number]
        one, other = (Elements(numbers.field, raw) for raw in (total[:, chosen[some]], numbers.raw[:, some]))
        total[:, chosen[some]] = (one + other).raw
    return Elements(numbers.field, total)


def scores_of(
    field: Virtual,
    shape: tuple[int, int],
    terms: Mapping[tuple[Atom, Atom], Elements],
    mask: Elements | None = None,
) -> Scores:
    r"""Return scores: those that are zero are left out, and an atom whose columns are all equal is multiplied into the
    atom on the other side, as :math:`a_i^T M b_j = 1 \cdot (a_j^T M b_j)` shows.
    """
    seen: dict[tuple[Atom, Atom], Elements] = {}
    for (key, query), numbers in terms.items():
        pair = key, query
        if shape[0] == shape[1] and numbers.raw.size <= MOST_PRODUCTS:
            pair, numbers = moved_constants(field, key, query, numbers, shape[0])
        seen = sum_of_terms(seen, {pair: of_equal_moments(field, pair, numbers)})
    return Scores(shape, {pair: one for pair, one in seen.items() if not is_zero(one)}, mask)


def of_equal_moments(field: Virtual, pair: tuple[Atom, Atom], numbers: Elements) -> Elements:
    """Return the numbers between atoms that are both made of one matrix that is the same for all tokens: of two of its
    entries only the product is seen, and the numbers before both orders are added up.
    """
    one, two = (field.moments.get(atom.number) for atom in pair)
    if one is None or one != two or numbers.raw.size * pair[0].height > MOST_PRODUCTS:
        return numbers  # those of many rows are narrowed to what is seen of them, which this would hide
    size = one[1]
    raw = numbers.raw.reshape(size, pair[0].height // size, size, pair[1].height // size)
    upper = np.triu(np.ones((size, size), dtype=np.int64))[:, None, :, None]
    above = Elements(field.base, raw) * upper
    below = (Elements(field.base, raw) * (1 - upper)).raw.transpose(2, 1, 0, 3)
    return Elements(field.base, (above + Elements(field.base, below)).raw.reshape(numbers.shape))


def moved_constants(
    field: Virtual, key: Atom, query: Atom, numbers: Elements, columns: int
) -> tuple[tuple[Atom, Atom], Elements]:
    """Return the atoms of scores and the numbers between them, atoms with equal columns moved to the other side."""
    ones = field.ones(columns)
    flat = Elements(field.base, numbers.raw.reshape(1, key.height * query.height))
    if key != ones and (key.constant or columns == 1):
        atom, flat = joined(field, key, query, flat, columns)
        return (ones, atom), flat
    if ones not in (key, query) and query.constant:
        atom, flat = joined(field, key, query, flat, columns)
        return (atom, ones), flat.T
    return (key, query), numbers


def product_of_scores(field: Virtual, left: Scores, right: Scores) -> Scores | None:
    r"""Return the entrywise product of scores: :math:`(a^T M b)(c^T N d)` is a score of the products of the rows of a
    and c with those of b and d; None if these were too many.
    """
    if left.mask is not None or right.mask is not None:
        return None
    terms: dict[tuple[Atom, Atom], Elements] = {}
    for (pair, M), (other, N) in itertools.product(left.terms.items(), right.terms.items()):
        sizes = [one.height * two.height for one, two in zip(pair, other, strict=True)]
        if sizes[0] * sizes[1] > MOST_PRODUCTS:
            return None
        raw = Elements(field.base, M.raw[:, None, :, None]) * Elements(field.base, N.raw[None, :, None, :])
        query, numbers = joined(field, pair[1], other[1], Elements(field.base, raw.raw.reshape(sizes)), left.shape[1])
        key, numbers = joined(field, pair[0], other[0], numbers.T, left.shape[0])
        terms = sum_of_terms(terms, {(key, query): numbers.T})
    return scores_of(field, left.shape, terms)


def diagonal(field: Virtual, scores: Scores, rows: int = 1) -> Columns | None:
    """Return the scores of tokens with themselves as a row of products, in which keys and queries may be exchanged,
    repeated as often as it says; None if the products are too many.
    """
    columns = scores.shape[1]
    terms: dict[Atom, Elements] = {}
    for (key, query), numbers in scores.terms.items():
        if key.height * query.height > MOST_PRODUCTS:
            return None
        flat = Elements(field.base, numbers.raw.reshape(1, key.height * query.height))
        atom, flat = joined(field, key, query, flat, columns)
        terms = sum_of_terms(terms, {atom: flat})
    spread = {atom: field.spread(one, (rows, atom.height)) for atom, one in terms.items()}
    return field.columns((rows, columns), spread)


def factors_of_scores(field: Virtual, scores: Scores) -> tuple[Columns, Columns] | None:
    """Return a row for the keys and one for the queries of which all scores are the products, if their matrix has rank
    one; None otherwise. The first number of the row of the keys that is not zero is one.
    """
    if scores.mask is not None or not scores.terms:
        return None
    keys, queries = (sorted({pair[side] for pair in scores.terms}, key=lambda one: one.number) for side in (0, 1))
    nothing = {
        pair: np.zeros((pair[0].height, pair[1].height), dtype=np.int64) for pair in itertools.product(keys, queries)
    }
    M = {pair: scores.terms[pair] if pair in scores.terms else field.numbers(zero) for pair, zero in nothing.items()}
    first = next(key for key in keys)
    query = next(one for one in queries if not is_zero(M[first, one]))
    i, j = np.argwhere(occupied(M[first, query]))[0]
    pivot = M[first, query][i : i + 1, j : j + 1]
    column = {key: M[key, query][:, j : j + 1] for key in keys}
    row = {one: M[first, one][i : i + 1, :] for one in queries}
    if any(not is_zero(M[key, one] * pivot - column[key] @ row[one]) for key, one in M):
        return None
    inverse = field.leading({key: column[key] for key in keys}).reciprocal()
    left = {key: (numbers * inverse).T for key, numbers in column.items()}
    scale = inverse.reciprocal() * pivot.reciprocal()
    right = {one: numbers * scale for one, numbers in row.items()}
    return field.columns((1, scores.shape[0]), left), field.columns((1, scores.shape[1]), right)


def product_of_three(
    field: Virtual, atoms: tuple[Atom, Atom, Atom], numbers: Elements, mask: Any, tokens: int
) -> tuple[Atom, Elements]:
    """Return the atom of the sums over tokens of the products of the rows of values, keys and queries, and the numbers
    before it: those of the products of the rows of values and keys, and of queries.
    """
    value, key, query = atoms
    rows = len(numbers.raw)
    flat = numbers.raw.transpose(0, 3, 1, 2).reshape(rows * query.height, value.height * key.height)
    both, flat = joined(field, value, key, Elements(field.base, flat), tokens)
    raw = flat.raw.reshape(rows, query.height, both.height).transpose(0, 2, 1)
    height = both.height * query.height
    content = ("values, keys and queries", both.number, query.number, mask)
    atom = field.atom(content, height)
    if mask is None:  # the sums are over all tokens
        field.moments[atom.number] = both.number, both.height
    return atom, Elements(field.base, raw.reshape(rows, height))
