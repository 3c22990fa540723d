"""From the tensors of a checkpoint to weights, and back."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import InvalidArgument, in_words
from algatt.fields import Elements, Reals
from algatt.fields.arrays import public_array
from algatt.parameters import Weights
from algatt.published.base import opened
from algatt.published.models import read
from algatt.published.stored import Stored


def weights(config: str | os.PathLike[str] | Mapping[str, Any], tensors: Mapping[str, Any]) -> Weights:
    """Return the weights of a published model, of the tensors of a checkpoint.

    Parameters
    ----------
    config : path or mapping
        As for `read`.
    tensors : mapping of str to array
        The tensors by the names that the transformers library has for them, each with the shape that it has there; of
        what is tied, one is enough. Others are not looked at.

    Returns
    -------
    Weights
        Of ``read(config)``, in the precision of the least precise tensor: matrices are cut into those of the heads,
        and what is stored less one is what it is.

    Raises
    ------
    InvalidArgument
        If the config is none that `read` takes, its family has no names for tensors, or a tensor is missing, of
        another shape, or with NaN or infinity.
    """
    fields, family = opened(config)
    if family.stored is None:
        raise InvalidArgument("model_type", in_words(fields.values["model_type"]), "one whose tensors have known names")
    shapes = dict(verbs.coordinates(read(config)))
    found: dict[str, np.ndarray] = {}
    source: dict[str, Stored] = {}
    field = Reals()
    for one in family.stored(fields, shapes):
        pieces = [piece for piece in one.pieces if piece in shapes]
        if one.name in tensors and pieces:
            array, precision = public_array(tensors[one.name], one.name)
            field = field.known_to(precision)
            found |= {piece: entered(part, one.name) for piece, part in one.cut(array, shapes).items()}
        source = dict.fromkeys(pieces, one) | source
    for name in shapes:
        if name not in found:
            raise InvalidArgument("tensors", f"without {source[name].name!r}", "with all that the config asks for")
    return Weights(tuple(Elements(field, found[name]) for name in shapes), tuple(shapes))


def entered(part: np.ndarray, name: str) -> np.ndarray:
    """Return a part of a tensor in double precision, as a copy that cannot be written to: `Weights` makes no other."""
    raw = np.array(verbs.encode(Reals(), part, argument=name))
    raw.setflags(write=False)
    return raw


def checkpoint_tensors(
    config: str | os.PathLike[str] | Mapping[str, Any],
    theta: Weights,
    shapes: Mapping[str, tuple[int, ...]] | None = None,
) -> dict[str, np.ndarray]:
    """Return the tensors of a checkpoint of a published model, of its weights: the inverse of `weights`.

    Parameters
    ----------
    config : path or mapping
        As for `read`.
    theta : Weights
        Weights of ``read(config)`` over the reals.
    shapes : mapping of str to tuple of int, optional
        The shapes of the tensors of a checkpoint, by name. Where the family has several names for the same tensors, as
        one for each expert or one for all, these names are taken, and axes of one entry, or of several experts, are as
        they are there. Without them names are the first that the family has, and all tensors are vectors or matrices.

    Returns
    -------
    dict of str to array
        In float64; what is tied is there once, and a bias that a model has as two parameters twice.

    Raises
    ------
    InvalidArgument
        If the config is none that `read` takes, its family has no names for tensors, or the weights are of another
        network.
    """
    fields, family = opened(config)
    if family.stored is None:
        raise InvalidArgument("model_type", in_words(fields.values["model_type"]), "one whose tensors have known names")
    own = dict(verbs.coordinates(read(config)))
    if {name: element.shape for name, element in theta.tensors.items()} != own:
        raise InvalidArgument("theta", f"{theta!r}", "weights of the network of the config")
    there = {} if shapes is None else shapes
    arrays = {name: element.raw for name, element in theta.tensors.items()}
    known = [one for one in family.stored(fields, own) if one.pieces and all(piece in own for piece in one.pieces)]
    found: dict[str, np.ndarray] = {}
    covered: set[str] = set()
    for one in sorted(known, key=lambda one: one.name not in there):  # those that the checkpoint has come first
        if one.twin or not covered.issuperset(one.pieces):
            found[one.name] = np.ascontiguousarray(one.join(arrays, there.get(one.name)))
            covered.update(one.pieces)
    return {one.name: found[one.name] for one in known if one.name in found}
