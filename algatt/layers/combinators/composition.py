"""Layers one after the other, and beside a skip connection; what layers that are made of layers share."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import Any, ClassVar

from algatt import verbs
from algatt.arguments import instance, whole
from algatt.errors import InvalidArgument, WidthError
from algatt.fields import Elements
from algatt.layers.base import MOST_LAYERS, Layer, Tensors, TensorShape
from algatt.layers.linear import Linear


@dataclass(frozen=True, repr=False)
class Combinator(Layer, ABC):
    """A layer without tensors of its own, which is made of others."""


@verbs.tensors.method
def no_tensors(layer: Combinator, shape: tuple) -> dict[str, TensorShape]:
    return {}


def checked_layers(argument: str, layers: Any, least: int = 1) -> tuple[Layer, ...]:
    """Return layers as a tuple, or raise `InvalidArgument`."""
    should = f"a sequence of at least {least} layer{'s' if least > 1 else ''}"
    if isinstance(layers, Layer) or not isinstance(layers, Iterable):
        raise InvalidArgument(argument, repr(layers), should)
    layers = tuple(layers)
    for number, layer in enumerate(layers):
        instance(f"{argument}[{number}]", layer, Layer, "a layer")
    if len(layers) < least:
        raise InvalidArgument(argument, f"{len(layers)} layers", should)
    return layers


def factor(layer: Layer) -> str:
    """Return a layer as it is written as a factor: chains and stacks in brackets."""
    text = repr(layer)
    return text if text.startswith(type(layer).__name__) else f"({text})"


@verbs.vocabulary.method
def no_vocabulary(layer: Layer) -> int | None:
    """A layer reads vectors unless a method says otherwise."""
    return None


@verbs.vocabulary.method
def vocabulary_of_first_part(layer: Combinator) -> int | None:
    """A network reads what its first part reads."""
    read: int | None = verbs.vocabulary(next(iter(layer.parts.values())))
    return read


@verbs.source.method
def no_source(layer: Layer, tokens: int) -> tuple[int, int] | None:
    """A layer reads no numbers beside tokens unless a method says otherwise."""
    return None


@verbs.source.method
def source_of_first_part(layer: Combinator, tokens: int) -> tuple[int, int] | None:
    """A network reads what its first part reads."""
    read: tuple[int, int] | None = verbs.source(next(iter(layer.parts.values())), tokens)
    return read


@dataclass(frozen=True, repr=False)
class Chain(Combinator):
    r"""The composition :math:`X \mapsto h(g(f(X)))` of layers, the first of them first; ``f >> g >> h`` makes it.

    Parameters
    ----------
    layers : sequence of Layer
        At least two.

    Raises
    ------
    InvalidArgument
        If they are not layers; and, when a network is built, if a layer does not take what the one before it returns.
    """

    hoisted: ClassVar[bool] = True

    layers: tuple[Layer, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "layers", checked_layers("layers", self.layers, 2))

    @classmethod
    def of(cls, first: Layer, second: Layer) -> Chain:
        """Compose two layers; chains in chains are flattened, since composition is associative."""
        return cls(tuple(part for one in (first, second) for part in (one.layers if isinstance(one, cls) else (one,))))

    @property
    def parts(self) -> dict[str, Layer]:
        return {str(number): layer for number, layer in enumerate(self.layers, start=1)}

    def __repr__(self) -> str:
        return " >> ".join(map(repr, self.layers))

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls((Linear(3), Linear(2))), (4, 2)),)


@dataclass(frozen=True, repr=False)
class Stack(Combinator):
    """The composition of blocks, the first of them first; ``n * block`` makes one of n equal blocks.

    Each block has tensors of its own, also where blocks are equal. Their names begin with the numbers of the blocks, as
    ``2.heads.Q_1``; in a chain of several stacks, with ``blocks_1.2``.

    Parameters
    ----------
    blocks : sequence of Layer
        At least one.

    Raises
    ------
    InvalidArgument
        If they are not layers.
    """

    scoped: ClassVar[bool] = True

    blocks: tuple[Layer, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", checked_layers("blocks", self.blocks))

    @classmethod
    def of_copies(cls, count: object, block: Layer) -> Stack:
        """Repeat a block."""
        count = whole("the number of blocks", count)
        if count > MOST_LAYERS:
            raise InvalidArgument("the number of blocks", str(count), f"at most {MOST_LAYERS}")
        return cls((block,) * count)

    @property
    def name(self) -> str:
        return ""

    @property
    def parts(self) -> dict[str, Layer]:
        return {str(number): block for number, block in enumerate(self.blocks, start=1)}

    def __repr__(self) -> str:
        runs = [(block, len(list(run))) for block, run in groupby(self.blocks)]
        if len(runs) == 1:
            return f"{runs[0][1]} * {factor(runs[0][0])}"
        return f"Stack(({', '.join(map(repr, self.blocks))}))"

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((2 * Linear(3), (3, 2)), (cls((Linear(2), Linear(4))), (3, 2)))


@verbs.apply.method
def apply_in_turn(layer: Chain | Stack, w: Tensors, X: Elements) -> Elements:
    before = None
    for part, function in zip(layer.parts.values(), w.parts, strict=True):
        try:
            X = function(X)
        except WidthError as error:
            raise error.after(before) from None
        before = part
    return X


@dataclass(frozen=True, repr=False)
class Residual(Combinator):
    r"""The layer :math:`X \mapsto X + f(X)` (He et al., arXiv 1512.03385).

    Parameters
    ----------
    layer : Layer
        The layer f, whose value is as wide as its input.

    Raises
    ------
    InvalidArgument
        If it is not a layer; and, when a network is built, if its value has another shape than its input.
    """

    hoisted: ClassVar[bool] = True

    layer: Layer

    def __post_init__(self) -> None:
        instance("layer", self.layer, Layer, "a layer")

    @property
    def parts(self) -> dict[str, Layer]:
        return {"layer": self.layer}

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ((cls(Linear(3)), (3, 2)),)


@verbs.apply.method
def apply_residual(layer: Residual, w: Tensors, X: Elements) -> Elements:
    value = w.layer(X)
    if value.shape[-2:] != X.shape[-2:]:
        given, asked = value.shape[-2:], X.shape[-2:]
        raise WidthError(
            layer.layer, f"a value of shape {given}", f"of shape {asked}, the shape of what it is added to"
        )
    return X + value
