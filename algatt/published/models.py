"""From configs to networks, and to configs of the same architecture at small sizes."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from algatt.architectures import Network
from algatt.arguments import instance, whole
from algatt.layers import EncoderDecoder, Heads, Logits, Reading, Rotary
from algatt.layers.base import layout
from algatt.published.base import family_of
from algatt.published.fields import Fields, values_of

__all__ = ["read", "scaled"]


def read(
    config: str | os.PathLike[str] | Mapping[str, Any], *, tokens: int | None = None, reading: Reading | None = None
) -> Network:
    """Return the network of a published model, of the fields of its config.

    Parameters
    ----------
    config : path or mapping
        The ``config.json`` that comes with the weights, in the manner of the transformers library, or its fields. What
        is not in it is what that library takes for it.
    tokens : int, optional
        The number of tokens that the network reads. No tensor depends on it. 2 unless given; 4 if an encoder reads
        half of them, and a decoder the others.
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
    fields = Fields(values_of(config))
    made = Logits() if reading is None else instance("reading", reading, Reading, "Logits() or Probabilities()")
    layers = family_of(fields).layers(fields, made)
    if tokens is None:
        tokens = 4 if any(isinstance(node.layer, EncoderDecoder) for node in layout(layers).walk()) else 2
    return Network(layers, tokens=whole("tokens", tokens))


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
    relative positions 4 buckets, the last one for distances from 3 on.

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
        The number of positions that have a vector, where positions are learned; 3 unless given.

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
    values = values_of(config)
    fields = Fields(values)
    family = family_of(fields)
    full = family.layers(fields, Logits())
    sizes = family.sizes
    heads = next(node.layer for node in layout(full).walk() if isinstance(node.layer, Heads))
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
        "experts": 3,
        "top": 2,
        "buckets": 4,
        "distance": 3,
    }
    new = values | {field: numbers[size] for size, field in sizes.items() if partial or size != "share"}
    if partial and "partial_rotary_factor" in fields.part("rope_parameters").values:
        new["rope_parameters"] = values["rope_parameters"] | {"partial_rotary_factor": numbers["share"]}
    if types := values.get("layer_types"):
        new["layer_types"] = [types[number % len(types)] for number in range(layers)]
    return new
