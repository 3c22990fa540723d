"""The first of two layers over the reals: M_1 from values with errors, in a region that has all that fit.

The steps are those of `two_layers`. With an error of the linear part B of at most e, and B of rank one, the second
singular value is at most e, and the sine of the angle between the first right singular vector and x^T M_1 is at most e
beside the first singular value.
"""

from __future__ import annotations

import math

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.fields import Elements
from algatt.geometry.identification.identification import NotIdentified, not_of_rank_one
from algatt.geometry.identification.noise import ROUNDING, SLACK, Noise, Region
from algatt.geometry.identification.quadratic_forms import Oracle
from algatt.geometry.identification.two_layers import ODD_POWERS, inputs_of_pairs


def weights_of_linear_part() -> tuple[np.ndarray, np.ndarray]:
    """Return numbers lambda_i and weights w_i with sum w_i f(lambda_i) = f'(0) for odd polynomials f of degree nine.

    Five numbers; their squares are the Chebyshev nodes of [0, 1], which keeps the weights small.
    """
    count = len(ODD_POWERS)
    numbers = np.sin((2 * np.arange(1, count + 1) - 1) * math.pi / (4 * count))
    squares = numbers**2
    others = [np.delete(squares, i) for i in range(count)]
    lagrange = [np.prod(rest / (rest - square)) for rest, square in zip(others, squares, strict=True)]  # at 0
    return numbers, np.array(lagrange) / numbers


def near_linear_parts(
    oracle: Oracle,
    arch: Lightning,
    tokens: np.ndarray,
    noise: Noise,
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each token x the matrix B(x) of `linear_parts`, and a bound on its error in Frobenius norm."""
    numbers, weights = weights_of_linear_part()
    X = inputs_of_pairs(arch, tokens, numbers)
    inputs = X.reshape(-1, *X.shape[-2:])
    values = oracle.values(arch, Elements(oracle.field, inputs)).raw
    if not values.any():
        return np.zeros((len(tokens), arch.dims[-1], arch.dims[0])), np.zeros(len(tokens))
    columns = values[:, :, 1].reshape(*X.shape[:3], arch.dims[-1])
    errors = noise.bounds(inputs, values).reshape(X.shape[:3])
    parts = (weights[:, None] * columns).sum(axis=2)
    return np.swapaxes(parts, 1, 2), np.linalg.norm(errors @ np.abs(weights), axis=1)


def near_first_layer(oracle: Oracle, arch: Lightning, seed: int, effort: int, noise: Noise) -> Region | None:
    r"""Return a region for M_1, or None if all linear parts are zero.

    M_1 is scaled so that its part along the center, a matrix of norm one, is the center. If v spans the rows of B(x)
    up to a sine of s, then :math:`(I - v v^T) M_1^T x` has a norm of at most :math:`s |x| |M_1|`. Divided by :math:`s
    |x|` these are equations for M_1 whose right sides are at most :math:`|M_1|`.

    Raises
    ------
    NotIdentified
        If no M_1 fits.
    """
    d = arch.dims[0]
    shape = (effort * (2 * d + 2), d)
    tokens = verbs.draw_array(oracle.field, shape=shape, seed=seed, label=f"identify/token/{effort}")
    parts, errors = near_linear_parts(oracle, arch, tokens, noise)
    _, values, directions = np.linalg.svd(parts)
    if values.shape[1] > 1 and (values[:, 1] > SLACK * errors).any():
        raise not_of_rank_one()
    seen = np.flatnonzero(values[:, 0])
    if not len(seen):
        return None
    sines = errors[seen] / values[seen, 0]
    projections = np.eye(d) - directions[seen, 0, :, None] * directions[seen, 0, None, :]
    scaled = tokens[seen] / (np.linalg.norm(tokens[seen], axis=1) * sines)[:, None]
    return region_of_kernel((scaled[:, None, :, None] * projections[:, :, None, :]).reshape(len(seen), d, d * d))


def region_of_kernel(systems: np.ndarray) -> Region:
    """Return a region for the M, scaled as in `near_first_layer`, whose image by each system is at most their norm."""
    d = systems.shape[1]
    _, values, directions = np.linalg.svd(systems.reshape(-1, d * d))
    values = np.concatenate([values, np.zeros(max(d * d - len(values), 0))])
    bound = math.sqrt(len(systems))
    rounding = ROUNDING * values[0]
    if values[-1] > SLACK * bound + rounding:
        raise NotIdentified("no matrix M_1 gives the linear parts of the values in one token")
    next_value = values[-2] - rounding if d > 1 else math.inf
    sine = SLACK * bound / next_value if next_value > 0 else math.inf
    return Region(directions[-1].reshape(d, d), sine / math.sqrt(1 - sine**2) if sine < 1 else math.inf)
