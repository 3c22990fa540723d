"""Checkpoints of one function whose networks, or neurons, are not the same: rewritten so that they may be."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from algatt import published, verbs
from algatt.architectures import Network
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.conversions.base import check_kept, replaced
from algatt.checkpoints.conversions.common import rewritten as after
from algatt.checkpoints.conversions.fold_norms import FoldNorms
from algatt.checkpoints.conversions.rotate import streams
from algatt.checkpoints.conversions.untie import untied
from algatt.errors import AlgattError
from algatt.fields import Elements, Reals
from algatt.geometry.equality.large.spaces import large_motions
from algatt.geometry.equality.large.values import unit_of
from algatt.layers import Embedding, Feedforward, Layer, LearnedPosition, TypedEmbedding, Unembedding
from algatt.layers.base import layout
from algatt.layers.lengths import is_noun
from algatt.layers.rewriting import rewritten
from algatt.published.base import opened
from algatt.published.networks import with_epsilon
from algatt.symmetry import ShiftSymmetry

EPSILONS = ("rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon")
"""Keys of configs that name the epsilon of norms."""

TABLES: dict[type, tuple[str, ...]] = {Embedding: ("E",), TypedEmbedding: ("E", "T"), LearnedPosition: ("P",)}
"""The names of tensors of which rows are looked up."""

EVEN = 8.0
"""Maximum difference of numbers that are taken for one, in units of rounding."""

Kinds = tuple[type[Layer], ...]
"""Kinds of layers."""

VOCABULARIES: Kinds = (Embedding, TypedEmbedding, Unembedding)
"""Layers that read tokens, or have a value for each."""

Pair = tuple[Checkpoint, Checkpoint, str]
"""Two checkpoints, rewritten, and what was done, in words."""


def related(one: Checkpoint, two: Checkpoint) -> Iterator[Pair]:
    """Iterate over rewritten pairs of the same functions, of which one may have points of one orbit."""
    for rewrite in (with_one_epsilon, with_merged_neurons):
        try:
            pair = rewrite(one, two)
            if pair is not None:
                for before, changed in zip((one, two), pair[:2], strict=True):
                    check_kept(before, changed, pair[2], 0)
                yield pair
        except AlgattError:  # it cannot be rewritten, or values would change
            continue


def with_one_epsilon(one: Checkpoint, two: Checkpoint) -> Pair | None:
    """Return two checkpoints with the epsilon of the second, if all norms of each have one: a stream that is multiplied
    by c has the same norms if the epsilon is multiplied by c^2.
    """
    first, second = (set(epsilons(each.network.layers)) for each in (one, two))
    if len(first) != 1 or len(second) != 1 or first == second or 0 in (*first, *second):
        return None
    (before,), (eps,) = first, second
    key = next((name for name in EPSILONS if name in {**one.config, **two.config}), None)
    if key is None:
        return None
    one, two = (after(FoldNorms(), untied(each), "", []) for each in (one, two))
    factor = math.sqrt(eps / before)
    arrays = {name: element.raw for name, element in one.weights.tensors.items()}
    arrays |= {name: factor * arrays[name] for name in writers(one.network)}
    network = dataclasses.replace(one.network, layers=with_epsilon(one.network.layers, eps))
    one = replaced(one, arrays, network, {**one.config, key: eps})
    return one, two, f"the stream of the first is multiplied by {factor:.4g}, and its epsilon by {factor**2:.4g}"


def writers(network: Network) -> set[str]:
    """Return the tensors whose rows are coordinates of a stream, and the tables of which rows are its vectors."""
    nodes = layout(network.layers).walk()
    tables = {f"{node.path}{name}" for node in nodes for name in TABLES.get(type(node.layer), ())}
    sides = [side for space in streams(network, large_motions(network)) for side in space.sides]
    return {side.tensor for side in sides if side.axis == 0 or side.tensor in tables}


def epsilons(value: Any) -> Iterator[float]:
    """Iterate over the epsilons of the norms in a noun."""
    if isinstance(value, tuple):
        for one in value:
            yield from epsilons(one)
    elif is_noun(value):
        for field in dataclasses.fields(value):
            if field.name == "eps":
                yield value.eps
            else:
                yield from epsilons(getattr(value, field.name))


def with_merged_neurons(one: Checkpoint, two: Checkpoint) -> Pair | None:
    """Return two checkpoints in which neurons with the same inputs are one, and those without effect are zero."""
    pair = merged(one), merged(two)
    if all(new.weights == old.weights for new, old in zip(pair, (one, two), strict=True)):
        return None
    return *pair, "neurons with the same inputs are merged, and those without effect zero"


def merged(checkpoint: Checkpoint) -> Checkpoint:
    """Return a checkpoint whose outputs of neurons with the same inputs are those of the first of them; those without
    effect are zero.
    """
    shifts = (one.shift for one in verbs.members(ShiftSymmetry, checkpoint.network))
    centred = {one.tensor for one in shifts if one.kind == "rows" and len(one.moves) == 1 and not one.conditions}
    rounding = EVEN * unit_of(checkpoint.weights)
    arrays = {name: one.raw for name, one in checkpoint.weights.tensors.items()}
    for path, layer in feedforwards(checkpoint.network):
        inner = [name for name in inputs_of(path) if name in arrays]
        if f"{path}down" not in arrays:  # those of a layer that is tied to another one
            continue
        rows = np.hstack([arrays[name] for name in inner])
        _, first, group = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        down = np.zeros_like(arrays[f"{path}down"])
        np.add.at(down.T, first[group.ravel()], arrays[f"{path}down"].T)
        down[:, silent(layer, path, arrays)] = 0
        if f"{path}down" in centred:  # norms subtract a number that is the same in all coordinates
            down[:, np.ptp(down, axis=0) <= rounding * np.abs(down).max(axis=0)] = 0
        arrays[f"{path}down"] = down
        unread = ~down.any(axis=0)
        for name in inner:
            arrays[name] = arrays[name].copy()
            arrays[name][unread] = 0
    return replaced(checkpoint, arrays)


def silent(layer: Feedforward, path: str, arrays: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return which neurons are zero at all inputs, since what they are products or functions of is."""
    rests = not verbs.activate(layer.activation, Elements(Reals(), np.zeros((1, 1)))).raw.any()
    zero: dict[str, np.ndarray] = {}
    for name in ("up", "gate") if layer.gated else ("up",):
        rows = [arrays[one] for one in (f"{path}{name}", f"{path}b_{name}") if one in arrays]
        zero[name] = np.all(np.hstack(rows) == 0, axis=1)
    return zero["up"] | (zero["gate"] & rests) if layer.gated else zero["up"] & rests


