"""Mamba."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator

from algatt.errors import InvalidArgument, in_words
from algatt.layers import (
    DepthwiseConvolution,
    Embedding,
    Layer,
    Linear,
    Product,
    Reading,
    Residual,
    RMSNorm,
    SelectiveScan,
    SiLU,
    Unembedding,
)
from algatt.published.base import ModelFamily, register
from algatt.published.fields import Fields
from algatt.published.parts import activation, stacked, tied
from algatt.published.stored import Stored


def mamba(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of Mamba (Gu and Dao, arXiv 2312.00752)."""
    width, vocabulary = fields.whole("hidden_size"), fields.whole("vocab_size")
    norm = RMSNorm(fields.not_negative("layer_norm_epsilon", 1e-5))
    inner, bias = inner_width(fields, width), fields.truth("use_bias", False)
    convolution = DepthwiseConvolution(fields.whole("conv_kernel", 4), bias=fields.truth("use_conv_bias", True))
    act = activation(fields, "hidden_act", "silu")
    if act != SiLU():
        should = "silu: with another one, versions of the library put the gate through other functions"
        raise InvalidArgument("hidden_act", in_words(fields.values["hidden_act"]), should)
    scan = SelectiveScan(fields.whole("state_size", 16), rank(fields, width))
    mixed = Product(Linear(inner, bias) >> convolution >> act >> scan, Linear(inner, bias) >> act)
    block = Residual(norm >> mixed >> Linear(width, bias))
    layers = (
        Embedding(vocabulary, width)
        >> stacked([block] * fields.whole("num_hidden_layers", 32))
        >> norm
        >> Unembedding(vocabulary, reading=reading)
    )
    return tied(layers, fields.truth("tie_word_embeddings", True))


def inner_width(fields: Fields, width: int) -> int:
    """Return the width of what is scanned, a multiple of that of the stream."""
    inner = int(fields.positive("expand", 2) * width)
    if (given := fields.optional("intermediate_size")) not in (None, inner):
        raise InvalidArgument("intermediate_size", repr(given), f"{inner}, which is expand times hidden_size")
    return inner


def rank(fields: Fields, width: int) -> int:
    """Return the rank of what makes the steps."""
    name = "time_step_rank"
    return math.ceil(width / 16) if fields.values.get(name) in (None, "auto") else fields.whole(name)


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints."""
    yield Stored("backbone.embeddings.weight", ("embedding.E",))
    for number in range(fields.whole("num_hidden_layers", 32)):
        there, here = f"backbone.layers.{number}", f"{number + 1}"
        yield Stored(f"{there}.norm.weight", (f"{here}.norm.g",))
        mixer = f"{there}.mixer"
        for kind, letter in (("weight", "W"), ("bias", "b")):
            yield Stored(f"{mixer}.in_proj.{kind}", (f"{here}.linear_1.{letter}", f"{here}.linear_2.{letter}"))
            yield Stored(f"{mixer}.conv1d.{kind}", (f"{here}.convolution.{letter}",))
            yield Stored(f"{mixer}.out_proj.{kind}", (f"{here}.linear_3.{letter}",))
        scan = f"{here}.scan"
        yield Stored(f"{mixer}.x_proj.weight", (f"{scan}.low", f"{scan}.B", f"{scan}.C"))
        yield Stored(f"{mixer}.dt_proj.weight", (f"{scan}.up",))
        yield Stored(f"{mixer}.dt_proj.bias", (f"{scan}.b",))
        yield Stored(f"{mixer}.A_log", (f"{scan}.A",))
        yield Stored(f"{mixer}.D", (f"{scan}.D",))
    yield Stored("backbone.norm_f.weight", ("norm.g",))
    yield Stored("lm_head.weight", ("unembedding.U",))


SIZES = {
    "width": "hidden_size",
    "layers": "num_hidden_layers",
    "vocabulary": "vocab_size",
    "inner": "intermediate_size",
    "expand": "expand",
    "states": "state_size",
    "rank": "time_step_rank",
    "kernel": "conv_kernel",
}

KEYS = (
    *("hidden_act", "layer_norm_epsilon", "tie_word_embeddings", "use_bias", "use_conv_bias"),
    # initial weights, how values are computed, and what an older library has for the same
    *("rescale_prenorm_residual", "residual_in_fp32", "use_associative_scan", "use_mambapy"),
    *(f"time_step_{name}" for name in ("floor", "init_scheme", "max", "min", "scale")),
    *("d_inner", "d_model", "fused_add_norm", "n_layer", "pad_vocab_size_multiple", "ssm_cfg"),
)

register(ModelFamily(("mamba",), mamba, SIZES, stored, keys=KEYS))
