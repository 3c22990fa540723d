"""Weights by the names of TransformerLens: W_Q, W_K, W_V, W_O, W_in, W_out, W_E, W_U."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.architectures.base import NetworkLike, as_architecture
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Reals
from algatt.fields.arrays import public_array
from algatt.files import shorten
from algatt.layers import Tie
from algatt.parameters import Weights

BUFFERS = re.compile(r"blocks\.\d+\.attn\.(mask|IGNORE|rotary_sin|rotary_cos)")
"""What that library stores beside tensors that are trained."""


@dataclass(frozen=True)
class Lens:
    """A tensor of TransformerLens, and the tensors of a network that it holds.

    Parameters
    ----------
    name : str
        Its name there.
    pieces : tuple of str
        The tensors that it holds, one for each head in their order.
    stacked : bool, optional
        Whether heads are its first axis.
    transposed : bool, optional
        Whether it has the transposes of ours: tokens are rows there.
    """

    name: str
    pieces: tuple[str, ...]
    stacked: bool = False
    transposed: bool = True

    def join(self, parts: list[np.ndarray]) -> np.ndarray:
        """Return the tensor of its pieces; a column is a vector there."""
        arrays = [part[:, 0] if self.is_vector else part.T if self.transposed else part for part in parts]
        return np.stack(arrays) if self.stacked else arrays[0]

    def shape(self, piece: tuple[int, int]) -> tuple[int, ...]:
        """Return its shape, that of each of its pieces being known."""
        own = piece[:1] if self.is_vector else piece[::-1] if self.transposed else piece
        return (len(self.pieces), *own) if self.stacked else own

    def cut(self, array: np.ndarray) -> list[np.ndarray]:
        """Return its pieces."""
        arrays = list(array) if self.stacked else [array]
        return [part[:, None] if self.is_vector else part.T if self.transposed else part for part in arrays]

    @property
    def is_vector(self) -> bool:
        """Whether its pieces are columns: biases and gains."""
        return not self.name.rpartition(".")[2].lstrip("_").startswith("W_")


def lenses(net: Network) -> Iterator[Lens]:
    """Iterate over the tensors of TransformerLens that hold those of a network, if that has them."""
    shapes = dict(verbs.coordinates(net))
    yield Lens("embed.W_E", ("embedding.E",), transposed=False)
    yield Lens("pos_embed.W_pos", ("position.P",), transposed=False)
    numbers = sorted({int(name.partition(".")[0]) for name in shapes if name[0].isdigit()})
    for number in numbers:
        here, there = f"{number}", f"blocks.{number - 1}"
        yield from lenses_of_heads(shapes, f"{here}.heads", f"{there}.attn")
        for name, pieces in (("in", "up"), ("gate", "gate"), ("out", "down")):
            yield Lens(f"{there}.mlp.W_{name}", (f"{here}.feedforward.{pieces}",))
            yield Lens(f"{there}.mlp.b_{name}", (f"{here}.feedforward.b_{pieces}",))
        for norm in (1, 2):
            yield Lens(f"{there}.ln{norm}.w", (f"{here}.norm_{norm}.g",))
            yield Lens(f"{there}.ln{norm}.b", (f"{here}.norm_{norm}.b",))
    yield Lens("ln_final.w", ("norm.g",))
    yield Lens("ln_final.b", ("norm.b",))
    yield Lens("unembed.W_U", ("unembedding.U",))
    yield Lens("unembed.b_U", ("unembedding.b",))


def lenses_of_heads(shapes: Mapping[str, Any], here: str, there: str) -> Iterator[Lens]:
    """Iterate over the tensors of heads; an underscore marks keys and values that several heads share."""
    heads, groups = (sum(bool(re.fullmatch(rf"{re.escape(here)}\.{one}_\d+", name)) for name in shapes) for one in "QK")
    for letter in "QKV":
        count = heads if letter == "Q" else groups
        shared = "_" if count < heads else ""
        for kind, prefix in (("W", ""), ("b", "b_")):
            pieces = tuple(f"{here}.{prefix}{letter}_{number}" for number in range(1, count + 1))
            yield Lens(f"{there}.{shared}{kind}_{letter}", pieces, stacked=True)
    yield Lens(f"{there}.W_O", tuple(f"{here}.O_{number}" for number in range(1, heads + 1)), stacked=True)
    yield Lens(f"{there}.b_O", (f"{here}.b_O",))
    yield Lens(f"{there}.q_norm.w", (f"{here}.query_norm.g",))
    yield Lens(f"{there}.k_norm.w", (f"{here}.key_norm.g",))


def is_transformer_lens(tensors: Mapping[str, Any]) -> bool:
    """Return whether tensors have the names of TransformerLens."""
    return "embed.W_E" in tensors


def lenses_by_piece(net: Network) -> dict[str, tuple[Lens, int]]:
    """Return for each tensor of a network in which one of TransformerLens it is, and where among its pieces.

    Raises
    ------
    InvalidArgument
        If a tensor is in none.
    """
    shapes = dict(verbs.coordinates(net))
    places = {piece: (lens, at) for lens in lenses(net) for at, piece in enumerate(lens.pieces)}
    for name in shapes:
        if name not in places:
            should = "made of blocks of heads and a feedforward layer, as GPT-2 and Llama"
            raise InvalidArgument("network", f"with the tensor {name}, which TransformerLens does not have", should)
    return places


def to_transformer_lens(net: NetworkLike, theta: Weights) -> dict[str, np.ndarray]:
    """Return weights by the names, and of the shapes, that TransformerLens has for them.

    Parameters
    ----------
    net : Network
        Blocks of heads and a feedforward layer between an embedding and an unembedding, as those of GPT-2 and Llama.
    theta : Weights
        Its weights over the reals.

    Returns
    -------
    dict of str to array
        In float64. What is tied is there twice, and biases that the network does not have are zero, as in that library.

    Raises
    ------
    InvalidArgument
        If the network has a tensor for which there is no name.
    """
    network: Network = verbs.expression(as_architecture(net, "net"))
    lenses_by_piece(network)
    shapes = dict(verbs.coordinates(network))
    ties = dict(network.layers.ties) if isinstance(network.layers, Tie) else {}
    result: dict[str, np.ndarray] = {}
    for lens in lenses(network):
        pieces = [ties.get(piece, piece) for piece in lens.pieces]
        if pieces and all(piece in shapes for piece in pieces):
            result[lens.name] = lens.join([theta[piece] for piece in pieces])
    return {**result, **zeros(result)}


def zeros(tensors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return biases that are not there, beside each matrix that has one in TransformerLens."""
    made: dict[str, np.ndarray] = {}
    for name, matrix in tensors.items():
        path, _, own = name.rpartition(".")
        bias = f"{path}.{own.replace('W_', 'b_')}"
        if own.lstrip("_") in ("W_Q", "W_K", "W_V", "W_O", "W_in", "W_out", "W_U") and bias not in tensors:
            heads = matrix.shape[:-2] if own != "W_O" else ()
            made[bias] = np.zeros((*heads, matrix.shape[-1]))
    return made


