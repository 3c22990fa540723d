"""Networks that are made of layers."""

from __future__ import annotations

import functools
import html
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures.base import Architecture, Shape
from algatt.architectures.recording import degrees_of_values
from algatt.arguments import instance, whole
from algatt.display import html_of_rows
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers.base import Arrays, Layer, Noun, check_size, layout, run, tensor_shapes
from algatt.parameters import Weights


@dataclass(frozen=True, repr=False)
class Network(Noun, Architecture):
    """A network of layers for a number of tokens.

    Parameters
    ----------
    layers : Layer
        The layers, composed: ``Residual(Heads(2)) >> Residual(Feedforward(16))``.
    tokens : int
        The number t of tokens, the columns of an input.
    width : int, optional
        The width of an input; not given for networks that begin with an `Embedding` and read tokens, or with an
        `EncoderDecoder` that reads numbers and tokens.

    Raises
    ------
    InvalidArgument
        If a number is not an integer >= 1, or the layers do not fit together.

    Examples
    --------
    >>> import algatt
    >>> from algatt.layers import Causal, Feedforward, Heads, Power, Residual
    >>> block = Residual(Heads(2, mask=Causal())) >> Residual(Feedforward(6, Power(2)))
    >>> net = algatt.Network(block, tokens=3, width=4)
    >>> net.parameters, list(algatt.coordinates(net))[:3]
    (112, ['heads.Q_1', 'heads.Q_2', 'heads.K_1'])
    """

    layers: Layer
    tokens: int
    width: int | None = None

    def __post_init__(self) -> None:
        check_size(instance("layers", self.layers, Layer, "a layer, or layers composed as f >> g"))
        object.__setattr__(self, "tokens", whole("tokens", self.tokens))
        read, source = self.vocabulary, self.source
        if read is not None and source is not None:
            read += source[0]
        if read is not None and self.width not in (None, read):
            what = "the number of tokens that the network reads" if source is None else "of the numbers and the tokens"
            raise InvalidArgument("width", repr(self.width), f"{read}, {what}, or not given")
        if read is None and self.width is None:
            raise InvalidArgument(
                "width", "not given", "the width of an input, as the network does not begin with an Embedding"
            )
        object.__setattr__(self, "width", whole("width", read if self.width is None else self.width))
        if not self.built[0]:
            raise InvalidArgument("layers", f"{self.layers!r}, which has no tensors", "layers with tensors")

    @property
    def built(self) -> tuple[dict[str, Shape], tuple[int, int]]:
        """Names and shapes of the tensors, and the shape of the value."""
        return built(self.layers, self.input_shape)

    @property
    def input_shape(self) -> tuple[int, int]:
        return int(self.width or 0), self.tokens

    @property
    def output_shape(self) -> tuple[int, int]:
        return self.built[1]

    @property
    def vocabulary(self) -> int | None:
        read: int | None = verbs.vocabulary(self.layers)
        return read

    @property
    def source(self) -> tuple[int, int] | None:
        read: tuple[int, int] | None = verbs.source(self.layers, self.tokens)
        return read

    @property
    def algebraic(self) -> bool:
        return degrees_of_values(self) is not None

    @property
    def polynomial(self) -> bool:
        found = degrees_of_values(self)
        return found is not None and found[0].polynomial and not found[1].denominators

    def __repr__(self) -> str:
        width = f", width={self.width}" if self.vocabulary is None else ""
        return f"Network({self.layers!r}, tokens={self.tokens}{width})"

    @property
    def divides(self) -> bool:
        """Whether the network is a quotient of polynomials that are not constant; of other networks, as those of
        softmax, it is not known.
        """
        found = degrees_of_values(self)
        return found is not None and bool(found[1].denominators)

    def _repr_html_(self) -> str:
        from algatt.architectures.text import outline

        return html_of_rows("Network", [("", f"<pre>{html.escape(outline(self))}</pre>")])

    def description(self) -> dict[str, Any]:
        """Return the network as plain values for JSON, of which `algatt.layers.noun_of` makes it again."""
        from algatt.layers.description import describe

        return {"name": "Network", "layers": describe(self.layers), "tokens": self.tokens, "width": self.width}

    @classmethod
    def examples(cls) -> Iterable[Network]:
        from algatt import layers

        linear = layers.Unnormalized()
        perceptron = layers.Linear(3, bias=True) >> layers.Feedforward(4, layers.Power(2), width=2)
        return (
            cls(perceptron, tokens=1, width=2),
            cls(2 * layers.Residual(layers.Heads(2, score=linear)), tokens=2, width=4),
            cls(
                layers.Residual(
                    layers.Heads(2, key_heads=1, mask=layers.Causal(), score=layers.Affine(1, 1), biases="QKVO")
                ),
                tokens=2,
                width=2,
            ),
            cls(
                layers.Residual(layers.RMSNorm(0) >> layers.Feedforward(3, layers.SiLU(), gated=True)),
                tokens=2,
                width=2,
            ),
            cls(layers.Residual(layers.Heads(1, width=4, position=layers.Rotary())), tokens=3, width=3),
            cls(
                layers.Tie(
                    layers.Embedding(5, 3) >> layers.Residual(layers.Heads(1, score=linear)) >> layers.Unembedding(5),
                    {"unembedding.U": "embedding.E"},
                ),
                tokens=2,
            ),
        )


@functools.lru_cache(maxsize=256)
def built(layers: Layer, shape: tuple[int, int]) -> tuple[dict[str, Shape], tuple[int, int]]:
    """Return names and shapes of the tensors of layers for an input of a shape, and the shape of the value."""
    return tensor_shapes(layers, shape)


@verbs.expression.method
def expression_of_network(arch: Network) -> Network:
    return arch


@verbs.coordinates.method
def coordinates_of_network(arch: Network) -> dict[str, Any]:
    return dict(arch.built[0])


@verbs.evaluate.method
def evaluate_network(arch: Network, theta: Weights, inputs: Elements) -> Elements:
    with np.errstate(over="ignore", invalid="ignore"):  # what overflows is refused when it is normalised
        value = run(layout(arch.layers), Arrays(theta.tensors), inputs)
        if len(value.shape) < len(inputs.shape):  # it ignores the input, and is the same for all of a batch
            value = value + np.zeros((*inputs.shape[:-2], 1, 1), dtype=np.int64)
        return value
