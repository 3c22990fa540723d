"""Polynomials over the rationals or a prime field, as numbers: a network evaluated over them is multiplied out."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import DivisionByZero, InvalidArgument
from algatt.fields.base import Field
from algatt.fields.prime import residue
from algatt.fields.scalar import ScalarField, rational

MOST_PRODUCTS = 2**26
"""Maximum number of products of terms in one product of arrays of polynomials."""


@dataclass(frozen=True)
class Polynomials(ScalarField):
    """The ring of polynomials in `variables` unknowns over Q, or over GF(p): FLINT's sparse multivariate polynomials.

    Parameters
    ----------
    variables : int
        The number of unknowns, which are called v0, v1, ...
    p : int, optional
        A prime below 2^63; 0 for the rationals.

    Raises
    ------
    InvalidArgument
        Where a product of two arrays has more than 2^26 products of terms, before it is computed.
    """

    variables: int
    p: int = 0

    @classmethod
    def examples(cls) -> Iterable[Field]:
        return ()

    @property
    def characteristic(self) -> int:
        return self.p

    @property
    def context(self) -> Any:
        """FLINT's ring, in lexicographic order."""
        return ring(self.variables, self.p)

    @property
    def scalar(self) -> Callable[[Any], Any]:
        context, p = self.context, self.p
        kind = type(context.constant(0))

        def element(entry: Any) -> Any:
            if isinstance(entry, kind):
                return entry
            if p:
                return context.constant(residue(Fraction(entry), p))
            return context.constant(rational(entry))

        return element

    @property
    def drawn(self) -> int:
        """The number of constants among which a random one is chosen."""
        return self.p or 2**64

    def unknowns(self, shape: tuple[int, ...], start: int = 0) -> np.ndarray:
        """Return a raw array of different unknowns, number `start` and those after it, row by row."""
        count = int(np.prod(shape, dtype=np.int64))
        raw = np.empty(count, dtype=object)
        raw[:] = [self.context.gen(start + number) for number in range(count)]
        return raw.reshape(shape)

    def __str__(self) -> str:
        return f"polynomials over {f'GF({self.p})' if self.p else 'QQ'} in {self.variables} unknowns"


@functools.lru_cache(maxsize=64)
def ring(variables: int, p: int) -> Any:
    """Return FLINT's ring of polynomials."""
    import flint

    names = [f"v{number}" for number in range(variables)]
    if p:
        return flint.nmod_mpoly_ctx.get(names, modulus=p, ordering="lex")
    return flint.fmpq_mpoly_ctx.get(names, ordering="lex")


def check_products(times: Callable[[np.ndarray, np.ndarray], np.ndarray], left: np.ndarray, right: np.ndarray) -> None:
    """Raise `InvalidArgument` where a product of two raw arrays, of entries or of matrices, would be too large."""
    check_size(int(times(lengths(left), lengths(right)).sum()))


def lengths(raw: np.ndarray) -> np.ndarray:
    """Return the numbers of terms of the entries."""
    return np.fromiter(map(len, raw.flat), dtype=np.float64, count=raw.size).reshape(raw.shape)


def check_size(products: int) -> None:
    """Raise `InvalidArgument` if products of terms are too many to be made."""
    if products > MOST_PRODUCTS:
        was = f"a network of which a product of polynomials has {products:,} products of terms"
        raise InvalidArgument("arch", was, f"a smaller one, with at most {MOST_PRODUCTS:,} in each")


@verbs.multiply.method
def multiply_polynomials(field: Polynomials, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    check_products(np.multiply, left, right)
    return np.asarray(left * right, dtype=object)


@verbs.reciprocal.method
def reciprocal_of_constants(field: Polynomials, raw: np.ndarray) -> np.ndarray:
    if not all(entry.is_constant() and not entry.is_zero() for entry in raw.flat):
        raise DivisionByZero("a denominator is zero, or no constant, and its reciprocal is no polynomial")
    one, result = field.context.constant(1), np.empty(raw.size, dtype=object)
    result[:] = [one / entry for entry in raw.flat]
    return result.reshape(raw.shape)
