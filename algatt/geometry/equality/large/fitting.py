"""Matrices of a group that fit linear equations best, by least squares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from algatt.geometry.equality.large.arrays import blocks
from algatt.geometry.equality.large.motions import MatrixSpace

NEGLIGIBLE = 1e-11
"""Where equations are worth less than this beside others, they leave a choice."""

SMALLEST = np.finfo(float).tiny

EXPLAINED = 64.0
"""So many units of rounding, times the condition number of a matrix, are taken for rounding."""

WIDE, EVEN = 16.0, 8.0
"""So many times that, if no column of an equation is farther away than so many times the one in the middle."""

MOST_STARTS = 4
"""If no more equations than these contradict each other, each is also believed alone at first."""

FITTING = 0.25
"""At least so many columns are taken to be right."""

REWEIGHTINGS = 12
"""Equations that contradict each other are weighed anew so often at most."""

LONG = 128
"""Minimum number and length of rows that are matched in a few directions first."""

SKETCHED = 32
"""Number of random directions in which long rows are compared first."""

ALIKE = 0.99
"""Rows that were matched in these fit if their cosine is at least this."""

Pair = tuple[np.ndarray, np.ndarray]

Rows = tuple[np.ndarray, np.ndarray, str]
"""Two matrices, and how their rows are compared, as for `match_rows`."""


@dataclass(frozen=True, eq=False)
class MatrixEquation:
    """An equation g A = B, or C g = D, for a matrix g.

    Parameters
    ----------
    given, image : ndarray
        A and B, or C and D.
    left : bool
        Whether g stands on the left.
    """

    given: np.ndarray
    image: np.ndarray
    left: bool

    @property
    def weight(self) -> float:
        """What its squares are multiplied by, so that all equations are worth the same."""
        return 1.0 / max(float(np.sum(self.image**2)), SMALLEST)

    def residuals(self, g: np.ndarray) -> np.ndarray:
        """Return the distance of both sides for each column, or row for one on the right, relative to the norm that all
        of the image would give it.
        """
        axis = 0 if self.left else 1
        made = g @ self.given if self.left else self.given @ g
        distances = np.linalg.norm(made - self.image, axis=axis)
        found: np.ndarray = distances * np.sqrt(len(distances) * self.weight)
        return found


def fit_matrix_to_most(equations: Sequence[MatrixEquation], space: MatrixSpace, unit: float) -> Pair | None:
    """Return the matrix that meets most columns of equations, with its inverse; None if they leave a choice.

    Least squares spread a contradiction over all of them. So as long as some columns are far from what rounding by a
    unit explains, each is weighed by the inverse of the square of its distance, and they are fitted again.
    """
    found = fit_matrix(equations, space)
    if found is None or is_explained(distances_of(equations, found), found, unit):
        return found
    starts = [found]
    if 1 < len(equations) <= MOST_STARTS:
        alone = (fit_matrix([one], space) for one in equations)
        starts += [one for one in alone if one is not None]
    ends = [reweighed(equations, space, unit, start) for start in starts]
    return min(ends, key=lambda end: spread_of(distances_of(equations, end), unit))


def reweighed(equations: Sequence[MatrixEquation], space: MatrixSpace, unit: float, found: Pair) -> Pair:
    """Return the matrix that fits equations whose columns are weighed anew, until it stays."""
    for _ in range(REWEIGHTINGS):
        distances = distances_of(equations, found)
        if is_explained(distances, found, unit):
            break
        floor = max(float(np.quantile(np.concatenate(distances), FITTING)), unit)
        other = fit_matrix(equations, space, [1 / (one**2 + floor**2) for one in distances])
        if other is None:
            break
        step, found = float(np.linalg.norm(other[0] - found[0])), other
        if step <= unit * float(np.linalg.norm(found[0])):
            break
    return found


def distances_of(equations: Sequence[MatrixEquation], found: Pair) -> list[np.ndarray]:
    """Return the relative distances of the columns of equations."""
    return [one.residuals(found[0]) for one in equations]


def is_explained(distances: Sequence[np.ndarray], found: Pair, unit: float) -> bool:
    """Return whether rounding explains all distances: those of an equation are small; or a little larger, as errors
    add up in wide networks, and all of one size, where an entry that is another one would stand out.
    """
    limit = EXPLAINED * unit * float(np.linalg.norm(found[0], 2) * np.linalg.norm(found[1], 2))
    return all(
        one.max() <= (max(limit, min(WIDE * limit, EVEN * np.median(one))) if len(one) > EVEN else limit)
        for one in distances
    )


def spread_of(distances: Sequence[np.ndarray], unit: float) -> float:
    """Return how many columns are far from being met: the sum of the logarithms of their distances."""
    return float(np.sum(np.log(np.concatenate(distances) + unit)))


def fit_matrix(
    equations: Sequence[MatrixEquation], space: MatrixSpace, weights: Sequence[np.ndarray] | None = None
) -> Pair | None:
    """Return the matrix of a space that fits equations best, each weighed by its size, and its columns by weights if
    these are given, and its inverse; None if they leave a choice, it is singular, or its equations overflow.
    """
    P, Q, M = (np.zeros((space.size, space.size)) for _ in range(3))
    for place, one in enumerate(equations):
        weight = one.weight if weights is None else one.weight * weights[place]
        if one.left:
            weighed = one.given * weight
            M += one.image @ weighed.T
            P += weighed @ one.given.T if not space.rigid else 0.0
        else:
            weighed = (one.given.T * weight).T
            M += weighed.T @ one.image
            Q += one.given.T @ weighed if not space.rigid else 0.0
    if not all(np.isfinite(each).all() for each in (P, Q, M)):
        return None
    if space.rigid:  # no matrix of the group changes the squares
        return nearest_orthogonal(M, space)
    if space.group == "turns":
        return fit_turns(P, Q, M, space)
    found = solve_both(P, Q, M)
    return None if found is None else with_inverse(found)


def solve_both(P: np.ndarray, Q: np.ndarray, M: np.ndarray) -> np.ndarray | None:
    """Return the g with g P + Q g = M, for symmetric P and Q, by their eigenvectors; None if there is more than one, or
    the smallest sum of an eigenvalue of each is negligible.
    """
    (p, U), (q, V) = np.linalg.eigh(P), np.linalg.eigh(Q)
    if not p[0] + q[0] > NEGLIGIBLE * (p[-1] + q[-1]):
        return None
    both: np.ndarray = V @ ((V.T @ M @ U) / (q[:, None] + p)) @ U.T
    return both


def with_inverse(g: np.ndarray) -> tuple[np.ndarray, np.ndarray] | None:
    """Return a matrix and its inverse; None if it is singular as far as floats tell."""
    try:
        inverse = np.linalg.inv(g)
    except np.linalg.LinAlgError:
        return None
    size = np.linalg.norm(g) * np.linalg.norm(inverse)  # of all entries, which are at least as large as the others
    return (g, inverse) if size <= 1 / NEGLIGIBLE else None


def nearest_orthogonal(M: np.ndarray, space: MatrixSpace) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the orthogonal matrix of a space that is nearest to M (Schoenemann 1966)."""
    U, sizes, Vt = np.linalg.svd(space.on_axes(M))
    if sizes[-1] <= NEGLIGIBLE * sizes[0]:
        return None
    g = space.isometry(U @ Vt)
    return g, g.T


