"""Condition (E) for several sequences of tokens together, and relations of their exponents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from algatt import verbs
from algatt.fields import Elements, PrimeField
from algatt.linalg import RowSpace
from algatt.maps.elementary.conditions import IDLE, other_weights
from algatt.maps.elementary.ties import combinations
from algatt.maps.elementary.tokens.numbering import Draw, Number, Numbering, Powers, merged, plain_number
from algatt.maps.elementary.tokens.places import Dependent, Relations, Sequences, TokenPlace
from algatt.maps.elementary.tokens.roots import take_roots
from algatt.maps.gradient import gradients_at_places
from algatt.parameters import Weights

__all__ = ["Look", "find_relations", "is_identity", "look_at_exponents"]

DEPTH = 6
"""So many sums in each other are expanded, at most."""

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
    columns: np.ndarray = np.zeros((sum(raw.size for raw in place.tensors.values()), len(draws)), dtype=field.dtype)
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
    place.complete()
    return place


@dataclass(frozen=True, eq=False)
class Look:
    """What was seen of the exponents that are not tied.

    Parameters
    ----------
    draws : tuple of Draw
        These exponents.
    space : RowSpace
        The span of their derivatives by each weight, at each place.
    derivatives : ndarray
        The derivatives.
    weights : int
        At so many weights.
    """

    draws: tuple[Draw, ...]
    space: RowSpace
    derivatives: np.ndarray
    weights: int

    @property
    def independent(self) -> bool:
        """Whether no combination with rational coefficients is constant."""
        return self.space.rank == len(self.draws)

    def check(self) -> None:
        """Raise `Dependent` unless they are independent."""
        if not self.independent:
            wrong = {self.draws[k][2] for k in set(range(len(self.draws))) - set(self.space.pivot_columns)}
            raise Dependent(
                wrong,
                f"{len(wrong)} of {len(self.draws)} exponents depend on the others linearly, as far as is seen modulo "
                f"p",
            )


def look_at_exponents(place: TokenPlace) -> Look:
    """Look at the derivatives of all exponents that are not tied, for ever other weights while these add something.

    A relation with constant coefficients holds for the derivatives by each weight, too, at each place, and modulo p.
    """
    sequences, field, seed = place.sequences, place.field, place.seed
    draws = (*sequences.exponentials, *sequences.error_functions)
    free = [k for k, draw in enumerate(draws) if draw not in sequences.relations.powers]
    space = RowSpace(field, len(free))
    stacked = []
    weights = idle = 0
    while space.rank < len(free) and idle < IDLE:
        one = place if not weights else place_at_other_weights(sequences, field, seed, weights)
        gained = 0
        if one.alive.all():
            stacked.append(np.ascontiguousarray(differentials(one)[:, free]))
            gained = space.add(Elements(field, stacked[-1]))
        weights, idle = weights + 1, 0 if gained else idle + 1
    derivatives = np.concatenate(stacked) if stacked else np.zeros((0, len(free)), dtype=field.dtype)
    return Look(tuple(draws[k] for k in free), space, derivatives, weights)


def find_relations(sequences: Sequences, seen: Look) -> Relations:
    """Return relations of exponents with rational coefficients, seen modulo p, that are proved by expansion."""
    free = list(seen.space.pivot_columns)
    powers: dict[Draw, dict[Draw, Fraction]] = {}
    failures = 0
    for column, row in combinations(seen.space.field, seen.derivatives, free).items():
        tied, others = seen.draws[column], {seen.draws[free[j]]: value for j, value in row.items()}
        if any(draw[0] == "erf" for draw in (tied, *others)):
            continue
        terms = {tied[2]: Fraction(-1)}
        for draw, value in others.items():
            terms[draw[2]] = terms.get(draw[2], Fraction(0)) + value
        if is_identity(sequences.numbered.numbering, terms):
            powers[tied] = {draw: value * tied[1] / draw[1] for draw, value in others.items()}
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


Polynomial = dict[Powers, Number]
"""Coefficients that are not zero by products of powers, of functions or of their reciprocals."""


class TooLong(ArithmeticError):
    """Raised where an expansion has too many terms."""


def is_identity(numbering: Numbering, terms: Mapping[int, Fraction]) -> bool:
    """Return whether a linear combination of functions is proved to be zero: as a polynomial in functions of which
    these are made. False says that no proof was found.
    """
    for depth in range(DEPTH + 1):
        known: dict[tuple[int, int], Polynomial] = {}
        total: Polynomial = {}
        try:
            for number, coefficient in terms.items():
                add_to(total, expanded(numbering, number, depth, known), plain_number(coefficient))
        except TooLong:
            return False
        if not total:
            return True
    return False


def add_to(total: Polynomial, polynomial: Polynomial, coefficient: Number) -> None:
    """Add a multiple of a polynomial to another."""
    for powers, value in polynomial.items():
        together = total.get(powers, 0) + coefficient * value
        if together:
            total[powers] = together
        else:
            total.pop(powers, None)
    if len(total) > MOST_TERMS:
        raise TooLong


def times(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return the product of two polynomials."""
    product: Polynomial = {}
    for one, value in left.items():
        for other, factor in right.items():
            sign, powers = merged(one, other)
            product[powers] = product.get(powers, 0) + sign * value * factor
        if len(product) > MOST_TERMS:
            raise TooLong
    return {powers: value for powers, value in product.items() if value}


def expanded(numbering: Numbering, number: int, depth: int, known: dict[tuple[int, int], Polynomial]) -> Polynomial:
    """Return a function as a polynomial in those of which it is made; so many sums in each other are expanded."""
    if (number, depth) not in known:
        node = numbering.nodes[number]
        if node.kind == "sum" and depth:
            total: Polynomial = {}
            for child, value in zip(node.children, node.parameter, strict=True):
                add_to(total, expanded(numbering, child, depth - 1, known), value)
        else:
            value, powers = numbering.parts(number)
            sums = {one for one, k in powers if k > 0 and depth and numbering.nodes[one].kind == "sum"}
            rest = tuple((one, k) for one, k in powers if one not in sums)
            total = {rest: value} if value else {}
            for one in [one for one, k in powers if one in sums for _ in range(k)]:
                total = times(total, expanded(numbering, one, depth, known))
        known[number, depth] = total
    return known[number, depth]
