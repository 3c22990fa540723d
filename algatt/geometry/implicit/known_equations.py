"""Equations that are known by a name: minors of flattenings, and resultants of quadrics with a common factor."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from algatt.architectures import Architecture, Lightning
from algatt.geometry.implicit.expansion import expand
from algatt.geometry.implicit.monomials import EntryMonomial

MOST_MINORS = 20_000
"""Maximum number of determinants that are compared with equations."""

Form = dict[tuple[int, ...], Fraction]
"""A form in coordinates: the numbers of the factors of each product, increasing, and what is before it."""

Entry = tuple[int, Fraction]
"""A multiple of a coordinate: its number, from 1 on, and what is before it; 0 for zero."""

Matrix = list[list[Entry]]


def names_of_equations(
    arch: Architecture, coordinates: Sequence[EntryMonomial], equations: Sequence[Sequence[tuple[tuple[int, ...], int]]]
) -> tuple[str | None, ...]:
    """Return the name of each equation, None for those that have none.

    An equation has a name if it is, up to a number, one of these polynomials, term by term:

    - a minor of a flattening: of the matrix with a row for each row of the value and a column for each monomial; of
      the matrix whose rows are the derivatives of the value by the entries of a token; or, where tokens are read, of
      the matrix with a row for each token at a position, and a column for each monomial and the tokens elsewhere;
    - for one lightning layer with d_0 = 2: the resultant of two quadrics (a_k . x)(v_m . x), which have a factor in
      common (HMK Figure 1; a slice of it is the Whitney umbrella).
    """
    wanted = {normal({places: Fraction(value) for places, value in terms}) for terms in equations}
    degrees = {max(len(places) for places, _ in one) for one in wanted}
    known: dict[Any, str] = {}
    entries = entries_of(arch, coordinates)
    tried = 0
    for name, matrix, orders in matrices(arch, entries):
        for order in sorted(degrees & set(orders)):
            for rows in itertools.combinations(range(len(matrix)), order):
                for columns in itertools.combinations(range(len(matrix[0])), order):
                    tried += 1
                    if tried > MOST_MINORS:
                        return named(equations, known)
                    minor = determinant([[matrix[i][j] for j in columns] for i in rows])
                    if minor and (key := normal(minor)) in wanted:
                        known.setdefault(key, f"{name} of order {order}" if name.startswith("minor") else name)
    return named(equations, known)


def named(equations: Sequence[Sequence[tuple[tuple[int, ...], int]]], known: dict[Any, str]) -> tuple[str | None, ...]:
    """Return the names of equations."""
    return tuple(known.get(normal({places: Fraction(value) for places, value in terms})) for terms in equations)


def normal(form: Form) -> frozenset[tuple[tuple[int, ...], Fraction]]:
    """Return a form up to a number."""
    first = form[min(form)]
    return frozenset((places, value / first) for places, value in form.items())


def entries_of(arch: Architecture, coordinates: Sequence[EntryMonomial]) -> dict[EntryMonomial, Entry | None]:
    """Return each coefficient as a multiple of a coordinate; None for those that are none."""
    expansion = expand(arch)
    polynomials = dict(zip(expansion.basis, expansion.polynomials, strict=True))
    number = {key_of(polynomials[one]): place for place, one in enumerate(coordinates, 1)}
    found: dict[EntryMonomial, Entry | None] = {}
    for one in expansion.numerators.basis:
        polynomial = polynomials[one]
        place = number.get(key_of(polynomial))
        found[one] = None
        if place is not None:
            found[one] = place, leading(polynomial) / leading(polynomials[coordinates[place - 1]])
    return found


def leading(polynomial: Any) -> Fraction:
    """Return the first coefficient of a polynomial."""
    first = polynomial.coeffs()[0]
    return Fraction(int(first.p), int(first.q))


def key_of(polynomial: Any) -> Any:
    """Return a polynomial up to a number."""
    first = leading(polynomial)
    numbers = [Fraction(int(one.p), int(one.q)) / first for one in polynomial.coeffs()]
    return frozenset(zip(map(tuple, polynomial.monoms()), numbers, strict=True))


def matrices(
    arch: Architecture, entries: dict[EntryMonomial, Entry | None]
) -> Iterator[tuple[str, Matrix, Sequence[int]]]:
    """Iterate over names, matrices of coefficients, and the orders of minors that are looked at."""
    if isinstance(arch, Lightning) and arch.layers == 1 and arch.dims[0] == 2 and arch.tokens > 1:
        for matrix in sylvester_matrices(arch, entries):
            yield "resultant of Figure 1", matrix, (4,)
    orders = range(2, 7)
    for column in sorted({one.column for one in entries}):
        part = {one: entry for one, entry in entries.items() if one.column == column}
        rows: dict[Any, dict[Any, Entry | None]] = defaultdict(dict)
        for one, entry in part.items():
            rows[one.row][one.tokens, one.powers] = entry
        yield from filled("minor of the flattening by rows of the value", rows, orders)
        for token in sorted({j for one in part for _, j, _ in one.powers}):
            rows = defaultdict(dict)
            for one, entry in part.items():
                for i, j, power in one.powers:
                    if j == token:
                        rest = tuple((k, m, e - ((k, m) == (i, j))) for k, m, e in one.powers)
                        rest = tuple(factor for factor in rest if factor[2])
                        derivative = None if entry is None else (entry[0], power * entry[1])
                        rows[i][one.row, one.tokens, rest] = derivative
            yield from filled(f"minor of the flattening by token {token + 1}", rows, orders)
        for position in range(len(next(iter(part)).tokens or ())):
            rows = defaultdict(dict)
            for one, entry in part.items():
                if one.tokens is not None:
                    others = one.tokens[:position] + one.tokens[position + 1 :]
                    rows[one.tokens[position]][one.row, others, one.powers] = entry
            yield from filled(f"minor of the flattening by the token at position {position + 1}", rows, orders)


def filled(
    name: str, rows: dict[Any, dict[Any, Entry | None]], orders: Sequence[int]
) -> Iterator[tuple[str, Matrix, Sequence[int]]]:
    """Return a matrix with zeros where there are no coefficients, without columns of which something is not known;
    of columns that are proportional one.
    """
    kept: list[list[Entry]] = []
    seen = set()
    for column in sorted({one for row in rows.values() for one in row}, key=repr):
        listed = [row.get(column, (0, Fraction(0))) for row in rows.values()]
        whole = [entry for entry in listed if entry is not None]
        if len(whole) < len(listed):
            continue
        scale = next((value for _, value in whole if value), Fraction(1))
        key = tuple((place, value / scale) for place, value in whole)
        if key not in seen:
            seen.add(key)
            kept.append(whole)
    if len(rows) > 1 and kept:
        yield name, [list(row) for row in zip(*kept, strict=True)], orders


def sylvester_matrices(arch: Lightning, entries: dict[EntryMonomial, Entry | None]) -> Iterator[Matrix]:
    """Iterate over the Sylvester matrices of two quadrics in a token, of the part that is linear in another one."""
    quadrics = []
    for row, a in itertools.product(range(arch.dims[1]), range(2)):
        powers = ((0, 2),), ((0, 1), (1, 1)), ((1, 2),)
        monomials = [
            EntryMonomial(row, 0, tuple(sorted([(a, 0, 1), *((i, 1, e) for i, e in factors)]))) for factors in powers
        ]
        quadrics.append((row, a, [entries.get(one, (0, Fraction(0))) for one in monomials]))
    zero: Entry = (0, Fraction(0))
    for (r, a, f), (s, b, g) in itertools.combinations(quadrics, 2):
        if r != s and a != b:
            continue  # these have no factor in common
        p, q = [one for one in f if one is not None], [one for one in g if one is not None]
        if len(p) == len(q) == 3:
            yield [[*p, zero], [zero, *p], [*q, zero], [zero, *q]]


def determinant(matrix: Matrix) -> Form:
    """Return the determinant as a form in the coordinates, without terms that are zero."""
    size = len(matrix)
    form: Form = {}
    for columns in itertools.permutations(range(size)):
        chosen = [matrix[i][j] for i, j in enumerate(columns)]
        value = math.prod((one for _, one in chosen), start=Fraction(sign(columns)))
        if value:
            places = tuple(sorted(place for place, _ in chosen))
            form[places] = form.get(places, Fraction(0)) + value
    return {places: value for places, value in form.items() if value}


def sign(columns: Sequence[int]) -> int:
    """Return the sign of a permutation."""
    return (-1) ** sum(x > y for x, y in itertools.combinations(columns, 2))
