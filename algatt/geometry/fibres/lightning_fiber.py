"""The fibres of lightning networks, by HMK Theorems 3.2 and 3.7 and Lemma 3.5."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.architectures.base import check_fits
from algatt.fields import Elements, Field
from algatt.geometry.equality.rounding import check_float_sizes
from algatt.geometry.fibres.factorizations import Factorizations, random_factorization
from algatt.geometry.fibres.fiber import Fiber, UnknownFiber, coin, moved_by_gauges
from algatt.geometry.fibres.fiber_ranks import Ranks, attention_ranks, failing_gauge
from algatt.linalg.row_form import row_form
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.randomness import check_seed
from algatt.symmetry import SwapElement

__all__ = ["OrbitFiber", "SwapFiber", "ZeroFiber"]


@dataclass(frozen=True, eq=False, repr=False)
class OrbitFiber(Fiber):
    """The fibre of generic points: one orbit of the rescalings and the interlayer gauge; on `Weights` with all
    factorizations of the A_i.
    """

    @property
    def case(self) -> str:
        return "one orbit"

    @property
    def theorem(self) -> str | None:
        if self.arch.layers == 1:
            return "HMK Theorem 3.2"
        return "HMK Theorem 3.7" if self.finite_up_to_scale else "HMK Theorem 3.7 and Lemma 3.5"

    @property
    def dimension(self) -> int:
        """One for each layer, the squares of the interior widths, and what the factorizations add (on generic `Weights`
        a_i^2 each).
        """
        return self.arch.layers + self.gauges + sum(factorization.dimension for factorization in self.factorizations)

    @property
    def components(self) -> int:
        """The product of the numbers for the factorizations; one orbit is irreducible."""
        return int(np.prod([factorization.components for factorization in self.factorizations], dtype=int))

    @property
    def projective_cardinality(self) -> int | None:
        return 1 if self.finite_up_to_scale else None

    def sample(self, seed: int = 0) -> Any:
        return self.refactor(moved_by_gauges(self.arch, self.theta, check_seed(seed)), seed)


@dataclass(frozen=True, eq=False, repr=False)
class SwapFiber(OrbitFiber):
    """The fibre of one layer with A = k q^T, V = v h^T of rank one, k and h not parallel: two orbits, exchanged by the
    swap.

    On `VirtualWeights` of several layers the same happens where M_l and L have rank one (derived; HMK Theorem 3.7 needs
    it as a hypothesis).
    """

    @property
    def case(self) -> str:
        return "two orbits, exchanged by the swap"

    @property
    def theorem(self) -> str | None:
        return (
            "HMK Theorem 3.2"
            if self.arch.layers == 1
            else "HMK Theorem 3.7, and Theorem 3.2 for the last layer (derived)"
        )

    @property
    def components(self) -> int:
        """Twice the number for the factorizations."""
        return 2 * super().components

    @property
    def projective_cardinality(self) -> int | None:
        return 2 if self.finite_up_to_scale else None

    def sample(self, seed: int = 0) -> Any:
        theta = self.refactor(moved_by_gauges(self.arch, self.theta, check_seed(seed)), seed)
        if coin(seed, "fiber/swap", 2):
            return theta
        if not isinstance(theta, Weights):
            return verbs.act(SwapElement(), theta)
        A, V = verbs.act(SwapElement(), verbs.convert(theta, AttentionMatrix)).elements
        Q, K = random_factorization(A, theta.layer_elements[0].Q.shape[0], seed, "fiber/swapped")
        return Weights((Q, K, V))


@dataclass(frozen=True, eq=False, repr=False)
class ZeroFiber(Fiber):
    """The fibre of the zero function of one layer: all points with A = 0 or V = 0."""

    @property
    def case(self) -> str:
        return "the zero function: A = 0 or V = 0"

    @property
    def theorem(self) -> str | None:
        return "HMK Theorem 3.2"

    @property
    def sizes(self) -> tuple[int, int]:
        """Dimensions of the points with A = 0 and of those with V = 0."""
        d, e = self.arch.dims
        a = self.arch.ranks[0]
        alpha = min(a, d)
        if isinstance(self.theta, Weights):
            return Factorizations(a, d, 0).dimension + d * e, 2 * a * d
        return d * e, alpha * (2 * d - alpha)

    @property
    def dimension(self) -> int:
        """That of the larger of the two."""
        return max(self.sizes)

    @property
    def components(self) -> int:
        """V = 0, and A = 0, which on `Weights` has several components itself."""
        return 1 + (
            Factorizations(self.arch.ranks[0], self.arch.dims[0], 0).components
            if isinstance(self.theta, Weights)
            else 1
        )

    @property
    def projective_cardinality(self) -> int | None:
        return None

    def sample(self, seed: int = 0) -> Any:
        field = self.theta.field
        theta = verbs.sample(self.arch, Weights, field=field, seed=check_seed(seed))
        Q, K, V = theta.layer_elements[0]
        zero = Elements(field, np.zeros_like(V.raw))
        if coin(seed, "fiber/zero", 2):
            theta = Weights((Q, K, zero))
        else:
            A = Elements(field, np.zeros_like((K.T @ Q).raw))
            theta = Weights((*random_factorization(A, Q.shape[0], seed, "fiber/zero"), V))
        return verbs.convert(theta, self.coordinates)


@verbs.fiber.method
def fiber_of_lightning(arch: Lightning, theta: Parameters, *, gap: float | None = None) -> Fiber:
    check_fits(arch, theta)
    check_float_sizes(theta)
    ranks = attention_ranks(arch, theta, gap)
    virtual = Ranks.of(theta, gap)
    if arch.tokens == 1:
        return UnknownFiber(arch, theta, ranks, ("t >= 2: with one token only the symmetric parts of the A_i count",))
    if arch.layers == 1:
        if 0 in (*virtual.M, virtual.L):
            return ZeroFiber(arch, theta, ranks)
    else:
        reasons = (
            *failing_torus(virtual, theta.field),
            *failing_gauge(arch, theta, gap),
        )
        if reasons:
            return UnknownFiber(arch, theta, ranks, reasons)
    swaps = virtual.M[-1] == virtual.L == 1 and not parallel(*verbs.convert(theta, VirtualWeights).elements[-2:])
    return SwapFiber(arch, theta, ranks) if swaps else OrbitFiber(arch, theta, ranks)


def parallel(A: Elements, V: Elements) -> bool:
    """Return whether the column space of A = k q^T is the row space of V = v h^T, both of rank one."""
    k, h = (Elements(A.field, lines(matrix)) for matrix in (A, V.T))
    return row_form(Elements(A.field, np.hstack([k.raw, h.raw]))).rank == 1


def lines(matrix: Elements) -> np.ndarray:
    """Return the largest column of a matrix of rank one, over the reals at size one; over GF(p) one that is
    not zero.
    """
    if matrix.field.exact:
        return np.array(matrix.raw[:, (matrix.raw != 0).any(axis=0)][:, :1])
    return np.linalg.svd(matrix.raw)[0][:, :1]


def failing_torus(virtual: Ranks, field: Field) -> Iterator[str]:
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
