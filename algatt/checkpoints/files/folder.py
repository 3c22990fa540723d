"""Which file of a folder has the tensors, and which format a file has."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from algatt.checkpoints.files import ctranslate2, gguf, torch
from algatt.checkpoints.files.mapped import map_bytes, refusal
from algatt.checkpoints.files.onnx import read_onnx
from algatt.checkpoints.files.safetensors import read_safetensors
from algatt.checkpoints.tensors import FileTensor, FileTensors
from algatt.errors import InvalidArgument, in_words
from algatt.files import parse_json, read_bytes, shorten, told
from algatt.published.known import config_of_name

SHOULD = "a file of safetensors, PyTorch, GGUF, ONNX or CTranslate2, or a folder with one"

NAMES = (
    *("model.safetensors.index.json", "model.safetensors", "pytorch_model.bin.index.json", "pytorch_model.bin"),
    "model.bin",
)
"""What the transformers library calls the file, in the order in which it looks for it, and what CTranslate2 does."""

SUFFIXES: dict[str, Callable[[str | os.PathLike[str]], FileTensors]] = {
    ".safetensors": read_safetensors,
    ".gguf": gguf.read_gguf,
    ".onnx": read_onnx,
    ".bin": torch.read_torch,
    ".pt": torch.read_torch,
    ".pth": torch.read_torch,
}
"""The formats by the suffixes of their files."""

MOST_INDEX_BYTES = 2**27
"""An index of shards may take so many bytes."""

INDEX = "an index of shards, as model.safetensors.index.json"


def read_tensors(path: str | os.PathLike[str]) -> FileTensors:
    """Return the tensors of a checkpoint by the names that its file has for them.

    Parameters
    ----------
    path : path
        A file of safetensors, a state dict of PyTorch, a GGUF or an ONNX file, or a ``model.bin`` of CTranslate2; an
        index of shards; or a folder with one of them. The file is mapped: a tensor is read when it is asked for, in the
        precision of the file.

    Raises
    ------
    InvalidArgument
        If the file cannot be read, is truncated, a shard is missing, or objects are pickled in it that are no tensors:
        their code is not run.
    MissingExtra
        If a package that the format needs is not installed: torch for PyTorch, gguf for blocks of integers in GGUF,
        onnx for ONNX. Files of safetensors and of CTranslate2, and GGUF files of floats, need none.

    Examples
    --------
    >>> import numpy as np, pathlib, tempfile
    >>> from algatt import checkpoints
    >>> path = pathlib.Path(tempfile.mkdtemp(), "small.safetensors")
    >>> checkpoints.write_safetensors(path, {"W": np.ones((2, 3), np.float32)})
    >>> checkpoints.read_tensors(path)["W"].shape
    (2, 3)
    """
    if not isinstance(path, str | os.PathLike):
        raise InvalidArgument("path", in_words(path), SHOULD)
    if config_of_name(path) is not None:
        raise refusal(path, "a model of which this package has the config and no weights", SHOULD)
    found = file_of(Path(path)) if Path(path).is_dir() else Path(path)
    return sharded(found) if found.name.endswith(".json") else reader_of(found)(found)


def file_of(folder: Path) -> Path:
    """Return the file with the tensors of a folder."""
    for name in NAMES:
        if (folder / name).exists():
            return folder / name
    others = sorted(one for one in folder.iterdir() if one.suffix in SUFFIXES and one.suffix != ".bin")
    if len(others) != 1:
        listed = ", ".join(shorten(one.name) for one in others[:4])
        was = f"a folder with {len(others)} files that may be one ({listed})" if others else "a folder without one"
        raise refusal(folder, was, f"a folder with {NAMES[1]}, or the path of a file")
    return others[0]


def reader_of(path: Path) -> Callable[[str | os.PathLike[str]], FileTensors]:
    """Return what reads a file: what its first bytes tell, or else its suffix."""
    beginning = map_bytes(path, SHOULD)[:9].tobytes()
    if path.suffix == ".npz":  # a zip archive, as those of PyTorch are
        raise refusal(path, "weights that algatt saved, for a network that they do not name", SHOULD)
    if beginning[4:] == b"\0\0\0\0{":  # before the others: its first bytes are a length, which may be any
        return read_safetensors
    if beginning.startswith(gguf.MAGIC):
        return gguf.read_gguf
    if beginning.startswith((torch.ZIP, b"\x80")):
        return torch.read_torch
    if ctranslate2.BEGINNING.match(beginning):
        return ctranslate2.read_ctranslate2
    if path.suffix not in SUFFIXES:
        raise refusal(path, "which begins as none of them", SHOULD)
    return SUFFIXES[path.suffix]


def sharded(path: Path) -> FileTensors:
    """Return the tensors of all shards that an index names."""
    places = places_of(path)
    shards: dict[str, FileTensors] = {}
    members: dict[str, FileTensor] = {}
    for name, file in places.items():
        if file not in shards:
            if not (path.parent / file).exists():
                raise refusal(path, f"whose shard {shorten(file)} is not there", f"{INDEX}, beside all of its shards")
            shards[file] = reader_of(path.parent / file)(path.parent / file)
        if name not in shards[file]:
            raise refusal(path, f"where {shorten(name)} is not in {shorten(file)}", f"{INDEX}, of these shards")
        members[name] = shards[file].members[name]
    return FileTensors(os.fspath(path), members)


def places_of(path: Path) -> dict[str, str]:
    """Return in which file beside the index each tensor is."""
    try:
        index = parse_json(read_bytes(path, MOST_INDEX_BYTES))
    except OSError as error:
        raise refusal(path, f"which cannot be read ({told(error)})", INDEX) from error
    except ValueError as error:
        raise refusal(path, f"which {error}", INDEX) from error
    places = index.get("weight_map") if isinstance(index, dict) else None
    if not isinstance(places, dict) or not places:
        raise refusal(path, "without a weight_map", INDEX)
    for file in places.values():
        if not isinstance(file, str) or not re.fullmatch(r"[\w-][\w.-]*", file):
            raise refusal(path, f"with the shard {shorten(str(file))!r}", f"{INDEX}, with names of files beside it")
    return places
