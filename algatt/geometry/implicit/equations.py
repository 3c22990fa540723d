"""The equations of the closure of a neuromanifold, degree by degree."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import NetworkLike, as_architecture
from algatt.arguments import whole
from algatt.display import MOST_ROWS, Rows, Summary, Worth, list_names
from algatt.fields import PrimeField
from algatt.geometry.dimensions.dimension import dimension
from algatt.geometry.implicit.coordinate_ring import Blocks, CoordinateRing, check_products, coordinate_ring
from algatt.geometry.implicit.expansion import PRIME, rank_of
from algatt.geometry.implicit.hilbert_function import HilbertFunction, summary
from algatt.geometry.implicit.known_equations import names_of_equations
from algatt.geometry.implicit.lifting import lift, primes
from algatt.geometry.implicit.monomials import EntryMonomial
from algatt.geometry.implicit.ranks import kernel_of_block, ranks_of_blocks
from algatt.geometry.implicit.substitution import PROVEN, error_of, substitute
from algatt.linalg import RowSpace
from algatt.verbs.views import Summarized, Tabled

Terms = tuple[tuple[tuple[int, ...], int], ...]
"""A form in the coordinates: the places of the factors of each product, increasing, and the number before it."""


@dataclass(frozen=True)
class Equation(Tabled):
    """A polynomial with integer coefficients that vanishes on a neuromanifold.

    Parameters
    ----------
    degree : int
        Its degree in the coefficients of the function.
    terms : tuple of (tuple of int, int)
        For each product the numbers of its factors, with repetitions, and the integer before it: number k stands for
        the coordinate c_k, from 1 on.
    status : str
        ``proven``: substituting the parametrisation gives zero, identically in the weights; or ``probable``: it
        vanishes at random integer weights.
    name : str or None
        What it is up to a number, term by term: a minor of a flattening, or a resultant; None where it is neither, or
        not found to be.
    """

    degree: int
    terms: Terms
    status: str
    name: str | None = None

    def __str__(self) -> str:
        return written(self.terms)


@dataclass(frozen=True, repr=False)
class Equations(Summarized):
    """The equations of the closure of a neuromanifold up to a degree.

    Parameters
    ----------
    arch : Architecture
        The network.
    coordinates : tuple of Monomial
        Number k is the monomial of which the coordinate c_{k+1} is the coefficient, or the value at tokens that it is.
        All others are linear in these (see `algatt.span`).
    generators : tuple of Equation
        Equations of increasing degree; each is in no ideal of those of lower degree, and no combination of the others
        of its degree. All equations up to the degree are combinations of their multiples.
    hilbert_function : HilbertFunction
        The Hilbert function up to the degree.
    status : str
        ``proven``: these are equations, and there are no others up to the degree; or ``probable``.
    error : float or None
        If probable: a bound on the probability that one of them is none.
    """

    arch: Architecture
    coordinates: tuple[EntryMonomial, ...]
    generators: tuple[Equation, ...]
    hilbert_function: HilbertFunction
    status: str
    error: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, as the command prints it."""
        return {
            "generators": [
                {"degree": one.degree, "equation": str(one), "status": one.status, "name": one.name}
                for one in self.generators
            ],
            "coordinates": [str(one) for one in self.coordinates],
            "hilbert_function": list(self.hilbert_function.values),
            "homogeneous": self.hilbert_function.homogeneous,
            "projective": self.hilbert_function.projective,
            "status": self.status,
            "error": self.error,
        }

    def __str__(self) -> str:
        names = [f"c{number} = {one.description}" for number, one in enumerate(self.coordinates, 1)]
        known = [f"   ({one.name})" if one.name else "" for one in self.generators]
        return "\n".join([*names, *(f"{one} = 0{name}" for one, name in zip(self.generators, known, strict=True))])

    @property
    def unnamed(self) -> int:
        """The number of generators that have no name."""
        return sum(one.name is None for one in self.generators)

    @property
    def codimension(self) -> tuple[int, str]:
        """The codimension of the closure in the space of the coordinates, with the status of the dimension: if it is
        not 0, the closure has equations, of whatever degree.
        """
        answer = dimension(self.arch)
        return len(self.coordinates) - self.hilbert_function.projective - answer.value, answer.status


