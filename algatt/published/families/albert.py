"""ALBERT."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator

from algatt.errors import InvalidArgument
from algatt.layers import Layer, LayerNorm, LearnedPosition, Linear, Reading, Repeat, TypedEmbedding, Unembedding
from algatt.published.base import ModelFamily, register
from algatt.published.families.bert import EMBEDDINGS, SIZES, masked_head, post_norm_block, stored_decoder
from algatt.published.fields import Fields
from algatt.published.parts import activation, stacked, tied
from algatt.published.stored import Stored, parts

ALBERT = ("AlbertForMaskedLM",)


def albert(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of ALBERT (arXiv 1909.11942): a narrow embedding, and blocks that share their tensors."""
    fields.only("inner_group_num", 1)
    fields.only("is_causal", False)
    fields.only("position_embedding_type", "absolute")
    narrow, vocabulary = fields.whole("embedding_size", 128), fields.whole("vocab_size")
    norm = LayerNorm(fields.not_negative("layer_norm_eps", 1e-12))
    function = activation(fields, "hidden_act", "gelu_new")
    block = post_norm_block(with_default_activation(fields), norm)
    layers = (
        TypedEmbedding(vocabulary, narrow, fields.whole("type_vocab_size", 2))
        >> LearnedPosition(fields.whole("max_position_embeddings", 512))
        >> norm
        >> Linear(fields.whole("hidden_size"), bias=True)
        >> stacked([Repeat(block, count) for count in groups(fields)])
        >> masked_head(narrow, function, norm)
        >> Unembedding(vocabulary, bias=True, reading=reading)
    )
    return tied(layers, fields.truth("tie_word_embeddings", True))


def with_default_activation(fields: Fields) -> Fields:
    """Return the fields with the name of the activation."""
    return Fields({**fields.values, "hidden_act": fields.get("hidden_act", "the name of an activation", "gelu_new")})


def groups(fields: Fields) -> list[int]:
    """Return how many blocks there are in each group, whose blocks are one block."""
    layers, count = fields.whole("num_hidden_layers"), fields.whole("num_hidden_groups", 1)
    if count > layers:
        raise InvalidArgument("num_hidden_groups", repr(count), f"at most num_hidden_layers, which is {layers}")
    sizes = Counter(int(number / (layers / count)) for number in range(layers))
    return [sizes[group] for group in range(count)]


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints."""
    yield from parts(tensors, "albert", "", EMBEDDINGS)
    yield from parts(tensors, "albert.encoder", "", "embedding_hidden_mapping_in=linear.W")
    of_block = "attention.query=heads.Q attention.key=heads.K attention.value=heads.V attention.dense=heads.O "
    of_block += "attention.LayerNorm=norm_1 ffn=feedforward.up ffn_output=feedforward.down full_layer_layer_norm=norm_2"
    for group in range(fields.whole("num_hidden_groups", 1)):
        there = f"albert.encoder.albert_layer_groups.{group}.albert_layers.0"
        yield from parts(tensors, there, f"{group + 1}", of_block)
    yield from parts(tensors, "predictions", "head", "dense=linear.W LayerNorm=norm")
    yield from stored_decoder(fields, "predictions")


KEYS = (
    *("hidden_act", "inner_group_num", "is_causal", "layer_norm_eps", "num_hidden_groups", "position_embedding_type"),
    *("tie_word_embeddings", "type_vocab_size"),
    *("down_scale_factor", "gap_size", "net_structure_type", "num_memory_blocks"),  # of an older library
)

register(ModelFamily(("albert",), albert, {**SIZES, "narrow": "embedding_size"}, stored, ALBERT, keys=KEYS))
