"""Two networks, of which the second one sees the value of the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from algatt import verbs
from algatt.arguments import instance, whole
from algatt.errors import InvalidArgument, WidthError
from algatt.fields import Elements
from algatt.layers.base import Combinator, Layer, Tensors, run


@dataclass(frozen=True, repr=False)
class EncoderDecoder(Combinator):
    r"""The layer :math:`(S, T) \mapsto g(T, f(S))` (Sutskever, Vinyals and Le, arXiv 1409.3215; Vaswani et al., arXiv
    1706.03762).

    The columns of its input are those of a source S, and behind them those of a target T; those of its value are those
    of the value of the decoder g. All layers in the decoder see the value of the encoder f, their memory, which
    `CrossHeads` read.

    Both have the same rows. Or the encoder reads numbers and the decoder tokens, as in Whisper (arXiv 2212.04356): then
    the rows of S are above those of T, which are unit vectors of tokens, and the input is the matrix with the blocks S
    and T and with zeros beside them. A network that begins with such a layer takes the pair of S and of the numbers of
    the tokens as its input.

    Parameters
    ----------
    encoder : Layer
        The layer f, which is given the source.
    decoder : Layer
        The layer g, which is given the target.
    source : int, optional
        The number of columns of the source; half of all, rounded down, unless given.
    width : int, optional
        The number of rows of a source of numbers beside a target of tokens; not given if both have the same rows.

    Raises
    ------
    InvalidArgument
        If they are no layers, a number is no integer >= 1, or a width is given and the encoder begins with an
        `Embedding`, or the decoder does not; and, when a network is built, if there is no column of a source or none of
        a target, or if it has a width and does not stand at the beginning.
    """

    scoped: ClassVar[bool] = True

    encoder: Layer
    decoder: Layer
    source: int | None = None
    width: int | None = None

    def __post_init__(self) -> None:
        for name in ("encoder", "decoder"):
            instance(name, getattr(self, name), Layer, "a layer")
        for name in ("source", "width"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, whole(name, getattr(self, name)))
        if self.width is not None:
            if verbs.vocabulary(self.encoder) is not None:
                raise InvalidArgument("encoder", repr(self.encoder), "one that reads numbers, as a width is given")
            if verbs.vocabulary(self.decoder) is None:
                raise InvalidArgument("decoder", repr(self.decoder), "one that begins with an Embedding, as a width is")

    @property
    def name(self) -> str:
        return ""

    @property
    def parts(self) -> dict[str, Layer]:
        return {"encoder": self.encoder, "decoder": self.decoder}

    def columns(self, tokens: int) -> int:
        """Return the number of columns of the source if there are so many of source and target."""
        source = tokens // 2 if self.source is None else self.source
        if not 0 < source < tokens:
            raise WidthError(self, f"given {tokens} tokens", f"given more than {max(source, 1)}: a source and a target")
        return source


@verbs.vocabulary.method
def vocabulary_of_encoder_decoder(layer: EncoderDecoder) -> int | None:
    """It reads what its encoder reads, unless this reads numbers and the decoder tokens."""
    read: int | None = verbs.vocabulary(layer.encoder if layer.width is None else layer.decoder)
    return read


@verbs.source.method
def source_of_encoder_decoder(layer: EncoderDecoder, tokens: int) -> tuple[int, int] | None:
    return None if layer.width is None else (layer.width, layer.columns(tokens))


@verbs.apply.method
def apply_encoder_decoder(layer: EncoderDecoder, w: Tensors, X: Elements) -> Elements:
    source = layer.columns(X.shape[-1])
    if layer.width is None:
        S, T = X[:, :source], X[:, source:]
    else:
        rows, vocabulary = X.shape[-2], verbs.vocabulary(layer.decoder)
        if rows != layer.width + vocabulary:
            should = f"given {layer.width} of numbers and {vocabulary} of unit vectors of tokens, at the beginning"
            raise WidthError(layer, f"given {rows} rows", should)
        S, T = X[: layer.width, :source], X[layer.width :, source:]
    memory = w.encoder(S)
    return run(w.node.parts["decoder"], w.source, T, memory=memory)