def fit_turns(P: np.ndarray, Q: np.ndarray, M: np.ndarray, space: MatrixSpace) -> tuple[np.ndarray, np.ndarray] | None:
    """Return the matrix with a complex number a + b i for each pair, of rows 2 f and 2 f + 1, and any matrix in rows
    that stay.

    Those of different pairs are orthogonal to each other, with respect to g P + Q g, so that the normal equations are
    one for each number, and g P + Q g = M in the rows that stay.
    """
    size, turned = space.size, 2 * len(space.speeds)
    pairs = np.arange(0, turned, 2)
    both = P.diagonal() + Q.diagonal()
    sums = both[pairs] + both[pairs + 1]
    rest = slice(turned, size)
    ends = [sums.min(initial=np.inf), sums.max(initial=0.0)]
    left = None
    if turned < size:
        left = solve_both(P[rest, rest], Q[rest, rest], M[rest, rest])
        low_p, low_q = np.linalg.eigvalsh(P[rest, rest]), np.linalg.eigvalsh(Q[rest, rest])
        ends = [min(ends[0], low_p[0] + low_q[0]), max(ends[1], low_p[-1] + low_q[-1])]
    if ends[0] <= NEGLIGIBLE * ends[1]:
        return None
    a = (M[pairs, pairs] + M[pairs + 1, pairs + 1]) / sums
    b = (M[pairs + 1, pairs] - M[pairs, pairs + 1]) / sums
    return with_inverse(space.turning(a + 1j * b, left))


