"""Nearest matrices, numbers and orders in closed form, for tensors that are given as rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

ROUNDS = 8
"""Number of times that angle and length of a turn are found in turn."""

REAL = 1e-9
"""Largest imaginary part of a root, beside its size, that is taken for rounding."""

CHUNK = 2**16
"""Number of polynomials whose roots are found at once."""

Squares = Mapping[int, tuple[np.ndarray, np.ndarray]]
"""For each power k the coefficients (P, R) of P t^(2 k) - 2 R t^k in a sum of squares |a - t^k b|^2."""


def polar(M: np.ndarray) -> np.ndarray:
    """Return the orthogonal matrix Q with the largest trace of Q^T M."""
    U, _, Vt = np.linalg.svd(M)
    Q: np.ndarray = U @ Vt
    return Q


def nearest_turns(own: np.ndarray, cross: np.ndarray, its: np.ndarray, its_cross: np.ndarray) -> np.ndarray:
    """Return the complex numbers z that make own |z|^2 - 2 Re(cross / z') + its / |z|^2 - 2 Re(its_cross / z) least,
    with z' the conjugate: the turns of pairs that bring rows x to t, and rows y to s by 1 / z'.

    Parameters
    ----------
    own, its : ndarray
        The sums of |x|^2, and of |y|^2, one for each pair.
    cross, its_cross : ndarray
        The sums of t x', and of s y', complex.
    """
    z = np.ones(len(own), dtype=complex)
    for _ in range(ROUNDS):
        size = np.abs(z)
        toward = size * cross + its_cross / size
        length = np.abs(toward)
        phase = np.ones(len(own), dtype=complex)
        np.divide(toward, length, out=phase, where=length > 0)
        along = {1: (own, np.real(cross / phase)), -1: (its, np.real(its_cross / phase))}
        z = nearest_numbers(along, positive=True) * phase
    return z


def value_at(squares: Squares, t: np.ndarray) -> np.ndarray:
    """Return the sums of squares at numbers, but for what does not depend on them."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        total: np.ndarray = sum(P * t ** (2 * k) - 2 * R * t**k for k, (P, R) in squares.items())
        total[~np.isfinite(total)] = np.inf
    return total


def nearest_numbers(squares: Squares, *, positive: bool = False) -> np.ndarray:
    """Return the numbers t, not zero, at which sums of P t^(2 k) - 2 R t^k are least; one where nothing depends on t.

    The derivative is a polynomial in t and 1 / t, and the least value is at one of its real roots.
    """
    squares = {k: pair for k, pair in squares.items() if k}
    first = next(iter(squares.values()))[0]
    shape, count = first.shape, first.size
    flat = {k: (P.ravel(), R.ravel()) for k, (P, R) in squares.items()}
    found = np.ones(count)
    for start in range(0, count, CHUNK):
        some = slice(start, start + CHUNK)
        found[some] = some_numbers({k: (P[some], R[some]) for k, (P, R) in flat.items()}, positive=positive)
    return found.reshape(shape)


def some_numbers(squares: Squares, *, positive: bool) -> np.ndarray:
    """Return the numbers of `nearest_numbers` for vectors."""
    degrees = [*squares, *(2 * k for k in squares)]
    least = min(degrees)
    count = len(next(iter(squares.values()))[0])
    coefficients = np.zeros((count, max(degrees) - least + 1))
    for k, (P, R) in squares.items():
        coefficients[:, 2 * k - least] += k * P
        coefficients[:, k - least] -= k * R
    ends = np.minimum(np.abs(coefficients[:, 0]), np.abs(coefficients[:, -1]))
    best, value = np.ones(count), value_at(squares, np.ones(count))
    solvable = ends > 1e-12 * np.abs(coefficients).max(axis=1)
    if not solvable.any():
        return best
    monic = coefficients[solvable, :-1] / coefficients[solvable, -1:]
    size = monic.shape[1]
    companion = np.zeros((len(monic), size, size))
    companion[:, np.arange(1, size), np.arange(size - 1)] = 1
    companion[:, :, -1] = -monic
    roots = np.linalg.eigvals(companion)
    chosen = {k: (P[solvable], R[solvable]) for k, (P, R) in squares.items()}
    own, least_value = best[solvable], value[solvable]
    for root in roots.T:
        t = root.real.copy()
        wrong = np.abs(root.imag) > REAL * np.abs(root)
        t[wrong | ((t <= 0) if positive else (t == 0))] = 1.0
        here = value_at(chosen, t)
        better = here < least_value
        own[better], least_value[better] = t[better], here[better]
    best[solvable] = own
    return best


def sign_of_sums(squares: Squares) -> np.ndarray:
    """Return the signs t at which sums of P t^(2 k) - 2 R t^k are least."""
    odd = np.zeros(next(iter(squares.values()))[0].shape)
    for k, (_, R) in squares.items():
        odd += R if k % 2 else 0.0
    return 1.0 - 2.0 * (odd < 0)


def assign(costs: np.ndarray) -> np.ndarray:
    """Return the order in which place i takes row ``order[i]``, with the least sum of ``costs[i, order[i]]``."""
    from scipy.optimize import linear_sum_assignment

    order: np.ndarray = linear_sum_assignment(costs)[1]
    return order


def together(numbers: np.ndarray, equal: Sequence[Sequence[int]]) -> np.ndarray:
    """Return sums over the places that have one number together."""
    total = numbers.copy()
    for places in equal:
        total[list(places)] = numbers[list(places)].sum()
    return total
