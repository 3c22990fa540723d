"""Composition."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from algatt import verbs
from algatt.errors import WidthError
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors
from algatt.layers.combinators.base import Combinator, checked_layers
from algatt.layers.linear import Linear

__all__ = ["Chain"]


@dataclass(frozen=True, repr=False)
class Chain(Combinator):
    r"""The composition :math:`X \mapsto h(g(f(X)))` of layers, the first of them first; ``f >> g >> h`` makes it.

    Parameters
    ----------
    layers : sequence of Layer
        At least two.

    Raises
    ------
    InvalidArgument
        If they are not layers; and, when a network is built, if a layer does not take what the one before it returns.
    """

    hoisted: ClassVar[bool] = True

    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", checked_layers("layers", self.layers, 2))

    @classmethod
    def of(cls, first: Layer, second: Layer) -> Chain:
        """Compose two layers; chains in chains are flattened, since composition is associative."""
        return cls(tuple(part for one in (first, second) for part in (one.layers if isinstance(one, cls) else (one,))))

    @property
    def parts(self) -> dict[str, Layer]:
        return {str(number): layer for number, layer in enumerate(self.layers, start=1)}

    def __repr__(self) -> str:
        return " >> ".join(map(repr, self.layers))

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls((Linear(3), Linear(2))), (4, 2)),)


@verbs.apply.method
def apply_chain(layer: Chain, w: Tensors, X: Elements) -> Elements:
    before = None
    for part, function in zip(layer.layers, w.parts, strict=True):
        try:
            X = function(X)
        except WidthError as error:
            raise error.after(before) from None
        before = part
    return X
