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
from algatt.published.base import Family, register
from algatt.published.fields import Fields
from algatt.published.parts import activation, head_width, only_logits, stacked, tied
from algatt.published.stored import Stored, numbered

__all__ = ["KEYS", "SIZES", "masked_head", "post_norm_block", "stored_decoder", "stored_norm"]

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
    there = "" if fields.architecture(BERT).endswith("Model") else "bert."
    yield from stored_encoder(fields, tensors, there)
    yield Stored("cls.predictions.transform.dense.weight", ("head.linear.W",))
    yield Stored("cls.predictions.transform.dense.bias", ("head.linear.b",))
    yield from stored_norm("cls.predictions.transform.LayerNorm", "head.norm")
    yield from stored_decoder(fields, "cls.predictions")


def stored_roberta(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints of RoBERTa."""
    there = "" if fields.architecture(ROBERTA).endswith("Model") else "roberta."
    yield from stored_encoder(fields, tensors, there)
    yield Stored("lm_head.dense.weight", ("head.linear.W",))
    yield Stored("lm_head.dense.bias", ("head.linear.b",))
    yield from stored_norm("lm_head.layer_norm", "head.norm")
    yield from stored_decoder(fields, "lm_head")


def stored_encoder(fields: Fields, tensors: Container[str], there: str) -> Iterator[Stored]:
    """Iterate over the tensors before the head, whose names begin alike."""
    yield Stored(f"{there}embeddings.word_embeddings.weight", ("embedding.E",))
    yield Stored(f"{there}embeddings.token_type_embeddings.weight", ("embedding.T",))
    yield Stored(f"{there}embeddings.position_embeddings.weight", ("position.P",))
    yield from stored_norm(f"{there}embeddings.LayerNorm", "norm")
    yield Stored(f"{there}pooler.dense.weight", ("pooler.linear.W",))
    yield Stored(f"{there}pooler.dense.bias", ("pooler.linear.b",))
    for number in range(fields.whole("num_hidden_layers")):
        block, here = f"{there}encoder.layer.{number}", f"{number + 1}"
        for one, name in (("Q", "query"), ("K", "key"), ("V", "value")):
            yield Stored(f"{block}.attention.self.{name}.weight", numbered(tensors, f"{here}.heads.{one}"))
            yield Stored(f"{block}.attention.self.{name}.bias", numbered(tensors, f"{here}.heads.b_{one}"))
        yield Stored(f"{block}.attention.output.dense.weight", numbered(tensors, f"{here}.heads.O"), axis=1)
        yield Stored(f"{block}.attention.output.dense.bias", (f"{here}.heads.b_O",))
        yield from stored_norm(f"{block}.attention.output.LayerNorm", f"{here}.norm_1")
        for name, one in (("intermediate", "up"), ("output", "down")):
            yield Stored(f"{block}.{name}.dense.weight", (f"{here}.feedforward.{one}",))
            yield Stored(f"{block}.{name}.dense.bias", (f"{here}.feedforward.b_{one}",))
        yield from stored_norm(f"{block}.output.LayerNorm", f"{here}.norm_2")


def stored_decoder(fields: Fields, there: str) -> Iterator[Stored]:
    """Iterate over the tensors of the unembedding. Its bias has two names, which are one parameter where the matrix is
    tied; where it is not, transformers reads that of the decoder, and older versions the other one.
    """
    yield Stored(f"{there}.decoder.weight", ("unembedding.U",))
    yield Stored(f"{there}.bias", ("unembedding.b",))
    if not fields.truth("tie_word_embeddings", True):
        yield Stored(f"{there}.decoder.bias", ("unembedding.b",), twin=True)


def stored_norm(there: str, here: str) -> Iterator[Stored]:
    """Iterate over the tensors of a norm."""
    yield Stored(f"{there}.weight", (f"{here}.g",))
    yield Stored(f"{there}.bias", (f"{here}.b",))


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

register(Family(("bert",), bert, SIZES, stored_bert, BERT, keys=KEYS))
register(Family(("roberta",), roberta, SIZES, stored_roberta, ROBERTA, refine=with_padding, keys=KEYS))
