"""Relations between polynomials: from kernels modulo primes to the rationals, verified there."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from algatt.errors import NoSolution
from algatt.geometry.implicit.expansion import PRIME

EXTRA = 5
"""Number of random points beyond the number of unknowns of a relation."""

MOST_PRIMES = 64
"""Maximum number of primes from which rational numbers are put together."""


def primes() -> Iterator[int]:
    """Iterate over primes below 2^31, the largest first."""
    import flint

    candidate = PRIME
    for _ in range(MOST_PRIMES):
        yield candidate
        candidate -= 2
        while not flint.fmpz(candidate).is_prime():
            candidate -= 2


def missed(count: int, degree: int, p: int) -> float:
    """Bound the probability that `count` polynomials of a degree have a lower rank at ``count + EXTRA`` random points
    modulo p than they have modulo p.

    A point raises the rank unless it is a zero of one polynomial that is not zero, which has a probability of at most
    degree / p (Schwartz-Zippel); the rank is missed if more than `EXTRA` points do not raise it.
    """
    return min(1.0, math.comb(count + EXTRA, EXTRA + 1) * (degree / p) ** (EXTRA + 1))


def fraction_of(residue: int, modulus: int) -> tuple[int, int] | None:
    """Return the fraction with numerator and denominator below sqrt(modulus / 2) that has a residue; None if none has.

    There is at most one (Wang 1981).
    """
    bound = math.isqrt(modulus // 2)
    (r, s), (t, u) = (modulus, residue % modulus), (0, 1)
    while s > bound:
        quotient = r // s
        r, s = s, r - quotient * s
        t, u = u, t - quotient * u
    if not u or abs(u) > bound or math.gcd(s, u) != 1:
        return None
    return (s, u) if u > 0 else (-s, -u)


def lift(kernels: Iterable[tuple[int, np.ndarray]], accepts: Callable[[list[list[int]]], bool]) -> list[list[int]]:
    """Return integer vectors whose residues are the columns of kernels modulo several primes, and which are accepted.

    Parameters
    ----------
    kernels : iterable of (prime, array)
        Bases in echelon form: the same rational basis, modulo each prime.
    accepts : callable
        Says whether the vectors are what is looked for.

    Raises
    ------
    NoSolution
        If none are accepted: where one more prime does not change the vectors, or no prime is left.
    """
    modulus, residues = 1, np.zeros((0, 0), dtype=object)
    before: list[list[int]] | None = None
    for p, kernel in kernels:
        new = kernel.astype(np.int64).astype(object)
        if modulus == 1:
            modulus, residues = p, new
        elif new.shape == residues.shape:
            step = (new - residues) * pow(modulus, -1, p) % p
            modulus, residues = modulus * p, residues + modulus * step
        vectors = [whole_vector(column, modulus) for column in residues.T]
        if all(vector is not None for vector in vectors):
            found = [vector for vector in vectors if vector is not None]
            if accepts(found):
                return found
            if found == before:
                break
            before = found
    raise NoSolution("the relations modulo primes are not those of rational numbers")


def whole_vector(column: Iterable[int], modulus: int) -> list[int] | None:
    """Return the multiple of a rational vector whose entries are integers without a common divisor."""
    fractions = [fraction_of(entry, modulus) if entry else (0, 1) for entry in column]
    denominator = 1
    for one in fractions:
        if one is None:
            return None
        denominator = math.lcm(denominator, one[1])
    entries = [one[0] * (denominator // one[1]) for one in fractions if one is not None]
    return [entry // math.gcd(*entries) for entry in entries]
