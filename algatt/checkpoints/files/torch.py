"""State dicts of PyTorch: tensors alone are loaded, and no pickled code is run."""

from __future__ import annotations

import functools
import os
import pickle
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np

from algatt.checkpoints.files.mapped import map_bytes, refusal
from algatt.checkpoints.tensors import FLOATS, FileTensor, FileTensors
from algatt.errors import InvalidArgument, MissingExtra
from algatt.files import shorten

SHOULD = "a state dict of PyTorch: tensors by name, as torch.save(model.state_dict(), path) writes it"

ZIP = b"PK\x03\x04"
"""The first bytes of the format since torch 1.6, which can be mapped; the one before begins as a pickle."""

KINDS = {"float64": "F64", "float32": "F32", "float16": "F16", "bfloat16": "BF16"}
"""The types of torch, as files of safetensors name them."""

WRAPPERS = ("state_dict", "model_state_dict", "model", "module")
"""Under which of its names a training run keeps the state dict."""


def read_torch(path: str | os.PathLike[str]) -> FileTensors:
    """Return the tensors of a file.

    Raises
    ------
    InvalidArgument
        If the file cannot be read, or holds anything but tensors, numbers and texts: pickled code is not run.
    MissingExtra
        If torch is not installed.
    """
    beginning = map_bytes(path, SHOULD)[:4].tobytes()
    if beginning == ZIP and not zipfile.is_zipfile(path):
        raise refusal(path, "which is truncated", f"{SHOULD}, whole")
    try:
        import torch
    except ImportError as error:
        raise MissingExtra("torch", "torch") from error
    try:
        loaded = torch.load(path, map_location="cpu", weights_only=True, mmap=beginning == ZIP)
    except pickle.UnpicklingError as error:
        raise refusal(path, "with pickled code or other objects, which are not loaded", SHOULD) from error
    except Exception as error:  # whatever a damaged archive makes torch raise
        raise refusal(path, f"which torch does not read ({type(error).__name__})", SHOULD) from error
    return FileTensors(os.fspath(path), state_of(loaded, path))


def state_of(loaded: Any, path: str | os.PathLike[str]) -> dict[str, FileTensor]:
    """Return the tensors of a state dict, or of one that is kept under a name beside other things."""
    import torch

    for name in WRAPPERS:
        if isinstance(loaded, Mapping) and isinstance(loaded.get(name), Mapping):
            loaded = loaded[name]
    if not isinstance(loaded, Mapping):
        raise refusal(path, f"with an object of type {type(loaded).__name__}", SHOULD)
    for name, value in loaded.items():
        if not isinstance(name, str) or not isinstance(value, torch.Tensor):
            was = f"where {shorten(repr(name))} is of type {type(value).__name__}"
            raise refusal(path, was, SHOULD)
    return {name: member_of(name, tensor) for name, tensor in loaded.items()}


def member_of(name: str, tensor: Any) -> FileTensor:
    """Return a tensor of torch as one that is read when it is asked for."""
    kind = str(tensor.dtype).removeprefix("torch.")
    label = KINDS.get(kind, kind)
    precision = FLOATS[label].precision if label in FLOATS else FLOATS["F64"].precision
    return FileTensor(tuple(tensor.shape), label, precision, functools.partial(array_of, name, tensor, label))


def array_of(name: str, tensor: Any, kind: str) -> np.ndarray:
    """Return a tensor as an array that shares its memory, where numpy has its type."""
    import torch

    if kind not in FLOATS or tensor.layout != torch.strided:
        was = f"of {tensor.dtype}" if kind not in FLOATS else f"of the layout {tensor.layout}"
        raise InvalidArgument(name, was, f"dense, of one of the types {', '.join(KINDS)}")
    dense = tensor.detach().cpu()
    array: np.ndarray = (dense.float() if kind == "BF16" else dense).numpy()
    return array
