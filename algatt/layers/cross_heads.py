"""Attention of a decoder to what the encoder makes of the source."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from algatt import verbs
from algatt.errors import InvalidArgument, WidthError
from algatt.fields import Elements
from algatt.layers.activations import Affine
from algatt.layers.base import Layer, Tensors, TensorShape
from algatt.layers.combinators import EncoderDecoder
from algatt.layers.embedding import Embedding
from algatt.layers.heads import Heads, heads_between
from algatt.layers.linear import Linear
from algatt.layers.norms import RMSNorm
from algatt.layers.scores import Unnormalized


@dataclass(frozen=True, repr=False)
class CrossHeads(Layer):
    r"""Attention with several heads to a memory M, :math:`X \mapsto \sum_h O_h V_h M W_h` (Vaswani et al., arXiv
    1706.03762).

    It stands in the decoder of an `EncoderDecoder`, and M is the value of the encoder, as wide as X. Queries are of X,
    keys and values of M: the columns of :math:`W_h` are :math:`\mathrm{softmax}((K_h M)^T q / \sqrt a)` for the columns
    q of :math:`Q_h X`. Each token sees all of M, and positions do not enter. All else is as in `Heads`.

    Parameters
    ----------
    heads : int
        The number of heads.
    key_heads, width, value_width, score, norm, biases, output : optional
        As for `Heads`.

    Raises
    ------
    InvalidArgument
        If a number or a slot is not what it should be; and, when a network is built, if there is no memory, if it is
        not as wide as the input, or if that width is no multiple of the heads and no width is given.

    Notes
    -----
    The tensors are those of `Heads`.
    """

    heads: int
    key_heads: int | None = None
    width: int | None = None
    value_width: int | None = None
    score: Any = None
    norm: Layer | None = None
    biases: str = ""
    output: bool = True

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            object.__setattr__(self, field.name, getattr(self.attention, field.name))

    @property
    def attention(self) -> Heads:
        """The heads with the same slots, whose keys and values are of X."""
        return Heads(**{field.name: getattr(self, field.name) for field in dataclasses.fields(self)})

    @property
    def name(self) -> str:
        return "cross_heads"

    @property
    def parts(self) -> dict[str, Layer]:
        return self.attention.parts

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        affine = cls(2, key_heads=1, width=2, score=Affine(1, 1), biases="QKVO")
        tokens = Embedding(3, 2) >> cls(1, score=Unnormalized())
        return (
            (EncoderDecoder(Linear(3), cls(1, width=2, value_width=3, score=Unnormalized()), source=2), (3, 3)),
            (EncoderDecoder(Linear(3), affine), (3, 4)),
            (EncoderDecoder(Linear(4), cls(2, norm=RMSNorm(), output=False)), (4, 3)),
            (EncoderDecoder(Linear(2), tokens, source=2, width=1), (4, 4)),
        )


@verbs.tensors.method
def tensors_of_cross_heads(layer: CrossHeads, shape: tuple) -> dict[str, TensorShape]:
    return dict(verbs.tensors(layer.attention, shape))


@verbs.apply.method
def apply_cross_heads(layer: CrossHeads, w: Tensors, X: Elements) -> Elements:
    if w.memory is None:
        raise InvalidArgument("layers", f"with {layer!r} outside of a decoder", "with it in one of an EncoderDecoder")
    if w.memory.shape[-2] != X.shape[-2]:
        should = f"given a memory of width {X.shape[-2]}, as wide as its input"
        raise WidthError(layer, f"given a memory of width {w.memory.shape[-2]}", should)
    return heads_between(layer.attention, w, X, w.memory)
