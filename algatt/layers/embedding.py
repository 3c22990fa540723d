"""From tokens to vectors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from algatt import verbs
from algatt.arguments import exact, not_negative, whole
from algatt.errors import WidthError
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, TensorShape


@dataclass(frozen=True, repr=False)
class Embedding(Layer):
    r"""The layer that gives every token its vector (Bengio et al., 2003, A neural probabilistic language model).

    It is :math:`X \mapsto E^T X` for the matrix X whose columns are the unit vectors of the tokens. A network that
    begins with it takes the numbers of the tokens, 0, ..., V - 1, as its input.

    Parameters
    ----------
    vocabulary : int
        The number V of tokens.
    width : int
        The width d of the vectors.
    scale : int, float or Fraction, optional
        A factor of the vectors, as the root of d in Gemma; 1 unless given.

    Raises
    ------
    InvalidArgument
        If a number is out of range; and, when a network is built, if the layer does not stand at its beginning.

    Notes
    -----
    The tensor is ``E`` (V, d), a row for each token.
    """

    vocabulary: int
    width: int
    scale: float | Fraction = 1

    def __post_init__(self) -> None:
        for name in ("vocabulary", "width"):
            object.__setattr__(self, name, whole(name, getattr(self, name)))
        object.__setattr__(self, "scale", not_negative("scale", self.scale))

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(5, 3), (5, 2)), (cls(4, 2, scale=2), (4, 2)))


@verbs.vocabulary.method
def vocabulary_of_embedding(layer: Embedding) -> int:
    return layer.vocabulary


@verbs.tensors.method
def tensors_of_embedding(layer: Embedding, shape: tuple) -> dict[str, TensorShape]:
    if shape[0] != layer.vocabulary:
        raise WidthError(
            layer,
            f"given vectors of width {shape[0]}",
            f"given the unit vectors of {layer.vocabulary} tokens, at the beginning",
        )
    return {"E": (layer.vocabulary, layer.width)}


@verbs.apply.method
def apply_embedding(layer: Embedding, w: Tensors, X: Elements) -> Elements:
    Y = w.E.T @ X
    return Y if layer.scale == 1 else Y * exact("scale", layer.scale)
