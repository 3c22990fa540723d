"""The coordinates that are trained: query, key and value matrices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from algatt.errors import InvalidArgument
from algatt.fields import Field, Reals
from algatt.parameters.base import Parameters, enter_arrays, listed

__all__ = ["Weights", "WeightsLayer"]


class WeightsLayer(NamedTuple):
    """The matrices of one layer: Q and K of shape (a_i, d_{i-1}), V of shape (d_i, d_{i-1})."""

    Q: Any
    K: Any
    V: Any


@dataclass(frozen=True, eq=False, repr=False)
class Weights(Parameters):
    """Query, key and value matrices of every layer (HMK, Section 2).

    Build them with `Weights.of` from matrices, or with `algatt.sample`.

    Parameters
    ----------
    elements : tuple of Elements
        Q_1, K_1, V_1, Q_2, ...; Q_i and K_i of shape (a_i, d_{i-1}), V_i of shape (d_i, d_{i-1}).

    Raises
    ------
    InvalidArgument
        If shapes or fields do not fit together.
    """

    @classmethod
    def of(cls, layers: Sequence[tuple[Any, Any, Any]], *, field: Field | None = None) -> Weights:
        """Build weights from one triple (Q, K, V) for each layer.

        Parameters
        ----------
        layers : sequence of (Q, K, V)
            Matrices: galois or numpy arrays, lists, or whatever numpy reads, as tensors of torch.
        field : Field, optional
            Read off the matrices unless given: GF(p) for galois arrays, the reals for others, with the `precision` of
            the least precise one.

        Raises
        ------
        InvalidArgument
            If an array is no matrix, has entries outside the field or NaN or infinity, or if the shapes do not fit together.
        """
        arrays: dict[str, Any] = {}
        for i, layer in enumerate(listed("layers", layers, "at least one triple (Q, K, V)"), start=1):
            matrices = listed(f"layer {i}", layer, "a triple (Q, K, V)", 3)
            arrays.update(zip((f"Q_{i}", f"K_{i}", f"V_{i}"), matrices, strict=True))
        return cls(enter_arrays(arrays, field))

    @property
    def layer_elements(self) -> tuple[WeightsLayer, ...]:
        """The layers as `Elements`, for computing."""
        return tuple(WeightsLayer(*self.elements[i : i + 3]) for i in range(0, len(self.elements), 3))

    @property
    def layers(self) -> tuple[WeightsLayer, ...]:
        """The layers as public arrays: ``theta.layers[0].Q``."""
        return tuple(WeightsLayer(*(element.public() for element in layer)) for layer in self.layer_elements)

    def check_shapes(self) -> None:
        if len(self.elements) % 3:
            raise InvalidArgument("elements", f"{len(self.elements)} arrays", "Q, K and V for every layer")
        width = self.elements[0].shape[1]
        for i, (Q, K, V) in enumerate(self.layer_elements, start=1):
            if Q.shape[1] != width:
                raise InvalidArgument(f"Q_{i}", f"of shape {Q.shape}", f"of shape (a_{i}, {width})")
            if K.shape != Q.shape:
                raise InvalidArgument(f"K_{i}", f"of shape {K.shape}", f"of the shape {Q.shape} of Q_{i}")
            if V.shape[1] != width:
                raise InvalidArgument(f"V_{i}", f"of shape {V.shape}", f"of shape (d_{i}, {width})")
            width = V.shape[0]

    def names(self) -> tuple[str, ...]:
        return tuple(f"{letter}_{i + 1}" for i in range(len(self.elements) // 3) for letter in "QKV")

    def summary(self) -> str:
        layers = self.layer_elements
        dims = (layers[0].V.shape[1], *(layer.V.shape[0] for layer in layers))
        return f"dims={dims}, ranks={tuple(layer.Q.shape[0] for layer in layers)}"

    @classmethod
    def examples(cls) -> Iterable[Weights]:
        two = [([[1.0, 2.0, 0.5]], [[0.0, 1.0, 3.0]], [[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]]), ([[2.0, 1.0]], [[1.0, 1.0]], [[1.0, 4.0]])]
        return (cls.of(two, field=Reals()),)
