"""One block several times."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from algatt import verbs
from algatt.arguments import instance, whole
from algatt.errors import WidthError
from algatt.fields import Elements
from algatt.layers.base import Combinator, Layer, Tensors
from algatt.layers.linear import Linear


@dataclass(frozen=True, repr=False)
class Repeat(Combinator):
    r"""The layer :math:`X \mapsto f(f(\cdots f(X)))`: one layer several times, always with the same tensors (Dehghani
    et al., arXiv 1807.03819; ALBERT, arXiv 1909.11942).

    It is what ``count * layer`` is with the tensors of all blocks tied to those of the first; their names are those of
    the layer.

    Parameters
    ----------
    layer : Layer
        The layer f, whose value is of the shape of its input.
    count : int
        How often it is applied.

    Raises
    ------
    InvalidArgument
        If it is no layer, or the count no integer >= 1; and, when a network is built, if its value has another shape
        than its input.
    """

    hoisted: ClassVar[bool] = True

    layer: Layer
    count: int

    def __post_init__(self) -> None:
        instance("layer", self.layer, Layer, "a layer")
        object.__setattr__(self, "count", whole("count", self.count))

    @property
    def parts(self) -> dict[str, Layer]:
        return {"layer": self.layer}

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(Linear(3, bias=True), 2), (3, 2)),)


@verbs.apply.method
def apply_repeat(layer: Repeat, w: Tensors, X: Elements) -> Elements:
    for _ in range(layer.count):
        value = w.layer(X)
        if value.shape[-2:] != X.shape[-2:]:
            given, asked = value.shape[-2:], X.shape[-2:]
            raise WidthError(layer.layer, f"a value of shape {given}", f"of shape {asked}, to be applied again")
        same = X.field.is_same(value.raw, X.raw)
        X = value
        if same:  # all that is known of it was asked for
            break
    return X
