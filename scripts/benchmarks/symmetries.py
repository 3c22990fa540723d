"""Symmetries of networks: exactly, at small sizes, and on symbols, at those of models that are used."""

from __future__ import annotations

from typing import Any

import algatt
from algatt.layers import Causal, Embedding, Feedforward, Heads, Residual, RMSNorm, Rotary, SiLU, Unembedding
from algatt.symmetry import SymmetryReport, symbolic_symmetries
from benchmarks.figures import Figure, median_of
from benchmarks.others import say
from benchmarks.plan import Plan
from benchmarks.timing import processor_seconds_of, seconds_of

__all__ = ["measure"]

WIDE: dict[str, int] = {
    "blocks": 12,
    "width": 64,
    "heads": 8,
    "key_heads": 8,
    "head_width": 8,
    "hidden": 172,
    "vocabulary": 100,
}

LLAMA_3_70B: dict[str, int] = {
    "blocks": 80,
    "width": 8192,
    "heads": 64,
    "key_heads": 8,
    "head_width": 128,
    "hidden": 28672,
    "vocabulary": 128256,
}

SMALL: dict[str, int] = {
    "blocks": 12,
    "width": 8,
    "heads": 2,
    "key_heads": 1,
    "head_width": 4,
    "hidden": 16,
    "vocabulary": 10,
}


def measure(plan: Plan) -> list[Figure]:
    """Time the types of twelve blocks of width 8, all that is said of families of width 64, and the symmetries of Llama
    3 70B's shape, with gains and without.
    """
    figures = []
    for gain in (False, True):
        name = "with gains" if gain else "without gains"
        say(f"12 blocks of width 8, {name}")
        small = llama(gain, **SMALL)
        found = [seconds_of(lambda small=small: spaces_afresh(small)) for _ in range(plan.runs)]
        figures.append(median_of(f"12 blocks of width 8, {name}: all spaces, exactly", found, "s", 2.0))
        say(f"12 blocks of width 64, {name}")
        wide = llama(gain, **WIDE)
        told = [processor_seconds_of(lambda wide=wide: families_afresh(wide)) for _ in range(plan.runs)]
        figures.append(median_of(f"12 blocks of width 64, {name}: families, their table, the report", told, "s", 5.0))
        say(f"Llama 3 70B's shape, {name}")
        large = llama(gain, **LLAMA_3_70B)
        symbolic = [seconds_of(lambda large=large: symbolic_symmetries(large)) for _ in range(plan.runs)]
        figures.append(median_of(f"Llama 3 70B's shape, {name}: group and orbits on symbols", symbolic, "s", 1.0))
    return figures


def llama(
    gain: bool, *, blocks: int, width: int, heads: int, key_heads: int, head_width: int, hidden: int, vocabulary: int
) -> algatt.Network:
    """Return a network of the shape of Llama 3."""
    norm = RMSNorm(gain=gain)
    attention = Heads(heads, key_heads=key_heads, width=head_width, mask=Causal(), position=Rotary())
    block = Residual(norm >> attention) >> Residual(norm >> Feedforward(hidden, SiLU(), gated=True))
    return algatt.Network(Embedding(vocabulary, width) >> blocks * block >> norm >> Unembedding(vocabulary), tokens=2)


def spaces_afresh(net: algatt.Network) -> Any:
    """Return the exact solutions of the equations of types."""
    from algatt.symmetry.motions.solving import solve_types

    return solve_types(algatt.maps.program(net), algatt.coordinates(net))


def families_afresh(net: algatt.Network) -> str:
    """Return the families with their dimensions and the report of a network as texts, of nothing that is remembered."""
    from algatt.symmetry.base import random_weights
    from algatt.symmetry.spaces import spaces_of

    for remembered in (spaces_of, random_weights):
        remembered.cache_clear()
    families = algatt.symmetries(net)
    return repr(families) + "".join(str(one.dimension) for one in families) + str(SymmetryReport.of(net))
