r"""The resolvent of an expression in independent Gaussian matrices, by its matrix Dyson equation.

Let y be the matrix. Its program (`algatt.spectra.layers.expressions`) makes a matrix B of blocks that is linear in the
Gaussian ones, with a row for each node but the last, a column for each node but the first, the edges as entries, and -1
from each inner node to itself. Elimination of the inner nodes (Schur's complement) turns the inverse of

.. math:: L(w) = \begin{pmatrix} w E & -B \\ -B^* & w E' \end{pmatrix}

where E and E' are the projections to the first and the last node, into :math:`w (w^2 - y y^*)^{-1}` at the first node.
B is linear, so that the normalised traces G of the blocks of the inverse satisfy, in the limit of large matrices,

.. math:: G = (w (E + E') - A - \eta(G))^{-1}, \qquad \eta(G) = \sum_i n_i \, C_i G C_i^T + m_i \, C_i^T G C_i,

with A the part of numbers and C_i the places of the Gaussian matrix i, of shape (m_i, n_i) in units of the tokens.
If w stood in all blocks, exactly one solution would have the right sign (J. W. Helton, R. Rashidi Far, R. Speicher,
IMRN 2007). Here the solution is the one that is followed from large imaginary parts of w, where iteration converges,
down to the point by Newton's method in the entries of G that eta reads; its sign is checked, and the mass of the
density.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import isclose

import numpy as np

from algatt.spectra.layers.expressions import GaussianExpression
from algatt.spectra.layers.paths import follow

ITERATIONS = 200
"""Of the fixed-point equation far from the spectrum, where each one halves the error or more."""


@dataclass(frozen=True, eq=False)
class Pencil:
    """The equation of an expression.

    Parameters
    ----------
    constant : numpy.ndarray
        A, the part of numbers.
    ends : numpy.ndarray
        E + E', the projection to the two ends.
    rows, columns : numpy.ndarray
        The entries of G that eta reads.
    left, right : numpy.ndarray
        Rows of vectors, whose outer products are what these entries contribute to eta.
    owners : numpy.ndarray
        Of each of the vectors, 1 at the entry to which it belongs.
    square : bool
        Whether there are as many rows as columns.
    radius : float
        Of a disc beyond which w G is near 1 and iteration converges.
    """

    constant: np.ndarray
    ends: np.ndarray
    rows: np.ndarray
    columns: np.ndarray
    left: np.ndarray
    right: np.ndarray
    owners: np.ndarray
    square: bool
    radius: float


def unsolved_pencil(expression: GaussianExpression) -> Pencil:
    """Return the equation of an expression, of radius 1."""
    half = len(expression.spaces) - 1
    size = 2 * half
    constant, ends = np.zeros((size, size)), np.zeros((size, size))
    ends[0, 0] = ends[-1, -1] = 1.0
    for node in range(1, half):
        constant[node, half + node - 1] -= 1.0
    places = {name: np.zeros((size, size)) for name, _, _ in expression.letters}
    for edge in expression.edges:
        row, column = edge.start, half + edge.end - 1
        if edge.letter is None:
            constant[row, column] += edge.factor
        elif edge.transposed:
            places[edge.letter][column, row] += edge.factor
        else:
            places[edge.letter][row, column] += edge.factor
    constant += constant.T
    terms: list[tuple[tuple[int, int], np.ndarray, np.ndarray]] = []
    for name, rows, columns in expression.letters:
        for place, weight in ((places[name], columns), (places[name].T, rows)):
            read = [int(entry) for entry in np.flatnonzero(place.any(axis=0))]
            terms += [((a, b), weight * place[:, a], place[:, b]) for a in read for b in read]
    entries = sorted({entry for entry, _, _ in terms})
    first, second = (np.array([entry[axis] for entry in entries], dtype=int) for axis in (0, 1))
    owners = np.array([[entry == other for other in entries] for entry, _, _ in terms], dtype=float)
    left, right = (np.stack([term[axis] for term in terms]) for axis in (1, 2))
    square = isclose(expression.rows, expression.columns)
    return Pencil(constant, ends, first, second, left, right, owners, square, 1.0)


def green(pencil: Pencil, w: np.ndarray, read: np.ndarray) -> np.ndarray:
    """Return the right side of the equation at points, for given entries of G."""
    effect = (pencil.left.T * (read @ pencil.owners.T)[:, None, :]) @ pencil.right
    return np.linalg.inv(w[:, None, None] * pencil.ends - pencil.constant - effect)


def iterate(pencil: Pencil, w: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the entries that eta reads at points far from the spectrum, by iteration, and how much the last one has
    changed.
    """
    read = np.zeros((len(w), len(pencil.rows)), complex)
    change = np.inf
    for _ in range(ITERATIONS):
        moved = (read + green(pencil, w, read)[:, pencil.rows, pencil.columns]) / 2
        change = float(np.abs(moved - read).max())
        read = moved
        if change < 1e-12:
            break
    return read, change


