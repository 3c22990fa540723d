"""The velocities of hidden symmetries, as certificates have them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

from algatt.errors import MethodError
from algatt.fields import Elements
from algatt.symmetry.hidden.directions import UnseenDirections

__all__ = ["columns_of_unseen_directions"]

MOST_FORMS = 4
"""Maximum number of forms with words for their kernel: the words of a minor are as many as permutations."""


def columns_of_unseen_directions(family: UnseenDirections, tensors: Mapping[str, Elements]) -> Iterator[Elements]:
    """Iterate over columns n with F n = 0 for the forms F that are read of a tensor, by Cramer's rule: signed minors of
    the first columns of F and another one.

    Raises
    ------
    MethodError
        If the tensor is behind a narrow result, as words do not say that a sum over the columns of M has as many terms
        as M has columns; or if there are more forms than are independent, or too many.
    """
    field = tensors[family.tensor].field
    (forms, reached), rank = family.forms(tensors, field), family.ranks[0]
    if forms is None or reached is not None or forms.raw.shape[0] != rank or rank > MOST_FORMS:
        raise MethodError(f"there are no words for the {family.name}")
    rows, size = forms.raw.shape
    units = [Elements.of(field, [[int(i == j)] for i in range(size)]) for j in range(size)]
    lines = [Elements.of(field, [[int(i == j) for j in range(rows)]]) @ forms for i in range(rows)]
    for last in range(rank, size):
        chosen = [*range(rank), last]
        minors = (minor(lines, [units[k] for k in chosen if k != j]) for j in chosen)
        yield total([units[j] @ one * (-1) ** n for n, (j, one) in enumerate(zip(chosen, minors, strict=True))])


def minor(lines: list[Elements], columns: list[Elements]) -> Elements:
    """Return the determinant of the entries of rows in columns, as a sum over permutations."""
    terms = []
    for order in itertools.permutations(range(len(columns))):
        sign = (-1) ** sum(order[i] > order[j] for i, j in itertools.combinations(range(len(order)), 2))
        product = Elements.of(columns[0].field, [[sign]])
        for i, k in enumerate(order):
            product = product @ (lines[i] @ columns[k])
        terms.append(product)
    return total(terms)


def total(terms: list[Elements]) -> Elements:
    """Return a sum."""
    found = terms[0]
    for one in terms[1:]:
        found = found + one
    return found