def equations(arch: NetworkLike, degree: int) -> Equations:
    """Return generators of the ideal of the closure of the neuromanifold, up to a degree.

    The relations between products of coefficients are found modulo primes below 2^31, block by block as in
    `hilbert_function`, lifted to the rationals, and verified by substitution of the parametrisation. The rank modulo a
    prime is a lower bound of the Hilbert function; where as many equations are verified as it leaves room for, both are
    proven. For values that are quotients, the equations are those in the projective space of `hilbert_function`. Cost:
    that of `hilbert_function`, and an elimination and the substitution for each block with an equation.

    Parameters
    ----------
    arch : Architecture
        A network whose values are rational functions of its weights, and of vectors that it reads.
    degree : int
        The largest degree.

    Raises
    ------
    InvalidArgument
        For other networks, or if the degree is no integer >= 1.
    NotEnoughMemory
        If the products or the matrix of a block do not fit, before they are made.
    NoSolution
        If equations modulo primes do not lift to the rationals.

    Examples
    --------
    >>> import algatt
    >>> squares = algatt.layers.Feedforward(1, algatt.layers.Power(2), width=1)
    >>> print(algatt.equations(algatt.Network(squares, tokens=1, width=2), 2))
    c1 = coefficient of y_1_1: x_1_1^2
    c2 = coefficient of y_1_1: x_1_1*x_2_1
    c3 = coefficient of y_1_1: x_2_1^2
    4*c1*c3 - c2^2 = 0   (minor of the flattening by token 1 of order 2)
    """
    arch = as_architecture(arch)
    degree = whole("degree", degree)
    ring = coordinate_ring(arch)
    check_products(ring, degree)  # before the work for lower degrees
    found: list[tuple[Terms, str]] = []
    values, error = [1], 0.0 if ring.proven else ring.error
    for e in range(1, degree + 1):
        blocks = Blocks.of(ring, e)
        short = np.flatnonzero(ranks_of_blocks(blocks) < blocks.sizes).tolist()
        multiples = multiples_in_blocks(ring, blocks, short, [terms for terms, _ in found], e)
        new: list[tuple[Terms, str]] = []
        values.append(len(blocks.products))
        for number in short:
            dimension, generators = new_generators(blocks, number, multiples.get(number, []))
            values[-1] -= dimension
            new += generators
        error += error_of(ring.expansion, e) * sum(status != PROVEN for _, status in new)
        found += new
    shift = 1 if ring.homogeneous else 0
    plain = [equation(terms, shift, status) for terms, status in found]
    names = names_of_equations(arch, ring.coordinates, [one.terms for one in plain])
    named = tuple(replace(one, name=name) for one, name in zip(plain, names, strict=True))
    function = summary(ring, values, error)
    return Equations(arch, ring.coordinates, named, function, function.status, function.error)


def equation(terms: Terms, shift: int, status: str) -> Equation:
    """Return an equation in c_1, c_2, ...; where the first coordinate is the constant 1, it is left out."""
    factors = [(tuple(place + shift for place in places if place + shift), value) for places, value in terms]
    sign = -1 if factors[0][1] < 0 else 1
    degree = max(len(places) for places, _ in factors)
    return Equation(degree, tuple((places, sign * value) for places, value in factors), status)


