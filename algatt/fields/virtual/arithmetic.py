"""Sums, products and parts of virtual forms."""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument
from algatt.fields.base import Elements, concatenate
from algatt.fields.virtual.attention import product_with_scores, scaled_by_numbers, weighted
from algatt.fields.virtual.field import Virtual, is_zero, sum_of_terms
from algatt.fields.virtual.forms import (
    Atom,
    Columns,
    Exponentials,
    Mixing,
    Moments,
    Numbers,
    Quotients,
    Scores,
    Sums,
    Transposed,
    VirtualForm,
)
from algatt.fields.virtual.products import (
    MOST_PRODUCTS,
    MOST_ROWS,
    diagonal,
    entrywise_product,
    joined,
    product_of_scores,
    products_of_terms,
    scores_of,
)
from algatt.fields.virtual.spanning import cut, narrowed


@verbs.encode.method
def encode_numbers(field: Virtual, array: Any, *, argument: str = "array") -> Numbers:
    values = np.asarray(array)
    if values.ndim > 2:
        raise InvalidArgument(argument, f"of shape {values.shape}", "a matrix")
    if values.dtype.kind == "f":
        values = np.array([Fraction(entry) for entry in values.ravel().tolist()], dtype=object).reshape(values.shape)
    return Numbers(Elements(field.base, verbs.embed(field.base, values)))


def joint_shape(left: VirtualForm, right: VirtualForm) -> tuple[int, int]:
    """Return the shape of an entrywise operation, rows, columns and numbers being repeated."""
    rows, columns = np.broadcast_shapes(left.shape, right.shape)
    return rows, columns


@verbs.negate.method
def negate_form(field: Virtual, raw: VirtualForm) -> VirtualForm:
    if isinstance(raw, Numbers):
        return Numbers(-raw.value)
    return scaled_by_numbers(field, raw, field.row(1) * -1)


@verbs.add.method
def add_forms(field: Virtual, left: VirtualForm, right: VirtualForm) -> VirtualForm:
    shape = joint_shape(left, right)
    if isinstance(left, Numbers) and isinstance(right, Numbers):
        return Numbers(left.value + right.value)
    if isinstance(left, Transposed | Moments) or isinstance(right, Transposed | Moments):
        return turned_operation(field, verbs.add, left, right)
    if isinstance(left, Scores) or isinstance(right, Scores):
        added = add_scores(field, left, right)
        if added is not None:
            return added
    one, two = field.filling(left, shape), field.filling(right, shape)
    if one is None or two is None:
        return commuting(field, "add", left, right, shape)
    return field.columns(shape, sum_of_terms(one.terms, two.terms))


def add_scores(field: Virtual, left: VirtualForm, right: VirtualForm) -> Scores | None:
    """Return the sum of scores and scores, or numbers; None if they are masked differently."""
    if not isinstance(left, Scores):
        left, right = right, left
    if not isinstance(left, Scores) or left.mask is not None:
        return None
    if isinstance(right, Numbers) and joint_shape(left, right) == left.shape:
        right = scores_of_numbers(field, right, left.shape)
    if not isinstance(right, Scores) or right.mask is not None or right.shape != left.shape:
        return None
    return scores_of(field, left.shape, sum_of_terms(left.terms, right.terms))


def scores_of_numbers(field: Virtual, numbers: Numbers, shape: tuple[int, int]) -> Scores:
    """Return numbers, as those of a bias for each distance, as scores: a row for all keys, and the rest."""
    keys = field.as_columns(Numbers(field.identity(shape[0])))
    queries = field.as_columns(Numbers(field.spread(numbers.value, shape)))
    return scores_of(field, shape, products_of_terms(keys, queries))


def commuting(field: Virtual, operation: str, left: VirtualForm, right: VirtualForm, shape: tuple[int, int]) -> Columns:
    """Return the result of an operation without a rule whose operands may be exchanged."""
    operands = sorted((left, right), key=lambda form: field.name(field.content(form)))
    return field.opaque(operation, operands, shape)


