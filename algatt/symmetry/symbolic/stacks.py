"""Stacks of equal blocks, measured by one and by two of them.

Let x be the unknowns that there are before a stack, and y_k those of block number k. If a block returns what moves as
its input does, all blocks ask for the same equations E(x, y_k), and the dimension of the solutions (x, y_1, ..., y_n)
is that of the x that can be completed, and n times that of the y with E(0, y): it grows by the same number with every
block. So does that of the solutions that move no tensor. What all blocks share, as a memory that they read or a tensor
that is tied in all of them, is among the x. docs/theory/symbolic_types.md has the proof.
"""

from __future__ import annotations

import dataclasses
import functools
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from algatt import verbs
from algatt.architectures import Network
from algatt.fields import Elements, Trace, TraceArray
from algatt.fields.types import Equations, Typed
from algatt.layers import Chain, EncoderDecoder, Layer, Named, Stack, Tensors, Tie
from algatt.layers.base import layout
from algatt.parameters import Weights
from algatt.symmetry.symbolic.arrows import Arrows, arrows_of_program
from algatt.symmetry.symbolic.measure import Measure, measure_types, types_of_architecture

__all__ = ["Repeated", "StackedMeasure", "measure_stacked"]


@dataclass(frozen=True, repr=False, eq=False)
class Repeated(Stack):
    """Some of the equal blocks of a longer stack; it notes what there is between them, and so is equal to itself alone.

    Parameters
    ----------
    length : int
        The number of blocks of that stack.
    between : list of Typed
        The types between them.
    recorded : list of int
        The numbers of the instructions between them, where a program is recorded.
    """

    length: int = 0
    between: list[Typed] = field(default_factory=list)
    recorded: list[int] = field(default_factory=list)

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def steady(self, equations: Equations) -> bool:
        """Return whether a block returns what moves as its input does."""
        first, *others = self.between
        return all(
            equations.resolve(one.rows - first.rows).zero and equations.resolve(one.columns - first.columns).zero
            for one in others
        )


@verbs.apply.method
def apply_repeated(layer: Repeated, w: Tensors, X: Elements) -> Elements:
    notes: list[Any] = [X.raw]
    for function in w.parts:
        X = function(X)
        notes.append(X.raw)
    if all(isinstance(one, Typed) for one in notes):
        layer.between[:] = notes
    if all(isinstance(one, TraceArray) for one in notes):
        layer.recorded[:] = [one.number for one in notes]
    return X


@dataclass(frozen=True)
class StackedMeasure:
    """The measure of a network by one block of each stack.

    Parameters
    ----------
    first : Measure
        That of the network with one block of each.
    paths : dict of str to int
        What the names of tensors of these blocks begin with, and the lengths of the stacks.
    shared : frozenset of str
        The tensors in these blocks that all blocks of a stack share.
    dimension, orbit : int
        Those of the network.
    """

    first: Measure
    paths: Mapping[str, int]
    shared: frozenset[str]
    dimension: int
    orbit: int


def stacks_of(layer: Layer) -> Iterator[Stack]:
    """Iterate over the stacks of several equal blocks, those in other stacks not among them, that may be shortened."""
    if isinstance(layer, Stack):
        if len(layer.blocks) > 1 and all(block == layer.blocks[0] for block in layer.blocks):
            yield layer
    elif isinstance(layer, Chain | Named | EncoderDecoder):
        for part in layer.parts.values():
            yield from stacks_of(part)


def shorten(layer: Layer, counts: Iterator[int]) -> Layer:
    """Return layers whose stacks, in the order of `stacks_of`, have other numbers of blocks."""
    if isinstance(layer, Stack) and any(stacks_of(layer)):
        return Repeated(layer.blocks[: next(counts)], len(layer.blocks))
    if isinstance(layer, Chain):
        return Chain(tuple(shorten(part, counts) for part in layer.layers))
    changed: Layer = layer
    if isinstance(layer, Named):
        changed = dataclasses.replace(layer, layer=shorten(layer.layer, counts))
    if isinstance(layer, EncoderDecoder):
        encoder, decoder = (shorten(part, counts) for part in layer.parts.values())
        changed = dataclasses.replace(layer, encoder=encoder, decoder=decoder)
    return changed


@dataclass(frozen=True)
class Ties:
    """The equations of the outermost `Tie` of a network.

    Parameters
    ----------
    plain : dict of str to str
        Those between tensors none of which is in a stack.
    blocks : dict of str to (str, int)
        Those between a tensor of a block and that of the first one, which all blocks share: the path of the stack, and
        the number of the block.
    shared : frozenset of str
        The tensors of first blocks that all blocks share.
    """

    plain: Mapping[str, str] = field(default_factory=dict)
    blocks: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    shared: frozenset[str] = frozenset()

    def around(self, layers: Layer, counts: Mapping[str, int]) -> Layer:
        """Return layers with the equations that are about them, their stacks having so many blocks."""
        kept = dict(self.plain)
        for name, (path, number) in self.blocks.items():
            if number <= counts[path]:
                kept[name] = f"{path}1.{name.removeprefix(f'{path}{number}.')}"
        return Tie(layers, kept) if kept else layers


