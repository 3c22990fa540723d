"""Models in files of CTranslate2: their numbers as the fields of a config, and their tensors by the names of
transformers.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from algatt.checkpoints.files.ctranslate2 import SPECIFICATION
from algatt.checkpoints.tensors import FileTensor, FileTensors
from algatt.errors import InvalidArgument, in_words

WHISPER = "WhisperSpec"
"""What that library calls models of Whisper, the only ones of it that are known."""

USUAL = {
    "decoder/pre_norm": 1,
    "decoder/scale_embeddings": 0,
    "decoder/activation": 3,
    "decoder/alibi": 0,
    "decoder/start_from_zero_embedding": 0,
}
"""Numbers that Whisper has; 3 stands for GELU."""

UNREAD = ("decoder/alignment_heads", "decoder/alignment_layer", "ctranslate2.revision", SPECIFICATION)
"""What no value depends on, or the reader of files has looked at."""

STACKS = ("encoder", "decoder")

PARTS = {
    "conv1": "conv1",
    "conv2": "conv2",
    "embeddings": "embed_tokens",
    "position_encodings": "embed_positions",
    "layer_norm": "layer_norm",
    "self_attention/layer_norm": "self_attn_layer_norm",
    "self_attention/linear_1": "self_attn.out_proj",
    "attention/layer_norm": "encoder_attn_layer_norm",
    "attention/linear_0": "encoder_attn.q_proj",
    "attention/linear_2": "encoder_attn.out_proj",
    "ffn/layer_norm": "final_layer_norm",
    "ffn/linear_0": "fc1",
    "ffn/linear_1": "fc2",
}
"""The parts of a stack and of its layers, as transformers calls them."""

FUSED = {
    "self_attention/linear_0": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    "attention/linear_1": ("encoder_attn.k_proj", "encoder_attn.v_proj"),
}
"""Parts whose rows are those of several matrices of as many rows."""

ENDS = {"weight": "weight", "bias": "bias", "gamma": "weight", "beta": "bias", "encodings": "weight"}
"""The tensors of a part, as transformers calls them."""

NAME = re.compile(r"(encoder|decoder)/(?:layer_(\d+)/)?([a-z_\d/]+)/([a-z]+)")


def is_ctranslate2(tensors: FileTensors) -> bool:
    """Return whether tensors are those of a file of CTranslate2."""
    return SPECIFICATION in tensors.metadata


def config_of_ctranslate2(tensors: FileTensors) -> dict[str, Any]:
    """Return the fields of the config that the variables of a file say.

    Raises
    ------
    InvalidArgument
        If the model is not one of Whisper, a tensor is missing, or a number is not that of Whisper.
    """
    name = tensors.metadata[SPECIFICATION]
    if name != WHISPER:
        raise InvalidArgument(SPECIFICATION, in_words(name), f"{WHISPER!r}: other models are not known")
    for key, value in tensors.metadata.items():
        if key not in (*UNREAD, *USUAL, *(f"{stack}/num_heads" for stack in STACKS)) and value:
            raise InvalidArgument(key, in_words(value), "not in the file: the layers do not know it")
        if key in USUAL and value != USUAL[key]:
            raise InvalidArgument(key, in_words(value), f"{USUAL[key]}, as in Whisper")
    vocabulary, width = shape_of(tensors, "decoder/embeddings/weight", 2)
    config: dict[str, Any] = {"model_type": "whisper", "vocab_size": vocabulary, "d_model": width}
    config["num_mel_bins"] = shape_of(tensors, "encoder/conv1/weight", 3)[1]
    own = tensors.members.get("decoder/projection/weight")
    config["tie_word_embeddings"] = own is None or own is tensors.members["decoder/embeddings/weight"]
    for stack, positions in (("encoder", "source"), ("decoder", "target")):
        names = (found for name in tensors if (found := NAME.fullmatch(name)) and found[1] == stack)
        config[f"{stack}_layers"] = len({found[2] for found in names} - {None})
        config[f"{stack}_attention_heads"] = tensors.metadata.get(f"{stack}/num_heads")
        config[f"{stack}_ffn_dim"] = shape_of(tensors, f"{stack}/layer_0/ffn/linear_0/weight", 2)[0]
        encodings = shape_of(tensors, f"{stack}/position_encodings/encodings", 2)
        config[f"max_{positions}_positions"] = encodings[0]
    for stack in STACKS:
        if config[f"{stack}_attention_heads"] is None:
            raise InvalidArgument("tensors", f"without the number '{stack}/num_heads'", f"those of a {WHISPER}")
    return config


def shape_of(tensors: FileTensors, name: str, axes: int) -> tuple[int, ...]:
    """Return the shape of a tensor, if it is there and has so many axes."""
    member = tensors.members.get(name)
    if member is None or len(member.shape) != axes:
        was = f"without {name!r}" if member is None else f"with {name!r} of the shape {member.shape}"
        raise InvalidArgument("tensors", was, f"those of a {WHISPER}")
    return member.shape


def tensors_of_ctranslate2(tensors: FileTensors) -> FileTensors:
    """Return the variables of a file by the names of transformers, those that are fused in pieces; names that are not
    known stay as they are.

    Raises
    ------
    InvalidArgument
        If keys have a bias that is not zero: those of Whisper have none.
    """
    members: dict[str, FileTensor] = {}
    for name, variable in tensors.members.items():
        found, member = NAME.fullmatch(name), dataclasses.replace(variable, source=name)
        if name == "decoder/projection/weight":
            members["proj_out.weight"] = member
            continue
        if found is None or found[4] not in ENDS or found[3] not in (*PARTS, *FUSED):
            members[name] = member
            continue
        path = f"model.{found[1]}." + ("" if found[2] is None else f"layers.{found[2]}.")
        if found[3] in PARTS:
            members[f"{path}{PARTS[found[3]]}.{ENDS[found[4]]}"] = member
            continue
        for part, piece in pieces(name, member, FUSED[found[3]]):
            if part.endswith("k_proj") and found[4] == "bias":
                if np.any(piece.read()):
                    raise InvalidArgument(name, "with a bias of keys that is not zero", "with zeros, as in Whisper")
                continue
            members[f"{path}{part}.{found[4]}"] = piece
    return tensors.replace(members)


def pieces(name: str, member: FileTensor, parts: tuple[str, ...]) -> Iterator[tuple[str, FileTensor]]:
    """Iterate over the parts of a tensor whose rows are those of several, each with its tensor."""
    rows, rest = divmod(member.shape[0], len(parts))
    if rest:
        raise InvalidArgument(name, f"of {member.shape[0]} rows", f"of as many for each of {', '.join(parts)}")
    for place, part in enumerate(parts):
        read = between(place * rows, (place + 1) * rows, member.read)
        yield part, dataclasses.replace(member, shape=(rows, *member.shape[1:]), read=read)


def between(first: int, last: int, read: Callable[[], np.ndarray]) -> Callable[[], np.ndarray]:
    """Return what reads some rows of a tensor."""
    return lambda: read()[first:last]
