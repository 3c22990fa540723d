"""Networks of one layer that a test writes as a function of its tensors and the input, and what types alone say of a
network.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import algatt
from algatt import verbs
from algatt.fields import Elements
from algatt.layers import Layer, Tensors
from algatt.maps import program
from algatt.symmetry.motions.solving import solve_types
from algatt.symmetry.quotients.gains import Fold
from algatt.symmetry.spaces import SpaceSymmetry


@dataclass(frozen=True, repr=False)
class Written(Layer):
    """The layer X -> function(tensors, X)."""

    shapes: tuple[tuple[str, tuple[int, ...]], ...]
    function: Callable[[Any, Elements], Elements]

    @property
    def name(self) -> str:
        return ""  # so that tensors have the names that the test gives them


@verbs.tensors.method
def tensors_of_written(layer: Written, shape: tuple) -> dict[str, tuple[int, ...]]:
    return dict(layer.shapes)


@verbs.apply.method
def apply_written(layer: Written, w: Tensors, X: Elements) -> Elements:
    return layer.function(w, X)


def written(
    tensors: dict[str, tuple[int, ...]], function: Callable[[Any, Elements], Elements], width: int = 3, tokens: int = 2
) -> algatt.Network:
    """Return the network of a function of tensors of given shapes and an input."""
    return algatt.Network(Written(tuple(tensors.items()), function), tokens=tokens, width=width)


def spaces_by_types(net: algatt.Network) -> list[SpaceSymmetry]:
    """Return what types say of a network as it is written, before gains are folded."""
    solutions = solve_types(program(net), verbs.coordinates(net))
    return [SpaceSymmetry(net, str(n), one, Fold(())) for n, one in enumerate(solutions)]
