"""The coefficients of a network as polynomials in its weights, their values modulo a prime, and their gradings."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.fields import Elements, Polynomials, PrimeField, RationalFunctions, Rationals
from algatt.fields.prime import residue
from algatt.fields.rational_function import over_common_denominator
from algatt.geometry.implicit.existence import check_rational
from algatt.geometry.implicit.monomials import (
    DENOMINATOR,
    EntryMonomial,
    generic_inputs,
    monomial,
    place,
    unknown_shape,
)
from algatt.linalg import RowSpace
from algatt.maps.existence import over
from algatt.parameters import Parameters, Weights
from algatt.randomness import random_residues, random_words

Exponents = tuple[int, ...]

PRIME = 2**31 - 1
"""Prime of the random weights: products of two residues fit into int64."""

BITS = 62
"""Number of bits of random integers that are substituted for weights."""

HELD = 2**22
"""About this many residues of a table of monomials are held at a time."""


@dataclass(frozen=True, eq=False)
class Expansion:
    """The coefficients of a network as polynomials in its weights, over Q: those of the common denominator of its
    values, which is 1 for a polynomial network, and of the numerators.

    Parameters
    ----------
    arch : Architecture
        The network.
    basis : tuple of Monomial
        The monomials in the input whose coefficients are not zero, those of the denominator first.
    polynomials : tuple
        The coefficient of each, a FLINT polynomial in all weights, in the order of `algatt.flatten`.
    """

    arch: Architecture
    basis: tuple[EntryMonomial, ...]
    polynomials: tuple[Any, ...]

    @functools.cached_property
    def degree(self) -> int:
        """The largest degree of a coefficient in the weights."""
        return max((int(one.total_degree()) for one in self.polynomials), default=0)

    def values(self, count: int, seed: int, p: int = PRIME) -> np.ndarray:
        """Return the coefficients at `count` random weights modulo p, as integers of shape (coefficients, count)."""
        drawn = random_residues(seed, f"implicit/{p}", count * self.arch.parameters, p)
        points = drawn.astype(np.int64).reshape(count, self.arch.parameters).T
        sizes = [len(one) for one in self.polynomials]
        exponents = np.concatenate([exponents_of(one, self.arch.parameters) for one in self.polynomials])
        known, which = distinct(exponents)
        places_of = np.split(which, np.cumsum(sizes)[:-1])
        numbers = [np.array([residue_of(c, p) for c in one.coeffs()], dtype=np.int64) for one in self.polynomials]
        result = np.zeros((len(sizes), count), dtype=np.int64)
        step = max(1, HELD // len(known))
        for start in range(0, count, step):
            table = monomial_values(points[:, start : start + step], known, p)
            for row, places, factors in zip(result, places_of, numbers, strict=True):
                row[start : start + step] = (table[places] * factors[:, None] % p).sum(axis=0) % p
        return result

    def part(self, places: Sequence[int]) -> Expansion:
        """Return some of the coefficients."""
        return Expansion(self.arch, tuple(self.basis[i] for i in places), tuple(self.polynomials[i] for i in places))

    @functools.cached_property
    def denominators(self) -> int:
        """The number of monomials of the common denominator."""
        return sum(one.row == DENOMINATOR for one in self.basis)

    @functools.cached_property
    def numerators(self) -> Expansion:
        """The coefficients of the numerators."""
        return self.part(range(self.denominators, len(self.basis)))

    @property
    def projective(self) -> bool:
        """Whether the denominator depends on the input: the function is a point of a projective space."""
        return self.denominators > 1

    @property
    def polynomial(self) -> bool:
        """Whether the denominator is 1."""
        return self.denominators == 1 and self.polynomials[0].is_constant()

    @functools.cached_property
    def at_integers(self) -> list[Any]:
        """The coefficients at random weights, which are integers of 62 bits: rational numbers."""
        words = random_words(0, "implicit/integers", self.arch.parameters)
        point = [int(word) >> (64 - BITS) for word in words.tolist()]
        return [one(*point) for one in self.polynomials]

    def at(self, theta: Parameters) -> list[Any]:
        """Return the coefficients at a point: residues as integers, or rational numbers of FLINT."""
        p = theta.field.characteristic
        if not p:
            point = [entry for element in over(Rationals(), theta).elements for entry in element.raw.flat]
            return [one(*point) for one in self.polynomials]
        weights = [int(entry) for element in theta.elements for entry in element.raw.flat]
        return [
            sum(
                residue_of(number, p) * math.prod(pow(w, e, p) for w, e in zip(weights, powers, strict=True) if e)
                for powers, number in one.terms()
            )
            % p
            for one in self.polynomials
        ]

    @functools.cached_property
    def gradings(self) -> np.ndarray:
        """Integers of shape (coefficients, gradings): how rescalings of the weights multiply the coefficients.

        Each column belongs to a vector w of integers, one for each weight, such that multiplying the weights by the
        powers s^w multiplies each coefficient by a power of s, whose exponents are the column. All such columns are
        combinations of these, which are independent.
        """
        exponents = [exponents_of(one, self.arch.parameters).astype(np.int64) for one in self.polynomials]
        differences = [one[1:] - one[0] for one in exponents]
        relations = distinct(np.concatenate([*differences, np.zeros((0, self.arch.parameters), np.int64)]))[0]
        vectors = integer_kernel(relations, self.arch.parameters)
        columns = np.array([one[0] for one in exponents], dtype=np.int64).reshape(-1, self.arch.parameters) @ vectors
        space = RowSpace(PrimeField(), columns.shape[0])
        space.add(columns.T % PrimeField().p)
        return columns[:, list(space.pivot_rows)]

    @functools.cached_property
    def scales(self) -> bool:
        """Whether rescalings of the weights multiply the numerators by every number and not the denominator: then the
        closure is a cone.
        """
        wanted = np.array([[one.row != DENOMINATOR] for one in self.basis], dtype=np.int64)
        return rank_of(np.hstack([self.gradings, wanted])) == self.gradings.shape[1]


def exponents_of(polynomial: Any, variables: int) -> np.ndarray:
    """Return the exponents of a polynomial, a row for each term."""
    entries = itertools.chain.from_iterable(polynomial.monoms())
    return np.fromiter(entries, dtype=np.int16, count=len(polynomial) * variables).reshape(-1, variables)


def distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the different rows of a matrix of integers, and for each row which one it is."""
    if not rows.size:
        return rows[:1], np.zeros(len(rows), dtype=np.int64)
    rows = np.ascontiguousarray(rows)
    keys = rows.view(f"S{rows.shape[1] * rows.itemsize}").reshape(-1)  # one text for each row: much faster to sort
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    return rows[first], which.reshape(-1)


