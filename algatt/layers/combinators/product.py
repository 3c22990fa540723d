"""Layers that are multiplied."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors
from algatt.layers.combinators.beside import Beside, values
from algatt.layers.linear import Linear

__all__ = ["Product"]


@dataclass(frozen=True, repr=False, init=False)
class Product(Beside):
    r"""The product :math:`X \mapsto f(X) * g(X)`, entry by entry, of a layer and its gate (Dauphin et al., arXiv
    1612.08083), as ``Linear(8) >> Sigmoid()``.

    Behind heads without output projection it is gated attention (Qiu et al., arXiv 2505.06708).

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
def apply_product(layer: Product, w: Tensors, X: Elements) -> Elements:
    total, *others = values(layer, w, X)
    for value in others:
        total = total * value
    return total
