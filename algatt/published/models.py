"""From configs to networks, and to configs of the same architecture at small sizes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from algatt.architectures import Network
from algatt.arguments import instance, whole
from algatt.errors import InvalidArgument, in_words
from algatt.layers import EncoderDecoder, Heads, Layer, Logits, Reading, Rotary
from algatt.layers.base import layout
from algatt.published.base import opened
from algatt.published.parts import CONTEXT


def read(
    config: str | os.PathLike[str] | Mapping[str, Any], *, tokens: int | None = None, reading: Reading | None = None
) -> Network:
    """Return the network of a published model, of the fields of its config.

    Parameters
    ----------
    config : path or mapping
        The ``config.json`` that comes with the weights, in the manner of the transformers library, or its fields; or
        the name of a model whose config comes with the package (`known_models`). What is not in it is what that
        library takes for it.
    tokens : int, optional
        The number of tokens that the network reads. No tensor depends on it; some scaled angles of rotary positions do
        (`Notes`). 2 unless given; 4 if an encoder reads half of them, and a decoder the others; of models of sound
        the columns of the spectrogram, of which there are as many as positions have, and 2 behind them. Models of
        images read all patches of an image, and no other number.
    reading : Reading, optional
        How logits are read, as ``Probabilities()``; as they are unless given.

    Returns
    -------
    Network
        Of the layers in `algatt.layers`. Gains that are stored less one are the gains, and matrices that are stored in
        one piece are those of each head.

    Raises
    ------
    InvalidArgument
        If the file cannot be read or is no JSON object, the model type is not known, or a field is missing, no number
        of its kind, at odds with another, or has a value that the layers cannot say.

    Examples
    --------
    >>> import algatt
    >>> config = {"model_type": "gpt2", "vocab_size": 50257, "n_positions": 1024}
    >>> net = algatt.published.read(config | {"n_embd": 768, "n_layer": 12, "n_head": 12})
    >>> net.parameters
    124439808
    """
    return Network(*layers_of(config, tokens, reading))


def layers_of(
    config: str | os.PathLike[str] | Mapping[str, Any], tokens: int | None, reading: Reading | None
) -> tuple[Layer, int, int | None]:
    """Return the layers of a config, the number of tokens that they read, and the width of these if they are vectors,
    for `Network`.
    """
    count = whole("tokens", 2 if tokens is None else tokens)
    fields, family = opened(config, count)
    made = Logits() if reading is None else instance("reading", reading, Reading, "Logits() or Probabilities()")
    layers = family.layers(fields, made)
    if family.inputs is None:
        pair = next((node.layer for node in layout(layers).walk() if isinstance(node.layer, EncoderDecoder)), None)
        if pair is not None and tokens is None:
            count = 4 if pair.source is None else pair.source + 2
        return layers, count, None
    width, patches = family.inputs(fields)
    if tokens not in (None, patches):
        raise InvalidArgument("tokens", in_words(tokens), f"{patches}, the patches of an image, or not given")
    return layers, patches, width


def lengths_with_other_constants(config: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the numbers of tokens of which constants of the network of a config may be others than of fewer: those
    after the contexts that it names, where its angles are scaled.
    """
    outer = [part for name in ("rope_scaling", "rope_parameters") if isinstance(part := config.get(name), dict)]
    inner = [part for one in outer for part in one.values() if isinstance(part, dict)]
    names = ("max_position_embeddings", "original_max_position_embeddings")
    found = {CONTEXT, *(part.get(name) for part in (config, *outer, *inner) for name in names)}
    return tuple(sorted(one + 1 for one in found if type(one) is int and one > 0)) if any(outer) else ()


