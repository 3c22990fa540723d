"""Networks of decaying attention, by widths and ranks: a new architecture in one file."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from decay import Decay

import algatt
from algatt import verbs
from algatt.layers import Stack


@dataclass(frozen=True)
class Decaying(algatt.architectures.AttentionNetwork):
    """Layers of decaying attention with the widths d_0, ..., d_l and the ranks a_1, ..., a_l."""

    @classmethod
    def examples(cls) -> Iterable[Decaying]:
        return (cls((3, 2), (2,), 3), cls((4, 3, 4), (2, 2), 3), cls((4, 4, 4), (1, 3), 3))


@verbs.expression.method
def expression_of_decaying(arch: Decaying) -> algatt.Network:
    layers = [Decay(a, d) for a, d in zip(arch.ranks, arch.dims[1:], strict=True)]
    return algatt.Network(Stack(tuple(layers)), tokens=arch.tokens, width=arch.dims[0])
