"""The linear span of a neuromanifold."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import NetworkLike, as_architecture
from algatt.errors import NoSolution
from algatt.fields import PrimeField
from algatt.geometry.implicit.expansion import PRIME, Expansion, expand
from algatt.geometry.implicit.lifting import EXTRA, lift, missed, primes
from algatt.geometry.implicit.monomials import EntryMonomial
from algatt.geometry.implicit.substitution import substitute
from algatt.linalg.engines import Auto
from algatt.linalg.kernel import null_space
from algatt.memory import check_memory
from algatt.verbs.views import Summarized


@dataclass(frozen=True, repr=False)
class Span(Summarized):
    """The linear span of the functions of a network, in the space of all polynomial maps of its shape; or of the
    coefficients of numerators and denominator, if these depend on the input.

    Parameters
    ----------
    arch : Architecture
        The network.
    dimension : int
        Its dimension, as a vector space.
    status : str
        ``proven``, or ``probable``: then the dimension is at least this, and larger with a probability of at most
        `error`.
    error : float or None
        For a probable dimension: a bound on the probability that random weights modulo 2^31 - 1 show a rank below the
        generic one there.
    coordinates : tuple of Monomial
        Monomials whose coefficients determine all others in the span: as many as its dimension.
    monomials : int
        The number of monomials whose coefficients are not always zero.
    projective : bool
        Whether the function is a point of a projective space: that of the lines in a space with these coordinates.
    """

    arch: Architecture
    dimension: int
    status: str
    error: float | None
    coordinates: tuple[EntryMonomial, ...]
    monomials: int
    projective: bool

    def __str__(self) -> str:
        return f"{self.dimension} ({self.status})"


def span(arch: NetworkLike) -> Span:
    """Return the linear span of the neuromanifold of a network whose values are rational functions.

    The coefficients of the function are polynomials in the weights; the dimension of the span is their rank over Q.
    It is at least their rank at random weights modulo a prime. It is proven to be this rank where the linear relations
    that are found modulo primes hold identically in the weights. Cost: `expand`, and an elimination with a column for
    each monomial.

    Raises
    ------
    InvalidArgument
        Unless the values of the network are rational functions, and not too large.
    NotEnoughMemory
        If the matrix of the elimination does not fit, before it is made.

    Examples
    --------
    >>> import algatt
    >>> found = algatt.span(algatt.Lightning(dims=(2, 1), ranks=(2,), tokens=2))
    >>> found.dimension, found.status, found.monomials
    (6, 'proven', 20)
    """
    arch = as_architecture(arch)
    expansion = expand(arch) if expand(arch).projective else expand(arch).numerators
    places, proven, error = coordinates_of_span(expansion)
    basis = expansion.basis
    status = "proven" if proven else "probable"
    coordinates = tuple(basis[one] for one in sorted(places))
    return Span(arch, len(places), status, None if proven else error, coordinates, len(basis), expansion.projective)


@functools.lru_cache(maxsize=16)
def coordinates_of_span(expansion: Expansion) -> tuple[tuple[int, ...], bool, float]:
    """Return places of coefficients that are a basis of all, whether this is proven, and the error if it is not.

    Those of the denominator are preferred, then those with few terms, so that relations between them are short.
    """
    size = len(expansion.polynomials)
    check_memory(4 * 8.0 * size * (size + EXTRA), f"the span of {size:,} coefficients")
    order = sorted(range(size), key=lambda one: (one >= expansion.denominators, len(expansion.polynomials[one]), one))
    sorted_part = expansion.part(order)

    def kernel(p: int) -> tuple[np.ndarray, tuple[int, ...]]:
        form = verbs.row_reduce(Auto(), PrimeField(p), sorted_part.values(size + EXTRA, 0, p).T.astype(np.float64))
        return null_space(form, p), form.pivots

    first, pivots = kernel(next(primes()))
    places = tuple(order[one] for one in pivots)
    found = ((p, first if number == 0 else kernel(p)[0]) for number, p in enumerate(primes()))

    def accepts(vectors: list[list[int]]) -> bool:
        return all(
            substitute(sorted_part, [((one,), number) for one, number in enumerate(vector) if number]) == "proven"
            for vector in vectors
        )

    proven = True
    try:
        lift(found, accepts)
    except NoSolution:
        proven = False
    return places, proven, missed(size, expansion.degree, PRIME)
