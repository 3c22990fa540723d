"""From vectors to tokens."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from algatt import verbs
from algatt.arguments import instance, truth, whole
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, TensorShape
from algatt.layers.readings import Logits, Probabilities, Reading

__all__ = ["Unembedding"]


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

    Raises
    ------
    InvalidArgument
        If the vocabulary is no integer >= 1, or the reading is none.

    Notes
    -----
    The tensors are ``U`` (V, d), as E of an `Embedding` is, and with a bias ``b`` (V, 1).
    """

    vocabulary: int
    bias: bool = False
    reading: Reading = field(default_factory=Logits)

    def __post_init__(self) -> None:
        object.__setattr__(self, "vocabulary", whole("vocabulary", self.vocabulary))
        object.__setattr__(self, "bias", truth("bias", self.bias))
        instance("reading", self.reading, Reading, "Logits() or Probabilities()")

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(4), (3, 2)), (cls(3, bias=True, reading=Probabilities()), (2, 2)))


@verbs.tensors.method
def tensors_of_unembedding(layer: Unembedding, shape: tuple) -> dict[str, TensorShape]:
    U: dict[str, TensorShape] = {"U": (layer.vocabulary, shape[0])}
    return {**U, "b": (layer.vocabulary, 1)} if layer.bias else U


@verbs.apply.method
def apply_unembedding(layer: Unembedding, w: Tensors, X: Elements) -> Elements:
    return verbs.read(layer.reading, w.U @ X + w.b if layer.bias else w.U @ X)
