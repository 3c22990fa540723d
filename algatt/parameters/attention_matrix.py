"""The coordinates after the first quotient: attention matrices and value matrices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from algatt.errors import InvalidArgument
from algatt.fields import Field, Reals
from algatt.parameters.base import Parameters, enter_arrays, listed


class AttentionMatrixLayer(NamedTuple):
    """The matrices of one layer: A of shape (d_{i-1}, d_{i-1}) and V of shape (d_i, d_{i-1})."""

    A: Any
    V: Any


@dataclass(frozen=True, eq=False, repr=False)
class AttentionMatrix(Parameters):
    """Attention matrices A_i = K_i^T Q_i (HMK Eq 3) and value matrices of every layer.

    Parameters
    ----------
    elements : tuple of Elements
        A_1, V_1, A_2, ...; A_i of shape (d_{i-1}, d_{i-1}), V_i of shape (d_i, d_{i-1}).

    Raises
    ------
    InvalidArgument
        If shapes or fields do not fit together.
    """

    @classmethod
    def of(cls, layers: Sequence[tuple[Any, Any]], *, field: Field | None = None) -> AttentionMatrix:
        """Build the coordinates from one pair (A, V) for each layer; arguments and errors as in `Weights.of`."""
        arrays: dict[str, Any] = {}
        for i, layer in enumerate(listed("layers", layers, "at least one pair (A, V)"), start=1):
            matrices = listed(f"layer {i}", layer, "a pair (A, V)", 2)
            arrays.update(zip((f"A_{i}", f"V_{i}"), matrices, strict=True))
        return cls(enter_arrays(arrays, field))

    @property
    def layer_elements(self) -> tuple[AttentionMatrixLayer, ...]:
        """The layers as `Elements`, for computing."""
        return tuple(AttentionMatrixLayer(*self.elements[i : i + 2]) for i in range(0, len(self.elements), 2))

    @property
    def layers(self) -> tuple[AttentionMatrixLayer, ...]:
        """The layers as public arrays: ``theta.layers[0].A``."""
        return tuple(AttentionMatrixLayer(*(element.public() for element in layer)) for layer in self.layer_elements)

    @property
    def widths(self) -> tuple[int, ...]:
        return self.elements[0].shape[1], *(layer.V.shape[0] for layer in self.layer_elements)

    def check_shapes(self) -> None:
        if len(self.elements) % 2:
            raise InvalidArgument("elements", f"{len(self.elements)} arrays", "A and V for every layer")
        width = self.elements[0].shape[1]
        for i, (A, V) in enumerate(self.layer_elements, start=1):
            if A.shape != (width, width):
                raise InvalidArgument(f"A_{i}", f"of shape {A.shape}", f"of shape {(width, width)}")
            if V.shape[1] != width:
                raise InvalidArgument(f"V_{i}", f"of shape {V.shape}", f"of shape (d_{i}, {width})")
            width = V.shape[0]

    def names(self) -> tuple[str, ...]:
        return tuple(f"{letter}_{i + 1}" for i in range(len(self.elements) // 2) for letter in "AV")

    def summary(self) -> str:
        return f"dims={self.widths}"

    @classmethod
    def examples(cls) -> Iterable[AttentionMatrix]:
        return (cls.of([([[1.0, 2.0], [0.0, 1.0]], [[1.0, 0.0], [3.0, 1.0], [0.0, 1.0]])], field=Reals()),)
