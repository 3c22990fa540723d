r"""Linear sections of the neuromanifold of a polynomial network, and the weights that are mapped into them.

With coordinates :math:`\varphi : K^n \to K^N`, a closure of dimension D, and random :math:`A \in \mathbb C^{D \times
N}`, :math:`\theta_0 \in \mathbb C^n`, :math:`S \in \mathbb C^{n \times D}`, a section is the system of D equations in D
unknowns u

.. math:: F(u) = A\, \varphi(\theta_0 + S u) = b.

Almost all functions of the closure are values at a point of the slice :math:`\theta_0 + S \mathbb C^D`, whose dimension
is what the generic fibre lacks. So the values at the solutions are the points of the closure in a generic linear space.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from algatt.geometry.implicit.expansion import Expansion, exponents_of
from algatt.memory import check_memory
from algatt.randomness import random_words


def random_complex(seed: int, label: str, *shape: int) -> np.ndarray:
    """Return complex numbers whose parts are uniform in (-1, 1)."""
    count = int(np.prod(shape))
    parts = random_words(seed, f"degrees/{label}", 2 * count).astype(np.float64) / 2.0**63 - 1.0
    return (parts[:count] + 1j * parts[count:]).reshape(shape)


@dataclass(frozen=True, eq=False)
class Monomials:
    """All monomials in the weights that the coordinates of a network have, and their numbers in each coordinate.

    Parameters
    ----------
    factors : ndarray of int
        Shape (monomials, degree): the weights that are multiplied, number n standing for 1.
    numbers : ndarray
        Shape (N, monomials): the coordinates.
    """

    factors: np.ndarray
    numbers: np.ndarray

    @classmethod
    def of(cls, expansion: Expansion) -> Monomials:
        """Return the monomials of some coordinates; raise `NotEnoughMemory` if the table does not fit."""
        polynomials, variables = expansion.polynomials, expansion.arch.parameters
        exponents = [exponents_of(one, variables) for one in polynomials]
        known, which = np.unique(np.concatenate(exponents), axis=0, return_inverse=True)
        check_memory(16.0 * len(known) * len(polynomials), f"a table of {len(known):,} monomials")
        numbers = np.zeros((len(polynomials), len(known)))
        rows = np.repeat(np.arange(len(polynomials)), [len(one) for one in exponents])
        numbers[rows, which.ravel()] = [int(c.p) / int(c.q) for one in polynomials for c in one.coeffs()]
        degree = max(1, int(known.sum(axis=1).max(initial=0)))
        factors = np.full((len(known), degree), variables)
        for row, powers in zip(factors, known, strict=True):
            listed = np.repeat(np.arange(variables), powers)
            row[: len(listed)] = listed
        return cls(factors, numbers)

    def values(self, theta: np.ndarray) -> np.ndarray:
        """Return the monomials at points, of shape (points, monomials)."""
        return self.at(theta).prod(axis=2)

    def at(self, theta: np.ndarray) -> np.ndarray:
        """Return the factors of the monomials at points, of shape (points, monomials, degree)."""
        found: np.ndarray = np.concatenate([theta, np.ones((len(theta), 1))], axis=1)[:, self.factors]
        return found

    def derivatives(self, theta: np.ndarray, directions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the monomials at points, and their derivatives along some directions, which are the columns of a
        matrix, or of one for each point: of shape (points, monomials, directions).
        """
        factors = self.at(theta)
        before = np.cumprod(factors, axis=2)
        after = np.cumprod(factors[:, :, ::-1], axis=2)[:, :, ::-1]
        others = np.ones_like(factors)  # the product of all factors but one
        others[:, :, 1:] *= before[:, :, :-1]
        others[:, :, :-1] *= after[:, :, 1:]
        still = np.zeros((*directions.shape[:-2], 1, directions.shape[-1]))  # 1 does not move
        rows = np.concatenate([directions, still], axis=-2)[..., self.factors, :]
        slopes = others[:, :, 0, None] * rows[..., 0, :]
        for k in range(1, factors.shape[2]):
            slopes += others[:, :, k, None] * rows[..., k, :]
        return before[:, :, -1], slopes


@dataclass(frozen=True, eq=False)
class Section:
    """A system of as many equations as unknowns, whose solutions are weights in a slice.

    Parameters
    ----------
    monomials : Monomials
        The coordinates.
    forms : ndarray
        The matrix A, times the numbers of the coordinates: shape (D, monomials).
    origin : ndarray
        The weights at u = 0.
    directions : ndarray
        The matrix S, of shape (n, D).
    """

    monomials: Monomials
    forms: np.ndarray
    origin: np.ndarray
    directions: np.ndarray

    def weights(self, u: np.ndarray) -> np.ndarray:
        """Return the weights of points of the slice, of shape (points, n)."""
        return self.origin + u @ self.directions.T

    def images(self, u: np.ndarray) -> np.ndarray:
        """Return the coordinates of the functions of points of the slice, of shape (points, N)."""
        return self.monomials.values(self.weights(u)) @ self.monomials.numbers.T

    def evaluate(self, u: np.ndarray) -> np.ndarray:
        """Return the values F at points of the slice, of shape (points, D)."""
        return self.monomials.values(self.weights(u)) @ self.forms.T

    def linearized(self, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the values F and their derivatives, of shapes (points, D) and (points, D, D)."""
        values, slopes = self.monomials.derivatives(self.weights(u), self.directions)
        return values @ self.forms.T, self.forms @ slopes

    def moved(self, origin: np.ndarray) -> Section:
        """Return the same equations in a parallel slice."""
        return replace(self, origin=origin)


def random_section(expansion: Expansion, dimension: int, seed: int) -> Section:
    """Return a random section of the closure of a neuromanifold of some dimension."""
    monomials = Monomials.of(expansion)
    variables = expansion.arch.parameters
    forms = random_complex(seed, "forms", dimension, len(monomials.numbers)) @ monomials.numbers
    directions = random_complex(seed, "directions", variables, dimension)
    return Section(monomials, forms, random_complex(seed, "weights", variables), directions)
