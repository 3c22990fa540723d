"""A part of a network with a name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from algatt import verbs
from algatt.arguments import instance
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers.base import Combinator, Layer, Tensors
from algatt.layers.linear import Linear


@dataclass(frozen=True, repr=False)
class Named(Combinator):
    """A layer under a name of its own: the names of its tensors begin with the label, as ``label.linear.W``.

    Parameters
    ----------
    label : str
        The name: letters, digits and underscores.
    layer : Layer
        The layer.

    Raises
    ------
    InvalidArgument
        If the label is no such name, or the layer is none.
    """

    scoped: ClassVar[bool] = True

    label: str
    layer: Layer

    def __post_init__(self) -> None:
        if not isinstance(self.label, str) or not self.label.isidentifier():
            raise InvalidArgument("label", repr(self.label), "a name of letters, digits and underscores")
        instance("layer", self.layer, Layer, "a layer")

    @property
    def name(self) -> str:
        return self.label

    @property
    def parts(self) -> dict[str, Layer]:
        return {"": self.layer}

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls("map", Linear(3)), (3, 2)),)


@verbs.apply.method
def apply_named(layer: Named, w: Tensors, X: Elements) -> Elements:
    (function,) = w.parts
    return function(X)
