"""Checkpoints written as folders."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from algatt import published
from algatt.architectures import Network
from algatt.checkpoints.checkpoint import Checkpoint
from algatt.checkpoints.files.safetensors import write_safetensors
from algatt.checkpoints.tensors import FLOATS
from algatt.errors import InvalidArgument, OutputError
from algatt.files import write_atomically

TYPES = ("torch_dtype", "dtype")
"""What configs call the type of the numbers."""


def save(
    path: str | os.PathLike[str], checkpoint: Checkpoint, *, shapes: Mapping[str, tuple[int, ...]] | None = None
) -> None:
    """Write a checkpoint to a new folder, whole or not at all: ``config.json``, and ``model.safetensors`` with the
    names that its family has.

    Numbers are float32, or float64 if more of their bits are known.

    Parameters
    ----------
    path : path
        A folder that is not there, or is empty.
    checkpoint : Checkpoint
        A network that its config says, with its weights.
    shapes : mapping of str to tuple of int, optional
        As for `algatt.published.checkpoint_tensors`.

    Raises
    ------
    InvalidArgument
        If the network is none that its config says, or a number is too large for float32.
    OutputError
        If the folder cannot be written, or is not empty.
    """
    check_config(checkpoint)
    target = check_new(path)
    dtype = "float32" if checkpoint.precision <= FLOATS["F32"].precision else "float64"
    arrays = {
        name: in_type(name, array, dtype)
        for name, array in published.checkpoint_tensors(checkpoint.config, checkpoint.weights, shapes).items()
    }
    types = {name: dtype for name in TYPES if checkpoint.config.get(name) is not None}
    text = json.dumps({**checkpoint.config, **types}, indent=2)
    try:
        beside = target.absolute().parent / f".{target.name}-{os.urandom(6).hex()}"
        try:
            beside.mkdir(0o700)
            write_safetensors(beside / "model.safetensors", arrays)
            write_atomically(beside / "config.json", f"{text}\n".encode())
            os.chmod(beside, 0o777 & ~current_umask())
            os.replace(beside, target)
        except BaseException:  # an interrupt too leaves nothing behind
            shutil.rmtree(beside, ignore_errors=True)
            raise
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(os.fspath(path), error.strerror or str(error)) from error


def check_new(path: str | os.PathLike[str]) -> Path:
    """Return a path; raise `OutputError` if something is there, but for an empty folder, or no folder is above it."""
    target = Path(path)
    try:
        if target.exists() and not (target.is_dir() and not any(target.iterdir())):
            raise OutputError(os.fspath(path), "it is there, and is no empty folder")
        if not target.absolute().parent.is_dir():
            raise OutputError(os.fspath(path), "there is no folder above it")
    except OutputError:
        raise
    except OSError as error:
        raise OutputError(os.fspath(path), error.strerror or str(error)) from error
    return target


def current_umask() -> int:
    """Return the bits that files which are made do not have."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def in_type(name: str, array: np.ndarray, dtype: str) -> np.ndarray:
    """Return an array in another type."""
    with np.errstate(over="ignore"):
        made = array.astype(dtype)
    if not np.isfinite(made).all():
        raise InvalidArgument(name, f"with entries up to {np.abs(array).max():.3g}", f"with those of {dtype}")
    return made


def check_config(checkpoint: Checkpoint) -> None:
    """Raise `InvalidArgument` unless the network of a checkpoint is the one that its config says."""
    net, config = checkpoint.network, checkpoint.config
    if not config:
        raise InvalidArgument("checkpoint", "without a config", "one that a config says")
    tokens: Any = net.tokens if net.vocabulary is not None else None
    told: Network = published.read(config, tokens=tokens)
    if told != net:
        was = f"of a network that no config of the type {config.get('model_type')!r} says"
        raise InvalidArgument("checkpoint", was, "one that its config says")
