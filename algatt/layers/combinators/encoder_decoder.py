"""Two networks, of which the second one sees the value of the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from algatt import verbs
from algatt.arguments import instance, whole
from algatt.errors import WidthError
from algatt.fields import Elements
from algatt.layers.base import Layer, Tensors, run
from algatt.layers.combinators.base import Combinator

__all__ = ["EncoderDecoder"]


@dataclass(frozen=True, repr=False)
class EncoderDecoder(Combinator):
    r"""The layer :math:`(S, T) \mapsto g(T, f(S))` (Sutskever, Vinyals and Le, arXiv 1409.3215; Vaswani et al., arXiv
    1706.03762).

    The columns of its input are those of a source S, and behind them those of a target T; those of its value are those
    of the value of the decoder g. All layers in the decoder see the value of the encoder f, their memory, which
    `CrossHeads` read.

    Parameters
    ----------
    encoder : Layer
        The layer f, which is given the source.
    decoder : Layer
        The layer g, which is given the target.
    source : int, optional
        The number of columns of the source; half of all, rounded down, unless given.

    Raises
    ------
    InvalidArgument
        If they are no layers, or the number is no integer >= 1; and, when a network is built, if there is no column of
        a source or none of a target.
    """

    scoped: ClassVar[bool] = True

    encoder: Layer
    decoder: Layer
    source: int | None = None

    def __post_init__(self) -> None:
        for name in ("encoder", "decoder"):
            instance(name, getattr(self, name), Layer, "a layer")
        if self.source is not None:
            object.__setattr__(self, "source", whole("source", self.source))

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


@verbs.apply.method
def apply_encoder_decoder(layer: EncoderDecoder, w: Tensors, X: Elements) -> Elements:
    source = layer.columns(X.shape[-1])
    memory = w.encoder(X[:, :source])
    return run(w.node.parts["decoder"], w.source, X[:, source:], memory=memory)
