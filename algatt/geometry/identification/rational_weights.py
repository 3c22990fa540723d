"""Rational weights whose function has given coefficients, found in floating point and verified exactly."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from algatt.geometry.degrees.charts import chart
from algatt.geometry.degrees.slices import Monomials
from algatt.geometry.implicit.expansion import Expansion
from algatt.randomness import random_words

STARTS = 6
"""Number of random weights from which least squares begin, with fixed weights and without."""

EVALUATIONS = 300
"""Maximum number of evaluations of the residuals in each run."""

NEAR = 1e-9
"""Largest residual, relative to the coefficients, of a solution in floating point."""

INDEPENDENT = 1e-6
"""A column of the Jacobian is independent of others if at least this part of it is orthogonal to them."""

ROUNDED = (4, 64, 1024)
"""Denominators to which weights are rounded that are fixed."""

SIMPLE = (1, 12, 1000, 10**6)
"""Largest denominators of numbers that are looked for near to a solution in floating point."""

STEPS = 40
"""Number of steps of Newton's method with exact residuals."""

BITS = 40
"""Number of bits that each of these steps keeps in addition."""


class RationalWeights:
    """A search for weights with given coefficients.

    Parameters
    ----------
    expansion : Expansion
        The coefficients as polynomials in the weights.
    values : list of Fraction
        What they should be.
    """

    def __init__(self, expansion: Expansion, values: list[Fraction]) -> None:
        self.expansion, self.values = expansion, values
        self.monomials = Monomials.of(expansion)
        self.count = expansion.arch.parameters
        self.targets = np.array([float(value) for value in values])
        self.size = float(np.abs(self.targets).max(initial=0.0)) or 1.0
        self.near: np.ndarray | None = None
        self.residual = np.inf

    def find(self, dimension: int, seed: int) -> list[Fraction] | None:
        """Return weights that have exactly these coefficients, None if none are found; then `near` may have some in
        floating point.

        Weights are fixed, as many as the fibre has dimensions: first at 0 and 1 (`chart`), then those of which the
        Jacobian at a solution in floating point has dependent columns, near to it. Where few other weights have the
        function, they are rational; they are refined by Newton's method, and continued fractions are tried.

        Parameters
        ----------
        dimension : int
            That of the neuromanifold.
        seed : int
            Names the random weights.
        """
        zeros = [Fraction(0)] * self.count
        if self.is_exact(zeros):
            return zeros
        slice_of_weights = chart(self.expansion, dimension, seed)
        for start in range(STARTS):
            words = random_words(seed, f"membership/{start}", self.count)
            theta = words.astype(np.float64) / 2.0**63 - 1.0
            for free, fixed in ((slice_of_weights.free, slice_of_weights.fixed), (range(self.count), {})):
                begin = theta.copy()
                begin[list(fixed)] = list(fixed.values())
                solved = self.solved(begin, free)
                if solved is not None and (exact := self.from_solution(solved, free)) is not None:
                    return exact
        return None

    def from_solution(self, theta: np.ndarray, free: Sequence[int]) -> list[Fraction] | None:
        """Return exact weights near to a solution in floating point."""
        free = self.independent(theta, free)
        others = [place for place in range(self.count) if place not in free]
        for denominator in ROUNDED:
            rounded = theta.copy()
            rounded[others] = np.round(rounded[others] * denominator) / denominator
            solved = self.solved(rounded, free)
            if solved is not None and (exact := self.refined(solved, free)) is not None:
                return exact
        return None

    def solved(self, theta: np.ndarray, free: Sequence[int]) -> np.ndarray | None:
        """Return weights with the coefficients up to rounding, found by least squares in the free ones."""
        from scipy.optimize import least_squares

        directions = np.eye(self.count)[:, list(free)]

        def residuals(u: np.ndarray) -> np.ndarray:
            here = self.monomials.values((theta + directions @ u)[None]) @ self.monomials.numbers.T
            found: np.ndarray = (here[0] - self.targets) / self.size
            return found

        def jacobian(u: np.ndarray) -> np.ndarray:
            return self.jacobian(theta + directions @ u, free) / self.size

        tight: dict[str, Any] = {"xtol": 1e-15, "ftol": 1e-15, "gtol": 1e-15, "max_nfev": EVALUATIONS}
        found = least_squares(residuals, np.zeros(len(free)), jacobian, **tight)
        residual = float(np.abs(found.fun).max())
        if not residual < NEAR:
            return None
        solution: np.ndarray = theta + directions @ found.x
        if residual < self.residual:
            self.near, self.residual = solution, residual
        return solution

    def jacobian(self, theta: np.ndarray, free: Sequence[int]) -> np.ndarray:
        """Return the derivatives of the coefficients by the free weights."""
        directions = np.eye(self.count)[:, list(free)]
        found: np.ndarray = self.monomials.numbers @ self.monomials.derivatives(theta[None], directions)[1][0]
        return found

    def independent(self, theta: np.ndarray, free: Sequence[int]) -> list[int]:
        """Return weights whose columns of the Jacobian are a basis of all: those of low degree first, as they are
        determined by linear equations, and of the last tensors.
        """
        highest = np.array([one.degrees() for one in self.expansion.polynomials]).max(axis=0)
        columns = self.jacobian(theta, range(self.count))
        basis = np.zeros((len(columns), 0))
        found = []
        for place in sorted(free, key=lambda place: (highest[place], -place)):
            column = columns[:, place]
            rest = column - basis @ (basis.T @ column)
            if np.linalg.norm(rest) > INDEPENDENT * max(float(np.linalg.norm(column)), INDEPENDENT):
                basis = np.column_stack([basis, rest / np.linalg.norm(rest)])
                found.append(place)
        return sorted(found)

    def refined(self, theta: np.ndarray, free: Sequence[int]) -> list[Fraction] | None:
        """Return rational weights near to some in floating point that have exactly the coefficients.

        Residuals are computed exactly, and the inverse of the Jacobian is that at the start: so each step multiplies
        the error by about the error of the inverse.
        """
        point = [Fraction(entry) for entry in theta.tolist()]
        for largest in SIMPLE:
            simple = [entry.limit_denominator(largest) for entry in point]
            if self.is_exact(simple):
                return simple
        inverse = np.linalg.pinv(self.jacobian(theta, free))
        for step in range(1, STEPS + 1):
            residuals = [value - entry for value, entry in zip(self.values, self.at(point), strict=True)]
            most = max(abs(entry) for entry in residuals)
            if not most:
                return point
            changes = inverse @ np.array([float(entry / most) for entry in residuals])
            bits = 53 + BITS * step
            for place, change in zip(free, changes.tolist(), strict=True):
                point[place] = Fraction(round((point[place] + Fraction(change) * most) * 2**bits), 2**bits)
            simple = [entry.limit_denominator(2 ** (10 + 15 * step)) for entry in point]
            if self.is_exact(simple):
                return simple
        return None

    def at(self, point: list[Fraction]) -> list[Fraction]:
        """Return the coefficients at rational weights."""
        import flint

        numbers = [flint.fmpq(entry.numerator, entry.denominator) for entry in point]
        found: list[Any] = [one(*numbers) for one in self.expansion.polynomials]
        return [Fraction(int(one.p), int(one.q)) for one in found]

    def is_exact(self, point: list[Fraction]) -> bool:
        """Return whether weights have exactly the coefficients."""
        return self.at(point) == self.values
