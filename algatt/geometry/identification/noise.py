"""How far values over the reals may be from those of a network, and what linear equations with errors determine.

A member of the family *fits* an oracle if at every input that was asked the values differ, in Frobenius norm, by at
most `Noise.bounds`. Every bound of an error in this folder follows from this alone: if it says that no parameters
fit, then none do.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

ROUNDING = 1e-13
"""The relative error of values in floats, and of computing with them: some hundred times that of one operation."""

OWN = 8.0
"""So many times the largest difference of a value from the mean of those beside it is allowed for at other inputs."""

SLACK = 1 + 1e-6
"""Bounds are multiplied by this, for the rounding of the bounds themselves."""


def relative_to_growth(inputs: np.ndarray, values: np.ndarray, degree: int) -> np.ndarray:
    """Return a batch of values, each divided by the power of the norm of the input with which a network grows."""
    quotients: np.ndarray = values / np.linalg.norm(inputs, axis=(1, 2))[:, None, None] ** degree
    return quotients


@dataclass(frozen=True)
class Noise:
    r"""How far values may be from those of a network.

    At an input X the value may be off by a part of its norm. Rounding is allowed besides, relative to the size that the
    values of the network have, as they may cancel: a part of :math:`c |X|^{3^l}`, where c is the largest
    :math:`|\varphi(X)| / |X|^{3^l}` among the inputs that are asked together.

    Parameters
    ----------
    degree : int
        The degree 3^l of the network in its inputs.
    of_value, of_size : float
        The two parts.
    """

    degree: int
    of_value: float
    of_size: float

    @classmethod
    def of(cls, degree: int, tolerance: float, inputs: np.ndarray, values: np.ndarray, means: np.ndarray) -> Noise:
        """Return the noise that a tolerance allows, or the oracle's own where that is more.

        Its own is what `values` at some inputs differ from `means` of values beside them.
        """
        sizes, off = np.linalg.norm(values, axis=(1, 2)), np.linalg.norm(values - means, axis=(1, 2))
        scales = np.linalg.norm(inputs, axis=(1, 2)) ** degree
        largest = float((sizes / scales).max())
        if largest == 0:
            return cls(degree, max(tolerance, ROUNDING), ROUNDING)
        own = OWN * float((off[sizes > 0] / sizes[sizes > 0]).max()), OWN * float((off / scales).max()) / largest
        return cls(degree, max(tolerance, ROUNDING, own[0]), max(ROUNDING, own[1]))

    def bounds(self, inputs: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return a bound on the Frobenius norm of the error for each of a batch of values."""
        sizes = np.linalg.norm(values, axis=(1, 2))
        scales = np.linalg.norm(inputs, axis=(1, 2)) ** self.degree
        bounds: np.ndarray = self.of_value * sizes + self.of_size * (sizes / scales).max() * scales
        return bounds


@dataclass(frozen=True, eq=False)
class Region:
    """A ball that contains all solutions of a problem with errors.

    Parameters
    ----------
    center : array
        An approximate solution.
    radius : float
        All solutions are within this distance, in Frobenius norm; infinite if nothing is known.
    """

    center: np.ndarray
    radius: float


def region_of_solutions(matrix: np.ndarray, right: np.ndarray, error: float) -> Region | None:
    r"""Return a region with all X that solve equations up to an error, or None if there are none.

    All X with :math:`|\text{matrix} X - \text{right}| \le \text{error}` in Frobenius norm are in it. The
    least-squares solution C leaves a residual r, and the squared distance is :math:`r^2 + |\text{matrix} (X - C)|^2`.
    So the least singular value bounds X - C.
    """
    left, values, directions = np.linalg.svd(matrix, full_matrices=False)
    parts = left.T @ right
    seen = values > ROUNDING * values.max(initial=0.0)
    center = directions[seen].T @ (parts[seen] / values[seen].reshape(-1, *[1] * (parts.ndim - 1)))
    residual = float(np.linalg.norm(right - matrix @ center))
    rounded = ROUNDING * float(np.linalg.norm(right))  # of the residual, and of the right side itself
    if residual > SLACK * (error + rounded):
        return None
    squared = (error + rounded) ** 2 - max(residual - rounded, 0.0) ** 2
    return Region(center, SLACK * math.sqrt(max(squared, 0.0)) * gain(matrix, values))


def gain(matrix: np.ndarray, singular_values: np.ndarray) -> float:
    """Bound the norm of X beside that of ``matrix @ X``: one over the least singular value less rounding."""
    if matrix.shape[1] == 0:
        return 0.0
    least = singular_values[-1] - ROUNDING * singular_values[0] if len(singular_values) == matrix.shape[1] else 0.0
    return float(1 / least) if least > 0 else math.inf
