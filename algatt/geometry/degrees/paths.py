"""Linear projections of a parametrised variety over the complex numbers, and lifts of paths along them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt.geometry.implicit.expansion import Expansion, distinct, exponents_of
from algatt.memory import check_memory
from algatt.randomness import random_words

__all__ = ["Projection", "random_complex"]

CLOSE = 1e-11
"""Largest relative step of Newton's method at a point that is accepted."""

SHORTEST = 1e-9
"""Smallest step of a path, of which the whole has length 1."""

LARGEST = 0.1
"""Largest step of a path."""

HELD = 2**22
"""About this many complex numbers of the Jacobians of a batch of points are held at a time."""

CORRECTIONS = 3
"""Number of steps of Newton's method after each step along a path."""


def random_complex(seed: int, label: str, *shape: int) -> np.ndarray:
    """Return complex numbers whose parts are uniform in (-1, 1)."""
    count = int(np.prod(shape))
    parts = random_words(seed, f"degrees/{label}", 2 * count).astype(np.float64) / 2.0**63 - 1.0
    return (parts[:count] + 1j * parts[count:]).reshape(shape)


class Coordinates:
    """Polynomials in the weights, with float64 for their rational coefficients.

    Parameters
    ----------
    expansion : Expansion
        The polynomials.
    """

    def __init__(self, expansion: Expansion) -> None:
        variables = expansion.arch.parameters
        sizes = [len(one) for one in expansion.polynomials]
        exponents = np.concatenate([exponents_of(one, variables) for one in expansion.polynomials])
        known, which = distinct(exponents)
        check_memory(
            16.0 * len(sizes) * len(known),
            f"the table of {len(sizes):,} coefficients in {len(known):,} products of weights",
        )
        self.exponents = known.astype(np.float64)
        self.numbers = np.zeros((len(sizes), len(known)))
        rows = np.repeat(np.arange(len(sizes)), sizes)
        numbers = [int(number.p) / int(number.q) for one in expansion.polynomials for number in one.coeffs()]
        self.numbers[rows, which] = numbers

    def monomials(self, points: np.ndarray) -> np.ndarray:
        """Return the monomials at points, which are rows without zeros."""
        values: np.ndarray = np.exp(np.log(points) @ self.exponents.T)
        return values

    def values(self, points: np.ndarray) -> np.ndarray:
        """Return the coordinates at points: a row for each."""
        values: np.ndarray = self.monomials(points) @ self.numbers.T
        return values


@dataclass(frozen=True, eq=False)
class Projection:
    r"""The map :math:`\theta \mapsto A \phi(\theta)` from weights to D numbers, where D is the dimension of the image.

    A generic A makes the closure of the image a finite branched cover of :math:`\mathbb C^D`, whose number of sheets is
    the degree. A path in :math:`\mathbb C^D` is lifted by :math:`\theta' = J^+ b'`, at right angles to the fibre.

    Parameters
    ----------
    coordinates : Coordinates
        The map phi.
    matrix : ndarray
        A, of shape (D, coordinates).
    """

    coordinates: Coordinates
    matrix: np.ndarray

    def values(self, points: np.ndarray) -> np.ndarray:
        """Return the projections of points."""
        values: np.ndarray = self.coordinates.values(points) @ self.matrix.T
        return values

    def lift(self, points: np.ndarray, velocities: np.ndarray) -> np.ndarray:
        """Return the shortest tangent vectors at points that project to these velocities."""
        monomials = self.coordinates.monomials(points)
        factors = self.matrix @ self.coordinates.numbers
        jacobians = (monomials[:, None, :] * factors) @ self.coordinates.exponents / points[:, None, :]
        q, r = np.linalg.qr(np.conj(np.swapaxes(jacobians, 1, 2)))
        inner = np.linalg.solve(np.conj(np.swapaxes(r, 1, 2)), velocities[:, :, None])
        lifted: np.ndarray = (q @ inner)[:, :, 0]
        return lifted

    def correct(self, points: np.ndarray, targets: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return points moved by Newton's method onto targets, and which of them came to rest there at once."""
        sizes = np.linalg.norm(points, axis=1)
        lengths = np.full(len(points), np.inf)
        good = np.ones(len(points), dtype=bool)
        for _ in range(CORRECTIONS):
            steps = self.lift(points, targets - self.values(points))
            new = np.linalg.norm(steps, axis=1) / sizes
            good &= (new < 1e-2) & ((new < lengths) | (new < CLOSE))
            lengths = new
            points = points + steps
        return points, good & (lengths < CLOSE)

    def follow(self, points: np.ndarray, end: np.ndarray, scale: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """Return the ends of the lifts of straight paths from the projections of points to `end`, and which arrived.

        Parameters
        ----------
        points : ndarray
            Where the lifts begin, a row for each.
        end : ndarray
            Shape (D,): where all paths end.
        scale : float
            The largest step is this part of the usual one.
        """
        size = max(1, HELD // (len(end) * max(self.coordinates.exponents.shape)))
        parts = [self.follow_batch(points[k : k + size], end, scale) for k in range(0, len(points), size)]
        return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])

    def follow_batch(self, points: np.ndarray, end: np.ndarray, scale: float) -> tuple[np.ndarray, np.ndarray]:
        """Follow paths as `follow` does, all at once, each with its own step size."""
        points = points.copy()
        starts = self.values(points)
        velocities = end - starts
        times, steps = np.zeros(len(points)), np.full(len(points), LARGEST * scale / 4)
        alive = np.ones(len(points), dtype=bool)
        with np.errstate(all="ignore"):
            while (moving := np.flatnonzero(alive & (times < 1))).size:
                h = np.minimum(steps[moving], 1 - times[moving])
                now, velocity = points[moving], velocities[moving]
                targets = starts[moving] + (times[moving] + h)[:, None] * velocity
                try:
                    predicted = self.predict(now, velocity, h[:, None])
                    corrected, good = self.correct(predicted, targets)
                except np.linalg.LinAlgError:  # one Jacobian of the batch has no full rank
                    corrected, good = now, np.zeros(len(now), dtype=bool)
                good &= np.isfinite(corrected).all(axis=1)
                points[moving[good]] = corrected[good]
                times[moving[good]] += h[good]
                times[times > 1 - 1e-14] = 1
                steps[moving] = h / 2
                steps[moving[good]] = np.minimum(3.2 * steps[moving[good]], LARGEST * scale)
                alive[moving[steps[moving] < SHORTEST]] = False
        return points, alive

    def predict(self, points: np.ndarray, velocities: np.ndarray, h: np.ndarray) -> np.ndarray:
        """Return a step of Runge and Kutta's method of order 4."""
        k1 = self.lift(points, velocities)
        k2 = self.lift(points + h / 2 * k1, velocities)
        k3 = self.lift(points + h / 2 * k2, velocities)
        k4 = self.lift(points + h * k3, velocities)
        predicted: np.ndarray = points + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return predicted
