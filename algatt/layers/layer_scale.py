"""A learned factor for each row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from algatt import verbs
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, TensorShape

__all__ = ["LayerScale"]


@dataclass(frozen=True, repr=False)
class LayerScale(Layer):
    r"""The layer :math:`x \mapsto \lambda * x`, at the end of a residual branch (Touvron et al., arXiv 2103.17239).

    Notes
    -----
    The tensor is ``g`` (d, 1), the vector lambda. In a network it is called ``scale``.
    """

    @property
    def name(self) -> str:
        return "scale"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(), (3, 2)),)


@verbs.tensors.method
def tensors_of_layer_scale(layer: LayerScale, shape: tuple) -> dict[str, TensorShape]:
    return {"g": (shape[0], 1)}


@verbs.apply.method
def apply_layer_scale(layer: LayerScale, w: Tensors, X: Elements) -> Elements:
    return w.g * X
