r"""What is lost when the exponential of a score is replaced by a polynomial of it, in the mean square."""

from __future__ import annotations

from math import exp, lgamma, log
from typing import Literal

from algatt.errors import InvalidArgument
from algatt.spectra.ensembles import checked_degree
from algatt.spectra.laws import checked_number

LARGEST_BETA = 8.0
"""Beyond, the terms of the exponential overflow."""


def linearization_error(beta: float, degree: int, *, expansion: Literal["taylor", "hermite"] = "taylor") -> float:
    r"""Return the mean square of :math:`e^{\beta x - \beta^2 / 2} - Q(x)` for x of the law N(0, 1), where Q are the
    terms of the exponential up to a degree: those of Taylor, :math:`e^{-\beta^2/2} (\beta x)^k / k!`, or of Hermite,
    :math:`\beta^k He_k(x) / k!` (derived).

    By Hoffman and Wielandt the singular values of two l x l matrices differ by at most the Frobenius norm of their
    difference, in the root of the sum of squares. So this number bounds, in the limit of many tokens, the mean square
    of the differences between the singular values of :math:`f(S) / \sqrt l` and :math:`Q(S) / \sqrt l`, in order. The
    terms of Hermite are orthogonal: :math:`\sum_{k > n} \beta^{2k} / k!`, the least of all polynomials. The remainder
    of Taylor has the mean square

    .. math:: e^{-\beta^2} \sum_{j, k > n,\ j + k \text{ even}} \beta^{j + k} \frac{(j + k - 1)!!}{j!\, k!} .

    Parameters
    ----------
    beta : float
        The inverse temperature, at most 8.
    degree : int
        n >= 1, the highest degree of Q.
    expansion : {"taylor", "hermite"}, optional
        The polynomial.

    Returns
    -------
    float
        Numerical, to a relative error of 1e-10.

    Raises
    ------
    InvalidArgument
        If a number is out of its range, or there is no such expansion.

    Examples
    --------
    >>> from algatt.spectra import linearization_error
    >>> [round(linearization_error(1.0, n), 4) for n in (1, 2, 4, 8)]
    [1.0279, 0.4586, 0.0546, 0.0002]
    >>> [round(linearization_error(1.0, n, expansion="hermite"), 4) for n in (1, 2, 4, 8)]
    [0.7183, 0.2183, 0.0099, 0.0]
    """
    b, n = checked_number("beta", beta, positive=False), checked_degree(degree)
    if expansion not in ("taylor", "hermite"):
        raise InvalidArgument("expansion", repr(expansion), "'taylor' or 'hermite'")
    if b > LARGEST_BETA:
        raise InvalidArgument("beta", f"{b:g}", f"at most {LARGEST_BETA:g}")
    if b == 0:
        return 0.0
    if expansion == "hermite":
        return sum(exp(2 * k * log(b) - lgamma(k + 1)) for k in range(n + 1, terms(n, b)))
    total = 0.0
    for j in range(n + 1, terms(n, b)):
        for k in range(j, terms(n, b), 2):
            term = exp((j + k) * log(b) + log_double_factorial(j + k) - lgamma(j + 1) - lgamma(k + 1) - b * b)
            total += term if j == k else 2 * term
    return total


def terms(degree: int, beta: float) -> int:
    """Return the degree from which on terms are rounding: those of Taylor are largest where k is about 2 beta^2."""
    return degree + 40 + int(8 * beta * beta)


def log_double_factorial(number: int) -> float:
    """Return the logarithm of (number - 1)!! = number! / (2^(number / 2) (number / 2)!) for an even number."""
    return lgamma(number + 1) - number / 2 * log(2) - lgamma(number / 2 + 1)
