"""The degree of the closure of a neuromanifold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import NetworkLike, as_architecture
from algatt.arguments import whole
from algatt.display import Rows, Summary, Worth
from algatt.errors import DegreeUndecided, InvalidArgument
from algatt.geometry.degrees.modular import degree_modulo_prime
from algatt.geometry.degrees.monodromy import section_by_monodromy
from algatt.geometry.degrees.single_layer import degree_of_single_layer
from algatt.geometry.dimensions.dimension import dimension as dimension_of
from algatt.geometry.implicit.coordinate_ring import CoordinateRing, coordinate_ring
from algatt.geometry.implicit.equations import equations
from algatt.geometry.implicit.existence import check_polynomial
from algatt.geometry.implicit.expansion import Expansion
from algatt.plain import written
from algatt.randomness import check_seed
from algatt.verbs.views import Summarized

METHODS = ("auto", "formula", "equations", "monodromy", "singular")

POINTS = 4096
"""Default of the largest number of points that are followed."""

PRODUCTS = 20_000
"""Largest number of products of coordinates among which `auto` looks for the equation of a hypersurface."""


@dataclass(frozen=True, repr=False)
class ClosureDegree(Summarized):
    """The degree of the closure of a neuromanifold.

    Parameters
    ----------
    arch : Architecture
        The network.
    value : int
        The degree.
    status : str
        ``proven``, ``probable`` or ``numerical``.
    dimension : int
        That of the neuromanifold.
    ambient : int
        The dimension of the span in which it lies (see `algatt.span`), as an affine space.
    method : str
        ``span`` where the closure is its span, ``formula``, ``equations``, ``monodromy`` or ``singular``.
    error : float or None
        For probable values: a bound on the probability that it is wrong; None by ``singular``, for which none is known.
    residual : float or None
        For numerical values: the residual of the trace test, relative to the size of the points.
    """

    arch: Architecture
    value: int
    status: str
    dimension: int
    ambient: int
    method: str
    error: float | None = None
    residual: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the result as plain values, as the command prints it."""
        return {"degree": self.value, **written(self, "status dimension ambient method error residual")}

    def __str__(self) -> str:
        return f"{self.value} ({self.status})"


