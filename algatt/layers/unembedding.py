"""From vectors to tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from algatt import verbs
from algatt.arguments import exact, instance, not_negative, truth, whole
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, TensorShape
from algatt.layers.readings import Logits, Probabilities, Reading


@dataclass(frozen=True, repr=False)
class Unembedding(Layer):
    r"""The layer :math:`x \mapsto U x + b`, a number for each token of a vocabulary, and how it is read.

    The matrix U may be that of the embedding (Press and Wolf, arXiv 1608.05859): ``Tie(layers, {"unembedding.U":
    "embedding.E"})``.

    Parameters
    ----------
    vocabulary : int
        The number V of tokens.
    bias : bool, optional
        Whether there is a bias b; false unless given.
    reading : Reading, optional
        `Logits`, the default, `Probabilities`, or `Capped`.
    scale : int, float or Fraction, optional
        A factor of U, as the inverse root of d in T5; 1 unless given.

    Raises
    ------
    InvalidArgument
        If the vocabulary is no integer >= 1, the reading is none, or the scale is no number >= 0.

    Notes
    -----
    The tensors are ``U`` (V, d), as E of an `Embedding` is, and with a bias ``b`` (V, 1).
    """

    vocabulary: int
    bias: bool = False
    reading: Reading = field(default_factory=Logits)
    scale: float | Fraction = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "vocabulary", whole("vocabulary", self.vocabulary))
        object.__setattr__(self, "bias", truth("bias", self.bias))
        instance("reading", self.reading, Reading, "Logits() or Probabilities()")
        object.__setattr__(self, "scale", not_negative("scale", self.scale))

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(4), (3, 2)), (cls(3, bias=True, reading=Probabilities()), (2, 2)), (cls(3, scale=2), (2, 2)))


@verbs.tensors.method
def tensors_of_unembedding(layer: Unembedding, shape: tuple) -> dict[str, TensorShape]:
    U: dict[str, TensorShape] = {"U": (layer.vocabulary, shape[0])}
    return {**U, "b": (layer.vocabulary, 1)} if layer.bias else U


@verbs.apply.method
def apply_unembedding(layer: Unembedding, w: Tensors, X: Elements) -> Elements:
    Y = w.U @ (X if layer.scale == 1 else X * exact("scale", layer.scale))
    return verbs.read(layer.reading, Y + w.b if layer.bias else Y)