def fit_numbers(first: np.ndarray, second: np.ndarray, unit: float, floors: tuple[float, float]) -> np.ndarray:
    """Return the number for each row by which the first matrix has to be multiplied to give most of the second; NaN
    where a row of one of them has no entry above a floor.
    """
    found = np.full(len(first), np.nan)
    for rows in blocks(first):
        one, two = first[rows], second[rows]
        told = (np.abs(one).max(axis=1) > floors[0]) & (np.abs(two).max(axis=1) > floors[1])
        found[rows][told] = numbers_of_rows(one[told], two[told], unit)
    found[found == 0] = np.nan
    return found


def numbers_of_rows(first: np.ndarray, second: np.ndarray, unit: float) -> np.ndarray:
    """Return the number for each row, that is not zero, by which it has to be multiplied to give most of the other."""
    squares = np.sum(first * first, axis=1)
    numbers: np.ndarray = np.sum(first * second, axis=1) / squares
    for _ in range(REWEIGHTINGS):
        distances = np.abs(numbers[:, None] * first - second)
        sizes = np.abs(numbers) * np.sqrt(squares / first.shape[1])
        if np.all(distances <= EXPLAINED * unit * np.maximum(sizes, SMALLEST)[:, None]):
            break
        floor = np.maximum(np.median(distances, axis=1), unit * sizes)[:, None]
        weights = 1 / np.maximum(distances**2 + floor**2, SMALLEST)
        before, weighed = numbers, weights * first
        numbers = np.sum(weighed * second, axis=1) / np.sum(weighed * first, axis=1)
        if np.all(np.abs(numbers - before) <= unit * np.abs(numbers)):
            break
    return numbers


def match_rows(pairs: Sequence[Rows]) -> np.ndarray | None:
    """Return the order in which rows of the first matrix of each pair are those of the second: row i of the second is
    row ``order[i]`` of the first; None where nothing tells rows apart.

    Parameters
    ----------
    pairs : sequence of (ndarray, ndarray, str)
        Two matrices, and whether rows are ``equal``, or ``lines``: equal up to a number for each.
    """
    order = order_by_sketch(pairs)
    if order is not None:
        return order
    order = np.argmax(scores_of(pairs), axis=1)
    if len(set(order.tolist())) < len(order):
        from scipy import optimize

        order = optimize.linear_sum_assignment(-scores_of(pairs))[1]
    return order


def order_by_sketch(pairs: Sequence[Rows]) -> np.ndarray | None:
    """Return the order in which long rows are nearest in a few random directions, if all fit there; None if some do
    not, or rows are few or short.
    """
    if min(*pairs[0][0].shape, *pairs[0][1].shape) < LONG:
        return None
    draw, sketches = np.random.default_rng(0), []
    for one, two, how in pairs:
        directions = draw.standard_normal((one.shape[1], SKETCHED))
        sketches.append((one @ directions, two @ directions, how))
    order: np.ndarray = np.argmax(scores_of(sketches[:1]), axis=1)
    if len(set(order.tolist())) < len(order):
        return None
    for one, two, how in sketches:
        matched = one[order]
        products = np.sum(matched * two, axis=1)
        sizes = np.sum(matched**2, axis=1), np.sum(two**2, axis=1)
        beside = np.sqrt(sizes[0] * sizes[1]) if how == "lines" else (sizes[0] + sizes[1]) / 2
        if np.any((np.abs(products) if how == "lines" else products) < ALIKE * beside):
            return None
    return order


def scores_of(pairs: Sequence[Rows]) -> np.ndarray:
    """Return how alike each row of the second matrices is to each of the first, 1 in each pair if they are the same."""
    score = np.zeros(())
    for first, second, kind in pairs:
        products = second @ first.T
        sizes = np.sum(second**2, axis=1)[:, None], np.sum(first**2, axis=1)[None]
        if kind == "lines":
            norms = np.sqrt(sizes[0] * sizes[1])
            score = score + np.abs(products) / np.maximum(norms, SMALLEST)
        else:
            both = sizes[0] + sizes[1]
            score = score + 2 * products / np.maximum(both, SMALLEST)
    return score