def ties_of(arch: Network, lengths: Mapping[str, int]) -> Ties | None:
    """Return the equations of the outermost `Tie` of a network, the lengths of its stacks being known by their paths;
    None if they are others than `Ties` has.
    """
    if not isinstance(arch.layers, Tie):
        return Ties()
    tensors = verbs.coordinates(arch)
    plain: dict[str, str] = {}
    blocks: dict[str, tuple[str, int]] = {}
    tied: dict[tuple[str, str], set[int]] = {}
    for name, other in dict(arch.layers.ties).items():
        if other not in tensors:
            return None
        path = next((path for path in lengths if other.startswith(f"{path}1.")), None)
        if path is None:
            if any(part.isdigit() for part in name.split(".")):
                return None
            plain[name] = other
            continue
        number, _, rest = name.removeprefix(path).partition(".")
        if not name.startswith(path) or not number.isdigit() or f"{path}1.{rest}" != other:
            return None
        blocks[name] = path, int(number)
        tied.setdefault((path, other), set()).add(int(number))
    if any(numbers != set(range(2, lengths[path] + 1)) for (path, _), numbers in tied.items()):
        return None
    return Ties(plain, blocks, frozenset(other for _, other in tied))


def measure_stacked(arch: Network) -> StackedMeasure | None:
    """Measure a network by one and two blocks of each of its stacks; None if there are none, if types or arrows change
    between blocks, or if the answer for one block is not complete.
    """
    inner = arch.layers.layer if isinstance(arch.layers, Tie) else arch.layers
    stacks = list(stacks_of(inner))
    lengths = paths_of(shorten(inner, (len(stack.blocks) for stack in stacks)))
    ties = ties_of(arch, lengths) if stacks else None
    if ties is None:
        return None
    shortened = functools.partial(measure_counts, arch, inner, ties, list(lengths))
    ones = [1] * len(stacks)
    least = shortened(ones)
    if least is None:
        return None
    dimension, orbit, others = least.dimension, least.orbit, dict.fromkeys(least.arrows.others)
    for number, (path, length) in enumerate(lengths.items()):
        second = shortened([*ones[:number], 2, *ones[number + 1 :]])
        if second is None or not continues(least.arrows, second.arrows, path, ties.shared):
            return None
        others.update(dict.fromkeys(second.arrows.others))
        dimension += (length - 1) * (second.dimension - least.dimension)
        orbit += (length - 1) * (second.orbit - least.orbit)
    arrows = dataclasses.replace(least.arrows, others=tuple(others))
    paths = {f"{path}1.": length for path, length in lengths.items()}
    return StackedMeasure(dataclasses.replace(least, arrows=arrows), paths, ties.shared, dimension, orbit)


def paths_of(layers: Layer) -> dict[str, int]:
    """Return the paths of stacks that may be shortened, and the lengths that they had."""
    nodes = [node for node in layout(layers).walk() if isinstance(node.layer, Repeated)]
    return {node.path: node.layer.length for node in nodes if isinstance(node.layer, Repeated)}


def measure_counts(
    arch: Network, inner: Layer, ties: Ties, paths: Sequence[str], counts: Sequence[int]
) -> Measure | None:
    """Return the measure of a network whose stacks have other numbers of blocks; None if types change between blocks,
    or not all symmetries are known, or what moves unseen depends on the weights.
    """
    layers = ties.around(shorten(inner, iter(counts)), dict(zip(paths, counts, strict=True)))
    network = dataclasses.replace(arch, layers=layers)
    repeated = [node.layer for node in layout(layers).walk() if isinstance(node.layer, Repeated)]
    arrows = recorded_arrows(network, repeated)
    equations, actions = types_of_architecture(network, arrows)
    found = measure_types(equations, actions, arrows)
    known = all(block.dimension is not None for block in found.blocks) and not found.moved and found.uniform
    return found if known and all(arrows.steady) and all(layer.steady(equations) for layer in repeated) else None


def recorded_arrows(network: Network, repeated: Sequence[Repeated]) -> Arrows:
    """Return the arrows of a network, which know what becomes of changes in its stacks."""
    trace = Trace()
    shapes = verbs.coordinates(network)
    theta = Weights(tuple(Elements(trace, trace.tensor(name, shape)) for name, shape in shapes.items()), tuple(shapes))
    value = verbs.evaluate(network, theta, Elements(trace, trace.input(network.input_shape))).raw
    places = trace.positions(value)
    boundaries = [(places[layer.recorded[-2]], places[layer.recorded[-1]]) for layer in repeated]
    return arrows_of_program(trace.program(value), one_hot=network.vocabulary is not None, boundaries=boundaries)


def continues(one: Arrows, two: Arrows, path: str, shared: Collection[str]) -> bool:
    """Return whether a second block of a stack, whose tensors are named by a path and their numbers, has the arrows of
    the first, with tensors of its own, and nothing else has others.

    An arrow is one of the block in which its own tensor is. Arrows of what is outside of the stack, or shared by all
    blocks, may move tensors in both, if these are the same ones.
    """

    def inside(tensor: str, number: int) -> bool:
        return tensor.startswith(f"{path}{number}.") and tensor not in shared

    def without(number: int) -> Counter[frozenset[tuple[str, str]]]:
        kept = [arrow.moves for arrow in two.all if not inside(arrow.tensors[0], number)]
        return Counter(
            frozenset((renamed(tensor), kind) for tensor, kind in moves if not inside(tensor, number)) for moves in kept
        )

    def renamed(tensor: str) -> str:
        return f"{path}1.{tensor.removeprefix(f'{path}2.')}" if inside(tensor, 2) else tensor

    apart = not any(
        inside(arrow.tensors[0], number) and any(inside(tensor, 3 - number) for tensor in arrow.tensors)
        for arrow in two.all
        for number in (1, 2)
    )
    return apart and without(1) == without(2) == Counter(frozenset(arrow.moves) for arrow in one.all)
