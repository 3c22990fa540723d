"""A network with the weights of a checkpoint."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from algatt import published, verbs
from algatt.architectures import Network
from algatt.checkpoints.ctranslate2_models import config_of_ctranslate2, is_ctranslate2, tensors_of_ctranslate2
from algatt.checkpoints.files.folder import read_tensors
from algatt.checkpoints.gguf_models import config_of_gguf, tensors_of_gguf
from algatt.checkpoints.names import matched
from algatt.checkpoints.tensors import FileTensors
from algatt.checkpoints.transformer_lens import from_transformer_lens, is_transformer_lens, lenses_by_piece
from algatt.errors import InvalidArgument, in_words
from algatt.fields import Elements, Reals
from algatt.fields.real import precision_of
from algatt.layers import Rotary, Tie
from algatt.layers.base import layout
from algatt.layers.lengths import longest, tokens_to_reach
from algatt.parameters import Weights
from algatt.published.base import opened
from algatt.published.fields import values_of
from algatt.published.models import lengths_with_other_constants
from algatt.verbs.views import Tabled

ANGLE = 22
"""An angle that is computed in single precision, as a product of two roundings, has so many bits."""


@dataclass(frozen=True)
class Checkpoint(Tabled):
    """A network with weights.

    Parameters
    ----------
    network : Network
        The network.
    weights : Weights
        Its weights, in float64, over `Reals` of the precision of the least precise tensor.
    config : mapping of str to object, optional
        The fields of the config that it is of; none for a module.
    tensors : Tensors, optional
        The tensors that the weights are of, by the names and in the precision of the file, those of GGUF and
        CTranslate2 by the names of transformers and with rows in its order; none for a module.
    names : mapping of str to str, optional
        The tensor of the file that holds a tensor of the network, where these have names of their own.
    """

    network: Network
    weights: Weights
    config: Mapping[str, Any] = field(default_factory=dict)
    tensors: FileTensors | None = field(default=None, repr=False)
    names: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def source(self) -> str | None:
        """The path that it was read from, or None."""
        return None if self.tensors is None else self.tensors.source

    @property
    def longest(self) -> int | None:
        """The greatest number of tokens that it reads; None if it reads any number."""
        return longest(self.network.layers)

    @property
    def precision(self) -> int:
        """How many significant bits of the weights are known."""
        return precision_of(self.weights.field)


def load(
    path: str | os.PathLike[str] | FileTensors,
    config: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    *,
    tokens: int | None = None,
    reach: bool = True,
) -> Checkpoint:
    """Return the network of a checkpoint with its weights.

    Parameters
    ----------
    path : path or FileTensors
        As for `read_tensors`; or what that returned, as when some of the tensors are those of another network, or have
        names of their own, and `FileTensors.replace` has left them out, or renamed them.
    config : path or mapping, optional
        As for `algatt.published.read`. Unless given, the ``config.json`` of the folder, or beside the file, and of a
        file of GGUF or CTranslate2 what it says itself.
    tokens : int, optional
        The number of tokens that the network reads. No tensor depends on it. Unless given, as many as it takes to
        reach all entries of its positions, kernels and tables, of learned positions the greatest number that there is;
        and to tell the angles of rotary positions apart, one more than a head has rows. It has to be given where these
        angles depend on it.
    reach : bool, optional
        Whether that is so, as unless given; if it is false, the network reads as few as that of `algatt.published.read`
        does, and two points of it may be one function that more tokens tell apart.

    Returns
    -------
    Checkpoint
        With weights in float64, eight bytes for each parameter; what is tied is there once. Names may be those of
        transformers, with or without the words before them that a model or a training run puts there, those of GGUF, of
        Whisper in CTranslate2, those of TransformerLens, or those that they have in the network.

    Raises
    ------
    InvalidArgument
        If the files cannot be read, the config is none that `algatt.published.read` takes, a tensor is missing, of
        another shape, or with NaN or infinity, one is there that the config does not ask for, or two are there that the
        config ties, and differ; or the number of tokens is not given, and angles depend on it.
    MissingExtra
        If a package that the format needs is not installed.
    """
    found = path if isinstance(path, FileTensors) else read_tensors(path)
    values = config_of(found.source, found) if config is None else values_of(config)
    if "general.architecture" in found.metadata:
        found = tensors_of_gguf(found, values)
    if is_ctranslate2(found):
        found = tensors_of_ctranslate2(found)
    if values.get("quantization_config") is not None:
        should = "null: the tensors are not those of the layers"
        raise InvalidArgument("quantization_config", in_words(values["quantization_config"]), should)
    net = published.read(values, tokens=tokens)
    if tokens is None and reach:
        net = reaching(net, values)
    names: Mapping[str, str] = {}
    if is_transformer_lens(found):
        theta = from_transformer_lens(net, found)
        names = {piece: lens.name for piece, (lens, _) in lenses_by_piece(net).items()}
    else:
        here, names = named(net, values, found)
        theta = published.weights(values, here)
        # arrays of float32 may hold numbers that were blocks of integers, or bfloat16, in the file
        known = Reals().known_to(here.precision)
        theta = theta.replace([Elements(known, element.raw) for element in theta.elements])
    return Checkpoint(net, theta, values, found, names)


def reaching(net: Network, config: Mapping[str, Any]) -> Network:
    """Return the network of a config that reads as many tokens as reach all entries of its positions.

    Raises
    ------
    InvalidArgument
        If constants of it depend on how many it reads.
    """
    most = longest(net.layers)
    for tokens in lengths_with_other_constants(config):
        if (most is None or tokens <= most) and published.read(config, tokens=tokens).layers != net.layers:
            should = f"given: the angles of rotary positions change from {tokens} tokens on"
            raise InvalidArgument("tokens", "not given", should)
    tokens = max(net.tokens, tokens_that_tell(net))
    return net if net.vocabulary is None or tokens == net.tokens else dataclasses.replace(net, tokens=tokens)


def tokens_that_tell(network: Network) -> int:
    """Return the number of tokens that reach all entries of positions, and tell the angles of all rows apart: of n rows
    that are turned, n + 1 distances are of independent angles.
    """
    shapes, most = verbs.coordinates(network), tokens_to_reach(network.layers)
    for node in layout(network.layers).walk():
        if isinstance(getattr(node.layer, "position", None), Rotary):
            most = max(most, *(1 + shape[0] for name, shape in shapes.items() if name.startswith(f"{node.path}K_")), 0)
    limit = longest(network.layers)
    return most if limit is None else min(most, limit)


def config_of(path: str | os.PathLike[str], found: FileTensors) -> dict[str, Any]:
    """Return the config that comes with a checkpoint; the ``config.json`` of CTranslate2 is not one of transformers."""
    if is_ctranslate2(found):
        return config_of_ctranslate2(found)
    folder = Path(path) if Path(path).is_dir() else Path(path).parent
    if (folder / "config.json").is_file():
        return values_of(folder / "config.json")
    if "general.architecture" in found.metadata:
        return config_of_gguf(found)
    should = "given, as there is no config.json beside the tensors"
    raise InvalidArgument("config", "not given", should)


def named(net: Network, config: Mapping[str, Any], found: FileTensors) -> tuple[FileTensors, dict[str, str]]:
    """Return the tensors that a network asks for by the names that its family has for them, and the tensor of the file
    that holds each tensor of the network.
    """
    fields, family = opened(config)
    if family.stored is None:
        raise InvalidArgument("model_type", repr(config["model_type"]), "one whose tensors have known names")
    shapes = dict(verbs.coordinates(net))
    ties = dict(net.layers.ties) if isinstance(net.layers, Tie) else {}
    pieces = {
        one.name: one.pieces
        for one in family.stored(fields, shapes)
        if any(piece in shapes or piece in ties for piece in one.pieces)
    }
    fixed = family.fixed(fields) if family.fixed else {}
    names = matched({**pieces, **dict.fromkeys(fixed)}, found)
    for name, expected in fixed.items():
        if there := names.pop(name, None):
            check_fixed(there, found, expected)
    here = found.replace({name: found.members[there] for name, there in names.items()})
    first: dict[tuple[str, ...], str] = {}
    for name in here:
        one = first.setdefault(tuple(ties.get(piece, piece) for piece in pieces[name]), name)
        if one != name and not np.array_equal(here[one], here[name]):
            raise InvalidArgument(names[name], f"not equal to {names[one]}", "equal, as they are one in the network")
    sources = {piece: found.members[there].source or there for name, there in names.items() for piece in pieces[name]}
    return here, sources


def check_fixed(name: str, found: FileTensors, expected: np.ndarray) -> None:
    """Raise `InvalidArgument` unless a tensor is the fixed positions, up to rounding: of its entries, which are at most
    1, and in single precision of the angles, which are at most as large as the number of positions.
    """
    array, rounding = found[name], 2.0 ** -found.members[name].precision + len(expected) * 2.0**-ANGLE
    should = f"of shape {expected.shape}, with sines and cosines: the layers have no other fixed positions"
    if array.shape != expected.shape:
        raise InvalidArgument(name, f"of shape {array.shape}", should)
    apart = np.abs(array - expected).max()
    if not apart <= rounding:
        raise InvalidArgument(name, f"other positions, by up to {apart:.2g}", should)
