"""A point of a lightning or normalised network, with the ranks on which its fibre depends."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import prod
from typing import Any

from algatt import verbs
from algatt.architectures import AttentionNetwork
from algatt.architectures.base import check_fits
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.geometry.equality.rounding import check_float_sizes, sizes_of
from algatt.geometry.fibres.factorizations import Factorizations, random_factorization
from algatt.geometry.fibres.fiber import Fiber
from algatt.linalg.row_form import row_rank
from algatt.parameters import AttentionMatrix, VirtualWeights, Weights
from algatt.symmetry import KeyQuery
from algatt.symmetry.named.spaces import NamedSpaces


@dataclass(frozen=True)
class WeightRanks:
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


@dataclass(frozen=True, eq=False)
class AttentionPoint:
    """A point in one of the three coordinate systems of a network of HMK.

    Parameters
    ----------
    arch : AttentionNetwork
        The network.
    theta : Parameters
        The point.
    gap : float or None
        What decides ranks over the reals.
    attention_ranks : tuple of int
        The ranks of the A_i; of the M_i on virtual weights.
    """

    arch: AttentionNetwork
    theta: Any
    gap: float | None
    attention_ranks: tuple[int, ...]

    @classmethod
    def of(cls, arch: AttentionNetwork, theta: Any, gap: float | None) -> AttentionPoint:
        """Return a point of a network, with the ranks of its A_i; of its M_i on virtual weights.

        Raises
        ------
        InvalidArgument
            If the network has no such point.
        RankUndecided
            Over the reals, if a rank is undecided.
        """
        check_fits(arch, theta)
        check_float_sizes(theta)
        kind = VirtualWeights if isinstance(theta, VirtualWeights) else AttentionMatrix
        arrays = verbs.convert(theta, kind).elements
        sized = list(zip(arrays, sizes_of(theta, kind), strict=True))
        matrices = sized[:-1] if kind is VirtualWeights else sized[::2]
        ranks = tuple(row_rank(matrix, gap, size=size) for matrix, size in matrices)
        reach = arch.dims if kind is AttentionMatrix else tuple(accumulate(arch.dims, min))
        for i, (rank, a, r) in enumerate(zip(ranks, arch.ranks, reach, strict=False), start=1):
            if rank > min(a, r):
                name = f"{'M' if kind is VirtualWeights else 'A'}_{i}"
                raise InvalidArgument(
                    "theta", f"with {name} of rank {rank}", f"with one of rank at most {min(a, r)}, as in {arch}"
                )
        return cls(arch, theta, gap, ranks)

    @functools.cached_property
    def ranks(self) -> WeightRanks:
        """The ranks of the virtual weights."""
        *M, L = verbs.convert(self.theta, VirtualWeights).elements
        *sizes, last = sizes_of(self.theta, VirtualWeights)
        return WeightRanks(
            tuple(row_rank(matrix, self.gap, size=size) for matrix, size in zip(M, sizes, strict=True)),
            tuple(row_rank(matrix + matrix.T, self.gap, size=size) for matrix, size in zip(M, sizes, strict=True)),
            row_rank(L, self.gap, size=last),
        )

    @property
    def finite_up_to_scale(self) -> bool:
        """Whether no gauge acts in these coordinates."""
        one_layer = self.arch.layers == 1 and isinstance(self.theta, AttentionMatrix)
        return one_layer or isinstance(self.theta, VirtualWeights)

    @property
    def gauges(self) -> int:
        """The dimension of the changes of bases between the layers that act in these coordinates."""
        return 0 if self.finite_up_to_scale else sum(d * d for d in self.arch.dims[1:-1])

    @property
    def factorizations(self) -> tuple[Factorizations, ...]:
        """On `Weights`, for each layer the pairs (K_i, Q_i) of one A_i; empty in the other coordinates."""
        if not isinstance(self.theta, Weights):
            return ()
        sizes = zip(self.arch.ranks, self.arch.dims, self.attention_ranks, strict=False)
        return tuple(Factorizations(a, d, rho) for a, d, rho in sizes)

    def failing_gauge(self) -> Iterator[str]:
        """Iterate over the hypotheses of HMK Lemma 3.5 that fail; it says nothing of virtual weights."""
        if isinstance(self.theta, VirtualWeights):
            return
        dims = self.arch.dims
        interior = set(dims[1:-1])
        delta = max(interior)
        if len(interior) > 1 or delta > min(dims[0], dims[-1]):
            yield f"equal interior widths, at most d_0 and d_l, but the widths are {dims}"
            return
        for i, layer in enumerate(self.theta.layer_elements, start=1):
            rank = row_rank(layer.V, self.gap)
            if rank < delta:
                yield f"rk V_{i} = {delta}, but it is {rank}"

    def refactor(self, theta: Any, seed: int) -> Any:
        """Return a point with other pairs (K_i, Q_i) of the same A_i, if it has such pairs."""
        if not isinstance(theta, Weights):
            return theta
        arrays: list[Elements] = []
        for i, (Q, K, V) in enumerate(theta.layer_elements, start=1):
            arrays += [*random_factorization(K.T @ Q, Q.shape[0], seed, f"fiber/factorization/{i}"), V]
        return Weights(tuple(arrays))

    def moved_by_gauges(self, seed: int) -> Any:
        """Return the point after a random change of the bases between the layers, and a random rescaling if the
        architecture has any.
        """
        theta = self.theta
        for family in verbs.symmetries(self.arch):
            if isinstance(family, NamedSpaces) and not isinstance(family, KeyQuery):
                theta = verbs.act(family.element(theta, seed), theta)
        return theta

    def orbit(self, seed: int) -> Any:
        """Return a random point of the orbit of the gauges and rescalings, with any factorizations."""
        return self.refactor(self.moved_by_gauges(seed), seed)

    def fiber(
        self,
        case: str,
        theorem: str | None,
        draw: Callable[[int], Any],
        *,
        matrices: int = 0,
        orbits: int = 1,
        points: int | None = None,
    ) -> Fiber:
        """Return the fibre of points that differ by attention matrices, by the gauges, and by factorizations.

        Parameters
        ----------
        case, theorem, draw
            As `Fiber` has them.
        matrices : int, optional
            The dimension of the set of virtual weights of the function.
        orbits : int, optional
            The number of irreducible components of that set.
        points : int, optional
            The number of its points up to rescaling, if that is finite.
        """
        return Fiber(
            self.arch,
            self.theta,
            case,
            draw,
            theorem,
            matrices + self.gauges + sum(one.dimension for one in self.factorizations),
            orbits * prod(one.components for one in self.factorizations),
            points if self.finite_up_to_scale else None,
        )

    def unknown(self, *reasons: str) -> Fiber:
        """Return the fibre that no theorem describes, as hypotheses fail."""
        return Fiber(
            self.arch,
            self.theta,
            "outside of the theorems' hypotheses",
            self.move_by_symmetries,
            failing_hypotheses=reasons,
        )

    def move_by_symmetries(self, seed: int) -> Any:
        """Return a random point of the orbit of the known symmetries through the point; the fibre may be larger."""
        theta = self.moved_by_gauges(seed)
        if isinstance(theta, Weights):
            for family in verbs.symmetries(self.arch):
                moved = verbs.act(family.element(theta, seed), theta)
                if verbs.has_function(self.arch, moved):  # scores that nobody sees may come out without weights
                    theta = moved
        return theta
