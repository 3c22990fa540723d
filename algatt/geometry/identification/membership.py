r"""Whether a polynomial map is a function of a network, in the closure of these, or not, from its coefficients.

An equation of the closure that does not hold shows that the map is not in it. Weights that have the coefficients show
that it is a function of the network. Where the span is the closure, or the closure is a hypersurface whose equation is
known, a map that satisfies all equations is in the closure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from algatt.architectures import Architecture, unflatten
from algatt.errors import InvalidArgument
from algatt.fields import Rationals
from algatt.geometry.dimensions.dimension import dimension as dimension_of
from algatt.geometry.identification.complex_weights import has_complex_weights
from algatt.geometry.identification.identification import Identification
from algatt.geometry.identification.polynomial_maps import PolynomialMap, terms_of_map
from algatt.geometry.identification.rational_weights import RationalWeights
from algatt.geometry.identification.violation import Terms, Violation, violation
from algatt.geometry.implicit.coefficients import coefficients
from algatt.geometry.implicit.coordinate_ring import CoordinateRing, coordinate_ring
from algatt.geometry.implicit.equations import equations
from algatt.geometry.implicit.existence import check_polynomial
from algatt.geometry.implicit.expansion import Expansion, distinct, expand, exponents_of, integer_kernel
from algatt.geometry.implicit.monomials import DENOMINATOR, EntryMonomial
from algatt.geometry.implicit.substitution import PROVEN
from algatt.memory import check_memory
from algatt.parameters import Weights

PRODUCTS = 20_000
"""Largest number of products of coordinates among which equations are looked for."""


def member_of(function: PolynomialMap, arch: Architecture, *, degree: int, groebner: bool, seed: int) -> Identification:
    """Return weights of a polynomial network whose function is a polynomial map, or why there are none.

    Parameters
    ----------
    function : Coefficients or mapping
        The map, see `terms_of_map`.
    arch : Architecture
        The network.
    degree : int
        The largest degree of equations that are looked for.
    groebner : bool
        Whether it is asked for a proof that there are no complex weights, where none were found.
    seed : int
        Names random weights.
    """
    check_polynomial(arch)
    if arch.vocabulary is not None:
        raise InvalidArgument("arch", f"{arch}, which reads tokens", "a network that reads vectors")
    values = terms_of_map(function, arch)
    basis, relations = expand(arch).basis, linear_relations(expand(arch))
    absent: list[Terms] = [(((one,), 1),) for one in values if one not in basis]
    broken = next((found for one in (*absent, *relations) if (found := violation(one, values, PROVEN))), None)
    if broken is not None:
        return outside(broken)
    ring = coordinate_ring(arch)
    affine = ring.expansion.part(range(0 if ring.homogeneous else 1, ring.size))
    wanted = [values.get(one, Fraction(0)) for one in affine.basis]
    report = dimension_of(arch, seed=seed)
    search = RationalWeights(affine, wanted)
    exact = search.find(report.value, seed)
    if exact is not None:
        theta = rational(arch, exact)
        if terms_of_map(coefficients(arch, theta), arch) == values:
            reason = "rational weights have exactly these coefficients"
            return Identification(theta, (), "proven", None, None, 0, reason, in_closure=True)
    is_span = ring.proven and len(relations) + len(wanted) + 1 == len(basis)  # the 1 is the constant
    codimension = len(wanted) - report.lower if is_span and report.lower is not None else math.inf
    complete = codimension == 0
    reason = "the closure is the whole span of the functions"
    if not complete:
        broken, complete, reason = compare_with_equations(ring, values, degree, codimension == 1)
        if broken is not None:
            return outside(broken)
    if search.near is not None:
        reason = f"real weights have these coefficients up to rounding, and no rational ones were found; {reason}"
        theta = unflatten(arch, Weights, search.near)
        return Identification(theta, (), "numerical", None, search.residual, 0, reason, in_closure=complete or None)
    if groebner and not has_complex_weights(affine, wanted):
        reason = f"no complex weights have these coefficients, by a Groebner basis over Q; {reason}"
        return Identification(None, (), "proven", None, None, 0, reason, in_closure=complete or None)
    reason = f"{'complex weights have these coefficients' if groebner else 'no weights were found'}; {reason}"
    return Identification(None, (), "undecided", None, None, 0, reason, in_closure=complete or None)


def outside(broken: Violation) -> Identification:
    """Return the answer for a map that violates an equation."""
    reason = f"an equation of the closure does not hold: {broken}"
    return Identification(None, (), broken.status, None, None, 0, reason, in_closure=False, violation=broken)


def rational(arch: Architecture, weights: list[Fraction]) -> Weights:
    """Return rational numbers as weights."""
    import flint

    numbers = np.array([flint.fmpq(one.numerator, one.denominator) for one in weights], dtype=object)
    return unflatten(arch, Weights, numbers, field=Rationals())


def linear_relations(expansion: Expansion) -> list[Terms]:
    """Return independent linear equations that the coefficients of all functions of a network satisfy."""
    count, variables = len(expansion.basis), expansion.arch.parameters
    exponents = [exponents_of(one, variables) for one in expansion.polynomials]
    known, which = distinct(np.concatenate(exponents))
    check_memory(8.0 * count * len(known), f"the table of {count:,} coefficients in {len(known):,} products of weights")
    numbers = [Fraction(int(c.p), int(c.q)) for one in expansion.polynomials for c in one.coeffs()]
    scale = math.lcm(*(number.denominator for number in numbers))
    table = np.zeros((len(known), count), dtype=np.int64)
    table[which, np.repeat(np.arange(count), [len(one) for one in exponents])] = [int(scale * one) for one in numbers]
    factors: list[tuple[EntryMonomial, ...]] = [() if one.row == DENOMINATOR else (one,) for one in expansion.basis]
    return [
        tuple((factor, number) for factor, number in zip(factors, relation, strict=True) if number)
        for relation in integer_kernel(table, count).T.tolist()
    ]


def compare_with_equations(
    ring: CoordinateRing, values: Mapping[EntryMonomial, Fraction], degree: int, hypersurface: bool
) -> tuple[Violation | None, bool, str]:
    """Return an equation that a map violates, or whether one that it satisfies is known to be the only one; and the
    evidence in words.
    """
    done = 1
    while done < degree and math.comb(ring.size + done, done + 1) <= PRODUCTS:
        done += 1
        found = equations(ring.arch, done).generators
        for one in found:
            terms = tuple((tuple(ring.coordinates[place - 1] for place in places), n) for places, n in one.terms)
            if broken := violation(terms, values, one.status):
                return broken, False, ""
        if hypersurface and found and found[0].status == PROVEN:
            return None, True, "the map satisfies the only equation of the closure"
    return None, False, f"the map satisfies all equations of the closure up to degree {done}"
