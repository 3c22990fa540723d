"""Balanced weights, the point of least norm among those that symmetries reach, and those with the longest gradient."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import NetworkLike, as_architecture, draw_inputs
from algatt.arguments import finite_number, positive, whole
from algatt.errors import InvalidArgument, NoSolution
from algatt.fields import Elements, Reals
from algatt.geometry.training.conservation import conservation_laws
from algatt.geometry.training.drift import real_weights
from algatt.geometry.training.exponentials import SymmetricMotions
from algatt.geometry.training.law import ConservationLaw
from algatt.geometry.training.teleportation import Cotangents, Loss, longest_gradient
from algatt.parameters import Weights
from algatt.randomness import check_seed
from algatt.verbs.views import Tabled

HALVINGS = 40
"""Maximum number of times that a step is halved."""

ROUNDING = 1e-13
"""Relative error of a squared norm."""

AT_LIMIT = 1e-6
"""Relative distance from the limit of weights that are at it."""

INPUTS = 8
"""Number of inputs at which the function is compared."""


@dataclass(frozen=True, eq=False)
class Extremal(Tabled):
    """Weights of least norm, or with the longest gradient, that symmetries reach; `algatt.extremal` makes it.

    Parameters
    ----------
    theta : Weights
        The weights.
    before, after : float
        The squared norm of the weights that were given, and of these.
    imbalance : float
        The largest conserved quantity of degree two at these weights, relative to the squared norm: zero at the least
        norm.
    difference : float
        The largest relative difference of the values of the function at random inputs.
    steps : int
        The number of steps.
    gradients : tuple of float, or None
        With a loss: the squared length of its gradient at the weights that were given, and at these.
    at_limit : bool or None
        With a loss: whether the squared norm of these weights is the limit.
    """

    theta: Weights
    before: float
    after: float
    imbalance: float
    difference: float
    steps: int
    gradients: tuple[float, float] | None = None
    at_limit: bool | None = None

    @property
    def status(self) -> str:
        """``numerical``: the weights are floats."""
        return "numerical"

    def __repr__(self) -> str:
        lengths = [f"squared norm {self.before:.6g} -> {self.after:.6g}"]
        if self.gradients is not None:
            lengths.append("squared gradient {:.6g} -> {:.6g}".format(*self.gradients))
        return f"Extremal({', '.join(lengths)}, {self.steps} steps, {self.status})"


def extremal(
    arch: NetworkLike,
    theta: Weights,
    *,
    loss: Loss | None = None,
    inputs: Any = None,
    limit: float | None = None,
    tolerance: float | None = None,
    steps: int = 100,
    seed: int = 0,
) -> Extremal:
    r"""Return the weights of least norm that the symmetric motions of a network reach, or those with the longest
    gradient of a loss, with the same function.

    **Least norm.** Along a symmetric motion :math:`\delta \theta = A \theta` the squared norm is convex, with the
    derivative :math:`2 \langle \theta, A \theta \rangle`, so it is least where all conserved quantities of degree two
    vanish (G. Kempf, L. Ness, *The length of vectors in representation spaces*, 1979): where
    :math:`Q Q^T = K K^T`, say. Newton steps in the exponents, which converge quadratically; shifts that nothing sees
    are taken away.

    **Longest gradient** (teleportation: B. Zhao, N. Dehmamy, R. Walters, R. Yu, arXiv:2205.10637). A motion that
    multiplies weights by :math:`e^S` multiplies the gradient by :math:`e^{-S}`, as the loss does not change. So the
    squared length is convex, too: each motion that changes it makes it as long as one likes, and it is greatest at the
    limit that is set to the squared norm of the weights, never inside. Sequential quadratic programming from 8 starts;
    it is the greatest of the local maxima that these reach.

    Weights are moved by exponentials of motions, so the function stays the same up to rounding, which is checked.
    Cost: each step solves equations in as many unknowns as there are laws.

    Parameters
    ----------
    arch : Architecture
        The network.
    theta : Weights
        The weights, over the reals.
    loss : callable, optional
        Asks for the longest gradient of a loss: a function of the values at the inputs, of shape (batch, d_l, t), that
        returns the derivatives of the loss by these; ``lambda values: values - targets`` is half the squared error.
    inputs : array, optional
        With a loss: its inputs, of shape (batch, d_0, t), or (batch, t) numbers of tokens.
    limit : float, optional
        With a loss: the maximum of the squared norm, as a multiple of that of the weights, at least 1; 2 unless given.
    tolerance : float, optional
        Without a loss: the largest quantity that counts as zero, relative to the squared norm; 1e-12 unless given.
    steps : int, optional
        Maximum number of steps, from each start.
    seed : int, optional
        Names the starts, and the inputs at which the function is compared.

    Raises
    ------
    InvalidArgument
        If these are no weights of the network over the reals, or the loss no function of the values.
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
    >>> X = algatt.sample_inputs(arch, field=algatt.Reals(), count=5)
    >>> steep = algatt.extremal(arch, theta, loss=lambda values: values, inputs=X, limit=2)
    >>> steep.gradients[1] > 1.5 * steep.gradients[0], steep.at_limit
    (True, True)
    """
    arch = as_architecture(arch)
    whole("steps", steps)
    check_seed(seed)
    start = real_weights(arch, theta, "theta").raw[:, 0]
    laws = conservation_laws(arch, complete=False).laws
    quadratic = [law for law in laws if not len(law.multiples)]
    if loss is not None:
        if tolerance is not None:
            raise InvalidArgument("tolerance", "given with a loss", "not given: it is for the least norm")
        return steepest(arch, theta, quadratic, Cotangents.of(arch, theta, loss, inputs), limit, steps, seed)
    for name, value in (("inputs", inputs), ("limit", limit)):
        if value is not None:
            raise InvalidArgument(name, "given without a loss", "given with one")
    small = float(positive("tolerance", 1e-12 if tolerance is None else tolerance))
    x, count = without_shifts([law for law in laws if not len(law.products)], start), 0
    while imbalance_of(quadratic, x) > small:
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


def steepest(
    arch: Architecture,
    theta: Weights,
    laws: list[ConservationLaw],
    cotangents: Cotangents,
    limit: float | None,
    steps: int,
    seed: int,
) -> Extremal:
    """Return the weights with the longest gradient within a limit."""
    factor = finite_number("limit", 2.0 if limit is None else limit)
    if factor < 1:
        raise InvalidArgument("limit", f"{limit}", "a number of at least 1, times the squared norm of the weights")
    x, motions = real_weights(arch, theta, "theta").raw[:, 0], SymmetricMotions.of(laws)
    gradient, before = cotangents.gradient(arch, theta), float(x @ x)
    exponents, count = longest_gradient(motions, x, gradient, factor * before, steps, seed)
    moved = motions.move(exponents, x)
    found, after = with_entries(theta, moved), float(moved @ moved)
    later = cotangents.gradient(arch, found)
    return Extremal(
        found,
        before,
        after,
        imbalance_of(laws, moved),
        difference_of(arch, theta, found, seed),
        count,
        (float(gradient @ gradient), float(later @ later)),
        after > (1 - AT_LIMIT) * factor * before,
    )


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
    motions = SymmetricMotions.of(laws)
    moves = motions.columns_at(x)
    exponents = -np.linalg.lstsq(2 * moves.T @ moves, moves.T @ x, rcond=1e-13)[0]
    length = float(np.abs(exponents).max(initial=0.0))
    exponents /= max(1.0, 4 * length)
    for _ in range(HALVINGS):
        moved = motions.move(exponents, x)
        shorter = moved @ moved < x @ x
        if shorter or (moved @ moved < (1 + ROUNDING) * (x @ x) and imbalance_of(laws, moved) < imbalance_of(laws, x)):
            return moved
        exponents /= 2
    return None


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
