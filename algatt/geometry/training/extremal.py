"""Balanced weights: the point of least norm among those that symmetries reach."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import draw_inputs
from algatt.arguments import positive, whole
from algatt.errors import NoSolution
from algatt.fields import Elements, Reals
from algatt.geometry.training.conservation import conservation_laws
from algatt.geometry.training.drift import real_weights
from algatt.geometry.training.law import ConservationLaw
from algatt.parameters import Weights
from algatt.randomness import check_seed

__all__ = ["Extremal", "extremal"]

TERMS = 40
"""Number of terms of the series of an exponential of a matrix of norm at most 1."""

HALVINGS = 40
"""Maximum number of times that a step is halved."""

ROUNDING = 1e-13
"""Relative error of a squared norm."""

INPUTS = 8
"""Number of inputs at which the function is compared."""


@dataclass(frozen=True, eq=False)
class Extremal:
    """The weights of least norm that symmetries reach; `algatt.extremal` makes it.

    Parameters
    ----------
    theta : Weights
        The weights.
    before, after : float
        The squared norm of the weights that were given, and of these.
    imbalance : float
        The largest conserved quantity at these weights, relative to the squared norm: zero at the least norm.
    difference : float
        The largest relative difference of the values of the function at random inputs.
    steps : int
        The number of steps.
    """

    theta: Weights
    before: float
    after: float
    imbalance: float
    difference: float
    steps: int

    @property
    def status(self) -> str:
        """``numerical``: the weights are floats."""
        return "numerical"

    def __repr__(self) -> str:
        return f"Extremal(squared norm {self.before:.6g} -> {self.after:.6g}, {self.steps} steps, {self.status})"


def extremal(
    arch: Architecture, theta: Weights, *, tolerance: float = 1e-12, steps: int = 100, seed: int = 0
) -> Extremal:
    r"""Return the weights of least norm that the symmetric motions of a network reach, with the same function.

    Along a symmetric motion :math:`\delta \theta = A \theta` the squared norm is convex, with the derivative
    :math:`2 \langle \theta, A \theta \rangle`, so it is least where all conserved quantities of degree two vanish
    (G. Kempf, L. Ness, *The length of vectors in representation spaces*, 1979): where :math:`Q Q^T = K K^T`, say.
    Newton steps in the exponents, which converge quadratically; shifts that nothing sees are taken away. Weights are
    moved by exponentials of motions alone, so the function stays the same up to rounding, which is checked.

    Cost: each step solves equations in as many unknowns as there are laws.

    Parameters
    ----------
    arch : Architecture
        The network.
    theta : Weights
        The weights, over the reals.
    tolerance : float, optional
        The largest quantity that counts as zero, relative to the squared norm.
    steps : int, optional
        Maximum number of steps.
    seed : int, optional
        Names the inputs at which the function is compared.

    Raises
    ------
    InvalidArgument
        If these are no weights of the network over the reals.
    NoSolution
        If the least norm is not attained, as of a neuron that is read and writes nothing, or was not reached.

    Examples
    --------
    >>> import algatt
    >>> arch = algatt.Lightning(dims=(3, 3), ranks=(2,), tokens=2)
    >>> theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0)
    >>> found = algatt.extremal(arch, theta)
    >>> found.after < found.before
    True
    >>> Q, K, _ = (one.public() for one in found.theta.elements)
    >>> bool(abs(Q @ Q.T - K @ K.T).max() < 1e-11)
    True
    """
    positive("tolerance", tolerance)
    whole("steps", steps)
    check_seed(seed)
    start = real_weights(arch, theta, "theta").raw[:, 0]
    laws = conservation_laws(arch, complete=False).laws
    quadratic = [law for law in laws if not len(law.multiples)]
    x, count = without_shifts([law for law in laws if not len(law.products)], start), 0
    while imbalance_of(quadratic, x) > tolerance:
        moved = step(quadratic, x) if count < steps else None
        if moved is None:
            raise NoSolution(
                f"the least norm was not reached in {count} steps: quantities of {imbalance_of(quadratic, x):.2g} of "
                f"the squared norm are left; where weights are zero it may not be attained"
            )
        x, count = moved, count + 1
    found = with_entries(theta, x)
    before, after = float(start @ start), float(x @ x)
    return Extremal(found, before, after, imbalance_of(quadratic, x), difference_of(arch, theta, found, seed), count)


def gradients_of(laws: list[ConservationLaw], x: np.ndarray) -> np.ndarray:
    """Return A x for the matrix A of each law, as columns."""
    column = Elements(Reals(), x[:, None])
    rows = [law.gradient(column).raw for law in laws]
    return np.concatenate(rows, axis=1) if rows else np.zeros((len(x), 0))


def imbalance_of(laws: list[ConservationLaw], x: np.ndarray) -> float:
    """Return the largest law at weights, relative to the squared norm."""
    column = Elements(Reals(), x[:, None])
    values = [abs(float(law.value(column).raw[0, 0])) for law in laws]
    return max(values, default=0.0) / max(float(x @ x), np.finfo(np.float64).tiny)


def without_shifts(laws: list[ConservationLaw], x: np.ndarray) -> np.ndarray:
    """Return weights without the part that constant motions add."""
    if not laws:
        return x.copy()
    C = np.stack([law.vector for law in laws], axis=1).astype(np.float64)
    return x - C @ np.linalg.lstsq(C, x, rcond=None)[0]


def step(laws: list[ConservationLaw], x: np.ndarray) -> np.ndarray | None:
    """Return weights after a Newton step that makes them smaller, or more balanced where rounding hides that; None if
    there is none.
    """
    moves = gradients_of(laws, x)
    exponents = -np.linalg.lstsq(2 * moves.T @ moves, moves.T @ x, rcond=1e-13)[0]
    length = float(np.abs(exponents).max(initial=0.0))
    exponents /= max(1.0, 4 * length)
    for _ in range(HALVINGS):
        moved = exponential(laws, exponents, x)
        shorter = moved @ moved < x @ x
        if shorter or (moved @ moved < (1 + ROUNDING) * (x @ x) and imbalance_of(laws, moved) < imbalance_of(laws, x)):
            return moved
        exponents /= 2
    return None


def exponential(laws: list[ConservationLaw], exponents: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return the exponential of a combination of the matrices of laws, applied to weights."""
    i, j, values = np.concatenate(
        [np.column_stack([law.products[:, :2], law.products[:, 2] * c]) for law, c in zip(laws, exponents, strict=True)]
    ).T
    rows, columns = i.astype(np.intp), j.astype(np.intp)
    total, term = x.copy(), x
    for number in range(1, TERMS):
        term = (
            np.bincount(rows, values * term[columns], len(x)) + np.bincount(columns, values * term[rows], len(x))
        ) / number
        total += term
        if np.abs(term).max() < 1e-18 * np.abs(total).max():
            break
    return total


def with_entries(theta: Weights, x: np.ndarray) -> Weights:
    """Return weights with other entries."""
    parts = np.split(x, np.cumsum([one.raw.size for one in theta.elements])[:-1])
    return theta.replace(
        [Elements(theta.field, part.reshape(one.shape)) for part, one in zip(parts, theta.elements, strict=True)]
    )


def difference_of(arch: Architecture, theta: Weights, other: Weights, seed: int) -> float:
    """Return the largest relative difference of the values of two points at random inputs."""
    inputs = Elements(theta.field, draw_inputs(arch, theta.field, seed, 0, INPUTS))
    one, two = (verbs.evaluate(arch, point, inputs).raw for point in (theta, other))
    return float(np.abs(one - two).max() / max(float(np.abs(one).max()), np.finfo(np.float64).tiny))
