"""Two layers over the reals from values with errors: M_1 and the forms of the second layer, in regions.

The steps are those of `two_layers`. With an error of the linear part B of at most e, and B of rank one, the second
singular value is at most e, and the sine of the angle between the first right singular vector and x^T M_1 is at most
e beside the first singular value.
"""

from __future__ import annotations

import math

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.fields import Elements
from algatt.geometry.identification.identification import NotIdentified, not_of_rank_one
from algatt.geometry.identification.near_factors import NearForms
from algatt.geometry.identification.noise import ROUNDING, SLACK, Noise, Region, gain, region_of_solutions
from algatt.geometry.identification.two_layers import (
    ODD_POWERS,
    coefficients_of_forms,
    equations_of_forms,
    inputs_of_pairs,
)
from algatt.geometry.quadratic_forms import Oracle

__all__ = ["near_first_layer", "near_second_layer"]

NO_SECOND_LAYER = "no second layer continues the only M_1 that fits"

SMALL = float(np.finfo(np.float64).tiny) ** (1 / 3)
"""Put where a size is zero; its third power is the smallest normal float."""

REFINEMENTS = 30
"""At most so many times the regions of M_1 and of the second layer make each other smaller."""

PROGRESS = 0.9
"""They stop when a region does not become smaller by this factor."""


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


