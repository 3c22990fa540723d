"""The words for a layer in a picture or on a page: its kind, what is in its slots, its tensors and their shapes."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

from algatt.architectures.network import Computed
from algatt.architectures.parts import Part, TensorFamily, slots
from algatt.layers import (
    ClassToken,
    Convolution,
    CrossHeads,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LatentHeads,
    Layer,
    LayerNorm,
    LayerScale,
    LearnedPosition,
    Linear,
    MaskToken,
    RMSNorm,
    SinusoidalPosition,
    TypedEmbedding,
    Unembedding,
)
from algatt.layers.base import Noun

TIMES = "\N{MULTIPLICATION SIGN}"
"""Between the numbers of a shape, and after that of equal blocks."""

TONES: dict[type, str] = {
    Heads: "attention",
    LatentHeads: "attention",
    CrossHeads: "attention",
    Feedforward: "feedforward",
    Experts: "feedforward",
    RMSNorm: "norm",
    LayerNorm: "norm",
    LayerScale: "norm",
    Linear: "linear",
    Convolution: "linear",
    Embedding: "linear",
    TypedEmbedding: "linear",
    Unembedding: "linear",
    LearnedPosition: "linear",
    ClassToken: "linear",
    MaskToken: "linear",
    SinusoidalPosition: "linear",
}
"""Kinds of layers, each of which has a colour."""


def times(shape: Sequence[int]) -> str:
    """Return a shape as it is printed."""
    return f" {TIMES} ".join(map(str, shape)) or "1"


def tone(layer: Layer) -> str:
    """Return the kind of a layer."""
    return next((TONES[kind] for kind in type(layer).__mro__ if kind in TONES), "other")


def in_tex(name: str) -> str:
    """Return the name of a tensor as a formula: ``b_Q_1`` has the letter b and the indices Q and 1."""
    if not re.fullmatch(r"[A-Za-z0-9]+(_[A-Za-z0-9]+)*", name):
        return name.replace("$", r"\$")
    base, *indices = (part if len(part) == 1 or part.isdigit() else rf"\mathrm{{{part}}}" for part in name.split("_"))
    return f"${base}_{{{','.join(indices)}}}$" if indices else f"${base}$"


def phrases(layer: Layer) -> list[str]:
    """Return in words what is in the slots of a layer."""
    if isinstance(layer, Computed):
        return [f"{len(layer.program.instructions)} operations: algatt program prints them"]
    words = []
    for name, value in slots(layer):
        named = name.replace("_", " ")
        if isinstance(value, bool):
            words.append(named if value else f"no {named}")
        elif dataclasses.is_dataclass(value):
            words.append(in_words(value))
        else:
            words.append(f"{named} {value}")
    return words


def in_words(value: object) -> str:
    """Return what is in a slot as it is written, without empty brackets."""
    return repr(value).removesuffix("()") if isinstance(value, Noun) else str(value)


def family_in_tex(family: TensorFamily) -> str:
    """Return the names of tensors that differ in their numbers."""
    first = family.tensors[0]
    if first.tied:
        return f"{in_tex(first.name)} = {first.path}"
    listed = family.listed([in_tex(tensor.name) for tensor in family.tensors])
    return ", ".join("…" if name == "..." else name for name in listed)


def note_of(part: Part, count: int) -> str:
    """Return what tells a part from others in a layer: how many there are, or its name unless that is a number."""
    if count > 1:
        return f"{count} {TIMES}"
    return "" if part.key.isdigit() else part.key.replace("_", " ")