def turned_operation(field: Virtual, operation: Any, left: VirtualForm, right: VirtualForm) -> VirtualForm:
    """Return the result of an entrywise operation on transposed forms, as the transpose of that on the forms."""
    one, two = verbs.transpose(field, left), verbs.transpose(field, right)
    if any(isinstance(form, Transposed | Moments) for form in (one, two)):
        return commuting(field, str(operation), left, right, joint_shape(left, right))
    result: VirtualForm = verbs.transpose(field, operation(field, one, two))
    return result


@verbs.transpose.method
def transpose_form(field: Virtual, raw: VirtualForm) -> VirtualForm:
    match raw:
        case Numbers(value=value, shape=shape):
            return Numbers(field.spread(value, shape).T)
        case Transposed(of=inner):
            return inner
        case Scores(shape=shape, terms=terms, mask=mask):
            turned = {(two, one): numbers.T for (one, two), numbers in terms.items()}
            return Scores(shape[::-1], turned, None if mask is None else mask.T)
        case Exponentials(scores=scores, mask=mask):
            turned_scores = transpose_form(field, scores)
            if isinstance(turned_scores, Scores):
                return Exponentials(turned_scores, None if mask is None else mask.T)
        case Moments(left=left, right=right):
            return Moments(right, left)
        case Columns() | Sums() | Quotients() | Mixing():
            return Transposed(raw)
    raise AssertionError(f"{type(raw).__name__} is no form")


@verbs.multiply.method
def multiply_forms(field: Virtual, left: VirtualForm, right: VirtualForm) -> VirtualForm:
    shape = joint_shape(left, right)
    if isinstance(left, Numbers) and isinstance(right, Numbers):
        return Numbers(left.value * right.value)
    for one, two in ((left, right), (right, left)):
        if isinstance(one, Numbers) and one.shape == (1, 1):
            return scaled_by_numbers(field, two, one.value if one.value.shape == (1, 1) else field.row(1) * one.value)
    if isinstance(left, Transposed | Moments) or isinstance(right, Transposed | Moments):
        return turned_operation(field, verbs.multiply, left, right)
    left, right = cut(field, left), cut(field, right)
    if isinstance(left, Scores) and isinstance(right, Scores) and left.shape == right.shape:
        scores = product_of_scores(field, left, right)
        if scores is not None:
            return scores
    for one, two in ((left, right), (right, left)):
        if isinstance(one, Scores | Exponentials) and one.shape == shape:
            found = weighted(field, one, two)
            if found is not None:
                return found
    first, second = field.filling(left, shape), field.filling(right, shape)
    if first is None or second is None:
        return commuting(field, "multiply", left, right, shape)
    product = entrywise_product(field, first, second)
    if product is not None:
        return product
    parts = [
        product_of_rows(field, *(rows_of(field, one, (row,)) for one in (first, second))) for row in range(shape[0])
    ]
    return concatenate_forms(field, tuple(parts), axis=-2)


def product_of_rows(field: Virtual, left: Columns, right: Columns) -> Columns:
    """Return the entrywise product of two rows, multiplied out if that is not too long, or as an atom that is named by
    them up to numbers.
    """
    product = entrywise_product(field, left, right)
    if product is not None:
        return product
    first, second = field.leading(left.terms), field.leading(right.terms)
    one, two = (scaled_by_numbers(field, row, by.reciprocal()) for row, by in ((left, first), (right, second)))
    result = commuting(field, "multiply", one, two, left.shape)
    return field.columns(left.shape, dict.fromkeys(result.terms, first * second))


