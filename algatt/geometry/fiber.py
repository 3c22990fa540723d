"""The fibres of the parametrization: all parameters of one function."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning, Normalized
from algatt.architectures.base import check_fits
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field, PrimeField
from algatt.geometry.factorizations import Factorizations, random_factorization
from algatt.geometry.rounding import check_float_sizes, sizes_of
from algatt.linalg.row_form import row_form
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights, Weights
from algatt.randomness import check_seed
from algatt.symmetry import Interlayer, InterlayerElement, Rescaling, RescalingElement, ScoreRescaling, ScoreRescalingElement, SwapElement

__all__ = ["Fiber", "OrbitFiber", "Ranks", "SwapFiber", "UnknownFiber", "ZeroFiber", "attention_ranks", "failing_gauge", "moved_by_gauges"]


@dataclass(frozen=True, eq=False, repr=False)
class Fiber(ABC):
    """All parameters, in one coordinate system, that define the function of one point.

    Parameters
    ----------
    arch : Lightning or Normalized
        The network.
    theta : Parameters
        The point.
    ranks : tuple of int
        The ranks of the attention matrices A_i (of the virtual weights M_i in these coordinates).
    """

    arch: Lightning | Normalized
    theta: Parameters
    ranks: tuple[int, ...]

    @property
    @abstractmethod
    def case(self) -> str:
        """Which case of the theorems this is, in words."""

    @property
    @abstractmethod
    def theorem(self) -> str | None:
        """The theorem that describes the fibre, or None."""

    @property
    @abstractmethod
    def dimension(self) -> int | None:
        """Dimension of the fibre, or None where no theorem tells it."""

    @property
    @abstractmethod
    def components(self) -> int | None:
        """The number of irreducible components over an algebraically closed field, or None where no theorem tells it."""

    @property
    @abstractmethod
    def projective_cardinality(self) -> int | None:
        """The number of points up to rescaling, 1 or 2, where it is finite: for one layer but not on `Weights`, and on `VirtualWeights`."""

    @abstractmethod
    def sample(self, seed: int = 0) -> Any:
        """Return a random point of the fibre, in the coordinates of `theta`."""

    @property
    def failing_hypotheses(self) -> tuple[str, ...]:
        """The hypotheses of the theorems that fail at this point."""
        return ()

    @property
    def coordinates(self) -> type[Parameters]:
        """The coordinate system."""
        return type(self.theta)

    @property
    def status(self) -> str:
        """``proven`` over GF(p), ``numerical`` over the reals, where ranks are decided by gaps; ``unknown`` where no theorem applies.

        Over a small field it is about polynomials, which values at points of the field may not tell apart.
        """
        if self.theorem is None:
            return "unknown"
        return "proven" if isinstance(self.theta.field, PrimeField) else "numerical"

    def contains(self, theta2: Parameters) -> bool:
        """Say whether parameters, in any coordinates, define the same function; raises what `algatt.same_function` does."""
        return bool(verbs.same_function(self.arch, self.theta, theta2).equal)

    def to_dict(self) -> dict[str, Any]:
        """Return the fibre as plain values for JSON."""
        return {
            "case": self.case,
            "status": self.status,
            "theorem": self.theorem,
            "coordinates": self.coordinates.__name__,
            "dimension": self.dimension,
            "components": self.components,
            "projective_cardinality": self.projective_cardinality,
            "failing_hypotheses": list(self.failing_hypotheses),
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.case!r}, {self.coordinates.__name__}, dimension={self.dimension}, components={self.components})"

    @property
    def finite_up_to_scale(self) -> bool:
        """Whether no gauge acts in these coordinates."""
        return isinstance(self.theta, VirtualWeights) or (self.arch.layers == 1 and isinstance(self.theta, AttentionMatrix))

    @property
    def factorizations(self) -> tuple[Factorizations, ...]:
        """On `Weights`, for each layer the pairs (K_i, Q_i) of one A_i; empty in the other coordinates."""
        if not isinstance(self.theta, Weights):
            return ()
        return tuple(Factorizations(a, d, rho) for a, d, rho in zip(self.arch.ranks, self.arch.dims, self.ranks, strict=False))

    def refactored(self, theta: Any, seed: int) -> Any:
        """Return the point with other pairs (K_i, Q_i) of the same A_i, if it has such pairs."""
        if not isinstance(theta, Weights):
            return theta
        arrays: list[Elements] = []
        for i, (Q, K, V) in enumerate(theta.layer_elements, start=1):
            arrays += [*random_factorization(K.T @ Q, Q.shape[0], seed, f"fiber/factorization/{i}"), V]
        return Weights(tuple(arrays))


@dataclass(frozen=True, eq=False, repr=False)
class OrbitFiber(Fiber):
    """The fibre of generic points: one orbit of the rescalings and the interlayer gauge; on `Weights` with all factorizations of the A_i."""

    @property
    def case(self) -> str:
        return "one orbit"

    @property
    def theorem(self) -> str | None:
        if self.arch.layers == 1:
            return "HMK Theorem 3.2"
        return "HMK Theorem 3.7" if isinstance(self.theta, VirtualWeights) else "HMK Theorem 3.7 and Lemma 3.5"

    @property
    def dimension(self) -> int:
        """One for each layer, the squares of the interior widths, and what the factorizations add (on generic `Weights` a_i^2 each)."""
        gauge = 0 if isinstance(self.theta, VirtualWeights) else sum(d * d for d in self.arch.dims[1:-1])
        return self.arch.layers + gauge + sum(factorization.dimension for factorization in self.factorizations)

    @property
    def components(self) -> int:
        """The product of the numbers for the factorizations; one orbit is irreducible."""
        return int(np.prod([factorization.components for factorization in self.factorizations], dtype=int))

    @property
    def projective_cardinality(self) -> int | None:
        return 1 if self.finite_up_to_scale else None

    def sample(self, seed: int = 0) -> Any:
        return self.refactored(moved_by_gauges(self.arch, self.theta, check_seed(seed)), seed)


@dataclass(frozen=True, eq=False, repr=False)
class SwapFiber(OrbitFiber):
    """The fibre of one layer with A = k q^T, V = v h^T of rank one, k and h not parallel: two orbits, exchanged by the swap.

    On `VirtualWeights` of several layers the same happens where M_l and L have rank one (derived; HMK Theorem 3.7 needs it as a hypothesis).
    """

    @property
    def case(self) -> str:
        return "two orbits, exchanged by the swap"

    @property
    def theorem(self) -> str | None:
        return "HMK Theorem 3.2" if self.arch.layers == 1 else "HMK Theorem 3.7, and Theorem 3.2 for the last layer (derived)"

    @property
    def components(self) -> int:
        """Twice the number for the factorizations."""
        return 2 * super().components

    @property
    def projective_cardinality(self) -> int | None:
        return 2 if self.finite_up_to_scale else None

    def sample(self, seed: int = 0) -> Any:
        theta = self.refactored(moved_by_gauges(self.arch, self.theta, check_seed(seed)), seed)
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
        return 1 + (Factorizations(self.arch.ranks[0], self.arch.dims[0], 0).components if isinstance(self.theta, Weights) else 1)

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


@dataclass(frozen=True, eq=False, repr=False)
class UnknownFiber(Fiber):
    """A fibre that no theorem known here describes, with the hypotheses that fail and bounds at the point.

    Parameters
    ----------
    reasons : tuple of str
        The hypotheses that fail.
    """

    reasons: tuple[str, ...]

    @property
    def case(self) -> str:
        return "outside of the theorems' hypotheses"

    @property
    def theorem(self) -> str | None:
        return None

    @property
    def dimension(self) -> int | None:
        return None

    @property
    def lower(self) -> int:
        """The dimension of the orbit of the known symmetries through the point, which lies in the fibre."""
        return int(verbs.orbit_dimension(self.arch, self.theta))

    @property
    def components(self) -> int | None:
        return None

    @property
    def projective_cardinality(self) -> int | None:
        return None

    @property
    def failing_hypotheses(self) -> tuple[str, ...]:
        return self.reasons

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "lower": self.lower}

    def sample(self, seed: int = 0) -> Any:
        """Return a random point of the orbit of the known symmetries through the point; the fibre may be larger."""
        theta = moved_by_gauges(self.arch, self.theta, check_seed(seed))
        if isinstance(theta, Weights):
            for family in verbs.symmetries(self.arch):
                theta = verbs.act(family.element(theta, seed), theta)
        return theta


def coin(seed: int, label: str, sides: int) -> int:
    """Return a random number below `sides` from the stream of a seed."""
    return int(verbs.draw_array(PrimeField(), shape=(), seed=seed, label=label)) % sides


def moved_by_gauges(arch: Lightning | Normalized, theta: Any, seed: int) -> Any:
    """Move a point by a random rescaling, if the architecture has any, and a random change of the bases between the layers."""
    theta = verbs.act(InterlayerElement.random(theta.field, Interlayer(arch).sizes, seed, "fiber/interlayer"), theta)
    if isinstance(arch, Lightning):
        return verbs.act(RescalingElement.random(theta.field, Rescaling(arch).sizes, seed, "fiber/rescaling"), theta)
    if not arch.score.homogeneous:
        return theta
    return verbs.act(ScoreRescalingElement.random(theta.field, ScoreRescaling(arch).sizes, seed, "fiber/rescaling"), theta)


def attention_ranks(arch: Lightning | Normalized, theta: Any, gap: float) -> tuple[int, ...]:
    """Return the ranks of the A_i, or of the M_i; raise `InvalidArgument` unless the architecture can have them."""
    kind = VirtualWeights if isinstance(theta, VirtualWeights) else AttentionMatrix
    arrays = verbs.convert(theta, kind).elements
    sized = list(zip(arrays, sizes_of(theta, kind), strict=True))
    ranks = tuple(row_form(matrix, gap, size=size).rank for matrix, size in (sized[:-1] if kind is VirtualWeights else sized[::2]))
    reach = arch.dims if kind is AttentionMatrix else tuple(accumulate(arch.dims, min))
    for i, (rank, a, r) in enumerate(zip(ranks, arch.ranks, reach, strict=False), start=1):
        if rank > min(a, r):
            name = f"{'M' if kind is VirtualWeights else 'A'}_{i}"
            raise InvalidArgument("theta", f"with {name} of rank {rank}", f"with one of rank at most {min(a, r)}, as in {arch}")
    return ranks


@dataclass(frozen=True)
class Ranks:
    """Ranks of virtual weights and their sums, decided once beside the sizes of what was multiplied.

    Parameters
    ----------
    M : tuple of int
        rk M_i.
    symmetric : tuple of int
        rk (M_i + M_i^T).
    L : int
        rk L.
    """

    M: tuple[int, ...]
    symmetric: tuple[int, ...]
    L: int

    @classmethod
    def of(cls, theta: Any, gap: float) -> Ranks:
        """Decide the ranks of the virtual weights of a point."""
        *M, L = verbs.convert(theta, VirtualWeights).elements
        *sizes, last = sizes_of(theta, VirtualWeights)
        return cls(
            tuple(row_form(matrix, gap, size=size).rank for matrix, size in zip(M, sizes, strict=True)),
            tuple(row_form(matrix + matrix.T, gap, size=size).rank for matrix, size in zip(M, sizes, strict=True)),
            row_form(L, gap, size=last).rank,
        )


@verbs.fiber.method
def fiber_of_lightning(arch: Lightning, theta: Parameters, *, gap: float = 1e3) -> Fiber:
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
        reasons = (*failing_torus(virtual, theta.field), *(() if isinstance(theta, VirtualWeights) else failing_gauge(arch, theta, gap)))
        if reasons:
            return UnknownFiber(arch, theta, ranks, reasons)
    swaps = virtual.M[-1] == virtual.L == 1 and not parallel(*verbs.convert(theta, VirtualWeights).elements[-2:])
    return SwapFiber(arch, theta, ranks) if swaps else OrbitFiber(arch, theta, ranks)


def parallel(A: Elements, V: Elements) -> bool:
    """Say whether the column space of A = k q^T is the row space of V = v h^T, both of rank one."""
    k, h = (Elements(A.field, lines(matrix)) for matrix in (A, V.T))
    return row_form(Elements(A.field, np.hstack([k.raw, h.raw]))).rank == 1


def lines(matrix: Elements) -> np.ndarray:
    """Return the largest column of a matrix of rank one, over the reals at size one; over GF(p) one that is not zero."""
    if isinstance(matrix.field, PrimeField):
        return np.array(matrix.raw[:, (matrix.raw != 0).any(axis=0)][:, :1])
    return np.linalg.svd(matrix.raw)[0][:, :1]


def failing_torus(virtual: Ranks, field: Field) -> Iterator[str]:
    """Iterate over the hypotheses of HMK Theorem 3.7 that fail; our proof of it divides by 2 and 3."""
    if isinstance(field, PrimeField) and field.p <= 3:
        yield f"a characteristic other than 2 and 3, but the field is {field}"
    if virtual.L == 0:
        yield "L != 0"
    for i, rank in enumerate(virtual.symmetric, start=1):
        if rank == 0:
            yield f"M_{i} is not skew-symmetric"
    for i, rank in enumerate(virtual.M[:-1], start=1):
        if rank < 2:
            yield f"rk M_{i} >= 2, but it is {rank}"


def failing_gauge(arch: Lightning | Normalized, theta: Any, gap: float) -> Iterator[str]:
    """Iterate over the hypotheses of HMK Lemma 3.5 that fail."""
    interior = set(arch.dims[1:-1])
    delta = max(interior)
    if len(interior) > 1 or delta > min(arch.dims[0], arch.dims[-1]):
        yield f"equal interior widths, at most d_0 and d_l, but the widths are {arch.dims}"
        return
    for i, layer in enumerate(theta.layer_elements, start=1):
        rank = row_form(layer.V, gap).rank
        if rank < delta:
            yield f"rk V_{i} = {delta}, but it is {rank}"
