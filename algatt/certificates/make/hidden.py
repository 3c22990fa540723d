"""The velocities of hidden symmetries, as certificates have them."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from algatt.errors import MethodError
from algatt.fields import Elements

MOST_FORMS = 4
"""Maximum number of forms with words for their kernel: the words of a minor are as many as permutations."""


def kernel_columns(forms: Elements, rank: int) -> Iterator[Elements]:
    """Iterate over columns n with F n = 0 for forms F of a rank, by Cramer's rule: signed minors of the first columns
    of F and another one.

    Raises
    ------
    MethodError
        If there are more forms than are independent, or too many.
    """
    field, (rows, size) = forms.field, forms.raw.shape
    if rows != rank or rank > MOST_FORMS:
        raise MethodError(f"there are no words for what {rows} forms of rank {rank} do not see")
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
