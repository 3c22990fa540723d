"""The components of a network by which its redundant parameters are told: a grouping of the spaces and quotients of its
symmetries, by the names of the tensors that they move. Nothing is counted here.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import prod

from algatt import verbs
from algatt.symmetry.symbolic.symbolic import SymbolicFamily, SymbolicSymmetries

TABLES = frozenset({"E", "P", "T", "p"})
"""The tensors of which rows are looked up: embeddings, positions, types of tokens."""

ORDER = (
    *("the stream", "latent vectors", "keys and queries", "values and outputs", "neurons", "gains", "biases", "means"),
    *("embedding and positions", "unembedding", "routers", "choices of experts", "entries that nothing reaches"),
)
"""In this order components are told, before others."""

FACTORS, COMMON = "factors", "in common"


@dataclass(frozen=True)
class Component:
    """A part of what is redundant.

    Parameters
    ----------
    name : str
        The component.
    redundant : int
        The number of parameters that it makes redundant. ``in common`` has what others count more than once, with a
        minus.
    families : int
        The number of its spaces and quotients, in all blocks together.
    """

    name: str
    redundant: int
    families: int


def components_of(found: SymbolicSymmetries) -> tuple[Component, ...]:
    """Return the components of symmetries; what they make redundant adds up to the dimension of the orbits.

    Each space and each quotient belongs to one of them. A space makes no more redundant than its tensors have entries,
    though a token that nothing reads may be moved by any matrix. Numbers that multiply several tensors without being a
    space are ``factors``, and what spaces, quotients and numbers have in common is ``in common``.
    """
    redundant, families = Counter[str](), Counter[str]()
    shapes = verbs.coordinates(found.architecture)
    names = [*map(component_of_space, found.spaces), *map(component_of_quotient, found.quotients)]
    for name, one in zip(names, found.families, strict=True):
        if one.dimension:
            most = min(one.dimension, sum(prod(shapes[tensor]) for tensor in one.tensors))
            redundant[name] += most * one.copies
            redundant[COMMON] += (one.dimension - most) * one.copies
            families[name] += one.copies
    redundant[FACTORS] += found.numbers
    redundant[COMMON] += found.orbit - found.dimension
    others = sorted(redundant.keys() - {*ORDER, FACTORS, COMMON})
    return tuple(
        Component(name, redundant[name], families[name])
        for name in (*ORDER, *others, FACTORS, COMMON)
        if redundant[name]
    )


def component_of_space(space: SymbolicFamily) -> str:
    """Return the component of a space: that of all tensors that it moves, the stream if they are in several blocks or
    some are embeddings, or else what the layer is called in which they are.
    """
    letters = {letter_of(tensor) for tensor in space.tensors}
    if not letters.isdisjoint(TABLES | {"U"}) or len({block_of(tensor) for tensor in space.tensors}) > 1:
        return "the stream"
    if not letters.isdisjoint({"C_Q", "C_K"}):
        return "latent vectors"
    in_norms = all(re.search(r"(query|key)_norm\.", tensor) for tensor in space.tensors)
    if in_norms or letters <= {"Q", "K", "R", "R_K"}:
        return "keys and queries"
    if letters <= {"V", "O"}:
        return "values and outputs"
    if letters <= {"up", "gate", "down"}:
        return "neurons"
    if letters == {"g"} or letters == {"g", "b"}:
        return "gains"
    return shared_layer(space.tensors)


def component_of_quotient(quotient: SymbolicFamily) -> str:
    """Return the component of a quotient, by the tensor that it may move by any vector, and how it does."""
    own = quotient.tensors[0]
    letter, bias = letter_of(own), bool(re.search(r"(^|\.)b(_[^.]*)?$", own))
    kind = quotient.name.partition(" ")[0] if quotient.name != own else ""
    if kind == "choices":
        return "choices of experts"
    if kind == "entries":
        return "entries that nothing reaches"
    if not kind:  # a gain that is folded, or the bias of a norm
        return "biases" if bias else "gains"
    if kind == "columns":
        return "biases" if bias else "means"
    if letter == "U":
        return "unembedding"
    if letter == "router":
        return "routers"
    if letter == "bias" or sum(letter_of(tensor) in TABLES for tensor in quotient.tensors) > 1:
        return "embedding and positions"
    return "means"


def letter_of(tensor: str) -> str:
    """Return what a tensor is called in its layer, without its number, and a bias as what it is added to."""
    return re.sub(r"_\d+$", "", tensor.rpartition(".")[2]).removeprefix("b_")


def block_of(tensor: str) -> str:
    """Return the numbers with which the path of a tensor begins."""
    return tensor.partition(".")[0] if tensor[:1].isdigit() else ""


def shared_layer(tensors: Iterable[str]) -> str:
    """Return what the layers are called, without numbers, in which tensors are."""
    paths = {tensor.rpartition(".")[0] for tensor in tensors}
    return " and ".join(sorted({re.sub(r"_\d+$", "", path.rpartition(".")[2]) for path in paths})) or "others"
