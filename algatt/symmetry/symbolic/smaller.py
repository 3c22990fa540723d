"""Networks made smaller: some of the equal blocks of a stack, of the heads of a part, of the experts of a mixture, and
few tokens.

docs/theory/symbolic_types.md has the proof that dimensions grow by the same number with each that there is more.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from algatt import verbs
from algatt.architectures import Network
from algatt.fields import Elements, TraceArray
from algatt.fields.types import Equations, Typed, Types
from algatt.layers import (
    Activation,
    Causal,
    Chain,
    ClassToken,
    Concatenate,
    CrossHeads,
    Embedding,
    EncoderDecoder,
    Entrywise,
    Experts,
    Exponential,
    Feedforward,
    Heads,
    LatentHeads,
    Layer,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    MaskToken,
    MeanToken,
    Named,
    Parallel,
    RelativeBias,
    Repeat,
    Residual,
    RMSNorm,
    Rotary,
    SelectTokens,
    SigmoidRouter,
    SoftCap,
    SoftmaxRouter,
    Stack,
    Tensors,
    Tie,
    TypedEmbedding,
    Unembedding,
    Unnormalized,
    Window,
)
from algatt.layers.base import layout
from algatt.layers.heads import AcrossHeads
from algatt.layers.routers import Router

__all__ = [
    "Dial",
    "Fewer",
    "FewerBuckets",
    "FewerCrossHeads",
    "FewerHeads",
    "FewerLatentHeads",
    "Repeated",
    "Smaller",
    "smaller",
]

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
        """Return whether it is run once, and each of equal groups of blocks returns what moves as its input does:
        by L X + X R with the same L and R, up to a number in L that is taken away in R.
        """
        if len(self.between) != 1 or len(self.recorded) != 1:
            return False
        (notes,) = self.between
        pairs = [(notes[end], notes[run.start]) for run in self.runs for end in run.ends]
        for one, first in pairs:
            rows, columns = equations.resolve(one.rows - first.rows), equations.resolve(one.columns - first.columns)
            if not (rows.scalar and columns.scalar and (rows.resize(1) + columns.resize(1)).zero):
                return False
        return True

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
        X = function(with_a_number(X))
        notes.append(X.raw)
    if all(isinstance(one, Typed) for one in notes):
        layer.between.append(notes)
    if all(isinstance(one, TraceArray) for one in notes):
        layer.recorded.append([one.number for one in notes])
    return X


def with_a_number(X: Elements) -> Elements:
    """Return a value whose type has a number of its own in L, which is taken away in R, so that it moves by the same
    L X + X R; others as they are.
    """
    raw: Any = X.raw
    if not isinstance(X.field, Types) or raw.constant is not None:
        return X
    number = X.field.equations.number(1)
    rows, columns = raw.rows + number.resize(raw.rows.size), raw.columns - number.resize(raw.columns.size)
    return Elements(X.field, Typed(raw.shape, rows, columns))


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
        return names_of_group(path, self)


@dataclass(frozen=True, repr=False)
class FewerCrossHeads(CrossHeads):
    """Some of the groups of heads that read a memory and share keys and values.

    Parameters
    ----------
    dial : Dial
        How many groups there are.
    number : int
        The number of the dial.
    """

    dial: Dial = Dial(1, 1)
    number: int = 0

    def __post_init__(self) -> None:
        """The values are those of heads that were checked."""

    @property
    def attention(self) -> Heads:
        return Heads(**{one.name: getattr(self, one.name) for one in dataclasses.fields(CrossHeads)})

    @classmethod
    def examples(cls) -> Iterable[tuple[Layer, tuple[int, int]]]:
        return ()

    def names(self, path: str) -> dict[str, str]:
        """Return the names of the tensors of the last group, and those of the group before it."""
        return names_of_group(path, self.attention)


def names_of_group(path: str, layer: Heads) -> dict[str, str]:
    """Return the names of the tensors of the last group of heads, and those of the group before it."""
    shared = layer.heads // layer.groups
    found = {}
    for letter, count in (("Q", shared), ("O", shared), ("K", 1), ("V", 1)):
        last = layer.groups * count
        for number in range(last - count + 1, last + 1):
            for kind in (letter, f"b_{letter}"):
                found[f"{path}{kind}_{number}"] = f"{path}{kind}_{number - count}"
    return found


@dataclass(frozen=True, repr=False)
class FewerBuckets(RelativeBias):
    """Relative positions with a bucket for each distance of two neighbours, which stand for all that are reached.

    Parameters
    ----------
    dead : int
        How many buckets no two tokens of the full network reach.
    copies : int
        In so many equal blocks there is such a table, unless they share it.
    """

    dead: int = 0
    copies: int = 1

    def __post_init__(self) -> None:
        """There may be an odd number of buckets."""

    def bucket(self, offset: int) -> int:
        """Return the bucket of a key: 0 of the query itself, the last one before it, and behind it 1 or 0."""
        return min(max(offset, -1), self.buckets - 2) % self.buckets


@dataclass(frozen=True)
class Ties:
    """The equations between tensors of a network.

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

    def around(self, layers: Layer) -> Layer:
        """Return layers with the equations about blocks that they have."""
        stacks = stacks_of(layers)
        kept = dict(self.plain)
        for name, (path, number) in self.blocks.items():
            if number in stacks[path].numbers:
                kept[name] = f"{path}1.{name.removeprefix(f'{path}{number}.')}"
        return Tie(layers, kept) if kept else layers


