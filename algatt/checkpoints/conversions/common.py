"""Checkpoints of networks that differ by an isomorphism, rewritten so that they have one network."""

from __future__ import annotations

from algatt import verbs
from algatt.architectures import Network
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import Conversion
from algatt.checkpoints.conversions.heads import heads_in, meetings_in
from algatt.checkpoints.conversions.rotary_layout import RotaryLayout
from algatt.checkpoints.conversions.separate_keys import SeparateKeys
from algatt.checkpoints.conversions.untie import Untie, is_tied
from algatt.errors import InvalidArgument
from algatt.layers import Rotary


def with_one_network(one: Checkpoint, two: Checkpoint) -> tuple[Checkpoint, Checkpoint, tuple[str, ...]]:
    """Return two checkpoints, rewritten where that may give them one network, and what was done to each, in words.

    Embeddings are untied, keys and values separated, and rotary positions laid out in halves, as in the other.
    """
    words: list[str] = []
    pair, names = [one, two], ("the first", "the second")
    for number, other in ((0, 1), (1, 0)):
        if is_tied(pair[number]) and not is_tied(pair[other]):
            pair[number] = rewritten(Untie(), pair[number], f"{names[number]} is untied", words)
    for number, other in ((0, 1), (1, 0)):
        if groups_of(pair[number].network) < groups_of(pair[other].network):
            what = f"keys and values of {names[number]} are separated"
            pair[number] = rewritten(SeparateKeys(), pair[number], what, words)
    for number, other in ((0, 1), (1, 0)):
        if layouts_of(pair[number].network) > layouts_of(pair[other].network):
            what = f"rotary positions of {names[number]} are laid out in halves"
            pair[number] = rewritten(RotaryLayout("halves"), pair[number], what, words)
    return pair[0], pair[1], tuple(words)


def rewritten(conversion: Conversion, checkpoint: Checkpoint, what: str, words: list[str]) -> Checkpoint:
    """Return a checkpoint after a conversion, and add what was done; as it is if the conversion refuses it."""
    try:
        found: Checkpoint = verbs.rewrite(conversion, checkpoint)
    except InvalidArgument:
        return checkpoint
    words.append(what)
    return found


def groups_of(net: Network) -> tuple[int, ...]:
    """Return how many keys each layer of heads has."""
    return tuple(layer.groups for _, layer in heads_in(net))


def layouts_of(net: Network) -> tuple[str, ...]:
    """Return the layouts of rotary positions, ``halves`` before ``interleaved``."""
    return tuple(sorted({one.position.layout for one in meetings_in(net) if isinstance(one.position, Rotary)}))