class SecondLayer:
    """Values at random inputs as equations for the forms of the second layer, M_1 being known within a region.

    Parameters
    ----------
    arch : Lightning
        Two layers.
    M1 : Region
        The region.
    normal : array
        A matrix of norm one: the scale of M_1 is such that its part along it is it.
    inputs, values : array
        Shapes (count, d_0, t) and (count, d_2, t).
    errors : array
        Bounds of the errors of the values.
    """

    def __init__(
        self,
        arch: Lightning,
        M1: Region,
        normal: np.ndarray,
        inputs: Elements,
        values: np.ndarray,
        errors: np.ndarray,
    ) -> None:
        self.M1, self.normal, self.errors = M1, normal, errors
        self.d, self.e = arch.dims[0], arch.dims[-1]
        self.gram = inputs @ inputs.T
        self.inputs = inputs
        self.Z = self.gram @ (Elements(inputs.field, M1.center) @ inputs)
        self.right = np.swapaxes(values, 1, 2)
        self.left = equations_of_forms(self.Z).raw.reshape(*self.right.shape[:2], -1)
        self.sizes = np.linalg.norm(self.Z.raw, axis=(1, 2))
        moved = np.linalg.norm(self.gram.raw, 2, axis=(1, 2)) * np.linalg.norm(inputs.raw, 2, axis=(1, 2))
        self.moved = moved * M1.radius  # Z changes at most by this

    @property
    def left_errors(self) -> np.ndarray:
        """Bounds for each input on the change of the equations: they are cubic in Z."""
        changes: np.ndarray = (self.sizes + self.moved) ** 3 - self.sizes**3
        return changes

    def weighted(self, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the equations and the right sides, those of each input multiplied by its weight."""
        rows = weights[:, None, None]
        return (rows * self.left).reshape(-1, self.left.shape[2]), (rows * self.right).reshape(-1, self.e)

    def rough_region(self) -> tuple[Region, bool]:
        r"""Return a region for the coefficients c, and whether there are any that fit.

        For each input :math:`|R c - b| \le r |c| + e`, with r the bound of `left_errors`. With weights :math:`1 / (r
        + e / g)`, for any g, the whole weighted residual is at most :math:`\sqrt n (|c| + g)`, n being the number of
        inputs.
        """
        plain = 1 / np.maximum(self.sizes, SMALL) ** 3
        start = np.linalg.lstsq(*self.weighted(plain), rcond=None)[0]
        size = float(np.linalg.norm(start))
        if not math.isfinite(self.M1.radius) or size == 0:
            return Region(start, math.inf), True
        left, right = self.weighted(1 / (self.left_errors + self.errors / size))
        center = np.linalg.lstsq(left, right, rcond=None)[0]
        known = float(np.linalg.norm(center)) + size
        root = SLACK * math.sqrt(len(self.errors))
        part = root * gain(left, np.linalg.svd(left, compute_uv=False))
        radius = part * known / (1 - part) if part < 1 else math.inf
        return Region(center, radius), float(np.linalg.norm(right - left @ center)) <= root * (known + radius)

    def fine_region(self, rough: Region) -> tuple[Region, Region] | None:
        r"""Return regions for M_1 and the coefficients c, solving for changes of both to first order; None if none fit.

        The second order is bounded by the regions that are known: it counts as error. What a change of c can make up
        for is the image of the equations; the rest of the right sides has to be due to a change of M_1.
        """
        size = float(np.linalg.norm(rough.center)) + rough.radius
        errors = self.errors + self.left_errors * rough.radius + (3 * self.sizes + self.moved) * self.moved**2 * size
        root = math.sqrt(len(errors))
        left, right = self.weighted(1 / errors)
        rest = right - left @ rough.center
        basis = np.linalg.svd(self.normal.reshape(1, -1))[2][1:]
        changes = self.derivatives(basis.reshape(-1, self.d, self.d), rough.center) / errors[:, None, None, None]
        changes = changes.reshape(len(left), -1)
        frame, values, directions = np.linalg.svd(left, full_matrices=False)
        growth = gain(left, values)
        if not math.isfinite(growth):
            return self.M1, rough
        seen = frame.T @ changes
        unseen = (changes - frame @ seen).reshape(-1, len(basis))
        change = region_of_solutions(unseen, (rest - frame @ (frame.T @ rest)).ravel(), root)
        if change is None:
            return None
        seen = seen.reshape(len(values), self.e, len(basis))
        spread = float(np.linalg.norm(seen.reshape(-1, len(basis)), 2)) if len(basis) else 0.0
        center = rough.center + directions.T @ ((frame.T @ rest - seen @ change.center) / values[:, None])
        c = Region(center, SLACK * growth * (root + (spread * change.radius if spread else 0.0)))
        M1 = Region(self.M1.center + (change.center @ basis).reshape(self.d, self.d), change.radius)
        return min(M1, self.M1, key=radius_of), min(c, rough, key=radius_of)

    def derivatives(self, basis: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
        """Return the derivatives of the values by M_1 in some directions: shape (count, t, e, directions)."""
        matrices = symmetric(coefficients, self.d)
        flat = matrices.reshape(self.d * self.e, self.d * self.d)
        Z, count = self.Z.raw, len(self.errors)
        sums = ((Z @ np.swapaxes(Z, 1, 2)).reshape(count, -1) @ flat.T).reshape(count, self.d, self.e)
        columns = []
        for direction in basis:
            dZ = self.gram.raw @ direction @ self.inputs.raw
            changed = 2 * ((dZ @ np.swapaxes(Z, 1, 2)).reshape(count, -1) @ flat.T).reshape(count, self.d, self.e)
            columns.append(np.swapaxes(dZ, 1, 2) @ sums + np.swapaxes(Z, 1, 2) @ changed)
        return np.stack(columns, axis=-1) if columns else np.zeros((*self.right.shape, 0))


def radius_of(region: Region) -> float:
    """Return the radius of a region."""
    return region.radius


def symmetric(coefficients: np.ndarray, d: int) -> np.ndarray:
    """Return the symmetric matrices of forms from solutions of `equations_of_forms`: shape (d, outputs, d, d)."""
    upper = coefficients_of_forms(coefficients, d)
    return (upper + np.swapaxes(upper, 2, 3)) / 2


def near_second_layer(
    oracle: Oracle,
    arch: Lightning,
    M1: Region,
    seed: int,
    effort: int,
    noise: Noise,
) -> tuple[Region, NearForms]:
    """Return a smaller region for M_1, and the forms (m_c . x)(l_o . x) of the columns of M_2 and the rows of L.

    Raises
    ------
    NotIdentified
        If no second layer fits.
    """
    d, t, field = arch.dims[0], arch.tokens, oracle.field
    count = 2 * effort * (d * d * (d + 1) // 2 // t + 2)
    X = Elements(field, verbs.draw_array(field, shape=(count, d, t), seed=seed, label=f"identify/input/{effort}"))
    values = oracle.values(arch, X).raw
    if not values.any():
        raise NotIdentified("the values vanish at random inputs, but not at all inputs")
    normal, errors = M1.center, noise.bounds(X.raw, values)
    second = SecondLayer(arch, M1, normal, X, values, errors)
    coefficients, fits = second.rough_region()
    if not fits:
        raise NotIdentified(NO_SECOND_LAYER)
    for _ in range(REFINEMENTS if math.isfinite(coefficients.radius) else 0):
        regions = second.fine_region(coefficients)
        if regions is None:
            raise NotIdentified(NO_SECOND_LAYER)
        shrunk = regions[1].radius < PROGRESS * coefficients.radius
        M1, coefficients = regions
        if not shrunk:
            break
        second = SecondLayer(arch, M1, normal, X, values, errors)
    matrices = symmetric(coefficients.center, d)
    return M1, NearForms(matrices, np.full(matrices.shape[:2], coefficients.radius))