def multiples_in_blocks(
    ring: CoordinateRing, blocks: Blocks, short: list[int], generators: list[Terms], degree: int
) -> dict[int, list[dict[tuple[int, ...], int]]]:
    """Return the multiples of generators of lower degree that are in each block."""
    number_of = {int(blocks.keys[number]): number for number in short}
    found: dict[int, list[dict[tuple[int, ...], int]]] = {}
    for terms in generators:
        beyond = degree - len(terms[0][0])
        if beyond < 1:
            continue
        for factor in itertools.combinations_with_replacement(range(ring.size), beyond):
            multiple = {tuple(sorted((*places, *factor))): value for places, value in terms}
            key = int(ring.keys[list(next(iter(multiple)))].sum())
            found.setdefault(number_of[key], []).append(multiple)
    return found


def new_generators(
    blocks: Blocks, number: int, multiples: list[dict[tuple[int, ...], int]]
) -> tuple[int, list[tuple[Terms, str]]]:
    """Return how many equations of a block are independent, and those that with the multiples of equations of lower
    degree are a basis of them, with what each is worth.
    """
    products = [tuple(row) for row in blocks.block(number).tolist()]
    place = {one: column for column, one in enumerate(products)}
    rows = np.zeros((len(multiples), len(products)), dtype=object)
    for row, multiple in zip(rows, multiples, strict=True):
        for one, value in multiple.items():
            row[place[one]] += value
    kernel = kernel_of_block(blocks, number, PRIME)
    known = rank_of(rows)
    if known == kernel.shape[1]:
        return known, []
    p, space = next(
        (p, space) for p in primes() if (space := row_space(rows % p, p)).rank == known
    )  # the first prime, unless the multiples have a lower rank modulo it
    space.add((kernel if p == PRIME else kernel_of_block(blocks, number, p)).T.astype(np.int64))
    chosen = [row - len(rows) for row in space.pivot_rows if row >= len(rows)]
    kernels = ((q, kernel_of_block(blocks, number, q)[:, chosen]) for q in primes())
    worth: list[str | None] = []

    def accepts(vectors: list[list[int]]) -> bool:
        worth[:] = [substitute(blocks.ring.expansion, form(products, vector)) for vector in vectors]
        return all(worth)

    vectors = lift(kernels, accepts)
    forms = [form(products, vector) for vector in vectors]
    return known + len(forms), list(zip(forms, map(str, worth), strict=True))


def row_space(rows: np.ndarray, p: int) -> RowSpace:
    """Return the span of rows modulo p."""
    space = RowSpace(PrimeField(p), rows.shape[1])
    space.add(rows.astype(np.int64))
    return space


def form(products: list[tuple[int, ...]], vector: list[int]) -> Terms:
    """Return a combination of products, without zeros."""
    return tuple((places, value) for places, value in zip(products, vector, strict=True) if value)


def written(terms: Iterable[tuple[tuple[int, ...], int]], names: Sequence[str] | None = None) -> str:
    """Write an equation, as 4*c1*c3 - c2^2; with the names of coordinates number 0, 1, ..., if they are given."""
    text = ""
    for places, value in terms:
        powers = Counter(places).items()
        shown = [(f"c{one}" if names is None else names[one], power) for one, power in powers]
        factors = [name + (f"^{power}" if power > 1 else "") for name, power in shown]
        if abs(value) != 1 or not factors:
            factors.insert(0, str(abs(value)))
        sign = "-" if value < 0 else "+"
        text += f" {sign} {'*'.join(factors)}" if text else f"{'-' if value < 0 else ''}{'*'.join(factors)}"
    return text


@verbs.summarize.method
def summary_of_equations(found: Equations) -> Summary:
    count = len(found.generators)
    space = " in projective space" if found.hilbert_function.projective else ""
    degree = len(found.hilbert_function.values) - 1
    title = f"{count} generator{'s' * (count != 1)} up to degree {degree}{space}"
    rows: Rows = [(one.name or f"degree {one.degree}", f"{one} = 0") for one in found.generators[:MOST_ROWS]]
    rows.append(("coordinates", list_names([f"c{n} = {one}" for n, one in enumerate(found.coordinates, 1)])))
    rows.append(("network", f"{found.arch}"))
    return Summary(title, rows, Worth(found.status))
