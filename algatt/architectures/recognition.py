"""Networks of layers that are those of HMK by another name: what theorems say of one holds for the other."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace

from algatt import verbs
from algatt.architectures.attention_network import AttentionNetwork
from algatt.architectures.attention_of_score import attention_of_score
from algatt.architectures.network import Arrangement, Network
from algatt.architectures.network import program as program_of
from algatt.errors import MethodError
from algatt.layers import Heads, Score
from algatt.layers.base import layout
from algatt.programs import Program
from algatt.programs.normal_form import TensorPart


@functools.lru_cache(maxsize=256)
def named_attention(arch: Network) -> Arrangement | None:
    """Return the network of `Lightning` or `Normalized` whose program a network of layers has but for the names of its
    tensors, with the tensors of both; None if there is none.
    """
    shapes = list(verbs.coordinates(arch).values())
    if arch.vocabulary is not None or len(shapes) % 3 or any(len(shape) != 2 for shape in shapes):
        return None
    triples = list(zip(shapes[::3], shapes[1::3], shapes[2::3], strict=True))
    dims = (arch.width or 0, *(V[0] for _, _, V in triples))
    for score in dict.fromkeys(scores_of(arch)):
        named = attention_of_score(dims, [Q[0] for Q, _, _ in triples], arch.tokens, score)
        if list(verbs.coordinates(named).values()) == shapes and are_one_program(arch, named):
            names = zip(verbs.coordinates(named), verbs.coordinates(arch).items(), strict=True)
            parts = [TensorPart(new, old, tuple(range(n)), tuple(range(m))) for new, (old, (n, m)) in names]
            return Arrangement(arch, named, tuple(parts))
    return None


def scores_of(arch: Network) -> Iterator[Score | None]:
    """Iterate over the scores of the heads of a network, None for those that are not normalised."""
    for node in layout(arch.layers).walk():
        if isinstance(node.layer, Heads):
            yield node.layer.score if isinstance(node.layer.score, Score) else None


def are_one_program(arch: Network, named: AttentionNetwork) -> bool:
    """Return whether two networks with equally many tensors have one program but for their names."""
    try:
        one, two = program_of(arch), program_of(named)
    except MethodError:
        return False
    return numbered(one, list(verbs.coordinates(arch))) == numbered(two, list(verbs.coordinates(named)))


def numbered(program: Program, names: list[str]) -> Program:
    """Return a program whose tensors have their places among names as names."""
    instructions = tuple(
        replace(one, argument=str(names.index(one.argument))) if one.operation == "tensor" else one
        for one in program.instructions
    )
    return replace(program, instructions=instructions)
