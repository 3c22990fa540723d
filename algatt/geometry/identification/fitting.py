"""Weights of a lightning network near given matrices over the reals, and Newton steps towards values of an oracle."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.architectures.base import unflatten
from algatt.fields import Elements
from algatt.geometry.identification.quadratic_forms import Oracle
from algatt.parameters import Parameters, VirtualWeights, Weights
from algatt.parameters.base import flatten

P = TypeVar("P", bound=Parameters)

NEWTON_STEPS = 12
"""At most so many Newton steps are taken."""

KERNEL = 1e-9
"""Directions in which values change less than this, relative to the largest change, are left alone, as the gauges."""


@dataclass(frozen=True, eq=False)
class Sample:
    """Values of an oracle at random inputs, which Newton steps approach.

    Parameters
    ----------
    inputs : Elements
        Shape (count, d_0, t).
    values : array
        Shape (count, d_l t).
    sizes : array
        Shape (count, 1): the norms of the values, by which differences are divided.
    """

    inputs: Elements
    values: np.ndarray
    sizes: np.ndarray

    @classmethod
    def of(cls, oracle: Oracle, arch: Lightning, seed: int, effort: int) -> Sample:
        """Ask for about twice as many numbers as there are virtual weights, times the effort."""
        entries = sum(rows * columns for rows, columns in verbs.shapes(arch, VirtualWeights))
        count = 2 * effort * entries // (arch.dims[-1] * arch.tokens) + 2
        shape = (count, arch.dims[0], arch.tokens)
        drawn = verbs.draw_array(oracle.field, shape=shape, seed=seed, label=f"identify/polish/{effort}")
        X = Elements(oracle.field, drawn)
        values = oracle.values(arch, X).raw.reshape(count, -1)
        return cls(X, values, np.maximum(np.linalg.norm(values, axis=1, keepdims=True), np.finfo(np.float64).tiny))

    def residual(self, arch: Lightning, theta: Parameters) -> np.ndarray:
        """Return the differences of the values, divided by their sizes."""
        with np.errstate(over="ignore", invalid="ignore"):  # a step may go too far
            values = verbs.evaluate(arch, theta, self.inputs).raw.reshape(self.values.shape)
            rest: np.ndarray = (self.values - values) / self.sizes
        return rest

    def derivative(self, arch: Lightning, theta: Parameters) -> np.ndarray:
        """Return the Jacobian of the values, divided by their sizes."""
        rows = verbs.jacobian(arch, theta, self.inputs.raw).reshape(*self.values.shape, -1)
        scaled: np.ndarray = rows / self.sizes[:, :, None]
        return scaled.reshape(self.values.size, -1)


def polish(sample: Sample, arch: Lightning, theta: P) -> P:
    """Return parameters after Newton steps of least squares, while they come nearer."""
    best = theta, math.inf
    for _ in range(NEWTON_STEPS):
        residual = sample.residual(arch, theta)
        error = float(np.linalg.norm(residual))
        if not error < best[1]:
            break
        best = theta, error
        step = np.linalg.lstsq(sample.derivative(arch, theta), residual.ravel(), rcond=KERNEL)[0]
        theta = unflatten(arch, type(theta), flatten(theta) + step, field=theta.field)
    return best[0]


def near_weights(arch: Lightning, virtual: VirtualWeights) -> Weights:
    """Return weights of the architecture whose virtual weights are near given ones, and the same if it has them.

    There are one or two layers. The rows and columns of M_2 and the rows of L are projected to d_1 dimensions, the
    rows of V_1; then the A_i are cut to rank a_i.
    """
    field = virtual.field
    *M, L = (element.raw for element in virtual.elements)
    if arch.layers == 1:
        return Weights(tuple(Elements(field, raw) for raw in (*factor(M[0], arch.ranks[0]), L)))
    sizes = [max(float(np.linalg.norm(matrix)), np.finfo(np.float64).tiny) for matrix in (M[1], L)]
    spanning = np.concatenate([M[1] / sizes[0], M[1].T / sizes[0], L / sizes[1]])
    frame = np.linalg.svd(spanning)[2][: arch.dims[1]]
    V1 = np.zeros((arch.dims[1], arch.dims[0]))
    V1[: len(frame)] = frame
    layers = (*factor(M[0], arch.ranks[0]), V1, *factor(V1 @ M[1] @ V1.T, arch.ranks[1]), L @ V1.T)
    return Weights(tuple(Elements(field, raw) for raw in layers))


def factor(A: np.ndarray, rank: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the (Q, K) with `rank` rows for which K^T Q is nearest to A (Eckart and Young)."""
    left, values, right = np.linalg.svd(A)
    Q, K = np.zeros((rank, A.shape[0])), np.zeros((rank, A.shape[0]))
    seen = min(rank, A.shape[0])
    roots = np.sqrt(values[:seen, None])
    Q[:seen], K[:seen] = roots * right[:seen], roots * left.T[:seen]
    return Q, K
