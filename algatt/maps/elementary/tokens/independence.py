"""Condition (E) for several sequences of tokens together, and relations of their exponents."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

import numpy as np

from algatt import verbs
from algatt.fields import Elements, PrimeField
from algatt.linalg import RowSpace
from algatt.maps.elementary.conditions import IDLE, other_weights
from algatt.maps.elementary.gradients import gradients_at_places
from algatt.maps.elementary.identities import Polynomial, TooLong
from algatt.maps.elementary.ties import combinations
from algatt.maps.elementary.tokens.numbering import Draw, Numbering
from algatt.maps.elementary.tokens.places import Relations, Sequences, TokenPlace
from algatt.maps.elementary.tokens.roots import Dependent, take_roots
from algatt.parameters import Weights

__all__ = ["check_exponents", "find_relations", "is_identity"]

DEPTH = 9
"""Functions that are made in so many steps of others are expanded, at most."""

MOST_TERMS = 4000
"""An expansion with more terms is given up."""

MOST_FAILURES = 8
"""After so many relations that are not proved no others are tried."""


def differentials(place: TokenPlace) -> np.ndarray:
    r"""Return the derivatives of all different exponents by the weights, a column for each; those of :math:`-u^2` for
    error functions are the last.
    """
    sequences, field = place.sequences, place.field
    theta = Weights(tuple(Elements(field, raw) for raw in place.tensors.values()), tuple(place.tensors))
    draws = (*sequences.exponentials, *sequences.error_functions)
    where = [sequences.where[draw[2]] for draw in draws]
    columns = np.zeros((sum(raw.size for raw in place.tensors.values()), len(draws)), dtype=field.dtype)
    for number in sorted({one for one, _, _ in where}):
        chosen = [k for k, (one, _, _) in enumerate(where) if one == number]
        rows, entries = (np.array([where[k][part] for k in chosen]) for part in (1, 2))
        columns[:, chosen] = gradients_at_places(theta, place, rows, entries, number).raw.T
    for k in range(len(sequences.exponentials), len(draws)):
        number, sequence, entry = where[k]
        argument = np.broadcast_to(place.results[number], sequences.entries(number).shape)[sequence].flat[entry]
        columns[:, k] = verbs.multiply(field, columns[:, k], np.full(len(columns), argument, dtype=field.dtype))
    return columns


def place_at_other_weights(sequences: Sequences, field: PrimeField, seed: int, number: int) -> TokenPlace:
    """Return a place at further weights."""
    place = TokenPlace(sequences, field, other_weights(sequences.reading, field, seed, number), seed + number)
    take_roots(place, check=False)
    place.compute()
    return place


def check_exponents(place: TokenPlace) -> int:
    """Check that all exponents that are not tied are independent over Q modulo constants; return at how many weights
    this was looked at.

    A relation with constant coefficients holds for the derivatives by each weight, too, at each place, and modulo p.

    Raises
    ------
    Dependent
        If that is not found.
    """
    sequences, field, seed = place.sequences, place.field, place.seed
    draws = (*sequences.exponentials, *sequences.error_functions)
    free = [k for k, draw in enumerate(draws) if draw not in sequences.relations.powers]
    space = RowSpace(field, len(free))
    weights = idle = 0
    while space.rank < len(free) and idle < IDLE:
        one = place if not weights else place_at_other_weights(sequences, field, seed, weights)
        gained = space.add(Elements(field, np.ascontiguousarray(differentials(one)[:, free]))) if one.alive.all() else 0
        weights, idle = weights + 1, 0 if gained else idle + 1
    if space.rank < len(free):
        wrong = {draws[free[k]][2] for k in set(range(len(free))) - set(space.pivot_columns)}
        raise Dependent(
            wrong,
            f"{len(wrong)} of {len(free)} exponents of {len(sequences)} inputs depend on the others linearly, as far "
            f"as is seen modulo p",
        )
    return weights


def find_relations(sequences: Sequences, field: PrimeField, seed: int) -> Relations:
    """Return relations of exponents with rational coefficients that are proved by expansion."""
    draws = sequences.exponentials
    stacked: list[np.ndarray] = []
    space = RowSpace(field, len(draws))
    weights = idle = 0
    while space.rank < len(draws) and idle < IDLE:
        place = place_at_other_weights(sequences, field, seed, weights)
        found = np.ascontiguousarray(differentials(place)[:, : len(draws)])
        gained = space.add(Elements(field, found))
        stacked.append(found)
        weights, idle = weights + 1, 0 if gained else idle + 1
    if space.rank == len(draws):
        return Relations({}, {})
    free = list(space.pivot_columns)
    powers: dict[Draw, dict[Draw, Fraction]] = {}
    failures = 0
    for column, row in combinations(field, np.concatenate(stacked), free).items():
        terms = {draws[column][2]: Fraction(-1)}
        for j, value in row.items():
            number = draws[free[j]][2]
            terms[number] = terms.get(number, Fraction(0)) + value
        if is_identity(sequences.numbered.numbering, terms):
            scale = draws[column][1]
            powers[draws[column]] = {draws[free[j]]: value * scale / draws[free[j]][1] for j, value in row.items()}
        else:
            failures += 1
            if failures >= MOST_FAILURES:
                break
    return integral(powers)


def integral(powers: Mapping[Draw, Mapping[Draw, Fraction]]) -> Relations:
    """Return relations with integers, what is drawn being roots of exponentials."""
    roots: dict[Draw, int] = {}
    for row in powers.values():
        for draw, value in row.items():
            roots[draw] = lcm(roots.get(draw, 1), value.denominator)
    whole = {one: {draw: int(value * roots[draw]) for draw, value in row.items()} for one, row in powers.items()}
    return Relations(whole, roots)


def is_identity(numbering: Numbering, terms: Mapping[int, Fraction]) -> bool:
    """Return whether a linear combination of functions is proved to be zero: as a polynomial in functions of which
    these are made. False says that no proof was found.
    """
    for depth in range(DEPTH + 1):
        known: dict[tuple[int, int], Polynomial] = {}
        try:
            total = Polynomial({})
            for number, coefficient in terms.items():
                total = short(total + expanded(numbering, number, depth, known) * Polynomial({(): coefficient}))
        except TooLong:
            return False
        if not total.terms:
            return True
    return False


def short(polynomial: Polynomial) -> Polynomial:
    """Return a polynomial, unless it has too many terms."""
    if len(polynomial.terms) > MOST_TERMS:
        raise TooLong
    return polynomial


def expanded(numbering: Numbering, number: int, depth: int, known: dict[tuple[int, int], Polynomial]) -> Polynomial:
    """Return a function as a polynomial in those of which it is made in so many steps."""
    node = numbering.nodes[number]
    if node.kind == "constant":
        return Polynomial({(): node.parameter} if node.parameter else {})
    if depth == 0 or node.kind not in ("sum", "multiply", "negate", "centre"):
        return Polynomial({(number,): Fraction(1)})
    if (number, depth) not in known:
        parts = [expanded(numbering, child, depth - 1, known) for child in node.children]
        if node.kind == "negate":
            value = -parts[0]
        elif node.kind == "multiply":
            value = parts[0] * parts[1]
        elif node.kind == "sum":
            value = sum(parts[1:], parts[0])
        else:
            mean = sum(parts[2:], parts[1]) * Polynomial({(): Fraction(-1, len(parts) - 1)})
            value = parts[0] + mean
        known[number, depth] = short(value)
    return known[number, depth]
