"""The ranks at a point on which its fibre depends, and the hypotheses of HMK Lemma 3.5 about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from algatt import verbs
from algatt.architectures import AttentionNetwork
from algatt.errors import InvalidArgument
from algatt.geometry.equality.rounding import sizes_of
from algatt.linalg.row_form import row_form
from algatt.parameters import AttentionMatrix, VirtualWeights

__all__ = ["Ranks", "attention_ranks", "failing_gauge"]


def attention_ranks(arch: AttentionNetwork, theta: Any, gap: float | None) -> tuple[int, ...]:
    """Return the ranks of the A_i, or of the M_i; raise `InvalidArgument` unless the architecture can have them."""
    kind = VirtualWeights if isinstance(theta, VirtualWeights) else AttentionMatrix
    arrays = verbs.convert(theta, kind).elements
    sized = list(zip(arrays, sizes_of(theta, kind), strict=True))
    ranks = tuple(
        row_form(matrix, gap, size=size).rank for matrix, size in (sized[:-1] if kind is VirtualWeights else sized[::2])
    )
    reach = arch.dims if kind is AttentionMatrix else tuple(accumulate(arch.dims, min))
    for i, (rank, a, r) in enumerate(zip(ranks, arch.ranks, reach, strict=False), start=1):
        if rank > min(a, r):
            name = f"{'M' if kind is VirtualWeights else 'A'}_{i}"
            raise InvalidArgument(
                "theta", f"with {name} of rank {rank}", f"with one of rank at most {min(a, r)}, as in {arch}"
            )
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
    def of(cls, theta: Any, gap: float | None) -> Ranks:
        """Decide the ranks of the virtual weights of a point."""
        *M, L = verbs.convert(theta, VirtualWeights).elements
        *sizes, last = sizes_of(theta, VirtualWeights)
        return cls(
            tuple(row_form(matrix, gap, size=size).rank for matrix, size in zip(M, sizes, strict=True)),
            tuple(row_form(matrix + matrix.T, gap, size=size).rank for matrix, size in zip(M, sizes, strict=True)),
            row_form(L, gap, size=last).rank,
        )


def failing_gauge(arch: AttentionNetwork, theta: Any, gap: float | None) -> Iterator[str]:
    """Iterate over the hypotheses of HMK Lemma 3.5 that fail; it says nothing of virtual weights."""
    if isinstance(theta, VirtualWeights):
        return
    interior = set(arch.dims[1:-1])
    delta = max(interior)
    if len(interior) > 1 or delta > min(arch.dims[0], arch.dims[-1]):
        yield f"equal interior widths, at most d_0 and d_l, but the widths are {arch.dims}"
        return
    for i, layer in enumerate(theta.layer_elements, start=1):
        rank = row_form(layer.V, gap).rank
        if rank < delta:
            yield f"rk V_{i} = {delta}, but it is {rank}"
