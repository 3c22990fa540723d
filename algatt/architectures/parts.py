"""The layers of a network in their places, each with its tensors and shapes: what is drawn and printed.

The shapes are those of a run of the network over shapes, in which every layer is replaced by one that notes what it is
given.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, cast

from algatt import verbs
from algatt.fields import Elements, Shape, Shapes
from algatt.layers import Chain, Layer, Named, Parallel, Residual, Stack, Tensors, Tie
from algatt.layers.base import Node, layout, run

WIRING: dict[type, str] = {
    Chain: "sequence",
    Stack: "sequence",
    Named: "sequence",
    Tie: "sequence",
    Residual: "residual",
    Parallel: "parallel",
}
"""How the parts of a combinator are joined; how other layers use theirs, only their own code knows."""

SHORT = 3
"""A family of so many tensors is listed; of a longer one the first and the last are."""


@dataclass(frozen=True)
class Tensor:
    """A tensor of a layer.

    Parameters
    ----------
    name : str
        Its name in the layer.
    path : str
        Its name in the network, as in ``theta["1.heads.Q_1"]``.
    shape : tuple of int
        Its shape.
    tied : bool
        Whether `path` is the name of another tensor, which it is tied to.
    """

    name: str
    path: str
    shape: tuple[int, ...]
    tied: bool = False


@dataclass(frozen=True)
class TensorFamily:
    """Tensors of one layer that differ in their numbers alone, such as Q_1, ..., Q_4.

    Parameters
    ----------
    tensors : tuple of Tensor
        At least one, all of one shape.
    """

    tensors: tuple[Tensor, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of each."""
        return self.tensors[0].shape

    def listed(self, names: Sequence[str]) -> list[str]:
        """Return the names of all, or those of the first and the last with dots between them."""
        return list(names) if len(names) <= SHORT else [names[0], "...", names[-1]]


@dataclass(frozen=True)
class Part:
    """A layer in its place in a network.

    Parameters
    ----------
    layer : Layer
        The layer.
    key : str
        Its name among the parts of what it stands in.
    path : str
        What comes before the names of its tensors.
    input_shape, output_shape : tuple of int
        Shapes of its input and its value, without batch axes.
    tensors : tuple of Tensor
        Its own tensors.
    parts : tuple of Part
        What it is made of, in order.
    """

    layer: Layer
    key: str
    path: str
    input_shape: tuple[int, ...]
    output_shape: tuple[int, ...]
    tensors: tuple[Tensor, ...]
    parts: tuple[Part, ...]

    @property
    def wiring(self) -> str:
        """How the parts are joined: ``sequence``, ``residual``, ``parallel``, or ``inside``: its code knows."""
        return next((WIRING[kind] for kind in type(self.layer).__mro__ if kind in WIRING), "inside")

    @property
    def parameters(self) -> int:
        """The number of entries of the tensors in it, but for those that are tied to others."""
        own = sum(math.prod(tensor.shape) for tensor in self.tensors if not tensor.tied)
        return own + sum(part.parameters for part in self.parts)

    @property
    def families(self) -> list[TensorFamily]:
        """The tensors, those that differ in their numbers alone together."""
        together: dict[Any, list[Tensor]] = {}
        for tensor in self.tensors:
            numbered = re.fullmatch(r"(.*_)\d+", tensor.name)
            key = (numbered[1] if numbered else tensor.name, tensor.shape, tensor.path if tensor.tied else "")
            together.setdefault(key, []).append(tensor)
        return [TensorFamily(tuple(tensors)) for tensors in together.values()]

    def kin(self) -> object:
        """Return what two blocks have in common if one picture shows both."""
        tensors = tuple((tensor.name, tensor.shape, tensor.path if tensor.tied else "") for tensor in self.tensors)
        return self.layer, self.input_shape, self.output_shape, tensors, tuple(part.kin() for part in self.parts)

    def runs(self) -> list[tuple[Part, int]]:
        """Return the parts, numbered ones that are equal and follow each other once, with their count."""
        counted: list[tuple[Part, int]] = []
        for part in self.parts:
            if counted and part.key.isdigit() and counted[-1][0].kin() == part.kin() and self.wiring != "parallel":
                counted[-1] = (counted[-1][0], counted[-1][1] + 1)
            else:
                counted.append((part, 1))
        return counted

    def walk(self) -> Iterator[Part]:
        """Iterate over this part and all that are in it."""
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass(frozen=True)
class Noted:
    """What a layer was given in a run over shapes: its tensors, and the shapes of its input and its value."""

    tensors: tuple[Tensor, ...]
    input_shape: tuple[int, ...]
    output_shape: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Watched:
    """A layer that notes its first run.

    Parameters
    ----------
    layer : Layer
        The layer.
    notes : list of Noted
        What it has noted.
    asked : list of str
        What its source of tensors was asked for.
    """

    layer: Layer
    notes: list[Noted]
    asked: list[str]