def residue_of(number: Any, p: int) -> int:
    """Return a rational number of FLINT modulo p."""
    return residue(Fraction(int(number.p), int(number.q)), p)


def monomial_values(points: np.ndarray, exponents: np.ndarray, p: int) -> np.ndarray:
    """Return monomials at points, which are columns, modulo p: a row for each row of exponents."""
    values = np.ones((len(exponents), points.shape[1]), dtype=np.int64)
    for variable in np.flatnonzero(exponents.any(axis=0)):
        power = np.ones(points.shape[1], dtype=np.int64)
        for exponent in range(1, int(exponents[:, variable].max()) + 1):
            power = power * points[variable] % p
            rows = exponents[:, variable] == exponent
            values[rows] = values[rows] * power % p
    return values


def rank_of(matrix: np.ndarray) -> int:
    """Return the rank of a matrix of integers over Q."""
    import flint

    return int(flint.fmpz_mat(matrix.tolist()).rank()) if matrix.size else 0


def integer_kernel(rows: np.ndarray, columns: int) -> np.ndarray:
    """Return a basis of the kernel of a matrix of integers over Q, as columns of integers."""
    import flint

    space = RowSpace(PrimeField(), columns)
    space.add(rows % PrimeField().p)
    chosen = rows[list(space.pivot_rows)]
    if not len(chosen):
        return np.eye(columns, dtype=np.int64)
    basis, dimension = flint.fmpz_mat(chosen.tolist()).nullspace()
    kernel = np.array([[int(entry) for entry in row[:dimension]] for row in basis.tolist()], dtype=object)
    divisors = [math.gcd(*column) for column in kernel.T]
    found = np.array([[entry // d for entry, d in zip(row, divisors, strict=True)] for row in kernel], dtype=np.int64)
    kept = ~(rows @ found).any(axis=0)  # a row that vanishes modulo the prime alone is no pivot row
    return found[:, kept]


@functools.lru_cache(maxsize=16)
def expand(arch: Architecture) -> Expansion:
    """Return the coefficients of a network whose values are rational functions as polynomials in its weights, over Q.

    The denominator is the least common multiple of those of all values in lowest terms. So no polynomial in weights and
    inputs divides it and all numerators; by the lemma of Gauss neither does one in the inputs over the rational
    functions of the weights.

    Cost: an evaluation of the network over polynomials in its weights and inputs, or quotients of them in lowest terms.

    Raises
    ------
    InvalidArgument
        For other networks, and where the polynomials have too many terms.
    """
    check_rational(arch)
    shapes = verbs.coordinates(arch)
    variables = arch.parameters + max(1, math.prod(unknown_shape(arch)))
    field = Polynomials(variables) if arch.polynomial else RationalFunctions(variables)
    tensors, start = [], 0
    for shape in shapes.values():
        tensors.append(Elements(field, field.unknowns(shape, start)))
        start += math.prod(shape)
    sequences, inputs = generic_inputs(arch, field, start)
    values = verbs.evaluate(arch, Weights(tuple(tensors), tuple(shapes)), inputs).raw
    denominator, numerators = field.context.constant(1), values
    if isinstance(field, RationalFunctions):
        denominator, numerators = over_common_denominator(values)
    weights = Polynomials(start).context
    found: dict[EntryMonomial, Any] = {}
    for exponents, terms in by_input(denominator, start, variables):
        found[monomial(arch, DENOMINATOR, DENOMINATOR, exponents, None)] = weights.from_dict(terms)
    for tokens, value in zip(sequences, numerators, strict=True):
        for row, column in itertools.product(*map(range, value.shape)):
            for exponents, terms in by_input(value[row, column], start, variables):
                found[monomial(arch, row, column, exponents, tokens)] = weights.from_dict(terms)
    basis = tuple(sorted(found, key=place))
    return Expansion(arch, basis, tuple(found[one] for one in basis))


def by_input(
    polynomial: Any, start: int, variables: int
) -> Iterator[tuple[tuple[int, ...], dict[tuple[int, ...], Any]]]:
    """Iterate over the exponents of the unknowns from number `start` on in a polynomial, with the terms of the
    coefficient that they have, a polynomial in the unknowns before.
    """
    exponents = exponents_of(polynomial, variables)
    coefficients = np.array(polynomial.coeffs(), dtype=object)
    kinds, which = distinct(exponents[:, start:])
    order = np.argsort(which, kind="stable")
    ends = np.cumsum(np.bincount(which, minlength=len(kinds)))
    for kind, places in zip(kinds, np.split(order, ends[:-1]), strict=True):
        terms = zip(map(tuple, exponents[places, :start].tolist()), coefficients[places], strict=True)
        yield tuple(kind), dict(terms)
