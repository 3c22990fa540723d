"""The Hilbert function of the closure of a neuromanifold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import NetworkLike, as_architecture
from algatt.arguments import whole
from algatt.display import Rows, Summary, Worth
from algatt.fields import DEFAULT_PRIME
from algatt.geometry.implicit.coordinate_ring import Blocks, CoordinateRing, check_products, coordinate_ring
from algatt.geometry.implicit.lifting import missed
from algatt.geometry.implicit.monomials import EntryMonomial
from algatt.geometry.implicit.ranks import ranks_of_blocks
from algatt.plain import written
from algatt.verbs.views import Summarized


@dataclass(frozen=True, repr=False)
class HilbertFunction(Summarized):
    r"""The dimensions of the graded parts of the coordinate ring of the closure of a neuromanifold.

    Parameters
    ----------
    arch : Architecture
        The network.
    values : tuple of int
        Value number e is the number of independent functions on the neuromanifold among the forms of degree e in the
        coefficients; if not `homogeneous`, among the polynomials of degree at most e.
    monomials : tuple of int
        The number of monomials of each degree in the coordinates: without equations these are the values.
    status : str
        ``proven``, or ``probable``: then the values are at least these (proven), and larger with a probability of at
        most `error`.
    error : float or None
        For probable values: a bound on the probability that random weights modulo a prime show a rank below the
        generic one there.
    homogeneous : bool
        Whether rescalings of the weights multiply the function by every number, so that the closure is a cone, or it is
        `projective`.
    projective : bool
        Whether it is the closure in the projective space of numerators and denominators: the denominator depends on the
        input.
    coordinates : tuple of Monomial
        Monomials whose coefficients are the coordinates: all others are linear in them.
    """

    arch: Architecture
    values: tuple[int, ...]
    monomials: tuple[int, ...]
    status: str
    error: float | None
    homogeneous: bool
    projective: bool
    coordinates: tuple[EntryMonomial, ...]

    @property
    def equations(self) -> tuple[int, ...]:
        """The dimension of the space of equations of each degree."""
        return tuple(one - other for one, other in zip(self.monomials, self.values, strict=True))

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, as the command prints it."""
        names = "values monomials equations status error homogeneous projective"
        return {**written(self, names), "coordinates": [str(one) for one in self.coordinates]}

    def __str__(self) -> str:
        return f"{', '.join(map(str, self.values))} ({self.status})"


def hilbert_function(arch: NetworkLike, degree: int) -> HilbertFunction:
    r"""Return the Hilbert function of the closure of the neuromanifold, up to a degree.

    Value number e is :math:`\dim K[c_1, \ldots, c_n]_e / I_e`, where the c_i are coefficients of the function and I_e
    the forms of degree e in them that vanish on the neuromanifold: the rank of the products of e coefficients as
    polynomials in the weights. The products fall into blocks, by how rescalings of the weights multiply them, and the
    rank of each block is taken at random weights modulo 8388593: a proven lower bound.

    Where the values are quotients whose denominator depends on the input, the function is the point of the projective
    space whose coordinates are the coefficients of numerators and of the common denominator, in lowest terms over the
    rational functions of the weights. At generic weights they are in lowest terms, and two functions are equal if their
    points are. The closure is then that of these points in this space, and its dimension that of the neuromanifold.

    Cost: a matrix for each block, with a column for each product in it.

    Parameters
    ----------
    arch : Architecture
        A network whose values are rational functions of its weights, and of vectors that it reads.
    degree : int
        The largest degree.

    Raises
    ------
    InvalidArgument
        For other networks, or if the degree is no integer >= 0.
    NotEnoughMemory
        If the products or the matrix of a block do not fit, before they are made.

    Examples
    --------
    >>> import algatt
    >>> found = algatt.hilbert_function(algatt.Lightning(dims=(2, 1), ranks=(2,), tokens=2), 4)
    >>> found.values, found.equations
    ((1, 6, 21, 56, 125), (0, 0, 0, 0, 1))
    """
    arch = as_architecture(arch)
    degree = whole("degree", degree, 0)
    ring = coordinate_ring(arch)
    check_products(ring, degree)  # before the work for lower degrees
    values, errors = [1], [0.0 if ring.proven else ring.error]
    for e in range(1, degree + 1):
        blocks = Blocks.of(ring, e)
        ranks = ranks_of_blocks(blocks)
        values.append(int(ranks.sum()))
        short = ranks < blocks.sizes
        errors += [missed(size, e * ring.expansion.degree, DEFAULT_PRIME) for size in blocks.sizes[short].tolist()]
    return summary(ring, values, sum(errors))


def summary(ring: CoordinateRing, values: list[int], error: float) -> HilbertFunction:
    """Return a Hilbert function with what it is worth."""
    monomials = tuple(math.comb(ring.size + e - 1, e) for e in range(len(values)))
    proven = not error
    status = "proven" if proven else "probable"
    return HilbertFunction(
        ring.arch,
        tuple(values),
        monomials,
        status,
        None if proven else min(1.0, error),
        ring.homogeneous,
        ring.projective,
        ring.coordinates,
    )


@verbs.summarize.method
def summary_of_hilbert_function(found: HilbertFunction) -> Summary:
    numbers = zip(found.values, found.monomials, found.equations, strict=True)
    texts = (f"{one:,} = {two:,} monomials - {three:,} equations" for one, two, three in numbers)
    rows: Rows = [(f"degree {degree}", text) for degree, text in enumerate(texts)]
    rows.append(("network", f"{found.arch}"))
    if found.error is not None:
        rows.append(("error", f"at most {found.error:.2g}"))
    return Summary("Hilbert function", rows, Worth(found.status))
