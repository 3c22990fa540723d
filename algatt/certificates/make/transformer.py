"""Certificates of transformers at full size: which tensor is what, for the theorem of blocks side by side."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from algatt import verbs
from algatt.architectures import Network
from algatt.certificates.certificate import Certificate
from algatt.certificates.make.network import certificate_of, claims_of_network, verified
from algatt.errors import InvalidArgument
from algatt.geometry import DimensionReport
from algatt.geometry.dimensions.evidence import Parts
from algatt.geometry.dimensions.side_by_side.encoder import Encoder, model_of
from algatt.geometry.dimensions.side_by_side.parts import angles_of
from algatt.geometry.dimensions.side_by_side.transformer import Transformer
from algatt.layers import Exponential, Feedforward, Heads, LayerNorm, Logits, Rotary, Window
from algatt.layers.scores import scaled


def certify_parts(report: DimensionReport, parts: Parts) -> Certificate:
    """Return a certificate of a dimension that rests on the theorem of blocks side by side.

    Raises
    ------
    InvalidArgument
        If the verifier does not know something that the network has.
    """
    arch = report.architecture
    if not isinstance(arch, Network):
        raise InvalidArgument("report", f"one of {arch}", "one of a network of layers")
    model = model_of(arch)
    unknown = unknown_kind(model)
    if unknown is not None or isinstance(model, Encoder):
        should = "of a transformer without encoders, experts, soft caps, scales, and norms elsewhere than before parts"
        raise InvalidArgument("report", f"one of a network that has {unknown}", should)
    return verified("report", certificate_of("report", arch, claims_of_transformer(arch, model, parts)))


def claims_of_transformer(arch: Network, model: Transformer, parts: Parts) -> dict[str, Any]:
    """Return the claims of a transformer and of what its parts add."""
    return {
        "kind": "transformer",
        **claims_of_network(arch),
        "transformer": description(model, [*verbs.coordinates(arch)]),
        "parts": [[part.name, part.times, part.lower] for part in parts.parts],
    }


def unknown_kind(model: Transformer | Encoder) -> object | None:
    """Return what the verifier does not know of a transformer; None if it knows all."""
    if isinstance(model, Encoder):
        return f"{model.embedding} and norms in its stream"
    if model.embedding.scale != 1 or model.unembedding.scale != 1 or type(model.unembedding.reading) is not Logits:
        return f"{model.embedding} and {model.unembedding}"
    for norm in (model.norm, *(reader.norm for reader in model.readers)):
        if not norm.gain or (isinstance(norm, LayerNorm) and not norm.bias):
            return norm
    for reader in model.readers:
        layer = reader.layer
        plain = isinstance(layer, Feedforward) or (
            isinstance(layer, Heads) and layer.norm is None and isinstance(layer.score, Exponential | None)
        )
        if not plain or reader.after is not None:
            return f"{layer} and {reader.after} behind it"
    return None


def description(model: Transformer, names: list[str]) -> dict[str, Any]:
    """Return a transformer, with the names of its tensors in order."""
    first, *groups = grouped(names)
    positions = [groups.pop(0)["P"]] if model.position is not None else []
    unembedding = {} if model.tied else groups.pop()
    last = groups.pop()
    parts = parts_in_order(model, groups)
    return {
        "tokens": model.tokens,
        "epsilon": str(Fraction(model.norm.eps)),
        "embedding": first["E"],
        "positions": positions,
        "first": model.position.first if model.position is not None else 0,
        "blocks": [[next(parts) for _ in block] for block in model.blocks],
        "norm": chosen(last, "g", "b"),
        "unembedding": chosen(unembedding, "U", "b"),
    }


def grouped(names: list[str]) -> list[dict[str, str]]:
    """Return the names of tensors by layers, and there by what stands behind the name of the layer."""
    found: dict[str, dict[str, str]] = {}
    for name in names:
        layer, _, own = name.rpartition(".")
        found.setdefault(layer, {})[own] = name
    return list(found.values())


def chosen(group: dict[str, str], *names: str) -> list[str]:
    """Return the tensors of a layer that have some of these names."""
    return [group[name] for name in names if name in group]


def parts_in_order(model: Transformer, groups: list[dict[str, str]]) -> Iterator[dict[str, Any]]:
    """Yield the parts of a transformer, each with the norm before it, which parts of one block may share."""
    norm: list[str] = []
    readers = iter(model.readers)
    for group in groups:
        if "g" in group:
            norm = chosen(group, "g", "b")
            continue
        layer = next(readers).layer
        if isinstance(layer, Heads):
            yield {"norm": norm, **heads_described(layer, group, model)}
        elif isinstance(layer, Feedforward):
            maps = {name: chosen(group, name, f"b_{name}") for name in ("up", "gate", "down")}
            yield {"norm": norm, **maps, "activation": type(layer.activation).__name__}


def heads_described(layer: Heads, group: dict[str, str], model: Transformer) -> dict[str, Any]:
    """Return a layer of heads."""
    width = layer.widths((model.embedding.width, model.tokens))[0]
    numbers = {"queries": ("Q", layer.heads), "keys": ("K", layer.groups), "values": ("V", layer.groups)}
    score = scaled(layer.score, width)
    return {
        name: [chosen(group, f"{letter}_{k + 1}", f"b_{letter}_{k + 1}") for k in range(count)]
        for name, (letter, count) in numbers.items()
    } | {
        "outputs": [group[f"O_{k + 1}"] for k in range(layer.heads)],
        "bias": chosen(group, "b_O"),
        "angles": [repr(angle) for angle in angles_of(layer, width)],
        "halves": int(isinstance(layer.position, Rotary) and layer.position.layout == "halves"),
        "window": min(layer.mask.size, model.tokens) if isinstance(layer.mask, Window) else model.tokens,
        "scale": str(1 / Fraction(score.temperature)),
    }
