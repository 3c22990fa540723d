"""BERT, and RoBERTa, which is built as it is."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

from algatt.layers import (
    GELU,
    Activation,
    Chain,
    Concatenate,
    Entrywise,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LearnedPosition,
    Linear,
    Named,
    Reading,
    Residual,
    SelectTokens,
    Tanh,
    TypedEmbedding,
    Unembedding,
)
from algatt.published.base import ModelFamily, register
from algatt.published.fields import Fields
from algatt.published.parts import activation, head_width, only_logits, stacked, tied
from algatt.published.stored import Stored, parts

BERT = ("BertForMaskedLM", "BertModel")
ROBERTA = ("RobertaForMaskedLM", "RobertaModel")


def bert(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of BERT (arXiv 1810.04805)."""
    return encoder(fields, reading, fields.architecture(BERT), 0, activation(fields, "hidden_act", "gelu"))


def roberta(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of RoBERTa (arXiv 1907.11692) for sequences without padding: the first position is the one
    behind that of padding.
    """
    first = fields.whole("pad_token_id", 1, 0) + 1
    return encoder(fields, reading, fields.architecture(ROBERTA), first, GELU())


def encoder(fields: Fields, reading: Reading, named: str, first: int, head: Activation) -> Layer:
    """Return blocks of which each branch is normalised with what it is added to, and the head of a class."""
    fields.only("is_decoder", False)
    fields.only("is_causal", False)
    fields.only("add_cross_attention", False)
    fields.only("position_embedding_type", "absolute")
    width, vocabulary = fields.whole("hidden_size"), fields.whole("vocab_size")
    norm = LayerNorm(fields.not_negative("layer_norm_eps", 1e-12))
    body = (
        TypedEmbedding(vocabulary, width, fields.whole("type_vocab_size", 2))
        >> LearnedPosition(fields.whole("max_position_embeddings", 512), first)
        >> norm
        >> stacked([post_norm_block(fields, norm)] * fields.whole("num_hidden_layers"))
    )
    if named.endswith("Model"):
        return body >> pooled(reading, width)
    layers = body >> masked_head(width, head, norm) >> Unembedding(vocabulary, bias=True, reading=reading)
    return tied(layers, fields.truth("tie_word_embeddings", True))


def post_norm_block(fields: Fields, norm: LayerNorm) -> Chain:
    """Return attention and a network of one hidden layer, each added to its input before the sum is normalised."""
    heads = Heads(
        fields.whole("num_attention_heads"),
        width=head_width(fields, "hidden_size", "num_attention_heads"),
        biases="QKVO",
    )
    feedforward = Feedforward(fields.whole("intermediate_size"), activation(fields, "hidden_act", "gelu"), bias=True)
    block: Chain = Residual(heads) >> norm >> Residual(feedforward) >> norm
    return block


def masked_head(width: int, function: Activation, norm: LayerNorm) -> Named:
    """Return what stands before the unembedding of masked language models."""
    return Named("head", Linear(width, bias=True) >> Entrywise(function) >> norm)


def pooled(reading: Reading, width: int) -> Concatenate:
    """Return the value of a model without a head: all tokens, and beside them the first one after a further layer."""
    only_logits(reading)
    pooler = Named("pooler", SelectTokens(0, 1) >> Linear(width, bias=True) >> Entrywise(Tanh()))
    return Concatenate(SelectTokens(), pooler, axis=1)


def stored_bert(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints of BERT."""
    there = "" if fields.architecture(BERT).endswith("Model") else "bert"
    yield from stored_encoder(fields, tensors, there)
    yield from parts(tensors, "cls.predictions.transform", "head", "dense=linear.W LayerNorm=norm")
    yield from stored_decoder(fields, "cls.predictions")


def stored_roberta(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints of RoBERTa."""
    there = "" if fields.architecture(ROBERTA).endswith("Model") else "roberta"
    yield from stored_encoder(fields, tensors, there)
    yield from parts(tensors, "lm_head", "head", "dense=linear.W layer_norm=norm")
    yield from stored_decoder(fields, "lm_head")


def stored_encoder(fields: Fields, tensors: Container[str], there: str) -> Iterator[Stored]:
    """Iterate over the tensors before the head, whose names begin alike."""
    yield from parts(tensors, there, "", f"{EMBEDDINGS} pooler.dense=pooler.linear.W")
    of_block = "attention.self.query=heads.Q attention.self.key=heads.K attention.self.value=heads.V "
    of_block += "attention.output.dense=heads.O attention.output.LayerNorm=norm_1 "
    of_block += "intermediate.dense=feedforward.up output.dense=feedforward.down output.LayerNorm=norm_2"
    for number in range(fields.whole("num_hidden_layers")):
        block = f"encoder.layer.{number}"
        yield from parts(tensors, f"{there}.{block}" if there else block, f"{number + 1}", of_block)


EMBEDDINGS = (
    "embeddings.word_embeddings=embedding.E embeddings.token_type_embeddings=embedding.T "
    "embeddings.position_embeddings=position.P embeddings.LayerNorm=norm"
)
"""The tensors before the first block."""


def stored_decoder(fields: Fields, there: str) -> Iterator[Stored]:
    """Iterate over the tensors of the unembedding. Its bias has two names, which are one parameter where the matrix is
    tied; where it is not, transformers reads that of the decoder, and older versions the other one.
    """
    yield Stored(f"{there}.decoder.weight", ("unembedding.U",))
    yield Stored(f"{there}.bias", ("unembedding.b",))
    if not fields.truth("tie_word_embeddings", True):
        yield Stored(f"{there}.decoder.bias", ("unembedding.b",), twin=True)


def with_padding(values: Mapping[str, Any], numbers: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of a small RoBERTa: there are positions for padding besides those of tokens."""
    padding = Fields(values).whole("pad_token_id", 1, 0)
    return {**values, "max_position_embeddings": numbers["context"] + padding + 1}


SIZES = {
    "width": "hidden_size",
    "layers": "num_hidden_layers",
    "heads": "num_attention_heads",
    "hidden": "intermediate_size",
    "vocabulary": "vocab_size",
    "context": "max_position_embeddings",
}
"""What the sizes are called in these configs."""

KEYS = (
    *("add_cross_attention", "hidden_act", "is_causal", "is_decoder", "layer_norm_eps"),
    *("position_embedding_type", "tie_word_embeddings", "type_vocab_size"),
    # of an older library, or of other heads
    *("directionality", "pooler_fc_size", "pooler_num_attention_heads", "pooler_num_fc_layers"),
    *("pooler_size_per_head", "pooler_type"),
)
"""What these configs say besides sizes."""

register(ModelFamily(("bert",), bert, SIZES, stored_bert, BERT, keys=KEYS))
register(ModelFamily(("roberta",), roberta, SIZES, stored_roberta, ROBERTA, refine=with_padding, keys=KEYS))
