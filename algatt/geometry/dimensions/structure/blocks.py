"""Blocks of transformers, cut into a hub that has all heads, and copies, of coordinates of the stream and neurons.

At inputs that are zero but in a set S of parts with the hub the stream stays zero elsewhere, as for attention alone
(`pieces`): root mean squares add squares, whose derivatives vanish with the coordinates; and what neurons outside of S
do to first order, they do to the stream outside of S. But a root mean square divides by the width of the whole network.
So the network of S has epsilon times d / s, for s of d coordinates, and its gains are those of the whole network times
the root of d / s: another point than that of other pieces.

Still the bound holds. The minors of all pieces are analytic functions of block-diagonal weights and of inputs, on a
connected domain, since epsilon is positive; each is not zero somewhere, and so neither is their product. So there are
weights at which none is zero.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.arguments import exact
from algatt.errors import ConditionFailed, InvalidArgument
from algatt.fields import Elementary, Elements, PrimeField, Reals
from algatt.geometry.dimensions.bounds import Attempt, upper_bound
from algatt.geometry.dimensions.elementary.dimension import check_symmetries_at_places
from algatt.geometry.dimensions.evidence import Pieces
from algatt.geometry.dimensions.memory import FLOAT, check_dimension
from algatt.geometry.dimensions.memory import tangents as tangents_of
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.structure.cut import Cut, Labels, Sides, labels_of_parts, reached
from algatt.geometry.dimensions.structure.pieces import (
    WITNESSES,
    blocks_of,
    bounds_of_piece,
    lower_bound_of_pieces,
    own_classes,
    witnesses,
)
from algatt.layers import Chain, Feedforward, Heads, Layer, Residual, RMSNorm, Rotary, SiLU, Stack
from algatt.maps.gradient import gradients
from algatt.memory import check_memory
from algatt.parameters import Weights

CLOSE = 1e-6
"""They are equal up to this part of the largest entry, in floating point."""


def leaves(layer: Layer) -> list[Layer]:
    """Return the layers that chains, stacks and residual layers are made of."""
    if type(layer) in (Chain, Stack, Residual):
        return [leaf for part in layer.parts.values() for leaf in leaves(part)]
    return [layer]


def why_no_parts(net: Network) -> str | None:
    """Say which layer cannot be cut, or return None."""
    if net.vocabulary is not None or net.width is None:
        return "reads tokens"
    for layer in leaves(net.layers):
        if type(layer) is RMSNorm and layer.eps and layer.gain:  # which takes the factor up
            continue
        if type(layer) is Heads and is_plain(layer):
            continue
        if type(layer) is Feedforward and is_silent(layer):
            continue
        return f"has {layer}"
    return None


def is_plain(layer: Heads) -> bool:
    """Return whether heads have no tensors but queries, keys, values and outputs, biases that the hub has, and gains of
    queries and keys.
    """
    if layer.norm is not None and not (type(layer.norm) is RMSNorm and layer.norm.eps):
        return False
    plain = layer.score is None and "O" not in layer.biases and layer.output
    return plain and (layer.position is None or type(layer.position) is Rotary)


def is_silent(layer: Feedforward) -> bool:
    """Return whether neurons that read zeros say nothing."""
    return not layer.bias and layer.width is None and isinstance(layer.activation, SiLU)


@dataclass(frozen=True)
class BlockCut(Cut):
    """A network of `Heads` and `Feedforward`, of which the stream and the neurons are cut.

    Parameters
    ----------
    arch : Network
        The network.
    count : int
        The number of copies.
    one : int
        How many coordinates of the stream each copy has.

    Raises
    ------
    InvalidArgument
        If no coordinate is left for the hub.
    """

    arch: Network
    one: int

    def __post_init__(self) -> None:
        if self.stream[0] < 1:
            most = f"at most {self.width - 1} copies"
            raise InvalidArgument("points", f"{self.count} copies of {self.one} coordinates for {self.arch}", most)

    @property
    def width(self) -> int:
        """The width of the stream."""
        return self.arch.input_shape[0]

    @property
    def stream(self) -> tuple[int, int]:
        """How many coordinates are in the hub, and in each copy."""
        return self.width - self.count * self.one, self.one

    def neurons(self, hidden: int) -> tuple[int, int]:
        """Return how many neurons of a layer are in the hub, and in each copy."""
        one = hidden * self.one // self.width
        return hidden - self.count * one, one

    def network(self, copies: int) -> Network:
        hub, one = self.stream
        width = hub + copies * one
        return Network(self.part(self.arch.layers, width, copies), tokens=self.arch.tokens, width=width)

    def part(self, layer: Layer, width: int, copies: int) -> Layer:
        """Return a layer of the network of the hub and some copies."""
        if isinstance(layer, Chain):
            return Chain(tuple(self.part(one, width, copies) for one in layer.layers))
        if isinstance(layer, Stack):
            return Stack(tuple(self.part(one, width, copies) for one in layer.blocks))
        if isinstance(layer, Residual):
            return Residual(self.part(layer.layer, width, copies))
        if isinstance(layer, RMSNorm):
            return dataclasses.replace(layer, eps=Fraction(exact("eps", layer.eps)) * self.width / width)
        if isinstance(layer, Heads):
            keys, values = layer.widths(self.arch.input_shape)
            return dataclasses.replace(layer, width=keys, value_width=values)
        if isinstance(layer, Feedforward):
            hub, one = self.neurons(layer.hidden)
            return dataclasses.replace(layer, hidden=hub + copies * one)
        raise InvalidArgument("points", f"Copies for {layer}", "for RMSNorm, Heads and Feedforward")

    def sides(self, copies: int) -> dict[str, Sides]:
        stream = labels_of_parts(*self.stream, copies)
        found: dict[str, Sides] = {}
        for name, (rows, columns) in verbs.coordinates(self.arch).items():
            layer, _, tensor = name.rpartition(".")
            letter = tensor.partition("_")[0]
            if letter == "b" or layer.endswith(("query_norm", "key_norm")):
                found[name] = np.zeros(rows, dtype=int), np.zeros(columns, dtype=int)
            elif letter == "g":
                found[name] = stream, None
            elif letter in ("Q", "K", "V"):
                found[name] = np.zeros(rows, dtype=int), stream
            elif letter == "O":
                found[name] = stream, np.zeros(columns, dtype=int)
            elif letter == "down":
                found[name] = stream, labels_of_parts(*self.neurons(columns), copies)
            else:
                found[name] = labels_of_parts(*self.neurons(rows), copies), stream
        return found

    def ends(self) -> tuple[Labels, Labels]:
        stream = labels_of_parts(*self.stream, self.count)
        return stream, stream


def attempt_of_blocks(question: Question, cut: BlockCut, field: Elementary) -> Attempt:
    """Bound the dimension from below by pieces, and from above by the symmetries of the whole network at random
    weights.

    Raises
    ------
    ConditionFailed
        If residues cannot stand for exponentials and roots, or rows of the whole network are not those of a piece.
    """
    prime, seed, progress = PrimeField(field.p), question.options.seed, question.options.progress
    check_dimension(question.about(cut.network(min(2, cut.count))), field)
    check_memory(tangents_of(question, FLOAT), "the elimination of the tangents of the symmetries")
    theta = verbs.sample(cut.arch, Weights, field=prime, seed=seed)
    check_symmetries_at_places(question, theta, seed)
    upper = upper_bound(question, prime, theta)
    pieces = []
    for name, copies, times in blocks_of(cut.count):
        check_rows(cut, name, copies, seed)
        part = cut.network(copies)
        weights = cut.weights(copies, prime, seed)
        own = own_classes(name, cut.classes(copies))
        tangents = ((one, inside(one.tangent_elements(weights), own)) for one in verbs.symmetries(part))
        pieces.append(bounds_of_piece(question, cut, name, copies, times, weights, tangents, field))
        if progress is not None:
            progress(sum(piece.times * piece.lower.value for piece in pieces), upper.value)
    lower = lower_bound_of_pieces(cut, Pieces(cut.count, tuple(pieces)))
    return Attempt(field, seed, lower, upper)


def inside(tangents: Elements, own: np.ndarray) -> Elements:
    """Return the tangents that are zero but in some parameters: along these the others do not move."""
    return Elements(tangents.field, tangents.raw[~(tangents.raw[:, ~own] != 0).any(axis=1)])


def check_rows(cut: BlockCut, name: str, copies: int, seed: int) -> None:
    """Compare some rows of a piece with those of the whole network, in floating point, at block-diagonal weights: the
    others have to be zero.
    """
    field, whole, part = Reals(), cut.arch, cut.network(copies)
    members = (1,) if name == "hub and copy" else (cut.count,) if copies == 1 else (1, cut.count)
    first, last = (np.flatnonzero(reached(labels, members)) for labels in cut.ends())
    columns = cut.columns(members)
    stretched = (cut.width / part.input_shape[0]) ** 0.5
    of_whole, of_part, scales = [], [], []
    sizes = verbs.coordinates(part)
    drawn = verbs.sample(whole, Weights, field=field, seed=seed)
    for (tensor, (rows, others)), element in zip(cut.sides(cut.count).items(), drawn.elements, strict=True):
        if others is None:
            matrix, piece = element.raw, element.raw[reached(rows, members)]
        else:
            matrix = element.raw * (rows[:, None] == others[None])
            piece = matrix[np.ix_(reached(rows, members), reached(others, members))]
        scale = stretched if others is None else 1.0
        of_whole.append(Elements(field, matrix))
        of_part.append(Elements(field, piece * scale))
        scales.append(np.full(sizes[tensor][0] * sizes[tensor][1], scale))
    X = verbs.draw_array(field, shape=(WITNESSES, *part.input_shape), seed=seed, label="witnesses")
    inputs = np.zeros((WITNESSES, *whole.input_shape))
    inputs[:, first] = X
    outputs = witnesses(part.outputs)
    height, token = np.divmod(outputs, part.tokens)
    found = gradients(
        whole, drawn.replace(of_whole), Elements(field, inputs), outputs=last[height] * whole.tokens + token
    ).raw
    theta = Weights(tuple(of_part), drawn.names())
    expected = gradients(part, theta, Elements(field, X), outputs=outputs).raw * np.concatenate(scales)
    equal = np.abs(found[:, columns] - expected).max() <= CLOSE * np.abs(expected).max()
    found[:, columns] = 0
    if not equal or found.any():
        raise ConditionFailed(f"rows of {whole} are not those of its pieces")