def with_one_size(one: Checkpoint, two: Checkpoint) -> tuple[Checkpoint, Checkpoint, tuple[str, ...]]:
    """Return two checkpoints with as many neurons, merged and with others that are zero, as many tokens, without those
    that a vocabulary was padded with, and as many vectors of positions, without those of more tokens than the other one
    reads; and what was done, in words.
    """
    words = []
    sizes = [sizes_of(each.network, (Feedforward,), "hidden") for each in (one, two)]
    if sizes[0] != sizes[1] and all(len(size) == 1 for size in sizes):
        most = max(*sizes[0], *sizes[1])
        one, two = (resized(merged(each), (Feedforward,), "hidden", most) for each in (one, two))
        words.append(f"neurons are merged, and {most} with others that are zero")
    for kinds, name, what in (
        (VOCABULARIES, "vocabulary", "the first {} tokens and their values are compared, which both have"),
        ((LearnedPosition,), "context", "{} vectors of positions are compared, which one of them has"),
    ):
        sizes = [sizes_of(each.network, kinds, name) for each in (one, two)]
        if sizes[0] != sizes[1] and all(len(size) == 1 for size in sizes):
            least = min(*sizes[0], *sizes[1])
            one, two = (resized(each, kinds, name, least) for each in (one, two))
            words.append(what.format(least))
    return one, two, tuple(words)


def resized(checkpoint: Checkpoint, kind: Kinds, name: str, size: int) -> Checkpoint:
    """Return a checkpoint whose layers of some kinds have another size, and tensors that are cut or filled with zeros;
    as it is if no config says so.
    """
    old = sizes_of(checkpoint.network, kind, name)
    key = opened(checkpoint.config)[1].sizes.get(name) if checkpoint.config else None
    if old == {size} or key is None:
        return checkpoint
    given = checkpoint.config.get(key)
    config = {**checkpoint.config, key: size if given is None else given + size - min(old)}

    def change(noun: Any) -> Any:
        return dataclasses.replace(noun, **{name: size}) if isinstance(noun, kind) else noun

    net = checkpoint.network
    tokens = min(net.tokens, size) if LearnedPosition in kind else net.tokens
    layers = rewritten(net.layers, change)
    net = Network(layers, tokens, None if net.vocabulary is not None else net.width)
    if published.read(config, tokens=None if net.vocabulary is None else tokens) != net:
        return checkpoint
    arrays = {}
    for tensor, shape in verbs.coordinates(net).items():
        raw = checkpoint.weights.tensors[tensor].raw[: shape[0], : shape[1]]
        arrays[tensor] = np.zeros(shape)
        arrays[tensor][: raw.shape[0], : raw.shape[1]] = raw
    return replaced(checkpoint, arrays, net, config)


def sizes_of(network: Network, kind: Kinds, name: str) -> set[int]:
    """Return the sizes of the layers of some kinds."""
    nodes = layout(network.layers).walk()
    return {getattr(node.layer, name) for node in nodes if isinstance(node.layer, kind)}


def feedforwards(network: Network) -> list[tuple[str, Feedforward]]:
    """Return the networks of one hidden layer, each with what the names of its tensors begin with."""
    return [(node.path, node.layer) for node in layout(network.layers).walk() if isinstance(node.layer, Feedforward)]


def inputs_of(path: str) -> list[str]:
    """Return the names of tensors with a row for each neuron."""
    return [f"{path}{name}" for name in ("up", "gate", "b_up", "b_gate")]