@lru_cache(maxsize=64)
def pencil_of(expression: GaussianExpression) -> Pencil:
    """Return the equation of an expression with its radius."""
    pencil = unsolved_pencil(expression)
    radius = 1.0
    while True:
        w = np.array([1j * radius])
        with np.errstate(all="ignore"):
            try:
                read, change = iterate(pencil, w)
                near = abs(w[0] * green(pencil, w, read)[0, 0, 0] - 1) < 0.1
            except np.linalg.LinAlgError:
                change, near = np.inf, False
        if near and change < 1e-10:
            return replace(pencil, radius=radius)
        radius *= 2.0


def newton(
    pencil: Pencil, w: np.ndarray, read: np.ndarray, precision: float, most: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the entries that eta reads, after Newton's steps at each point until they are small, and say at which
    points they are.
    """
    read, left = read.copy(), np.arange(len(w))
    rows, columns = pencil.rows, pencil.columns
    identity = np.eye(len(rows))
    for _ in range(most):
        some = read[left]
        G = green(pencil, w[left], some)
        excess = some - G[:, rows, columns]
        # the derivative of the inverse by each entry that is read, G times its effect times G, at the entries
        moved = (G[:, rows] @ pencil.left.T) * (pencil.right @ G[:, :, columns]).transpose(0, 2, 1)
        jacobian = identity - moved @ pencil.owners
        scale = np.abs(some) + 1e-300
        scaled = jacobian * scale[:, None, :] / scale[:, :, None]
        step = np.linalg.solve(scaled, (excess / scale)[..., None])[..., 0]
        read[left] = some - step * scale
        left = left[np.abs(step).max(axis=1) > precision]
        if not len(left):
            break
    found = np.ones(len(w), dtype=bool)
    found[left] = False
    return read, found


def resolvent_trace(pencil: Pencil, targets: np.ndarray) -> np.ndarray:
    r"""Return the normalised trace of :math:`w (w^2 - y y^*)^{-1}` at points w != 0 of the closed upper half plane,
    from above on the real line.
    """

    def begin(w: np.ndarray) -> np.ndarray:
        return iterate(pencil, w)[0]

    def solve(w: np.ndarray, guess: np.ndarray, precision: float, most: int) -> tuple[np.ndarray, np.ndarray]:
        return newton(pencil, w, guess, precision, most)

    def read_off(w: np.ndarray, read: np.ndarray) -> np.ndarray:
        G = green(pencil, w, read)
        trace: np.ndarray = G[:, 0, 0]
        if not pencil.square:
            return trace
        # both ends are equal; near zero the equation hardly says so, and rounding makes a ratio of them
        mean = np.sqrt(trace * G[:, -1, -1])
        return np.choose((mean * trace.conj()).real < 0, [mean, -mean])

    return follow(begin, solve, read_off, targets, pencil.radius)