@verbs.column_products.method
def column_products_of_forms(field: Virtual, left: VirtualForm, right: VirtualForm) -> VirtualForm:
    if isinstance(left, Numbers) and isinstance(right, Numbers):
        return Numbers(left.value.column_products(right.value))
    shape = joint_shape(left, right)
    one, two = (field.filling(cut(field, form), shape) for form in (left, right))
    if one is None or two is None:
        return commuting(field, "column_products", left, right, (1, shape[1]))
    terms: dict[Atom, Elements] = {}
    square = left is right  # then both orders of two terms have the same product
    items = one.terms.items()
    pairs = itertools.combinations_with_replacement(items, 2) if square else itertools.product(items, two.terms.items())
    for (first, A), (second, B) in pairs:
        if first.height * second.height > MOST_PRODUCTS:
            return commuting(field, "column_products", left, right, (1, shape[1]))
        numbers = Elements(field.base, (A.T @ B).raw.reshape(1, first.height * second.height))
        atom, numbers = joined(field, first, second, numbers, shape[1])
        terms = sum_of_terms(terms, {atom: numbers if first == second or not square else numbers + numbers})
    return field.columns((1, shape[1]), terms)


@verbs.product.method
def product_of_forms(field: Virtual, left: VirtualForm, right: VirtualForm) -> VirtualForm:
    shape = left.shape[0], right.shape[1]
    left, right = cut(field, left), cut(field, right)
    match left, right:
        case Numbers(value=one), Numbers(value=two):
            return Numbers(one @ two)
        case ((Scores() | Exponentials()), (Transposed() | Numbers())):
            return transpose_form(
                field, product_of_forms(field, transpose_form(field, right), transpose_form(field, left))
            )
        case Transposed() | Numbers(), Transposed():
            return transpose_form(field, product_of_forms(field, right.of, transpose_form(field, left)))
        case Transposed(), Numbers():
            return transpose_form(field, product_of_forms(field, transpose_form(field, right), left.of))
        case Transposed(of=Columns() as keys), Columns():
            return scores_of(field, shape, products_of_terms(keys, right))
        case Columns(), Transposed(of=Columns() as keys):
            return Moments(left, keys)
        case Moments(left=values, right=keys), Columns():
            return product_of_forms(field, values, product_of_forms(field, Transposed(keys), right))
        case Numbers(value=one), _:
            return product_with_numbers(field, one, right)
        case Columns(), Mixing():
            return mixed(field, left, right.atom, right.atom.number, shape, constant=right.atom.constant)
        case Columns(), Scores(shape=(1, 1), mask=None):
            values, scores = narrowed(field, left, right) if is_wide(left, right, MOST_ROWS) else (left, right)
            row = diagonal(field, scores, left.shape[0])
            product = None if row is None else entrywise_product(field, values, row)
            return field.opaque("product", (left, right), shape) if product is None else product
        case Columns(), Scores():
            narrow = narrowed(field, left, right) if is_wide(left, right, MOST_PRODUCTS) else (left, right)
            return product_with_scores(field, *narrow)
        case Columns(), _:
            return mixed_by_columns(field, left, field.as_columns(right))
        case Mixing(), _:
            return product_of_forms(field, field.as_columns(left), right)
    return field.opaque("product", (left, right), shape)


def is_wide(values: Columns, scores: Scores, most: int) -> bool:
    """Return whether a product of rows of values, keys and queries has more rows than that."""
    heights = [key.height * query.height for key, query in scores.terms]
    return any(one.height * two > most for one in values.terms for two in heights)


def product_with_numbers(field: Virtual, numbers: Elements, right: VirtualForm) -> VirtualForm:
    """Return the product of a matrix of numbers with a form."""
    shape = numbers.shape[0], right.shape[1]
    if isinstance(right, Scores | Exponentials) and shape[0] == 1:
        first = numbers[:, :1]
        if is_zero(numbers - first @ field.row(numbers.shape[1])) and not is_zero(first):
            return Sums(right, first)
    return field.columns(shape, {atom: numbers @ one for atom, one in field.as_columns(right).terms.items()})


