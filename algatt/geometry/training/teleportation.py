r"""Weights at which the gradient of a loss is as long as it gets, among those that symmetric motions reach.

A linear symmetry g changes no loss, so that the gradient at :math:`g \theta` is :math:`g^{-T}` times that at
:math:`\theta`. Along :math:`\exp(S)` with a symmetric matrix S, weights are multiplied by :math:`e^S` and gradients by
:math:`e^{-S}`, and both squared lengths are convex.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import entered_inputs
from algatt.errors import DomainError, InvalidArgument, in_words
from algatt.fields import Elements, FloatBalls, Reals
from algatt.geometry.dimensions.question import Options, Question
from algatt.geometry.dimensions.real_point import widened
from algatt.geometry.training.exponentials import SymmetricMotions
from algatt.maps.gradient import pull_back
from algatt.parameters import Weights

Loss = Callable[[np.ndarray], Any]
"""A loss, by its derivatives: a function of the values of a batch that returns the derivatives by these."""

STARTS = 8
"""Number of points from which a maximum is looked for."""

FARTHEST = 10.0
"""Maximum exponent of a motion."""

EXACT = 1e-9
"""Relative error of the limit."""


@dataclass(frozen=True, eq=False)
class Cotangents:
    """The derivatives of a loss by the values at some inputs, which symmetries do not change.

    Parameters
    ----------
    inputs : Elements
        The inputs, a batch.
    slopes : Elements
        The derivatives.
    """

    inputs: Elements
    slopes: Elements

    @classmethod
    def of(cls, arch: Architecture, theta: Weights, loss: Any, inputs: Any) -> Cotangents:
        """Ask a loss for its derivatives.

        Raises
        ------
        InvalidArgument
            If it is no function of the values.
        """
        if not callable(loss):
            raise InvalidArgument("loss", in_words(loss), "a function of the values that returns its derivatives")
        if inputs is None:
            raise InvalidArgument("inputs", "not given", "given with a loss")
        X = entered_inputs(arch, theta.field, inputs)
        X = Elements(X.field, X.raw.reshape(-1, *X.shape[-2:]))
        check_gates(arch, theta, X)
        values = verbs.evaluate(arch, theta, X).raw
        slopes = np.array(loss(values.copy()))
        if slopes.shape != values.shape or slopes.dtype.kind not in "fiu" or not np.isfinite(slopes).all():
            was = f"a function that returns {in_words(slopes.tolist()) if not slopes.ndim else f'shape {slopes.shape}'}"
            raise InvalidArgument("loss", was, f"one that returns finite derivatives of the shape {values.shape}")
        return cls(X, Elements(theta.field, slopes.astype(np.float64)))

    def gradient(self, arch: Architecture, theta: Weights) -> np.ndarray:
        """Return the gradient at weights with the same function, flat."""
        found: np.ndarray = pull_back(arch, theta, self.inputs, self.slopes).raw.sum(axis=0)
        return found


def check_gates(arch: Architecture, theta: Weights, inputs: Elements) -> None:
    """Raise `InvalidArgument` if a gate is at zero, or so near that balls in float64 do not tell."""
    if not Question(arch, Options()).has_gates:
        return
    balls = FloatBalls()
    around, X = (
        [Elements(balls, verbs.encode(balls, one.raw)) for one in parts] for parts in (theta.elements, (inputs,))
    )
    try:
        verbs.evaluate(arch, theta.replace([widened(balls, one) for one in around]), X[0])
    except DomainError as error:
        should = "weights at which the loss has a gradient"
        raise InvalidArgument("theta", f"without a gradient at the inputs: {error}", should) from error


def longest_gradient(
    motions: SymmetricMotions, x: np.ndarray, gradient: np.ndarray, limit: float, steps: int, seed: int
) -> tuple[np.ndarray, int]:
    """Return the exponents of the motion that makes the gradient longest, among those after which weights have at most
    a squared length, and the number of steps: the best of several local maxima, by sequential quadratic programming.
    """
    from scipy.optimize import minimize

    best, taken = np.zeros(motions.count), 0
    slopes = motions.squared_length(best, gradient, -1)[1]
    if not np.abs(slopes).max(initial=0.0):  # no motion changes the gradient
        return best, taken

    def objective(exponents: np.ndarray) -> tuple[float, np.ndarray]:
        length, slope = motions.squared_length(exponents, gradient, -1)
        return -float(np.log(length)), -slope / length

    room = {
        "type": "ineq",
        "fun": lambda exponents: np.log(limit / motions.squared_length(exponents, x, 1)[0]),
        "jac": lambda exponents: -np.divide(*motions.squared_length(exponents, x, 1)[::-1]),
    }
    longest = float(gradient @ gradient)
    for start in range(STARTS):
        drawn = slopes if start == 0 else verbs.draw_array(Reals(), shape=slopes.shape, seed=seed, label=f"{start}")
        first = 0.1 * drawn / np.linalg.norm(drawn)
        box = [(-FARTHEST, FARTHEST)] * motions.count
        options = {"maxiter": steps, "ftol": 1e-12}
        found = minimize(objective, first, jac=True, method="SLSQP", bounds=box, constraints=room, options=options)
        taken += int(found.nit)
        length = motions.squared_length(found.x, gradient, -1)[0]
        if length > longest and motions.squared_length(found.x, x, 1)[0] <= limit * (1 + EXACT):
            best, longest = found.x, length
    return best, taken
