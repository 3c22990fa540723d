"""Free cumulants, free multiplicative convolution and R-diagonal elements, as arithmetic of sequences.

A sequence holds the entries of order 1, 2, ...: the moments of a law, its free cumulants, or the determining sequence
of an R-diagonal element. The entries may be of any commutative ring (int, float, `fractions.Fraction`,
polynomials of python-flint, sympy expressions); where one divides, it is said.

Source: A. Nica and R. Speicher, Lectures on the Combinatorics of Free Probability, Cambridge 2006, cited as NS.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from algatt.errors import InvalidArgument


def shifted_product(one: Sequence[Any], two: Sequence[Any], order: int) -> list[Any]:
    """Return the coefficients 0, ..., order of the product of two power series, which are given by theirs."""
    return [sum(one[i] * two[k - i] for i in range(k + 1)) for k in range(order + 1)]


def exact(sequence: Sequence[Any]) -> list[Any]:
    """Return a sequence with Python's integers in place of numpy's, which overflow."""
    return [int(entry) if isinstance(entry, np.integer) else entry for entry in sequence]


def next_coefficients(table: list[list[Any]], series: Sequence[Any]) -> list[Any]:
    """Return the coefficients of :math:`z^k` in the powers 0, 1, ... of a series, where ``table[i]`` has those of
    :math:`z^i` for i < k.
    """
    k, column = len(table), [0]
    for s in range(1, len(table[0])):
        column.append(column[s - 1] * series[0] + sum(table[i][s - 1] * series[k - i] for i in range(k)))
    return column


def moments_of_cumulants(cumulants: Sequence[Any]) -> tuple[Any, ...]:
    r"""Return the moments of the law with given free cumulants.

    :math:`m_q = \sum_{s=1}^{q} \kappa_s \, [z^{q-s}] M(z)^s` with :math:`M(z) = 1 + \sum_q m_q z^q` (NS Theorem 10.23).
    Exact in the ring of the entries; sums of products of nonnegative floats are not rounded beyond a few units of the
    last place. Cost: O(order^3) products.

    Parameters
    ----------
    cumulants : sequence
        :math:`\kappa_1, \kappa_2, \dots`

    Returns
    -------
    tuple
        :math:`m_1, m_2, \dots`, as many.

    Examples
    --------
    >>> from algatt.spectra import moments_of_cumulants
    >>> moments_of_cumulants([1, 1, 1, 1])  # Catalan numbers: the Marchenko-Pastur law of ratio 1
    (1, 2, 5, 14)
    """
    cumulants = exact(cumulants)
    order = len(cumulants)
    series: list[Any] = [1]
    table = [[1] * (order + 1)]
    for q in range(1, order + 1):
        series.append(sum(cumulants[s - 1] * table[q - s][s] for s in range(1, q + 1)))
        table.append(next_coefficients(table, series))
    return tuple(series[1:])


def cumulants_of_moments(moments: Sequence[Any]) -> tuple[Any, ...]:
    r"""Return the free cumulants of the law with given moments; the inverse of `moments_of_cumulants`.

    :math:`\kappa_q = m_q - \sum_{s<q} \kappa_s \, [z^{q-s}] M(z)^s`. Exact in the ring of the entries; floats cancel,
    and lose about a digit for each order.

    Examples
    --------
    >>> from algatt.spectra import cumulants_of_moments
    >>> cumulants_of_moments([0, 1, 0, 2, 0, 5])  # the semicircle law
    (0, 1, 0, 0, 0, 0)
    """
    order = len(moments)
    series = [1, *exact(moments)]
    table = [[1] * (order + 1)]
    for _ in range(order):
        table.append(next_coefficients(table, series))
    cumulants: list[Any] = []
    for q in range(1, order + 1):
        cumulants.append(series[q] - sum(cumulants[s - 1] * table[q - s][s] for s in range(1, q)))
    return tuple(cumulants)


def inverse_series(coefficients: Sequence[Any]) -> list[Any]:
    """Return the coefficients of orders 1, 2, ... of the compositional inverse of a power series without
    constant term.
    """
    first, order = coefficients[0], len(coefficients)
    inverse: list[Any] = []
    for q in range(1, order + 1):
        known = [0, *inverse, *[0] * (order - len(inverse))]
        power, total = known, 0
        for s in range(2, q + 1):
            power = shifted_product(power, known, order)
            total = total + coefficients[s - 1] * power[q]
        inverse.append(((1 if q == 1 else 0) - total) / first)
    return inverse


def divisible(moments: Sequence[Any]) -> list[Any]:
    """Return moments with fractions in place of integers, which Python would divide as floats."""
    return [Fraction(moment) if isinstance(moment, int) else moment for moment in exact(moments)]


def s_transform(moments: Sequence[Any]) -> list[Any]:
    r"""Return the coefficients 0, 1, ... of the S-transform :math:`S(z) = \frac{1+z}{z} \chi(z)`, chi the inverse of
    the series of the moments.
    """
    chi = inverse_series(moments)
    return [chi[0], *(chi[k] + chi[k - 1] for k in range(1, len(chi)))]


def free_multiplicative_convolution(one: Sequence[Any], two: Sequence[Any]) -> tuple[Any, ...]:
    r"""Return the moments of the free multiplicative convolution of two laws from their moments.

    It is the law of :math:`a^{1/2} b \, a^{1/2}` with a and b free: S-transforms are multiplied (NS Theorem 18.14).
    Divides by the first moments; integers become fractions.

    Parameters
    ----------
    one, two : sequence
        Moments of orders 1, 2, ..., equally many; the first ones are invertible.

    Returns
    -------
    tuple
        As many moments.

    Raises
    ------
    InvalidArgument
        If the lengths differ, or a first moment is zero.

    Examples
    --------
    Marchenko-Pastur twice is the Fuss-Catalan law of order 2:

    >>> from algatt.spectra import free_multiplicative_convolution
    >>> print(*free_multiplicative_convolution((1, 2, 5, 14), (1, 2, 5, 14)))
    1 3 12 55
    """
    check_lengths(one, two)
    for name, moments in (("one", one), ("two", two)):
        if len(moments) and moments[0] == 0:
            raise InvalidArgument(name, "with the first moment 0", "with a first moment that is not 0")
    if not len(one):
        return ()
    product = shifted_product(s_transform(divisible(one)), s_transform(divisible(two)), len(one) - 1)
    chi = [product[0]]  # S(z) z = chi(z) (1 + z), solved for chi from its lowest coefficient on
    for entry in product[1:]:
        chi.append(entry - chi[-1])
    return tuple(inverse_series(chi))


def free_additive_convolution(one: Sequence[Any], two: Sequence[Any]) -> tuple[Any, ...]:
    r"""Return the moments of the free additive convolution of two laws from their moments.

    It is the law of a + b with a and b free and self-adjoint, whose free cumulants add up (NS Proposition 12.3).

    Singular values of sums are not so simple: determining sequences add up, see `moments_of_r_diagonal`.

    Parameters
    ----------
    one, two : sequence
        Moments of orders 1, 2, ..., equally many.

    Returns
    -------
    tuple
        As many moments.

    Raises
    ------
    InvalidArgument
        If the lengths differ.

    Examples
    --------
    Two signs make an arcsine law:

    >>> from algatt.spectra import free_additive_convolution
    >>> free_additive_convolution((0, 1, 0, 1), (0, 1, 0, 1))
    (0, 2, 0, 6)
    """
    check_lengths(one, two)
    cumulants = (cumulants_of_moments(moments) for moments in (one, two))
    return moments_of_cumulants([a + b for a, b in zip(*cumulants, strict=True)])


def check_lengths(one: Sequence[Any], two: Sequence[Any]) -> None:
    """Raise `InvalidArgument` unless there are equally many moments."""
    if len(one) != len(two):
        raise InvalidArgument("two", f"of length {len(two)}", f"of length {len(one)}, that of one")


def moments_of_r_diagonal(determining: Sequence[Any]) -> tuple[Any, ...]:
    r"""Return the moments of :math:`a a^*` for an R-diagonal element a of a tracial algebra.

    Its determining sequence :math:`\alpha_q = \kappa_{2q}(a, a^*, \dots, a, a^*)` is to the free cumulants of
    :math:`a a^*` as free cumulants are to moments (NS Proposition 15.6). Determining sequences of free elements add up.

    Examples
    --------
    A circular element of variance 1, whose square is Marchenko-Pastur, and the sum of two free ones of variance 1/2:

    >>> from algatt.spectra import moments_of_r_diagonal
    >>> moments_of_r_diagonal([1, 0, 0, 0])
    (1, 2, 5, 14)
    """
    return moments_of_cumulants(moments_of_cumulants(determining))
