"""The function of a network as the vector of its coefficients."""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import NetworkLike, as_architecture, check_fits
from algatt.architectures.network import degree as degree_of
from algatt.arguments import check_over
from algatt.errors import InvalidArgument, UndefinedFunction
from algatt.fields import Elements, Field, Polynomials, PrimeField, Rationals, Reals
from algatt.geometry.implicit.existence import check_rational
from algatt.geometry.implicit.expansion import expand
from algatt.geometry.implicit.monomials import EntryMonomial, generic_inputs, monomial, place, unknown_shape
from algatt.maps.existence import over
from algatt.parameters import Parameters, Weights
from algatt.verbs.views import Summarized

PRIME = 2**61 - 1
"""Prime of the random weights at which the monomials of a network are found."""


@dataclass(frozen=True, eq=False, repr=False)
class Coefficients(Summarized):
    """The function of a network as a vector.

    Parameters
    ----------
    arch : Architecture
        The network.
    basis : tuple of Monomial
        The monomials whose coefficients are not zero for all weights: it depends on the network alone.
    vector : array
        The coefficient of each: a galois array over GF(p), an array of `flint.fmpq` over the rationals, float64 over
        the reals.
    field : Field
        The field of the weights.
    """

    arch: Architecture
    basis: tuple[EntryMonomial, ...]
    vector: Any
    field: Field

    @property
    def status(self) -> str:
        """What the vector is worth: ``proven``; ``numerical`` over the reals, where each entry is rounded once."""
        return self.field.status

    def __str__(self) -> str:
        shown = [f"{one} {value}" for one, value in zip(self.basis, self.vector, strict=True) if value != 0]
        return "\n".join(shown) or "0"


def coefficients(arch: NetworkLike, theta: Parameters) -> Coefficients:
    """Return the function of a rational network as the vector of its coefficients in a basis of monomials.

    Where every entry of the value is a polynomial in the entries of the input, the network is evaluated over these
    polynomials (`algatt.fields.Polynomials`). Where entries are quotients, the vector has the coefficients of their
    common denominator and of the numerators over it, in lowest terms at generic weights, divided by the first one of
    the denominator that is not zero: for other weights they may have a factor in common. Where tokens are read, the
    coordinates are the values at all sequences of tokens. For one lightning layer the coefficients of the monomials in
    which two tokens occur are those of HMK Equation 12. Exact over GF(p) and the rationals. Floats are taken for
    exactly what they are, and the result is rounded once. Cost: an evaluation of the network with polynomials for
    numbers, and another at random weights the first time; for quotients, one with weights for unknowns, too.

    Parameters
    ----------
    arch : Architecture
        A network whose values are rational functions of its weights, and of vectors that it reads.
    theta : Parameters
        Its weights, over a PrimeField, Rationals() or Reals().

    Raises
    ------
    InvalidArgument
        For other networks and fields, and where the polynomials have too many terms.
    UndefinedFunction
        If a denominator is zero at every input.

    Examples
    --------
    >>> import algatt
    >>> arch = algatt.Lightning(dims=(1, 1), ranks=(1,), tokens=2)
    >>> theta = algatt.Weights.of([([[2]], [[3]], [[5]])], field=algatt.PrimeField(31))
    >>> print(algatt.coefficients(arch, theta))
    y_1_1: x_1_1^3 30
    y_1_1: x_1_1*x_1_2^2 30
    y_1_2: x_1_1^2*x_1_2 30
    y_1_2: x_1_2^3 30
    """
    arch = as_architecture(arch)
    check_rational(arch)
    check_fits(arch, theta)
    check_over("theta", theta.field, PrimeField | Rationals | Reals, "over a PrimeField, Rationals() or Reals()")
    terms = terms_at(arch, theta) if arch.polynomial else quotients_at(arch, theta)
    known = basis_of(arch) if arch.polynomial else terms
    basis = tuple(sorted({*known, *terms}, key=place))
    return Coefficients(arch, basis, as_public(theta.field, [terms.get(one, 0) for one in basis]), theta.field)


def quotients_at(arch: Architecture, theta: Parameters) -> dict[EntryMonomial, Any]:
    """Return the coefficients of numerators and denominator at a point, the first one of the denominator that is not
    zero being one; that of a denominator that does not depend on the input is left out.
    """
    verbs.has_function(arch, theta).check("theta")
    expansion = expand(arch)
    values = expansion.at(theta)
    scale = next((value for value in values[: expansion.denominators] if value), None)
    if scale is None:
        was = "weights at which the common denominator of the values is zero"
        raise UndefinedFunction("theta", was, "weights with a value at some input")
    start, p = 0 if expansion.projective else 1, theta.field.characteristic
    found = [value * pow(scale, -1, p) % p if p else value / scale for value in values[start:]]
    return dict(zip(expansion.basis[start:], found, strict=True))


def terms_at(arch: Architecture, theta: Parameters) -> dict[EntryMonomial, Any]:
    """Return the coefficients of the function at a point that are not zero."""
    field = Polynomials(max(1, math.prod(unknown_shape(arch))), theta.field.characteristic)
    sequences, inputs = generic_inputs(arch, field, 0)
    values = verbs.evaluate(arch, over(field, theta), inputs).raw
    return {
        monomial(arch, row, column, tuple(exponents), tokens): coefficient
        for tokens, value in zip(sequences, values, strict=True)
        for row, column in itertools.product(*map(range, value.shape))
        for exponents, coefficient in value[row, column].terms()
    }


@functools.lru_cache(maxsize=64)
def basis_of(arch: Architecture) -> tuple[EntryMonomial, ...]:
    """Return the monomials of a network, sorted: those of its function at random weights modulo 2^61 - 1.

    A coefficient is a polynomial of degree at most D in the weights, so each one that is not zero modulo the prime is
    missed with a probability of at most D / (2^61 - 1).
    """
    degree = degree_of(arch)
    if degree.inputs * degree.weights >= 2**20:
        was = f"{arch}, of degree {degree.inputs} in the inputs and {degree.weights} in the weights"
        raise InvalidArgument("arch", was, "a network of lower degree")
    theta = verbs.sample(arch, Weights, field=PrimeField(PRIME), seed=0)
    return tuple(sorted(terms_at(arch, theta), key=place))


def as_public(field: Field, values: list[Any]) -> Any:
    """Return exact numbers as a public array over the field of the weights."""
    entries = np.empty(len(values), dtype=object)
    if isinstance(field, Reals):
        return np.array(
            [float(Fraction(int(value.p), int(value.q)) if value else 0) for value in values], dtype=np.float64
        )
    entries[:] = [int(value) for value in values] if field.characteristic else values
    return Elements.of(field, entries).public()