def degree_of_closure(arch: NetworkLike, *, seed: int = 0, method: str = "auto", points: int = POINTS) -> ClosureDegree:
    r"""Return the degree of the closure of the neuromanifold in the span of its coefficients.

    It is the number of points that the closure X, of dimension D, has in common with a generic affine linear space of
    codimension D: the degree of the closure of X in projective space, which for a cone is that of the projective
    variety of its lines.

    - ``formula``: for one lightning layer on at least two tokens, ``proven``: the functions are a linear projection of
      all V times all A of rank at most a.
    - ``equations``: the closure of a hypersurface is the zero set of one polynomial, the only equation of lowest
      degree. The degree is proven where `algatt.equations` proves that this polynomial is an equation and that no
      polynomial of lower degree is. Where D is the dimension of the span, the degree is 1.
    - ``monodromy``: over the complex numbers, from one point of a random section along loops of sections, until the
      trace test holds (Sommese, Verschelde and Wampler, SIAM J. Numer. Anal. 40, 2002): ``numerical``.
    - ``singular``: the number of solutions of a random section, in weights of which some are fixed, over the number of
      those with one function, by two Groebner bases modulo 32003, which Singular computes: ``probable``. It is the
      degree for all sections and fixed weights outside a closed set, and for all but finitely many primes. The size of
      these exceptions is not known, so there is no error bound. Another seed is an independent count.
    - ``auto``: the formula where there is one; else monodromy, and equations for hypersurfaces with at most 20,000
      products of coordinates of this degree.

    Cost of monodromy: for each point and each of about 10 loops some 100 to 1000 evaluations of the Jacobian. That of
    Groebner bases has no useful bound: with 10 free weights and 756 points Singular takes three minutes.

    Parameters
    ----------
    arch : Architecture
        A network whose values are polynomials in its weights, and in vectors that it reads.
    seed : int, optional
        Names the random section and loops.
    method : str, optional
        One of these.
    points : int, optional
        The largest number of points that are followed by monodromy.

    Raises
    ------
    InvalidArgument
        For other networks and methods, for ``formula`` unless there is one, and for ``equations`` unless the closure
        has codimension 0 or 1.
    DegreeUndecided
        If there are more points, the dimension is not proven, the trace test does not hold after 60 loops, or a random
        section modulo the prime is no good one.
    MissingProgram
        For ``singular`` if Singular is not installed.
    NotEnoughMemory
        If the products of coordinates or the table of the coefficients do not fit, before they are made.

    Examples
    --------
    >>> import algatt
    >>> found = algatt.degree_of_closure(algatt.Lightning(dims=(2, 1), ranks=(2,), tokens=2))
    >>> found.value, found.status, found.dimension, found.ambient
    (4, 'proven', 5, 6)
    """
    if method not in METHODS:
        raise InvalidArgument("method", repr(method), f"one of {', '.join(METHODS)}")
    arch = as_architecture(arch)
    check_polynomial(arch)
    seed, points = check_seed(seed), whole("points", points)
    if method in ("auto", "formula") and (known := degree_of_single_layer(arch)):
        value, dimension, ambient = known
        return ClosureDegree(arch, value, "proven", dimension, ambient, "formula")
    if method == "formula":
        raise InvalidArgument("method", f"'formula' for {arch}", "another, unless the network is one lightning layer")
    ring = coordinate_ring(arch)
    expansion = affine_coordinates(ring)
    ambient = len(expansion.polynomials)
    dimension = proven_dimension(ring, seed)
    if dimension == ambient:
        status, error = ("proven", None) if ring.proven else ("probable", ring.error)
        return ClosureDegree(arch, 1, status, dimension, ambient, "span", error)
    if method == "equations":
        return of_hypersurface(ring, dimension, ambient)
    if method == "singular":
        return ClosureDegree(
            arch, degree_modulo_prime(expansion, dimension, seed), "probable", dimension, ambient, "singular"
        )
    value, residual = section_by_monodromy(expansion, dimension, seed, points)
    if method == "auto" and dimension == ambient - 1 and math.comb(ring.size + value - 1, value) <= PRODUCTS:
        proof = of_hypersurface(ring, dimension, ambient, value)
        if proof.value == value:
            return proof
    return ClosureDegree(arch, value, "numerical", dimension, ambient, "monodromy", residual=residual)


def proven_dimension(ring: CoordinateRing, seed: int) -> int:
    """Return the dimension of the neuromanifold; raise `DegreeUndecided` unless it is proven, as a section of another
    dimension has no points or infinitely many.

    Where it is at least that of the span less one, a proven equation shows that it is no more.
    """
    report = dimension_of(ring.arch, seed=seed)
    if report.status != "proven":
        largest = len(affine_coordinates(ring).polynomials) - 1
        degree = 2 if ring.proven and report.lower == largest else PRODUCTS
        while math.comb(ring.size + degree - 1, degree) <= PRODUCTS:
            if any(one.status == "proven" for one in equations(ring.arch, degree).generators):
                return largest
            degree += 1
        between = f"the dimension is between {report.lower} and {report.upper}"
        raise DegreeUndecided(between, 0, math.inf)
    return report.value


def affine_coordinates(ring: CoordinateRing) -> Expansion:
    """Return independent coefficients, without the constant 1."""
    return ring.expansion.part(range(0 if ring.homogeneous else 1, ring.size))


def of_hypersurface(ring: CoordinateRing, dimension: int, ambient: int, degree: int = 0) -> ClosureDegree:
    """Return the degree of a hypersurface from its equation, which is looked for at this degree, or at all."""
    if dimension != ambient - 1:
        was = f"'equations' for a closure of dimension {dimension} in a span of dimension {ambient}"
        raise InvalidArgument("method", was, "'monodromy', unless the codimension is 1")
    degree = degree or 1
    while not (found := equations(ring.arch, degree)).generators:
        degree += 1
    value = found.generators[0].degree
    return ClosureDegree(ring.arch, value, found.status, dimension, ambient, "equations", found.error)


@verbs.summarize.method
def summary_of_degree(found: ClosureDegree) -> Summary:
    rows: Rows = [
        ("network", f"{found.arch}"),
        ("dimension", f"{found.dimension}, in a span of dimension {found.ambient}"),
    ]
    rows.append(("method", found.method))
    if found.residual is not None:
        rows.append(("residual", f"{found.residual:.1e}"))
    return Summary(f"degree {found.value}", rows, Worth(found.status))