def scaled(
    config: str | os.PathLike[str] | Mapping[str, Any],
    *,
    layers: int = 1,
    head_width: int = 2,
    hidden: int = 3,
    vocabulary: int | None = None,
    tokens: int = 3,
) -> dict[str, Any]:
    """Return the config of the same architecture at small sizes.

    Whether each query has keys of its own, or groups of them share keys, or all do, stays as it is; so does whether
    heads are as wide together as the stream. There are 2 heads, or 4 where groups share; where some rows of a head are
    turned by rotary positions, heads are twice as wide, and half of their rows are turned. Mixtures have 3 experts,
    relative positions 4 buckets, the last one for distances from 3 on. Of layers with windows and without, every second
    one has one. State spaces have 2 states, steps of rank 2, convolutions of 2 tokens, and twice the stream's width.

    Parameters
    ----------
    config : path or mapping
        As for `read`.
    layers : int, optional
        The number of blocks; 1 unless given.
    head_width : int, optional
        The width of queries and keys; 2 unless given.
    hidden : int, optional
        The number of neurons; 3 unless given.
    vocabulary : int, optional
        The number of tokens that there are; the width of the stream and two more unless given.
    tokens : int, optional
        The number of tokens for which positions have a vector, where positions are learned; of patches, where an image
        is read. 3 unless given.

    Returns
    -------
    dict
        The fields of a config, for `read`.

    Raises
    ------
    InvalidArgument
        If a number is no integer >= 1, or the config is none that `read` takes.

    Examples
    --------
    >>> import algatt
    >>> config = {"model_type": "gpt2", "vocab_size": 50257, "n_positions": 1024}
    >>> small = algatt.published.scaled(config | {"n_embd": 768, "n_layer": 12, "n_head": 12})
    >>> algatt.published.read(small, tokens=3).parameters
    171
    """
    fields, family = opened(config)
    values = fields.values
    full = family.layers(fields, Logits())
    if family.small is not None:
        asked = {"layers": layers, "head_width": head_width, "hidden": hidden, "tokens": tokens}
        asked |= {} if vocabulary is None else {"vocabulary": vocabulary}
        return {**values, **family.small(fields, {name: whole(name, number) for name, number in asked.items()})}
    sizes = family.sizes
    attention = (node.layer for node in layout(full).walk() if isinstance(node.layer, Heads))
    heads = next(attention, Heads(2))  # without attention, the stream is as wide as for two heads
    stream = fields.whole(sizes["width"])
    partial = isinstance(heads.position, Rotary) and heads.position.width is not None
    new_heads = min(heads.heads, 4 if 1 < heads.groups < heads.heads else 2)
    own_width = whole("head_width", head_width) * (2 if partial else 1)
    width = new_heads * own_width
    if heads.width is not None and heads.width * heads.heads > stream:
        width = max(own_width, width // 2)
    elif heads.width is not None and heads.width * heads.heads < stream:
        width *= 2
    numbers: dict[str, Any] = {
        "width": width,
        "layers": whole("layers", layers),
        "decoder_layers": layers,
        "heads": new_heads,
        "key_heads": new_heads if heads.groups == heads.heads else min(heads.groups, 2),
        "head_width": own_width,
        "hidden": whole("hidden", hidden),
        "vocabulary": width + 2 if vocabulary is None else whole("vocabulary", vocabulary),
        "context": whole("tokens", tokens),
        "share": 0.5,
        "turned": own_width // 2,
        "period": 2,
        "narrow": max(1, width - 1) if is_narrow(values) else width,
        "experts": 3,
        "top": 2,
        "inner": 2 * width,
        "expand": 2,
        "states": 2,
        "rank": 2,
        "kernel": 2,
        "buckets": 4,
        "distance": 3,
    }
    new = {**values} | {
        field: numbers[size] for size, field in sizes.items() if partial or size not in ("share", "turned")
    }
    for name in ("rope_scaling", "rope_parameters"):
        if (part := fields.part(name).values) and isinstance(heads.position, Rotary):
            new[name] = {**part, **scaled_angles(part, heads.position, numbers)}
    if types := values.get("layer_types"):
        kinds = list(dict.fromkeys(types))
        new["layer_types"] = [kinds[number % len(kinds)] for number in range(layers)]
    return new if family.refine is None else dict(family.refine(new, numbers))


def is_narrow(values: Mapping[str, Any]) -> bool:
    """Return whether the embedding of a config is narrower than its stream."""
    fields, family = opened(values)
    sizes = family.sizes
    width = fields.whole(sizes["width"])
    return "narrow" in sizes and (fields.optional(sizes["narrow"]) or width) < width


def scaled_angles(part: Mapping[str, Any], position: Rotary, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a part about rotary positions that depend on the width of heads."""
    partial = position.width is not None
    pairs = numbers["turned" if partial else "head_width"] // 2
    new: dict[str, Any] = {}
    if partial and "partial_rotary_factor" in part:
        new["partial_rotary_factor"] = numbers["share"]
    for name in ("short_factor", "long_factor"):
        if given := part.get(name):
            new[name] = [given[pair * len(given) // pairs] for pair in range(pairs)]
    return new