@dataclass(frozen=True, repr=False)
class FewerLatentHeads(LatentHeads):
    """Some of the heads that read latent vectors.

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
        return "heads"

    def names(self, path: str) -> dict[str, str]:
        """Return the names of the tensors of the last head, and those of the head before it."""
        return {f"{path}{letter}_{self.heads}": f"{path}{letter}_{self.heads - 1}" for letter in "QRKVO"}


@dataclass
class Smaller:
    """A network that is made smaller, and of what it has less.

    Attributes
    ----------
    raised : int or None
        The number of the dial of which it has a step more.
    few : bool
        Whether it has few tokens, and positions what these reach only.
    length : int
        The number of tokens that the present layer has in the full network.
    ties : Ties
        Which tensors are equal.
    all_blocks : bool
        Whether stacks keep all of their blocks.
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
    length: int
    ties: Ties = field(default_factory=Ties)
    all_blocks: bool = False
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
        if isinstance(layer, LatentHeads):
            return self.made_of_latent_heads(layer)
        if type(layer) is CrossHeads:
            return self.made_of_cross_heads(layer)
        if isinstance(layer, EncoderDecoder):
            return self.made_of_encoder_decoder(layer)
        if isinstance(layer, Chain | Named | Residual | Parallel):
            return with_parts(layer, self.made)
        return layer

    def made_of_stack(self, layer: Stack) -> Layer:
        """Return one group of equal groups of blocks; or one more, of those that are raised. If all blocks are kept,
        there is less in each, and what is raised is in all that are equal.
        """
        plain = [like(block) for block in layer.blocks]
        if self.all_blocks:
            kinds = {block: self.made(block) for block in dict.fromkeys(plain)}
            return Stack(tuple(kinds[block] for block in plain))
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

    def made_of_encoder_decoder(self, layer: EncoderDecoder) -> Layer:
        """Return both made smaller, each with its own tokens; of the source few."""
        full, source = self.length, layer.columns(self.length)
        self.length = source
        encoder = self.made(layer.encoder)
        self.length = full - source
        decoder = self.made(layer.decoder)
        self.length = full
        return EncoderDecoder(encoder, decoder, min(source, FEW_TOKENS) if self.few else layer.source)

    def made_of_heads(self, layer: Heads) -> Layer:
        """Return heads with fewer buckets of relative positions, or fewer heads, where these stand beside each other
        and nothing tells them apart.
        """
        position = layer.position
        plain = type(layer) is Heads and has_plain_score(layer)
        if plain and isinstance(position, RelativeBias) and self.few and self.length >= FEW_TOKENS:
            dead = position.buckets - len(reached(position, self.length))
            fewer = FewerBuckets(
                3 if position.bidirectional else 2, position.distance, position.bidirectional, dead, self.copies
            )
            layer = dataclasses.replace(layer, position=fewer)
        beside = layer.output and layer.width is not None and not isinstance(layer.norm, AcrossHeads)
        beside = beside and has_plain_score(layer)
        if type(layer) is not Heads or not beside or not isinstance(layer.position, Rotary | FewerBuckets | None):
            return layer
        return self.with_fewer_groups(layer, FewerHeads)

    def made_of_cross_heads(self, layer: CrossHeads) -> Layer:
        """Return fewer heads, as of others."""
        beside = layer.output and layer.width is not None and not isinstance(layer.norm, AcrossHeads)
        return self.with_fewer_groups(layer, FewerCrossHeads) if beside and has_plain_score(layer) else layer

    def with_fewer_groups(self, layer: Heads | CrossHeads, kind: type[FewerHeads | FewerCrossHeads]) -> Layer:
        """Return heads with fewer groups, if these are many."""
        groups = layer.attention.groups if isinstance(layer, CrossHeads) else layer.groups
        if groups <= FEW_GROUPS + 1:
            return layer
        here, number = self.number_of(groups, FEW_GROUPS)
        values = {one.name: getattr(layer, one.name) for one in dataclasses.fields(layer)}
        values |= {"heads": layer.heads // groups * here, "key_heads": here}
        return kind(**values, dial=self.dials[number], number=number)

    def made_of_latent_heads(self, layer: LatentHeads) -> Layer:
        """Return fewer heads, which stand beside each other but for the latent vectors and the key that all read."""
        known = type(layer) is LatentHeads and isinstance(layer.position, Rotary | None) and has_plain_score(layer)
        if not known or layer.heads <= FEW_GROUPS + 1:
            return layer
        here, number = self.number_of(layer.heads, FEW_GROUPS)
        values = {one.name: getattr(layer, one.name) for one in dataclasses.fields(layer)} | {"heads": here}
        return FewerLatentHeads(**values, dial=self.dials[number], number=number)

    def made_of_experts(self, layer: Experts) -> Layer:
        """Return a mixture with fewer experts; all, if these are few, or it is not known how the router sees them."""
        found = with_fewer(layer.router, layer.count)
        if found is None:
            return layer
        router, least, step = found
        here, number = self.number_of(layer.count, least, step)
        return Fewer(here, layer.expert, router, self.dials[number], number)


def smaller(arch: Network, raised: int | None = None, *, all_blocks: bool = False) -> Smaller | None:
    """Return a network with less of all that there are several of, but for a step of one of these; None if there is
    nothing of which it may have less. Where blocks are not alike, all of them may be kept.
    """
    inside = [node.layer for node in layout(arch.layers).walk()]
    named, plain = tokens_by_number(inside), fewest_tokens(arch, inside)
    if named and any(is_unlike_by_number(layer) or isinstance(layer, EncoderDecoder) for layer in inside):
        return None
    least = plain + named
    few = arch.tokens > least or any(isinstance(layer, LearnedPosition | EncoderDecoder) for layer in inside)
    few = few and plain > 0 and all(map(is_same_for_all_tokens, dict.fromkeys(inside)))
    inner = arch.layers.layer if isinstance(arch.layers, Tie) else arch.layers
    ties = ties_of(arch)
    if ties is None:
        return None
    few = few and not any(name.split(".")[-1] == "P" for pair in ties.plain.items() for name in pair)
    made = Smaller(raised, few, arch.tokens, ties, all_blocks)
    small = ties.around(made.made(inner))
    tokens = min(arch.tokens, least) if few else arch.tokens
    if tokens < arch.tokens and any(isinstance(layer, LearnedPosition) for layer in inside):
        tokens, made.tokens = made.number_of(arch.tokens, tokens)
    if not made.dials and not few:
        return None
    made.network = Network(small, tokens, arch.width)
    return made


def fewest_tokens(arch: Network, nodes: Sequence[Layer]) -> int:
    """Return how many tokens stand for all; 0 if that is not known."""
    pairs = [layer for layer in nodes if isinstance(layer, EncoderDecoder)]
    if not pairs:
        return min(arch.tokens, FEW_TOKENS)
    if len(pairs) > 1 or any(isinstance(layer, LearnedPosition) for layer in nodes):
        return 0
    source = pairs[0].columns(arch.tokens)
    return min(source, FEW_TOKENS) + min(arch.tokens - source, FEW_TOKENS)


def reached(position: RelativeBias, tokens: int) -> set[int]:
    """Return the buckets of the distances between so many tokens."""
    return {position.bucket(offset) for offset in range(1 - tokens, tokens)}


def ties_of(arch: Network) -> Ties | None:
    """Return the equations of the outermost `Tie` of a network; None if they are others than `Ties` has."""
    if not isinstance(arch.layers, Tie):
        return Ties()
    tensors = verbs.coordinates(arch)
    stacks = stacks_of(arch.layers.layer)
    plain: dict[str, str] = {}
    blocks: dict[str, tuple[str, int]] = {}
    tied: dict[tuple[str, str], set[int]] = {}
    for name, other in dict(arch.layers.ties).items():
        if arch.layers.resolve(other) not in tensors:
            return None
        if not any(map(str.isdigit, [*name.split("."), *other.split(".")])):
            plain[name] = other
            continue
        path = next((path for path in stacks if other.startswith(f"{path}1.")), None)
        number, _, rest = name.removeprefix(path or "").partition(".")
        if path is None or other not in tensors or not number.isdigit() or name != f"{path}{number}.{rest}":
            return None
        if other != f"{path}1.{rest}":
            return None
        blocks[name] = path, int(number)
        tied.setdefault((path, other), set()).add(int(number))
    if any(numbers != set(range(2, len(stacks[path].blocks) + 1)) for (path, _), numbers in tied.items()):
        return None
    return Ties(plain, blocks, frozenset(other for _, other in tied))


def stacks_of(layers: Layer) -> dict[str, Any]:
    """Return the stacks in layers by their paths."""
    return {node.path: node.layer for node in layout(layers).walk() if isinstance(node.layer, Stack)}


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


def tokens_by_number(layers: Iterable[Layer]) -> int:
    """Return how many tokens at most layers take or leave out by their number."""
    return sum(layer.start if layer.stop is None else layer.stop for layer in layers if isinstance(layer, SelectTokens))


def is_unlike_by_number(layer: Layer) -> bool:
    """Return whether tokens that are taken by their number may see tokens behind a layer that are not named, and not
    all; or are taken more than once by it.
    """
    return isinstance(layer, Repeat) or (isinstance(layer, Heads) and isinstance(layer.mask, Window))


def has_plain_score(layer: Heads | CrossHeads | LatentHeads) -> bool:
    """Return whether scores become weights in the same way in all heads and for any number of tokens: not by decays,
    nor with tensors of their own; where positions have biases, by softmax.
    """
    score = layer.score
    if isinstance(getattr(layer, "position", None), RelativeBias):
        return score is None or isinstance(score, Exponential)
    return score is None or isinstance(score, Activation) or type(score) in (SoftCap, Unnormalized)


def is_same_for_all_tokens(layer: Layer) -> bool:
    """Return whether it is known that a layer treats any number of tokens alike, as far as rules go."""
    if isinstance(layer, Heads):
        if not has_plain_score(layer):
            return False
        if isinstance(layer.position, RelativeBias):  # the mask of both directions would hide buckets
            return layer.mask is None or (isinstance(layer.mask, Causal) and not layer.position.bidirectional)
        known = isinstance(layer.position, Rotary | None) and isinstance(layer.mask, Causal | Window | None)
        return known and not (isinstance(layer.mask, Window) and layer.mask.size < FEW_TOKENS)
    return type(layer) in ALIKE_FOR_ALL_TOKENS


ALIKE_FOR_ALL_TOKENS = {
    AcrossHeads,
    Chain,
    ClassToken,
    Concatenate,
    CrossHeads,
    Embedding,
    EncoderDecoder,
    Entrywise,
    Experts,
    Feedforward,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    MaskToken,
    MeanToken,
    Named,
    Parallel,
    RMSNorm,
    Repeat,
    Residual,
    SelectTokens,
    Stack,
    Tie,
    TypedEmbedding,
    Unembedding,
}
"""Layers that do the same to each token, but for some that they take by their number or put before all others."""
