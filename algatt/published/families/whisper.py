"""Whisper: an encoder of sound, and a decoder of tokens that sees what it makes of it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

import numpy as np

from algatt.layers import (
    GELU,
    Causal,
    Convolution,
    CrossHeads,
    Embedding,
    EncoderDecoder,
    Entrywise,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LearnedPosition,
    Reading,
    Residual,
    SinusoidalPosition,
    Tie,
    Unembedding,
)
from algatt.published.base import ModelFamily, register
from algatt.published.fields import Fields
from algatt.published.parts import activation, head_width, stacked
from algatt.published.stored import Stored, numbered, parts

STRIDE = 2
"""Of so many columns of the spectrogram the encoder makes one."""


def whisper(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Whisper (arXiv 2212.04356).

    The encoder reads a spectrogram, with two columns for each of its positions; the decoder reads tokens. Keys have no
    bias. The positions of the encoder are fixed, and no parameters, though checkpoints have them; its convolutions have
    GELU, whatever the activation of the others is.
    """
    fields.only("scale_embedding", False)
    fields.only("is_encoder_decoder", True)
    fields.only("is_causal", None)
    width, vocabulary = fields.whole("d_model", 384), fields.whole("vocab_size", 51865)
    norm, act = LayerNorm(1e-5), activation(fields, "activation_function", "gelu")

    def attention(stack: str) -> dict[str, Any]:
        heads = fields.whole(f"{stack}_attention_heads", 6)
        given = Fields({**fields.values, "d_model": width, f"{stack}_attention_heads": heads})
        own = head_width(given, "d_model", f"{stack}_attention_heads")
        return {"heads": heads, "width": own, "biases": "QVO"}

    def neurons(stack: str) -> Residual:
        return Residual(norm >> Feedforward(fields.whole(f"{stack}_ffn_dim", 1536), act, bias=True))

    stem: Layer = Convolution(width, bias=True) >> Entrywise(GELU())
    stem = stem >> Convolution(width, stride=STRIDE, bias=True) >> Entrywise(GELU()) >> SinusoidalPosition()
    block: Layer = Residual(norm >> Heads(**attention("encoder"))) >> neurons("encoder")
    encoder = stem >> stacked([block] * fields.whole("encoder_layers", 4)) >> norm
    own = Residual(norm >> Heads(**attention("decoder"), mask=Causal()))
    block = own >> Residual(norm >> CrossHeads(**attention("decoder"))) >> neurons("decoder")
    tokens = Embedding(vocabulary, width) >> LearnedPosition(fields.whole("max_target_positions", 448))
    decoder = tokens >> stacked([block] * fields.whole("decoder_layers", 4)) >> norm
    frames, bins = STRIDE * fields.whole("max_source_positions", 1500), fields.whole("num_mel_bins", 80)
    layers = EncoderDecoder(encoder, decoder, source=frames, width=bins) >> Unembedding(vocabulary, reading=reading)
    tie = fields.truth("tie_word_embeddings", True)
    return Tie(layers, {"unembedding.U": "decoder.embedding.E"}) if tie else layers


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints."""
    yield from parts(tensors, "model.decoder", "decoder", "embed_tokens=embedding.E embed_positions=position.P")
    yield from parts(tensors, "", "", "proj_out=unembedding.U")
    for number in (1, 2):
        there, here = f"model.encoder.conv{number}", f"encoder.convolution_{number}"
        yield Stored(f"{there}.weight", numbered(tensors, f"{here}.W"), kernels=True)
        yield Stored(f"{there}.bias", (f"{here}.b",))
    for stack in ("encoder", "decoder"):
        yield from parts(tensors, "model", "", f"{stack}.layer_norm={stack}.norm")
        heads = {"self_attn": "heads"} | ({"encoder_attn": "cross_heads"} if stack == "decoder" else {})
        for number in range(fields.whole(f"{stack}_layers", 4)):
            there, here = f"model.{stack}.layers.{number}", f"{stack}.{number + 1}"
            for place, (name, own) in enumerate(heads.items(), start=1):
                letters = " ".join(f"{one.lower()}_proj={own}.{one}" for one in "QKV")
                yield from parts(tensors, f"{there}.{name}", here, f"{letters} out_proj={own}.O")
                yield from parts(tensors, there, here, f"{name}_layer_norm=norm_{place}")
            last = f"final_layer_norm=norm_{len(heads) + 1} fc1=feedforward.up fc2=feedforward.down"
            yield from parts(tensors, there, here, last)


def fixed(fields: Fields) -> dict[str, np.ndarray]:
    """Return the positions of the encoder, which checkpoints have."""
    shape = fields.whole("d_model", 384), fields.whole("max_source_positions", 1500)
    return {"model.encoder.embed_positions.weight": SinusoidalPosition().vectors(*shape).T}


def refine(values: Mapping[str, Any], numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Return small fields with those of the decoder, which are as of the encoder, and a small spectrogram."""
    of_decoder = {"decoder_attention_heads": numbers["heads"], "decoder_ffn_dim": numbers["hidden"]}
    return {**values, **of_decoder, "max_source_positions": numbers["context"], "num_mel_bins": BINS}


BINS = 2
"""A small spectrogram has so many rows."""

SIZES = {
    "width": "d_model",
    "layers": "encoder_layers",
    "decoder_layers": "decoder_layers",
    "heads": "encoder_attention_heads",
    "hidden": "encoder_ffn_dim",
    "vocabulary": "vocab_size",
    "context": "max_target_positions",
}

KEYS = (
    *("activation_function", "decoder_attention_heads", "decoder_ffn_dim", "is_causal"),
    "is_encoder_decoder",
    *("max_source_positions", "num_mel_bins", "scale_embedding", "tie_word_embeddings"),
    # of training, and of heads of other kinds
    *("apply_spec_augment", "classifier_proj_size", "median_filter_width", "use_weighted_layer_sum"),
    *(f"mask_{of}_{name}" for of in ("feature", "time") for name in ("length", "min_masks", "prob")),
)

ALIASES = {
    "hidden_size": "d_model",
    "num_attention_heads": "encoder_attention_heads",
    "num_hidden_layers": "encoder_layers",
    "num_key_value_heads": "encoder_attention_heads",
}

register(
    ModelFamily(
        ("whisper",),
        whisper,
        SIZES,
        stored,
        architectures=("ForConditionalGeneration",),
        refine=refine,
        keys=KEYS,
        aliases=ALIASES,
        fixed=fixed,
    ),
)
