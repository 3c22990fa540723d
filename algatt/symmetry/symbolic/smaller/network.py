"""Networks made smaller: some of the equal blocks of a stack, of the heads of a part, of the experts of a mixture, and
few tokens.

docs/theory/motions.md has the proof that dimensions grow by the same number with each that there is more.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from operator import ne

from algatt import verbs
from algatt.architectures import Network
from algatt.layers import (
    Chain,
    CrossHeads,
    EncoderDecoder,
    Experts,
    Heads,
    LatentHeads,
    Layer,
    LearnedPosition,
    Named,
    Parallel,
    RelativeBias,
    Residual,
    Rotary,
    SelectTokens,
    Stack,
    Tie,
)
from algatt.layers.base import layout
from algatt.layers.heads import AcrossHeads
from algatt.symmetry.symbolic.smaller.likeness import alike, like, runs_of, with_fewer, with_parts
from algatt.symmetry.symbolic.smaller.repeated import EqualGroups, Repeated
from algatt.symmetry.symbolic.smaller.ties import Ties, ties_of
from algatt.symmetry.symbolic.smaller.tokens import (
    FEW_TOKENS,
    FewerBuckets,
    fewest_of_source,
    fewest_tokens,
    has_plain_score,
    is_same_for_all_tokens,
    is_unlike_by_number,
    reached,
    tokens_by_number,
)

FEW_GROUPS = 2
"""So many groups of heads stand for all."""


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
    all_heads : bool
        Whether parts keep all of their heads.
    dials : list of Dial
        Of what it has less.
    copies : int
        In how many equal blocks the present layer is.
    network : Network
        The network.
    left_out : int
        How many columns of a source it has less.
    """

    raised: int | None
    few: bool
    length: int
    ties: Ties = field(default_factory=Ties)
    all_blocks: bool = False
    all_heads: bool = False
    dials: list[Dial] = field(default_factory=list)
    copies: int = 1
    left_out: int = 0
    network: Network = field(init=False)

    def number_of(self, full: int, least: int, step: int = 1) -> int:
        """Return how many of something the network has, with a new dial."""
        self.dials.append(Dial(full, least, step, self.copies))
        return least + (step if len(self.dials) - 1 == self.raised else 0)

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
            kept = tuple(kinds[block] for block in plain)
            return Stack(kept)
        blocks, numbers, runs = list[Layer](), list[int](), list[EqualGroups]()
        for start, period, count in runs_of(plain):
            here = 1
            if count > 1:
                here = self.number_of(count, 1)
                runs.append(EqualGroups(len(blocks), period, here))
            before, self.copies = self.copies, self.copies * count
            made = [self.made(plain[start + place]) for place in range(period)]
            self.copies = before
            blocks += made * here
            numbers += range(start + 1, start + period * here + 1)
        return Repeated(tuple(blocks), tuple(numbers), tuple(runs))

    def made_of_encoder_decoder(self, layer: EncoderDecoder) -> Layer:
        """Return both made smaller, each with its own tokens; of the source few."""
        if not self.few:
            return EncoderDecoder(self.made(layer.encoder), self.made(layer.decoder), layer.source, layer.width)
        full, source = self.length, layer.columns(self.length)
        self.length = source
        encoder = self.made(layer.encoder)
        self.length = full - source
        decoder = self.made(layer.decoder)
        self.length = full
        here = fewest_of_source(layer, source)
        self.left_out = source - here
        return EncoderDecoder(encoder, decoder, here, layer.width)

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
        return self.with_fewer_groups(layer, layer.groups)

    def made_of_cross_heads(self, layer: CrossHeads) -> Layer:
        """Return fewer heads, as of others."""
        beside = layer.output and layer.width is not None and not isinstance(layer.norm, AcrossHeads)
        plain = beside and has_plain_score(layer)
        return self.with_fewer_groups(layer, layer.attention.groups) if plain else layer

    def with_fewer_groups(self, layer: Heads | CrossHeads, groups: int) -> Layer:
        """Return heads with fewer groups, if these are many."""
        if groups <= FEW_GROUPS + 1 or self.all_heads:
            return layer
        here = self.number_of(groups, FEW_GROUPS)
        return dataclasses.replace(layer, heads=layer.heads // groups * here, key_heads=here)

    def made_of_latent_heads(self, layer: LatentHeads) -> Layer:
        """Return fewer heads, which stand beside each other but for the latent vectors and the key that all read."""
        known = type(layer) is LatentHeads and isinstance(layer.position, Rotary | None) and has_plain_score(layer)
        if not known or layer.heads <= FEW_GROUPS + 1 or self.all_heads:
            return layer
        return dataclasses.replace(layer, heads=self.number_of(layer.heads, FEW_GROUPS))

    def made_of_experts(self, layer: Experts) -> Layer:
        """Return a mixture with fewer experts; all, if these are few, or it is not known how the router sees them."""
        found = with_fewer(layer.router, layer.count)
        if found is None:
            return layer
        router, least, step = found
        return Experts(self.number_of(layer.count, least, step), layer.expert, router)


def smaller(
    arch: Network, raised: int | None = None, *, all_blocks: bool = False, all_heads: bool = False
) -> Smaller | None:
    """Return a network with less of all that there are several of, but for a step of one of these; None if there is
    nothing of which it may have less. Where blocks are not alike, all of them may be kept, and so may all heads.
    """
    inside = layers_in(arch.layers)
    named, plain = tokens_by_number(inside), fewest_tokens(arch, inside)
    if named and any(is_unlike_by_number(layer) or isinstance(layer, EncoderDecoder) for layer in inside):
        return None
    least = plain + named
    few = arch.tokens > least or any(isinstance(layer, LearnedPosition | EncoderDecoder) for layer in inside)
    few = few and plain > 0 and all(map(is_same_for_all_tokens, inside))
    inner = arch.layers.layer if isinstance(arch.layers, Tie) else arch.layers
    ties = ties_of(arch)
    if ties is None:
        return None
    few = few and not any(name.split(".")[-1] == "P" for pair in ties.plain.items() for name in pair)
    made = Smaller(raised, few, arch.tokens, ties, all_blocks, all_heads)
    small = made.made(inner)
    tokens = min(arch.tokens, least) if few else arch.tokens
    if tokens < arch.tokens and any(isinstance(layer, LearnedPosition) for layer in inside):
        tokens = made.number_of(arch.tokens - made.left_out, tokens)
    if not made.dials and not few:
        return None
    there = verbs.coordinates(Network(small, tokens, arch.width)) if ties.plain else {}
    if any(name not in there for pair in ties.plain.items() for name in pair):  # one is left out
        return None
    made.network = Network(ties.around(small), tokens, arch.width)
    return made


@functools.lru_cache(maxsize=16)
def layers_in(layers: Layer) -> tuple[Layer, ...]:
    """Return the layers of a network: one that stands in several places, as an expert, once, but for those of which it
    is asked how many there are.
    """
    everywhere = [node.layer for node in layout(layers).walk()]
    counts = Counter(map(id, everywhere))
    once = {id(layer): layer for layer in everywhere}
    several = (
        (layer, counts[key] if isinstance(layer, EncoderDecoder | SelectTokens) else 1) for key, layer in once.items()
    )
    return tuple(layer for layer, count in several for _ in range(count))


def added_tensors(small: Smaller, raised: Smaller) -> dict[str, str] | None:
    """Return the tensors that a network has and a smaller one has not, each with the one of the latter that it is like:
    one of its numbers is less by as many as there are more. None if tensors like them are tied, as single heads or
    experts: these are not like the others, which might be none of those that are left.
    """
    there = verbs.coordinates(small.network)
    added = {name: numbered(name) for name in verbs.coordinates(raised.network) if name not in there}
    ties = small.ties
    tied = list(map(numbered, {*ties.plain, *ties.plain.values(), *ties.blocks, *ties.shared}))
    if any(differ_in_a_number(one, new) for one in tied for new in added.values()):
        return None
    more: dict[str, set[str]] = defaultdict(set)
    for parts in added.values():
        for place in range(1, len(parts), 2):
            more["".join(parts[:place])].add(parts[place])
    found = {}
    for name, parts in added.items():
        for place in range(len(parts) - 2, 0, -2):
            begin, end = "".join(parts[:place]), "".join(parts[place + 1 :])
            like = f"{begin}{int(parts[place]) - len(more[begin])}{end}"
            if like in there:
                found[name] = like
                break
    return found if len(found) == len(added) else None


def differ_in_a_number(one: list[str], other: list[str]) -> bool:
    """Return whether two names, given by their parts, are the same but for one number at most."""
    return one[::2] == other[::2] and sum(map(ne, one[1::2], other[1::2])) <= 1


def numbered(name: str) -> list[str]:
    """Return the parts of a name, of which each second one is a number."""
    return re.split(r"(\d+)", name)
