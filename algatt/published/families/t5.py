"""T5: an encoder, and a decoder that sees what it makes of the source."""

from __future__ import annotations

from collections.abc import Container, Iterator

from algatt.layers import (
    Causal,
    CrossHeads,
    Embedding,
    EncoderDecoder,
    Exponential,
    Feedforward,
    Heads,
    Layer,
    Reading,
    RelativeBias,
    Residual,
    RMSNorm,
    Tie,
    Unembedding,
)
from algatt.published.base import ModelFamily, register
from algatt.published.fields import Fields
from algatt.published.parts import activation, stacked
from algatt.published.stored import Stored, numbered


def t5(fields: Fields, reading: Reading) -> Layer:
    """Return the layers of T5 (arXiv 1910.10683), in 1.0 with one matrix for the vectors of tokens and logits, in 1.1
    with two.
    """
    width, vocabulary = fields.whole("d_model"), fields.whole("vocab_size")
    count, head_width = fields.whole("num_heads"), fields.whole("d_kv")
    norm, softmax = RMSNorm(fields.not_negative("layer_norm_epsilon", 1e-6)), Exponential()
    feedforward = Residual(norm >> neurons(fields))
    buckets, distance = (
        fields.whole(f"relative_attention_{name}", usual)
        for name, usual in (("num_buckets", 32), ("max_distance", 128))
    )
    both = Heads(count, width=head_width, score=softmax, position=RelativeBias(buckets, distance))
    before = RelativeBias(buckets, distance, bidirectional=False)
    own = Heads(count, width=head_width, score=softmax, mask=Causal(), position=before)
    cross = CrossHeads(count, width=head_width, score=softmax)
    lengths = {"encoder": fields.whole("num_layers"), "decoder": decoder_length(fields)}
    encoder = stacked([Residual(norm >> both) >> feedforward] * lengths["encoder"]) >> norm
    block: Layer = Residual(norm >> own) >> Residual(norm >> cross) >> feedforward
    decoder = stacked([block] * lengths["decoder"]) >> norm
    tie = fields.truth("tie_word_embeddings", True)
    fields.only("scale_decoder_outputs", tie)
    fields.only("is_encoder_decoder", True)
    fields.only("is_causal", None)
    layers = (
        Embedding(vocabulary, width)
        >> EncoderDecoder(encoder, decoder)
        >> Unembedding(vocabulary, reading=reading, scale=width**-0.5 if tie else 1)
    )
    tables = {
        f"{stack}.{number}.heads.bias": f"{stack}.1.heads.bias"
        for stack, length in lengths.items()
        for number in range(2, length + 1)
    }
    ties = {**({"unembedding.U": "embedding.E"} if tie else {}), **tables}
    return Tie(layers, ties) if ties else layers


def decoder_length(fields: Fields) -> int:
    """Return the number of blocks of the decoder, by default that of the encoder."""
    return fields.optional("num_decoder_layers") or fields.whole("num_layers")


def neurons(fields: Fields) -> Feedforward:
    """Return the second layer of a block, whose field names the activation, and whether there is a gate."""
    name = fields.get("feed_forward_proj", "the name of an activation, with gated- before it if gated", "relu")
    gated = isinstance(name, str) and name.startswith("gated-")
    plain = name.removeprefix("gated-") if gated else name
    function = "gelu_new" if gated and plain == "gelu" else plain
    fields.only("is_gated_act", gated)
    fields.only("dense_act_fn", function)
    named = Fields({"feed_forward_proj": function})
    return Feedforward(fields.whole("d_ff"), activation(named, "feed_forward_proj"), gated)


def stored(fields: Fields, tensors: Container[str]) -> Iterator[Stored]:
    """Iterate over the tensors of checkpoints; the tables of relative positions are in the first blocks."""
    yield Stored("shared.weight", ("embedding.E",))
    yield Stored("lm_head.weight", ("unembedding.U",))
    for stack, length in (("encoder", fields.whole("num_layers")), ("decoder", decoder_length(fields))):
        yield Stored(f"{stack}.final_layer_norm.weight", (f"{stack}.norm.g",))
        table = f"{stack}.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
        yield Stored(table, (f"{stack}.1.heads.bias",))
        parts = [("SelfAttention", "heads"), ("EncDecAttention", "cross_heads")][: 1 if stack == "encoder" else 2]
        for number in range(length):
            there, here = f"{stack}.block.{number}.layer", f"{stack}.{number + 1}"
            for place, (named, heads) in enumerate(parts):
                for one, axis in (("Q", 0), ("K", 0), ("V", 0), ("O", 1)):
                    path = f"{there}.{place}.{named}.{one.lower()}.weight"
                    yield Stored(path, numbered(tensors, f"{here}.{heads}.{one}"), axis=axis)
            for place in range(len(parts) + 1):
                yield Stored(f"{there}.{place}.layer_norm.weight", (f"{here}.norm_{place + 1}.g",))
            for short, name in (("wi", "up"), ("wi_0", "gate"), ("wi_1", "up"), ("wo", "down")):
                path = f"{there}.{len(parts)}.DenseReluDense.{short}.weight"
                yield Stored(path, (f"{here}.feedforward.{name}",))


SIZES = {
    "width": "d_model",
    "layers": "num_layers",
    "decoder_layers": "num_decoder_layers",
    "heads": "num_heads",
    "head_width": "d_kv",
    "hidden": "d_ff",
    "vocabulary": "vocab_size",
    "buckets": "relative_attention_num_buckets",
    "distance": "relative_attention_max_distance",
}

KEYS = (
    *("dense_act_fn", "feed_forward_proj", "is_causal", "is_encoder_decoder", "is_gated_act"),
    *("layer_norm_epsilon", "scale_decoder_outputs", "tie_word_embeddings"),
    "n_positions",  # of texts, not of the network
)

ALIASES = {
    "head_dim": "d_kv",
    "hidden_size": "d_model",
    "num_attention_heads": "num_heads",
    "num_hidden_layers": "num_layers",
}

register(
    ModelFamily(("t5",), t5, SIZES, stored, architectures=("ForConditionalGeneration",), keys=KEYS, aliases=ALIASES)
)
