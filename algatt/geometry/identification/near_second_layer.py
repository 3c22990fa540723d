"""The second of two layers over the reals: its forms from values with errors, M_1 being known within a region."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.fields import Elements
from algatt.geometry.identification.identification import NotIdentified
from algatt.geometry.identification.near_factors import NearForms
from algatt.geometry.identification.noise import SLACK, Noise, Region, gain, region_of_solutions
from algatt.geometry.identification.quadratic_forms import Oracle
from algatt.geometry.identification.two_layers import coefficients_of_forms, equations_of_forms

NO_SECOND_LAYER = "no second layer continues the only M_1 that fits"

SMALL = float(np.finfo(np.float64).tiny) ** (1 / 3)
"""Put where a size is zero; its third power is the smallest normal float."""

REFINEMENTS = 30
"""At most so many times the regions of M_1 and of the second layer make each other smaller."""

PROGRESS = 0.9
"""They stop when a region does not become smaller by this factor."""


@dataclass(frozen=True, eq=False)
class SecondLayer:
    """Values at random inputs as equations for the forms of the second layer, M_1 being known within a region.

    Parameters
    ----------
    arch : Lightning
        Two layers.
    M1 : Region
        That of M_1.
    normal : array
        A matrix of norm one: the scale of M_1 is such that its part along it is it.
    inputs, values : array
        Shapes (count, d_0, t) and (count, d_2, t).
    errors : array
        Bounds of the errors of the values.
    """

    arch: Lightning
    M1: Region
    normal: np.ndarray
    inputs: Elements
    values: np.ndarray
    errors: np.ndarray

    @property
    def d(self) -> int:
        """The width of the tokens."""
        return self.arch.dims[0]

    @property
    def e(self) -> int:
        """The number of outputs."""
        return self.arch.dims[-1]

    @cached_property
    def gram(self) -> Elements:
        """P_0 = X X^T."""
        return self.inputs @ self.inputs.T

    @cached_property
    def Z(self) -> Elements:
        """The tokens of the second layer, for the center of the region of M_1."""
        return self.gram @ (Elements(self.inputs.field, self.M1.center) @ self.inputs)

    @cached_property
    def left(self) -> np.ndarray:
        """The equations for the coefficients: shape (count, t, unknowns)."""
        rows: np.ndarray = equations_of_forms(self.Z).raw
        return rows.reshape(*self.right.shape[:2], -1)

    @property
    def right(self) -> np.ndarray:
        """Their right sides: shape (count, t, e)."""
        return np.swapaxes(self.values, 1, 2)

    @cached_property
    def sizes(self) -> np.ndarray:
        """The norms of Z."""
        norms: np.ndarray = np.linalg.norm(self.Z.raw, axis=(1, 2))
        return norms

    @cached_property
    def moved(self) -> np.ndarray:
        """Bounds on the change of Z, M_1 being anywhere in its region."""
        gains = np.linalg.norm(self.gram.raw, 2, axis=(1, 2)) * np.linalg.norm(self.inputs.raw, 2, axis=(1, 2))
        changes: np.ndarray = gains * self.M1.radius
        return changes

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
