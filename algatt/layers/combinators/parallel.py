"""Layers side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors
from algatt.layers.combinators.beside import Beside, values
from algatt.layers.linear import Linear

__all__ = ["Parallel"]


@dataclass(frozen=True, repr=False, init=False)
class Parallel(Beside):
    r"""The sum :math:`X \mapsto f(X) + g(X)`, as in the blocks of PaLM (Chowdhery et al., arXiv 2204.02311).

    Parameters
    ----------
    *layers : Layer
        The layers; their values have one shape.

    Raises
    ------
    InvalidArgument
        If they are not layers; and, when a network is built, if their values differ in shape.
    """

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(Linear(3), Linear(3)), (4, 2)),)


@verbs.apply.method
def apply_parallel(layer: Parallel, w: Tensors, X: Elements) -> Elements:
    total, *others = values(layer, w, X)
    for value in others:
        total = total + value
    return total