def mixed(
    field: Virtual, left: Columns, by: Atom | None, content: Any, shape: tuple[int, int], *, constant: bool
) -> Columns:
    """Return the product with a matrix whose content is known: each atom is mixed by it. A row of ones and atoms whose
    columns are equal stay what they are if the columns of the matrix add up to one, and the identity matrix is mixed to
    the matrix. If the columns of the matrix are equal, so are those of the product.
    """
    terms: dict[Atom, Elements] = {}
    for atom, numbers in left.terms.items():
        if by is not None and atom == field.ones(left.shape[1]):
            one = field.ones(shape[1])
        elif by is not None and atom == field.unit(left.shape[1]):
            one = by
        elif by is not None and atom.constant and left.shape[1] == shape[1]:
            one = atom
        else:
            total = atom.total and by is not None
            one = field.atom(("mixed", atom.number, content), atom.height, total=total, constant=constant)
        terms = sum_of_terms(terms, {one: numbers})
    return field.columns(shape, terms)


def mixed_by_columns(field: Virtual, left: Columns, right: Columns) -> Columns:
    """Return the product of two sums of terms: those of numbers on the left are linear, others are mixed by the content
    of what stands on the right, up to a number.
    """
    shape = left.shape[0], right.shape[1]
    if not right.terms:
        return Columns(shape, {})
    factor = field.leading(right.terms)
    inverse = factor.reciprocal()
    content = ("columns", right.shape, field.terms({atom: numbers * inverse for atom, numbers in right.terms.items()}))
    ones, unit = field.ones(left.shape[1]), field.unit(left.shape[1])
    terms: dict[Atom, Elements] = {}
    rest: dict[Atom, Elements] = {}
    for atom, numbers in left.terms.items():
        if atom == unit and atom != ones:
            terms = sum_of_terms(terms, {one: numbers @ below for one, below in right.terms.items()})
        elif atom == ones:
            row = field.row(left.shape[1])
            terms = sum_of_terms(terms, {one: numbers @ (row @ below) for one, below in right.terms.items()})
        else:
            rest[atom] = numbers * factor
    constant = all(atom.constant for atom in right.terms)
    others = mixed(field, Columns(left.shape, rest), None, content, shape, constant=constant)
    return field.columns(shape, sum_of_terms(terms, others.terms))


def sum_over_keys(field: Virtual, scores: Scores) -> VirtualForm:
    r"""Return the row of what the columns of scores add up to: :math:`\sum_i w_{ij} (a_i^T M b_j)` is the product of
    the columns of A w and M B, where w is the mask.
    """
    shape = scores.shape
    mask = field.numbers(np.ones(shape, dtype=np.int64)) if scores.mask is None else scores.mask
    right = field.as_columns(Numbers(mask))
    total: VirtualForm = Columns((1, shape[1]), {})
    for (key, query), numbers in scores.terms.items():
        keys = Columns((key.height, shape[0]), {key: field.identity(key.height)})
        queries = field.columns((key.height, shape[1]), {query: numbers})
        total = add_forms(field, total, column_products_of_forms(field, mixed_by_columns(field, keys, right), queries))
    return total


@verbs.centre.method
def centre_form(field: Virtual, raw: VirtualForm) -> VirtualForm:
    if isinstance(raw, Numbers):
        return Numbers(raw.value.centre())
    terms = field.as_columns(cut(field, raw)).terms
    return field.columns(raw.shape, {atom: numbers.centre() for atom, numbers in terms.items()})


@verbs.rotate.method
def rotate_form(
    field: Virtual, raw: VirtualForm, *, angles: tuple[float, ...], positions: tuple[int, ...]
) -> VirtualForm:
    """Turn pairs of rows, and leave out further ones: the cosines and sines of the positions are rows that multiply all
    atoms.
    """
    columns = field.filling(cut(field, raw), (raw.shape[0], len(positions)))
    if columns is None:
        return field.opaque(("rotate", angles, positions), (raw,), (2 * len(angles), len(positions)))
    parts: list[VirtualForm] = []
    for number, angle in enumerate(angles):
        first, second = (rows_of(field, columns, (2 * number + place,)) for place in (0, 1))
        cosine, sine = (
            Columns((1, len(positions)), {field.atom((name, angle, positions), 1): field.row(1)})
            for name in ("cosine", "sine")
        )
        turned = [verbs.multiply(field, first, cosine), verbs.multiply(field, second, sine)]
        parts.append(verbs.add(field, turned[0], verbs.negate(field, turned[1])))
        turned = [verbs.multiply(field, first, sine), verbs.multiply(field, second, cosine)]
        parts.append(verbs.add(field, *turned))
    result: VirtualForm = verbs.concatenate(field, tuple(parts), axis=-2)
    return result


