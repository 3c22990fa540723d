"""How far the parameters of one layer of lightning attention are, over the reals, from those of a singular function or
of one in the boundary.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.arguments import check_over
from algatt.fields import Elements, Reals
from algatt.geometry.singularities.singular import attention_and_values, check_smooth_somewhere
from algatt.parameters import AttentionMatrix, Parameters
from algatt.verbs.views import Tabled

Pair = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Distance(Tabled):
    r"""A distance in the space of pairs (A, V), in Frobenius norm, with a nearest point; numerical, up to rounding.

    It is a distance between parameters, not between functions, and depends on the scale between A and V:
    :math:`(s A, V / s)` is the same function but has another distance.

    Parameters
    ----------
    value : float
        The square root of the sum of the squares of all differences of entries.
    nearest : AttentionMatrix
        A point at this distance.
    """

    value: float
    nearest: AttentionMatrix


def real_matrices(arch: Lightning, theta: Parameters) -> Pair:
    """Return A and V at a point over the reals."""
    check_smooth_somewhere(arch)
    A, V = attention_and_values(arch, theta)
    check_over("theta", theta.field, Reals, "over Reals(): a finite field has no distance")
    return A.raw, V.raw


def truncate(matrix: np.ndarray, rank: int) -> np.ndarray:
    """Return a nearest matrix of at most the given rank (Eckart and Young)."""
    left, singular_values, right = np.linalg.svd(matrix, full_matrices=False)
    return (left[:, :rank] * singular_values[:rank]) @ right[:rank]


def on_common_line(A: np.ndarray, V: np.ndarray) -> Pair:
    r"""Return the nearest :math:`(u q^T, v u^T)`: for a unit vector u the best is :math:`(u u^T A, V u u^T)`.

    Its squared distance is :math:`|A|^2 + |V|^2 - |u^T [A, V^T]|^2`, so u is the leading left singular vector of
    :math:`[A, V^T]`.
    """
    u = np.linalg.svd(np.hstack([A, V.T]), full_matrices=False)[0][:, :1]
    return u @ (u.T @ A), (V @ u) @ u.T


def nearest_of(A: np.ndarray, V: np.ndarray, candidates: list[Pair]) -> Distance:
    """Return the distance to the nearest of some points."""
    distances = [float(np.linalg.norm(np.hstack([(A - B).ravel(), (V - W).ravel()]))) for B, W in candidates]
    best = int(np.argmin(distances))
    return Distance(distances[best], AttentionMatrix(tuple(Elements(Reals(), raw) for raw in candidates[best])))


@verbs.singular_distance.method
def singular_distance_of_one_layer(arch: Lightning, theta: Parameters) -> Distance:
    A, V = real_matrices(arch, theta)
    candidates = [(np.zeros_like(A), V), (A, np.zeros_like(V)), (truncate(A, 1), truncate(V, 1))]
    if 1 < arch.ranks[0] < arch.dims[0]:
        candidates.append((truncate(A, arch.ranks[0] - 1), V))
    return nearest_of(A, V, candidates)


@verbs.boundary_distance.method
def boundary_distance_of_one_layer(arch: Lightning, theta: Parameters) -> Distance:
    A, V = real_matrices(arch, theta)
    return nearest_of(A, V, [(np.zeros_like(A), V), (A, np.zeros_like(V)), on_common_line(A, V)])
