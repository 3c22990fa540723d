"""The fibres of lightning networks, by HMK Theorems 3.2 and 3.7 and Lemma 3.5."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.fields import Elements, Field
from algatt.geometry.fibres.attention_point import AttentionPoint, WeightRanks
from algatt.geometry.fibres.factorizations import Factorizations, random_factorization
from algatt.geometry.fibres.fiber import Fiber, coin
from algatt.linalg.row_form import row_rank
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.symmetry import SwapElement


@verbs.fiber.method
def fiber_of_lightning(arch: Lightning, theta: Parameters, *, gap: float | None = None) -> Fiber:
    point = AttentionPoint.of(arch, theta, gap)
    virtual = point.ranks
    if arch.tokens == 1:
        return point.unknown("t >= 2: with one token only the symmetric parts of the A_i count")
    if arch.layers == 1:
        if 0 in (*virtual.M, virtual.L):
            return fiber_of_zero(point)
    else:
        reasons = (*failing_torus(virtual, theta.field), *point.failing_gauge())
        if reasons:
            return point.unknown(*reasons)
    if virtual.M[-1] == virtual.L == 1 and not parallel(*verbs.convert(theta, VirtualWeights).elements[-2:]):
        return fiber_with_swap(point)
    return fiber_of_one_orbit(point)


def fiber_of_one_orbit(point: AttentionPoint) -> Fiber:
    """Return the fibre of a generic point: one orbit of the rescalings and the interlayer gauge; on `Weights` with all
    factorizations of the A_i.

    Its dimension is one for each layer, the squares of the interior widths, and what the factorizations add (on generic
    `Weights` a_i^2 each).
    """
    if point.arch.layers == 1:
        theorem = "HMK Theorem 3.2"
    else:
        theorem = "HMK Theorem 3.7" if point.finite_up_to_scale else "HMK Theorem 3.7 and Lemma 3.5"
    return point.fiber("one orbit", theorem, point.orbit, matrices=point.arch.layers, points=1)


def fiber_with_swap(point: AttentionPoint) -> Fiber:
    """Return the fibre of one layer with A = k q^T, V = v h^T of rank one, k and h not parallel: two orbits, exchanged
    by the swap.

    On `VirtualWeights` of several layers the same happens where M_l and L have rank one (derived; HMK Theorem 3.7 needs
    it as a hypothesis).
    """

    def draw(seed: int) -> Any:
        theta = point.orbit(seed)
        if coin(seed, "fiber/swap", 2):
            return theta
        if not isinstance(theta, Weights):
            return verbs.act(SwapElement(), theta)
        A, V = verbs.act(SwapElement(), verbs.convert(theta, AttentionMatrix)).elements
        Q, K = random_factorization(A, theta.layer_elements[0].Q.shape[0], seed, "fiber/swapped")
        return Weights((Q, K, V))

    theorem = "HMK Theorem 3.2"
    if point.arch.layers > 1:
        theorem = "HMK Theorem 3.7, and Theorem 3.2 for the last layer (derived)"
    case = "two orbits, exchanged by the swap"
    return point.fiber(case, theorem, draw, matrices=point.arch.layers, orbits=2, points=2)


def fiber_of_zero(point: AttentionPoint) -> Fiber:
    """Return the fibre of the zero function of one layer: all points with A = 0 or V = 0."""
    d, e = point.arch.dims
    a = point.arch.ranks[0]
    alpha = min(a, d)
    sizes, components = (d * e, alpha * (2 * d - alpha)), 2
    if isinstance(point.theta, Weights):
        zero = Factorizations(a, d, 0)
        sizes, components = (zero.dimension + d * e, 2 * a * d), 1 + zero.components

    def draw(seed: int) -> Any:
        field = point.theta.field
        theta = verbs.sample(point.arch, Weights, field=field, seed=seed)
        Q, K, V = theta.layer_elements[0]
        if coin(seed, "fiber/zero", 2):
            theta = Weights((Q, K, Elements(field, np.zeros_like(V.raw))))
        else:
            A = Elements(field, np.zeros_like((K.T @ Q).raw))
            theta = Weights((*random_factorization(A, Q.shape[0], seed, "fiber/zero"), V))
        return verbs.convert(theta, type(point.theta))

    case = "the zero function: A = 0 or V = 0"
    return Fiber(point.arch, point.theta, case, draw, "HMK Theorem 3.2", max(sizes), components)


def parallel(A: Elements, V: Elements) -> bool:
    """Return whether the column space of A = k q^T is the row space of V = v h^T, both of rank one."""
    k, h = (Elements(A.field, lines(matrix)) for matrix in (A, V.T))
    return row_rank(Elements(A.field, np.hstack([k.raw, h.raw]))) == 1


def lines(matrix: Elements) -> np.ndarray:
    """Return the largest column of a matrix of rank one, over the reals at size one; over GF(p) one that is
    not zero.
    """
    if matrix.field.exact:
        return np.array(matrix.raw[:, (matrix.raw != 0).any(axis=0)][:, :1])
    return np.linalg.svd(matrix.raw)[0][:, :1]


def failing_torus(virtual: WeightRanks, field: Field) -> Iterator[str]:
    """Iterate over the hypotheses of HMK Theorem 3.7 that fail; our proof of it divides by 2 and 3."""
    if field.characteristic in (2, 3):
        yield f"a characteristic other than 2 and 3, but the field is {field}"
    if virtual.L == 0:
        yield "L != 0"
    for i, rank in enumerate(virtual.symmetric, start=1):
        if rank == 0:
            yield f"M_{i} is not skew-symmetric"
    for i, rank in enumerate(virtual.M[:-1], start=1):
        if rank < 2:
            yield f"rk M_{i} >= 2, but it is {rank}"