def from_transformer_lens(net: NetworkLike, tensors: Mapping[str, Any]) -> Weights:
    """Return the weights of a network, of tensors by the names of TransformerLens.

    Parameters
    ----------
    net : Network
        As for `to_transformer_lens`, which is its inverse.
    tensors : mapping of str to array
        Tensors whose layer norms are not folded, as ``HookedTransformer.from_pretrained_no_processing`` has them.
        Masks and tables of angles are not looked at.

    Raises
    ------
    InvalidArgument
        If a tensor is missing, of another shape, or with NaN or infinity, one is there that the network does not have
        and that is not zero, or two differ that the network ties.
    """
    network: Network = verbs.expression(as_architecture(net, "net"))
    places, shapes = lenses_by_piece(network), dict(verbs.coordinates(network))
    ties = dict(network.layers.ties) if isinstance(network.layers, Tie) else {}
    by_name = {lens.name: lens for lens, _ in places.values()}
    found: dict[str, Any] = {}
    field = Reals()
    for name in tensors:
        lens = by_name.get(name)
        pieces = () if lens is None else tuple(ties.get(piece, piece) for piece in lens.pieces)
        if BUFFERS.fullmatch(name):
            continue
        array, precision = public_array(tensors[name], name)
        if lens is None or not pieces or pieces[0] not in shapes:
            if np.any(array):
                raise InvalidArgument("tensors", f"with {shorten(name)!r}, which is not zero", "those of the network")
            continue
        if array.shape != lens.shape(shapes[pieces[0]]):
            raise InvalidArgument(name, f"of shape {array.shape}", f"of shape {lens.shape(shapes[pieces[0]])}")
        field = field.known_to(precision)
        for piece, part in zip(pieces, lens.cut(array), strict=True):
            raw = np.array(verbs.encode(Reals(), part, argument=name))
            if piece in found and not np.array_equal(found[piece], raw):
                raise InvalidArgument(name, "not equal to what it is tied to", "equal, as the network ties them")
            raw.setflags(write=False)
            found[piece] = raw
    for name in shapes:
        if name not in found:
            raise InvalidArgument("tensors", f"without {places[name][0].name!r}", "with all that the network has")
    return Weights(tuple(Elements(field, found[name]) for name in shapes), tuple(shapes))