@dataclass(frozen=True)
class Names:
    """A source of tensors without entries that remembers their names, those behind ties.

    Parameters
    ----------
    asked : list of str
        The names that were asked for.
    """

    asked: list[str]

    memo: ClassVar[None] = None

    def tensor(self, name: str, shape: tuple[int, ...], *, alias: str | None = None) -> Elements:
        """Return a tensor."""
        self.asked.append(name)
        return Elements(Shapes(), Shape(shape))


@verbs.tensors.method
def tensors_of_watched(layer: Watched, shape: tuple) -> dict[str, tuple[int, ...]]:
    return dict(verbs.tensors(layer.layer, shape))


@verbs.apply.method
def apply_watched(layer: Watched, w: Tensors, X: Elements) -> Elements:
    node = dataclasses.replace(w.node, layer=layer.layer)
    value: Elements = verbs.apply(layer.layer, dataclasses.replace(w, node=node), X)
    if not layer.notes:
        tensors = tuple(tensor_behind(w, layer.asked, name, element.shape) for name, element in w.own.items())
        layer.notes.append(Noted(tensors, X.shape, value.shape))
    return value


def tensor_behind(w: Tensors, asked: list[str], name: str, shape: tuple[int, ...]) -> Tensor:
    """Return a tensor of a layer with its name in the network, which is that of another one if it is tied."""
    own = f"{w.node.path}{name}"
    w.source.tensor(own, shape)
    return Tensor(name, asked[-1], shape, asked[-1] != own)


def parts_of(arch: Any) -> Part:
    """Return a network as the tree of its layers.

    Parameters
    ----------
    arch : Architecture
        A `Network`, or what is one by `algatt.expression`.

    Examples
    --------
    >>> import algatt
    >>> from algatt.architectures.parts import parts_of
    >>> from algatt.layers import Heads, Residual
    >>> heads, = parts_of(algatt.Network(Residual(Heads(2)), tokens=3, width=4)).parts
    >>> heads.layer, heads.output_shape, heads.tensors[0]
    (Heads(2), (4, 3), Tensor(name='Q_1', path='heads.Q_1', shape=(2, 4), tied=False))
    """
    network = verbs.expression(arch)
    whole = tree_of(network.layers, network.input_shape)
    theirs, own = verbs.coordinates(network), verbs.coordinates(arch)
    return whole if list(theirs) == list(own) else rename(whole, dict(zip(theirs, own, strict=True)))


def rename(part: Part, names: dict[str, str]) -> Part:
    """Return a layer whose tensors have the names that an architecture, a network by its expression, gives them."""
    tensors = tuple(dataclasses.replace(one, name=names[one.path], path=names[one.path]) for one in part.tensors)
    return dataclasses.replace(part, tensors=tensors, parts=tuple(rename(below, names) for below in part.parts))


@functools.lru_cache(maxsize=16)
def tree_of(layers: Layer, shape: tuple[int, int]) -> Part:
    """Return layers with the shapes that they have for an input of a shape."""
    asked: list[str] = []
    watched = watch(layout(layers), asked)
    run(watched, Names(asked), Elements(Shapes(), Shape(shape)))
    return part_of(watched, "")


def watch(node: Node, asked: list[str]) -> Node:
    """Return a layer in its place, and all that it is made of, watched."""
    parts = {key: watch(part, asked) for key, part in node.parts.items()}
    return Node(cast(Layer, Watched(node.layer, [], asked)), node.path, parts)


def part_of(node: Node, key: str) -> Part:
    """Return what was noted; parts that were not run are left out."""
    watched = cast(Watched, node.layer)
    (note,) = watched.notes
    below = tuple(part_of(part, name) for name, part in node.parts.items() if cast(Watched, part.layer).notes)
    return Part(watched.layer, key, node.path, note.input_shape, note.output_shape, note.tensors, below)


def slots(layer: Layer) -> list[tuple[str, Any]]:
    """Return the fields of a layer that are shown and not as by default, but for the layers that it is made of."""
    shown = []
    for field in filter(lambda field: field.repr, dataclasses.fields(layer)):
        value = getattr(layer, field.name)
        default = field.default_factory() if callable(field.default_factory) else field.default
        if not holds_parts(layer, value) and (value != default or type(value) is not type(default)):
            shown.append((field.name, value))
    return shown


def holds_parts(layer: Layer, value: Any) -> bool:
    """Return whether a value is a part of a layer, or several; an activation in a slot is a layer, and no part."""
    if isinstance(value, tuple):
        return any(holds_parts(layer, one) for one in value)
    return isinstance(value, Layer) and value in layer.parts.values()


def title(part: Part) -> str:
    """Return a layer as it is written, without the layers that it is made of."""
    layer = part.layer
    if part.wiring != "inside":
        return layer.label if isinstance(layer, Named) else type(layer).__name__
    required = {field.name for field in dataclasses.fields(layer) if field.default is field.default_factory}
    words = [repr(value) if name in required else f"{name}={value!r}" for name, value in slots(layer)]
    return f"{type(layer).__name__}({', '.join(words)})"
