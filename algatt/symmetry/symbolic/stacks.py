"""Stacks of equal blocks, measured by one and by two of them.

Let x be the unknowns that there are before a stack, and y_k those of block number k. If a block returns what moves as
its input does, all blocks ask for the same equations E(x, y_k), and the dimension of the solutions (x, y_1, ..., y_n)
is that of the x that can be completed, and n times that of the y with E(0, y): it grows by the same number with every
block. So does that of the solutions that move no tensor. docs/theory/symbolic_types.md has the proof.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from algatt import verbs
from algatt.architectures import Network
from algatt.fields import Elements, Trace, TraceArray
from algatt.fields.types import Equations, Typed
from algatt.layers import Chain, Layer, Named, Stack, Tensors, Tie
from algatt.layers.base import layout
from algatt.parameters import Weights
from algatt.symmetry.symbolic.arrows import Arrow, Arrows, arrows_of_program
from algatt.symmetry.symbolic.measure import Measure, measure_types, types_of_architecture

__all__ = ["Repeated", "StackedMeasure", "measure_stacked"]


@dataclass(frozen=True, repr=False, eq=False)
class Repeated(Stack):
    """Some of the equal blocks of a longer stack; it notes what there is between them.

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
    dimension, orbit : int
        Those of the network.
    """

    first: Measure
    paths: Mapping[str, int]
    dimension: int
    orbit: int


def stacks_of(layer: Layer) -> Iterator[Stack]:
    """Iterate over the stacks of several equal blocks, those in other stacks not among them, that may be shortened."""
    if isinstance(layer, Stack):
        if len(layer.blocks) > 1 and all(block == layer.blocks[0] for block in layer.blocks):
            yield layer
    elif isinstance(layer, Chain):
        for part in layer.layers:
            yield from stacks_of(part)
    elif isinstance(layer, Named):
        yield from stacks_of(layer.layer)


def shorten(layer: Layer, counts: Iterator[int]) -> Layer:
    """Return a network whose stacks, in the order of `stacks_of`, have other numbers of blocks."""
    if isinstance(layer, Stack) and any(stacks_of(layer)):
        return Repeated(layer.blocks[: next(counts)], len(layer.blocks))
    if isinstance(layer, Chain):
        return Chain(tuple(shorten(part, counts) for part in layer.layers))
    if isinstance(layer, Named | Tie):
        changed: Layer = dataclasses.replace(layer, layer=shorten(layer.layer, counts))
        return changed
    return layer


def within_ties(arch: Network) -> Layer:
    """Return the layers whose stacks may be shortened: all, or what is in the outermost `Tie` if that ties tensors none
    of which is in a stack.
    """
    layer = arch.layers
    if not isinstance(layer, Tie):
        return layer
    plain = all(
        layer.resolve(name) in verbs.coordinates(arch) and not any(part.isdigit() for part in name.split("."))
        for pair in dict(layer.ties).items()
        for name in pair
    )
    return layer.layer if plain else layer


def measure_stacked(arch: Network) -> StackedMeasure | None:
    """Measure a network by one and two blocks of each of its stacks; None if there are none, if types or arrows change
    between blocks, or if the answer for one block is not complete.
    """
    stacks = list(stacks_of(within_ties(arch)))
    ones = [1] * len(stacks)
    first = stacks and measure_counts(arch, ones)
    if not first:
        return None
    least, paths = first
    dimension, orbit, others = least.dimension, least.orbit, dict.fromkeys(least.arrows.others)
    for number, stack in enumerate(stacks):
        second = measure_counts(arch, [*ones[:number], 2, *ones[number + 1 :]])
        if second is None or not continues(least.arrows, second[0].arrows, list(paths)[number]):
            return None
        others.update(dict.fromkeys(second[0].arrows.others))
        dimension += (len(stack.blocks) - 1) * (second[0].dimension - least.dimension)
        orbit += (len(stack.blocks) - 1) * (second[0].orbit - least.orbit)
    arrows = dataclasses.replace(least.arrows, others=tuple(others))
    return StackedMeasure(dataclasses.replace(least, arrows=arrows), paths, dimension, orbit)


def measure_counts(arch: Network, counts: list[int]) -> tuple[Measure, dict[str, int]] | None:
    """Return the measure of a network whose stacks have other numbers of blocks, and the paths of their first blocks;
    None if types change between blocks, or not all symmetries are known, or what moves unseen depends on the weights.
    """
    network = dataclasses.replace(arch, layers=shorten(arch.layers, iter(counts)))
    nodes = [node for node in layout(network.layers).walk() if isinstance(node.layer, Repeated)]
    repeated = [(node.path, node.layer) for node in nodes if isinstance(node.layer, Repeated)]
    arrows = recorded_arrows(network, [layer for _, layer in repeated])
    equations, actions = types_of_architecture(network, arrows)
    found = measure_types(equations, actions, arrows)
    known = all(block.dimension is not None for block in found.blocks) and not found.moved and found.uniform
    if not (known and all(arrows.steady) and all(layer.steady(equations) for _, layer in repeated)):
        return None
    return found, {f"{path}1.": layer.length for path, layer in repeated}


def recorded_arrows(network: Network, repeated: Sequence[Repeated]) -> Arrows:
    """Return the arrows of a network, which know what becomes of changes in its stacks."""
    trace = Trace()
    shapes = verbs.coordinates(network)
    theta = Weights(tuple(Elements(trace, trace.tensor(name, shape)) for name, shape in shapes.items()), tuple(shapes))
    value = verbs.evaluate(network, theta, Elements(trace, trace.input(network.input_shape))).raw
    places = trace.positions(value)
    boundaries = [(places[layer.recorded[-2]], places[layer.recorded[-1]]) for layer in repeated]
    return arrows_of_program(trace.program(value), one_hot=network.vocabulary is not None, boundaries=boundaries)


def continues(one: Arrows, two: Arrows, path: str) -> bool:
    """Return whether a second block of a stack, whose tensors are named by a path and their numbers, has the arrows of
    the first, with tensors of its own, and nothing else has others.
    """
    second = f"{path.removesuffix('1.')}2."

    def renamed(arrow: Arrow) -> frozenset[tuple[str, str]]:
        return frozenset(
            (name.replace(second, path, 1 if name.startswith(second) else 0), k) for name, k in arrow.moves
        )

    def inside(arrow: Arrow, prefix: str) -> bool:
        return any(name.startswith(prefix) for name in arrow.tensors)

    apart = not any(inside(arrow, path) and inside(arrow, second) for arrow in two.all)
    rest = [Counter(renamed(arrow) for arrow in two.all if not inside(arrow, prefix)) for prefix in (path, second)]
    return apart and rest[0] == rest[1] == Counter(map(renamed, one.all))
