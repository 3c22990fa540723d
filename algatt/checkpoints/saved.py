"""Checkpoints by the names that tensors have in a network."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from algatt import verbs
from algatt.architectures import Network
from algatt.checkpoints.files.safetensors import write_safetensors
from algatt.checkpoints.tensors import FLOATS
from algatt.errors import InvalidArgument, OutputError
from algatt.fields import Elements, Reals
from algatt.fields.real import precision_of
from algatt.files import write_atomically
from algatt.parameters import Weights
from algatt.plain import plain

__all__ = ["from_names_of_network", "has_names_of_network", "save"]


def has_names_of_network(network: Network, tensors: Mapping[str, np.ndarray]) -> bool:
    """Return whether tensors have the names that those of a network have."""
    return set(tensors) == set(verbs.coordinates(network))


def from_names_of_network(network: Network, tensors: Mapping[str, np.ndarray], precision: int) -> Weights:
    """Return the weights of tensors that have the names of those of a network.

    Raises
    ------
    InvalidArgument
        If a tensor has another shape, or NaN or infinity in it.
    """
    arrays = {}
    for name, shape in verbs.coordinates(network).items():
        array = tensors[name].astype(float)
        if array.shape != tuple(shape):
            raise InvalidArgument(name, f"of the shape {array.shape}", f"of the shape {tuple(shape)}")
        if not np.all(np.isfinite(array)):
            raise InvalidArgument(name, "with NaN or infinity", "of finite numbers")
        arrays[name] = array
    theta, known = Weights.of(arrays), Reals().known_to(precision)
    return theta.replace([Elements(known, element.raw) for element in theta.elements])


def save(folder: str | os.PathLike[str], network: Network, weights: Weights, config: Mapping[str, object]) -> None:
    """Write weights and a config to a folder, which `load` reads: ``model.safetensors``, with the names that tensors
    have in the network, in float32 if no more than its bits are known of them, and ``config.json``.

    Raises
    ------
    OutputError
        If a file cannot be written.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(os.fspath(folder), error.strerror or str(error)) from error
    kind = "float32" if precision_of(weights.field) <= FLOATS["F32"].precision else "float64"
    tensors = {name: one.raw.astype(kind) for name, one in weights.tensors.items()}
    write_safetensors(Path(folder) / "model.safetensors", tensors)
    text = json.dumps(plain(dict(config)), indent=2) + "\n"
    write_atomically(Path(folder) / "config.json", text.encode())
