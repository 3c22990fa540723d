"""Networks made smaller: some of the equal blocks of a stack, of the heads of a part, of the experts of a mixture, and
few tokens.

docs/theory/symbolic_types.md has the proof that dimensions grow by the same number with each that there is more.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from algatt import verbs
from algatt.architectures import Network
from algatt.fields import Elements, TraceArray
from algatt.fields.types import Equations, Typed
from algatt.layers import (
    Causal,
    Chain,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    Named,
    Parallel,
    Residual,
    RMSNorm,
    Rotary,
    SigmoidRouter,
    SoftmaxRouter,
    Stack,
    Tensors,
    Tie,
    Unembedding,
    Window,
)
from algatt.layers.base import layout
from algatt.layers.heads import AcrossHeads
from algatt.layers.routers import Router

__all__ = ["Dial", "Fewer", "FewerHeads", "Repeated", "Smaller", "smaller"]

FEW_TOKENS = 2
"""All networks of so many tokens and of more have the same answer, but for tensors with a row for each token."""

FEW_GROUPS = 2
"""So many groups of heads stand for all."""

LONGEST_PERIOD = 12
"""Stacks of equal groups of blocks are looked for in groups of so many blocks at most."""


@dataclass(frozen=True)
class Dial:
    """Of what a smaller network has less.

    Parameters
    ----------
    full : int
        How many there are.
    least : int
        How many the smallest network has.
    step : int
        How many more are taken together.
    copies : int
        In so many equal blocks there is such a thing.
    """

    full: int
    least: int
    step: int = 1
    copies: int = 1

    @property
    def steps(self) -> int:
        """How often it is raised by a step to the full number, in all copies."""
        return self.copies * ((self.full - self.least) // self.step)


@dataclass(frozen=True)
class Run:
    """Equal groups of blocks in a stack.

    Parameters
    ----------
    start : int
        How many blocks stand before them, in the smaller stack.
    period : int
        The number of blocks of a group.
    count : int
        How many of these groups there are in the smaller stack.
    dial : int
        The number of the dial.
    """

    start: int
    period: int
    count: int
    dial: int

    @property
    def ends(self) -> tuple[int, ...]:
        """How many blocks stand before each group, and behind the last one."""
        return tuple(self.start + number * self.period for number in range(self.count + 1))


@dataclass(frozen=True, repr=False, eq=False)
class Repeated(Stack):
    """Some of the blocks of a longer stack, with their numbers there; it notes what there is between them.

    Parameters
    ----------
    numbers : tuple of int
        The numbers of the blocks.
    runs : tuple of Run
        The equal ones.
    between : list of list of Typed
        The types between blocks, each time that the stack is run.
    recorded : list of list of int
        The numbers of the instructions between them, where a program is recorded.
    """

    numbers: tuple[int, ...] = ()
    runs: tuple[Run, ...] = ()
    between: list[list[Typed]] = field(default_factory=list)
    recorded: list[list[int]] = field(default_factory=list)

    __eq__ = object.__eq__  # each notes what there is in its own network
    __hash__ = object.__hash__

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ()

    @property
    def parts(self) -> dict[str, Layer]:
        return {str(number): block for number, block in zip(self.numbers, self.blocks, strict=True)}

    def steady(self, equations: Equations) -> bool:
        """Return whether it is run once, and each of equal groups of blocks returns what moves as its input does."""
        if len(self.between) != 1 or len(self.recorded) != 1:
            return False
        (notes,) = self.between
        pairs = [(notes[end], notes[run.start]) for run in self.runs for end in run.ends]
        return all(
            equations.resolve(one.rows - first.rows).zero and equations.resolve(one.columns - first.columns).zero
            for one, first in pairs
        )

    @property
    def boundaries(self) -> list[tuple[int, int]]:
        """The instructions before and after the last one of each equal groups."""
        return [(notes[run.ends[-2]], notes[run.ends[-1]]) for notes in self.recorded for run in self.runs]

    def names(self, path: str, dial: int) -> dict[str, str]:
        """Return what names of tensors of the last of the groups that a dial counts begin with, and those of the group
        before it.
        """
        return {
            f"{path}{self.numbers[place]}.": f"{path}{self.numbers[place - run.period]}."
            for run in self.runs
            if run.dial == dial and run.count > 1
            for place in range(run.ends[-2], run.ends[-1])
        }


@verbs.apply.method
def apply_repeated(layer: Repeated, w: Tensors, X: Elements) -> Elements:
    notes: list[Any] = [X.raw]
    for function in w.parts:
        X = function(X)
        notes.append(X.raw)
    if all(isinstance(one, Typed) for one in notes):
        layer.between.append(notes)
    if all(isinstance(one, TraceArray) for one in notes):
        layer.recorded.append([one.number for one in notes])
    return X


@dataclass(frozen=True, repr=False)
class Fewer(Experts):
    """Some of the experts of a larger mixture.

    Parameters
    ----------
    dial : Dial
        How many there are.
    number : int
        The number of the dial.
    """

    dial: Dial = Dial(1, 1)
    number: int = 0

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ()

    @property
    def name(self) -> str:
        return "experts"

    def names(self, path: str) -> dict[str, str]:
        """Return what names of tensors of the last experts begin with, those of a step, and of those before them."""
        step = self.dial.step
        last = range(self.count - step + 1, self.count + 1)
        return {f"{path}{number}.": f"{path}{number - step}." for number in last}


@dataclass(frozen=True, repr=False)
class FewerHeads(Heads):
    """Some of the groups of heads that share keys and values.

    Parameters
    ----------
    dial : Dial
        How many groups there are.
    number : int
        The number of the dial.
    """

    dial: Dial = Dial(1, 1)
    number: int = 0

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ()

    @property
    def name(self) -> str:
        return "heads"

    def names(self, path: str) -> dict[str, str]:
        """Return the names of the tensors of the last group, and those of the group before it."""
        shared = self.heads // self.groups
        found = {}
        for letter, count in (("Q", shared), ("O", shared), ("K", 1), ("V", 1)):
            last = self.groups * count
            for number in range(last - count + 1, last + 1):
                for kind in (letter, f"b_{letter}"):
                    found[f"{path}{kind}_{number}"] = f"{path}{kind}_{number - count}"
        return found


@dataclass
class Smaller:
    """A network that is made smaller, and of what it has less.

    Attributes
    ----------
    raised : int or None
        The number of the dial of which it has a step more.
    few : bool
        Whether positions have vectors for its tokens only.
    dials : list of Dial
        Of what it has less.
    copies : int
        In how many equal blocks the present layer is.
    network : Network
        The network.
    tokens : int or None
        The number of the dial that counts positions, if these have vectors.
    """

    raised: int | None
    few: bool
    dials: list[Dial] = field(default_factory=list)
    copies: int = 1
    tokens: int | None = None
    network: Network = field(init=False)

    def number_of(self, full: int, least: int, step: int = 1) -> tuple[int, int]:
        """Return how many of something the network has, and the number of the dial."""
        number = len(self.dials)
        self.dials.append(Dial(full, least, step, self.copies))
        return least + (step if number == self.raised else 0), number

    def made(self, layer: Layer) -> Layer:
        """Return a layer with less of what there are several of."""
        if isinstance(layer, Stack):
            return self.made_of_stack(layer)
        if isinstance(layer, Experts):
            return self.made_of_experts(layer)
        if isinstance(layer, LearnedPosition) and self.few:
            return LearnedPosition()
        if isinstance(layer, Heads):
            return self.made_of_heads(alike(layer))
        if isinstance(layer, Chain | Named | Residual | Parallel):
            return with_parts(layer, self.made)
        return layer

    def made_of_stack(self, layer: Stack) -> Layer:
        """Return one group of equal groups of blocks; or one more, of those that are raised."""
        plain = [like(block) for block in layer.blocks]
        blocks, numbers, runs = list[Layer](), list[int](), list[Run]()
        for start, period, count in runs_of(plain):
            here = 1
            if count > 1:
                here, dial = self.number_of(count, 1)
                runs.append(Run(len(blocks), period, here, dial))
            before, self.copies = self.copies, self.copies * count
            made = [self.made(plain[start + place]) for place in range(period)]
            self.copies = before
            blocks += made * here
            numbers += range(start + 1, start + period * here + 1)
        return Repeated(tuple(blocks), tuple(numbers), tuple(runs))

    def made_of_heads(self, layer: Heads) -> Layer:
        """Return fewer heads, where these stand beside each other and nothing tells them apart."""
        beside = layer.output and layer.width is not None and not isinstance(layer.norm, AcrossHeads)
        if type(layer) is not Heads or not beside or not isinstance(layer.position, Rotary | None):
            return layer
        if layer.groups <= FEW_GROUPS + 1:
            return layer
        here, number = self.number_of(layer.groups, FEW_GROUPS)
        values = {one.name: getattr(layer, one.name) for one in dataclasses.fields(layer)}
        values |= {"heads": layer.heads // layer.groups * here, "key_heads": here}
        return FewerHeads(**values, dial=self.dials[number], number=number)

    def made_of_experts(self, layer: Experts) -> Layer:
        """Return a mixture with fewer experts; all, if these are few, or it is not known how the router sees them."""
        found = with_fewer(layer.router, layer.count)
        if found is None:
            return layer
        router, least, step = found
        here, number = self.number_of(layer.count, least, step)
        return Fewer(here, layer.expert, router, self.dials[number], number)


def smaller(arch: Network, raised: int | None = None) -> Smaller | None:
    """Return a network with less of all that there are several of, but for a step of one of these; None if there is
    nothing of which it may have less.
    """
    layers = arch.layers
    few = arch.tokens > FEW_TOKENS or any(isinstance(node.layer, LearnedPosition) for node in layout(layers).walk())
    few = few and all(is_same_for_all_tokens(node.layer) for node in layout(layers).walk())
    made = Smaller(raised, few)
    if isinstance(layers, Tie):
        names = [name for pair in dict(layers.ties).items() for name in pair]
        shapes = verbs.coordinates(arch)
        if any(layers.resolve(name) not in shapes or any(map(str.isdigit, name.split("."))) for name in names):
            return None
        made.few = few = few and not any(name.split(".")[-1] == "P" for name in names)
        small: Layer = dataclasses.replace(layers, layer=made.made(layers.layer))
    else:
        small = made.made(layers)
    tokens = min(arch.tokens, FEW_TOKENS) if few else arch.tokens
    if tokens < arch.tokens and any(isinstance(node.layer, LearnedPosition) for node in layout(small).walk()):
        tokens, made.tokens = made.number_of(arch.tokens, tokens)
    if not made.dials and not few:
        return None
    made.network = Network(small, tokens, arch.width)
    return made


def with_parts(layer: Layer, change: Any) -> Layer:
    """Return a layer with other layers in its fields."""
    values: dict[str, Any] = {one.name: getattr(layer, one.name) for one in dataclasses.fields(layer)}
    for name, value in values.items():
        if isinstance(value, Layer):
            values[name] = change(value)
        elif isinstance(value, tuple) and all(isinstance(one, Layer) for one in value):
            values[name] = tuple(map(change, value))
    made: Layer = type(layer).of_fields(values)
    return made


def like(layer: Layer) -> Layer:
    """Return a layer with heads that `alike` does not tell apart from others."""
    if isinstance(layer, Heads):
        return alike(layer)
    return with_parts(layer, like) if isinstance(layer, Chain | Named | Residual | Parallel) else layer


def alike(heads: Heads) -> Heads:
    """Return heads with the mask and the angles that stand for all that have the same answer: windows of several tokens
    are like causal masks, and angles that all differ are like those of another base.
    """
    if not isinstance(heads.position, Rotary | None):
        return heads
    if isinstance(heads.mask, Window) and heads.mask.size > 1:
        heads = dataclasses.replace(heads, mask=Causal())
    if isinstance(heads.position, Rotary) and heads.width is not None:
        turned = heads.position
        plain = Rotary(width=turned.width, layout=turned.layout)
        if all(differ(one.angles(heads.width)) for one in (turned, plain)):
            heads = dataclasses.replace(heads, position=plain)
    return heads


def differ(angles: Sequence[float]) -> bool:
    """Return whether no angle is zero, and none is that of another pair, in this direction or the other one."""
    return all(angles) and len(set(map(abs, angles))) == len(angles)


def runs_of(blocks: Sequence[Layer]) -> list[tuple[int, int, int]]:
    """Return where equal groups of blocks begin, how many blocks a group has, and how many groups there are, the blocks
    that are in no longer run each by itself.
    """
    kinds: dict[Layer, int] = {}
    numbers = [kinds.setdefault(block, len(kinds)) for block in blocks]
    found, start = list[tuple[int, int, int]](), 0
    while start < len(numbers):
        best = (start, 1, 1)
        for period in range(1, min(LONGEST_PERIOD, (len(numbers) - start) // 2) + 1):
            count = 1
            group = numbers[start : start + period]
            while numbers[start + count * period : start + (count + 1) * period] == group:
                count += 1
            if (count - 1) * period > (best[2] - 1) * best[1]:
                best = (start, period, count)
        found.append(best)
        start += best[1] * best[2]
    return found


def with_fewer(router: Router, count: int) -> tuple[Router, int, int] | None:
    """Return a router of fewer experts that treats them alike, how many these are, and by what number there may be
    more; None if these are all, or it is no router that is known.

    Where one is chosen one is, where several are, two, and not all where not all are; where there are groups, of which
    some are chosen, one of two.
    """
    if type(router) not in (SoftmaxRouter, SigmoidRouter):
        return None
    changes: dict[str, Any] = {}
    least, step = 2, 1
    if router.top is not None and router.top < count:
        changes["top"] = min(router.top, 2)
        least = 3
    elif router.top is not None:
        changes["top"] = None
    groups, chosen = vars(router).get("groups"), vars(router).get("top_groups")
    if groups is not None and chosen is not None:
        changes |= {"groups": 2, "top_groups": 1} if chosen < groups else {"groups": None, "top_groups": None}
        least, step = (6, 2) if chosen < groups else (least, step)
    if count <= least + step or (count - least) % step:
        return None
    fewer: Router = dataclasses.replace(router, **changes)
    return fewer, least, step


def is_same_for_all_tokens(layer: Layer) -> bool:
    """Return whether it is known that a layer treats any number of tokens alike, as far as rules go."""
    if isinstance(layer, Heads):
        known = isinstance(layer.position, Rotary | None) and isinstance(layer.mask, Causal | Window | None)
        return known and not (isinstance(layer.mask, Window) and layer.mask.size < FEW_TOKENS)
    return type(layer) in ALIKE_FOR_ALL_TOKENS


ALIKE_FOR_ALL_TOKENS = {
    AcrossHeads,
    Chain,
    Embedding,
    Experts,
    Feedforward,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    Named,
    Parallel,
    RMSNorm,
    Residual,
    Stack,
    Tie,
    Unembedding,
}
"""Layers that do the same to each token."""