def rows_of(field: Virtual, columns: Columns, rows: Any) -> Columns:
    """Return some rows of a sum of terms."""
    chosen = {atom: numbers[rows, :] for atom, numbers in columns.terms.items()}
    return field.columns(
        (len(range(columns.shape[0])[rows]) if isinstance(rows, slice) else len(rows), columns.shape[1]), chosen
    )


@verbs.take.method
def take_from_form(field: Virtual, raw: VirtualForm, *, rows: Any, columns: Any) -> VirtualForm:
    if isinstance(raw, Numbers):
        return Numbers(field.spread(raw.value, raw.shape)[rows, columns])
    if isinstance(raw, Transposed):
        return transpose_form(field, take_from_form(field, raw.of, rows=columns, columns=rows))
    chosen = tuple(range(raw.shape[1])[columns]) if isinstance(columns, slice) else tuple(columns)
    kept = rows_of(field, field.as_columns(raw), rows)
    if chosen == tuple(range(raw.shape[1])):
        return kept
    terms: dict[Atom, Elements] = {}
    for atom, numbers in kept.terms.items():
        if atom == field.ones(raw.shape[1]):
            terms = sum_of_terms(terms, {field.ones(len(chosen)): numbers})
        elif atom == field.unit(raw.shape[1]):
            terms = sum_of_terms(terms, {field.unit(len(chosen)): numbers[:, list(chosen)]})
        else:
            content = ("take", atom.number, chosen)
            part = field.atom(content, atom.height, total=atom.total, constant=atom.constant)
            terms = sum_of_terms(terms, {part: numbers})
    return field.columns((kept.shape[0], len(chosen)), terms)


@verbs.concatenate.method
def concatenate_forms(field: Virtual, parts: tuple, *, axis: int) -> VirtualForm:
    if all(isinstance(part, Numbers) for part in parts):
        return Numbers(concatenate([field_value(field, part) for part in parts], axis=axis + 2))
    if axis == -1:
        return beside(field, parts)
    height = sum(part.shape[0] for part in parts)
    terms: dict[Atom, Elements] = {}
    above = 0
    for one in map(field.as_columns, parts):
        place = np.zeros((height, one.shape[0]), dtype=np.int64)
        place[above : above + one.shape[0]] = np.eye(one.shape[0], dtype=np.int64)
        terms = sum_of_terms(terms, {atom: place @ numbers for atom, numbers in one.terms.items()})
        above += one.shape[0]
    return field.columns((height, parts[0].shape[1]), terms)


def field_value(field: Virtual, part: Numbers) -> Elements:
    """Return the entries of a matrix of numbers with two axes."""
    return field.spread(part.value, part.shape)


def beside(field: Virtual, parts: tuple) -> Columns:
    """Return forms side by side: each atom stands between zeros."""
    width, rows = sum(part.shape[1] for part in parts), parts[0].shape[0]
    terms: dict[Atom, Elements] = {}
    before = 0
    for part in parts:
        own = part.shape[1]
        place = np.zeros((own, width), dtype=np.int64)
        place[:, before : before + own] = np.eye(own, dtype=np.int64)
        for atom, numbers in field.as_columns(part).terms.items():
            if atom == field.ones(own):
                terms = sum_of_terms(terms, {field.unit(width): numbers @ (field.row(own) @ place)})
            elif atom == field.unit(own):
                terms = sum_of_terms(terms, {field.unit(width): numbers @ place})
            else:
                terms = sum_of_terms(terms, {field.atom(("beside", atom.number, before, width), atom.height): numbers})
        before += own
    return field.columns((rows, width), terms)
