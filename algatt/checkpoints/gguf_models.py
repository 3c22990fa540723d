"""Models in GGUF files: their numbers as the fields of a config, and their tensors by the names of transformers."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from algatt.checkpoints.gguf_architectures import ARCHITECTURES, GGUFArchitecture
from algatt.checkpoints.rotary import to_halves
from algatt.checkpoints.tensors import FileTensor, FileTensors
from algatt.errors import InvalidArgument, in_words

OTHERS = frozenset({"vocab_size", "rope.dimension_count", "attention.value_length", "rope.scaling.type"})
"""The numbers that are looked at besides."""

NAME = re.compile(r"(?:blk\.(?P<block>\d+)\.)?(?P<part>\w+)\.(?P<kind>weight|bias)")


def architecture_of(tensors: FileTensors) -> tuple[str, GGUFArchitecture]:
    """Return the architecture of a GGUF file, with its name."""
    name = tensors.metadata.get("general.architecture")
    if not isinstance(name, str) or name not in ARCHITECTURES:
        raise InvalidArgument("general.architecture", in_words(name), f"one of {', '.join(ARCHITECTURES)}")
    return name, ARCHITECTURES[name]


def config_of_gguf(tensors: FileTensors) -> dict[str, Any]:
    """Return the fields of the config that the numbers of a GGUF file say.

    A number in single precision is the shortest decimal that is rounded to it: 1e-05, not 9.999999747378752e-06.

    Raises
    ------
    InvalidArgument
        If the architecture is not known, or the file says something of it that is not.
    """
    name, known = architecture_of(tensors)
    given = {
        key.removeprefix(f"{name}."): decimal(value)
        for key, value in tensors.metadata.items()
        if key.startswith(f"{name}.")
    }
    for key, value in given.items():
        if key not in known.fields and key not in OTHERS and value not in (0, "", False):
            raise InvalidArgument(f"{name}.{key}", in_words(value), "not in the file: the layers do not know it")
    config = {"model_type": name, **{known.fields[key]: value for key, value in given.items() if key in known.fields}}
    embedding = tensors.members.get("token_embd.weight")
    if embedding is None or len(embedding.shape) != 2:
        raise InvalidArgument("tensors", "without the matrix 'token_embd.weight'", f"those of a {name}")
    config |= {"vocab_size": embedding.shape[0], "tie_word_embeddings": "output.weight" not in tensors}
    config |= {field: bias in tensors for bias, field in known.biases.items()}
    if name == "gemma":  # whose config has another default
        config.setdefault("num_key_value_heads", config.get("num_attention_heads"))
    if config.get("sliding_window") == 0:
        config["sliding_window"] = None
    if given.get("rope.scaling.type") not in (None, "none"):
        config["rope_scaling"] = {"rope_type": given["rope.scaling.type"]}
    check_widths(name, config, given)
    return config


def decimal(value: Any) -> Any:
    """Return a number in single precision as the shortest decimal that is rounded to it."""
    return float(str(np.float32(value))) if isinstance(value, float) else value


def check_widths(name: str, config: dict[str, Any], given: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` where values are not as wide as keys, or not all rows of a head are turned, but for
    Phi 3, of whose rows some may be left alone.
    """
    known = ARCHITECTURES[name].fields
    heads, stream = (config.get(known[key]) for key in ("attention.head_count", "embedding_length"))
    if type(heads) is not int or type(stream) is not int or heads < 1:
        return  # what reads the config refuses it
    width = given.get("attention.key_length", stream // heads)
    turned = given.get("rope.dimension_count", width)
    if name == "phi3" and type(turned) is int and type(width) is int and 0 < turned < width:
        config["partial_rotary_factor"] = turned / width
        turned = width
    for key, value in (
        ("attention.value_length", given.get("attention.value_length", width)),
        ("rope.dimension_count", turned),
    ):
        if value != width:
            raise InvalidArgument(f"{name}.{key}", in_words(value), f"{width}, the width of a head")


def tensors_of_gguf(tensors: FileTensors, config: Mapping[str, Any]) -> FileTensors:
    """Return the tensors of a GGUF file by the names of transformers, as these are there: rows of queries and keys in
    its order, matrices not transposed, and gains without what has been added to them; names that are not known stay as
    they are.
    """
    _, known = architecture_of(tensors)
    heads = {"attn_q": config.get("num_attention_heads"), "attn_k": None}
    heads["attn_k"] = config.get("num_key_value_heads", heads["attn_q"])
    members: dict[str, FileTensor] = {}
    for name, member in tensors.members.items():
        found = NAME.fullmatch(name)
        block, part = (found["block"], found["part"]) if found else (None, "")
        there = (known.outside if block is None else known.inside).get(part)
        if found is None or there is None:
            members[name] = member
            continue
        count = heads.get(part) if known.turned else None
        if count is not None:
            member = dataclasses.replace(member, read=halved(member.read, count))
        if block is not None and part in known.transposed and found["kind"] == "weight":
            member = dataclasses.replace(member, shape=member.shape[::-1], read=transposed(member.read))
        if known.gain_offset and part.endswith("_norm"):
            member = dataclasses.replace(member, read=without(known.gain_offset, member.read))
        prefix = "" if block is None else f"{known.block}.{block}."
        members[f"{prefix}{there}.{found['kind']}"] = dataclasses.replace(member, source=name)
    return tensors.replace(members)


def transposed(read: Callable[[], np.ndarray]) -> Callable[[], np.ndarray]:
    """Return what reads the transpose of a matrix."""
    return lambda: read().T


def without(number: float, read: Callable[[], np.ndarray]) -> Callable[[], np.ndarray]:
    """Return what reads numbers less one that has been added to them, without rounding them."""
    return lambda: read().astype(np.float64) - number


def halved(read: Callable[[], np.ndarray], heads: int) -> Callable[[], np.ndarray]:
    """Return what reads the rows of heads in the order of transformers."""
    return lambda: to_halves(read(), heads)
